import RealmSystem

/// How a key was written.
package enum KeyForm: Hashable, Sendable {
  /// The bytes themselves. If all of them are hex digits, they may be half a key.
  case bytes(areHexDigits: Bool)
  case hexDigits
  case base64
  case numbers

  /// As the end of the sentence "the key was read as …".
  package var description: String {
    switch self {
    case .bytes(areHexDigits: false): "64 raw bytes"
    case .bytes(areHexDigits: true): "64 raw bytes, all of which are hex digits (a key in hex has 128)"
    case .hexDigits: "128 hex digits"
    case .base64: "Base64"
    case .numbers: "64 numbers"
    }
  }

  /// The form of a text that is not a whole key.
  fileprivate var word: String? {
    switch self {
    case .bytes: nil
    case .hexDigits: "hex digits"
    case .base64: "Base64"
    case .numbers: "numbers"
    }
  }
}

/// Reads the text forms of a key: 128 hex digits, Base64 of 64 bytes, or a list of 64 numbers.
///
/// White space is ignored everywhere, not only around the text, because the usual tools break long lines (`base64`
/// after 76 characters, `xxd -p` after 60). So are a byte order mark and quotes around the text; UTF-16, which some
/// editors and shells write, is also read. Hex digits may have `0x` in front or be pairs with `:` or `-` between them,
/// and may be inside `<…>`, as NSData prints them. Base64 may use either alphabet, with or without padding. Numbers are
/// inside `[…]`, `{…}` or `(…)`, or just separated by commas; they may be signed (-128 … 127, as Java prints bytes),
/// unsigned (0 … 255) or hexadecimal (`0xff`).
enum KeyText {
  /// - Throws: `KeyProblem.wrongLength` if the text is well-formed, `.malformed` if it is not.
  static func parse(_ text: UnsafeRawBufferPointer) throws(StorageError) -> EncryptionKey {
    guard let wide = WideText(text) else { return try key(of: text[...]) }
    let narrow = try SecretBytes.forKey(capacity: text.count / 2)
    guard wide.narrow(text, into: narrow) else { throw StorageError.key(.malformed) }
    return try narrow.withBytes { bytes throws(StorageError) in try key(of: bytes[...]) }
  }

  /// A text in UTF-16, by its byte order mark.
  private enum WideText {
    case littleEndian, bigEndian

    init?(_ text: UnsafeRawBufferPointer) {
      guard text.count >= 2, text.count.isMultiple(of: 2) else { return nil }
      switch (text[0], text[1]) {
      case (0xff, 0xfe): self = .littleEndian
      case (0xfe, 0xff): self = .bigEndian
      default: return nil
      }
    }

    /// - Returns: false if there are characters that no form of a key has.
    func narrow(_ text: UnsafeRawBufferPointer, into secret: SecretBytes) -> Bool {
      for index in stride(from: 2, to: text.count, by: 2) {
        let (low, high) = self == .littleEndian ? (text[index], text[index + 1]) : (text[index + 1], text[index])
        guard high == 0 else { return false }
        _ = secret.append(low)
      }
      return true
    }
  }

  private static func key(of text: Text) throws(StorageError) -> EncryptionKey {
    let secret = try SecretBytes.forKey(capacity: EncryptionKey.size)
    guard let (length, form) = decode(text, into: secret) else { throw StorageError.key(.malformed) }
    guard length == EncryptionKey.size else {
      // As many characters as a key has hex digits.
      let reason = form == .base64 && length == 96 ? ", because not all 128 characters are hex digits" : ""
      throw StorageError.key(.wrongLength(length, readAs: length == 0 ? nil : form.word.map { $0 + reason }))
    }
    return EncryptionKey(secret: secret, form: form)
  }

  /// A part of the text; of the caller's bytes, never a copy.
  private typealias Text = Slice<UnsafeRawBufferPointer>

  /// - Returns: number of bytes in the text, of which `secret` gets as many as fit; nil if it has none of the forms.
  private static func decode(_ text: Text, into secret: SecretBytes) -> (length: Int, form: KeyForm)? {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let text = unquoted(text.starts(with: mark) ? text.dropFirst(mark.count) : text)
    if let inner = inside(text, "<", ">") { return decodeHex(inner, into: secret).map { ($0, .hexDigits) } }
    if let inner = inside(text, "[", "]") { return decodeList(inner, into: secret).map { ($0, .numbers) } }
    if let inner = inside(text, "{", "}") ?? inside(text, "(", ")") ?? (text.contains(comma) ? text : nil) {
      return decodeList(inner, allowingPairs: true, into: secret).map { ($0, .numbers) }
    }
    // Digits and the letters a to f are also Base64, but 64 random bytes never look like that.
    if isHex(text) { return decodeHex(text, into: secret).map { ($0, .hexDigits) } }
    return decodeBase64(text, into: secret).map { ($0, .base64) }
  }

  // MARK: What stands around it

  private static let comma = UInt8(ascii: ",")

  /// Without white space and quotes on both sides.
  private static func unquoted(_ text: Text) -> Text {
    var text = trimmed(text)
    for quote in ["\"", "'", "`"] as [Unicode.Scalar] {
      while let inner = inside(text, quote, quote) { text = trimmed(inner) }
    }
    return text
  }

  private static func trimmed(_ text: Text) -> Text {
    var text = text.drop(while: isWhiteSpace)
    while let last = text.last, isWhiteSpace(last) { text.removeLast() }
    return text
  }

  /// The text between two given characters at its beginning and end; nil if they are not there.
  private static func inside(_ text: Text, _ start: Unicode.Scalar, _ end: Unicode.Scalar) -> Text? {
    guard text.count > 1, text.first == UInt8(ascii: start), text.last == UInt8(ascii: end) else { return nil }
    return text.dropFirst().dropLast()
  }

  // MARK: Hex digits

  /// Whether there are only hex digits, white space, `0x` in front and separators between pairs.
  private static func isHex(_ text: Text) -> Bool {
    digits(text).allSatisfy { $0.hexDigitValue != nil || isWhiteSpace($0) } || isPairs(text, ":") || isPairs(text, "-")
  }

  private static func digits(_ text: Text) -> Text {
    guard text.count > 2, text.first == UInt8(ascii: "0"),
      text.dropFirst().first.map({ $0 | 0x20 }) == UInt8(ascii: "x")
    else { return text }
    return text.dropFirst(2)
  }

  /// Whether it is `aa:bb:cc`. Base64 also has `-`, but never in these places.
  private static func isPairs(_ text: Text, _ separator: Unicode.Scalar) -> Bool {
    var place = 0
    for character in text where !isWhiteSpace(character) {
      let isSeparator = place % 3 == 2
      guard isSeparator ? character == UInt8(ascii: separator) : character.hexDigitValue != nil else { return false }
      place += 1
    }
    return place > 2 && place % 3 == 2
  }

  private static func decodeHex(_ text: Text, into secret: SecretBytes) -> Int? {
    let separators = [":", "-"].map { UInt8(ascii: $0) }
    let isSeparated = isPairs(text, ":") || isPairs(text, "-")
    var high: UInt8?
    var length = 0
    for character in digits(text) where !isWhiteSpace(character) {
      if isSeparated, separators.contains(character) { continue }
      guard let value = character.hexDigitValue else { return nil }
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

  // MARK: Base64

  private static func decodeBase64(_ text: Text, into secret: SecretBytes) -> Int? {
    var (bits, bitCount, length, padding, digits) = (UInt32(0), 0, 0, 0, 0)
    for character in text where !isWhiteSpace(character) {
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

  // MARK: Numbers

  /// - Parameter allowingPairs: whether pairs of hex digits without `0x` are allowed, if one of them is not a decimal
  ///   number.
  private static func decodeList(_ text: Text, allowingPairs: Bool = false, into secret: SecretBytes) -> Int? {
    let isDecimal = !allowingPairs || forEachNumber(text) { decimal($0) ?? hexadecimal($0) } != nil
    return forEachNumber(text) { word in
      let number = isDecimal ? decimal(word) ?? hexadecimal(word) : pair(word)
      if let number { _ = secret.append(number) }
      return number
    }
  }

  /// A comma after the last one is allowed, as in source code.
  ///
  /// - Parameter read: returns nil for anything that is not a number.
  /// - Returns: how many there are; nil if one of them is not a number.
  private static func forEachNumber(_ text: Text, _ read: (Text) -> UInt8?) -> Int? {
    var (rest, count) = (text, 0)
    while true {
      let end = rest.firstIndex(of: comma) ?? rest.endIndex
      guard read(trimmed(rest[rest.startIndex..<end])) != nil else { return nil }
      count += 1
      guard end < rest.endIndex else { return count }
      rest = rest[(end + 1)...]
      guard !trimmed(rest).isEmpty else { return count }
    }
  }

  /// An integer in -128 … 255 as JSON writes it: no plus sign, no leading zeros.
  private static func decimal(_ word: Text) -> UInt8? {
    let isNegative = word.first == UInt8(ascii: "-")
    let digits = isNegative ? word.dropFirst() : word
    guard 1...3 ~= digits.count, digits.count == 1 || digits.first != UInt8(ascii: "0") else { return nil }
    var value = 0
    for digit in digits {
      guard let digit = digit.hexDigitValue, digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value <= (isNegative ? 128 : 255) ? UInt8(truncatingIfNeeded: isNegative ? -value : value) : nil
  }

  /// `0x0`, `0xff`
  private static func hexadecimal(_ word: Text) -> UInt8? {
    let digits = digits(word)
    guard digits.count < word.count, digits.count <= 2 else { return nil }
    return digits.reduce(UInt8?.some(0)) { value, digit in
      guard let value, let digit = digit.hexDigitValue else { return nil }
      return value << 4 | digit
    }
  }

  private static func pair(_ word: Text) -> UInt8? {
    guard word.count == 2, let first = word.first?.hexDigitValue, let last = word.last?.hexDigitValue else {
      return nil
    }
    return first << 4 | last
  }

  // MARK: Characters

  private static func isWhiteSpace(_ character: UInt8) -> Bool { character == 32 || (9...13).contains(character) }

  /// Whether bytes look like half a key in hex.
  static func areHexDigits(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.allSatisfy { $0.hexDigitValue != nil } }

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
