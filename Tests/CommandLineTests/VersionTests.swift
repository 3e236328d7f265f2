import RealmText
import TestSupport
import Testing

@testable import realmctl

/// `--version` says what the program is made of.
@Suite struct VersionTests {
  private static let libraries = ["OpenSSL", "SQLite", "libyaml", "ncurses", "glibc"]

  @Test func textNamesCommitBuildAndLibraries() throws {
    let lines = try Tool().run("-V").outputText.split(separator: "\n")
    #expect(lines.map { $0.prefix { $0 != " " } } == ["realmctl", "commit", "build", "libraries"])
    #expect(lines[0] == "realmctl \(Realmctl.version)")
    for name in Self.libraries { #expect(lines[3].contains(name + " "), "\(name)") }
  }

  @Test(arguments: [["--version", "--json"], ["--json", "-V"]]) func jsonHasTheSame(words: [String]) throws {
    let json = try JSONValue.parse(try Tool().run(words).output)
    #expect(try #require(JSONSchema.all["version"]).problems(with: json) == [])
    #expect(json["realmctl"]?.string == Realmctl.version)
    #expect(json["system"]?.string?.contains("-linux") == true)
    let versions = Self.libraries.compactMap { json["libraries"]?[$0]?.string }
    #expect(versions.count == Self.libraries.count)
    #expect(versions.allSatisfy { $0.wholeMatch(of: /\d+(\.\w+)+/) != nil }, "\(versions)")
  }

  @Test func withoutACommandNothingElseIsPrintedAsJSON() throws {
    #expect(try Tool().run("--json").status == 64)
    #expect(try Tool().run("--json", "--json").status == 64)
  }
}
