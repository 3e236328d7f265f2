import Foundation
import TestSupport
import Testing

/// `history` shows what is still in a file, and `--snapshot` reads it.
@Suite struct HistoryTests {
  private func folder(_ name: String = "dogs") throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/\(name).realm"))
    return folder
  }

  private func report(_ outcome: Tool.Outcome) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
  }

  @Test func theLiveSnapshotAndTheOneBeforeIt() throws {
    let folder = try folder()
    let outcome = try folder.run(["history", "a.realm"])
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let lines = outcome.outputText.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 7, "\(outcome.outputText)")
    #expect(lines[0] == "a.realm" && lines[1].hasPrefix("history: in realm, "))
    #expect(lines[4].contains(" live ") && lines[4].hasSuffix("10 added"))
    #expect(lines[5].hasSuffix(" previous"))
    let json = try report(try folder.run(["history", "a.realm", "--json"]))
    #expect(json["input"] as? String == "a.realm" && json["history"] as? String == "in realm")
    let snapshots = try #require(json["snapshots"] as? [[String: Any]])
    #expect(snapshots.map { $0["snapshotVersion"] as? Int } == [3, 2])
    #expect(snapshots.map { $0["state"] as? String } == ["live", "previous"])
    #expect((snapshots[0]["changeCounts"] as? [String: Int])?["added"] == 10)
    #expect(snapshots[1]["changeCounts"] is NSNull)
  }

  @Test("damage of the live snapshot is an error") func damage() throws {
    var bytes = try Fixture.bytes("engine/dogs.realm")
    bytes.replaceSubrange(804..<808, with: [0xff, 0xff, 0xff, 0xff])
    let folder = try InputFolder()
    try folder.write("a.realm", bytes)
    let outcome = try folder.run(["history", "a.realm"])
    #expect(outcome.status == 2)
    #expect(outcome.outputText.contains("        ?  live      the file is damaged: "))
    #expect(
      outcome.errors
        == "realmctl: a.realm: the file is damaged: a node has an impossible width scheme (node 0x320); use a backup, or "
        + "save the rest with 'recover'\n")
  }

  @Test("damage that two snapshots share is damage of both") func sharedDamage() throws {
    var bytes = try Fixture.bytes("engine/dogs.realm")
    bytes.replaceSubrange(1996..<2000, with: [0xff, 0xff, 0xff, 0xff])
    let folder = try InputFolder()
    try folder.write("a.realm", bytes)
    let update = try folder.tool.run(
      ["update", "a.realm", "Dog", "--all", "--set", "name=x", "--no-backup", "--allow-damage"])
    #expect(update.status == 0, "\(update.errors)")
    let outcome = try folder.run(["history", "a.realm", "--json"])
    #expect(outcome.status == 2)
    let snapshots = try #require(try report(outcome)["snapshots"] as? [[String: Any]])
    #expect(snapshots.count == 2 && snapshots.allSatisfy { $0["damage"] is String }, "\(outcome.outputText)")
  }

  @Test func aCopyHasOneSnapshot() throws {
    let json = try report(try folder("fragmented-compacted").run(["history", "a.realm", "--json"]))
    #expect((json["snapshots"] as? [Any])?.count == 1)
    let empty = try folder("no-tables").run(["history", "a.realm"])
    #expect(empty.status == 0)
  }

  @Test func everyReadingCommandTakesASnapshot() throws {
    let folder = try folder()
    let json = try report(try folder.run(["history", "a.realm", "--json"]))
    let snapshots = try #require(json["snapshots"] as? [[String: Any]])
    let roots = try snapshots.map { String(try #require($0["topRef"] as? Int)) }
    for command in ["open", "schema dump", "export", "check", "stats", "hash"] {
      let words = command.split(separator: " ").map(String.init)
      let plain = try folder.run(words + ["a.realm"])
      let live = try folder.run(words + ["a.realm", "--snapshot", roots[0]])
      let previous = try folder.run(words + ["a.realm", "--snapshot", "previous"])
      let byRoot = try folder.run(words + ["a.realm", "--snapshot", roots[1]])
      #expect(live.output == plain.output && live.status == plain.status, "\(command)")
      #expect(
        previous.output == byRoot.output && previous.status == 0 && byRoot.status == 0, "\(command): \(previous.errors)"
      )
      #expect(previous.output != plain.output || command == "schema dump", "\(command)")
      #expect(try folder.run(words + ["a.realm", "--snapshot", "32"]).status == 3, "\(command)")
      #expect(try folder.run(words + ["a.realm", "--snapshot", "yesterday"]).status == 64)
    }
    let copy = try folder.run(["write-copy", "a.realm", "old.realm", "--snapshot", "previous"], creates: ["old.realm"])
    #expect(copy.status == 0, "\(copy.errors)")
    #expect(try folder.run(["diff", "a.realm", "--against", "previous"]).outputText.isEmpty == false)
    let hashes = try [["old.realm"], ["a.realm", "--snapshot", "previous"]].map {
      try folder.run(["hash"] + $0).outputText.prefix(64)
    }
    #expect(hashes[0] == hashes[1])
    #expect(try folder.run(["check", "old.realm", "--strict"]).status == 0)
    let seed = try folder.run(
      ["bundle", "a.realm", "--seed", "seed.realm", "--snapshot", "previous"], creates: ["seed.realm"])
    #expect(seed.status == 0, "\(seed.errors)")
    #expect(try folder.run(["hash", "seed.realm"]).outputText.prefix(64) == hashes[0])
    #expect(try folder.run(["schema", "diff", "a.realm", "--against", "previous"]).status == 0)
    #expect(try folder.run(["schema", "diff", "a.realm", "old.realm", "--against", "previous"]).status == 64)
    #expect(try folder.run(["schema", "diff", "a.realm"]).status == 64)
    #expect(
      try folder.run(["open", "a.realm", "--snapshot", "previous", "--schema", "m.json", "--schema-version", "1"])
        .status == 64)
  }

  @Test func theBytesOfAnOlderSnapshotAddUp() throws {
    let folder = try folder("fragmented")
    let json = try report(try folder.run(["stats", "a.realm", "--snapshot", "previous", "--json"]))
    let parts = try #require(json["parts"] as? [[String: Any]])
    #expect(parts.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) } == 524_288)
    #expect(parts.contains { $0["use"] as? String == "newerSnapshot" })
  }

  @Test func aHostileOtherSlotIsNoSnapshot() throws {
    let bytes = try Fixture.bytes("engine/dogs.realm")
    let other = bytes[23] & 1 == 1 ? 0 : 8
    let live = 8 - other
    let slots: [[UInt8]] = [
      [UInt8](repeating: 0, count: 8), [UInt8](repeating: 0xff, count: 8), [25, 0, 0, 0, 0, 0, 0, 0],
      [24, 0, 0, 0, 0, 0, 0, 0], [0xf8, 0x0f, 0, 0, 0, 0, 0, 0], [0, 0x10, 0, 0, 0, 0, 0, 0],
      [0xf8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], Array(bytes[live..<live + 8]),
    ]
    for slot in slots {
      let folder = try InputFolder()
      var changed = bytes
      // All ones in the first slot would be another form of file.
      changed.replaceSubrange(other..<other + 8, with: slot)
      try folder.write("a.realm", changed)
      let outcome = try folder.run(["history", "a.realm", "--json"])
      #expect(outcome.status == 0, "\(slot): \(outcome.errors)")
      #expect((try report(outcome)["snapshots"] as? [Any])?.count == 1)
      let read = try folder.run(["export", "a.realm", "--snapshot", "previous"])
      #expect(read.status == 3 && read.outputText.isEmpty)
      #expect(read.errors.contains("the file has no older snapshot"))
    }
  }

  @Test func theLockFileTellsWhoReads() throws {
    let folder = try folder()
    let json = try report(try folder.run(["history", "a.realm", "--json"]))
    let roots = try #require(json["snapshots"] as? [[String: Any]]).compactMap { $0["topRef"] as? Int }
    // The list of versions of a session on Linux: Docs/Format/5-coordination.md §2.2, §2.3.
    var lock = [UInt8](repeating: 0, count: 1728)
    lock.replaceSubrange(0..<8, with: [1, 40, 48, 0, 24, 2, 14, 0])
    func put(_ number: Int, at offset: Int, size: Int) {
      for index in 0..<size { lock[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    }
    put(32, at: 432, size: 4)
    put(1, at: 440, size: 4)
    for (index, (version, root, readers)) in [(2, roots[1], 2), (3, roots[0], 1)].enumerated() {
      put(version, at: 448 + 40 * index, size: 8)
      put(4096, at: 456 + 40 * index, size: 8)
      put(root, at: 464 + 40 * index, size: 8)
      put(readers, at: 472 + 40 * index, size: 4)
    }
    try folder.write("a.realm.lock", lock)
    let held = open(folder.path("a.realm.lock"), O_RDWR | O_CLOEXEC)
    defer { close(held) }
    try #require(flock(held, LOCK_SH | LOCK_NB) == 0)
    let outcome = try folder.run(["history", "a.realm"])
    #expect(outcome.status == 0)
    #expect(
      outcome.outputText.contains("live, 1 reader") && outcome.outputText.contains("previous, 2 readers"),
      "\(outcome.outputText)")
  }
}
