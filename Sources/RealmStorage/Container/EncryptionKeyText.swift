/// Reads the text forms of a key: 128 hex digits, Base64 of 64 bytes, or a JSON array of 64 numbers.
///
/// White space is ignored everywhere, not only around the text, because the usual tools break long lines (`base64`
/// after 76 characters, `xxd -p` after 60). Base64 may use either alphabet, with or without padding. The numbers may be
/// signed (-128 … 127, as Java prints bytes) or unsigned (0 … 255).
enum KeyText {
  /// - Throws: `KeyProblem.wrongLength` where the text is well-formed, `.malformed` where it is not.
  static func parse(_ text: UnsafeRawBufferPointer) throws -> EncryptionKey {
    let secret = try SecretBytes(capacity: EncryptionKey.size)
    guard let length = decode(text, into: secret) else { throw StorageError.key(.malformed) }
    guard length == EncryptionKey.size else { throw StorageError.key(.wrongLength(length)) }
    return EncryptionKey(secret: secret)
  }

  /// - Returns: bytes that the text stands for, of which `secret` has got what fits; nil for no form at all.
  private static func decode(_ text: UnsafeRawBufferPointer, into secret: SecretBytes) -> Int? {
    let characters = text.lazy.filter { !isWhiteSpace($0) }
    guard let first = characters.first else { return 0 }
    if first == UInt8(ascii: "[") { return decodeArray(text, into: secret) }
    // Digits and the letters a to f are Base64 as well, but 64 random bytes never look so.
    if characters.allSatisfy({ hexValue($0) != nil }) { return decodeHex(characters, into: secret) }
    return decodeBase64(characters, into: secret)
  }

  private static func decodeHex(_ characters: some Sequence<UInt8>, into secret: SecretBytes) -> Int? {
    var high: UInt8?
    var length = 0
    for character in characters {
      guard let value = hexValue(character) else { return nil }
      if let digit = high {
        _ = secret.append(digit << 4 | value)
        length += 1
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? length : nil
  }

  private static func decodeBase64(_ characters: some Sequence<UInt8>, into secret: SecretBytes) -> Int? {
    var (bits, bitCount, length, padding, digits) = (UInt32(0), 0, 0, 0, 0)
    for character in characters {
      if character == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = base64Value(character) else { return nil }
      bits = (bits << 6 | UInt32(value)) & 0xffff
      bitCount += 6
      digits += 1
      if bitCount >= 8 {
        bitCount -= 8
        _ = secret.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
        length += 1
      }
    }
    let isComplete = bits & ((1 << UInt32(bitCount)) - 1) == 0 && bitCount < 6
    return isComplete && (padding == 0 || (digits + padding) % 4 == 0 && padding < 3) ? length : nil
  }

  private static func decodeArray(_ text: UnsafeRawBufferPointer, into secret: SecretBytes) -> Int? {
    var cursor = ArrayCursor(text: text)
    guard cursor.skip("[") else { return nil }
    var length = 0
    repeat {
      guard let number = cursor.number() else { return nil }
      _ = secret.append(UInt8(truncatingIfNeeded: number))
      length += 1
    } while cursor.skip(",")
    return cursor.skip("]") && cursor.isAtEnd ? length : nil
  }

  /// Walks over a JSON array of numbers.
  private struct ArrayCursor {
    let text: UnsafeRawBufferPointer
    var position = 0

    var isAtEnd: Bool {
      mutating get {
        skipWhiteSpace()
        return position == text.count
      }
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      skipWhiteSpace()
      guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    /// An integer in -128 … 255 as JSON writes it: no plus sign, no leading zeros.
    mutating func number() -> Int? {
      let isNegative = skip("-")
      let start = position
      var value = 0
      while position < text.count, let digit = hexValue(text[position]), digit < 10, position - start < 4 {
        value = value * 10 + Int(digit)
        position += 1
      }
      let digits = position - start
      guard digits > 0, digits == 1 || text[start] != UInt8(ascii: "0") else { return nil }
      return value <= (isNegative ? 128 : 255) ? (isNegative ? -value : value) : nil
    }

    private mutating func skipWhiteSpace() {
      while position < text.count, isWhiteSpace(text[position]) { position += 1 }
    }
  }

  private static func isWhiteSpace(_ character: UInt8) -> Bool { character == 32 || (9...13).contains(character) }

  private static func hexValue(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func base64Value(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
