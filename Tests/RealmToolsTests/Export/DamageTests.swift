import Foundation
import RealmExchange
import TestSupport
import Testing

@testable import RealmStorage

/// Damage deep inside a file is left out, named and counted; everything else is exported.
@Suite struct DamageTests {
  /// A fixture in memory whose bytes a test changes.
  struct Patient {
    var bytes: [UInt8]
    let healthy: Snapshot

    init(_ fixture: String) throws {
      bytes = try Fixture.bytes("engine/" + fixture)
      healthy = try Snapshot(of: ByteStore(copying: bytes))
    }

    func table(_ name: RealmString) throws -> Table { try #require(healthy.table(displayName: name)) }

    /// The clusters of a table.
    func clusters(of table: Table) -> [Cluster] {
      guard let tree = table.clusters else { return [] }
      var walk = ClusterWalk(tree, in: healthy.store, budget: WalkBudget(limit: 100_000))
      var clusters: [Cluster] = []
      while case .cluster(let cluster) = walk.next() { clusters.append(cluster) }
      return clusters
    }

    /// The leaf of a property in a cluster.
    func leaf(_ property: RealmString, of table: Table, cluster: Int) throws -> Ref {
      let column = try #require(table.columns.first { $0.name == property })
      return try clusters(of: table)[cluster].leafRef(column.leafIndex)
    }

    /// Makes a node unreadable: width scheme 3 does not exist.
    mutating func spoil(_ ref: Ref) { bytes[Int(ref.rawValue) + 4] |= 0x18 }

    func export(_ format: ExportFormat = .json) throws -> (text: [UInt8], report: DamageReport, snapshot: Snapshot) {
      let snapshot = try Snapshot(of: ByteStore(copying: bytes))
      let output = TextCollector()
      let tables = ExportOptions.allTables(of: snapshot, format: format, includesInternal: true)
      let report = try Exporter(snapshot, options: ExportOptions(format: format, tables: tables), sink: output).run()
      return (output.bytes, report, snapshot)
    }

    func json() throws -> (objects: [String: [[String: Any]]], report: DamageReport) {
      let (text, report, _) = try export()
      return (try #require(JSONSerialization.jsonObject(with: Data(text)) as? [String: [[String: Any]]]), report)
    }
  }

  @Test("a damaged leaf costs one property of the objects that lie together")
  func damagedLeaf() throws {
    var patient = try Patient("fragmented.realm")
    let table = try #require(patient.healthy.tables.first { $0.schema.isClass })
    let clusters = patient.clusters(of: table)
    let property = table.schema.properties[0].name
    let (before, none) = try patient.json()
    #expect(none.isEmpty)
    patient.spoil(try patient.leaf(property, of: table, cluster: 0))
    let (after, report) = try patient.json()

    let name = table.schema.displayName.description
    #expect(report.count == 1)
    #expect(
      report.described.first?.part
        == .values(property: property, first: clusters[0].key(at: 0), count: clusters[0].count))
    #expect(after[name]?.count == before[name]?.count)
    let missing = after[name]?.filter { $0[property.description] == nil }.count
    #expect(missing == clusters[0].count)
    let healthyElsewhere = after[name]?.dropFirst(clusters[0].count).map { $0 as NSDictionary }
    #expect(healthyElsewhere == before[name]?.dropFirst(clusters[0].count).map { $0 as NSDictionary })
  }

  @Test("a damaged cluster costs its objects, and their number is known")
  func damagedCluster() throws {
    var patient = try Patient("deep-tree.realm")
    let table = try #require(patient.healthy.tables.max { (try? $0.objectCount()) ?? 0 < (try? $1.objectCount()) ?? 0 })
    let clusters = patient.clusters(of: table)
    #expect(clusters.count > 100)
    patient.spoil(clusters[7].node.ref)
    let (objects, report) = try patient.json()

    let total = try table.objectCount()
    #expect(objects[table.schema.displayName.description]?.count == total - clusters[7].count)
    #expect(report.missingObjects == clusters[7].count)
    #expect(report.described.contains { $0.part == .objects })
  }

  @Test func `an object that may be among the unreadable ones is not said to be missing`() throws {
    var patient = try Patient("deep-tree.realm")
    let table = try #require(patient.healthy.tables.max { (try? $0.objectCount()) ?? 0 < (try? $1.objectCount()) ?? 0 })
    patient.spoil(patient.clusters(of: table)[7].node.ref)
    let folder = try TemporaryFolder()
    let realm = try Realm.open(at: folder.write("damaged.realm", patient.bytes))
    let objects = try realm.objects("\(table.schema.displayName)")
    let last = try #require(objects.readable().last)
    let (property, value) = try #require(
      table.schema.properties.lazy.compactMap { property in last["\(property.name)"].map { ("\(property.name)", $0) } }
        .first)
    #expect(try objects.object(where: property, is: value) != nil)
    #expect(throws: RealmError.self) { try objects.object(where: property, is: "nowhere in the file") }
  }

  @Test("a ref back to the root of the objects ends")
  func circle() throws {
    var patient = try Patient("deep-tree.realm")
    let table = try #require(patient.healthy.tables.max { (try? $0.objectCount()) ?? 0 < (try? $1.objectCount()) ?? 0 })
    let root = try Node(#require(table.clusters).root, in: patient.healthy.store)
    #expect(root.isInner && root.width == 32)
    // The second child becomes the root itself.
    let position = Int(root.ref.rawValue) + 8 + 4 * 4
    withUnsafeBytes(of: UInt32(root.ref.rawValue).littleEndian) {
      patient.bytes.replaceSubrange(position..<position + 4, with: $0)
    }
    let (text, report, _) = try patient.export(.ndjson)
    #expect(!report.isEmpty)
    #expect(!text.isEmpty)
  }

  @Test("a damaged table is named, the others are read")
  func damagedTable() throws {
    var patient = try Patient("all-types.realm")
    let tables = patient.healthy.tables
    let table = try #require(tables.first { $0.schema.isClass })
    patient.spoil(table.root)
    let (_, _, snapshot) = try patient.export(.typed)
    #expect(snapshot.damagedTables.map(\.name) == [table.schema.name])
    #expect(snapshot.tables.count == tables.count - 1)
  }

  @Test("a damaged text in a list costs that element")
  func damagedElement() throws {
    var patient = try Patient("strings.realm")
    // A long string is a separate blob; damaging one in a list does not affect the other elements.
    let found = try #require(try bigTextInList(patient))
    let (before, _) = try patient.json()
    patient.spoil(found.blob)
    let (after, report) = try patient.json()
    #expect(report.count == 1)
    #expect(report.described.first?.part == .value(property: found.property, object: found.object))
    let count = { (objects: [String: [[String: Any]]]) in
      objects[found.table.description]?.compactMap { $0[found.property.description] as? [Any] }.map(\.count).reduce(
        0, +)
    }
    #expect(try #require(count(after)) == #require(count(before)) - 1)
  }

  private func bigTextInList(
    _ patient: Patient
  ) throws -> (table: RealmString, property: RealmString, object: ObjectKey, blob: Ref)? {
    let store = patient.healthy.store
    for table in patient.healthy.tables {
      for column in table.columns where column.collection == .list && column.element.code == .string {
        for cluster in patient.clusters(of: table) {
          let roots = try Node(cluster.leafRef(column.leafIndex), in: store)
          for row in 0..<cluster.count where try !roots.childRef(row).isNull {
            let root = try Node(roots.childRef(row), in: store)
            guard !root.isInner, root.hasRefs, root.context, root.count > 1, try !root.childRef(1).isNull else {
              continue
            }
            return (table.schema.displayName, column.name, cluster.key(at: row), try root.childRef(1))
          }
        }
      }
    }
    return nil
  }
}
