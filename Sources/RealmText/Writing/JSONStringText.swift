import RealmStorage

/// What becomes of bytes that JSON, or the reference engine, treats in a special way.
public enum JSONStringStyle: Sendable {
  /// As the reference engine writes strings: only `"`, `\`, newline, return, tab, form feed and backspace are escaped,
  /// everything else is written as it is. Other control characters and invalid UTF-8 make the result invalid JSON.
  case core
  /// Valid JSON: other control characters as `\u00XX`; each maximal invalid part of a UTF-8 sequence becomes U+FFFD.
  case standard
  /// Valid JSON that keeps every byte: as `standard`, but each byte of an invalid sequence (0x80 to 0xFF) is written as
  /// the escape of a lone low surrogate, `\udc80` to `\udcff`, which no valid text can give rise to. `JSONReader` turns
  /// them back into bytes when asked to.
  case lossless
}

extension TextBuffer {
  /// Appends the bytes as a JSON string with its quotes.
  public func appendJSON(_ bytes: UnsafeRawBufferPointer, style: JSONStringStyle) {
    append(byte: UInt8(ascii: "\""))
    if let source = bytes.baseAddress {
      appendEscaped(source, count: bytes.count, style: style)
    }
    append(byte: UInt8(ascii: "\""))
  }

  /// Appends the text as a JSON string with its quotes.
  @_disfavoredOverload public func appendJSON(_ text: RealmString, style: JSONStringStyle) {
    text.utf8.withUnsafeBytes { appendJSON($0, style: style) }
  }

  /// Appends the text as a JSON string with its quotes.
  public func appendJSON(_ text: String) {
    var text = text
    text.withUTF8 { appendJSON(UnsafeRawBufferPointer($0), style: .standard) }
  }

  private func appendEscaped(_ source: UnsafeRawPointer, count: Int, style: JSONStringStyle) {
    let sourceEnd = source + count
    var source = source
    while source < sourceEnd {
      let byte = source.load(as: UInt8.self)
      if byte >= 0x80, style != .core {
        source += appendMultibyte(UnsafeRawBufferPointer(start: source, count: sourceEnd - source), style: style)
        continue
      }
      appendEscaped(byte, style: style)
      source += 1
    }
  }

  private func appendEscaped(_ byte: UInt8, style: JSONStringStyle) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x08: append("\\b")
    case 0x09: append("\\t")
    case 0x0a: append("\\n")
    case 0x0c: append("\\f")
    case 0x0d: append("\\r")
    case 0..<0x20 where style != .core:
      append("\\u00")
      advance(to: room(for: 2).storeHex(UInt64(byte) &<< 56, byteCount: 1))
    default: append(byte: byte)
    }
  }

  /// Appends what `bytes`, which begin with a byte of 0x80 or more, begin with, and gives the number of bytes used.
  private func appendMultibyte(_ bytes: UnsafeRawBufferPointer, style: JSONStringStyle) -> Int {
    let sequence = UTF8Sequence(at: bytes)
    if sequence.isValid {
      append(bytes: UnsafeRawBufferPointer(rebasing: bytes.prefix(sequence.length)))
    } else if style == .lossless {
      for byte in bytes.prefix(sequence.length) {
        append("\\udc")
        advance(to: room(for: 2).storeHex(UInt64(byte) &<< 56, byteCount: 1))
      }
    } else {
      append("\u{FFFD}")
    }
    return sequence.length
  }

  // MARK: - Dictionary keys of the reference engine

  /// Appends a dictionary's key as the reference engine does: between quotes without escapes, or as `B64"…"`, which is
  /// no JSON, when the key holds anything but letters, digits, multi-byte characters and a few signs.
  public func appendCoreKey(_ key: UnsafeRawBufferPointer) {
    if Self.isPlainCoreKey(key) {
      append(byte: UInt8(ascii: "\""))
      append(bytes: key)
    } else {
      append("B64\"")
      appendBase64(key)
    }
    append(byte: UInt8(ascii: "\""))
  }

  /// The reference looks at lengths only: after a lead byte any bytes of 0x80 and more pass for the rest of a
  /// character, 5- and 6-byte sequences included.
  private static func isPlainCoreKey(_ key: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < key.count {
      let byte = key[index]
      index += 1
      let trailing: Int
      switch byte {
      case 0xc0...0xdf: trailing = 1
      case 0xe0...0xef: trailing = 2
      case 0xf0...0xf7: trailing = 3
      case 0xf8...0xfb: trailing = 4
      case 0xfc...0xfd: trailing = 5
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): return false
      case 0x20..<0x7f: continue
      default: return false
      }
      guard key.count - index >= trailing else { return false }
      for _ in 0..<trailing {
        if key[index] < 0x80 { return false }
        index += 1
      }
    }
    return true
  }
}
