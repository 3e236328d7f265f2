/// Powers of ten in the forms that the writers of numbers need.
enum PowersOfTen {
  /// The exponents that `scaled` knows: enough to bring any `Double` to 18 digits left of the point, or near 1.
  static let exponents = -330...345

  /// 10^`exponent` as `high:low × 2^(floorLog2(exponent) - 127)`: the top bit is set, and if the power does not fit
  /// into 128 bits (`isExact`) it is rounded up. `exponent` must be one of `exponents`.
  @inline(__always) static func scaled(_ exponent: Int) -> (high: UInt64, low: UInt64) {
    table.pointer[exponent &- -330]
  }

  /// Whether 10^`exponent` fits into 128 bits: 5^55 is the last power of five below 2^128.
  @inline(__always) static func isExact(_ exponent: Int) -> Bool { exponent >= 0 && exponent <= 55 }

  /// The largest `n` with 2^n <= 10^`exponent`, for exponents up to 400 to either side.
  @inline(__always) static func floorLog2(_ exponent: Int) -> Int { (exponent &* 1_741_647) &>> 19 }

  /// The largest `n` with 10^n <= 2^`exponent`, for exponents up to 1500 to either side.
  @inline(__always) static func floorLog10(_ exponent: Int) -> Int { (exponent &* 1_262_611) &>> 22 }

  private static let table = Table()

  /// Computed once, in less than 0.1 ms, instead of 1400 constants in the source. Never freed.
  private struct Table: @unchecked Sendable {
    let pointer: UnsafePointer<(high: UInt64, low: UInt64)>

    init() {
      let entries = UnsafeMutablePointer<(high: UInt64, low: UInt64)>.allocate(capacity: exponents.count)
      let one = entries - exponents.lowerBound
      var power = WideNumber(1)
      for exponent in 0...exponents.upperBound {
        (one + exponent).initialize(to: power.leadingBits(roundingUp: !isExact(exponent)))
        power.multiply(by: 5)
      }
      // 1 / 5^n in fixed point: dividing again and again rounds down each time, as if it were done once at the end.
      var fraction = WideNumber(1)
      fraction.shiftLeft(by: WideNumber.bitCount - 1)
      for exponent in 1 ... -exponents.lowerBound {
        fraction.divideByFive()
        (one - exponent).initialize(to: fraction.leadingBits(roundingUp: true))
      }
      pointer = UnsafePointer(entries)
    }
  }

  /// 10^`exponent` for exponents 0 to 19; 10^19 above.
  @inline(__always) static func small(_ exponent: Int) -> UInt64 {
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    case 8: 100_000_000
    case 9: 1_000_000_000
    case 10: 10_000_000_000
    case 11: 100_000_000_000
    case 12: 1_000_000_000_000
    case 13: 10_000_000_000_000
    case 14: 100_000_000_000_000
    case 15: 1_000_000_000_000_000
    case 16: 10_000_000_000_000_000
    case 17: 100_000_000_000_000_000
    case 18: 1_000_000_000_000_000_000
    default: 10_000_000_000_000_000_000
    }
  }
}
