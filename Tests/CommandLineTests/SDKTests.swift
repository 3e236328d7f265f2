import Foundation
import TestSupport
import Testing

/// Every row of the tables of `Docs/SDK.md` that has a command ends and prints as it says.
@Suite struct SDKTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let line: Int
    let what: String
    let command: String
    let status: Int32
    let printed: [String]

    var testDescription: String { "\(line): \(what)" }
  }

  static let document =
    (try? String(contentsOf: Tool.projectFolder.appendingPathComponent("Docs/SDK.md"), encoding: .utf8)) ?? ""

  /// The commands that make the files of the rows.
  static let preparation: String = {
    let blocks = document.split(separator: "```console\n", omittingEmptySubsequences: false)
    let lines = blocks.dropFirst().first?.split(separator: "```", omittingEmptySubsequences: false).first ?? ""
    return lines.split(separator: "\n").map { String($0.dropFirst(2)) }.joined(separator: "\n")
  }()

  static let rows: [Row] = {
    var rows: [Row] = []
    var isTable = false
    for (index, line) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard line.hasPrefix("|") else {
        isTable = false
        continue
      }
      let cells = line.replacing("\\|", with: "\u{0}").split(separator: "|", omittingEmptySubsequences: false)
        .dropFirst().dropLast().map { $0.replacing("\u{0}", with: "|").trimmingCharacters(in: .whitespaces) }
      if cells.dropFirst().prefix(3) == ["Command", "Status", "Prints"] {
        isTable = true
      } else if isTable, cells.count >= 4, let status = Int32(cells[2]) {
        rows.append(
          Row(
            line: index + 1, what: cells[0], command: codes(in: cells[1]).joined(), status: status,
            printed: codes(in: cells[3])))
      }
    }
    return rows
  }()

  /// What stands between single or double backticks.
  private static func codes(in cell: String) -> [String] {
    let parts = cell.split(separator: cell.contains("``") ? "``" : "`", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  @Test func thereAreRows() {
    #expect(Self.rows.count >= 70)
    #expect(Self.rows.allSatisfy { !$0.command.isEmpty && !$0.printed.isEmpty && !$0.printed.contains("") })
    // A table of commands whose rows were not understood would be skipped.
    let lines = Self.document.split(separator: "\n").filter { $0.contains("| `realmctl ") }
    #expect(lines.count == Self.rows.filter { $0.command.hasPrefix("realmctl ") }.count)
  }

  @Test func theLibraryHasWhatItIsSaidToHave() throws {
    let modules = ["RealmStorage", "RealmQuery", "RealmOpening"]
    var declared = Set(modules.map { $0[...] })
    for module in modules {
      let folder = Tool.projectFolder.appendingPathComponent("Sources/\(module)")
      for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
          guard line.hasPrefix("public ") || line.hasPrefix("case ") else { continue }
          declared.formUnion(line.split { !$0.isLetter && !$0.isNumber })
        }
      }
    }
    var (names, isTable): ([Substring], Bool) = ([], false)
    for line in Self.document.split(separator: "\n", omittingEmptySubsequences: false) {
      isTable = line.hasPrefix("|") && (isTable || line.hasSuffix("| In the library |"))
      guard isTable, let cell = line.dropLast().split(separator: "|").last else { continue }
      names += Self.codes(in: String(cell)).flatMap { $0.prefix { $0 != "(" }.split(separator: ".") }
    }
    #expect(names.count > 100)
    #expect(names.filter { !declared.contains($0) } == [])
  }

  @Test(arguments: rows) func theTableTellsTheTruth(_ row: Row) throws {
    let folder = try TemporaryFolder()
    let shell = try ReadmeTests.shell(in: folder)
    let prepared = try shell.run("-c", "set -e\n" + Self.preparation)
    try #require(prepared.status == 0, "\(prepared.errors)")
    let outcome = try shell.run("-c", "exec 2>&1\n" + row.command)
    #expect(outcome.status == row.status, "\(outcome.outputText)")
    for text in row.printed { #expect(outcome.outputText.contains(text), "\(outcome.outputText)") }
    // What a command leaves is undamaged.
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    where name.hasSuffix(".realm") && !["cut.realm", "secret.realm", "copy.realm"].contains(name) {
      _ = try LeftRealm(folder.path(name))
    }
  }
}
