/// What "the same value" means wherever something is written only if it changes: the same type and the same bits.
extension Value {
  /// Whether two values are the same bit for bit: -0.0 is not 0.0, 1.0 is not 1.00, and a NaN equals itself. The order of a
  /// set's elements means nothing.
  package func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    case (.set(let left), .set(let right)):
      left.count == right.count
        && (zip(left, right).allSatisfy { $0.isSame(as: $1) } || Self.counted(left) == Self.counted(right))
    case (.dictionary(let left), .dictionary(let right)):
      left.count == right.count && left.allSatisfy { name, value in right[name]?.isSame(as: value) ?? false }
    default: self == other
    }
  }

  /// How often each value occurs, bit for bit.
  static func counted(_ elements: [Value]) -> [Value: Int] {
    Dictionary(elements.lazy.map { ($0.bits, 1) }, uniquingKeysWith: +)
  }

  /// A value that equals those of the same bits alone.
  var bits: Value {
    switch self {
    case .float(let number): .list([.null, .int(Int64(number.bitPattern))])
    case .double(let number): .list([.int(Int64(bitPattern: number.bitPattern))])
    case .list(let elements): .list([.bool(true)] + elements.map(\.bits))
    case .set(let elements): .set([.list(elements.map(\.bits))])
    case .dictionary(let entries): .dictionary(entries.mapValues(\.bits))
    default: self
    }
  }
}
