import RealmStorage

private let base64Alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
private let hexAlphabet: StaticString = "0123456789abcdef"

extension UnsafeMutableRawPointer {
  /// Writes the hex digits of the top `byteCount` bytes of `value`, lower case, and returns the place after them.
  @inline(__always) func storeHex(_ value: UInt64, byteCount: Int) -> UnsafeMutableRawPointer {
    let digits = hexAlphabet.utf8Start
    var rest = value
    var place = self
    for _ in 0..<byteCount {
      let byte = Int(truncatingIfNeeded: rest &>> 56)
      place.storeBytes(of: digits[byte &>> 4], as: UInt8.self)
      (place + 1).storeBytes(of: digits[byte & 15], as: UInt8.self)
      place += 2
      rest &<<= 8
    }
    return place
  }
}

extension TextBuffer {
  /// Appends the bytes as Base64 (RFC 4648 §4), padded, in one line.
  public func appendBase64(_ bytes: UnsafeRawBufferPointer) {
    let alphabet = base64Alphabet.utf8Start
    var place = room(for: (bytes.count / 3 + 1) * 4)
    var index = 0
    while bytes.count - index >= 3 {
      let group = Self.base64Group(bytes[index], bytes[index + 1], bytes[index + 2])
      place.storeBytes(of: alphabet[group &>> 18], as: UInt8.self)
      (place + 1).storeBytes(of: alphabet[(group &>> 12) & 63], as: UInt8.self)
      (place + 2).storeBytes(of: alphabet[(group &>> 6) & 63], as: UInt8.self)
      (place + 3).storeBytes(of: alphabet[group & 63], as: UInt8.self)
      place += 4
      index += 3
    }
    let left = bytes.count - index
    if left > 0 {
      let group = Self.base64Group(bytes[index], left == 2 ? bytes[index + 1] : 0, 0)
      let padding = UInt8(ascii: "=")
      place = place.storeByte(alphabet[group &>> 18])
      place = place.storeByte(alphabet[(group &>> 12) & 63])
      place = place.storeByte(left == 2 ? alphabet[(group &>> 6) & 63] : padding)
      place = place.storeByte(padding)
    }
    advance(to: place)
  }

  @inline(__always) private static func base64Group(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int {
    Int(first) &<< 16 | Int(second) &<< 8 | Int(third)
  }

  /// Appends two lower-case hex digits for each byte.
  public func appendHex(_ bytes: UnsafeRawBufferPointer) {
    var place = room(for: bytes.count * 2)
    for byte in bytes { place = place.storeHex(UInt64(byte) &<< 56, byteCount: 1) }
    advance(to: place)
  }

  /// Appends the 24 lower-case hex digits of the id.
  public func append(_ id: ObjectID) {
    let place = room(for: 24).storeHex(id.head, byteCount: 8)
    advance(to: place.storeHex(UInt64(id.tail) &<< 32, byteCount: 4))
  }

  /// Appends the 36 characters of the UUID's text, lower case: 8, 4, 4, 4 and 12 hex digits.
  public func append(_ uuid: RealmUUID) {
    let dash = UInt8(ascii: "-")
    var place = room(for: 36).storeHex(uuid.head, byteCount: 4).storeByte(dash)
    place = place.storeHex(uuid.head &<< 32, byteCount: 2).storeByte(dash)
    place = place.storeHex(uuid.head &<< 48, byteCount: 2).storeByte(dash)
    place = place.storeHex(uuid.tail, byteCount: 2).storeByte(dash)
    advance(to: place.storeHex(uuid.tail &<< 16, byteCount: 6))
  }
}
