import RealmExchange
import RealmInspection
import RealmModels
import RealmOpening
import RealmStorage
import RealmSystem
import RealmTools
import TestSupport
import Testing

/// A realm that a test built, in a folder that is deleted with it. The checker finds nothing wrong with it.
struct BuiltRealm {
  let bytes: [UInt8]
  let realm: TestRealm
  private let folder: TemporaryFolder

  var snapshot: Snapshot { realm.snapshot }

  init(_ build: (RealmImage) throws -> RealmRoots) throws {
    let image = RealmImage()
    bytes = image.finish(try build(image))
    folder = try TemporaryFolder()
    let path = try folder.write("built.realm", bytes)
    realm = try TestRealm(path)
    try expectSound(path)
  }

  /// A realm from a schema file and data.
  init(schema: String, data: String, _ options: DataOptions = DataOptions()) throws {
    try self.init(schema: try SchemaFile(Array(schema.utf8)).schema, data: Array(data.utf8), options)
  }

  init(schema: Schema, data: [UInt8], _ options: DataOptions = DataOptions(), chunkSize: Int = .max) throws {
    try self.init { image in
      let input = ByteSource(data, chunkSize: chunkSize)
      return try DataRealm(schema: schema, options: options).build(from: input.read, into: image).roots
    }
  }

  /// A realm with the part of another one that a filter selects.
  init(rebuilding source: Snapshot, _ filter: CopyFilter = CopyFilter()) throws {
    try self.init { image in
      let plan = try RebuildPlan(source, filter: filter)
      return try SnapshotRebuild(source, selection: plan.selection).run(into: image).roots
    }
  }

  func text(_ format: ExportFormat = .typedNDJSON) throws -> String {
    let (output, report) = try realm.export(format)
    guard report.isEmpty else { throw StorageError.file(.missing) }
    return output.text
  }

  /// The digest of the whole content.
  func digest(keys: Bool = true) throws -> Digest256 {
    var hasher = ContentHasher(snapshot)
    hasher.includesObjectKeys = keys
    return try hasher.run().digest
  }
}

/// Expects that the checker finds nothing apart from notes.
func expectSound(_ path: String, key: EncryptionKey? = nil) throws {
  var findings: [String] = []
  _ = try Checker(ByteStore.open(.path(path), key: key).store).run { finding in
    if finding.severity > .note { findings.append("\(finding)") }
  }
  #expect(findings.isEmpty)
}

/// Bytes that are provided piece by piece.
final class ByteSource {
  private let bytes: [UInt8]
  private let chunkSize: Int
  private var position = 0

  init(_ bytes: [UInt8], chunkSize: Int = .max) {
    self.bytes = bytes
    self.chunkSize = chunkSize
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position, chunkSize)
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }
}

extension InputError {
  /// The mistake in an object, if it is one.
  var data: DataMistake? { if case .data(let mistake) = self { mistake } else { nil } }
  var links: UnresolvedLinks? { if case .unresolvedLinks(let links) = self { links } else { nil } }
}
