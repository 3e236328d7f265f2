/// A place in a text.
public struct JSONLocation: Hashable, Sendable {
  /// From 1; lines end with a newline.
  public var line: Int
  /// From 1, in characters (Unicode scalars).
  public var column: Int
  /// From 0, in bytes.
  public var byteOffset: Int
}

/// What ended the reading of a JSON text.
public enum JSONError: Error {
  /// The text is not JSON, or exceeds the limits of the reader.
  case malformed(JSONFault, at: JSONLocation)
  /// The bytes could not be read; the error is that of the source.
  case input(any Error)
}

/// What is wrong with a JSON text.
public enum JSONFault: Hashable, Sendable {
  /// The text ends where something must follow.
  case unexpectedEnd(expected: JSONExpectation)
  /// A byte that is not allowed here.
  case unexpectedByte(UInt8, expected: JSONExpectation)
  /// A control character inside a string, which JSON requires to be escaped.
  case controlCharacter(UInt8)
  /// A byte that is not part of a character in UTF-8.
  case notUTF8(UInt8)
  /// The escape of a surrogate without the other one of its pair.
  case loneSurrogate(UInt16)
  /// A number with a leading 0 and another digit.
  case leadingZero
  /// Containers are nested deeper than the limit.
  case tooDeep(limit: Int)
  /// A string or number is longer than the limit, in bytes.
  case tooLong(limit: Int)
  /// An object has this key twice.
  case duplicateKey(String)
}

/// What is allowed at a place in a JSON text.
public enum JSONExpectation: String, Hashable, Sendable {
  case value = "a value"
  /// After a comma in an array.
  case nextElement = "another value"
  case valueOrEndOfArray = "a value or ']'"
  case keyOrEndOfObject = "a key or '}'"
  case key = "a key"
  case colon = "':'"
  case commaOrEndOfArray = "',' or ']'"
  case commaOrEndOfObject = "',' or '}'"
  case end = "nothing more"
  case digit = "a digit"
  case endOfString = "'\"'"
  case escape = "one of \"\\/bfnrtu"
  case hexDigit = "a hexadecimal digit"
  case base64 = "Base64"
}

extension JSONError: CustomStringConvertible {
  /// What is wrong, and where in the text.
  public var description: String {
    switch self {
    case .malformed(let fault, let location): "\(fault) (line \(location.line), column \(location.column))"
    case .input(let error): "\(error)"
    }
  }
}

extension JSONFault: CustomStringConvertible {
  /// What is wrong, in words for messages.
  public var description: String {
    switch self {
    case .unexpectedEnd(let expected): "unexpected end, expected \(expected.rawValue)"
    case .unexpectedByte(UInt8(ascii: "]"), .nextElement): "unexpected ',' before ']'"
    case .unexpectedByte(UInt8(ascii: "}"), .key): "unexpected ',' before '}'"
    case .unexpectedByte(let byte, let expected): "unexpected \(Self.name(of: byte)), expected \(expected.rawValue)"
    case .controlCharacter(let byte): "\(Self.name(of: byte)) in a string must be escaped"
    case .notUTF8(let byte): "\(Self.name(of: byte)) is not UTF-8; \(Self.conversion(of: byte))"
    case .loneSurrogate(let unit): "half a surrogate pair: \\u\(String(unit, radix: 16))"
    case .leadingZero: "a number must not begin with 0 and another digit"
    case .tooDeep(let limit): "nested more than \(limit) levels deep"
    case .tooLong(let limit): "a string or number of more than \(limit) bytes"
    case .duplicateKey(let key): "the key '\(ShownText.beginning(of: key))' appears twice in one object"
    }
  }

  /// How to convert a text to UTF-8 that has this byte where it cannot be.
  private static func conversion(of byte: UInt8) -> String {
    // Both bytes of the mark at the beginning of UTF-16 are rare in texts of one byte per character.
    let old = "iconv -f WINDOWS-1252 -t UTF-8"
    return "convert the file, for example with " + (byte >= 0xfe ? "iconv -f UTF-16 -t UTF-8 or " : "") + old
  }

  private static func name(of byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "'"): "\"'\""
    case 0x21...0x7e: "'\(Character(UnicodeScalar(byte)))'"
    case 0x20: "space"
    default: "byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
}
