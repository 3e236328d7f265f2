import RealmStorage

/// Turns a comparison of a property with one constant into a search of its column.
struct ColumnPlan {
  private let property: Int
  private let schema: Property
  private let name: RealmString
  private let test: ValueTest
  /// The rules for a property compared with a constant directly, which differ from the general ones for null and NaN:
  /// null sorts below every text, NaN is not ordered (`query-language` §6.3, §6.4).
  private let isSimple: Bool

  init(_ property: Int, _ table: Table, _ test: ValueTest, isSimple: Bool) {
    self.property = property
    schema = table.schema.properties[property]
    name = schema.name
    self.test = test
    self.isSimple = isSimple
  }

  /// - Parameters:
  ///   - value: the constant.
  ///   - owned: the same, in a form that can be kept.
  func condition(_ value: ValueView, _ owned: Value, index: IndexUse?) -> Condition {
    if isForgotten(value) { return OmittedCondition() }
    if let leafTest = leafTest(value) { return ColumnCondition(property, name, leafTest, index: index) }
    return ValueCondition(property, name, test, ConstantOperand([owned], type: .mixed), index: index)
  }

  /// The search of a leaf that answers the question; nil if there is none.
  func leafTest(_ value: ValueView) -> LeafTest? {
    switch schema.type {
    case .int: intTest(value)
    case .bool: boolTest(value)
    case .float: floatTest(value)
    case .double: doubleTest(value)
    case .date: dateTest(value)
    case .string, .data: bytesTest(value)
    default: nil
    }
  }

  /// Whether null matches, by the general rules.
  private func holdsOfNull(_ value: ValueView) -> Bool {
    test.comparator.isSearch ? test.holds(value, .null) : test.holds(.null, value)
  }

  private func holds(_ value: ValueView, _ constant: ValueView) -> Bool {
    test.comparator.isSearch ? test.holds(constant, value) : test.holds(value, constant)
  }

  private var order: OrderTest? {
    switch test.comparator {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .beginsWith, .endsWith, .contains, .like: nil
    }
  }

  /// Whether the reference forgets the condition: one that all integers meet.
  private func isForgotten(_ value: ValueView) -> Bool {
    guard isSimple, test.dialect == .reference, schema.type == .int, case .int(let number) = value else { return false }
    return test.comparator == .greaterOrEqual && number == .min || test.comparator == .lessOrEqual && number == .max
  }

  // MARK: Numbers

  private func intTest(_ value: ValueView) -> LeafTest? {
    guard !test.comparator.isSearch else { return nil }
    let matchesNull = holdsOfNull(value)
    if test.excludesNaN, test.comparator.isRelational, value.isNaN {
      return .ints(IntTest(nil, isInside: true, matchesNull: false))
    }
    return Self.intTest(test.comparator, value, matchesNull: matchesNull).map { .ints($0) }
  }

  /// The search for strings or data by comparing their length with a number; nil if it is not an integer.
  static func lengthTest(_ test: ValueTest, _ value: ValueView) -> LeafTest? {
    guard case .int = value, let lengths = intTest(test.comparator, value, matchesNull: false) else { return nil }
    return .bytes(BytesTest(.length(lengths), matchesNull: test.holds(.null, value)))
  }

  /// The integers that compare so with a value of any type; nil for operators that have no order.
  static func intTest(_ comparator: ValueComparator, _ value: ValueView, matchesNull: Bool) -> IntTest? {
    func test(_ range: ClosedRange<Int64>?) -> IntTest {
      IntTest(range, isInside: true, matchesNull: matchesNull)
    }
    guard value.isNumber else {
      return comparator.isSearch
        ? nil : comparator == .notEqual ? IntTest(nil, isInside: false, matchesNull: matchesNull) : test(nil)
    }
    // The first integer that is not below the value, and the first one above it.
    let start = firstInt { ValueOrder.compare(.int($0), value) >= 0 }
    let end = firstInt { ValueOrder.compare(.int($0), value) > 0 }
    func range(_ lower: Int64?, below upper: Int64?) -> ClosedRange<Int64>? {
      guard let lower, upper != .min else { return nil }
      let last = upper.map { $0 - 1 } ?? .max
      return lower <= last ? lower...last : nil
    }
    switch comparator {
    case .equal: return test(range(start, below: end))
    case .notEqual: return IntTest(range(start, below: end), isInside: false, matchesNull: matchesNull)
    case .less: return test(range(.min, below: start))
    case .lessOrEqual: return test(range(.min, below: end))
    case .greater: return test(range(end, below: nil))
    case .greaterOrEqual: return test(range(start, below: nil))
    case .beginsWith, .endsWith, .contains, .like: return nil
    }
  }

  /// The first integer for which `isReached` is true, as it is for all larger ones.
  private static func firstInt(_ isReached: (Int64) -> Bool) -> Int64? {
    guard isReached(.max) else { return nil }
    var (low, high) = (Int64.min, Int64.max)
    while low < high {
      let middle = low + Int64((UInt64(bitPattern: high &- low)) / 2)
      if isReached(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func boolTest(_ value: ValueView) -> LeafTest? {
    .bools(
      matchesTrue: holds(.bool(true), value), matchesFalse: holds(.bool(false), value),
      matchesNull: holds(.null, value))
  }

  private func floatTest(_ value: ValueView) -> LeafTest? {
    guard let order else { return nil }
    if value.isNull { return .floats(RealTest(matchesOthers(value), .nan, matchesNull: holdsOfNull(value))) }
    guard case .float(let number) = value, isOrderOfReals(value) else { return nil }
    return .floats(RealTest(order, number, matchesNull: holdsOfNull(value)))
  }

  private func doubleTest(_ value: ValueView) -> LeafTest? {
    guard let order else { return nil }
    if value.isNull { return .doubles(RealTest(matchesOthers(value), .nan, matchesNull: holdsOfNull(value))) }
    let number: Double
    switch value {
    case .double(let value): number = value
    case .float(let value): number = Double(value)
    case .int(let value):
      guard let exact = Double(exactly: value) else { return nil }
      number = exact
    default: return nil
    }
    guard isOrderOfReals(value) else { return nil }
    return .doubles(RealTest(order, number, matchesNull: holdsOfNull(value)))
  }

  /// Against NaN nothing is equal, and everything is different.
  private func matchesOthers(_ null: ValueView) -> OrderTest { holds(.int(0), null) ? .notEqual : .equal }

  /// Whether the order of floating-point numbers is the requested one: the general rules count NaN as a number.
  private func isOrderOfReals(_ value: ValueView) -> Bool {
    if isSimple || test.dialect == .standard { return true }
    if value.isNaN { return false }
    return test.comparator != .less && test.comparator != .lessOrEqual
  }

  // MARK: Others

  private func dateTest(_ value: ValueView) -> LeafTest? {
    guard let order else { return nil }
    let matchesNull = holdsOfNull(value)
    if case .date(let date) = value { return .dates(DateTest(order, date, matchesNull: matchesNull)) }
    let matchesOthers = holds(.date(Timestamp(seconds: 0, nanoseconds: 0)), value)
    return .dates(
      DateTest(
        matchesOthers ? .greaterOrEqual : .less, Timestamp(seconds: .min, nanoseconds: -999_999_999),
        matchesNull: matchesNull))
  }

  private func bytesTest(_ value: ValueView) -> LeafTest? {
    let bytes: [UInt8]
    switch (schema.type, value) {
    case (.string, .string(let text)), (.data, .data(let text)):
      guard let copy = try? text.copied() else { return nil }
      bytes = copy
    case (_, .null): return .bytes(nullTest())
    default:
      return .bytes(BytesTest(test.comparator == .notEqual ? .anything : .nothing, matchesNull: holdsOfNull(value)))
    }
    if test.isFolded, test.dialect == .reference, String(utf8: bytes) == nil {
      // If the other case of a text is missing, the reference looks for an empty pattern, or for nonexistent bytes.
      switch test.comparator {
      case .like: return .bytes(BytesTest(.matches(pattern([], .equal)), matchesNull: false))
      case .notEqual: return .bytes(BytesTest(.anything, matchesNull: true))
      default: return .bytes(BytesTest(.nothing, matchesNull: false))
      }
    }
    switch test.comparator {
    case .equal: return .bytes(BytesTest(.matches(pattern(bytes, .equal)), matchesNull: false))
    case .notEqual: return .bytes(BytesTest(.differs(pattern(bytes, .equal)), matchesNull: true))
    case .beginsWith, .endsWith, .contains, .like:
      return .bytes(BytesTest(.matches(pattern(bytes, test.patternKind)), matchesNull: false))
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let order else { return nil }
      return .bytes(BytesTest(.order(order, bytes), matchesNull: isSimple && order.accepts(-1)))
    }
  }

  private func pattern(_ bytes: [UInt8], _ kind: BytesPattern.Kind) -> BytesPattern {
    BytesPattern(bytes, kind, isFolded: test.isFolded)
  }

  /// Against null; a search for null finds it everywhere.
  private func nullTest() -> BytesTest {
    switch test.comparator {
    case .equal: return BytesTest(.nothing, matchesNull: true)
    case .notEqual: return BytesTest(.anything, matchesNull: false)
    case .like: return BytesTest(.nothing, matchesNull: true)
    case .beginsWith, .endsWith:
      return BytesTest(isSimple ? .anything : .nothing, matchesNull: isSimple)
    case .contains:
      let isText = schema.type == .string
      return BytesTest(.anything, matchesNull: isSimple && (isText || !test.isFolded))
    case .less: return BytesTest(.nothing, matchesNull: false)
    case .lessOrEqual: return BytesTest(.nothing, matchesNull: true)
    case .greater: return BytesTest(isSimple ? .anything : .nothing, matchesNull: false)
    case .greaterOrEqual: return BytesTest(isSimple ? .anything : .nothing, matchesNull: true)
    }
  }
}

/// `IN` on a property of the object itself as the reference does it: values of other types are skipped.
enum ReferenceMembership {
  static func condition(_ property: PropertyOperand, _ list: ConstantOperand, _ binder: Binder) -> Condition {
    let isNullable = property.path.target.schema.properties[property.property].isOptional
    func matching(_ values: [Value]) -> Condition {
      ValueCondition(
        property.property, property.label,
        ValueTest(
          comparator: .equal, isFolded: false, comparesTypes: false, excludesNaN: false, dialect: .reference),
        ConstantOperand(values, type: .mixed, isList: true))
    }
    switch property.type {
    case .int:
      let values = list.values.compactMap { value -> Value? in
        switch value {
        case .null: return isNullable ? .null : nil
        case .int: return value
        case .double(let number): return Int64(exactly: number).map { .int($0) }
        default: return nil
        }
      }
      // Without any value left the reference looks for -1.
      return matching(values.isEmpty ? [.int(-1)] : values)
    case .string, .objectID, .uuid:
      let values = list.values.filter { $0 == .null || binder.typeName(of: $0) == property.type.name }
      return values.isEmpty ? ConstantCondition(false) : matching(values)
    default:
      let values = list.values.filter {
        $0 == .null ? isNullable : binder.typeName(of: $0) == property.type.name
      }
      // Without any value left the condition is left out.
      guard !values.isEmpty else { return OmittedCondition() }
      guard property.type == .float || property.type == .double else { return matching(values) }
      return OrCondition(
        values.map { value in
          let constant = ConstantOperand([value], type: property.type)
          return ColumnPlan(
            property.property, property.path.target,
            ValueTest(
              comparator: .equal, isFolded: false, comparesTypes: false, excludesNaN: false, dialect: .reference),
            isSimple: true
          ).condition(constant.views[0], value, index: nil)
        })
    }
  }
}

/// `BETWEEN` on an int or date of the object itself as the reference does it: it reads the bits of its limits as values
/// of the property's type.
enum ReferenceBetween {
  static func condition(_ property: PropertyOperand, _ low: Operand, _ high: Operand) -> Condition {
    func test(_ test: LeafTest) -> Condition { ColumnCondition(property.property, property.label, test) }
    if property.type == .date {
      guard case .date(let low)? = low.singleConstant, case .date(let high)? = high.singleConstant else {
        return ConstantCondition(false)
      }
      return AndCondition([
        test(.dates(DateTest(.greaterOrEqual, low, matchesNull: false))),
        test(.dates(DateTest(.lessOrEqual, high, matchesNull: false))),
      ])
    }
    let (low, high) = (bits(low), bits(high))
    return test(.ints(IntTest(low <= high ? low...high : nil, isInside: true, matchesNull: false)))
  }

  private static func bits(_ limit: Operand) -> Int64 {
    switch limit.singleConstant {
    case .int(let value): value
    case .double(let value): Int64(bitPattern: value.bitPattern)
    case .float(let value): Int64(value.bitPattern)
    case .bool(let value): value ? 1 : 0
    default: 0
    }
  }
}
