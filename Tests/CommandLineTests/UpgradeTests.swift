import Foundation
import RealmStorage
import TestSupport
import Testing

@Suite("realmctl upgrade") struct UpgradeTests {
  /// Realms of older formats that no sync client wrote.
  static let oldRealms: [OpenableFixture] = OpenableFixture.all.filter { fixture in
    guard let snapshot = try? fixture.opened() else { return false }
    return snapshot.header.format < 24 && snapshot.header.format > 0 && !snapshot.historyKind.isSynchronized
  }

  static func keyFile(_ key: [UInt8]?, in folder: InputFolder) throws -> [String] {
    guard let key else { return [] }
    try folder.write("key", key)
    return ["--key-file", "key"]
  }

  static func backup(in folder: InputFolder, of operation: String) throws -> String? {
    try folder.names().first { $0.hasPrefix("app.pre-\(operation)-") && $0.hasSuffix("Z.realm") }
  }

  /// Realms of older formats that belong to sync.
  static let oldSyncedRealms: [OpenableFixture] = OpenableFixture.all.filter { fixture in
    guard let snapshot = try? fixture.opened() else { return false }
    return snapshot.header.format < 24 && snapshot.header.format > 0 && snapshot.historyKind.isSynchronized
  }

  @Test("no realm of the corpus is passed over", .enabled(if: Corpus.isThere, Comment(rawValue: Corpus.comment)))
  func corpus() {
    // Of formats 10 to 23 there are 28, and one is encrypted.
    #expect(Self.oldRealms.count >= 23)
    #expect(Self.oldSyncedRealms.count >= 6)
    #expect(Self.oldRealms.contains { $0.key != nil })
  }

  @Test(
    "an older realm becomes one of format 24 with the same content, and the old one is kept",
    .enabled(if: Corpus.isThere, Comment(rawValue: Corpus.comment)), arguments: oldRealms)
  func inPlace(_ fixture: OpenableFixture) throws {
    try upgrade(
      try Fixture.bytes(ofFile: fixture.path), key: fixture.key, isEmpty: try fixture.opened().header.topRef.isNull,
      warning: fixture.name.contains("upgrade_progress") ? "an upgrade to format 10 was interrupted" : nil)
  }

  @Test("so does one that was made of a newer one", arguments: ["person-v1", "dogs", "todo", "fragmented"])
  func made(_ name: String) throws {
    let tree = try NodeTree(Fixture.bytes("engine/\(name).realm"))
    tree.format = 23
    try upgrade(tree.written(.normal), key: nil)
  }

  @Test(
    "one that belongs to sync stays as it is", .enabled(if: Corpus.isThere, Comment(rawValue: Corpus.comment)),
    arguments: oldSyncedRealms)
  func synced(_ fixture: OpenableFixture) throws {
    let folder = try InputFolder()
    try folder.write("app.realm", try Fixture.bytes(ofFile: fixture.path))
    let key = try Self.keyFile(fixture.key, in: folder)
    for options in [["--dry-run"], []] {
      let outcome = try folder.run(["upgrade", "app.realm"] + options + key, creates: ["app.realm.lock"])
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("file belongs to Device Sync"))
    }
    #expect(try Self.backup(in: folder, of: "upgrade") == nil)
  }

  /// - Parameters:
  ///   - isEmpty: nothing was ever written to the realm; it has no format then.
  ///   - warning: the warning about the old realm.
  private func upgrade(_ bytes: [UInt8], key: [UInt8]?, isEmpty: Bool = false, warning: String? = nil) throws {
    let folder = try InputFolder()
    try folder.write("app.realm", bytes)
    let options = try Self.keyFile(key, in: folder)
    let content = ["export", "app.realm", "--format", "typed"] + options
    let before = try folder.run(content)
    #expect(before.status == 0)
    #expect(try folder.run(["upgrade", "app.realm", "--dry-run"] + options).status == 0)
    let outcome = try folder.tool.run(["upgrade", "app.realm"] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(warning.map { outcome.errors.contains($0) } ?? outcome.errors.isEmpty, "\(outcome.errors)")
    let realm = try LeftRealm(folder.path("app.realm"), key: key)
    #expect(realm.snapshot.header.format == (isEmpty ? 0 : 24))
    #expect(try folder.run(content).output == before.output)
    let backup = try #require(try Self.backup(in: folder, of: "upgrade"))
    #expect(try Fixture.bytes(ofFile: folder.path(backup)) == bytes)
    #expect(outcome.outputText.hasSuffix("backup: \(backup); to restore it:\n  cp -p \(backup) app.realm\n"))
    let again = try folder.run(["upgrade", "app.realm"] + options)
    #expect(again.status == 0)
    #expect(again.outputText == "app.realm: nothing to do: file format \(isEmpty ? 0 : 24)\n")
  }

  /// A realm of an older format: one that an engine wrote, or where none is at hand, one whose nodes mean the same in
  /// format 23.
  static func old(_ name: String = "app.realm") throws -> (folder: InputFolder, bytes: [UInt8]) {
    let folder = try InputFolder()
    let bytes: [UInt8]
    if let fixture = oldRealms.first(where: { $0.key == nil }) {
      bytes = try Fixture.bytes(ofFile: fixture.path)
    } else {
      let tree = try NodeTree(Fixture.bytes("engine/person-v1.realm"))
      tree.format = 23
      bytes = tree.written(.normal)
    }
    try folder.write(name, bytes)
    return (folder, bytes)
  }

  @Test("a dry run writes nothing") func dryRun() throws {
    let (folder, _) = try Self.old()
    let outcome = try folder.run(["upgrade", "app.realm", "--dry-run"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.contains("app.realm: would be upgraded: file format "))
  }

  @Test("-o leaves the realm alone") func elsewhere() throws {
    let (folder, _) = try Self.old()
    let outcome = try folder.run(["upgrade", "app.realm", "-o", "new.realm"], creates: ["new.realm"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.hasSuffix("wrote new.realm\n"))
    _ = try LeftRealm(folder.path("new.realm"))
    #expect(try folder.names() == ["app.realm", "new.realm"])
    #expect(try folder.run(["upgrade", "app.realm", "-o", "new.realm"]).status == 2)
    #expect(
      try folder.run(["upgrade", "app.realm", "-o", "new.realm", "--force"], creates: ["new.realm"]).status == 0)
  }

  @Test("a backup goes where it is wanted, or nowhere") func backups() throws {
    let (folder, bytes) = try Self.old()
    let changed: Set<String> = ["app.realm", "app.realm.lock", "kept.realm"]
    #expect(try folder.run(["upgrade", "app.realm", "--backup", "kept.realm"], creates: changed).status == 0)
    #expect(try Fixture.bytes(ofFile: folder.path("kept.realm")) == bytes)
    try folder.write("app.realm", bytes)
    try folder.write("kept.realm", [1])
    // The name is taken: the backup gets the next one.
    let again = try folder.run(
      ["upgrade", "app.realm", "--backup", "kept.realm"], creates: ["app.realm", "app.realm.lock", "kept-2.realm"])
    #expect(again.outputText.contains("backup: kept-2.realm; to restore it:\n  cp -p kept-2.realm app.realm\n"))
    #expect(try Fixture.bytes(ofFile: folder.path("kept-2.realm")) == bytes)
    // One is made as well where there is nothing to do.
    let current = try Fixture.bytes(ofFile: folder.path("app.realm"))
    let third = try folder.run(
      ["upgrade", "app.realm", "--backup", "kept.realm"], creates: ["app.realm.lock", "kept-3.realm"])
    #expect(third.outputText.hasPrefix("app.realm: nothing to do: file format 24\nbackup: kept-3.realm;"))
    #expect(try Fixture.bytes(ofFile: folder.path("kept-3.realm")) == current)
    try folder.write("app.realm", bytes)
    // No backup, no upgrade.
    let outcome = try folder.run(["upgrade", "app.realm", "--backup", "no/kept.realm"], creates: ["app.realm.lock"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("the backup could not be made, so nothing was changed"))
    #expect(
      try folder.run(["upgrade", "app.realm", "--no-backup"], creates: ["app.realm", "app.realm.lock"]).status == 0)
    #expect(
      try folder.names() == ["app.realm", "app.realm.lock", "kept-2.realm", "kept-3.realm", "kept.realm"])
  }

  @Test("JSON has the facts") func json() throws {
    let (folder, bytes) = try Self.old()
    let outcome = try folder.run(["upgrade", "app.realm", "--json", "--dry-run"])
    let report = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(report["version"] as? Int == 2)
    #expect(report["fileFormat"] as? Int == 24)
    #expect(report["dryRun"] as? Bool == true)
    #expect(report["sourceSize"] as? Int == bytes.count)
    #expect(report["verified"] as? Bool == true)
    #expect(report["backup"] == nil)
  }

  @Test("a realm of format 24 is not touched, whatever else it is", arguments: ["dogs", "synced", "all-types-copy"])
  func current(_ fixture: String) throws {
    let folder = try OpenConfigurationTests.folder(fixture)
    let outcome = try folder.run(["upgrade", "app.realm"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText == "app.realm: nothing to do: file format 24\n")
  }

  @Test(
    "what stops it",
    arguments: [
      (["upgrade", "missing.realm"], 3), (["upgrade", "-"], 64),
      (["upgrade", "app.realm", "--force"], 64), (["upgrade", "app.realm", "-o", "app.realm"], 64),
      (["upgrade", "app.realm", "-o", "b.realm", "--no-backup"], 64),
      (["upgrade", "app.realm", "--backup", "b.realm", "--no-backup"], 64),
      (["upgrade", "app.realm", "-o", "no/such/folder.realm"], 2),
    ] as [([String], Int32)])
  func refusals(arguments: [String], status: Int32) throws {
    let (folder, _) = try Self.old()
    #expect(try folder.run(arguments).status == status)
  }
}
