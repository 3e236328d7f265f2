import RealmStorage

/// A comparison of what two expressions yield, with `ANY`, `ALL` and `NONE` on either side.
struct QuantifiedComparison: Sendable {
  let test: ValueTest
  let left: Quantifier?
  let right: Quantifier?

  /// Whether it is true. May change the order of the values.
  ///
  /// - Parameter walk: accounts for comparing many values with many.
  /// - Throws: `StorageError.limitReached`; what the walk's check throws.
  func holds(_ left: ValueBuffer, _ right: ValueBuffer, _ walk: CollectionWalk) throws -> Bool {
    if !left.isList && !right.isList {
      guard let leftValue = left.values.first, let rightValue = right.values.first else { return false }
      return test.holds(leftValue, rightValue)
    }
    if left.isList && right.isList && self.left == nil && self.right == nil {
      guard left.values.count == right.values.count else { return test.comparator == .notEqual && !test.isFolded }
      return zip(left.values, right.values).allSatisfy { test.holds($0, $1) }
    }
    let leftCount = left.isList ? left.values.count : min(left.values.count, 1)
    let rightCount = right.isList ? right.values.count : min(right.values.count, 1)
    if test.dialect == .reference, leftCount > 2, rightCount > 2 { return try holdsOfSorted(left, right, walk) }
    return try holds(left.values[..<leftCount], right.values[..<rightCount], walk)
  }

  private func holds(_ left: ArraySlice<ValueView>, _ right: ArraySlice<ValueView>, _ walk: CollectionWalk) throws
    -> Bool
  {
    if left.count >= OrderedValues.least, right.count >= OrderedValues.least, !test.comparator.isSearch,
      let ordered = try OrderedValues(right, comparedWith: left, test, walk)
    {
      return Self.holds(left, self.left) { ordered.hold($0, self.right ?? .any) }
    }
    // The value to find is on the left; the other side's quantifier is the outer one.
    let (outer, inner) = test.comparator.isSearch ? (right, left) : (left, right)
    let (quantifier, innerQuantifier) = test.comparator.isSearch ? (self.right, self.left) : (self.left, self.right)
    let isLong = outer.count.multiplied(atMost: inner.count) > OrderedValues.least * OrderedValues.least
    let cost = isLong ? inner.count.clampedSum(inner.longByteCount) : 0
    return try Self.holds(outer, quantifier) { value in
      if isLong { try walk.spend(cost.clampedSum(inner.count.multiplied(atMost: value.longByteCount))) }
      if test.comparator.isSearch { return Self.holds(inner, innerQuantifier) { test.holds($0, value) } }
      return Self.holds(inner, innerQuantifier) { test.holds(value, $0) }
    }
  }

  @inline(__always)
  private static func holds(
    _ values: ArraySlice<ValueView>, _ quantifier: Quantifier?, _ matches: (ValueView) throws -> Bool
  ) rethrows -> Bool {
    switch quantifier ?? .any {
    case .any: try values.contains(where: matches)
    case .all: try values.allSatisfy(matches)
    case .none: try !values.contains(where: matches)
    }
  }

  // MARK: As the reference does it

  /// With three values or more on both sides the reference sorts them and looks at some only, which gives other answers
  /// if types are mixed or values are repeated.
  private func holdsOfSorted(_ left: ValueBuffer, _ right: ValueBuffer, _ walk: CollectionWalk) throws -> Bool {
    var (leftValues, rightValues) = (left.values, right.values)
    for values in [leftValues, rightValues] { try walk.spend(ofSorting: values[...]) }
    leftValues.sort { ValueOrder.compare($0, $1) < 0 }
    rightValues.sort { ValueOrder.compare($0, $1) < 0 }
    if test.comparator == .equal, !test.isFolded {
      if self.left != Quantifier.none, (self.right ?? .any) == .any { return merged(leftValues, rightValues) }
      return try holds(leftValues[...], rightValues[...], walk)
    }
    if test.comparator.isRelational {
      return try holds(
        [leftValues[0], leftValues[leftValues.count - 1]], [rightValues[0], rightValues[rightValues.count - 1]], walk)
    }
    return try holds(leftValues[...], rightValues[...], walk)
  }

  /// Each value on the right is used up by one on the left.
  private func merged(_ left: ContiguousArray<ValueView>, _ right: ContiguousArray<ValueView>) -> Bool {
    let isAny = (self.left ?? .any) == .any
    var (leftIndex, rightIndex) = (0, 0)
    while rightIndex < right.count {
      if test.holds(left[leftIndex], right[rightIndex]) {
        leftIndex += 1
        rightIndex += 1
        if isAny || leftIndex == left.count { return true }
      } else if ValueOrder.compare(left[leftIndex], right[rightIndex]) < 0 {
        guard isAny, leftIndex < left.count - 1 else { return false }
        leftIndex += 1
      } else {
        rightIndex += 1
      }
    }
    return false
  }
}

/// The values of one side of a comparison of many with many, in their order: with which of them a value compares as
/// asked is found without looking at each.
///
/// Only for values of one type, or floating-point and whole numbers: among others "equal" is not transitive, because a decimal
/// meets a double at its first digits.
struct OrderedValues {
  /// Fewer values on one side are compared with each on the other.
  static let least = 16

  private let comparator: ValueComparator
  /// Without null.
  private let values: ContiguousArray<ValueView>
  private let nullCount: Int

  /// Nil where order does not decide.
  ///
  /// - Throws: `StorageError.limitReached`; what the walk's check throws.
  init?(
    _ values: ArraySlice<ValueView>, comparedWith others: ArraySlice<ValueView>, _ test: ValueTest,
    _ walk: CollectionWalk
  ) throws {
    guard !test.isFolded, !test.comparesTypes, !test.comparator.isSearch else { return nil }
    var kind: Kind?
    for value in [values, others].joined() where !value.isNull {
      guard let own = Kind(value), kind == nil || own == kind else { return nil }
      kind = own
    }
    comparator = test.comparator
    var ordered = ContiguousArray(values.lazy.filter { !$0.isNull })
    nullCount = values.count - ordered.count
    if comparator.isRelational {
      // The ends decide.
      guard let least = ordered.min(by: { ValueOrder.compare($0, $1) < 0 }),
        let greatest = ordered.max(by: { ValueOrder.compare($0, $1) < 0 })
      else {
        self.values = []
        return
      }
      self.values = [least, greatest]
    } else {
      try walk.spend(ofSorting: ordered[...])
      ordered.sort { ValueOrder.compare($0, $1) < 0 }
      self.values = ordered
    }
  }

  /// Types within which the order is strict.
  private enum Kind {
    case number, bool, string, data, date, objectID, uuid, link, typedLink

    init?(_ value: ValueView) {
      switch value {
      case .int: self = .number
      case .float, .double:
        guard !value.isNaN else { return nil }
        self = .number
      case .bool: self = .bool
      case .string: self = .string
      case .data: self = .data
      case .date: self = .date
      case .objectID: self = .objectID
      case .uuid: self = .uuid
      case .link: self = .link
      case .typedLink: self = .typedLink
      case .null, .decimal, .list, .set, .dictionary: return nil
      }
    }
  }

  /// Whether a value on the left compares as asked with any, all or none of these.
  func hold(_ value: ValueView, _ quantifier: Quantifier) -> Bool {
    switch quantifier {
    case .any: holdsOfAny(value)
    case .all: holdsOfAll(value)
    case .none: !holdsOfAny(value)
    }
  }

  private func holdsOfAny(_ value: ValueView) -> Bool {
    guard !value.isNull else {
      return switch comparator {
      case .notEqual: !values.isEmpty
      case .less, .greater: false
      default: nullCount > 0
      }
    }
    guard let least = values.first, let greatest = values.last else { return comparator == .notEqual && nullCount > 0 }
    return switch comparator {
    case .equal: contains(value)
    case .notEqual: nullCount > 0 || order(value, least) != 0 || order(value, greatest) != 0
    case .less: order(value, greatest) < 0
    case .lessOrEqual: order(value, greatest) <= 0
    case .greater: order(value, least) > 0
    default: order(value, least) >= 0
    }
  }

  private func holdsOfAll(_ value: ValueView) -> Bool {
    guard !value.isNull else {
      return switch comparator {
      case .notEqual: nullCount == 0
      case .less, .greater: values.isEmpty && nullCount == 0
      default: values.isEmpty
      }
    }
    if comparator == .notEqual { return !contains(value) }
    guard nullCount == 0 else { return false }
    guard let least = values.first, let greatest = values.last else { return true }
    return switch comparator {
    case .less: order(value, least) < 0
    case .lessOrEqual: order(value, least) <= 0
    case .greater: order(value, greatest) > 0
    case .greaterOrEqual: order(value, greatest) >= 0
    default: order(value, least) == 0 && order(value, greatest) == 0
    }
  }

  private func contains(_ value: ValueView) -> Bool {
    var (low, high) = (0, values.count)
    while low < high {
      let middle = (low + high) / 2
      let order = order(value, values[middle])
      if order == 0 { return true }
      if order < 0 { high = middle } else { low = middle + 1 }
    }
    return false
  }

  @inline(__always)
  private func order(_ left: ValueView, _ right: ValueView) -> Int { ValueOrder.compare(left, right) }
}

extension CollectionWalk {
  /// Accounts for the comparisons that sorting takes.
  fileprivate func spend(ofSorting values: ArraySlice<ValueView>) throws {
    let depth = Int.bitWidth - values.count.leadingZeroBitCount
    try spend(values.count.clampedSum(values.longByteCount).multiplied(atMost: depth))
  }
}

extension ArraySlice<ValueView> {
  /// The bytes of all texts and data.
  fileprivate var longByteCount: Int { reduce(0) { $0.clampedSum($1.longByteCount) } }
}

extension ValueView {
  /// The bytes of a text or data; 0 for everything else.
  fileprivate var longByteCount: Int {
    switch self {
    case .string(let bytes), .data(let bytes): bytes.count
    default: 0
    }
  }
}
