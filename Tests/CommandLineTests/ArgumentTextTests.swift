import ArgumentParser
import RealmStorage
import RealmSystem
import TestSupport
import Testing

@testable import realmctl

/// Arguments that are not UTF-8: only names of files may be.
@Suite struct ArgumentTextTests {
  private static let bytes = SystemText.text(of: [0x61, 0xff, 0x62])

  /// A command line with `%` for such a text, and what is said; nil if it is taken.
  @Test(arguments: [
    (["migrate", "f", "--rename", "A.a=%", "--to-version", "2"], "--rename takes text in UTF-8, not 'A.a="),
    (["migrate", "f", "--rename=%=x", "--to-version", "2"], "--rename takes text in UTF-8, not '"),
    (["migrate", "f", "--set", "A.a=%", "--to-version", "2"], "--set takes text in UTF-8, not 'A.a="),
    (["migrate", "f", "--convert", "A.%=int", "--to-version", "2"], "--convert takes text in UTF-8, not 'A."),
    (["migrate", "f", "--delete-class", "%", "--to-version", "2"], "--delete-class takes text in UTF-8, not '"),
    (["query", "f", "A", "a == '%'"], "is not text in UTF-8"), (["query", "f", "%"], "is not text in UTF-8"),
    (["query", "f", "--", "A", "%"], "is not text in UTF-8"),
    (["export", "f", "--only", "%"], "--only takes text in UTF-8, not '"),
    (["export", "%", "-o", "%"], nil), (["export", "f", "--key-env", "%"], nil), (["query", "%", "A", "a == 1"], nil),
    (["migrate", "%", "--plan", "p%", "--to-version", "2", "--backup", "b%"], nil), (["diff", "%", "%"], nil),
    (["schema", "diff", "%", "%"], nil), (["plan", "new", "%", "--schema", "s%", "--to-version", "2"], nil),
    (["plan", "check", "%", "%"], nil),
    (["bundle", "%", "--seed", "s%"], nil), (["recover", "%", "-o", "o%", "--report", "r%", "--strings", "s%"], nil),
    (["write-copy", "%", "o%", "--out-key-file", "k%"], nil), (["compact", "%"], nil), (["open", "%"], nil),
    (["migrate", "--restore-backups", "%"], nil),
  ])
  func line(_ words: [String], _ problem: String?) throws {
    let arguments = words.map { $0.replacing("%", with: Self.bytes) }
    do {
      _ = try Realmctl.parse(all: arguments)
      #expect(problem == nil)
    } catch let error as UsageError {
      #expect(problem.map { error.problem.contains($0) } == true, "\(error.problem)")
    }
  }

  @Test func `the tool shows the bytes`() throws {
    let problem = "--set takes text in UTF-8, not '\(Self.bytes)'"
    let usage = UsageError(problem).explained(by: [], for: MigrateCommand.self)
    #expect(usage.text.hasPrefix(#"--set takes text in UTF-8, not 'a\xFFb'"#))
    #expect(usage.text.contains("Usage: realmctl migrate"))
  }

  /// Every option is known to take the name of a file or not, by the completion that it has.
  @Test func `options that take paths take any bytes`() {
    for command in RepeatedOptionTests.leaves() {
      let grammar = CommandGrammar(of: command)
      for name in grammar.longNames where ["--key-file", "--out-key-file", "--output", "--backup"].contains(name) {
        #expect(grammar.firstWithoutText(in: [name, Self.bytes]) == nil, "\(command) \(name)")
      }
    }
  }
}
