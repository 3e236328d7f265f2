import Libc
import RealmStorage
import TestSupport
import Testing

@testable import RealmText

@Suite("Strings as JSON text")
struct JSONStringTextTests {
  struct Row: Sendable {
    var raw: [UInt8]
    var core: [UInt8]
    var standard: String
    var lossless: String

    init(_ raw: [UInt8], core: [UInt8], standard: String, lossless: String? = nil) {
      self.raw = raw
      self.core = core
      self.standard = standard
      self.lossless = lossless ?? standard
    }

    /// Valid text: the same for `standard` and `lossless`.
    init(_ raw: String, core: String, standard: String? = nil) {
      self.init(Array(raw.utf8), core: Array(core.utf8), standard: standard ?? core)
    }
  }

  static let rows: [Row] = [
    Row("", core: "\"\""),
    Row("plain", core: "\"plain\""),
    Row("exactly8", core: "\"exactly8\""),
    Row("twenty bytes of text", core: "\"twenty bytes of text\""),
    Row("a\"b\\c/d", core: #""a\"b\\c/d""#),
    Row("\u{8}\t\n\u{c}\r", core: #""\b\t\n\f\r""#),
    Row("\u{0}\u{1f}\u{7f}", core: "\"\u{0}\u{1f}\u{7f}\"", standard: "\"\\u0000\\u001f\\u007f\""),
    Row(
      "é\u{80}\u{9f}\u{a0}\u{61c}\u{61d}\u{200d}\u{200e}\u{200f}\u{2027}\u{2028}\u{2029}\u{202a}\u{202e}\u{202f}\u{2065}\u{2066}",
      core:
        "\"é\u{80}\u{9f}\u{a0}\u{61c}\u{61d}\u{200d}\u{200e}\u{200f}\u{2027}\u{2028}\u{2029}\u{202a}\u{202e}\u{202f}\u{2065}\u{2066}\"",
      standard:
        "\"é\\u0080\\u009f\u{a0}\\u061c\u{61d}\u{200d}\\u200e\\u200f\u{2027}\\u2028\\u2029\\u202a\\u202e\u{202f}\u{2065}\\u2066\""
    ),
    Row("Zürich € 😀 漢字 and more", core: "\"Zürich € 😀 漢字 and more\""),
    Row([0xff], core: [0x22, 0xff, 0x22], standard: "\"\u{fffd}\"", lossless: #""\udcff""#),
    // A character cut short is one replacement, but each of its bytes is kept by the lossless form.
    Row(
      [0x61, 0xe2, 0x82], core: [0x22, 0x61, 0xe2, 0x82, 0x22], standard: "\"a\u{fffd}\"",
      lossless: #""a\udce2\udc82""#),
    // A surrogate in UTF-8 is three mistakes.
    Row(
      [0xed, 0xb2, 0x80], core: [0x22, 0xed, 0xb2, 0x80, 0x22], standard: "\"\u{fffd}\u{fffd}\u{fffd}\"",
      lossless: #""\udced\udcb2\udc80""#),
    // Overlong forms and numbers beyond U+10FFFF.
    Row(
      [0xc0, 0x80, 0xf4, 0x90, 0x80, 0x80], core: [0x22, 0xc0, 0x80, 0xf4, 0x90, 0x80, 0x80, 0x22],
      standard: "\"" + String(repeating: "\u{fffd}", count: 6) + "\"",
      lossless: #""\udcc0\udc80\udcf4\udc90\udc80\udc80""#),
  ]

  @Test(arguments: rows) func haveThreeStyles(row: Row) {
    let text = RealmString(utf8: row.raw)
    #expect(bytes { $0.appendJSON(text, style: .core) } == row.core)
    #expect(String(decoding: bytes { $0.appendJSON(text, style: .standard) }, as: UTF8.self) == row.standard)
    #expect(String(decoding: bytes { $0.appendJSON(text, style: .lossless) }, as: UTF8.self) == row.lossless)
  }

  @Test func areEscapedAtEveryPosition() {
    for length in 1...40 {
      for position in 0..<length {
        var raw = [UInt8](repeating: UInt8(ascii: "x"), count: length)
        raw[position] = 0x0a
        let expected = String(decoding: raw, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let text = RealmString(utf8: raw)
        for style in [JSONStringStyle.core, .standard, .lossless] {
          #expect(bytes { $0.appendJSON(text, style: style) } == Array("\"\(expected.joined(separator: "\\n"))\"".utf8))
        }
      }
    }
  }

  /// Byte by byte, as the engine writes them.
  private static func coreModel(_ raw: [UInt8]) -> [UInt8] {
    let letters: [UInt8: Character] = [8: "b", 9: "t", 10: "n", 12: "f", 13: "r", 0x22: "\"", 0x5c: "\\"]
    let inner = raw.flatMap { (byte: UInt8) -> [UInt8] in
      guard let letter = letters[byte] else { return [byte] }
      return Array("\\\(letter)".utf8)
    }
    return [0x22] + inner + [0x22]
  }

  @Test func areWhatAPlainModelMakesOfThem() {
    var seed = SeededGenerator(seed: 11)
    // Few special bytes, many, and nothing else.
    let alphabets = [
      Array("abcdefghijklmnopqrstuvwxyz\n\"".utf8), Array("ab\u{0}\u{1f} \"\\\t\u{7f}é".utf8), Array("\"\\\n\r".utf8),
    ]
    for round in 0..<3000 {
      let alphabet = alphabets[round % 3]
      let raw = (0..<Int.random(in: 0...70, using: &seed)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &seed)]
      }
      let text = RealmString(utf8: raw)
      #expect(bytes { $0.appendJSON(text, style: .core) } == Self.coreModel(raw))
      let controls: [UInt8: String] = [0: "\\u0000", 0x1f: "\\u001f", 0x7f: "\\u007f"]
      let standard = Self.coreModel(Array(String(decoding: raw, as: UTF8.self).utf8)).flatMap { byte in
        controls[byte].map { Array($0.utf8) } ?? [byte]
      }
      #expect(bytes { $0.appendJSON(text, style: .standard) } == standard)
    }
  }

  /// The mapping may end directly after the bytes of a text.
  @Test func areNotReadBeyondTheirEnds() throws {
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    let pages = try #require(mmap(nil, 3 * pageSize, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0))
    defer { munmap(pages, 3 * pageSize) }
    let page = pages + pageSize
    #expect(mprotect(page, pageSize, PROT_READ | PROT_WRITE) == 0)
    memset(page, Int32(UInt8(ascii: "x")), pageSize)
    for length in 0...40 {
      let expected = Array("\"\(String(repeating: "x", count: length))\"".utf8)
      for place in [page, page + pageSize - length] {
        #expect(
          bytes { $0.appendJSON(UnsafeRawBufferPointer(start: place, count: length), style: .lossless) } == expected)
      }
    }
  }

  @Test func readInvalidBytesAsSwiftDoes() {
    var seed = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let raw = (0..<Int.random(in: 0...12, using: &seed)).map { _ in UInt8.random(in: 0x61...0xff, using: &seed) }
      let expected = String(decoding: raw, as: UTF8.self).unicodeScalars.map { scalar in
        let digits = String(scalar.value, radix: 16)
        return scalar.isObeyed ? "\\u" + String(repeating: "0", count: 4 - digits.count) + digits : String(scalar)
      }.joined()
      #expect(text { $0.appendJSON(RealmString(utf8: raw), style: .standard) } == "\"\(expected)\"")
    }
  }

  @Test(arguments: [
    ("plain", "\"plain\""), ("", "\"\""), ("a/b", "\"a/b\""), ("ÄÖÜ", "\"ÄÖÜ\""), ("emoji 😀", "\"emoji 😀\""),
    ("percent%", "\"percent%\""), ("zz~", "\"zz~\""), ("apostrophe'", "B64\"YXBvc3Ryb3BoZSc=\""),
    ("back\\slash", "B64\"YmFja1xzbGFzaA==\""), ("new\nline", "B64\"bmV3CmxpbmU=\""),
    ("quote\"inside", "B64\"cXVvdGUiaW5zaWRl\""), ("tab\there", "B64\"dGFiCWhlcmU=\""), ("\u{0}", "B64\"AA==\""),
    ("\u{7f}", "B64\"fw==\""), (" {|}~:;<=>?@!#$%&()*+,-./[]^_`", "\" {|}~:;<=>?@!#$%&()*+,-./[]^_`\""),
  ]) func asDictionaryKeysOfTheEngine(key: String, expected: String) {
    #expect(text { buffer in Array(key.utf8).withUnsafeBytes { buffer.appendCoreKey($0) } } == expected)
  }

  @Test func asDictionaryKeysOfTheEngineNeedOnlyLookLikeUTF8() {
    let rows: [([UInt8], [UInt8])] = [
      ([0xc3, 0xff], [0x22, 0xc3, 0xff, 0x22]),
      ([0xfd, 0x80, 0x80, 0x80, 0x80, 0x80], [0x22, 0xfd, 0x80, 0x80, 0x80, 0x80, 0x80, 0x22]),
      ([0x80], Array("B64\"gA==\"".utf8)),
      ([0xfe], Array("B64\"/g==\"".utf8)),
      ([0xe2, 0x82], Array("B64\"4oI=\"".utf8)),
      ([0xe2, 0x82, 0x41], Array("B64\"4oJB\"".utf8)),
    ]
    for (key, expected) in rows {
      #expect(bytes { buffer in key.withUnsafeBytes { buffer.appendCoreKey($0) } } == expected)
    }
  }
}
