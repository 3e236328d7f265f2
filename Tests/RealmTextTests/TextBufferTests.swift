import RealmStorage
import Testing

@testable import RealmText

/// The bytes that `write` appends to an empty buffer.
func bytes(_ write: (TextBuffer) -> Void) -> [UInt8] {
  let buffer = TextBuffer(capacity: 0)
  write(buffer)
  return buffer.withBytes { Array($0) }
}

/// The text that `write` appends to an empty buffer.
func text(_ write: (TextBuffer) -> Void) -> String { TextBuffer.string(write) }

@Suite("A text buffer")
struct TextBufferTests {
  @Test func growsAndKeepsWhatItHolds() {
    let buffer = TextBuffer(capacity: 1)
    var expected: [UInt8] = []
    for number in 0..<5000 {
      buffer.append(integer: Int64(number))
      buffer.append(", ")
      expected += Array("\(number), ".utf8)
    }
    #expect(buffer.withBytes { Array($0) } == expected)
    #expect(buffer.count == expected.count)
  }

  @Test func isCutWhereAskedAndNowhereElse() {
    let buffer = TextBuffer()
    buffer.append("abcdef")
    for (count, expected) in [(9, "abcdef"), (-1, "abcdef"), (6, "abcdef"), (4, "abcd"), (0, "")] {
      buffer.truncate(to: count)
      #expect(buffer.withBytes { String(decoding: $0, as: UTF8.self) } == expected)
    }
  }

  @Test(arguments: [true, false]) func isEmptiedAndFilledAgain(keepingCapacity: Bool) {
    let buffer = TextBuffer(capacity: 5000)
    buffer.append("before")
    buffer.removeAll(keepingCapacity: keepingCapacity)
    #expect(buffer.count == 0)
    #expect(buffer.capacity == (keepingCapacity ? 5000 : 64))
    buffer.append("after")
    #expect(buffer.withBytes { String(decoding: $0, as: UTF8.self) } == "after")
  }

  @Test func takesEveryKindOfText() {
    let raw: [UInt8] = [0xff, 0, 0x41]
    #expect(bytes { $0.append(RealmString(utf8: raw)) } == raw)
    #expect(bytes { buffer in raw.withUnsafeBytes { buffer.append(bytes: $0) } } == raw)
    #expect(bytes { $0.append(bytes: UnsafeRawBufferPointer(start: nil, count: 0)) } == [])
    let string: String = "Zürich €"
    #expect(text { $0.append(string) } == string)
    #expect(text { $0.append("Zürich €") } == string)
    #expect(text { $0.append("x") } == "x")
    #expect(bytes { $0.append(byte: 0x80) } == [0x80])
  }

  @Test func writesIntegersAsSwiftDoes() {
    var signed: [Int64] = [0, 1, -1, .max, .min, .min + 1]
    var unsigned: [UInt64] = [.max, .max - 1]
    var power: UInt64 = 1
    while power < 10_000_000_000_000_000_000 {
      unsigned += [power - 1, power, power + 1]
      power *= 10
    }
    unsigned += (0..<64).flatMap { [1 << $0, (1 << $0) - 1] }
    signed += unsigned.flatMap { [Int64(truncatingIfNeeded: $0), 0 &- Int64(truncatingIfNeeded: $0)] }
    for value in unsigned { #expect(text { $0.append(integer: value) } == String(value)) }
    for value in signed { #expect(text { $0.append(integer: value) } == String(value)) }
  }
}
