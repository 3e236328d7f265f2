import RealmExchange
import RealmInspection
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// A copy of a snapshot in a file of its own.
final class CopiedRealm {
  private let folder: TemporaryFolder
  let path: String
  let report: CopyReport
  let bytes: [UInt8]
  let snapshot: Snapshot

  init(_ source: Snapshot, _ options: CopyOptions) throws {
    folder = try TemporaryFolder()
    path = folder.path("copy.realm")
    let copy = try RealmCopy(of: source, options)
    let measured = try copy.measure()
    let output = try copy.makeOutput(at: path, replacing: .never)
    report = try copy.write(to: output)
    try output.publish()
    bytes = try Fixture.bytes(ofFile: path)
    let opened = try ByteStore.open(.path(path), key: options.key)
    snapshot = try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
    #expect(report.written == measured)
    #expect(report.written.fileSize == UInt64(bytes.count))
    #expect(opened.isEncrypted == (options.key != nil))
    #expect(try folder.names() == ["copy.realm"])
    findings = try opened.findings()
  }

  /// What the checker says.
  let findings: [Finding]
}

extension OpenedBytes {
  /// What the checker says, errors and warnings.
  func findings() throws -> [Finding] {
    var findings: [Finding] = []
    _ = try Checker(store).run { if $0.severity != .note { findings.append($0) } }
    return findings
  }
}

extension EncryptionKey {
  static func of(_ bytes: [UInt8]) throws -> EncryptionKey {
    try bytes.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
  }
}

extension Snapshot {
  func contentHash() throws -> ContentHash { try ContentHasher(self).run() }
}
