import RealmStorage

/// Makes texts up that look like others: which one takes the place of which is decided by a keyed hash.
struct FakeText {
  private let kind: FakeKind
  private let hash: KeyedHash
  /// Bytes of a made-up text at most: a long text becomes a shorter one.
  private static let mostBytes = 4096

  init(_ kind: FakeKind, _ key: RedactionKey) { (self.kind, hash) = (kind, key.hash(for: "fake \(kind.rawValue)")) }

  private static let mostTries = 16

  /// Another text than the one that it takes the place of; the empty text has no other where words are made up.
  func text(instead text: UnsafeRawBufferPointer) -> [UInt8] {
    var numbers = KeyedNumbers(hash.digest(text))
    var result = made(instead: text, &numbers)
    for _ in 1..<Self.mostTries where result.elementsEqual(text) { result = made(instead: text, &numbers) }
    return result
  }

  private func made(instead text: UnsafeRawBufferPointer, _ numbers: inout KeyedNumbers) -> [UInt8] {
    switch kind {
    case .name: name(instead: text, &numbers)
    case .email: email(&numbers)
    case .phone: phone(instead: text, &numbers)
    case .city: Self.pick(FakeWords.words(in: FakeScript(of: text)).cities, &numbers)
    case .text: sentence(instead: text, &numbers)
    }
  }

  private static func pick(_ words: [[UInt8]], _ numbers: inout KeyedNumbers) -> [UInt8] {
    words[numbers.below(words.count)]
  }

  /// One word where there was one, else two.
  private func name(instead text: UnsafeRawBufferPointer, _ numbers: inout KeyedNumbers) -> [UInt8] {
    let script = FakeScript(of: text)
    let words = FakeWords.words(in: script)
    let (given, family) = (Self.pick(words.given, &numbers), Self.pick(words.family, &numbers))
    guard text.contains(UInt8(ascii: " ")) || script == .han || script == .hangul else { return given }
    return script.putsFamilyFirst
      ? family + script.nameSeparator + given : given + script.nameSeparator + family
  }

  private static let domains = ["example.com", "example.net", "example.org"].map { Array($0.utf8) }

  /// At a domain that nobody can have.
  private func email(_ numbers: inout KeyedNumbers) -> [UInt8] {
    let words = FakeWords.words(in: .latin)
    var result: [UInt8] = []
    result.reserveCapacity(48)
    result += Self.pick(words.given, &numbers)
    result.append(UInt8(ascii: "."))
    result += Self.pick(words.family, &numbers)
    for index in result.indices where Self.capitals.contains(result[index]) { result[index] |= 0x20 }
    result += "\(numbers.below(9000) + 1000)@".utf8
    result += Self.pick(Self.domains, &numbers)
    return result
  }

  private static let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")

  /// Other digits in the same groups.
  private func phone(instead text: UnsafeRawBufferPointer, _ numbers: inout KeyedNumbers) -> [UInt8] {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let grouping: Set<UInt8> = Set("+-()./ ".utf8)
    guard text.count <= 64, text.count(where: digits.contains) >= 3,
      text.allSatisfy({ digits.contains($0) || grouping.contains($0) })
    else { return Array("+1 555 01\(numbers.below(90) + 10)".utf8) }
    return text.map { byte in
      guard digits.contains(byte) else { return byte }
      // What does not begin with zero still does not.
      return byte == UInt8(ascii: "0")
        ? UInt8(ascii: "0") + UInt8(numbers.below(10)) : UInt8(ascii: "1") + UInt8(numbers.below(9))
    }
  }

  /// Words of about the same length in all.
  private func sentence(instead text: UnsafeRawBufferPointer, _ numbers: inout KeyedNumbers) -> [UInt8] {
    guard !text.isEmpty else { return [] }
    let script = FakeScript(of: text)
    let words = FakeWords.words(in: script).words
    let separator = script.joinsWords ? [] : [UInt8(ascii: " ")]
    let length = min(text.count, Self.mostBytes)
    var result = Self.pick(words, &numbers)
    while result.count < length {
      let word = Self.pick(words, &numbers)
      guard result.count + separator.count + word.count <= length + 2 else { break }
      result += separator
      result += word
    }
    if let first = text.first, Self.capitals.contains(first), let letter = result.first, letter < 0x80 {
      result[0] = letter & ~0x20
    }
    return result
  }
}
