import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import realmctl

/// Work that visits the same objects repeatedly is limited, and a limit is not damage.
@Suite struct WorkLimitTests {
  private static let count = 500

  /// A department that lists its employees, each of whom links to it.
  private static func folder() throws -> InputFolder {
    let folder = try InputFolder()
    let schema = """
      [{"name":"Employee","primaryKey":"id","properties":{"id":"int","department":"Department"}},
      {"name":"Department","primaryKey":"id","properties":{"id":"int","employees":"Employee[]"}}]
      """
    let employees = (0..<count).map { #"{"id":\#($0),"department":1}"# }.joined(separator: ",")
    let keys = (0..<count).map(String.init).joined(separator: ",")
    try folder.write("schema.json", Array(schema.utf8))
    try folder.write(
      "data.json", Array(#"{"Employee":[\#(employees)],"Department":[{"id":1,"employees":[\#(keys)]}]}"#.utf8))
    let words = ["bundle", "--schema", "schema.json", "--data", "data.json", "--seed", "app.realm"]
    let outcome = try folder.run(words, creates: ["app.realm"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    return folder
  }

  @Test("links that lead to one object again and again are written inline") func inline() throws {
    let folder = try Self.folder()
    let outcome = try folder.run([
      "export", "app.realm", "--only", "Employee", "--links", "inline", "--format", "ndjson",
    ])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let lines = outcome.outputText.split(separator: "\n")
    #expect(lines.count == Self.count)
    let keys = (0..<Self.count).map(String.init).joined(separator: ",")
    let isWhole = lines.enumerated().allSatisfy { number, line in
      line == #"{"id":\#(number),"department":{"id":1,"employees":[\#(keys)]}}"#
    }
    #expect(isWhole)
  }

  @Test(
    "what would be more ends with the option that allows it, and leaves nothing behind",
    arguments: [
      ["export", "app.realm", "--links", "inline", "--work-limit", "64K"],
      ["export", "app.realm", "--links", "inline:3", "-o", "out.json", "--work-limit", "64K"],
      [
        "query", "app.realm", "Employee", "department.employees.department.employees.@sum.id == -1", "--work-limit",
        "500",
      ],
      [
        "query", "app.realm", "Employee", "department.employees.@count > 0", "--links", "inline", "--work-limit", "64K",
      ],
      [
        "query", "app.realm", "Employee", "SUBQUERY(department.employees, $x, $x.id < 0).@count == 9", "--count",
        "--work-limit", "500",
      ],
      [
        "export", "app.realm", "--only", "Employee", "--where", "department.employees.@sum.id == -1", "--work-limit",
        "500",
      ],
    ])
  func limit(_ words: [String]) throws {
    let folder = try Self.folder()
    let outcome = try folder.run(words)
    #expect(outcome.status == 2)
    let limit = words.last == "64K" ? "65536 bytes (64.0 KiB)" : "500 bytes"
    #expect(outcome.errors.contains("would read more than \(limit); raise --work-limit"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("damaged") && !outcome.errors.contains("recover"))
    #expect(try folder.run(["check", "app.realm"]).status == 0)
  }

  @Test("a limit is a number of bytes with a unit", arguments: ["1", "5000", "64k", "64KiB", "2g", "1TB"])
  func accepted(_ size: String) throws {
    let outcome = try Self.folder().run(["query", "app.realm", "Employee", "id == 3", "--count", "--work-limit", size])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(
    "units are powers of 1024 without B or with iB, and of 1000 with B",
    arguments: [
      ("5000", 5000), ("7b", 7), ("64K", 65536), ("64KiB", 65536), ("64KB", 64000), ("2g", 0x8000_0000),
      ("2GB", 2_000_000_000), ("1TiB", 0x100_0000_0000), ("1tb", 1_000_000_000_000),
    ])
  func units(_ text: String, _ byteCount: Int) {
    #expect(ByteLimit(argument: text)?.byteCount == byteCount)
  }

  @Test("and nothing else", arguments: ["", "k", "-1", "1.5G", "1X", "99999999999999999999", "9999999999T"])
  func refused(_ size: String) throws {
    #expect(try InputFolder().run(["query", "app.realm", "Employee", "--work-limit=\(size)"]).status == 64)
  }
}
