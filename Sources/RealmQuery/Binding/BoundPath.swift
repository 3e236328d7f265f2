import RealmStorage
import RealmText

/// A key path with the names of its links looked up; what follows the links is not looked at yet.
struct BoundPath {
  var links: LinkPath
  /// The rest: the property of the last class, and what follows it.
  var rest: ArraySlice<Element>
  /// Whether the path ends in `@links` of all kinds.
  var countsAllLinks = false
  let quantifier: Quantifier?
  /// The name of the property that the links lead to, as some messages show it.
  var identifier = ""

  /// One element with its arguments in place.
  struct Element {
    enum Kind: Hashable {
      case key(String)
      case index(Int)
      case last
      case all
      case backlinks(className: String, property: String)
    }

    let kind: Kind
    let range: SourceRange

    var name: String? {
      switch kind {
      case .key(let name): name
      case .backlinks(let className, let property): "@links.\(className).\(property)"
      case .index, .last, .all: nil
      }
    }

    /// As messages show it in brackets.
    var indexText: String {
      switch kind {
      case .index(let index): index == 0 ? "FIRST" : "\(index)"
      case .last: "LAST"
      case .all: "*"
      case .key, .backlinks: name ?? ""
      }
    }
  }

  /// The next name, if the path goes on with one.
  var nextName: String? { rest.first?.name }
}

extension TableSchema {
  /// The properties that link to objects of a class.
  fileprivate func links(to target: TableSchema) -> [RealmString] {
    properties.filter { $0.type == .object && $0.target == target.name }.map(\.name)
  }
}

extension ArraySlice<BoundPath.Element> {
  /// Empty keys after the property; a `length` is dropped.
  fileprivate var droppingKeys: Self {
    guard count > 1 else { return self }
    if count == 2, last?.name?.lowercased() == "length" { return dropLast() }
    var elements = self
    for index in indices.dropFirst() where elements[index].name != nil {
      elements[index] = BoundPath.Element(kind: .key(""), range: elements[index].range)
    }
    return elements
  }
}

extension Binder {
  /// Follows a path as long as there are links.
  func bindPath(_ syntax: PathSyntax, quantifier: Quantifier?) throws -> BoundPath {
    var elements = try resolved(syntax)
    var bound = BoundPath(links: LinkPath(base: table), rest: [], quantifier: quantifier)
    if elements.last?.kind == .key("@links") {
      elements.removeLast()
      bound.countsAllLinks = !isSecondLook
    }
    var index = 0
    loop: while index < elements.count {
      let element = elements[index]
      let current = bound.links.target
      switch element.kind {
      case .backlinks(let className, let property):
        try followBacklinks(&bound.links, className, property, element.range)
        index += 1
        continue loop
      case .key("@values"):
        guard case .dictionary? = bound.links.steps.last?.kind else {
          throw QueryError(.invalidQuery, "@values only allowed on dictionaries", at: element.range)
        }
        index += 1
        continue loop
      case .key(let name):
        if name.isEmpty || variables.contains(where: { $0.table == current.key && $0.name == name }) {
          index += 1
          continue loop
        }
        if let property = current.schema.properties.firstIndex(where: { $0.name == RealmString(name) }) {
          // A property of the class takes precedence over a key of a dictionary that leads here.
          guard try followLink(&bound.links, property) else { break loop }
          index += 1
          continue loop
        }
        if let origin = inverses.origin(name, of: current.schema) {
          try followBacklinks(&bound.links, origin.className, origin.property, element.range)
          index += 1
          continue loop
        }
        // So does the object key, which nothing can follow.
        if dialect == .standard, index == elements.count - 1, index > 0,
          RealmString(name) == current.schema.objectKeyMember
        {
          break loop
        }
      case .index, .last, .all: break
      }
      guard select(&bound.links, element.kind) else { break }
      index += 1
    }
    // An element of a list of links has no meaning by itself: the list is looked at.
    if index == elements.count, !bound.countsAllLinks, let last = bound.links.steps.last, last.selector != .all {
      bound.links.steps.removeLast()
      index = elements.index(index, offsetBy: -2)
      bound.rest = elements[index...]
      return bound
    }
    bound.rest = isSecondLook ? elements[index...].droppingKeys : elements[index...]
    return bound
  }

  private func resolved(_ syntax: PathSyntax) throws -> [BoundPath.Element] {
    var elements: [BoundPath.Element] = []
    for element in syntax.elements {
      if case .keyPathArgument(let number) = element.kind {
        guard syntax.elements.count == 1, !isSecondLook else {
          throw QueryError(
            .invalidQuery, "Key path argument cannot be mixed with other elements", at: syntax.range)
        }
        return try resolved(try keyPath(number, element.range))
      }
      let kind: BoundPath.Element.Kind =
        switch element.kind {
        case .name(let name), .key(let name): .key(name)
        case .index(let index): .index(index)
        case .last: .last
        case .all: .all
        case .indexArgument(let number): try indexArgument(number, element.range)
        case .keyPathArgument: .all
        case .keys: .key("@keys")
        case .values: .key("@values")
        case .backlinks(let className, let property): .backlinks(className: className, property: property)
        case .allBacklinks: .key("@links")
        }
      elements.append(BoundPath.Element(kind: kind, range: element.range))
    }
    return elements
  }

  private func keyPath(_ number: Int, _ range: SourceRange) throws -> PathSyntax {
    let name = "$K\(number)"
    switch try argument(number, range) {
    case .list, .value(.null):
      throw QueryError(.invalidQueryArg, "Null or list cannot be used for parameter '\(name)'", at: range)
    case .value(.string(let text)):
      return try PathSyntax(keyPathArgument: String(decoding: text.utf8, as: UTF8.self), range: range)
    case .value(let value):
      throw QueryError(
        .invalidQueryArg,
        "Invalid index type for '\(name)'. Expected a string, but found type '\(typeName(of: value))'", at: range)
    default:
      throw QueryError(
        .invalidQueryArg, "Invalid index type for '\(name)'. Expected a string, but found type 'link'", at: range)
    }
  }

  private func indexArgument(_ number: Int, _ range: SourceRange) throws -> BoundPath.Element.Kind {
    switch try argument(number, range) {
    case .list, .value(.null): throw QueryError(.invalidQuery, "Invalid index parameter", at: range)
    case .value(.int(let index)):
      guard index >= 0 else { throw QueryError(.invalidQuery, "Invalid index parameter", at: range) }
      return .index(Int(index))
    case .value(.string(let text)): return .key(String(decoding: text.utf8, as: UTF8.self))
    default: throw QueryError(.invalidQuery, "Invalid index type", at: range)
    }
  }

  // MARK: Links

  /// - Returns: false if the property is not a link.
  private func followLink(_ path: inout LinkPath, _ index: Int) throws -> Bool {
    let source = path.target
    let property = source.schema.properties[index]
    guard property.type == .object else { return false }
    guard let name = property.target, let target = snapshot.tables.first(where: { $0.schema.name == name }) else {
      // The names of damaged classes are known, but not their keys, by which links name them.
      let damaged = snapshot.damagedTables.filter { $0.name.hasPrefix(TableSchema.classPrefix) }
      throw QueryError(
        unreadable: "the class that '\(source.schema.displayName).\(property.name)' links to",
        damaged.count > 1
          ? .corrupted(.null, .badTable("\(damaged.count) classes are damaged")) : damaged.first?.error)
    }
    let kind: LinkPath.Step.Kind =
      switch property.collection {
      case nil: .link(index)
      case .list: .list(index)
      case .set: .set(index)
      case .dictionary: .dictionary(index)
      }
    path.steps.append(step(kind, source, target, "\(property.name)"))
    return true
  }

  private func followBacklinks(
    _ path: inout LinkPath, _ className: String, _ property: String, _ range: SourceRange
  ) throws {
    let target = path.target
    let tableName = TableSchema.tableName(ofClass: RealmString(className))
    let origin = snapshot.tables.first { $0.schema.name == tableName }
    let index = origin?.schema.properties.firstIndex { $0.name == RealmString(property) }
    guard let origin, let index, let place = snapshot.incomingLinkIndex(to: target, origin: origin, property: index)
    else {
      if let damaged = snapshot.damagedTables.first(where: { $0.name == tableName }) {
        throw QueryError(unreadable: "class '\(className)'", damaged.error)
      }
      let message =
        "No property '\(property)' found in type '\(className)' which links to type '\(target.schema.displayName)'"
      let links = snapshot.tables.map(\.schema).filter(\.isClass).flatMap { origin in
        origin.links(to: target.schema).map { RealmString("\(origin.displayName).\($0)") }
      }
      throw QueryError(
        .invalidQuery, message, unknown: "\(className).\(property)", among: links, .links, at: range)
    }
    path.steps.append(step(.backlinks(place), target, origin, "@links.\(className).\(property)"))
  }

  private func step(_ kind: LinkPath.Step.Kind, _ source: Table, _ target: Table, _ name: String) -> LinkPath.Step {
    LinkPath.Step(
      kind: kind, source: source, target: target, columnSlot: slots.column(source, kind.property),
      tableSlot: slots.table(target),
      name: name)
  }

  /// Applies an index or a key to the last link.
  private func select(_ path: inout LinkPath, _ kind: BoundPath.Element.Kind) -> Bool {
    guard let last = path.steps.last, last.selector == .all else { return false }
    let place = path.steps.count - 1
    switch (kind, last.kind) {
    case (.all, _): return true
    case (.index(let index), .list): path.steps[place].selector = .index(index)
    case (.last, .list): path.steps[place].selector = .last
    case (.key(let key), .dictionary): path.steps[place].selector = .key(RealmString(key))
    default: return false
    }
    return true
  }

  // MARK: What the links lead to

  /// The operand of a path, without what follows it.
  func operand(_ path: BoundPath, _ syntax: PropertySyntax) throws -> Operand {
    if path.countsAllLinks { return BacklinkCountOperand(path.links, in: snapshot) }
    guard let first = path.rest.first else {
      guard !path.links.steps.isEmpty else {
        throw QueryError(.invalidQuery, "The object itself cannot be compared", at: syntax.range)
      }
      return LinkOperand(path.links, quantifier: path.quantifier)
    }
    guard let name = first.name else {
      throw QueryError(.invalidQuery, "[\(first.indexText)] not expected", at: first.range)
    }
    let table = path.links.target
    guard let index = table.schema.properties.firstIndex(where: { $0.name == RealmString(name) }) else {
      if dialect == .standard, path.rest.count == 1, RealmString(name) == table.schema.objectKeyMember {
        try requireList(path, syntax)
        return ObjectKeyOperand(path.links, quantifier: path.quantifier)
      }
      if name == "\(table.schema.displayName)", path.links.steps.isEmpty, path.rest.count > 1 {
        throw QueryError(
          .invalidQuery, "'\(name)' has no property '\(name)'", at: first.range, advice: "omit '\(name).'")
      }
      let beforeMinus = name.split(separator: "-").first.map { RealmString(String($0)) }
      if name.contains("-"), table.schema.properties.contains(where: { $0.name == beforeMinus }) {
        throw QueryError(
          .invalidQuery, "'\(table.schema.displayName)' has no property '\(name)'", at: first.range,
          advice: "put spaces around '-' to subtract")
      }
      throw QueryError(
        .invalidQuery, "'\(table.schema.displayName)' has no property '\(name)'", unknown: name,
        among: table.schema.properties.map(\.name) + inverses.names(of: table.schema), at: first.range,
        followsLinks: !path.links.steps.isEmpty)
    }
    let property = table.schema.properties[index]
    let rest = path.rest.dropFirst()
    let isLink = property.type == .object
    let owner = Owner(
      table: isLink ? "" : "\(table.schema.displayName)", identifier: isLink ? "" : name, type: property.typeText)
    if property.collection == .dictionary { return try dictionary(path, index, rest, owner) }
    if isLink { return try elementOfLinks(path, index, rest) }
    if property.collection != nil {
      return try collection(path, index, rest, owner, hasOperation: syntax.operation != nil)
    }
    if rest.isEmpty { try requireList(path, syntax) }
    let operand = PropertyOperand(path.links, index, slot: slots.column(table, index), quantifier: path.quantifier)
    guard !rest.isEmpty else { return operand }
    guard property.type == .mixed else { throw refusal(owner, rest) }
    return MixedPathOperand(operand, NestedPath(try nested(rest)), groupSlot: slots.nextGroup())
  }

  /// Only what has several values can have a quantifier.
  private func requireList(_ path: BoundPath, _ syntax: PropertySyntax) throws {
    guard let quantifier = path.quantifier, path.links.isUnary else { return }
    throw QueryError(
      .invalidQuery, "The keypath following '\(quantifier.rawValue)' must contain a list", at: syntax.range,
      advice: "omit \(quantifier.rawValue)")
  }

  /// The class whose property a message is about.
  private struct Owner {
    let table: String
    let identifier: String
    let type: String
  }

  private func elementOfLinks(
    _ path: BoundPath, _ index: Int, _ rest: ArraySlice<BoundPath.Element>
  ) throws -> Operand {
    var links = path.links
    guard try followLink(&links, index), let first = rest.first else {
      throw QueryError(.invalidQuery, "The object itself cannot be compared", at: nil)
    }
    throw QueryError(
      .invalidQuery, "Property '\(links.target.schema.displayName).' does not support index '\(first.indexText)'",
      at: first.range,
      advice: links.target.schema.properties.first { $0.type == .string && $0.collection == nil }.map {
        "compare a property of the object, such as \(path.links.target.schema.properties[index].name)[0].\($0.name)"
      })
  }

  private func source(_ path: BoundPath, _ index: Int) -> CollectionSource {
    CollectionSource(
      path: path.links, propertyIndex: index, columnSlot: slots.column(path.links.target, index),
      groupSlot: slots.nextGroup(),
      quantifier: path.quantifier)
  }

  private func dictionary(
    _ path: BoundPath, _ index: Int, _ rest: ArraySlice<BoundPath.Element>, _ owner: Owner
  ) throws -> Operand {
    let source = source(path, index)
    guard let first = rest.first else { return DictionaryOperand(source, []) }
    switch first.kind {
    case .key("@values"): return DictionaryOperand(source, [])
    case .key("@keys"): return DictionaryKeysOperand(source)
    case .key, .all: return DictionaryOperand(source, try nested(rest))
    default: throw refusal(owner, rest)
    }
  }

  private func collection(
    _ path: BoundPath, _ index: Int, _ rest: ArraySlice<BoundPath.Element>, _ owner: Owner, hasOperation: Bool
  ) throws -> Operand {
    let property = path.links.target.schema.properties[index]
    let source = source(path, index)
    guard let first = rest.first else { return CollectionOperand(source, element: nil) }
    guard rest.count == 1 || property.type == .mixed else {
      throw QueryError(
        .invalidQuery, "Only Property of type 'any' can have nested collections", at: first.range)
    }
    if case .key(let name) = first.kind, name.lowercased() == "length", rest.count == 1,
      property.type == .string || property.type == .data || property.type == .mixed,
      !hasOperation
    {
      return ElementLengthOperand(source)
    }
    guard property.collection == .list, rest.count == 1 || property.type == .mixed else { throw refusal(owner, rest) }
    let behind = rest.count > 1 ? try nested(rest.dropFirst()) : []
    switch first.kind {
    case .index(let position): return CollectionOperand(source, element: .index(position), rest: behind)
    case .last: return CollectionOperand(source, element: .last, rest: behind)
    case .all: return CollectionOperand(source, element: .all, rest: behind)
    default: throw refusal(owner, rest)
    }
  }

  private func nested(_ rest: ArraySlice<BoundPath.Element>) throws -> [NestedPath.Element] {
    rest.map { element in
      switch element.kind {
      case .key(let name): .key(RealmString(name))
      case .index(let index): .index(index)
      case .last: .last
      case .all: .all
      case .backlinks: .key(RealmString(element.name ?? ""))
      }
    }
  }

  private func refusal(_ owner: Owner, _ rest: ArraySlice<BoundPath.Element>) -> QueryError {
    guard let first = rest.first else { return QueryError(.invalidQuery, "Invalid path", at: nil) }
    if rest.count > 1 {
      return QueryError(
        .invalidQuery, "Only Property of type 'any' can have nested collections", at: first.range)
    }
    let place = "Property '\(owner.table).\(owner.identifier)'"
    if let name = first.name {
      return QueryError(
        .invalidQuery, "\(place) has no property '\(name)'", unknown: name, ofValues: owner.type, at: first.range)
    }
    return QueryError(
      .invalidQuery, "\(place) does not support index '\(first.indexText)'", at: first.range,
      advice: "only lists have positions")
  }
}
