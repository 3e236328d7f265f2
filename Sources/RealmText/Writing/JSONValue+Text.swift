import RealmStorage

extension JSONValue {
  /// The value on one line, without spaces; numbers as they were written.
  package var text: String {
    let buffer = TextBuffer(capacity: 64)
    append(to: buffer)
    return buffer.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  private func append(to buffer: TextBuffer) {
    switch self {
    case .null: buffer.append("null")
    case .bool(let flag): buffer.append(flag ? "true" : "false")
    case .number(let number): buffer.append(number.text)
    case .string(let text): buffer.appendJSON(text, style: .lossless)
    case .array(let values):
      buffer.append("[")
      for (index, value) in values.enumerated() {
        if index > 0 { buffer.append(",") }
        value.append(to: buffer)
      }
      buffer.append("]")
    case .object(let object):
      buffer.append("{")
      for (index, entry) in object.entries.enumerated() {
        if index > 0 { buffer.append(",") }
        buffer.appendJSON(entry.key, style: .lossless)
        buffer.append(":")
        entry.value.append(to: buffer)
      }
      buffer.append("}")
    }
  }
}
