import RealmStorage
import RealmText

/// Reads rows of CSV or TSV as defined by RFC 4180: fields may be quoted, quotes in them are doubled, and lines end
/// with LF or CR LF. A quote inside an unquoted field is text.
///
/// Accepts UTF-8 with or without a byte order mark, and UTF-16 with one. Only one row is in memory at a time.
package final class DelimitedReader {
  /// Fills the start of a buffer with the next bytes and returns their number; 0 at the end.
  package typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

  /// A field of the row that was read last.
  private struct Field {
    /// Where its text is: in the buffer, or among the unescaped texts.
    var range: Range<Int>
    var isUnescaped = false
    var isQuoted = false
    /// The line of its first byte, from 1.
    var line: Int
    /// Where that line begins in the buffer, and where the field begins, including its quote.
    var lineStart: Int
    var start: Int
  }

  private let name: String?
  private let separator: UInt8
  private let source: Source
  private let rowLimit: Int
  private var buffer: [UInt8] = []
  private var cursor = 0
  /// Where the last row that was read begins.
  private var rowStart = 0
  private var isComplete = false
  private var isAtStart = true
  private var unescaped: [UInt8] = []
  private var fields: [Field] = []
  /// The position of the byte at the cursor.
  private var position = (line: 1, column: 1)
  private var utf16: UTF16Decoder?

  private static let chunkSize = 1 << 17

  /// - Parameter name: the name of the file, for messages; nil if they name it anyway.
  package init(name: String? = nil, separator: UInt8, rowLimit: Int = 1 << 27, source: @escaping Source) {
    (self.name, self.separator, self.rowLimit, self.source) = (name, separator, rowLimit, source)
  }

  // MARK: The row

  package var fieldCount: Int { fields.count }

  /// The line on which the row begins.
  package private(set) var line = 1

  package func isQuoted(_ index: Int) -> Bool { fields[index].isQuoted }

  /// The line of a field, and where the line and the field begin in the bytes of the row.
  package func place(_ index: Int) -> (line: Int, lineStart: Int, start: Int) {
    (fields[index].line, fields[index].lineStart - rowStart, fields[index].start - rowStart)
  }

  /// The column of a field in its line, from 1 in characters.
  func column(_ index: Int) -> Int {
    Self.column(behind: buffer[fields[index].lineStart..<fields[index].start])
  }

  /// The bytes of the row as they are in the text, in UTF-8.
  package func withRow<Result>(_ body: (ArraySlice<UInt8>) throws -> Result) rethrows -> Result {
    try body(buffer[rowStart..<cursor])
  }

  /// The column of the byte at an offset in a line.
  static func column(behind bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(1) { $1 & 0xc0 == 0x80 ? $0 : $0 + 1 }
  }

  package func withField<Result>(
    _ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let field = fields[index]
    // The arrays are used in place, because copies would be reference-counted.
    guard !field.isUnescaped else {
      return try unescaped.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[field.range])) }
    }
    return try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[field.range])) }
  }

  package func text(_ index: Int) -> RealmString { withField(index) { RealmString($0) } }

  /// Reads the next row. A blank line is a row of one empty field.
  ///
  /// - Returns: false at the end.
  /// - Throws: `InputError.source` where rows cannot be read any further; what the source throws.
  package func next() throws -> Bool {
    if isAtStart { try begin() }
    while cursor == buffer.count {
      guard try fill() else { return false }
    }
    // A scan that reaches the end of the available bytes starts again with at least twice as many.
    while true {
      if try scan() {
        try requireText()
        return true
      }
      guard buffer.count - cursor <= rowLimit else {
        throw failure("a row is longer than \(rowLimit >> 20) MiB", at: position)
      }
      _ = try fill()
    }
  }

  /// A file in another encoding would give wrong text without a word.
  private func requireText() throws {
    // Converted from UTF-16, it is valid.
    guard utf16 == nil else { return }
    let found = withRow { row in row.withUnsafeBytes { UTF8Sequence.firstInvalid(in: $0) } }
    guard let offset = found else { return }
    let place = rowStart + offset
    let lines = buffer[rowStart..<place].split(separator: 10, omittingEmptySubsequences: false)
    let lineStart = place - (lines.last?.count ?? 0)
    let line = line + lines.count - 1
    throw failure("\(JSONFault.notUTF8(buffer[place]))", line: line, from: lineStart, at: place)
  }

  private func failure(_ fault: String, at place: (line: Int, column: Int)) -> InputError {
    .source(
      .content, (name.map { $0 + ": " } ?? "") + fault, line: place.line, column: place.column)
  }

  private func failure(_ fault: String, line: Int, from lineStart: Int, at place: Int) -> InputError {
    failure(fault, at: (line, Self.column(behind: buffer[lineStart..<place])))
  }

  /// - Returns: false if the row may continue beyond the buffer.
  private func scan() throws -> Bool {
    fields.removeAll(keepingCapacity: true)
    unescaped.removeAll(keepingCapacity: true)
    var place = cursor
    rowStart = cursor
    var (line, lineStart) = (position.line, cursor)
    while true {
      var field = Field(range: place..<place, line: line, lineStart: lineStart, start: place)
      if place < buffer.count, buffer[place] == UInt8(ascii: "\"") {
        guard try scanQuoted(&field, &place, &line, &lineStart) else { return false }
      } else {
        place = endOfPlainField(from: place)
        field.range = field.range.lowerBound..<place
      }
      fields.append(field)
      guard place < buffer.count else {
        guard isComplete else { return false }
        return end(at: place, line)
      }
      switch buffer[place] {
      case separator: place += 1
      case 13:
        guard place + 1 < buffer.count || isComplete else { return false }
        place += place + 1 < buffer.count && buffer[place + 1] == 10 ? 2 : 1
        return end(at: place, line + 1)
      default:
        place += 1
        return end(at: place, line + 1)
      }
    }
  }

  private func endOfPlainField(from start: Int) -> Int {
    let separator = separator
    return buffer.withUnsafeBufferPointer { bytes in
      var place = start
      while place < bytes.count {
        let byte = bytes[place]
        if byte == separator || byte == 10 || byte == 13 { break }
        place += 1
      }
      return place
    }
  }

  private func end(at place: Int, _ line: Int) -> Bool {
    self.line = position.line
    cursor = place
    position = (line, 1)
    return true
  }

  /// - Returns: false if the field may continue beyond the buffer.
  private func scanQuoted(
    _ field: inout Field, _ place: inout Int, _ line: inout Int, _ lineStart: inout Int
  ) throws -> Bool {
    field.isQuoted = true
    place += 1
    var start = place
    let unescapedStart = unescaped.count
    while true {
      guard place < buffer.count else {
        guard isComplete else { return false }
        throw failure("a quoted field has no closing quote", line: field.line, from: field.lineStart, at: field.start)
      }
      switch buffer[place] {
      case UInt8(ascii: "\""):
        guard place + 1 < buffer.count || isComplete else { return false }
        if place + 1 < buffer.count, buffer[place + 1] == UInt8(ascii: "\"") {
          unescaped.append(contentsOf: buffer[start...place])
          field.isUnescaped = true
          place += 2
          start = place
          continue
        }
        if field.isUnescaped {
          unescaped.append(contentsOf: buffer[start..<place])
          field.range = unescapedStart..<unescaped.count
        } else {
          field.range = start..<place
        }
        place += 1
        guard place == buffer.count || [separator, 10, 13].contains(buffer[place]) else {
          throw failure("text after the closing quote of a field", line: line, from: lineStart, at: place)
        }
        return true
      case 10:
        place += 1
        (line, lineStart) = (line + 1, place)
      default: place += 1
      }
    }
  }

  // MARK: Bytes

  private func begin() throws {
    isAtStart = false
    while buffer.count < 4, try fill() {}
    if buffer.starts(with: [0xef, 0xbb, 0xbf]) {
      cursor = 3
    } else if buffer.starts(with: [0xff, 0xfe]) || buffer.starts(with: [0xfe, 0xff]) {
      var decoder = UTF16Decoder(isBigEndian: buffer[0] == 0xfe)
      let bytes = buffer.dropFirst(2)
      buffer = []
      try decode(bytes, &decoder)
      utf16 = decoder
      if isComplete { try requireWholeCharacters() }
    } else if let encoding = Self.unmarkedUTF16(buffer.prefix(4096)) {
      throw failure(
        "the text is UTF-16 without a byte order mark; convert the file: iconv -f \(encoding) -t UTF-8", at: position)
    }
  }

  /// Which UTF-16 a text is that does not say so: nearly every byte is a valid one of UTF-8. There, zeros are rare, and
  /// none would be the other half of every line end.
  private static func unmarkedUTF16(_ head: some Collection<UInt8>) -> String? {
    let bytes = Array(head.prefix(head.count & ~1))
    let zeros = bytes.indices.filter { bytes[$0] == 0 }
    guard let half = zeros.first.map({ $0 & 1 }), zeros.allSatisfy({ $0 & 1 == half }) else { return nil }
    let lineEnds = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    guard
      lineEnds.isEmpty
        ? zeros.count >= bytes.count / 4 : lineEnds.allSatisfy({ $0 & 1 != half && bytes[$0 ^ 1] == 0 })
    else { return nil }
    return half == 1 ? "UTF-16LE" : "UTF-16BE"
  }

  private func requireWholeCharacters() throws {
    if utf16?.isBetweenCharacters == false { throw failure("the text is not valid UTF-16", at: position) }
  }

  /// Reads more bytes after those from the cursor on, at least as many as there already are.
  ///
  /// - Returns: false if there are no more.
  private func fill() throws -> Bool {
    guard !isComplete else { return false }
    buffer.removeFirst(cursor)
    cursor = 0
    let wanted = max(Self.chunkSize, buffer.count)
    let count = try withUnsafeTemporaryAllocation(byteCount: wanted, alignment: 16) { memory in
      var count = 0
      while count < wanted {
        let read = try source(UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
        if read == 0 { break }
        count += read
      }
      let bytes = UnsafeRawBufferPointer(rebasing: memory[..<count])
      if var decoder = utf16 {
        utf16 = nil
        try decode(bytes, &decoder)
        utf16 = decoder
      } else {
        buffer.append(contentsOf: bytes)
      }
      return count
    }
    if count < wanted {
      isComplete = true
      try requireWholeCharacters()
    }
    return count > 0
  }

  private func decode(_ bytes: some Sequence<UInt8>, _ decoder: inout UTF16Decoder) throws {
    guard decoder.append(bytes, to: &buffer) else { throw failure("the text is not valid UTF-16", at: position) }
  }
}

/// Converts UTF-16 to UTF-8 as bytes are read.
private struct UTF16Decoder {
  let isBigEndian: Bool
  private var half: UInt8?
  private var high: UInt16?

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  var isBetweenCharacters: Bool { half == nil && high == nil }

  /// - Returns: false for half a pair.
  mutating func append(_ bytes: some Sequence<UInt8>, to text: inout [UInt8]) -> Bool {
    for byte in bytes {
      guard let first = half else {
        half = byte
        continue
      }
      half = nil
      let unit = isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
      let scalar: Unicode.Scalar?
      if let high {
        guard 0xdc00...0xdfff ~= unit else { return false }
        scalar = Unicode.Scalar(0x10000 + (UInt32(high) - 0xd800) << 10 + (UInt32(unit) - 0xdc00))
        self.high = nil
      } else if 0xd800...0xdbff ~= unit {
        high = unit
        continue
      } else {
        scalar = Unicode.Scalar(unit)
      }
      guard let scalar, let encoded = UTF8.encode(scalar) else { return false }
      text.append(contentsOf: encoded)
    }
    return true
  }
}
