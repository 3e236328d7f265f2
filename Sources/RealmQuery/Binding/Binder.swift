import RealmStorage
import RealmText

/// Gives the names and constants of a query their meaning in a class: turns syntax into conditions.
///
/// Follows the reference's order of steps, so that of several mistakes the same one is reported.
final class Binder {
  let snapshot: Snapshot
  let dialect: Dialect
  let arguments: [QueryArgument]
  /// Names of inverse relationships.
  let inverses: InverseNames
  /// The class in which names are looked up; inside a subquery, the class of its elements.
  var table: Table
  /// Variables of subqueries, each with the class of its objects.
  var variables: [(table: TableKey, name: String)] = []
  var slots = SlotCounts()
  /// Whether it is inside `NOT` or a subquery.
  var isInside = false
  /// Whether a path of `BETWEEN` is bound a second time: the reference has then lost the keys in it.
  var isSecondLook = false
  private(set) var warnings: [QueryWarning] = []

  init(_ snapshot: Snapshot, _ table: Table, _ arguments: [QueryArgument], _ dialect: Dialect, _ inverses: InverseNames)
  {
    self.inverses = inverses
    (self.snapshot, self.table, self.arguments, self.dialect) = (snapshot, table, arguments, dialect)
  }

  func warn(_ warning: QueryWarning) { warnings.append(warning) }

  // MARK: Predicates

  /// - Throws: `QueryError`.
  func condition(_ predicate: PredicateSyntax) throws -> Condition {
    switch predicate {
    case .constant(let holds, _): return ConstantCondition(holds)
    case .not(let inner, _):
      let wasInside = isInside
      isInside = true
      defer { isInside = wasInside }
      let condition = try condition(inner)
      return condition is OmittedCondition ? condition : NotCondition(condition)
    case .and(let parts, _):
      let conditions = try conditions(parts).filter { !($0 is OmittedCondition) }
      return conditions.isEmpty ? OmittedCondition() : AndCondition(conditions)
    case .or(let parts, _):
      let conditions = try conditions(parts).filter { !($0 is OmittedCondition) }
      return conditions.isEmpty ? OmittedCondition() : OrCondition(conditions)
    case .comparison(let comparison): return try condition(comparison)
    case .between(let between): return try condition(between)
    case .geoWithin(let within): return try condition(within)
    }
  }

  /// The reference looks at the last of several parts first, so its mistakes are reported; except inside `NOT` and
  /// subqueries.
  private func conditions(_ parts: [PredicateSyntax]) throws -> [Condition] {
    guard dialect == .reference, parts.count > 2, !isInside else { return try parts.map(condition) }
    return try (parts.dropFirst(2).reversed() + parts.prefix(2)).map(condition)
  }

  private func condition(_ syntax: ComparisonSyntax) throws -> Condition {
    let (left, right): (Operand, Operand)
    do { (left, right) = try operands(of: syntax) } catch let error as QueryError {
      throw suggestingQuotes(for: error, in: syntax)
    }
    for (operand, number) in [(left, syntax.right), (right, syntax.left)] {
      guard case .arithmetic(let calculation) = number, number.isConstant else { continue }
      let looksLikeDate = operand.type == .mixed && calculation.isDivisionOfDivision
      if operand.type == .date || looksLikeDate { warn(.numberAsDate(path: operand.text, range: syntax.range)) }
    }
    do {
      if syntax.comparison.isEquality { return try equality(syntax, left, right) }
      if syntax.comparison.isRelational { return try relation(syntax, left, right) }
      return try search(syntax, left, right)
    } catch var error as QueryError where error.code == .invalidQuery && error.advice == nil {
      error.advice = ConstantAdvice.text(for: left, right) ?? ConstantAdvice.text(for: right, left)
      throw error
    }
  }

  /// An unknown name that is compared with strings may be a string without its quotes.
  private func suggestingQuotes(for error: QueryError, in syntax: ComparisonSyntax) -> QueryError {
    guard case .unknownName? = error.cause else { return error }
    for (side, other) in [(syntax.right, syntax.left), (syntax.left, syntax.right)] {
      guard case .property(let property) = side, property.range == error.range, property.path.elements.count == 1,
        property.operation == nil, property.quantifier == nil, let name = property.path.elements[0].name,
        // Next to a constant, the name is that of a property.
        !other.isConstant, let type = try? operand(other).type, [.string, .mixed, .bool].contains(type)
      else { continue }
      var error = error
      if type == .bool {
        guard let truth = ["yes": "true", "no": "false"][name.lowercased()] else { continue }
        error.advice = "write \(truth)"
        return error
      }
      let inside = name.drop(while: Self.typographicQuotes.contains)
      let bare = inside.last.map(Self.typographicQuotes.contains) == true ? String(inside.dropLast()) : String(inside)
      let quoted = ReferenceText.constant(.string(RealmString(bare)))
      let isNull = ["none", "undefined"].contains(name.lowercased())
      let advice =
        isNull
        ? "write null" : bare == name ? "text needs quotes: \(quoted)" : "write \(quoted), with straight quotes"
      // A near name is worth a question, a list of all names is not.
      error.advice = error.question.map { NameAdvice.sentences($0, advice) } ?? advice
      return error
    }
    return error
  }

  /// What word processors make of quotes.
  private static let typographicQuotes: Set<Character> = ["“", "”", "„", "‘", "’", "«", "»"]

  /// Both sides; a constant takes its type from the other one.
  private func operands(of syntax: ComparisonSyntax) throws -> (Operand, Operand) {
    let (left, right): (Operand, Operand)
    switch (syntax.left.isConstant, syntax.right.isConstant) {
    case (true, true):
      let quoted = [syntax.left, syntax.right].compactMap(\.text).first { text in
        table.schema.properties.contains { $0.name == text }
      }
      throw QueryError(
        .invalidQuery, "Cannot compare two constants", at: syntax.range,
        advice: quoted.map { name in
          let written = CompletionWords.written(name)
          return "write the property \(written == "\(name)" ? "without quotes" : "in backquotes"): \(written)"
        } ?? "TRUEPREDICATE matches all objects")
    case (false, true):
      left = try operand(syntax.left)
      right = try operand(syntax.right, hint: left.type)
      try verify(left, right, syntax.range)
    default:
      right = try operand(syntax.right)
      left = try operand(syntax.left, hint: syntax.left.isConstant ? right.type : .int)
      try verify(right, left, syntax.range)
    }
    return (left, right)
  }

  private func verify(_ left: Operand, _ right: Operand, _ range: SourceRange) throws {
    if left.isCollection && right.isCollection {
      throw QueryError(
        .invalidQuery,
        "Ordered comparison between two primitive lists is not implemented yet ('\(left.text)' and '\(right.text)')",
        at: range)
    }
    if let left = left.constant, let right = right.constant, left.type == .typeOfValue, right.type == .typeOfValue {
      throw QueryError(
        .invalidQuery, "Comparison between two constants is not supported ('\(left.text)' and '\(right.text)')",
        at: range)
    }
    if left is LinkOperand, left.hasManyValues, right.singleConstant?.isNull == true {
      throw QueryError(
        .invalidQuery, "Cannot compare linklist ('\(left.text)') with NULL", at: range,
        advice: "for an empty list, write \(left.text).@count == 0")
    }
  }

  // MARK: Equality

  private func equality(_ syntax: ComparisonSyntax, _ left: Operand, _ right: Operand) throws -> Condition {
    var (left, right) = (left, right)
    if let link = left as? LinkOperand, let constant = right.constant {
      right = try linkConstant(constant, for: link, syntax.right.range)
    }
    if let link = right as? LinkOperand, let constant = left.constant {
      left = try linkConstant(constant, for: link, syntax.left.range)
    }
    try requireComparable(left.type, right.type, syntax.range)
    if (left.type == .typeOfValue || right.type == .typeOfValue) && left.type != right.type {
      throw QueryError(
        .invalidQueryArg,
        "Unsupported comparison between @type and raw value: '\(left.type.name)' and '\(right.type.name)'",
        at: syntax.range)
    }
    if syntax.comparison == .isIn, !right.hasManyValues {
      let isShort = right.constant != nil && right.text.utf8.count <= 60
      throw QueryError(
        .invalidQueryArg, "The keypath following 'IN' must contain a list. Found '\(right.text)'",
        at: syntax.right.range,
        advice: syntax.right.isArgument
          ? "give a list in braces, such as --arg '{30, 31}'" : isShort ? "write IN {\(right.text)}" : nil)
    }
    let isEqual = syntax.comparison != .notEqual
    if isEqual, let found = try membership(syntax, left, right) { return found }
    if let link = left as? LinkOperand, right.constant != nil, let found = linksTo(syntax, link, right) { return found }
    let comparator: ValueComparator = isEqual ? .equal : .notEqual
    if let value = oneConstant(right), let property = left as? PropertyOperand, property.isDirect,
      left.type == right.type || left.type == .mixed
    {
      return simple(property, comparator, value, right, isFolded: syntax.isCaseInsensitive, isSimple: true)
    }
    if syntax.isCaseInsensitive { try requireText(right.type, "\(syntax.comparison.rawValue)[c]", syntax.right.range) }
    warnAboutOrder(syntax, left, right)
    let condition = comparison(left, right, test(comparator, isFolded: syntax.isCaseInsensitive, left, right))
    return isEqual ? objectKeys(left, right, condition) ?? objectKeys(right, left, condition) ?? condition : condition
  }

  /// Object keys that are looked up; nil for anything else.
  private func objectKeys(_ operand: Operand, _ other: Operand, _ comparison: Condition) -> Condition? {
    guard let keys = operand as? ObjectKeyOperand, (keys.quantifier ?? .any) == .any, let constant = other.constant,
      (constant.quantifier ?? .any) == .any, keys.isAlwaysSingle || !constant.isList
    else { return nil }
    let numbers = constant.values.compactMap(\.intValue)
    return numbers.count == constant.values.count ? ObjectKeyCondition(comparison, keys.path, numbers) : nil
  }

  /// The one value that an operand always yields; the reference forgets `NONE` before it.
  private func oneConstant(_ operand: Operand) -> ValueView? {
    operand.quantifier == Quantifier.none && dialect == .standard ? nil : operand.singleConstant
  }

  private func requireComparable(_ left: ValueType, _ right: ValueType, _ range: SourceRange) throws {
    guard left.isStorable, right.isStorable, !left.isComparable(with: right) else { return }
    throw QueryError(
      .invalidQuery, "Unsupported comparison between type '\(left.name)' and type '\(right.name)'", at: range)
  }

  /// A property against any of several constants.
  private func membership(_ syntax: ComparisonSyntax, _ left: Operand, _ right: Operand) throws -> Condition? {
    guard let list = right.constant, list.isList, list.type == .mixed, !list.values.isEmpty,
      (list.quantifier ?? .any) == .any, let property = left as? PropertyOperand, property.type != .mixed
    else { return nil }
    if dialect == .reference { return property.isDirect ? ReferenceMembership.condition(property, list, self) : nil }
    // Without a quantifier, two lists are compared element by element.
    guard !property.hasManyValues || property.quantifier != nil || list.quantifier != nil else { return nil }
    let isFolded = syntax.isCaseInsensitive && (property.type == .string || property.type == .data)
    let test = test(.equal, isFolded: isFolded, left, right)
    let use = isFolded ? nil : indexUse(property, list.values.filter { $0 != .null })
    let index = list.values.contains(.null) ? nil : use
    let lookedUp: Set<ValueType> = [.int, .string, .objectID, .uuid]
    let isLookedUp =
      !isFolded && lookedUp.contains(property.type)
      && list.views.allSatisfy { $0.isNull || ValueType($0) == property.type }
    let condition =
      isLookedUp
      ? MembershipCondition(property.property, property.name, list.values, index: index)
      : ValueCondition(property.property, property.name, test, list, index: index)
    guard !property.isDirect else { return condition }
    return linked(
      property.path, condition, property.quantifier ?? .any, holdsOfNull: list.values.contains(.null))
  }

  private func linksTo(_ syntax: ComparisonSyntax, _ link: LinkOperand, _ right: Operand) -> Condition? {
    guard syntax.comparison != .isIn, let constant = right.constant, link.path.steps.count == 1,
      link.path.steps[0].selector == .all || dialect == .reference, (link.quantifier ?? .any) == .any,
      !constant.values.isEmpty
    else { return nil }
    // With several objects, `!=` of any of them is a different question.
    guard syntax.comparison == .equal || constant.values.count == 1 else { return nil }
    var path = link.path
    path.steps[0].selector = .all
    let keys = constant.views.map { value -> ObjectKey? in if case .link(_, let key) = value { key } else { nil } }
    guard let property = path.steps[0].property else {
      guard dialect == .reference, case .backlinks(let place) = path.steps[0].kind else { return nil }
      let isNegated = syntax.comparison == .notEqual
      return OrCondition(
        keys.map { StoredBacklinkCondition(place, path.label ?? "", $0, isNegated: isNegated) })
    }
    return LinksToCondition(path, property, keys: keys, isNegated: syntax.comparison == .notEqual, dialect)
  }

  /// Typed links become keys of the class that a link leads to.
  private func linkConstant(_ constant: ConstantOperand, for link: LinkOperand, _ range: SourceRange) throws -> Operand
  {
    let target = link.path.target
    let values = try constant.values.map { value -> Value in
      switch value {
      case .null: return .null
      case .link(_, let key): return .link(target.key, key)
      case .typedLink(target.key, let key): return .link(target.key, key)
      case .typedLink(let table, let key):
        throw QueryError(
          .invalidQueryArg,
          "The relationship '\(link.path.text)' which links to type '\(target.schema.displayName)' cannot be compared to "
            + "an argument of type \(describe(table, key))", at: range)
      default:
        throw QueryError(
          .invalidQuery,
          "Unsupported comparison between '\(link.path.text)' and type '\(typeName(of: value))'", at: range)
      }
    }
    return ConstantOperand(values, type: .link, isList: constant.isList, quantifier: constant.quantifier)
  }

  func typeName(of value: Value) -> String {
    ConstantOperand([value], type: .mixed).views.first.map { ValueType($0).name } ?? "unknown"
  }

  /// An object as messages show it: its class and primary key.
  func describe(_ key: TableKey, _ object: ObjectKey) -> String {
    guard let table = snapshot.table(key) else { return "link to an invalid table" }
    guard let values = try? table.values(of: object, in: snapshot) else { return "invalid link" }
    let primaryKey = table.schema.primaryKeyIndex.map { values[$0] } ?? .link(key, object)
    return "'\(table.schema.displayName)' with primary key '\(ReferenceText.constant(primaryKey))'"
  }

  private func warnAboutOrder(_ syntax: ComparisonSyntax, _ left: Operand, _ right: Operand) {
    guard syntax.comparison == .isIn, left.quantifier == nil, left.hasManyValues, let list = right.constant,
      list.isList, list.quantifier == nil
    else { return }
    warn(.orderedList(path: left.text, range: syntax.range))
  }

  // MARK: Order and search

  private func relation(_ syntax: ComparisonSyntax, _ left: Operand, _ right: Operand) throws -> Condition {
    if left.type == .link || left.type == .typeOfValue {
      throw QueryError(
        .invalidQuery,
        "Unsupported operator \(syntax.comparison.rawValue) in query. Only equal (==) and not equal (!=) are supported "
          + "for this type.", at: syntax.operatorRange,
        advice: left.hasManyValues && left is LinkOperand
          ? "to compare the number of objects, write \(left.text).@count \(syntax.comparison.rawValue) …" : nil)
    }
    let hasNull = left.singleConstant?.isNull == true || right.singleConstant?.isNull == true
    if !hasNull, !left.type.isStorable || !right.type.isStorable || !left.type.isComparable(with: right.type) {
      throw QueryError(
        .invalidQuery, "Unsupported comparison between type '\(left.type.name)' and type '\(right.type.name)'",
        at: syntax.range)
    }
    return relation(syntax.comparison, left, right)
  }

  private func relation(_ operation: ComparisonOperator, _ left: Operand, _ right: Operand) -> Condition {
    let comparator: ValueComparator =
      switch operation {
      case .less: .less
      case .lessOrEqual: .lessOrEqual
      case .greater: .greater
      default: .greaterOrEqual
      }
    if let value = oneConstant(right), let property = left as? PropertyOperand, property.isDirect,
      left.type == right.type || left.type == .mixed
    {
      let isSimple = property.type != .bool && property.type != .data
      return simple(property, comparator, value, right, isFolded: false, isSimple: isSimple)
    }
    return comparison(left, right, test(comparator, isFolded: false, left, right))
  }

  private func requireText(_ type: ValueType, _ operation: String, _ range: SourceRange) throws {
    guard type != .string, type != .data, type != .mixed else { return }
    throw QueryError(
      .invalidQuery,
      "Unsupported comparison operator '\(operation)' against type '\(type.name)', right side must be a string or "
        + "binary type", at: range)
  }

  private func search(_ syntax: ComparisonSyntax, _ left: Operand, _ right: Operand) throws -> Condition {
    try requireText(right.type, syntax.comparison.rawValue, syntax.right.range)
    if syntax.comparison == .text { return try words(syntax, left, right) }
    let comparator: ValueComparator =
      switch syntax.comparison {
      case .beginsWith: .beginsWith
      case .endsWith: .endsWith
      case .contains: .contains
      default: .like
      }
    let isFolded = syntax.isCaseInsensitive
    if let link = left as? LinkOperand, right.constant != nil {
      let advice = ConstantAdvice.text(for: left, right)
      warn(.notText(path: link.path.text, values: "are links", advice: advice, range: syntax.left.range))
    } else if left.constant == nil, left.type.isNeverText {
      warn(.notText(path: left.text, values: "have type \(left.type.name)", advice: nil, range: syntax.left.range))
    }
    if comparator == .like, case .string(let pattern)? = right.constant?.values.first {
      let text = "\(pattern)"
      if text.contains("%"), !text.contains("*"), !text.contains("?") {
        warn(.percentInPattern(pattern: text, range: syntax.right.range))
      }
    }
    if let value = right.singleConstant, let property = left as? PropertyOperand, property.isDirect,
      left.type == right.type || left.type == .mixed, right.type == .string || right.type == .data
    {
      return simple(property, comparator, value, right, isFolded: isFolded, isSimple: true)
    }
    // What is looked for comes first.
    return comparison(right, left, test(comparator, isFolded: isFolded, left, right))
  }

  private func words(_ syntax: ComparisonSyntax, _ left: Operand, _ right: Operand) throws -> Condition {
    guard let property = left as? PropertyOperand, property.type == .string,
      property.path.target.indexKind(ofProperty: property.property) == .fullText
    else {
      throw QueryError(
        .illegalOperation, "Column has no fulltext index", at: syntax.left.range, advice: "write CONTAINS[c]")
    }
    guard let constant = right.constant, constant.values.count == 1, case .string(let text) = constant.values[0] else {
      throw QueryError(.invalidArgument, "Missing search token", at: syntax.right.range)
    }
    let words = try SearchWords(text, dialect, at: syntax.right.range)
    let name = property.path.target.schema.properties[property.property].name
    let use = words.wanted.max { $0.count < $1.count }.map {
      IndexUse.word(property: property.property, name: name, $0)
    }
    let condition = WordsCondition(property.property, name, words, index: use)
    if property.isDirect { return condition }
    // Objects are found from the strings, over links of all kinds: one that leads there is enough.
    return linked(property.path, condition, .any, holdsOfNull: false)
  }

  // MARK: Between

  private func condition(_ syntax: BetweenSyntax) throws -> Condition {
    guard syntax.limits.elements.count == 2 else {
      throw QueryError(.invalidQuery, "Operator 'BETWEEN' requires list with 2 elements.", at: syntax.limits.range)
    }
    let value = try operand(syntax.value)
    if value.isCollection {
      guard value.quantifier == .all else {
        throw QueryError(
          .invalidQuery, "Only 'ALL' supported for operator 'BETWEEN' when applied to lists.", at: syntax.range)
      }
    }
    let limits = syntax.limits.elements
    if let property = value as? PropertyOperand, property.isDirect, property.type == .int || property.type == .date {
      let low = try constant(limits[0], hint: value.type)
      let high = try constant(limits[1], hint: value.type)
      if dialect == .reference { return ReferenceBetween.condition(property, low, high) }
      for (limit, syntax) in [(low, limits[0]), (high, limits[1])] where limit.singleConstant?.isNull != false {
        throw QueryError(.invalidQuery, "A limit of 'BETWEEN' must not be null", at: syntax.range)
      }
    }
    isSecondLook = dialect == .reference
    defer { isSecondLook = false }
    return AndCondition([
      try limit(syntax, .greaterOrEqual, limits[0]), try limit(syntax, .lessOrEqual, limits[1]),
    ])
  }

  private func limit(
    _ syntax: BetweenSyntax, _ operation: ComparisonOperator, _ limit: ConstantSyntax
  ) throws -> Condition {
    try condition(
      ComparisonSyntax(
        left: syntax.value, comparison: operation, isCaseInsensitive: false, right: .constant(limit),
        operatorRange: syntax.operatorRange))
  }

  // MARK: What evaluates fastest

  func test(_ comparator: ValueComparator, isFolded: Bool, _ left: Operand, _ right: Operand) -> ValueTest {
    let hasConstant = left.constant != nil || right.constant != nil
    return ValueTest(
      comparator: comparator, isFolded: isFolded,
      comparesTypes: left.type == .typeOfValue && right.type == .typeOfValue,
      excludesNaN: dialect == .standard && hasConstant, dialect: dialect)
  }

  /// A property of the object itself against a constant, by the rules for that where `isSimple`.
  private func simple(
    _ property: PropertyOperand, _ comparator: ValueComparator, _ value: ValueView, _ constant: Operand,
    isFolded: Bool, isSimple: Bool
  ) -> Condition {
    let test = test(comparator, isFolded: isFolded, property, constant)
    let owned = constant.constant?.values.first ?? .null
    return ColumnPlan(property.property, property.path.target, test, isSimple: isSimple)
      .condition(value, owned, index: test.comparator == .equal && !isFolded ? indexUse(property, [owned]) : nil)
  }

  /// Any two expressions, in the order in which the reference compares them.
  private func comparison(_ left: Operand, _ right: Operand, _ test: ValueTest) -> Condition {
    if !test.comparesTypes {
      if let constant = right.constant, !constant.isList, let found = onColumn(left, constant, test, isLeft: false) {
        return found
      }
      if let constant = left.constant, !constant.isList, let found = onColumn(right, constant, test, isLeft: true) {
        return found
      }
    }
    return ComparisonCondition(left, right, test)
  }

  /// - Parameter isLeft: whether the constant stands on the left.
  private func onColumn(_ operand: Operand, _ constant: ConstantOperand, _ test: ValueTest, isLeft: Bool) -> Condition?
  {
    let value = constant.views[0]
    // The value to find is on the left; a pattern that comes from the file has no plan.
    if test.comparator.isSearch != isLeft, test.comparator.isSearch { return nil }
    let oriented = isLeft && !test.comparator.isSearch ? test.flipped : test
    if let count = countColumn(of: operand), case .int(let number) = value,
      let range = ColumnPlan.intTest(oriented.comparator, .int(number), matchesNull: false)
    {
      return CountCondition(count, table.schema.properties[count].name, range)
    }
    if let counted = countedTogether(operand), case .int(let number) = value,
      let range = ColumnPlan.intTest(oriented.comparator, .int(number), matchesNull: false)
    {
      let whole =
        isLeft ? ComparisonCondition(constant, operand, test) : ComparisonCondition(operand, constant, test)
      return CountedCondition(counted, range, explanation: whole.explanation)
    }
    if let collection = operand as? CollectionOperand, collection.isWhole, collection.source.path.steps.isEmpty,
      let search = ColumnPlan(collection.source.propertyIndex, table, oriented, isSimple: false).leafTest(value)
    {
      let fallback =
        isLeft ? ComparisonCondition(constant, operand, test) : ComparisonCondition(operand, constant, test)
      return ElementsCondition(
        collection.source.propertyIndex, collection.label, search, collection.quantifier ?? .any, fallback: fallback)
    }
    let property: PropertyOperand
    let condition: Condition
    if let size = operand as? SizeOperand, let measured = size.bytesProperty {
      guard let lengths = ColumnPlan.lengthTest(oriented, value) else { return nil }
      property = measured
      condition = ColumnCondition(property.property, property.name, lengths)
    } else if let compared = operand as? PropertyOperand {
      property = compared
      let isIndexed = oriented.comparator == .equal && !oriented.isFolded
      condition = ColumnPlan(property.property, property.path.target, oriented, isSimple: false)
        .condition(value, constant.values[0], index: isIndexed ? indexUse(property, constant.values) : nil)
    } else {
      return nil
    }
    guard !property.isDirect else { return condition }
    let holdsOfNull = oriented.comparator.isSearch ? test.holds(value, .null) : oriented.holds(.null, value)
    return linked(property.path, condition, operand.quantifier ?? .any, holdsOfNull: holdsOfNull)
  }

  /// A condition on the objects that a path leads to.
  ///
  /// If several of its links lead to many objects each, every such link gets a condition of its own, so that each
  /// object on the way is asked only once, however many ways lead to it.
  private func linked(
    _ path: LinkPath, _ condition: Condition, _ quantifier: Quantifier, holdsOfNull: Bool
  ) -> Condition {
    var condition = condition
    for (number, part) in path.partsWithOneWay.reversed().enumerated() {
      // For every object on the way, none of its own may match.
      condition = LinkedCondition(
        part, condition, number > 0 && quantifier != .any ? .all : quantifier, holdsOfNull: holdsOfNull,
        answerSlot: slots.nextAnswer())
    }
    return condition
  }

  private func countColumn(of operand: Operand) -> Int? {
    if let count = operand as? LinkCountOperand { return count.directCollection }
    if let count = operand as? CollectionCountOperand, count.source.path.steps.isEmpty {
      return count.source.propertyIndex
    }
    return nil
  }

  private func countedTogether(_ operand: Operand) -> (any CountingOperand)? {
    switch operand {
    case let count as LinkCountOperand where count.countsStored: count
    case let count as BacklinkCountOperand where count.countsStored: count
    case let count as SubqueryCountOperand: count
    default: nil
    }
  }

  /// How an index helps to find the objects of the property's class with one of some values.
  func indexUse(_ property: PropertyOperand, _ values: [Value]) -> IndexUse? {
    let table = property.path.target
    let schema = table.schema.properties[property.property]
    guard !values.isEmpty, table.indexKind(ofProperty: property.property) == .general,
      schema.type != .mixed,
      values.allSatisfy({ $0 != .null && typeName(of: $0) == ValueType(schema.type).name })
    else { return nil }
    return .values(
      property: property.property, name: schema.name, isPrimaryKey: table.schema.primaryKeyIndex == property.property,
      values)
  }
}

extension Operand {
  /// A list, set or dictionary of values.
  var isCollection: Bool { self is CollectionOperand || self is DictionaryOperand }
}

extension LinkPath.Step {
  /// The property it goes through; nil for incoming links.
  var property: Int? { kind.property }
}

extension LinkPath.Step.Kind {
  /// The property it goes through; nil for incoming links.
  var property: Int? {
    switch self {
    case .link(let property), .list(let property), .set(let property), .dictionary(let property): property
    case .backlinks: nil
    }
  }
}

extension ValueTest {
  /// The same question with the sides exchanged.
  var flipped: ValueTest {
    let other: ValueComparator =
      switch comparator {
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      default: comparator
      }
    return ValueTest(
      comparator: other, isFolded: isFolded, comparesTypes: comparesTypes, excludesNaN: excludesNaN, dialect: dialect)
  }
}

/// A part of a query that may not mean what its author thinks.
package enum QueryWarning: Hashable, Sendable {
  /// `obj(…)` names a nonexistent object: `==` matches nothing, `!=` everything.
  case missingObject(className: String, primaryKey: String, range: SourceRange)
  /// `list IN {…}` without a quantifier compares element by element.
  case orderedList(path: String, range: SourceRange)
  /// The pattern of `LIKE` has `%`, which stands for itself, and neither `*` nor `?`.
  case percentInPattern(pattern: String, range: SourceRange)
  /// Something else is searched as text, such as by `CONTAINS`. The advice names a property that may be meant.
  case notText(path: String, values: String, advice: String?, range: SourceRange)
  /// A date is compared with the result of a calculation, such as `01/02/2018`.
  case numberAsDate(path: String, range: SourceRange)
}

extension ArithmeticSyntax {
  /// Whether it has the form of dates in some countries: `31/1/2024`.
  fileprivate var isDivisionOfDivision: Bool {
    guard operation == .divide, case .arithmetic(let left) = self.left else { return false }
    return left.operation == .divide
  }
}

extension ExpressionSyntax {
  /// Whether it is `$0` or another argument.
  fileprivate var isArgument: Bool {
    guard case .constant(let constant) = self, case .argument = constant.kind else { return false }
    return true
  }

  /// Of a string in quotes; nil for anything else.
  fileprivate var text: RealmString? {
    guard case .constant(let constant) = self, case .value(.string(let text)) = constant.kind else { return nil }
    return text
  }
}
