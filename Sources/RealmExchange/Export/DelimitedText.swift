import RealmStorage
import RealmText

/// How cells of CSV and TSV are quoted: as RFC 4180 says. An empty string is quoted, too.
struct DelimitedText {
  let separator: UInt8
  /// Whether cells that a spreadsheet would take for a formula begin with an apostrophe.
  let isSafeForSpreadsheets: Bool

  init(_ format: ExportFormat, isSafeForSpreadsheets: Bool) {
    separator = format == .tsv ? UInt8(ascii: "\t") : UInt8(ascii: ",")
    self.isSafeForSpreadsheets = isSafeForSpreadsheets
  }

  /// Text of the file.
  ///
  /// - Returns: whether it was appended unchanged, without an apostrophe.
  func append(text bytes: UnsafeRawBufferPointer, to text: TextBuffer) -> Bool {
    guard isSafeForSpreadsheets, SpreadsheetFormula.begins(bytes) else {
      append(quoted: bytes, to: text)
      return true
    }
    (SpreadsheetFormula.mark + bytes).withUnsafeBytes { append(quoted: $0, to: text) }
    return false
  }

  /// Appends text that needs no quotes, but can begin with a sign without being a number.
  ///
  /// - Returns: whether it was appended unchanged, without an apostrophe.
  func appendGuarded(to text: TextBuffer, _ write: () throws -> Void) rethrows -> Bool {
    let start = text.count
    try write()
    guard isSafeForSpreadsheets else { return true }
    let isFormula = text.withBytes { SpreadsheetFormula.begins(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    guard isFormula else { return true }
    let cell = text.withBytes { Array($0[start...]) }
    text.truncate(to: start)
    (SpreadsheetFormula.mark + cell).withUnsafeBytes { text.append(bytes: $0) }
    return false
  }

  /// Appends text, in quotes if it is empty or contains a separator, a quote or a line break.
  func append(quoted bytes: UnsafeRawBufferPointer, to text: TextBuffer) {
    let needsQuotes =
      bytes.isEmpty || bytes.first == UInt8(ascii: " ") || bytes.last == UInt8(ascii: " ")
      || bytes.contains { $0 == separator || $0 == UInt8(ascii: "\"") || $0 == 10 || $0 == 13 }
    guard needsQuotes else { return text.append(bytes: bytes) }
    text.append("\"")
    Self.appendDoublingQuotes(bytes, to: text)
    text.append("\"")
  }

  static func appendDoublingQuotes(_ bytes: UnsafeRawBufferPointer, to text: TextBuffer) {
    var rest = bytes[...]
    while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
      text.append(bytes: UnsafeRawBufferPointer(rebasing: rest[...quote]))
      text.append("\"")
      rest = rest[(quote + 1)...]
    }
    text.append(bytes: UnsafeRawBufferPointer(rebasing: rest))
  }

  /// A first line with the names of the columns.
  func appendHeader(_ names: [RealmString], to text: TextBuffer) {
    for (index, name) in names.enumerated() {
      if index > 0 { text.append(byte: separator) }
      _ = name.utf8.withUnsafeBytes { append(text: $0, to: text) }
    }
    text.append("\n")
  }
}

/// Cells that a spreadsheet runs when it opens a file.
private enum SpreadsheetFormula {
  /// The prefix of such a cell: an apostrophe, which marks text.
  static let mark = Array("'".utf8)

  /// The signs, full-width ones included, and the white space before them that spreadsheets ignore.
  private static let beginnings = [
    "=", "+", "-", "@", "\t", "\r", "\n", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}",
  ]
  .map { Array($0.utf8) }

  static func begins(_ cell: UnsafeRawBufferPointer) -> Bool {
    beginnings.contains { cell.starts(with: $0) }
  }
}
