import RealmPresentation

/// Data as lines of an offset, hex digits and characters.
struct HexLines {
  let bytes: [UInt8]
  /// The number of bytes in one line.
  let bytesPerLine: Int
  private let offsetDigits: Int

  /// - Parameter width: the width in columns. A line has as many groups of four bytes as fit, at most 16 bytes.
  init(bytes: [UInt8], width: Int) {
    self.bytes = bytes
    offsetDigits = max(4, String(max(bytes.count - 1, 0), radix: 16).utf8.count)
    // Each byte takes three columns as digits and one as a character, with two blanks in between.
    let room = (width - offsetDigits - 3) / 4
    bytesPerLine = room >= 16 ? 16 : room >= 8 ? 8 : 4
  }

  var count: Int { max((bytes.count + bytesPerLine - 1) / bytesPerLine, 1) }

  func line(_ index: Int, _ typography: Typography, limit: Int) -> CellText {
    var text = CellText(typography, limit: limit)
    let start = index * bytesPerLine
    guard start >= 0, start < bytes.count else { return text }
    let part = bytes[start..<min(start + bytesPerLine, bytes.count)]
    text.append(Self.hex(start, digits: offsetDigits) + "  ", .faint)
    for byte in part { text.append(Self.hex(Int(byte), digits: 2) + " ") }
    text.append(String(repeating: "   ", count: bytesPerLine - part.count) + " ")
    for byte in part {
      let isPrintable = byte >= 0x20 && byte < 0x7f
      text.append(isPrintable ? Unicode.Scalar(byte) : ".", isPrintable ? .plain : Style(.control))
    }
    return text
  }

  func lines(_ typography: Typography, atMost most: Int) -> [CellText] {
    (0..<min(count, most)).map { line($0, typography, limit: 120) }
  }

  private static func hex(_ value: Int, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
