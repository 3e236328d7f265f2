import RealmStorage

/// How bytes are written that JSON or the reference engine treats specially.
public enum JSONStringStyle: Sendable {
  /// As the reference engine writes strings: only `"`, `\`, newline, return, tab, form feed and backspace are escaped,
  /// everything else is written as it is. Other control characters and invalid UTF-8 make the result invalid JSON.
  case core
  /// Valid JSON that is safe to print: other control characters, DEL, C1, line separators and characters that change
  /// the direction of writing as `\uXXXX`; each maximal invalid part of a UTF-8 sequence becomes U+FFFD.
  case standard
  /// Valid JSON that keeps every byte: as `standard`, but each byte of an invalid sequence (0x80 to 0xFF) is written as
  /// the escape of a lone low surrogate, `\udc80` to `\udcff`, which valid text never produces. `JSONReader` turns them
  /// back into bytes on request.
  case lossless
  /// As `lossless`, with only the escapes that JSON requires: digests are made of this text, which must stay the same.
  case digested
}

extension JSONStringStyle {
  /// Whether characters are escaped that a terminal could interpret.
  fileprivate var escapesObeyed: Bool {
    switch self {
    case .standard, .lossless: true
    case .core, .digested: false
    }
  }
}

/// The letters of escapes, by the byte that is escaped; a zero byte for those without an escape of one letter.
private let escapeLetters: StaticString = """
  \0\0\0\0\0\0\0\0btn\0fr\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
  \0\0\0"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
  \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\\
  """

extension TextBuffer {
  /// Appends the bytes as a JSON string with its quotes.
  public func appendJSON(_ bytes: UnsafeRawBufferPointer, style: JSONStringStyle) {
    guard let source = bytes.baseAddress else { return append("\"\"") }
    if style == .core {
      appendEscaped(source, count: bytes.count, style: style) { Self.escapes(in: $0) }
    } else if style == .digested {
      appendEscaped(source, count: bytes.count, style: style) { Self.escapes(in: $0) .| $0.isAbove(0x7f) }
    } else {
      appendEscaped(source, count: bytes.count, style: style) { Self.escapes(in: $0) .| $0.isAbove(0x7e) }
    }
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

  /// The bytes of a block that may need an escape.
  @inline(__always) private static func escapes(in block: ByteBlock) -> ByteBlock.Matches {
    block.isBelow(0x20) .| block.equals(UInt8(ascii: "\"")) .| block.equals(UInt8(ascii: "\\"))
  }

  /// Copies sixteen bytes at a time, up to those that `special` finds.
  @inline(__always)
  private func appendEscaped(
    _ start: UnsafeRawPointer, count: Int, style: JSONStringStyle, special: (ByteBlock) -> ByteBlock.Matches
  ) {
    let sourceEnd = start + count
    var source = start
    // Blocks are written whole: there is room for what is left, both quotes, an escape, and the rest of a block.
    let reserve = ByteBlock.size + 4
    var place = room(for: count + reserve).storeByte(UInt8(ascii: "\""))
    while true {
      let left = sourceEnd - source
      let block =
        left >= ByteBlock.size
        ? ByteBlock(at: source) : ByteBlock(before: sourceEnd, count: left, start: start)
      block.store(at: place)
      let clean = min(ByteBlock.firstMatch(special(block)), left)
      source += clean
      place += clean
      if clean == ByteBlock.size { continue }
      if source == sourceEnd { break }
      if let letter = Self.escapeLetter(of: source.load(as: UInt8.self)) {
        place = place.storeByte(UInt8(ascii: "\\")).storeByte(letter)
        source += 1
        advance(to: place)
      } else {
        advance(to: place)
        source += appendSpecial(UnsafeRawBufferPointer(start: source, count: sourceEnd - source), style: style)
      }
      place = room(for: sourceEnd - source + reserve)
    }
    advance(to: place.storeByte(UInt8(ascii: "\"")))
  }

  /// The letter after the backslash, for a byte that has an escape of one letter in every style.
  @inline(__always) private static func escapeLetter(of byte: UInt8) -> UInt8? {
    guard byte < escapeLetters.utf8CodeUnitCount else { return nil }
    let letter = escapeLetters.utf8Start[Int(byte)]
    return letter == 0 ? nil : letter
  }

  /// Appends what `bytes` begin with, a byte that may need an escape or several multi-byte characters, and gives the
  /// number of bytes used.
  @inline(never)
  private func appendSpecial(_ bytes: UnsafeRawBufferPointer, style: JSONStringStyle) -> Int {
    if bytes[0] < 0x20 || bytes[0] == 0x7f {
      appendControl(bytes[0], style: style)
      return 1
    }
    var used = 0
    while used < bytes.count, bytes[used] >= 0x80 {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[used...])
      let sequence = UTF8Sequence(at: rest)
      let part = UnsafeRawBufferPointer(rebasing: rest[..<sequence.length])
      if !sequence.isValid {
        appendInvalid(part, style: style)
      } else if style.escapesObeyed, let unit = Self.obeyedUnit(part) {
        appendEscape(of: unit)
      } else {
        append(bytes: part)
      }
      used += sequence.length
    }
    return used
  }

  /// The UTF-16 of a multi-byte character that a terminal could interpret; all of them have one unit.
  @inline(__always)
  private static func obeyedUnit(_ bytes: UnsafeRawBufferPointer) -> UInt16? {
    // Most characters begin with another byte than those.
    let unit: UInt16
    switch bytes[0] {
    case 0xc2, 0xd8: unit = UInt16(bytes[0] & 0x1f) << 6 | UInt16(bytes[1] & 0x3f)
    case 0xe2: unit = 0x2000 | UInt16(bytes[1] & 0x3f) << 6 | UInt16(bytes[2] & 0x3f)
    default: return nil
    }
    return Unicode.Scalar(unit).map(\.isObeyed) == true ? unit : nil
  }

  private func appendEscape(of unit: UInt16) {
    append("\\u")
    advance(to: room(for: 4).storeHex(UInt64(unit) &<< 48, byteCount: 2))
  }

  private func appendInvalid(_ bytes: UnsafeRawBufferPointer, style: JSONStringStyle) {
    guard style == .lossless || style == .digested else {
      replacedByteCount += bytes.count
      return append("\u{FFFD}")
    }
    for byte in bytes {
      append("\\udc")
      advance(to: room(for: 2).storeHex(UInt64(byte) &<< 56, byteCount: 1))
    }
  }

  /// Appends a control character that has no escape of one letter.
  private func appendControl(_ byte: UInt8, style: JSONStringStyle) {
    guard style != .core else { return append(byte: byte) }
    appendEscape(of: UInt16(byte))
  }

  // MARK: - Dictionary keys of the reference engine

  /// Appends a dictionary's key as the reference engine does: between quotes without escapes, or as `B64"…"`, which is
  /// not JSON, if the key contains anything but letters, digits, multi-byte characters and a few signs.
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
    var index = plainPrefix(of: key)
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

  /// Number of plain bytes at the beginning, found eight at a time.
  private static func plainPrefix(of key: UnsafeRawBufferPointer) -> Int {
    guard let start = key.baseAddress else { return 0 }
    var count = 0
    while key.count - count >= 8 {
      let word = ByteWord(at: start + count)
      let odd = word.isBelow(0x20) | word.equals(UInt8(ascii: "\"")) | word.equals(UInt8(ascii: "\\"))
      if odd | word.equals(UInt8(ascii: "'")) | word.equals(0x7f) | word.isMultibyte != 0 { break }
      count += 8
    }
    return count
  }
}
