import RealmStorage
import RealmText

/// Takes the cells of rows, in the order of each table's columns.
protocol RelationalCells: AnyObject, SendableMetatype {
  /// Whether rows of a table are needed. Rows of others may still be passed.
  func wants(_ table: Int) -> Bool
  func begin(_ table: Int)
  func appendNull()
  func append(integer: Int64)
  /// Neither NaN nor -0.
  func append(real: Double)
  /// - Parameter isFromFile: whether the text is user data, and not a number, date or key that we wrote.
  func append(text: UnsafeRawBufferPointer, isFromFile: Bool)
  func append(blob: BlobView) throws
  func end()
  /// Forgets the row that was begun.
  func cancel()
}

/// The rows of an export on their way to the thread that writes them: a text that only `RelationalRecords.Reader` reads.
final class RelationalRecords: RelationalCells {
  fileprivate enum Mark: UInt8 { case begin, null, integer, real, text, blob, end }

  private let text: TextBuffer
  private var start = 0

  init(_ text: TextBuffer) { self.text = text }

  func wants(_ table: Int) -> Bool { true }

  func begin(_ table: Int) {
    start = text.count
    append(.begin, Int64(table))
  }

  func appendNull() { text.append(byte: Mark.null.rawValue) }
  func append(integer: Int64) { append(.integer, integer) }
  func append(real: Double) { append(.real, Int64(bitPattern: real.bitPattern)) }

  func append(text bytes: UnsafeRawBufferPointer, isFromFile: Bool) {
    append(.text, Int64(bytes.count))
    text.append(bytes: bytes)
  }

  func append(blob: BlobView) throws {
    // A copy of one that lies in pieces may fail, before anything is written.
    try blob.withContiguous { bytes in
      append(.blob, Int64(bytes.count))
      text.append(bytes: bytes)
    }
  }

  func end() { text.append(byte: Mark.end.rawValue) }
  func cancel() { text.truncate(to: start) }

  private func append(_ mark: Mark, _ number: Int64) {
    text.append(byte: mark.rawValue)
    withUnsafeBytes(of: number) { text.append(bytes: $0) }
  }

  /// A cell, its bytes borrowed.
  enum Cell {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)
  }

  /// Reads what the class above has written.
  struct Reader {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    /// The table of the next row; nil after the last one.
    mutating func nextRow() -> Int? {
      guard let mark = rest.popFirst(), mark == Mark.begin.rawValue else { return nil }
      return Int(number())
    }

    /// The next cell of a row; nil after the last one.
    mutating func nextCell() -> Cell? {
      switch rest.popFirst().flatMap(Mark.init) {
      case .null: .null
      case .integer: .integer(number())
      case .real: .real(Double(bitPattern: UInt64(bitPattern: number())))
      case .text: .text(bytes())
      case .blob: .blob(bytes())
      case .begin, .end, nil: nil
      }
    }

    private mutating func number() -> Int64 {
      let number = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: Int64.self)
      rest = rest.dropFirst(MemoryLayout<Int64>.size)
      return number
    }

    private mutating func bytes() -> UnsafeRawBufferPointer {
      let count = Int(number())
      defer { rest = rest.dropFirst(count) }
      return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
    }
  }
}

/// The rows of one table as lines of CSV or TSV, cell by cell what SQLite has.
final class RelationalLines: RelationalCells {
  private let table: Int
  private let text: TextBuffer
  private let quoting: DelimitedText
  private var isOn = false
  private var isFirst = true
  private var start = 0

  init(_ table: Int, _ quoting: DelimitedText, _ text: TextBuffer) {
    (self.table, self.quoting, self.text) = (table, quoting, text)
  }

  func wants(_ table: Int) -> Bool { table == self.table }

  func begin(_ table: Int) {
    (isOn, isFirst, start) = (table == self.table, true, text.count)
  }

  /// Whether the next cell is written. Appends the separator before it.
  private func openCell() -> Bool {
    guard isOn else { return false }
    if !isFirst { text.append(byte: quoting.separator) }
    isFirst = false
    return true
  }

  func appendNull() { _ = openCell() }

  func append(integer: Int64) {
    if openCell() { text.append(integer: integer) }
  }

  func append(real: Double) {
    guard openCell() else { return }
    // SQLite, and others, read this as infinite; a name they would take for a text.
    if real.isFinite { text.appendShortest(real) } else { text.append(real < 0 ? "-9e999" : "9e999") }
  }

  func append(text bytes: UnsafeRawBufferPointer, isFromFile: Bool) {
    guard openCell() else { return }
    guard !isFromFile else {
      _ = quoting.append(text: bytes, to: text)
      return
    }
    _ = quoting.appendGuarded(to: text) { quoting.append(quoted: bytes, to: text) }
  }

  func append(blob: BlobView) throws {
    guard openCell() else { return }
    if blob.count == 0 { text.append("\"\"") }
    _ = try quoting.appendGuarded(to: text) { try blob.forEachPiece { text.appendBase64($0) } }
  }

  func end() {
    if isOn { text.append("\n") }
  }

  func cancel() {
    if isOn { text.truncate(to: start) }
  }
}
