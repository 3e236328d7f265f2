import RealmExchange
import RealmStorage
import TestSupport
import Testing

/// Rows of CSV and TSV.
@Suite struct DelimitedReaderTests {
  /// - Parameter pieces: bytes that the source gives at once.
  private static func rows(
    _ bytes: [UInt8], separator: Character = ",", pieces: Int = .max
  ) throws -> [[String]] {
    var rest = bytes[...]
    let reader = DelimitedReader(separator: separator.asciiValue ?? 0) { buffer in
      let piece = rest.prefix(min(pieces, buffer.count))
      rest = rest.dropFirst(piece.count)
      for (index, byte) in piece.enumerated() { buffer[index] = byte }
      return piece.count
    }
    var rows: [[String]] = []
    while try reader.next() {
      rows.append((0..<reader.fieldCount).map { (reader.isQuoted($0) ? "q:" : "") + reader.text($0).description })
    }
    return rows
  }

  private static let cases: [(text: String, rows: [[String]])] = [
    ("", []), ("\n", [[""]]), ("a", [["a"]]), ("a,b\n", [["a", "b"]]), ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]),
    ("a\rb\r", [["a"], ["b"]]), (",\n", [["", ""]]), ("\"\"\n", [["q:"]]), ("\"a\"\"b\",c\n", [["q:a\"b", "c"]]),
    ("\"a\nb\r\nc\",d\n", [["q:a\nb\r\nc", "d"]]), ("a\"b,c\n", [["a\"b", "c"]]), ("a,\"b\"", [["a", "q:b"]]),
    ("x\n\ny\n", [["x"], [""], ["y"]]), ("\"\"\"\"\"\"\n", [["q:\"\""]]),
  ]

  @Test("a text has these rows, however it comes", arguments: cases.indices, [1, 2, 3, .max])
  func rows(of number: Int, pieces: Int) throws {
    let (text, rows) = Self.cases[number]
    #expect(try Self.rows(Array(text.utf8), pieces: pieces) == rows)
    // As text with an order mark, and as UTF-16 of both kinds.
    #expect(try Self.rows([0xef, 0xbb, 0xbf] + text.utf8, pieces: pieces) == rows)
    let units = Array(text.utf16)
    #expect(
      try Self.rows([0xff, 0xfe] + units.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }, pieces: pieces) == rows)
    #expect(
      try Self.rows([0xfe, 0xff] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }, pieces: pieces) == rows)
  }

  @Test func otherSeparators() throws {
    #expect(try Self.rows(Array("a;b,c\n".utf8), separator: ";") == [["a", "b,c"]])
    #expect(try Self.rows(Array("a\t\"b\tc\"\n".utf8), separator: "\t") == [["a", "q:b\tc"]])
  }

  @Test func charactersBeyondTheFirstPlane() throws {
    let units = Array("😀,é\n".utf16)
    let bytes: [UInt8] = [0xff, 0xfe] + units.flatMap { unit -> [UInt8] in [UInt8(unit & 0xff), UInt8(unit >> 8)] }
    for pieces in 1...5 { #expect(try Self.rows(bytes, pieces: pieces) == [["😀", "é"]]) }
    let halves: [[UInt8]] = [Array(bytes.dropLast()), Array(bytes.prefix(4)), [0xff, 0xfe, 0x00, 0xdc, 0x0a, 0x00]]
    for broken in halves {
      #expect(throws: InputError.self) { try Self.rows(broken) }
    }
  }

  @Test(arguments: [
    ("a,\"b", "a quoted field has no closing quote", 1, 3),
    ("x\ny,\"b\"c\n", "text after the closing quote of a field", 2, 6),
    ("\"a\nb\"x", "text after the closing quote of a field", 2, 3), ("\"", "a quoted field has no closing quote", 1, 1),
  ])
  func faults(text: String, fault: String, line: Int, column: Int) {
    for pieces in [1, 2, .max] {
      do {
        _ = try Self.rows(Array(text.utf8), pieces: pieces)
        Issue.record("no error: \(text)")
      } catch InputError.source(let error) {
        #expect(error.description == fault && error.line == line && error.column == column, "\(error)")
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test func aRowHasABound() {
    var count = 0
    let reader = DelimitedReader(separator: 44, rowLimit: 1 << 20) { buffer in
      count += buffer.count
      for index in buffer.indices { buffer[index] = 0x61 }
      return buffer.count
    }
    #expect(throws: InputError.self) { try reader.next() }
    #expect(count < 4 << 20)
  }

  /// Text written by the rules of RFC 4180 is read back unchanged, and any bytes give rows or an error.
  @Test func randomRows() throws {
    var generator = SeededGenerator(seed: 28)
    let alphabet = Array("ab,\"\n\r;é😀 ".unicodeScalars)
    for _ in 0..<2000 {
      let rows = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        (0..<Int.random(in: 1...4, using: &generator)).map { _ in
          String(
            String.UnicodeScalarView(
              (0..<Int.random(in: 0...6, using: &generator)).compactMap { _ in alphabet.randomElement(using: &generator)
              }))
        }
      }
      let text = rows.map { $0.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",") + "\n" }
        .joined()
      let read = try Self.rows(Array(text.utf8), pieces: Int.random(in: 1...9, using: &generator))
      #expect(read == rows.map { $0.map { "q:" + $0 } })
      var bytes = Array(text.utf8)
      for _ in 0..<3 {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      do { _ = try Self.rows(bytes) } catch { #expect(error is InputError) }
    }
  }
}
