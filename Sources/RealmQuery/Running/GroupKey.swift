import RealmStorage
import RealmText

/// A value to group by. Numbers of all types with the same value are one group, whatever their digits; all NaNs are one.
struct GroupKey: Hashable {
  /// The first such value.
  let value: Value
  private let norm: Norm

  init(_ value: Value) { (self.value, norm) = (value, Norm(value)) }

  static func == (left: GroupKey, right: GroupKey) -> Bool { left.norm == right.norm }
  func hash(into hasher: inout Hasher) { hasher.combine(norm) }
}

/// What decides whether two values are the same: equal numbers have equal norms.
private indirect enum Norm: Hashable {
  case number(NumberNorm)
  case value(Value)
  case elements([Norm])
  case entries([RealmString: Norm])

  init(_ value: Value) {
    switch value {
    case .int(let number): self = .number(.int(number))
    case .float(let number): self = .number(NumberNorm(Double(number)))
    case .double(let number): self = .number(NumberNorm(number))
    case .decimal(let number): self = .number(NumberNorm(number))
    case .list(let elements), .set(let elements): self = .elements(elements.map(Norm.init))
    case .dictionary(let entries): self = .entries(entries.mapValues(Norm.init))
    default: self = .value(value)
    }
  }
}

/// A number of any type: equal ones have the same norm, whatever their types and digits, and all NaNs have one.
enum NumberNorm: Hashable {
  case notANumber
  case int(Int64)
  case real(Double)
  /// Not equal to any int or double; without trailing zeros.
  case decimal(Decimal128)

  init(_ number: Double) {
    if number.isNaN { self = .notANumber } else { self = Int64(exactly: number).map { .int($0) } ?? .real(number) }
  }

  init(_ number: Decimal128) {
    let short = DecimalArithmetic.withoutZerosAtEnd(number)
    switch short.classified {
    case .nan: self = .notANumber
    case .infinity(let isNegative): self.init(isNegative ? -Double.infinity : .infinity)
    case .finite(let isNegative, let coefficient, let exponent):
      if let integer = Self.integer(isNegative, coefficient, exponent) {
        self = .int(integer)
        return
      }
      // The double that comparisons count as equal to this decimal, where it is the only one.
      let nearest = short.nearestDouble
      if DecimalArithmetic.withoutZerosAtEnd(ValueOrder.decimal(.double(nearest))) == short {
        self.init(nearest)
      } else {
        self = .decimal(short)
      }
    }
  }

  private static func integer(_ isNegative: Bool, _ coefficient: Unsigned128, _ exponent: Int) -> Int64? {
    // More digits than an Int64 has.
    guard (0...18).contains(exponent), coefficient.digitCount + exponent <= 19 else { return nil }
    return Int64(exactly: Signed128(coefficient.scaled(by: exponent), isNegative: isNegative))
  }
}

extension Decimal128 {
  /// The double that is nearest; infinite beyond the range of doubles.
  var nearestDouble: Double {
    switch classified {
    case .nan: .nan
    case .infinity(let isNegative): isNegative ? -.infinity : .infinity
    case .finite(let isNegative, let coefficient, let exponent):
      Double(text: "\(isNegative ? "-" : "")\(coefficient)e\(exponent)") ?? (isNegative ? -.infinity : .infinity)
    }
  }
}
