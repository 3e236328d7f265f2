import RealmStorage
import Testing

@testable import RealmExchange

/// Names of classes as parts of file names.
@Suite struct FileNameTests {
  @Test(arguments: [
    ("Dog", "Dog"), ("a b-c_1", "a b-c_1"), ("Größe", "Größe"), ("名前", "名前"), ("🐶", "🐶"), ("a.b", "a.b"),
    (".a", "%2Ea"), ("..", "%2E."), ("a/b", "a%2Fb"), ("a\\b", "a%5Cb"), ("100%", "100%25"), ("a\nb", "a%0Ab"),
    ("\u{1b}[31m", "%1B%5B31m"), ("a\u{9b}b", "a%C2%9Bb"), ("a\u{202e}b", "a%E2%80%AEb"), ("a\u{2028}", "a%E2%80%A8"),
    ("a\u{200b}b", "a%E2%80%8Bb"), ("", ""), ("\u{0}", "%00"),
  ])
  func nobodyMistakesAName(name: String, file: String) {
    #expect(FileName.part(for: RealmString(name)) == file)
  }

  @Test func bytesThatAreNotTextAreEscaped() {
    #expect(FileName.part(for: RealmString(utf8: [0x61, 0xff, 0x2e, 0xc3])) == "a%FF.%C3")
  }

  /// Different names have different files.
  @Test func noTwoNamesShareAFile() {
    let pieces = ["%", "%25", "25", ".", "/", "%2F", "2F", "\u{202e}", "%E2%80%AE", "é", "e\u{301}", " "]
    let names = pieces.flatMap { first in pieces.map { first + $0 } }
    let distinct = Set(names.map { Array($0.utf8) })
    #expect(Set(distinct.map { Array(FileName.part(for: RealmString(utf8: $0)).utf8) }).count == distinct.count)
  }
}
