import Foundation
import RealmStorage
import TestSupport
import Testing

/// Every command on realms of formats 2 to 9, and messages about still older files.
@Suite("realms of formats 2 to 9") struct LegacyTests {
  private func folder(_ format: UInt8) throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("app.realm", LegacyRealm.everything(format: format).bytes())
    return folder
  }

  @Test("are read by every command", arguments: UInt8(2)...9)
  func reading(_ format: UInt8) throws {
    let folder = try folder(format)
    let opened = try folder.run(["open", "app.realm"])
    #expect(opened.status == 0 && opened.outputText.contains("Parent"))
    // What is not shown as it is, is said.
    #expect(opened.errors.contains("'pairs' of 'Item' has subtables of several columns"))
    #expect(try folder.run(["schema", "dump", "app.realm"]).status == 0)
    for form in ["json", "ndjson", "typed", "typed-ndjson", "core", "core-xjson", "core-xjson+"] {
      let outcome = try folder.run(["export", "app.realm", "--format", form])
      #expect(outcome.status == 0 && outcome.output.count > 1000, "\(form)")
    }
    for form in ["csv", "tsv"] {
      let outcome = try folder.run(["export", "app.realm", "--format", form, "--only", "Parent"])
      #expect(outcome.status == 0 && outcome.outputText.contains("one"), "\(form)")
    }
    let found = try folder.run(["query", "app.realm", "Parent", "--keys"])
    #expect(found.status == 0 && !found.output.isEmpty)
    let saved = try folder.run(["recover", "app.realm", "-o", "saved.realm"], creates: ["saved.realm"])
    #expect(saved.status == 0)
    let typed = ["--format", "typed"]
    #expect(
      try folder.run(["export", "saved.realm"] + typed).output == folder.run(["export", "app.realm"] + typed).output)
    let check = try folder.run(["check", "app.realm"])
    #expect(check.status == 0 && check.outputText.contains("2 notes; format \(format)"))
  }

  @Test("with a damaged root are not sent from recover to recover") func damagedRoot() throws {
    let folder = try InputFolder()
    var bytes = LegacyRealm.everything(format: 9).bytes()
    let root = Int(bytes[0]) | Int(bytes[1]) << 8
    bytes.replaceSubrange(root..<root + 8, with: Array(repeating: 0, count: 8))
    try folder.write("app.realm", bytes)
    let outcome = try folder.run(["recover", "app.realm", "-o", "saved.realm"])
    #expect(outcome.status == 2 && outcome.errors.contains("are read from there; use a backup"))
    #expect(!outcome.errors.contains("'recover'"))
    for command in ["check", "open", "export", "hash"] {
      let outcome = try folder.run([command, "app.realm"])
      #expect(!outcome.errors.contains("'recover'") && !outcome.outputText.contains("'recover'"), "\(command)")
      #expect((outcome.errors + outcome.outputText).contains("use a backup"), "\(command)")
    }
  }

  @Test("are copied, upgraded and migrated to the same content in format 24", arguments: UInt8(2)...9)
  func writing(_ format: UInt8) throws {
    let folder = try folder(format)
    let content = try folder.run(["export", "app.realm", "--format", "typed"]).output
    func expectSame(_ name: String) throws {
      // Opening it here checks it.
      #expect(try LeftRealm(folder.path(name)).snapshot.header.format == 24)
      #expect(try folder.run(["export", name, "--format", "typed"]).output == content)
    }
    #expect(try folder.run(["write-copy", "app.realm", "copy.realm"], creates: ["copy.realm"]).status == 0)
    try expectSame("copy.realm")
    #expect(try folder.run(["bundle", "app.realm", "--seed", "seed.realm"], creates: ["seed.realm"]).status == 0)
    try expectSame("seed.realm")
    #expect(try folder.run(["open", "app.realm", "--schema-version", "8"]).status != 0)
    let bytes = try Fixture.bytes(ofFile: folder.path("app.realm"))
    #expect(try folder.run(["upgrade", "app.realm", "--dry-run"]).status == 0)
    #expect(try folder.tool.run(["upgrade", "app.realm"]).status == 0)
    try expectSame("app.realm")
    let backup = try #require(try UpgradeTests.backup(in: folder, of: "upgrade"))
    #expect(try Fixture.bytes(ofFile: folder.path(backup)) == bytes)
  }

  @Test("with a primary key twice are told apart from sound ones") func duplicateKeys() throws {
    let folder = try InputFolder()
    let table = LegacyTable("class_A", [LegacyColumn("id", .int, LegacyNodes.ints([1, 2, 1]))])
    try folder.write("app.realm", LegacyRealm([.primaryKeys([("A", "id")]), table]).bytes())
    let check = try folder.run(["check", "app.realm"])
    #expect(check.status == 1 && check.outputText.contains("primary-key.duplicate"))
    let copy = try folder.run(["write-copy", "app.realm", "copy.realm"], creates: ["copy.realm"])
    #expect(copy.errors.contains("two objects have the same primary key"))
  }

  @Test("format 1, and files of prototypes without a header, are named") func olderFiles() throws {
    let folder = try InputFolder()
    try folder.write("one.realm", LegacyRealm([], format: 1).bytes())
    let one = try folder.run(["open", "one.realm"])
    #expect(one.status == 5 && one.errors.contains("unsupported file format version 1, from before"))
    // A root of two references at 16, which is where the first eight bytes lead.
    let prototype: [UInt8] =
      [16] + [UInt8](repeating: 0, count: 15) + [0x45, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    for size in [prototype.count, 8192] {
      try folder.write("old.tightdb", prototype + [UInt8](repeating: 0, count: size - prototype.count))
      let old = try folder.run(["open", "old.tightdb"])
      #expect(old.status == 5 && old.errors.contains("a file without a header, as prototypes of Realm wrote"))
    }
  }
}
