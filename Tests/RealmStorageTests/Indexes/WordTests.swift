import Testing

@testable import RealmStorage

/// The words of a full-text index (Docs/Format/3-tables-and-objects.md §6.7).
@Suite struct WordTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let text: String
    let words: [String]
    var testDescription: String { text }
  }

  static let rows = [
    Row(text: "", words: []),
    Row(text: "Hello, World", words: ["hello", "world"]),
    Row(text: "a1-B2_c3", words: ["a1", "b2", "c3"]),
    Row(text: "CAFÉ Ærø straße Þór", words: ["cafe", "ærø", "straße", "þor"]),
    Row(text: "a×b × c÷", words: ["ab", "", "c"]),
    Row(text: "ÿes日本no", words: ["es", "no"]),
    Row(text: "twice Twice", words: ["twice"]),
    Row(text: String(repeating: "x", count: 70), words: [String(repeating: "x", count: 64)]),
    Row(text: String(repeating: "x", count: 63) + "øy", words: [String(repeating: "x", count: 63) + "y"]),
  ]

  @Test("is cut into words", arguments: rows)
  func words(_ row: Row) {
    let words = Array(row.text.utf8).withUnsafeBytes { TextWords.words(in: $0) }
    #expect(words == Set(row.words.map { Array($0.utf8) }))
  }

  @Test func `stray bytes separate, and a cut sequence goes on in the zero behind the text`() {
    let bytes: [UInt8] = [0x61, 0xa9, 0x62, 0xe2, 0x61, 0x61, 0x63, 0xf8, 0x64, 0xc3]
    let words = bytes.withUnsafeBytes { TextWords.words(in: $0) }
    #expect(words == Set(["a", "b", "c", "da"].map { Array($0.utf8) }))
  }
}
