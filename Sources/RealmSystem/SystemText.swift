/// Names that the system knows as bytes, as text and back: paths, arguments, names of environment variables.
///
/// A file's name may be any bytes, and `String` is Unicode only. A byte that is not part of a character becomes a
/// scalar of its own, from a range that is reserved for that here (U+10FE80 to U+10FEFF, private use); so do the bytes
/// of a character in that range. The reverse conversion always gives the same bytes.
///
/// ```swift
/// let path = SystemText.text(of: [0x63, 0x61, 0x66, 0xe9])  // "caf" and a scalar for the byte 0xe9
/// SystemText.bytes(of: path)  // [0x63, 0x61, 0x66, 0xe9]
/// ```
package enum SystemText {
  private static let base: UInt32 = 0x10fe00
  private static let reserved: ClosedRange<UInt32> = (base + 0x80)...(base + 0xff)

  /// The byte of a scalar in that range; nil for a character.
  package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    reserved.contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  /// Whether a text contains bytes that are not part of a character.
  package static func hasBytes(_ text: String) -> Bool { text.unicodeScalars.contains { byte(of: $0) != nil } }

  /// The text for a name in the system's bytes.
  package static func text(of bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    let decoded = String(decoding: bytes, as: UTF8.self)
    // What is not UTF-8 was replaced.
    if !mayHoldReserved(bytes), decoded.utf8.elementsEqual(bytes) { return decoded }
    var text = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var (rest, position) = (bytes.makeIterator(), 0)
    func append(bytes count: Int) {
      for byte in bytes[position..<min(position + count, bytes.count)] {
        if let scalar = Unicode.Scalar(byte < 0x80 ? UInt32(byte) : base + UInt32(byte)) { text.append(scalar) }
      }
      position += count
    }
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        guard !reserved.contains(scalar.value) else {
          append(bytes: encoded.count)
          continue
        }
        text.append(scalar)
        position += encoded.count
      case .error(let length): append(bytes: length)
      case .emptyInput: return String(text)
      }
    }
  }

  /// The system's bytes for a text.
  package static func bytes(of text: String) -> [UInt8] {
    let utf8 = Array(text.utf8)
    guard mayHoldReserved(utf8) else { return utf8 }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if let byte = byte(of: scalar) { bytes.append(byte) } else { bytes += UTF8.encode(scalar).map(Array.init) ?? [] }
    }
    return bytes
  }

  /// Bytes of a C string.
  static func length(of text: UnsafePointer<CChar>) -> Int {
    var length = 0
    while text[length] != 0 { length += 1 }
    return length
  }

  /// Of a path: the folder with its slash, empty for the current one, and the name.
  package static func split(_ path: String) -> (folder: String, name: String) {
    // By bytes: as characters, a slash and a mark that follows it are one.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    let start = path.utf8.index(after: slash)
    return (String(decoding: path.utf8[..<start], as: UTF8.self), String(decoding: path.utf8[start...], as: UTF8.self))
  }

  /// All characters of the range begin with this byte, and hardly any other does.
  private static func mayHoldReserved(_ bytes: [UInt8]) -> Bool { bytes.contains(0xf4) }
}

/// A path for system calls. `String.withSystemPath` is the only way to make one, so that no unconverted text reaches a
/// call.
package struct SystemPath {
  /// Ends with a zero byte; valid in the closure that was given it.
  package let pointer: UnsafePointer<CChar>

  fileprivate init(_ pointer: UnsafePointer<CChar>) { self.pointer = pointer }
}

extension String {
  /// Lends the bytes of a path to a call of the system.
  package func withSystemPath<Result>(_ body: (SystemPath) -> Result) -> Result {
    var bytes = SystemText.bytes(of: self)
    bytes.append(0)
    return bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        // An array with a zero in it has an address.
        guard let address = characters.baseAddress else { return "".withCString { body(SystemPath($0)) } }
        return body(SystemPath(address))
      }
    }
  }

  /// Whether a path ends with these bytes. `hasSuffix` compares characters, and a combining mark may have merged with
  /// the first one.
  package func hasPathSuffix(_ suffix: String) -> Bool { utf8.reversed().starts(with: suffix.utf8.reversed()) }
}
