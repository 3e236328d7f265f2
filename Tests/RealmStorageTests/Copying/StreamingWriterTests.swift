import TestSupport
import Testing

@testable import RealmStorage

struct StreamingWriterTests {
  @Test func `a compacted realm equals the one the engine writes up to the history, padding masked`() throws {
    let written = try compacted("engine/all-types.realm")
    let expected = try Fixture.bytes("engine/all-types-copy.realm")
    let folder = try TemporaryFolder()
    let copy = try ByteStore.open(.path(folder.write("copy.realm", written)), key: nil)
    // Before the leaf of the history is its one empty value.
    let end = Int(try #require(Snapshot(of: copy.store).top).history.rawValue) - NodeHeader.size
    #expect(MaskedRealm(written).bytes.prefix(end) == MaskedRealm(expected).bytes.prefix(end))
  }
}

/// A compacted copy in memory.
func compacted(_ fixture: String, sourceKey: [UInt8]? = nil, key: [UInt8]? = nil) throws -> [UInt8] {
  let sourceKey = try sourceKey.map { try EncryptionKey.of($0) }
  let opened = try ByteStore.open(.path(Fixture.path(fixture)), key: sourceKey)
  let snapshot = try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
  let output = MemoryOutput()
  let writer = StreamingWriter(key: try key.map { try EncryptionKey.of($0) }, threadLimit: 3)
  let body = SnapshotNodes(of: snapshot, keepsHistory: true)
  let written = try writer.write(body, RealmIdentity(of: snapshot), into: output)
  #expect(written.fileSize == UInt64(output.bytes.count))
  return output.bytes
}
