import TestSupport
import Testing

@testable import RealmStorage

/// Placeholders of objects that are linked to but do not exist, which a rebuild keeps
/// (Docs/Format/3-tables-and-objects.md §4.7).
@Suite struct TombstoneTests {
  /// What a file contains of tombstones: their keys and primary keys, and all links to them.
  private struct Facts: Equatable {
    var tombstones: [String] = []
    var links: [String] = []
    /// Collections whose root says that they hold such links.
    var flags = 0

    init(_ snapshot: Snapshot) throws {
      var walk = snapshot.collectionWalk()
      walk.showsTombstones = true
      for table in snapshot.tables {
        try addTombstones(of: table, walk)
        var batches = table.batches()
        while case .batch(let batch) = batches.next() {
          for (property, column) in table.columns.enumerated() {
            let values = try batch.values(ofProperty: property)
            for row in 0..<batch.count {
              let place = "\(table.schema.name).\(column.name) \(batch.key(at: row).rawValue)"
              try addLinks(in: values.valueShowingTombstones(at: row), walk, place)
            }
          }
        }
      }
    }

    private mutating func addTombstones(of table: Table, _ walk: CollectionWalk) throws {
      guard let top = table.top, !top.tombstones.isNull else { return }
      var clusters = ClusterWalk(ClusterTree(root: top.tombstones), in: table.store, budget: walk.budget)
      while case .cluster(let cluster) = clusters.next() {
        for row in 0..<cluster.count {
          let key = table.schema.primaryKeyIndex.map { table.columns[$0] }
          let leaf = try key.map {
            try Leaf(cluster.leafRef($0.leafIndex), of: $0.element, inCollection: false, in: table.store)
          }
          let value = try leaf.map { try ValueTree.single($0.value(at: row, in: table.store)).text } ?? "-"
          tombstones.append("\(table.schema.name) \(cluster.key(at: row).rawValue) \(value)")
        }
      }
    }

    private mutating func addLinks(in value: ValueView, _ walk: CollectionWalk, _ place: String) throws {
      switch value {
      case .link(let table, let key) where key.isUnresolved: links.append("\(place) \(table.rawValue) \(key.rawValue)")
      case .typedLink(let table, let key) where key.isUnresolved:
        links.append("\(place) \(table.rawValue) \(key.rawValue)")
      case .list(let list), .set(let list):
        let before = links.count
        try list.forEach(walk, damaged: { throw $0 }) { try addLinks(in: $0, walk, place) }
        if list.element.code == .link, links.count > before, try Node(list.root, in: walk.store).context { flags += 1 }
      case .dictionary(let dictionary):
        try dictionary.forEach(walk, damaged: { throw $0 }) { try addLinks(in: $1, walk, place) }
      default: break
      }
    }
  }

  static let cases =
    [Fixture.path("engine/corners.realm")]
    + Fixture.all(in: "real").filter { $0.contains("test_upgrade_database_20") }

  @Test("stay with all that links to them", arguments: cases)
  func kept(_ path: String) throws {
    let before = try FileState(path)
    let source = try Snapshot(of: ByteStore.open(.path(path), key: nil).store)
    let image = RealmImage()
    let bytes = image.finish(try SnapshotRebuild(source).run(into: image).roots)
    let rebuilt = try Snapshot(of: .memory(bytes))
    try expectSound(bytes)
    let (old, new) = (try Facts(source), try Facts(rebuilt))
    #expect(new == old)
    #expect(!old.tombstones.isEmpty && !old.links.isEmpty)
    #expect(try FileState(path) == before)
  }

  @Test("stay for the objects that are taken, in a copy of some", arguments: cases)
  func keptInPart(_ path: String) throws {
    let source = try Snapshot(of: ByteStore.open(.path(path), key: nil).store)
    let old = try Facts(source)
    var linkCount = 0
    for table in source.tables where old.links.contains(where: { $0.hasPrefix("\(table.schema.name).") }) {
      var keys: [ObjectKey] = []
      try table.forEachBatch(in: source) { batch in keys += (0..<batch.count).map { batch.key(at: $0) } }
      for remainder in 0..<2 {
        let chosen = keys.indices.filter { $0 % 2 == remainder }.map { keys[$0] }
        var selection = RebuildSelection(all: source)
        selection.objects[table.key] = ObjectKeySet(chosen)
        #expect(selection.objects[table.key]?.keys == chosen)
        let image = RealmImage()
        let bytes = image.finish(try SnapshotRebuild(source, selection: selection).run(into: image).roots)
        try expectSound(bytes)
        let new = try Facts(Snapshot(of: .memory(bytes)))
        let expected = old.links.filter { link in
          let words = link.split(separator: " ")
          guard words[0].hasPrefix("\(table.schema.name)."), let key = Int64(words[1]) else { return true }
          return chosen.contains(ObjectKey(rawValue: key))
        }
        #expect(new.links == expected)
        #expect(Set(new.tombstones).isSubset(of: old.tombstones))
        linkCount += new.links.count
      }
    }
    #expect(linkCount > 0)
  }

  @Test func `one that nothing links to goes`() throws {
    let schema = TableSchema(
      name: "class_A",
      properties: [
        Property(name: "id", type: .string),
        Property(name: "l", type: .object, isOptional: true, target: "class_A"),
      ], primaryKeyIndex: 0)
    let definition = TableDefinition(key: TableKey(rawValue: 0), schema: schema)
    let image = RealmImage()
    let owner = OwnedBytes()
    let group = try GroupBuilder([definition], output: image)
    for (key, name) in [(-100, "linked"), (-50, "alone")] as [(Int64, String)] {
      try group.tables[0].appendTombstone(ObjectKey(rawValue: key), primaryKey: owner.text(name))
    }
    try group.tables[0].append(count: 1, keyAt: { _ in ObjectKey(rawValue: 0) }) { property, _, column in
      try column.append(
        property == 0 ? owner.text("x") : .link(TableKey(rawValue: 0), ObjectKey(rawValue: -100)))
      return true
    }
    let bytes = image.finish(try group.finish())
    let snapshot = try Snapshot(of: .memory(bytes))
    try expectSound(bytes)
    let facts = try Facts(snapshot)
    #expect(facts.tombstones == ["class_A -100 s\(Hex.text(Array("linked".utf8)))"])
    #expect(facts.links == ["class_A.l 0 0 -100"])
    #expect(try snapshot.tables[0].objectCount() == 1)
  }
}
