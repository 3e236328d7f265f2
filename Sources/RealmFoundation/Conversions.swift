import Foundation
import RealmStorage

extension Date: RealmConvertible {
  /// The moment of a `date`, to the nearest that a `Date` stores: a tenth of a microsecond in these decades. `Timestamp`
  /// has all nanoseconds.
  public init(_ timestamp: Timestamp) {
    let (seconds, isBeyond) = timestamp.seconds.subtractingReportingOverflow(Self.secondsTo2001)
    self.init(
      timeIntervalSinceReferenceDate: (isBeyond ? Double(timestamp.seconds) : Double(seconds))
        + Double(timestamp.nanoseconds) / 1e9)
  }

  /// - Throws: `ValueMismatch` if it is not a `date`.
  public init(realmValue: Value) throws(ValueMismatch) {
    guard case .date(let timestamp) = realmValue else { throw ValueMismatch(realmValue, expected: Date.self) }
    self.init(timestamp)
  }

  /// A `date`, to the nearest nanosecond; null for a date that is not a number. Within 46 days of 2001-01-01 a `Date` can be
  /// finer than that.
  public var realmValue: Value { Timestamp(self).map(Value.date) ?? .null }

  /// From 1970 to 2001.
  fileprivate static let secondsTo2001: Int64 = 978_307_200
}

extension Timestamp {
  /// The moment to the nearest nanosecond. Beyond the first or last moment it is that one; nil if the date is not a number.
  public init?(_ date: Date) {
    let interval = date.timeIntervalSinceReferenceDate
    guard !interval.isNaN else { return nil }
    let whole = interval.rounded(.down)
    guard let seconds = Int64(exactly: whole) else {
      self.init(seconds: interval < 0 ? .min : .max, nanoseconds: interval < 0 ? -999_999_999 : 999_999_999)
      return
    }
    let (sum, isBeyond) = seconds.addingReportingOverflow(Date.secondsTo2001)
    let nanoseconds = ((interval - whole) * 1e9).rounded()
    // A difference of less than one, so that its nanoseconds fit.
    self.init(seconds: isBeyond ? .max : sum, nanoseconds: Int32(exactly: nanoseconds) ?? 0)
  }
}

extension UUID: RealmConvertible {
  /// The same bytes.
  public init(_ uuid: RealmUUID) {
    var bytes = (uuid.head.bigEndian, uuid.tail.bigEndian)
    self = withUnsafeBytes(of: &bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// - Throws: `ValueMismatch` if it is not a `uuid`.
  public init(realmValue: Value) throws(ValueMismatch) {
    guard case .uuid(let uuid) = realmValue else { throw ValueMismatch(realmValue, expected: UUID.self) }
    self.init(uuid)
  }

  /// A `uuid`.
  public var realmValue: Value { .uuid(RealmUUID(self)) }
}

extension RealmUUID {
  /// The same bytes.
  public init(_ uuid: UUID) {
    let (head, tail) = withUnsafeBytes(of: uuid.uuid) {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    self.init(head: UInt64(bigEndian: head), tail: UInt64(bigEndian: tail))
  }
}

extension Data: RealmConvertible {
  /// - Throws: `ValueMismatch` if it is not a `data`.
  public init(realmValue: Value) throws(ValueMismatch) {
    guard case .data(let bytes) = realmValue else { throw ValueMismatch(realmValue, expected: Data.self) }
    self.init(bytes)
  }

  /// A `data`.
  public var realmValue: Value { .data([UInt8](self)) }
}

extension Decimal: RealmConvertible {
  /// The same number, exactly; a NaN becomes the only NaN there is. Its digits may be others: 1.50 becomes 1.5.
  ///
  /// - Returns: nil for an infinite number, and for one beyond the range of exponents, from 10^-128 to 10^127.
  public init?(exactly number: Decimal128) {
    if case .nan = number.classified {
      self = .nan
      return
    }
    guard let decimal = Decimal(string: number.description), let same = Decimal128(exactly: decimal),
      !(same < number || number < same)
    else { return nil }
    self = decimal
  }

  /// - Throws: `ValueMismatch` if it is not a `decimal128`, is infinite, or does not fit exactly.
  public init(realmValue: Value) throws(ValueMismatch) {
    guard case .decimal(let number) = realmValue else { throw ValueMismatch(realmValue, expected: Decimal.self) }
    guard let decimal = Decimal(exactly: number) else {
      throw ValueMismatch(.outOfRange(realmValue), expected: Decimal.self)
    }
    self = decimal
  }

  /// A `decimal128`. A number of more than 34 digits is rounded to the nearest, ties to even;
  /// `Decimal128.init(exactly:)` shows whether it would be.
  public var realmValue: Value {
    .decimal(Decimal128(rounding: description) ?? Decimal128(low: 0, high: 0x7c00_0000_0000_0000))
  }
}

extension Decimal128 {
  /// The same number; nil if it has more than 34 digits.
  public init?(exactly decimal: Decimal) { self.init(decimal.description) }
}

extension URL: RealmConvertible {
  /// - Throws: `ValueMismatch` if it is not a `string`, or its text is not a URL that has the same text.
  public init(realmValue: Value) throws(ValueMismatch) {
    let text: String
    do { text = try String(realmValue: realmValue) } catch {
      throw ValueMismatch(error.problem, expected: URL.self)
    }
    guard let url = URL(string: text), url.absoluteString == text else {
      throw ValueMismatch(.outOfRange(realmValue), expected: URL.self)
    }
    self = url
  }

  /// A `string`, the absolute one.
  public var realmValue: Value { .string(RealmString(absoluteString)) }
}
