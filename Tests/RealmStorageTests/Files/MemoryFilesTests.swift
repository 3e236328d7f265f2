import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage
@testable import RealmSystem

@Suite("Files whose changes stay in memory") struct MemoryFilesTests {
  private func read(_ files: MemoryFiles, _ path: String) throws -> [UInt8] {
    let descriptor = try files.open(path, .reading)
    defer { files.close(descriptor) }
    var bytes = [UInt8](repeating: 0xee, count: 300_000)
    let count = try bytes.withUnsafeMutableBytes { try files.readFully(descriptor, into: $0, at: 0) }
    return Array(bytes[..<count])
  }

  private func write(
    _ files: MemoryFiles, _ path: String, _ opening: OutputOpening, _ bytes: [UInt8], at offset: UInt64
  )
    throws
  {
    let descriptor = try files.open(path, opening)
    defer { files.close(descriptor) }
    try bytes.withUnsafeBytes { try files.writeFully(descriptor, $0, at: offset) }
  }

  @Test("what is written is there for these calls, and the file of the system stays as it is")
  func changes() throws {
    let folder = try TemporaryFolder()
    let original = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let path = try folder.write("a", original)
    try leavingUntouched(path) { path in
      let files = MemoryFiles(.dryRun)
      #expect(try read(files, path) == original)
      var expected = original
      // Across a border between blocks, and after the end with a hole in between.
      for (offset, bytes) in [(65_530, [UInt8](repeating: 1, count: 20)), (250_000, [2, 3])] {
        try write(files, path, .existing, bytes, at: UInt64(offset))
        if expected.count < offset + bytes.count {
          expected += [UInt8](repeating: 0, count: offset + bytes.count - expected.count)
        }
        expected.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      }
      #expect(try read(files, path) == expected)
      #expect(try files.status(ofPath: path).size == UInt64(expected.count))
      #expect(try files.status(ofPath: path).identity == SystemFileCalls().status(ofPath: path).identity)
    }
  }

  @Test("what is cut off does not come back") func truncation() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a", [UInt8](repeating: 9, count: 100_000))
    let files = MemoryFiles(.dryRun)
    let descriptor = try files.open(path, .existing)
    try files.truncate(descriptor, to: 10)
    try files.reserve(descriptor, from: 10, to: 70_000)
    #expect(try read(files, path) == [UInt8](repeating: 9, count: 10) + [UInt8](repeating: 0, count: 69_990))
    files.close(descriptor)
  }

  @Test("files are made, renamed, linked and removed in memory") func names() throws {
    let folder = try TemporaryFolder()
    let old = try folder.write("old", [1])
    let files = MemoryFiles(.dryRun)
    try write(files, folder.path("new"), .create(mode: 0o600), [1, 2, 3], at: 0)
    #expect(throws: SystemCallError.self) { try files.open(folder.path("new"), .create(mode: 0o600)) }
    #expect(throws: SystemCallError.self) { try files.renameExclusively(folder.path("new"), to: old) }
    try files.rename(folder.path("new"), to: old)
    #expect(try read(files, old) == [1, 2, 3])
    #expect(throws: SystemCallError.self) { try files.status(ofPath: folder.path("new")) }
    try files.link(old, to: folder.path("new"))
    try files.unlink(old)
    #expect(throws: SystemCallError.self) { try read(files, old) }
    #expect(try read(files, folder.path("new")) == [1, 2, 3])
    #expect(try folder.names() == ["old"])
    #expect(try Fixture.bytes(ofFile: old) == [1])
  }

  @Test("a dryRun is refused what the system would refuse; a scratch copy is not") func permissions() throws {
    let missing = "/nonexistent/folder/file"
    #expect(throws: SystemCallError.self) { try MemoryFiles(.dryRun).open(missing, .create(mode: 0o600)) }
    #expect(try MemoryFiles(.scratch).open(missing, .create(mode: 0o600)) > 0)
    #expect(throws: SystemCallError.self) { try MemoryFiles(.scratch).open(missing, .existing) }
  }

  @Test("a realm is written, compared and read there like anywhere else") func realms() throws {
    let fixture = OpenableFixture.named("dogs")
    let snapshot = try fixture.opened()
    let folder = try TemporaryFolder()
    try FileBackend.$calls.withValue(MemoryFiles(.dryRun)) {
      let output = try SafeOutput(at: folder.path("a.realm"), replacing: .never)
      _ = try StreamingWriter(key: nil, threadLimit: 0).write(
        SnapshotNodes(of: snapshot, keepsHistory: false), .fresh, to: output)
      try output.close()
      try output.publish()
      let opened = try ByteStore.open(.path(folder.path("a.realm")), key: nil)
      var findings = 0
      _ = try Checker(opened.store).run { finding in findings += finding.severity == .note ? 0 : 1 }
      #expect(findings == 0)
      #expect(try Snapshot(of: opened.store).schema == snapshot.schema)
    }
    #expect(try folder.names().isEmpty)
  }
}
