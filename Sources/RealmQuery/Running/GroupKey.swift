import RealmStorage
import RealmText

/// A value to group by. Numbers of all types with the same value are one group, whatever their digits; all NaNs are one.
struct GroupKey: Hashable {
  /// As it was met first.
  let value: Value
  private let norm: Norm

  init(_ value: Value) { (self.value, norm) = (value, Norm(value)) }

  static func == (left: GroupKey, right: GroupKey) -> Bool { left.norm == right.norm }
  func hash(into hasher: inout Hasher) { hasher.combine(norm) }
}

/// What decides whether two values are the same: equal numbers have equal norms.
private indirect enum Norm: Hashable {
  case notANumber
  case value(Value)
  case elements([Norm])
  case entries([RealmString: Norm])

  init(_ value: Value) {
    switch value {
    case .float(let number): self = Self.norm(Double(number))
    case .double(let number): self = Self.norm(number)
    case .decimal(let number): self = Self.norm(number)
    case .list(let elements), .set(let elements): self = .elements(elements.map(Norm.init))
    case .dictionary(let entries): self = .entries(entries.mapValues(Norm.init))
    default: self = .value(value)
    }
  }

  private static func norm(_ number: Double) -> Norm {
    if number.isNaN { return .notANumber }
    return .value(Int64(exactly: number).map { .int($0) } ?? .double(number))
  }

  private static func norm(_ number: Decimal128) -> Norm {
    let short = DecimalArithmetic.withoutZerosAtEnd(number)
    switch short.classified {
    case .nan: return .notANumber
    case .infinity(let isNegative): return norm(isNegative ? -Double.infinity : .infinity)
    case .finite(let isNegative, let coefficient, let exponent):
      if let integer = integer(isNegative, coefficient, exponent) { return .value(.int(integer)) }
      // The double that comparisons count as equal to this decimal, where it is the only one.
      if let nearest = Double(text: "\(isNegative ? "-" : "")\(coefficient)e\(exponent)"),
        DecimalArithmetic.withoutZerosAtEnd(ValueOrder.decimal(.double(nearest))) == short
      {
        return norm(nearest)
      }
      return .value(.decimal(short))
    }
  }

  private static func integer(_ isNegative: Bool, _ coefficient: UInt128, _ exponent: Int) -> Int64? {
    guard (0...18).contains(exponent) else { return nil }
    let scale = (0..<exponent).reduce(Int128(1)) { power, _ in power * 10 }
    let (product, overflow) = Int128(coefficient).multipliedReportingOverflow(by: scale)
    return overflow ? nil : Int64(exactly: isNegative ? -product : product)
  }
}
