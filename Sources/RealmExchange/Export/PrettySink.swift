import RealmText

/// Indents JSON on its way to another sink. The text must be valid JSON; white space between its tokens is replaced.
final class PrettySink: TextSink, @unchecked Sendable {
  private let sink: any TextSink
  private let text = TextBuffer(capacity: 1 << 16)
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// Whether the last token was an opening bracket: the next one decides whether a new line begins.
  private var isOpen = false

  init(_ sink: any TextSink) { self.sink = sink }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    for byte in bytes { isInString ? appendInString(byte) : append(byte) }
    try text.withBytes(sink.write)
    text.removeAll()
  }

  func finished(objects: Int) { sink.finished(objects: objects) }

  private func appendInString(_ byte: UInt8) {
    text.append(byte: byte)
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
  }

  private func append(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): return
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if !isOpen { beginLine() }
      text.append(byte: byte)
      isOpen = false
      if depth == 0 { text.append("\n") }
      return
    default: break
    }
    if isOpen { beginLine() }
    isOpen = false
    text.append(byte: byte)
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      depth += 1
      isOpen = true
    case UInt8(ascii: ","): beginLine()
    case UInt8(ascii: ":"): text.append(" ")
    case UInt8(ascii: "\""): isInString = true
    default: break
    }
  }

  private func beginLine() {
    text.append("\n")
    for _ in 0..<depth { text.append("  ") }
  }
}
