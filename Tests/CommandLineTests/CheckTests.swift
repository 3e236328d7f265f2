import Foundation
import TestSupport
import Testing

@Suite struct CheckTests {
  /// The root of dogs.realm with an element count that no engine writes.
  static func damaged() throws -> [UInt8] {
    var bytes = try Fixture.bytes("engine/dogs.realm")
    let select = Int(bytes[23] & 1)
    let top = bytes[select * 8..<select * 8 + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    // The element count of the root, 24 bits big-endian: 11 becomes 8, which is never legal.
    bytes[top + 7] = 8
    return bytes
  }

  @Test func aSoundFileIsToldInOneLine() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    let outcome = try folder.run(["check", "a.realm"])
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.outputText.hasPrefix("a.realm: no damage found; format 24, 4 tables, 11 objects, 9 links"))
    #expect(try folder.run(["check", "a.realm", "--quiet"]).outputText.isEmpty)
  }

  /// A rebuild in place is refused if the history says that it is newer.
  @Test func aHistoryThatCannotBeKeptIsLeftOutOfACopy() throws {
    let folder = try InputFolder()
    let tree = try NodeTree(Fixture.bytes("engine/synced.realm"))
    tree.root.elements[7] = .tagged(0)
    try folder.write("a.realm", tree.written())
    let outcome = try folder.run(["check", "a.realm"])
    #expect(outcome.status == 1)
    #expect(
      outcome.outputText.hasSuffix("; 'write-copy --rebuild' makes a local copy with an empty history\n"),
      "\(outcome.outputText)")
    #expect(try folder.run(["write-copy", "a.realm", "b.realm", "--rebuild"], creates: ["b.realm"]).status == 0)
    #expect(try folder.run(["check", "b.realm"]).status == 0)
  }

  #if os(Linux)
    /// The first of the two steps in which an engine, with a lock, makes the form that commits continue from of what it
    /// compacted (Docs/Format/1-container.md §1.5; measured with `DB::compact` of Realm Core 14.14.0).
    @Test func `a copy that an app is converting has changed, and is damaged only if nobody is there to go on`() throws
    {
      let folder = try InputFolder()
      var bytes = try Fixture.bytes("engine/all-types-copy.realm")
      bytes.replaceSubrange(8..<16, with: bytes[(bytes.count - 16)..<(bytes.count - 8)])
      bytes[21] = bytes[20]
      try folder.write("app.realm", bytes)
      try folder.write("left.realm", bytes)
      let holder = try SharedLock(folder.path("app.realm.lock"))
      defer { holder.release() }
      let outcome = try folder.run(["check", "app.realm"])
      #expect(outcome.status == 6, "\(outcome.outputText)")
      #expect(outcome.output.isEmpty)
      let left = try folder.run(["check", "left.realm"])
      #expect(left.status == 1)
      #expect(left.outputText.contains("header.streaming-fields"))
    }
  #endif

  @Test func damageIsAFindingWithStatus1() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Self.damaged())
    let outcome = try folder.run(["check", "a.realm"])
    #expect(outcome.status == 1)
    #expect(outcome.outputText.hasPrefix("error top.count: "))
    let json = try folder.run(["check", "a.realm", "--json"])
    #expect(json.status == 1)
    let report = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
    #expect(report["errors"] as? Int == 2)
    let finding = try #require((report["findings"] as? [[String: Any]])?.first)
    #expect(finding["id"] as? String == "top.count")
    #expect(finding["severity"] as? String == "error")
  }

  @Test func notesAreShownToWhoAsks() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/nested-mixed.realm"))
    let short = try folder.run(["check", "a.realm", "--strict"])
    #expect(short.status == 0)
    #expect(!short.outputText.contains("\nnote ") && !short.outputText.hasPrefix("note "))
    #expect(short.outputText.contains("1 note;"))
    #expect(try folder.run(["check", "a.realm", "--verbose"]).outputText.hasPrefix("note "))
  }

  @Test func whatIsNoRealmIsAnErrorAndNoFinding() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", [UInt8](repeating: 7, count: 100))
    #expect(try folder.run(["check", "a.realm"]).status == 2)
    #expect(try folder.run(["check", "missing.realm"]).status == 3)
    #expect(try folder.run(["check", "a.realm", "--limit", "0"]).status == 64)
  }
}
