import RealmStorage

private let base64Alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

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
  public func append(_ id: ObjectID) { advance(to: id.storeText(at: room(for: ObjectID.textLength))) }

  /// Appends the 36 characters of the UUID's text, lower case: 8, 4, 4, 4 and 12 hex digits.
  public func append(_ uuid: RealmUUID) { advance(to: uuid.storeText(at: room(for: RealmUUID.textLength))) }
}
