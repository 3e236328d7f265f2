/// The order of values in sets, dictionaries and index lists of format 24 (Docs/Format/2-nodes-and-values.md §7).
///
/// It is part of the file format: the engine searches these collections by halving.
public enum ValueOrder {
  /// Compares two single values.
  ///
  /// Numbers of all types are compared with each other by their values, so that different ones can come out equal:
  /// `1`, `1.0` and decimal `1.00` are one element of a set. Lists are equal to lists, dictionaries to dictionaries.
  ///
  /// - Returns: below 0 where `left` comes first, above 0 where `right` does, 0 where they are equal.
  /// - Throws: `StorageError.corrupted` where a value in pieces cannot be read.
  public static func compare(_ left: ValueView, _ right: ValueView) throws -> Int {
    let ranks = (rank(of: left), rank(of: right))
    guard ranks.0 == ranks.1 else { return ranks.0 < ranks.1 ? -1 : 1 }
    switch (left, right) {
    case (.bool(let left), .bool(let right)): return compare(left ? 1 : 0, right ? 1 : 0)
    case (.string(let left), .string(let right)), (.data(let left), .data(let right)):
      return try compare(left, right)
    case (.date(let left), .date(let right)): return compare(left, right)
    case (.objectID(let left), .objectID(let right)): return compare(left, right)
    case (.uuid(let left), .uuid(let right)): return compare(left, right)
    case (.link(let leftTable, let left), .link(let rightTable, let right)),
      (.typedLink(let leftTable, let left), .typedLink(let rightTable, let right)):
      let tables = compare(leftTable.rawValue, rightTable.rawValue)
      return tables != 0 ? tables : compare(left, right)
    default: return NumberOrder.compare(left, right)
    }
  }

  /// Puts the elements of a set in order, each once.
  ///
  /// A set of floats or doubles in which NaN stands somewhere among ascending numbers stays as it is: the engine has no
  /// order for it, and leaves it where an insertion put it (§7.1).
  public static func sortedSet(_ elements: [ValueView], of type: PropertyType) throws -> [ValueView] {
    if type == .float || type == .double, isAscending(elements) { return elements }
    let sorted = try elements.sorted { try compare($0, $1, inSetOf: type) < 0 }
    var distinct: [ValueView] = []
    distinct.reserveCapacity(sorted.count)
    for element in sorted {
      if let last = distinct.last, try compare(last, element, inSetOf: type) == 0 { continue }
      distinct.append(element)
    }
    return distinct
  }

  /// As `compare`; in a set of decimals null is one of the NaNs, behind the plain one (§7.1).
  private static func compare(_ left: ValueView, _ right: ValueView, inSetOf type: PropertyType) throws -> Int {
    guard type == .decimal128 else { return try compare(left, right) }
    return DecimalOrder.compare(decimal(left), decimal(right))
  }

  private static func decimal(_ value: ValueView) -> Decimal128 {
    if case .decimal(let decimal) = value { decimal } else { .null }
  }

  private static func isAscending(_ elements: [ValueView]) -> Bool {
    zip(elements, elements.dropFirst()).allSatisfy { left, right in
      switch (left, right) {
      case (.null, .null): false
      case (.null, _): true
      case (.float(let left), .float(let right)): !(right <= left)
      case (.double(let left), .double(let right)): !(right <= left)
      default: false
      }
    }
  }

  /// Compares texts or data: bytes as unsigned numbers, the shorter first on a common start.
  public static func compare(_ left: BlobView, _ right: BlobView) throws -> Int {
    guard let leftBytes = left.contiguous, let rightBytes = right.contiguous else {
      return try left.copied().withUnsafeBytes { left in try right.copied().withUnsafeBytes { compare(left, $0) } }
    }
    return compare(leftBytes, rightBytes)
  }

  static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    for (left, right) in zip(left, right) where left != right { return left < right ? -1 : 1 }
    return compare(left.count, right.count)
  }

  @inline(__always)
  static func compare<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
    left < right ? -1 : left > right ? 1 : 0
  }

  /// Ranks of types (§7.2).
  static func rank(of value: ValueView) -> Int {
    switch value {
    case .null: -1
    case .bool: 0
    case .int, .float, .double, .decimal: 1
    case .string: 2
    case .data: 3
    case .date: 4
    case .objectID: 5
    case .uuid: 6
    case .typedLink: 7
    case .link: 8
    case .list: 9
    case .set: 10
    case .dictionary: 11
    }
  }
}

/// Comparison of numbers of all types.
enum NumberOrder {
  static func compare(_ left: ValueView, _ right: ValueView) -> Int {
    switch (left, right) {
    case (.int(let left), .int(let right)): return ValueOrder.compare(left, right)
    case (.int(let left), .float(let right)): return compare(left, Double(right))
    case (.int(let left), .double(let right)): return compare(left, right)
    case (.float(let left), .int(let right)): return -compare(right, Double(left))
    case (.double(let left), .int(let right)): return -compare(right, left)
    case (.float(let left), .float(let right)): return compareReals(left, right, left.bitPattern, right.bitPattern)
    case (.float(let left), .double(let right)): return compare(Double(left), right)
    case (.double(let left), .float(let right)): return compare(left, Double(right))
    case (.double(let left), .double(let right)): return compare(left, right)
    default:
      guard let left = decimal(left), let right = decimal(right) else { return 0 }
      return DecimalOrder.compare(left, right)
    }
  }

  private static func decimal(_ value: ValueView) -> Decimal128? {
    switch value {
    case .decimal(let value): value
    case .int(let value):
      Decimal128(coefficient: value.magnitude, exponent: 0, isNegative: value < 0)
    case .float(let value): Decimal128(rounding: Double(value), digits: 7)
    case .double(let value): Decimal128(rounding: value, digits: 15)
    default: nil
    }
  }

  private static func compare(_ left: Double, _ right: Double) -> Int {
    compareReals(left, right, left.bitPattern, right.bitPattern)
  }

  /// NaN is below every number; NaNs are ordered by their bits.
  private static func compareReals<Real: BinaryFloatingPoint, Bits: Comparable>(
    _ left: Real, _ right: Real, _ leftBits: Bits, _ rightBits: Bits
  ) -> Int {
    if left.isNaN || right.isNaN {
      return left.isNaN && right.isNaN ? ValueOrder.compare(leftBits, rightBits) : left.isNaN ? -1 : 1
    }
    return ValueOrder.compare(left, right)
  }

  /// Exact, also beyond 2^53.
  private static func compare(_ left: Int64, _ right: Double) -> Int {
    if right.isNaN { return 1 }
    if left.magnitude <= 1 << 53 { return ValueOrder.compare(Double(left), right) }
    if right >= 0x1p63 { return -1 }
    if right < -0x1p63 { return 1 }
    // Beyond 2^53 a double has no fraction, below it the sign of the difference is that of the whole parts.
    return ValueOrder.compare(left, Int64(right))
  }
}
