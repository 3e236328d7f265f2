import RealmStorage

/// Invents texts that look like others: a keyed hash decides which one replaces which. Used by one thread.
final class FakeText {
  private let kind: FakeKind
  private let hash: KeyedHash
  /// The text that is made, in the memory of the one before.
  private var result: [UInt8] = []
  /// The maximum number of bytes of an invented text: a longer text becomes shorter.
  private static let mostBytes = 4096

  init(_ kind: FakeKind, _ key: RedactionKey) { (self.kind, hash) = (kind, key.hash(for: "fake \(kind.rawValue)")) }

  private static let mostTries = 16

  /// A text that differs from the one it replaces; the empty text stays if words are invented.
  func text(instead text: UnsafeRawBufferPointer, in arena: ByteArena) -> BlobView {
    var numbers = KeyedNumbers(hash.digest(text))
    make(instead: text, &numbers)
    for _ in 1..<Self.mostTries where result.elementsEqual(text) { make(instead: text, &numbers) }
    return RedactedScalars.copied(result, in: arena)
  }

  private func make(instead text: UnsafeRawBufferPointer, _ numbers: inout KeyedNumbers) {
    result.removeAll(keepingCapacity: true)
    switch kind {
    case .name: makeName(instead: text, &numbers)
    case .email: makeEmail(&numbers)
    case .phone: makePhone(instead: text, &numbers)
    case .city: result += Self.pick(FakeWords.words(in: FakeScript(of: text)).cities, &numbers)
    case .text: makeSentence(instead: text, &numbers)
    }
  }

  private static let space = UInt8(ascii: " ")

  @inline(__always)
  private static func pick(_ words: WordList, _ numbers: inout KeyedNumbers) -> UnsafeRawBufferPointer {
    words[numbers.below(words.count)]
  }

  /// One word for one word, otherwise two.
  private func makeName(instead text: UnsafeRawBufferPointer, _ numbers: inout KeyedNumbers) {
    let script = FakeScript(of: text)
    let words = FakeWords.words(in: script)
    let (given, family) = (Self.pick(words.given, &numbers), Self.pick(words.family, &numbers))
    guard text.contains(Self.space) || !script.separatesNames else { return result += given }
    result += script.putsFamilyFirst ? family : given
    if script.separatesNames { result.append(Self.space) }
    result += script.putsFamilyFirst ? given : family
  }

  private static let domains: [StaticString] = ["@example.com", "@example.net", "@example.org"]

  /// An address at a domain that nobody can own.
  private func makeEmail(_ numbers: inout KeyedNumbers) {
    let words = FakeWords.words(in: .latin)
    result += Self.pick(words.given, &numbers)
    result.append(UInt8(ascii: "."))
    result += Self.pick(words.family, &numbers)
    for index in result.indices where Self.capitals.contains(result[index]) { result[index] |= 0x20 }
    var number = numbers.below(9000) + 1000
    for place in [1000, 100, 10, 1] {
      result.append(UInt8(ascii: "0") + UInt8(number / place))
      number %= place
    }
    Self.domains[numbers.below(Self.domains.count)].withUTF8Buffer { result += $0 }
  }

  private static let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  private static func isGrouping(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "."),
      UInt8(ascii: "/"), space:
      true
    default: false
    }
  }

  /// Other digits in the same groups.
  private func makePhone(instead text: UnsafeRawBufferPointer, _ numbers: inout KeyedNumbers) {
    guard text.count <= 64, text.count(where: Self.digits.contains) >= 3,
      text.allSatisfy({ Self.digits.contains($0) || Self.isGrouping($0) })
    else { return result += "+1 555 01\(numbers.below(90) + 10)".utf8 }
    for byte in text {
      guard Self.digits.contains(byte) else {
        result.append(byte)
        continue
      }
      // A number that does not begin with zero still does not.
      result.append(
        byte == UInt8(ascii: "0")
          ? UInt8(ascii: "0") + UInt8(numbers.below(10)) : UInt8(ascii: "1") + UInt8(numbers.below(9)))
    }
  }

  /// Words with about the same length in total.
  private func makeSentence(instead text: UnsafeRawBufferPointer, _ numbers: inout KeyedNumbers) {
    guard !text.isEmpty else { return }
    let script = FakeScript(of: text)
    let words = FakeWords.words(in: script).words
    let separatorCount = script.joinsWords ? 0 : 1
    let length = min(text.count, Self.mostBytes)
    result += Self.pick(words, &numbers)
    while result.count < length {
      let word = Self.pick(words, &numbers)
      guard result.count + separatorCount + word.count <= length + 2 else { break }
      if separatorCount > 0 { result.append(Self.space) }
      result += word
    }
    if let first = text.first, Self.capitals.contains(first), let letter = result.first, letter < 0x80 {
      result[0] = letter & ~0x20
    }
  }
}
