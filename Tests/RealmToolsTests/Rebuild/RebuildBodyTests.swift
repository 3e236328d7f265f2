import Foundation
import RealmExchange
import RealmModels
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// Rebuilt realms and realms from data as files, plain and encrypted, and the reports about them.
@Suite struct RebuildBodyTests {
  private static let schema = #"{"schemaVersion":4,"classes":[{"name":"A","properties":{"v":"int"}}]}"#

  private func write(_ body: some RealmBody, to path: String, key: EncryptionKey? = nil) throws {
    let output = try SafeOutput(at: path, replacing: .never)
    let written = try StreamingWriter(key: key, threadLimit: 2).write(body, .fresh, to: output)
    try output.close()
    try output.publish()
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64
    #expect(size == written.fileSize)
    try expectSound(path, key: key)
  }

  @Test("is written and compared with its source", arguments: ["all-types", "deep-tree", "no-tables", "strings"])
  func rebuilt(_ name: String) throws {
    let path = Fixture.path("engine/\(name).realm")
    let before = try FileState(path)
    let source = try TestRealm(path).snapshot
    let folder = try TemporaryFolder()
    let body = RebuildBody(source, try RebuildPlan(source).selection)
    try write(body, to: folder.path("plain.realm"))
    #expect(try body.report.objectCount == source.tables.reduce(0) { $0 + (try $1.objectCount()) })
    let key = try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
    try write(body, to: folder.path("encrypted.realm"), key: key)
    try write(body, to: folder.path("encrypted-again.realm"), key: key)
    for file in ["plain.realm", "encrypted.realm"] {
      let copy = try TestRealm(folder.path(file)).snapshot
      #expect(try ContentVerifier(source: source).verify(copy) == ContentHasher(source).run())
      #expect(copy.historyKind == .inRealm && copy.historySchemaVersion == 1 && copy.version == 1)
    }
    #expect(
      try Fixture.bytes(ofFile: folder.path("encrypted.realm"))
        == Fixture.bytes(ofFile: folder.path("encrypted-again.realm")))
    #expect(try FileState(path) == before)
  }

  @Test func `an encrypted source is read page by page`() throws {
    let path = Fixture.path("engine/all-types-encrypted.realm")
    let before = try FileState(path)
    let source = try TestRealm(path).snapshot
    let plain = try TestRealm(Fixture.path("engine/all-types.realm")).snapshot
    let folder = try TemporaryFolder()
    try write(RebuildBody(source, try RebuildPlan(source).selection), to: folder.path("copy.realm"))
    try write(RebuildBody(plain, try RebuildPlan(plain).selection), to: folder.path("plain.realm"))
    #expect(try Fixture.bytes(ofFile: folder.path("copy.realm")) == Fixture.bytes(ofFile: folder.path("plain.realm")))
    #expect(try FileState(path) == before)
  }

  @Test func `a copy that holds something else is told by class`() throws {
    let folder = try TemporaryFolder()
    let source = try TestRealm(Fixture.path("engine/dogs.realm")).snapshot
    let other = try TestRealm(Fixture.path("engine/todo.realm")).snapshot
    #expect(throws: WrittenFault.differs(classes: ["Dog", "Person", "Todo", "Toy"], schemaVersion: true)) {
      try ContentVerifier(source: source).verify(other)
    }
    var filter = CopyFilter()
    filter.classes.only = ["Toy"]
    let plan = try RebuildPlan(source, filter: filter)
    try write(RebuildBody(source, plan.selection), to: folder.path("toys.realm"))
    let toys = try TestRealm(folder.path("toys.realm")).snapshot
    #expect(try ContentVerifier(source: source, plan: plan).verify(toys).classes.map(\.name) == ["Toy"])
    #expect(throws: WrittenFault.self) { try ContentVerifier(source: source).verify(toys) }
  }

  @Test func `data becomes a file with its facts`() throws {
    let folder = try TemporaryFolder()
    let data = Array((0..<1000).map { "{\"v\":\($0)}" }.joined(separator: "\n").utf8)
    let path = try folder.write("data.ndjson", data)
    let schema = try SchemaFile(Array(Self.schema.utf8)).schema
    let body = DataBody(schema: schema, dataAt: [path])
    var progress: [Int] = []
    body.onProgress = { progress.append($0) }
    try write(body, to: folder.path("seed.realm"))
    #expect(body.report.objectCounts.map(\.objectCount) == [1000])
    #expect(progress.last == data.count)
    let manifest = try BundleManifest(ofFileAt: folder.path("seed.realm"))
    #expect(manifest.classes.map(\.name) == ["A"])
    #expect(manifest.classes.map(\.objectCount) == [1000])
    #expect(manifest.schemaVersion == 4)
    #expect(manifest.format == 24 && !manifest.isEncrypted)
    let bytes = try Fixture.bytes(ofFile: folder.path("seed.realm"))
    #expect(manifest.byteCount == UInt64(bytes.count))
    #expect(manifest.fileDigest.description == (try shaSum(folder.path("seed.realm"))))
    #expect(try Fixture.bytes(ofFile: path) == data)
    #expect(try folder.names() == ["data.ndjson", "seed.realm"])
  }

  /// SHA-256 computed by the system's own program.
  private func shaSum(_ path: String) throws -> String {
    let data = try Process.output(of: ["sha256sum", path])
    return String(String(decoding: data, as: UTF8.self).prefix(64))
  }

  @Test func `data that ends in a fault leaves no file`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("data.json", Array("{\"A\":[{\"v\":1},{\"v\":\"x\"}]}".utf8))
    let schema = try SchemaFile(Array(Self.schema.utf8)).schema
    let fault = #expect(throws: InputError.self) {
      try write(DataBody(schema: schema, dataAt: [path]), to: folder.path("seed.realm"))
    }
    guard case .input(0, InputError.data) = fault else { throw try #require(fault) }
    let none = folder.path("none.json")
    let missing = #expect(throws: InputError.self) {
      try write(DataBody(schema: schema, dataAt: [none]), to: folder.path("seed.realm"))
    }
    guard case .input(0, StorageError.file(.missing)) = missing else { throw try #require(missing) }
    #expect(try folder.names() == ["data.json"])
  }
}
