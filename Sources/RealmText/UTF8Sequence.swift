/// The UTF-8 sequence at some place whose first byte is 0x80 or more (Unicode 16, table 3-7).
package struct UTF8Sequence {
  /// Bytes of the character, or of the maximal part of one that is cut short or wrong; at least 1.
  let length: Int
  let isValid: Bool

  /// The offset of the first byte that is not part of a character.
  package static func firstInvalid(in bytes: UnsafeRawBufferPointer) -> Int? {
    var place = 0
    while place < bytes.count {
      if bytes[place] < 0x80 {
        place += 1
        continue
      }
      let sequence = UTF8Sequence(at: UnsafeRawBufferPointer(rebasing: bytes[place...]))
      guard sequence.isValid else { return place }
      place += sequence.length
    }
    return nil
  }

  @inline(__always) init(length: Int, isValid: Bool) {
    self.length = length
    self.isValid = isValid
  }

  /// `bytes` must not be empty.
  @inline(__always) init(at bytes: UnsafeRawBufferPointer) {
    let lead = bytes[0]
    let wanted: Int
    var second: ClosedRange<UInt8> = 0x80...0xbf
    switch lead {
    case 0xc2...0xdf: wanted = 2
    case 0xe0...0xef:
      wanted = 3
      if lead == 0xe0 { second = 0xa0...0xbf }
      if lead == 0xed { second = 0x80...0x9f }
    case 0xf0...0xf4:
      wanted = 4
      if lead == 0xf0 { second = 0x90...0xbf }
      if lead == 0xf4 { second = 0x80...0x8f }
    default:
      self.init(length: 1, isValid: false)
      return
    }
    guard bytes.count > 1, second.contains(bytes[1]) else {
      self.init(length: 1, isValid: false)
      return
    }
    var length = 2
    while length < wanted, length < bytes.count, bytes[length] & 0xc0 == 0x80 { length += 1 }
    self.init(length: length, isValid: length == wanted)
  }
}
