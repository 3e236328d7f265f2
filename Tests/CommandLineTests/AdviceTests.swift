import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import realmctl

/// Advice in messages can be followed: the options it names are those of the command, and the commands exist.
@Suite struct AdviceTests {
  /// Words of a command; `%` is the problematic realm.
  static let commands = [
    "open %", "open % --schema model.json", "open % --upgrade", "open % --read-only --schema model.json",
    "open % --compact-if total>1", "open % --schema model.json --schema-version 9 --allow-data-loss",
    "schema dump %", "schema diff % model.json", "export %", "export % --format csv", "export % -o taken", "check %",
    "compact %", "compact % -o taken", "compact % -o out", "migrate % --schema model.json --to-version 9",
    "migrate % --schema model.json --to-version 9 -o taken", "migrate % --schema bad.json --to-version 9", "upgrade %",
    "upgrade % -o taken", "downgrade % --file-format 23", "downgrade % --file-format 10 -o taken",
    "write-copy % taken", "write-copy % out --only Nobody", "write-copy % out --only Person",
    "write-copy % %", "bundle % --seed taken", "bundle --schema % --data data.json --seed out",
    "bundle --schema model.json --data data.json --seed out", "bundle --schema bad.json --data data.json --seed out",
    "browse %", "migrate % --schema model.json --to-version 0", "open % --seed-file nowhere",
  ]

  /// The realms, by what is wrong with them.
  private static func fill(_ folder: TemporaryFolder) throws {
    let dogs = try Fixture.bytes("engine/dogs.realm")
    let older = try NodeTree(dogs)
    older.format = 23
    try folder.write("older.realm", older.written(.normal))
    try folder.write("sound.realm", dogs)
    try folder.write("encrypted.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    try folder.write("synced.realm", try Fixture.bytes("engine/synced.realm"))
    try folder.write("empty.realm", [])
    try folder.write("text.realm", Array("not a realm".utf8))
    try folder.write("cut.realm", Array(dogs.prefix(1000)))
    try folder.write("used.realm", dogs)
    try folder.write("taken", Array("old".utf8))
    try folder.write("model.json", Array(#"[{"name":"Person","properties":{"name":"int"}}]"#.utf8))
    try folder.write("bad.json", Array(#"[{"name":"Person","properties":{"name":"text"}}]"#.utf8))
    try folder.write("data.json", Array(#"[{"name":"x","age":1}]"#.utf8))
  }

  @Test(arguments: commands) func namesOnlyWhatThereIs(_ command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let type = try #require(
      ManualTests.leaves.filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count })
    let help = type.type.helpMessage()
    var failures = 0
    for realm in [
      "missing.realm", "older.realm", "sound.realm", "encrypted.realm", "synced.realm", "empty.realm", "text.realm",
      "cut.realm", "used.realm", ".",
    ] {
      let folder = try TemporaryFolder()
      try Self.fill(folder)
      var tool = Tool()
      tool.folder = folder.path
      let lock = open(folder.path("used.realm.lock"), O_RDWR | O_CREAT, 0o600)
      defer { close(lock) }
      try #require(flock(lock, LOCK_SH | LOCK_NB) == 0)
      let outcome = try tool.run(words.map { $0 == "%" ? realm : $0 })
      let message = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("realmctl: ") }.joined(separator: "\n")
      if outcome.status != 0 { failures += 1 }
      for option in message.matches(of: /--[a-z][a-z-]+/) {
        let isOfOther = message[..<option.range.lowerBound].hasSuffix("'compact ")
        #expect(isOfOther || help.contains(option.output), "\(realm): \(message)")
      }
      for name in message.matches(of: /(?:run |or |')'?(?:realmctl )?([a-z-]+)'/)
      where ManualTests.commands.contains(where: { $0.words.first == String(name.output.1) }) == false {
        #expect(!message.contains("run '\(name.output.1)'"), "\(realm): \(message)")
      }
    }
    #expect(failures > 0)
  }
}
