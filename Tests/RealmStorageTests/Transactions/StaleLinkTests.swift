import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage

/// What engines leave in the index of a Mixed property when they delete the target of a link
/// (Docs/Format/3-tables-and-objects.md §11).
@Suite struct StaleLinkTests {
  /// A class whose Mixed property has an index, with links to objects of another class, all made by this library.
  private struct Links {
    let folder: TemporaryFolder
    let path: String
    let sources: [ObjectKey]
    let targets: [ObjectKey]

    /// - Parameter links: for each source, the number of its target; nil for null.
    init(_ links: [Int?]) throws {
      folder = try TemporaryFolder()
      path = folder.path("app.realm")
      try RandomEditTests.writeEmptyRealm(at: path, nil)
      let transaction = try WriteTransaction(RealmFileTests.file(path, key: nil))
      let source = try transaction.addTable("class_Source")
      try source.addProperty(Property(name: "any", type: .mixed, isOptional: true, index: .general))
      let target = try transaction.addTable("class_Target")
      try target.addProperty(Property(name: "name", type: .string))
      targets = try (0..<3).map { _ in try target.create() }
      var sources: [ObjectKey] = []
      for link in links {
        sources.append(try source.create())
        guard let link, let key = sources.last else { continue }
        try source.set("any", of: key, to: .typedLink(target.key, targets[link]))
      }
      self.sources = sources
      try transaction.commit()
    }

    func change(_ body: (WriteTransaction) throws -> Void) throws {
      let transaction = try WriteTransaction(RealmFileTests.file(path, key: nil))
      try body(transaction)
      try transaction.commit()
    }

    /// Deletes a target as an engine would: the index stays as it was.
    func deleteLikeAnEngine(target: Int) throws {
      let index = try tree().table("class_Source").index("any").copy()
      try change { try $0.table("class_Target").delete(targets[target]) }
      let changed = try tree()
      let table = try changed.table("class_Source")
      try table.top.require(4).elements[table.leafIndex("any")] = .child(index)
      try folder.write("app.realm", changed.written(.normal))
    }

    func tree() throws -> NodeTree { try NodeTree(Fixture.bytes(ofFile: path)) }

    func findings() throws -> [Finding] { try CheckResult(of: Fixture.bytes(ofFile: path)).findings }
  }

  @Test(
    "the entry of a link whose target was deleted is a warning", arguments: [[0, 1], [0, 0, 1, nil], [0, 1, 2, 2]])
  func staleEntries(links: [Int?]) throws {
    let realm = try Links(links)
    try realm.deleteLikeAnEngine(target: 0)
    let findings = try realm.findings()
    #expect(findings.map(\.kind) == links.filter { $0 == 0 }.map { _ in .indexStaleLink })
    #expect(findings.allSatisfy { $0.severity == .warning })
    #expect(findings.map(\.place.object) == zip(realm.sources, links).filter { $1 == 0 }.map(\.0))
  }

  @Test("what is no link of an existing table, or of a property that is not null, is an error") func otherEntries()
    throws
  {
    let realm = try Links([0, 1, nil])
    try realm.deleteLikeAnEngine(target: 0)
    let table = try realm.tree()
    let index = try table.table("class_Source").index("any")
    // One chunk, that of the table, is all that is shared; beyond it keys differ.
    let keys = try index.require(0)
    let position = try #require(keys.values.firstIndex { $0 != 0 })
    keys.values[position] += 1
    let changed = try CheckResult(of: table.written(.normal))
    #expect(changed.findings.contains { $0.kind == .indexEntry && $0.severity == .error })
    #expect(!changed.findings.contains { $0.kind == .indexStaleLink })
  }

  @Test func `the entry of a link that was replaced since is a warning`() throws {
    let realm = try Links([0, 1])
    let index = try realm.tree().table("class_Source").index("any").copy()
    try realm.change { try $0.table("class_Source").set("any", of: realm.sources[0], to: 5) }
    let tree = try realm.tree()
    let table = try tree.table("class_Source")
    try table.top.require(4).elements[table.leafIndex("any")] = .child(index)
    let findings = try CheckResult(of: tree.written(.normal)).findings
    // The index has the object under the old value, and not under the new one.
    #expect(Set(findings.map(\.kind)) == [.indexStaleLink, .indexMissing])
    #expect(findings.first { $0.kind == .indexStaleLink }?.severity == .warning)
  }

  @Test func `the entry of a link into a class that was removed is a warning`() throws {
    let realm = try Links([0, nil, 1])
    let index = try realm.tree().table("class_Source").index("any").copy()
    try realm.change { try $0.removeTable("class_Target") }
    for isNameTaken in [false, true] {
      if isNameTaken { try realm.change { _ = try $0.addTable("class_InItsSlot") } }
      let tree = try realm.tree()
      let table = try tree.table("class_Source")
      try table.top.require(4).elements[table.leafIndex("any")] = .child(index.copy())
      let findings = try CheckResult(of: tree.written(.normal)).findings
      #expect(findings.map(\.kind) == [.indexStaleLink, .indexStaleLink])
      #expect(findings.map(\.place.object) == [realm.sources[0], realm.sources[2]])
    }
  }

  @Test func `what engines do to the entries of other objects is a warning`() throws {
    let realm = try Links([0, nil, nil, 1])
    try realm.deleteLikeAnEngine(target: 0)
    // The object is deleted: its entry is looked for under null, where another object's is found.
    let index = try realm.tree().table("class_Source").index("any").copy()
    try realm.change { try $0.table("class_Source").delete(realm.sources[0]) }
    let tree = try realm.tree()
    let table = try tree.table("class_Source")
    let slot = try #require(index.elements.indices.first { index.child($0)?.values == [1, 2] })
    index.elements[slot] = .child(.numbers([2]))
    try table.top.require(4).elements[table.leafIndex("any")] = .child(index)
    let findings = try CheckResult(of: tree.written(.normal)).findings
    #expect(findings.map(\.kind) == [.indexStaleLink, .indexStaleLink])
    #expect(findings.map(\.place.object) == [realm.sources[0], realm.sources[1]])
    #expect(findings.allSatisfy { $0.message.contains("queries") && $0.message.contains("compact --rebuild") })
  }

  @Test func `an object that is missing under null is an error where there never were links`() throws {
    let realm = try Links([nil, nil, nil])
    let tree = try realm.tree()
    let index = try tree.table("class_Source").index("any")
    let slot = try #require(index.elements.indices.first { index.child($0)?.values == [0, 1, 2] })
    index.elements[slot] = .child(.numbers([0, 2]))
    #expect(try CheckResult(of: tree.written(.normal)).findings.map(\.kind) == [.indexMissing])
  }

  @Test("copies keep the entry, and a new index does not have it") func healing() throws {
    let realm = try Links([0, 1, nil])
    try realm.deleteLikeAnEngine(target: 0)
    let source = try RealmFileTests.opened(realm.path, nil)
    let copy = realm.folder.path("copy.realm")
    let output = try SafeOutput(at: copy, replacing: .never)
    _ = try StreamingWriter(key: nil, threadLimit: 0).write(
      SnapshotNodes(of: source, keepsHistory: true), .fresh, to: output)
    try output.close()
    try output.publish()
    #expect(try CheckResult(of: Fixture.bytes(ofFile: copy)).findings.map(\.kind) == [.indexStaleLink])
    try realm.change { transaction in
      try transaction.table("class_Source").setIndex("any", .none)
      try transaction.table("class_Source").setIndex("any", .general)
    }
    #expect(try realm.findings() == [])
  }

  @Test("an object with such an entry can be changed and deleted, which engines end on") func goingOn() throws {
    let realm = try Links([0, 1, nil, 0])
    try realm.deleteLikeAnEngine(target: 0)
    try realm.change { transaction in
      try transaction.table("class_Source").set("any", of: realm.sources[0], to: "text")
      try transaction.table("class_Source").set("any", of: realm.sources[2], to: 7)
      try transaction.table("class_Source").delete(realm.sources[3])
    }
    #expect(try realm.findings() == [])
  }
}
