import ArgumentParser
import Foundation
import RealmHelp
import TestSupport
import Testing

@testable import realmctl

/// An option that may be given once says so when it is given twice; the parser would take the last.
@Suite struct RepeatedOptionTests {
  /// An option of a command that takes a value.
  struct Row: Sendable, CustomTestStringConvertible {
    let command: any ParsableCommand.Type
    let names: [String]
    let isRepeating: Bool
    var testDescription: String { "\(command) \(names)" }
  }

  static func leaves(of command: any ParsableCommand.Type = Realmctl.self) -> [any ParsableCommand.Type] {
    let children = command.configuration.subcommands
    return children.isEmpty ? [command] : children.flatMap { leaves(of: $0) }
  }

  static func options(of command: any ParsableCommand.Type) throws -> [Row] {
    let options = try CommandDescription(help: command._dumpHelp()).arguments.filter { $0.kind == .option }
    return options.map { Row(command: command, names: $0.names, isRepeating: $0.isRepeating) }
  }

  @Test func everyOptionOfEveryCommandIsEitherGivenOnceOrAddsUp() throws {
    var repeating: Set<String> = []
    var count = 0
    for row in try Self.leaves().flatMap(Self.options) {
      count += 1
      for first in row.names {
        for second in row.names {
          for arguments in [[first, "1", second, "2"], ["file", first, "1", "--json", second, "2"]] {
            let found = UsageError.late(in: arguments, of: row.command)
            let problem = row.isRepeating ? nil : "\(first) can be given only once"
            #expect(found?.problem == problem, "\(row.testDescription)")
          }
        }
      }
      if row.isRepeating { repeating.formUnion(row.names) }
    }
    #expect(count > 60)
    let plans: Set = ["--rename", "--convert", "--set", "--delete-class"]
    let queries: Set = ["--arg", "--sum", "--min", "--max", "--avg"]
    let imports: Set = ["--match", "--link", "--map", "--type", "--primary-key"]
    let edits: Set = ["--set", "--add", "--remove", "--unset", "--also"]
    #expect(
      repeating
        == plans.union(queries).union(imports).union(edits).union([
          "--only", "--exclude", "--data", "--expect", "--where", "--as",
        ]))
  }

  @Test(arguments: [
    (["bundle", "--seed", "a", "--seed=b"], "--seed"), (["export", "f", "-o", "a", "--output", "b"], "-o"),
    (["export", "f", "-qo", "a", "-o=b"], "-o"), (["export", "--format", "json", "f", "--format", "csv"], "--format"),
    (["export", "f", "--format=json", "--format=json"], "--format"),
    // Values, and words after `--`, are not options.
    (["export", "f", "--format", "json", "--", "--format"], nil), (["export", "f", "-o", "o", "--format", "csv"], nil),
    (["export", "f", "--json", "--json", "-q", "-q"], nil), (["export", "f", "--only", "A", "--only=B"], nil),
    (["export", "-", "-o", "-"], nil),
  ])
  func allWaysToWriteAnOptionCount(arguments: [String], name: String?) throws {
    let command = arguments[0] == "bundle" ? BundleCommand.self as any ParsableCommand.Type : ExportCommand.self
    let problem = name.map { "\($0) can be given only once" }
    #expect(UsageError.late(in: arguments, of: command)?.problem == problem)
  }

  @Test func theToolSaysItWithTheUsage() throws {
    for arguments in [
      ["bundle", "--seed", "a.realm", "--seed", "b.realm"], ["open", "x", "--key-env", "A", "--key-env", "B"],
      ["schema", "diff", "a", "b", "--key-file", "k", "--key-file", "l"],
      ["migrate", "x", "--schema", "a", "--to-version", "2", "--to-version", "3"],
    ] {
      let folder = try InputFolder()
      let outcome = try folder.run(arguments)
      #expect(outcome.status == 64)
      let option = try #require(arguments.last { $0.hasPrefix("--") })
      #expect(outcome.errors.hasPrefix("realmctl: \(option) can be given only once\nUsage: realmctl \(arguments[0])"))
      #expect(outcome.errors.contains(" --help' for more information."))
      let json = try folder.run(arguments + ["--json"])
      #expect(json.errors.contains(#""message":"\#(option) can be given only once""#))
    }
  }
}
