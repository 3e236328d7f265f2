import RealmStorage

extension JSONReader {
  /// Lends the bytes of the key, string or number that was read last. They are valid until the next token.
  @inlinable public func withText<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: textStart, count: textCount))
  }

  /// The bytes of the key, string or number that was read last, copied.
  public var text: RealmString { withText { RealmString($0) } }

  /// Whether the key, string or number that was read last is this text.
  @inlinable public func textEquals(_ literal: StaticString) -> Bool {
    guard textCount == literal.utf8CodeUnitCount else { return false }
    for index in 0..<textCount where (textStart + index).load(as: UInt8.self) != literal.utf8Start[index] {
      return false
    }
    return true
  }

  /// Whether the key, string or number that was read last has these bytes.
  @inlinable @inline(__always) package func textEquals(_ bytes: [UInt8]) -> Bool {
    guard textCount == bytes.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      for index in 0..<bytes.count where (textStart + index).load(as: UInt8.self) != bytes[index] { return false }
      return true
    }
  }

  // MARK: - Scanning

  /// Where a scan ended.
  private enum Stop {
    /// The closing quote, at this place.
    case quote(UnsafeRawPointer)
    /// Something that cannot be lent as it is: an escape, or invalid UTF-8 that must be replaced.
    case change(UnsafeRawPointer)
    /// A byte that the options do not allow: a control character, or one that is not UTF-8.
    case refused(UnsafeRawPointer)
    /// The end of what is in memory.
    case end
  }

  /// Reads the string whose opening quote is at the cursor.
  @inline(__always) func readString() throws(JSONError) {
    let first = window.cursor + 1
    if case .quote(let place) = scanText(from: first) {
      textStart = first
      textCount = place - first
      window.cursor = place + 1
    } else {
      try readLongString()
    }
  }

  /// Reads the string whose opening quote is at the cursor, with escapes or beyond what is in memory.
  @inline(never) private func readLongString() throws(JSONError) {
    while true {
      unescaped.removeAll()
      var place = window.cursor + 1
      var stop = scanText(from: place)
      while case .change(let changed) = stop {
        unescaped.append(bytes: UnsafeRawBufferPointer(start: place, count: changed - place))
        guard let next = try change(at: changed) else {
          stop = .end
          break
        }
        place = next
        stop = scanText(from: place)
      }
      switch stop {
      case .quote(let end): return finish(from: place, to: end)
      case .refused(let place):
        let byte = place.load(as: UInt8.self)
        throw malformed(byte < 0x20 ? .controlCharacter(byte) : .notUTF8(byte), at: place)
      case .change, .end:
        // Only at the end of the text is half an escape known to be incomplete.
        if window.isComplete { throw malformed(.unexpectedEnd(expected: .endOfString), at: window.end) }
        _ = try window.extend()
      }
    }
  }

  /// Appends the part from `place` to `end` to what was gathered before, as the text of the token.
  private func finish(from place: UnsafeRawPointer, to end: UnsafeRawPointer) {
    let rest = UnsafeRawBufferPointer(start: place, count: end - place)
    window.cursor = end + 1
    if unescaped.count == 0 {
      (textStart, textCount) = (place, rest.count)
    } else {
      unescaped.append(bytes: rest)
      lendUnescaped()
    }
  }

  func lendUnescaped() {
    unescaped.withBytes { bytes in
      textStart = bytes.baseAddress ?? textStart
      textCount = bytes.count
    }
  }

  /// Skips characters that can be lent as they are, eight bytes at a time while they are ASCII.
  @inline(__always) private func scanText(from start: UnsafeRawPointer) -> Stop {
    let keepsBytes = options.restoresBytes && !options.requiresUTF8
    let end = window.end
    var place = start
    while end - place >= 8 {
      let word = ByteWord(at: place)
      var found = word.isBelow(0x20) | word.equals(UInt8(ascii: "\"")) | word.equals(UInt8(ascii: "\\"))
      if !keepsBytes { found |= word.isMultibyte }
      if found == 0 {
        place += 8
        continue
      }
      place += ByteWord.firstMatch(found)
      if let stop = examine(&place) { return stop }
    }
    while place < end { if let stop = examine(&place) { return stop } }
    return .end
  }

  /// Looks at the character at `place`, and skips it if it can be lent.
  @inline(__always) private func examine(_ place: inout UnsafeRawPointer) -> Stop? {
    let byte = place.load(as: UInt8.self)
    switch byte {
    case UInt8(ascii: "\""): return .quote(place)
    case UInt8(ascii: "\\"): return .change(place)
    case 0..<0x20:
      if !options.acceptsCoreForms, !options.acceptsControlCharacters { return .refused(place) }
      place += 1
    case 0x80... where !options.restoresBytes || options.requiresUTF8:
      let left = window.end - place
      let sequence = UTF8Sequence(at: UnsafeRawBufferPointer(start: place, count: left))
      guard sequence.isValid else {
        let mayContinue = sequence.length == left && !window.isComplete
        return options.requiresUTF8 && !mayContinue ? .refused(place) : .change(place)
      }
      place += sequence.length
    default: place += 1
    }
    return nil
  }

  // MARK: - Escapes

  /// Appends what replaces the escape or the invalid bytes at `place`, and returns the place after them; nil if they
  /// may continue after what is in memory.
  private func change(at place: UnsafeRawPointer) throws(JSONError) -> UnsafeRawPointer? {
    let left = window.end - place
    if place.load(as: UInt8.self) != UInt8(ascii: "\\") {
      let sequence = UTF8Sequence(at: UnsafeRawBufferPointer(start: place, count: left))
      if sequence.length == left, !window.isComplete { return nil }
      unescaped.append("\u{FFFD}")
      return place + sequence.length
    }
    guard left >= 2 else { return nil }
    switch (place + 1).load(as: UInt8.self) {
    case UInt8(ascii: "\""): unescaped.append(byte: UInt8(ascii: "\""))
    case UInt8(ascii: "\\"): unescaped.append(byte: UInt8(ascii: "\\"))
    case UInt8(ascii: "/"): unescaped.append(byte: UInt8(ascii: "/"))
    case UInt8(ascii: "b"): unescaped.append(byte: 0x08)
    case UInt8(ascii: "f"): unescaped.append(byte: 0x0c)
    case UInt8(ascii: "n"): unescaped.append(byte: 0x0a)
    case UInt8(ascii: "r"): unescaped.append(byte: 0x0d)
    case UInt8(ascii: "t"): unescaped.append(byte: 0x09)
    case UInt8(ascii: "u"): return try changeNumbered(at: place)
    default: throw unexpected(at: place + 1, .escape)
    }
    return place + 2
  }

  /// `\uXXXX` at `place`, with the second half if it is the first half of a surrogate pair.
  private func changeNumbered(at place: UnsafeRawPointer) throws(JSONError) -> UnsafeRawPointer? {
    guard let unit = try codeUnit(at: place + 2) else { return nil }
    switch unit {
    case 0xd800...0xdbff:
      guard window.end - place >= 12 || window.isComplete else { return nil }
      guard let low = try lowSurrogate(at: place + 6) else { throw malformed(.loneSurrogate(unit), at: place) }
      unescaped.append(scalar: 0x10000 + (UInt32(unit) & 0x3ff) << 10 + UInt32(low) & 0x3ff)
      return place + 12
    case 0xdc80...0xdcff where options.restoresBytes:
      unescaped.append(byte: UInt8(truncatingIfNeeded: unit))
      return place + 6
    case 0xdc00...0xdfff: throw malformed(.loneSurrogate(unit), at: place)
    default:
      unescaped.append(scalar: UInt32(unit))
      return place + 6
    }
  }

  /// The low surrogate whose escape is at `place`, if there is one.
  private func lowSurrogate(at place: UnsafeRawPointer) throws(JSONError) -> UInt16? {
    guard window.end - place >= 6, place.load(as: UInt8.self) == UInt8(ascii: "\\"),
      (place + 1).load(as: UInt8.self) == UInt8(ascii: "u"), let unit = try codeUnit(at: place + 2),
      0xdc00...0xdfff ~= unit
    else { return nil }
    return unit
  }

  /// The four hexadecimal digits at `place`; nil if fewer are in memory.
  private func codeUnit(at place: UnsafeRawPointer) throws(JSONError) -> UInt16? {
    var unit: UInt16 = 0
    for index in 0..<4 {
      if place + index >= window.end { return nil }
      guard let digit = (place + index).load(as: UInt8.self).hexDigitValue else {
        throw unexpected(at: place + index, .hexDigit)
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  // MARK: - Forms of the reference engine

  /// Reads `B64"…"`, whose first letter is at the cursor.
  func readCoreKey() throws(JSONError) {
    guard try passWord("B64") else { throw unexpected(at: window.cursor, .key) }
    while window.cursor == window.end, try window.extend() {}
    guard window.cursor < window.end, window.cursor.load(as: UInt8.self) == UInt8(ascii: "\"") else {
      throw unexpected(at: window.cursor, .base64)
    }
    let before = window.location(ofByte: window.byteOffset)
    try readString()
    guard let bytes = withText({ Base64.decode($0) }) else {
      throw .malformed(.unexpectedByte(UInt8(ascii: "\""), expected: .base64), at: before)
    }
    unescaped.removeAll()
    bytes.withUnsafeBytes { unescaped.append(bytes: $0) }
    lendUnescaped()
  }
}
