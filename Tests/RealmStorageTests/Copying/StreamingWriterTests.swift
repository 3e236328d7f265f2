import TestSupport
import Testing

@testable import RealmStorage

struct StreamingWriterTests {
  @Test func `a compacted realm equals the one the engine writes, padding masked`() throws {
    let written = try compacted("engine/all-types.realm")
    let expected = try Fixture.bytes("engine/all-types-copy.realm")
    #expect(written.count == expected.count)
    #expect(MaskedRealm(written) == MaskedRealm(expected))
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
