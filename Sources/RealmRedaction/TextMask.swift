/// Replaces each letter and digit of a text by a character of the same kind with the same number of bytes.
enum TextMask {
  private static let mostTries = 16

  /// A text that differs from the original if there is any other.
  static func masked(
    _ text: UnsafeRawBufferPointer, otherThan same: UnsafeRawBufferPointer, _ numbers: inout KeyedNumbers
  ) -> [UInt8] {
    var result = masked(text, &numbers)
    // A text without letters and digits has no other.
    for _ in 1..<mostTries where result.elementsEqual(same) { result = masked(text, &numbers) }
    return result
  }

  /// - Parameter text: UTF-8; of a byte that is not, another such byte takes the place.
  private static func masked(_ text: UnsafeRawBufferPointer, _ numbers: inout KeyedNumbers) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if text[index] < 0x80 {
        result.append(masked(text[index], &numbers))
        index += 1
        continue
      }
      let length = min(sequenceLength(text[index]), text.count - index)
      let isWhole = text[(index + 1)..<(index + length)].allSatisfy { $0 & 0xc0 == 0x80 }
      if length == 1 || !isWhole {
        result.append(masked(text[index], &numbers))
        index += 1
      } else {
        append(text[index..<(index + length)], &numbers, to: &result)
        index += length
      }
    }
    return result
  }

  private static func sequenceLength(_ byte: UInt8) -> Int {
    switch byte {
    case 0xc2...0xdf: 2
    case 0xe0...0xef: 3
    case 0xf0...0xf4: 4
    default: 1
    }
  }

  private static func masked(_ byte: UInt8, _ numbers: inout KeyedNumbers) -> UInt8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt8(ascii: "a") + UInt8(numbers.below(26))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(ascii: "A") + UInt8(numbers.below(26))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(ascii: "0") + UInt8(numbers.below(10))
    case 0x80...0xff: 0x80 + UInt8(numbers.below(64))
    default: byte
    }
  }

  /// A letter with as many bytes: Latin, a Chinese character or a picture.
  private static func append(
    _ letter: Slice<UnsafeRawBufferPointer>, _ numbers: inout KeyedNumbers, to result: inout [UInt8]
  ) {
    let value: UInt32 =
      switch letter.count {
      // À to Ö, for letters of any alphabet that are capitals.
      case 2 where isCapital(letter): 0xc0 + UInt32(numbers.below(23))
      // ß to ö, without the division sign.
      case 2: 0xdf + UInt32(numbers.below(24))
      case 3: 0x4e00 + UInt32(numbers.below(0x1000))
      default: 0x1f400 + UInt32(numbers.below(64))
      }
    if let bytes = Unicode.Scalar(value).flatMap(UTF8.encode) { result += bytes }
  }

  /// - Parameter letter: two bytes of UTF-8.
  private static func isCapital(_ letter: Slice<UnsafeRawBufferPointer>) -> Bool {
    let value = UInt32(letter[letter.startIndex] & 0x1f) << 6 | UInt32(letter[letter.startIndex + 1] & 0x3f)
    return Unicode.Scalar(value)?.properties.isUppercase ?? false
  }
}
