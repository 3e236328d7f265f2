import RealmStorage
import RealmText

extension TextBuffer {
  /// Appends a value as people would write it: strings without quotes, dates in UTC, data as hex digits; nothing for
  /// null. This text is searched and copied.
  ///
  /// - Returns: false for links and collections, which have no text of their own.
  /// - Throws: `StorageError.corrupted` if a string or data value cannot be read.
  package func appendPlain(_ value: ValueView) throws -> Bool {
    switch value {
    case .null: break
    case .int(let value): append(integer: value)
    case .bool(let value): append(value ? "true" : "false" as String)
    case .float(let value): appendNumber(value.isFinite, value.isNaN, value.sign == .minus) { appendShortest(value) }
    case .double(let value): appendNumber(value.isFinite, value.isNaN, value.sign == .minus) { appendShortest(value) }
    case .string(let text): try text.forEachPiece { append(bytes: $0) }
    case .data(let data): try data.forEachPiece { appendHex($0) }
    case .date(let value): appendISODate(value)
    case .decimal(let value): appendCanonical(value)
    case .objectID(let value): append(value)
    case .uuid(let value): append(value)
    case .link, .typedLink, .list, .set, .dictionary: return false
    }
    return true
  }

  private func appendNumber(_ isFinite: Bool, _ isNaN: Bool, _ isNegative: Bool, _ finite: () -> Void) {
    if isFinite { return finite() }
    append(isNaN ? "NaN" : isNegative ? "-Infinity" : "Infinity" as String)
  }

  /// All bytes as text.
  package var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  /// All bytes.
  package var copiedBytes: [UInt8] { withBytes { Array($0) } }
}
