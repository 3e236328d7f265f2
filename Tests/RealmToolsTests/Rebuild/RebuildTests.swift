import Foundation
import RealmExchange
import RealmStorage
import TestSupport
import Testing

/// Realms of every format, rebuilt as format 24: the same content, by hash and word for word.
@Suite struct RebuildTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let path: String
    var testDescription: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }
  }

  static let cases = (Fixture.all(in: "engine") + Fixture.all(in: "real")).map { Case(path: $0) }.filter { test in
    let name = test.testDescription
    return !name.hasPrefix("v00") && !name.hasPrefix("encrypted")
  }

  @Test("holds what its source holds", arguments: cases)
  func sameContent(_ test: Case) throws {
    let before = try FileState(test.path)
    let source = try TestRealm(test.path)
    let built = try BuiltRealm(rebuilding: source.snapshot)
    #expect(built.snapshot.header.format == 24)
    #expect(try ContentHasher(source.snapshot).run() == ContentHasher(built.snapshot).run())
    // Tables, their order and their objects' keys stay, internal tables included.
    for format in [ExportFormat.coreXJSONPlus, .typed] {
      let (old, new) = (try source.export(format), try built.realm.export(format))
      #expect(old.report.isEmpty && new.report.isEmpty)
      #expect(old.output.bytes == new.output.bytes)
    }
    #expect(built.snapshot.tables.map(\.key) == source.snapshot.tables.map(\.key))
    #expect(built.snapshot.schema.version == source.snapshot.schema.version)
    #expect(try BuiltRealm(rebuilding: source.snapshot).bytes == built.bytes)
    #expect(try FileState(test.path) == before)
  }

  @Test func `primary keys of old formats get an index`() throws {
    for test in Self.cases {
      let built = try BuiltRealm(rebuilding: TestRealm(test.path).snapshot)
      for table in built.snapshot.tables { #expect(table.schema.primaryKey?.index ?? .general == .general) }
    }
  }

  @Test func `a damaged source is not rebuilt in part`() throws {
    var bytes = try Fixture.bytes("engine/person-v1.realm")
    let text = Array("Gordon".utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
    // The last byte of the field of 16 counts its unused ones.
    bytes[place + 15] = 0x20
    let folder = try TemporaryFolder()
    let source = try TestRealm(try folder.write("damaged.realm", bytes))
    #expect(throws: StorageError.self) { try BuiltRealm(rebuilding: source.snapshot) }
    #expect(throws: StorageError.self) { try ContentHasher(source.snapshot).run() }
  }

  /// The order of such sets is ignored in a format that has another order for strings.
  @Test func `numbers of an old set that are in no order come in order`() throws {
    let schema = #"{"classes":[{"name":"A","properties":{"s":{"type":"set","objectType":"mixed"}}}]}"#
    let built = try BuiltRealm(schema: schema, data: #"{"A":[{"s":[1,2,3,4]}]}"#)
    let tree = try NodeTree(built.bytes)
    tree.format = 22
    let set = try #require(try tree.table("class_A").leaf("s").child(0))
    try #require(set.child(0)).values.reverse()
    let folder = try TemporaryFolder()
    let source = try TestRealm(try folder.write("old.realm", tree.written()))
    let rebuilt = try BuiltRealm(rebuilding: source.snapshot)
    #expect(try rebuilt.text().contains("1,2,3,4"))
    #expect(try ContentHasher(source.snapshot).run() == ContentHasher(rebuilt.snapshot).run())
  }

  @Test func `work can be ended between objects`() throws {
    struct Interrupted: Error {}
    let source = try TestRealm(Fixture.path("engine/deep-tree.realm")).snapshot
    var seen: [Int] = []
    #expect(throws: Interrupted.self) {
      _ = try SnapshotRebuild(source).run(into: RealmImage()) { count in
        seen.append(count)
        if count > 1000 { throw Interrupted() }
      }
    }
    #expect(seen.count > 2)
    #expect(seen == seen.sorted())
  }
}
