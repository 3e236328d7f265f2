import RealmStorage

/// An operator between two values, whatever their types.
enum ValueComparator: Hashable, Sendable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  /// The left value is looked for in the right one.
  case beginsWith, endsWith, contains, like

  /// Whether the operator has its operands the other way round: the value to find comes first.
  var isSearch: Bool {
    switch self {
    case .beginsWith, .endsWith, .contains, .like: true
    default: false
    }
  }

  var isRelational: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }
}

/// An operator with everything that determines its answer.
struct ValueTest: Sendable {
  let comparator: ValueComparator
  /// `[c]`.
  let isFolded: Bool
  /// Whether both sides are sets of types.
  let comparesTypes: Bool
  /// Whether a NaN is neither equal to anything, nor less or greater; otherwise it is equal to itself and less than all
  /// numbers.
  let excludesNaN: Bool
  /// `LIKE` with the reference's rule for stars at the end.
  let dialect: Dialect

  /// Whether the operator is true of two values.
  func holds(_ left: ValueView, _ right: ValueView) -> Bool {
    switch comparator {
    case .equal: isEqual(left, right)
    case .notEqual: !isEqual(left, right)
    case .less: isComparable(left, right) && ValueOrder.compare(left, right) < 0
    case .greater: isComparable(left, right) && ValueOrder.compare(left, right) > 0
    case .lessOrEqual:
      bothNull(left, right) || (isComparable(left, right) && ValueOrder.compare(left, right) <= 0)
    case .greaterOrEqual:
      bothNull(left, right) || (isComparable(left, right) && ValueOrder.compare(left, right) >= 0)
    case .beginsWith, .endsWith, .contains, .like: isFound(left, in: right)
    }
  }

  private func bothNull(_ left: ValueView, _ right: ValueView) -> Bool {
    if case .null = left, case .null = right { return true }
    return false
  }

  private func isEqual(_ left: ValueView, _ right: ValueView) -> Bool {
    if comparesTypes, case .int(let left) = left, case .int(let right) = right { return left & right != 0 }
    if bothNull(left, right) { return true }
    if excludesNaN, left.isNaN || right.isNaN { return false }
    if isFolded {
      switch (left, right) {
      case (.string(let left), .string(let right)), (.data(let left), .data(let right)):
        return FoldedText.isSame(left, right)
      default: break
      }
    }
    return ValueComparison.haveOrder(left, right) && ValueOrder.compare(left, right) == 0
  }

  /// Whether the two have an order.
  private func isComparable(_ left: ValueView, _ right: ValueView) -> Bool {
    if excludesNaN, left.isNaN || right.isNaN { return false }
    return ValueComparison.haveOrder(left, right)
  }

  private func isFound(_ needle: ValueView, in text: ValueView) -> Bool {
    switch (needle, text) {
    case (.null, .null): comparator == .like
    case (.null, _): comparator == .contains
    case (.string(let needle), .string(let text)), (.data(let needle), .data(let text)):
      FoldedText.matches(text, needle, kind: patternKind, isFolded: isFolded)
    default: false
    }
  }

  /// The pattern for a search operator.
  var patternKind: BytesPattern.Kind {
    switch comparator {
    case .beginsWith: .prefix
    case .endsWith: .suffix
    case .contains: .contains
    case .like: dialect == .reference ? .wildcardsWithOneStarAtEnd : .wildcards
    default: .equal
    }
  }
}

/// Comparison of strings that are both read from a file.
private enum FoldedText {
  static func isSame(_ left: BlobView, _ right: BlobView) -> Bool {
    guard left.count == right.count else { return false }
    return matches(left, right, kind: .equal, isFolded: true)
  }

  static func matches(_ text: BlobView, _ needle: BlobView, kind: BytesPattern.Kind, isFolded: Bool) -> Bool {
    guard let needle = try? needle.copied() else { return false }
    let pattern = BytesPattern(needle, kind, isFolded: isFolded)
    if let bytes = text.contiguous { return pattern.matches(bytes) }
    return (try? text.copied())?.withUnsafeBytes { pattern.matches($0) } ?? false
  }
}

extension ValueView {
  /// Whether it is a number of any type.
  @inline(__always)
  var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal: true
    default: false
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  var isNaN: Bool {
    switch self {
    case .float(let value): value.isNaN
    case .double(let value): value.isNaN
    case .decimal(let value): value.classified == .nan
    default: false
    }
  }
}
