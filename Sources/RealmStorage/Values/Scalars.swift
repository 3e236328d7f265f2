/// A point in time: seconds and nanoseconds since 1970-01-01T00:00:00Z.
///
/// Both parts have the same sign and `|nanoseconds| < 1_000_000_000` (Docs/Format/2-nodes-and-values.md §2.5). The
/// seconds span all of `Int64`, some 292 billion years to either side.
public struct Timestamp: Hashable, Sendable {
  /// Whole seconds since 1970-01-01T00:00:00Z.
  public let seconds: Int64
  /// The rest, from -999,999,999 to 999,999,999, with the sign of the seconds.
  public let nanoseconds: Int32

  static let nanosecondsPerSecond: Int32 = 1_000_000_000

  /// The moment so many seconds and nanoseconds after 1970, or before it.
  ///
  /// Any two numbers will do: nanoseconds beyond a second, or of the other sign, are carried into the seconds. What lies
  /// beyond the first or the last moment becomes that moment.
  @inline(__always)
  public init(seconds: Int64, nanoseconds: Int32) {
    self.init(unchecked: seconds, nanoseconds)
    if _slowPath(!Self.areValid(seconds, Int64(nanoseconds))) { self.init(carrying: nanoseconds, into: seconds) }
  }

  /// The caller has proved that both parts belong together.
  @inline(__always)
  init(unchecked seconds: Int64, _ nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Whether both parts agree in sign and the second one is less than a second: what files may contain.
  @inline(__always)
  static func areValid(_ seconds: Int64, _ nanoseconds: Int64) -> Bool {
    nanoseconds > -Int64(nanosecondsPerSecond) && nanoseconds < Int64(nanosecondsPerSecond)
      && (seconds >= 0 || nanoseconds <= 0) && (seconds <= 0 || nanoseconds >= 0)
  }

  private init(carrying nanoseconds: Int32, into seconds: Int64) {
    let total = Self.total(seconds, nanoseconds)
    self = Timestamp(exactly: total) ?? (total.isNegative ? .first : .last)
  }

  /// The moment so many nanoseconds after 1970. Beyond the range, only the seconds are those of the first or the last.
  package init(clamping nanoseconds: Signed128) {
    // Division cuts off towards zero, so that both parts have the sign of the whole.
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: Signed128(Self.nanosecondsPerSecond))
    self.init(unchecked: Int64(clamping: whole), Int32(truncatingIfNeeded: Int64(truncatingIfNeeded: rest)))
  }

  /// The moment so many nanoseconds after 1970; nil beyond the range.
  package init?(exactly nanoseconds: Signed128) {
    self.init(clamping: nanoseconds)
    guard totalNanoseconds == nanoseconds else { return nil }
  }

  /// Nanoseconds since 1970.
  package var totalNanoseconds: Signed128 { Self.total(seconds, nanoseconds) }

  private static func total(_ seconds: Int64, _ nanoseconds: Int32) -> Signed128 {
    Signed128(seconds) * Signed128(nanosecondsPerSecond) + Signed128(nanoseconds)
  }

  /// The first and the last moment there are.
  static let first = Timestamp(unchecked: .min, 1 - nanosecondsPerSecond)
  static let last = Timestamp(unchecked: .max, nanosecondsPerSecond - 1)
}

extension Timestamp: Comparable {
  /// The earlier one is less.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

/// A decimal number of 34 digits in the 128-bit binary-integer-decimal form
/// (Docs/Format/2-nodes-and-values.md §2.7).
public struct Decimal128: Hashable, Sendable {
  /// Coefficient bits 0–63.
  public var low: UInt64
  /// Sign (bit 63), exponent (bits 62–49, biased by 6176), coefficient bits 64–112.
  public var high: UInt64

  /// A number by its bits.
  public init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  static let exponentBias = 6176

  /// What the bits say.
  public enum Class: Hashable, Sendable {
    /// `±coefficient × 10^exponent`; the coefficient has at most 34 digits (0 if the bits have more).
    case finite(isNegative: Bool, coefficient: Unsigned128, exponent: Int)
    /// Greater, or less, than every finite number.
    case infinity(isNegative: Bool)
    /// Not a number.
    case nan
  }

  /// What kind of number it is.
  public var classified: Class {
    let isNegative = high >> 63 != 0
    if high & 0x7c00_0000_0000_0000 == 0x7c00_0000_0000_0000 { return .nan }
    if high & 0x7800_0000_0000_0000 == 0x7800_0000_0000_0000 { return .infinity(isNegative: isNegative) }
    if high & 0x6000_0000_0000_0000 == 0x6000_0000_0000_0000 {
      // The alternate form has coefficients beyond 34 digits only: not canonical, read as zero.
      let exponent = Int((high >> 47) & 0x3fff) - Self.exponentBias
      return .finite(isNegative: isNegative, coefficient: 0, exponent: exponent)
    }
    let coefficient = Unsigned128(high: high & 0x0001_ffff_ffff_ffff, low: low)
    let exponent = Int((high >> 49) & 0x3fff) - Self.exponentBias
    let isCanonical = coefficient < Self.coefficientLimit
    return .finite(isNegative: isNegative, coefficient: isCanonical ? coefficient : 0, exponent: exponent)
  }

  /// Above all coefficients: 10^34.
  @inlinable
  package static var coefficientLimit: Unsigned128 { Unsigned128(high: 0x1_ed09_bead_87c0, low: 0x378d_8e64_0000_0000) }

  /// `±coefficient × 10^exponent`: the coefficient has at most 34 digits, the exponent lies from -6176 to 6111.
  package init(coefficient: Unsigned128, exponent: Int, isNegative: Bool) {
    let biased = UInt64(truncatingIfNeeded: exponent &+ Self.exponentBias) &<< 49
    self.init(low: coefficient.low, high: coefficient.high | biased | (isNegative ? 1 << 63 : 0))
  }

  /// The NaN that means null in 16-byte leaves.
  package static let null = Decimal128(low: 0xaa, high: 0x7c00_0000_0000_0000)
}

/// The 12 bytes of an object id, in the order of its hex text.
public struct ObjectID: Hashable, Sendable {
  /// Bytes 0–7, big-endian.
  public var head: UInt64
  /// Bytes 8–11, big-endian.
  public var tail: UInt32

  /// An identifier by its bytes.
  public init(head: UInt64, tail: UInt32) {
    self.head = head
    self.tail = tail
  }
}

/// The 16 bytes of a UUID, in the order of its text.
public struct RealmUUID: Hashable, Sendable {
  /// Bytes 0–7, big-endian.
  public var head: UInt64
  /// Bytes 8–15, big-endian.
  public var tail: UInt64

  /// An identifier by its bytes.
  public init(head: UInt64, tail: UInt64) {
    self.head = head
    self.tail = tail
  }
}

extension ObjectID: Comparable {
  /// By bytes, unsigned.
  public static func < (left: ObjectID, right: ObjectID) -> Bool {
    (left.head, left.tail) < (right.head, right.tail)
  }
}

extension RealmUUID: Comparable {
  /// By bytes, unsigned.
  public static func < (left: RealmUUID, right: RealmUUID) -> Bool {
    (left.head, left.tail) < (right.head, right.tail)
  }
}
