import Testing

@testable import RealmStorage

@Suite struct `Texts in texts` {
  @Test func `are found and replaced byte by byte`() {
    #expect("abcabd".contains(text: "abd") && !"abcab".contains(text: "abd") && "a".contains(text: ""))
    #expect("aXbXXc".replacing("X", by: "--") == "a--b----c")
    #expect("aaa".replacing("aa", by: "b") == "ba" && "a".replacing("b", by: "c") == "a")
    // An accent makes another character of a quote, but not another byte.
    #expect(Array("'\u{301}x".replacing("'", by: "''").utf8) == Array("''\u{301}x".utf8))
    #expect("äöü".dropFirst().replacing("ü", by: "") == "ö")
  }

  @Test func `bytes are text if they are UTF-8`() {
    #expect(String(utf8: Array("aé犬\u{0}".utf8)) == "aé犬\u{0}" && String(utf8: [UInt8]()) == "")
    // A replacement character in the file is text, one that stands for other bytes is not.
    #expect(String(utf8: Array("\u{fffd}".utf8)) == "\u{fffd}")
    for bytes: [UInt8] in [
      [0xff], [0xc3], [0xed, 0xa0, 0x80], [0xe2, 0x82, 0x41], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0x80],
    ] {
      #expect(String(utf8: bytes) == nil && String(utf8: bytes[...]) == nil, "\(bytes)")
    }
  }
}
