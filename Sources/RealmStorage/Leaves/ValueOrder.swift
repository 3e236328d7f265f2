/// The order of values that sets and search indexes keep (Docs/Format/2-nodes-and-values.md §7). Part of the format.
package enum ValueOrder {
  /// Below 0, 0 or above 0 if `left` comes before `right`, is equal to it, or comes after it.
  ///
  /// Numbers of all types are compared by value, so numbers of different types can be equal: `1`, `1.0` and decimal
  /// `1.00` are one element of a set.
  package static func compare(_ left: ValueView, _ right: ValueView) -> Int {
    switch (left, right) {
    case (.null, .null): 0
    case (.bool(let a), .bool(let b)): compare(a ? 1 : 0, b ? 1 : 0)
    case (.string(let a), .string(let b)), (.data(let a), .data(let b)): compareBytes(a, b)
    case (.date(let a), .date(let b)): compare(a, b)
    case (.objectID(let a), .objectID(let b)): compare(a, b)
    case (.uuid(let a), .uuid(let b)): compare(a, b)
    case (.link(_, let a), .link(_, let b)): compare(a, b)
    case (.typedLink(let a, let keyA), .typedLink(let b, let keyB)):
      a == b ? compare(keyA, keyB) : compare(a.rawValue, b.rawValue)
    default: compareAcrossTypes(left, right)
    }
  }

  private static func compareAcrossTypes(_ left: ValueView, _ right: ValueView) -> Int {
    let (a, b) = (rank(left), rank(right))
    guard a == b else { return compare(a, b) }
    // Two lists are equal, and so are two dictionaries, whatever they contain.
    return a == Self.numberRank ? compareNumbers(left, right) : 0
  }

  private static let numberRank = 1

  /// The place of a value's type among the others.
  static func rank(_ value: ValueView) -> Int {
    switch value {
    case .null: -1
    case .bool: 0
    case .int, .float, .double, .decimal: numberRank
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

  static func compare<T: Comparable>(_ a: T, _ b: T) -> Int { a == b ? 0 : a < b ? -1 : 1 }

  // MARK: Other formats

  /// Like `compare`, for the elements of a set of a file format.
  ///
  /// - Parameter isMixed: whether it is a set of Mixed values.
  package static func compare(
    _ left: ValueView, _ right: ValueView, ofSetIn order: TextSorting, isMixed: Bool
  ) -> Int {
    guard case .signedBytes(let mixesTextsWithData) = order else { return compare(left, right) }
    switch (left, right) {
    case (.string(let a), .string(let b)): return isMixed ? TextCollation.compare(a, b) : compareSignedBytes(a, b)
    case (.data(let a), .data(let b)): return isMixed ? compareBytes(a, b) : compareSignedBytes(a, b)
    case (.string(let a), .data(let b)), (.data(let a), .string(let b)):
      return mixesTextsWithData ? compareBytes(a, b) : compare(left, right)
    default: return compare(left, right)
    }
  }

  /// As `compare`, for the values that share a list of an index (Docs/Format/3-tables-and-objects.md §6.5).
  static func compare(_ left: ValueView, _ right: ValueView, ofIndexIn order: TextSorting) -> Int {
    guard case .signedBytes = order else { return compare(left, right) }
    switch (left, right) {
    case (.string(let a), .string(let b)): return compareSignedBytes(a, b)
    case (.string(let a), .data(let b)), (.data(let a), .string(let b)): return compareBytes(a, b)
    default: return compare(left, right)
    }
  }

  // MARK: Bytes

  /// Unsigned bytes, shorter first on a common prefix.
  package static func compareBytes(_ left: BlobView, _ right: BlobView) -> Int {
    let (a, b) = (bytes(of: left), bytes(of: right))
    for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
    return compare(a.count, b.count)
  }

  /// As formats before 24 compare (§7.3).
  package static func compareSignedBytes(_ left: BlobView, _ right: BlobView) -> Int {
    let (a, b) = (bytes(of: left), bytes(of: right))
    for (x, y) in zip(a, b) where x != y { return Int8(bitPattern: x) < Int8(bitPattern: y) ? -1 : 1 }
    return compare(a.count, b.count)
  }

  /// The bytes of a text; of one in pieces, which is longer than any engine accepts, the first piece.
  package static func bytes(of value: BlobView) -> UnsafeRawBufferPointer {
    if let bytes = value.contiguous { return bytes }
    var first = UnsafeRawBufferPointer(start: nil, count: 0)
    try? value.forEachPiece { piece in if first.isEmpty { first = piece } }
    return first
  }

  // MARK: Numbers

  private static func compareNumbers(_ left: ValueView, _ right: ValueView) -> Int {
    switch (left, right) {
    case (.int(let a), .int(let b)): compare(a, b)
    case (.float(let a), .float(let b)): compareFloats(a, b)
    case (.double(let a), .double(let b)): compareFloats(a, b)
    case (.float(let a), .double(let b)): compareFloats(Double(a), b)
    case (.double(let a), .float(let b)): compareFloats(a, Double(b))
    case (.int(let a), .float(let b)): compareInt(a, Double(b))
    case (.int(let a), .double(let b)): compareInt(a, b)
    case (.float(let a), .int(let b)): -compareInt(b, Double(a))
    case (.double(let a), .int(let b)): -compareInt(b, a)
    default: Decimal128.compare(decimal(left), decimal(right))
    }
  }

  /// A NaN comes before every number; two are compared by their bits.
  private static func compareFloats<T: BinaryFloatingPoint & RawBits>(_ a: T, _ b: T) -> Int {
    if a.isNaN && b.isNaN { return compare(a.rawBits, b.rawBits) }
    if a.isNaN || b.isNaN { return a.isNaN ? -1 : 1 }
    return compare(a, b)
  }

  /// Exact, even if a double cannot represent the integer.
  private static func compareInt(_ a: Int64, _ b: Double) -> Int {
    if b.isNaN { return 1 }
    if b >= 9_223_372_036_854_775_808 { return -1 }
    if b < -9_223_372_036_854_775_808 { return 1 }
    let whole = b.rounded(.towardZero)
    guard let integer = Int64(exactly: whole) else { return 0 }
    if a != integer { return a < integer ? -1 : 1 }
    return compare(0, b - whole)
  }

  /// An integer is exact; a double is rounded to 15 digits and a float to 7 before it meets a decimal (§7.2).
  package static func decimal(_ value: ValueView) -> Decimal128 {
    switch value {
    case .int(let value):
      Decimal128(coefficient: Unsigned128(value.magnitude), exponent: 0, isNegative: value < 0)
    case .float(let value): Decimal128(rounding: Double(value), toDigits: 7)
    case .double(let value): Decimal128(rounding: value, toDigits: 15)
    case .decimal(let value): value
    default: .null
    }
  }
}

extension ValueOrder {
  /// Sorts the elements of a set, and removes duplicates.
  ///
  /// A set of floats or doubles with a NaN among ascending numbers stays as it is: the engine has no order for NaN, and
  /// leaves it where it was inserted (Docs/Format/2-nodes-and-values.md §7.1).
  ///
  /// Decimal 0.1 equals both float 0.1 and double 0.1, which differ (§7.2). A set that is in order is kept, therefore, and
  /// any other gets its elements one by one, as in the engine: each is above its neighbor, whatever the sorting gave.
  package static func sortedSet(_ elements: [ValueView], of type: PropertyType) -> [ValueView] {
    if type == .float || type == .double, isAscending(elements) { return elements }
    func order(_ left: ValueView, _ right: ValueView) -> Int { compare(left, right, inSetOf: type) }
    if zip(elements, elements.dropFirst()).allSatisfy({ order($0, $1) < 0 }) { return elements }
    var distinct: [ValueView] = []
    distinct.reserveCapacity(elements.count)
    for element in elements.sorted(by: { order($0, $1) < 0 }) {
      // Nearly always at the end.
      var (place, end) = (0, distinct.count)
      if let last = distinct.last, order(last, element) < 0 { place = end }
      while place < end {
        let middle = (place + end) / 2
        if order(distinct[middle], element) < 0 { place = middle + 1 } else { end = middle }
      }
      if place < distinct.count, order(distinct[place], element) == 0 { continue }
      distinct.insert(element, at: place)
    }
    return distinct
  }

  /// Like `compare`; in a set of decimals, null is one of the NaNs, after the plain one (§7.1).
  private static func compare(_ left: ValueView, _ right: ValueView, inSetOf type: PropertyType) -> Int {
    type == .decimal128 ? Decimal128.compare(decimal(left), decimal(right)) : compare(left, right)
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
}

/// Floating point numbers whose bits can be compared.
private protocol RawBits {
  associatedtype Bits: Comparable
  var rawBits: Bits { get }
}

extension Float: RawBits {
  fileprivate var rawBits: UInt32 { bitPattern }
}

extension Double: RawBits {
  fileprivate var rawBits: UInt64 { bitPattern }
}
