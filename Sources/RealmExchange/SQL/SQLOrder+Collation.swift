import CSQLite
import RealmModels
import RealmStorage
import RealmText

extension SQLOrder {
  fileprivate func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    if left.elementsEqual(right) { return 0 }
    switch self {
    case .decimal:
      switch (Decimal128(text: left), Decimal128(text: right)) {
      case (let left?, let right?): return ValueOrder.compare(.decimal(left), .decimal(right))
      case (_?, nil): return -1
      case (nil, _?): return 1
      case (nil, nil): return Self.compareBytes(left, right)
      }
    case .date:
      // In one column they usually have the same number of digits.
      if left.count == right.count, Self.isPlainDate(left), Self.isPlainDate(right) {
        return Self.compareBytes(left, right)
      }
      switch (Place(left), Place(right)) {
      case (.time(let left), .time(let right)): return left == right ? 0 : left < right ? -1 : 1
      case (.time(let date), .text): return Self.compare(date, with: right)
      case (.text, .time(let date)): return -Self.compare(date, with: left)
      case (.text, .text): return Self.compareBytes(left, right)
      }
    }
  }

  private static func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    left.elementsEqual(right) ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
  }

  // MARK: Dates

  private enum Place {
    case time(Timestamp)
    case text

    init(_ bytes: UnsafeRawBufferPointer) {
      self = Timestamp(text: bytes, needsZone: false).map(Place.time) ?? .text
    }
  }

  /// Whether it looks like a date of the years 0 to 9999 as a column has it.
  private static func isPlainDate(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 20 && bytes[0] >= UInt8(ascii: "0") && bytes[0] <= UInt8(ascii: "9")
      && bytes[10] == UInt8(ascii: "T") && bytes[bytes.count - 1] == UInt8(ascii: "Z")
  }

  private static let years = (
    first: Timestamp(seconds: -62_167_219_200, nanoseconds: 0),
    next: Timestamp(seconds: 253_402_300_800, nanoseconds: 0)
  )

  /// A date and a text that is none, as the texts of both. Years beyond four digits come before or after all texts.
  private static func compare(_ date: Timestamp, with text: UnsafeRawBufferPointer) -> Int {
    guard date >= years.first else { return -1 }
    guard date < years.next else { return 1 }
    let buffer = TextBuffer(capacity: 32)
    buffer.appendISODate(date, fractionDigits: 9)
    return buffer.withBytes { compareBytes($0, text) }
  }

  // MARK: SQLite

  /// - Returns: whether SQLite knows the orders now.
  static func register(in connection: OpaquePointer) -> Bool {
    let decimals = sqlite3_create_collation_v2(
      connection, decimal.rawValue, SQLITE_UTF8, nil,
      { SQLOrder.decimal.compare($1, $2, $3, $4) }, nil)
    let dates = sqlite3_create_collation_v2(
      connection, date.rawValue, SQLITE_UTF8, nil, { SQLOrder.date.compare($1, $2, $3, $4) }, nil)
    return decimals == SQLITE_OK && dates == SQLITE_OK
  }

  private func compare(
    _ leftCount: Int32, _ left: UnsafeRawPointer?, _ rightCount: Int32, _ right: UnsafeRawPointer?
  ) -> Int32 {
    Int32(
      compare(
        UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
        UnsafeRawBufferPointer(start: right, count: Int(rightCount))))
  }
}
