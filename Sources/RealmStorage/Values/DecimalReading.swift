import RealmStorage

/// A decimal number read from text.
public struct DecimalReading: Hashable, Sendable, ReadableFromText {
  /// The number, or the nearest possible one.
  public var decimal: Decimal128
  /// Whether the text has more digits than fit, or is out of range.
  public var isRounded: Bool
  /// Whether the text is a finite number so large that it is read as infinity.
  public var isBeyondRange: Bool

  /// Reads `[+-] digits [. digits] [e [+-] digits]` and, in upper or lower case, `inf`, `infinity`, `nan` and `snan`;
  /// that is every form of `TextBuffer.appendCanonical` and `appendCore`. The digits are kept as they are written:
  /// `1.50` is 150 × 10^-2.
  ///
  /// Digits beyond 34, or below 10^-6176, are rounded, ties to even. A number with an exponent above 6111 gets zeros at
  /// its end if there is room for them, and is infinite otherwise (IEEE 754-2019 §5.12 and §7.4).
  public init?(text bytes: UnsafeRawBufferPointer) {
    guard let text = NumberText(bytes) else { return nil }
    (isRounded, isBeyondRange) = (false, false)
    switch text.kind {
    case .infinity: decimal = .infinity(isNegative: text.isNegative)
    case .nan: decimal = Decimal128(low: 0, high: text.isNegative ? 0xfc00_0000_0000_0000 : 0x7c00_0000_0000_0000)
    case .signalingNaN:
      decimal = Decimal128(low: 0, high: text.isNegative ? 0xfe00_0000_0000_0000 : 0x7e00_0000_0000_0000)
    case .finite:
      var count = 0
      text.forEachDigit { _ in count &+= 1 }
      var rounding = Rounding(digitCount: count, exponent: text.lastDigitExponent)
      text.forEachDigit { rounding.add($0) }
      rounding.finish()
      (isRounded, isBeyondRange) = (rounding.isRounded, rounding.isInfinite)
      decimal =
        rounding.isInfinite
        ? .infinity(isNegative: text.isNegative)
        : Decimal128(coefficient: rounding.coefficient, exponent: rounding.exponent, isNegative: text.isNegative)
    }
  }

  /// Takes digits one by one and keeps as many as fit.
  private struct Rounding {
    private(set) var coefficient: Unsigned128 = 0
    private(set) var exponent: Int
    private(set) var isInfinite = false
    private(set) var isRounded = false

    /// Number of digits until the ones that are dropped; below 0 if there are zeros before the first digit.
    private var keptCount: Int
    private var firstDropped: UInt8 = 0
    private var isMoreDropped = false
    private let isZero: Bool

    private static let digitLimit = 34
    private static let exponents = -6176...6111

    init(digitCount: Int, exponent: Int) {
      let dropped = max(digitCount - Self.digitLimit, Self.exponents.lowerBound - exponent, 0)
      isZero = digitCount == 0
      keptCount = digitCount - dropped
      self.exponent = exponent + dropped
    }

    mutating func add(_ digit: UInt8) {
      if keptCount > 0 {
        coefficient = coefficient * 10 &+ Unsigned128(UInt64(digit))
      } else if keptCount == 0 {
        firstDropped = digit
      } else if digit != 0 {
        isMoreDropped = true
      }
      keptCount -= 1
    }

    mutating func finish() {
      if isZero {
        exponent = min(exponent, Self.exponents.upperBound)
        return
      }
      isRounded = firstDropped != 0 || isMoreDropped
      if firstDropped > 5 || (firstDropped == 5 && (isMoreDropped || coefficient.low & 1 == 1)) {
        coefficient = coefficient + 1
      }
      if coefficient == Decimal128.coefficientLimit { (coefficient, exponent) = (coefficient / 10, exponent + 1) }
      while exponent > Self.exponents.upperBound, coefficient != 0, coefficient.digitCount < Self.digitLimit {
        (coefficient, exponent) = (coefficient * 10, exponent - 1)
      }
      if exponent > Self.exponents.upperBound {
        isInfinite = true
        isRounded = true
      }
    }
  }
}

extension Decimal128: ReadableFromText {
  /// The number, rounded if necessary; `DecimalReading` shows whether it was.
  public init?(text bytes: UnsafeRawBufferPointer) {
    guard let reading = DecimalReading(text: bytes) else { return nil }
    self = reading.decimal
  }

  fileprivate static func infinity(isNegative: Bool) -> Decimal128 {
    Decimal128(low: 0, high: isNegative ? 0xf800_0000_0000_0000 : 0x7800_0000_0000_0000)
  }
}
