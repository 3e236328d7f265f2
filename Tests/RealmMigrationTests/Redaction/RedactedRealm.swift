import RealmExchange
import RealmInspection
import RealmMigration
import RealmOpening
import RealmRedaction
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// A redacted copy of a realm, in a folder of its own. The checker finds nothing in it.
final class RedactedRealm {
  private let folder = try? TemporaryFolder()
  let path: String
  let snapshot: Snapshot
  let report: CopyReport
  let bytes: [UInt8]

  static let key = Array("a key of thirty-two bytes, or so.".utf8)

  /// - Parameters:
  ///   - rules: as YAML.
  ///   - keyBytes: the bytes of the key.
  ///   - faulty: writes something else instead.
  ///   - compares: whether each value is compared; otherwise only the search is made.
  ///   - threadLimit: threads in addition to the calling one.
  init(
    of source: Snapshot, _ rules: String, key keyBytes: [UInt8] = key, encryption: EncryptionKey? = nil,
    format: TargetFormat = .newest, filter: CopyFilter = CopyFilter(), compares: Bool = true, threadLimit: Int = 0,
    faulty: ((Redaction) -> any ValueReplacement)? = nil
  ) throws {
    let folder = try #require(folder)
    path = folder.path("copy.realm")
    let key = try #require(RedactionKey(keyBytes))
    let redaction = try Redaction(RedactionRules.parse(Array(rules.utf8), path: "rules.yml"), key, of: source)
    var options = CopyOptions(identity: .fresh)
    (options.redaction, options.key, options.format) = (redaction, encryption, format)
    (options.filter, options.verifies, options.threadLimit) = (filter, compares, threadLimit)
    options.mappingInsteadOfRedaction = faulty?(redaction)
    let copy = try RealmCopy(of: source, options)
    let output = try copy.makeOutput(at: path, replacing: .never)
    report = try copy.write(to: output)
    try output.publish()
    bytes = try Fixture.bytes(ofFile: path)
    let opened = try ByteStore.open(.path(path), key: encryption)
    var findings: [String] = []
    _ = try Checker(opened.store).run { if $0.severity != .note { findings.append($0.message) } }
    #expect(findings == [])
    snapshot = try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
  }

  /// The value of a property of an object, counted from 0.
  func value(_ property: String, of className: String = "A", object: Int = 0) throws -> Value {
    try snapshot.value(property, of: className, object: object)
  }
}

extension Snapshot {
  func value(_ property: String, of className: String = "A", object: Int = 0) throws -> Value {
    let found = self.table(displayName: RealmString(className))
    let table = try #require(found)
    let index = try #require(table.schema.properties.firstIndex { $0.name == RealmString(property) })
    var values: [Value] = []
    try table.forEachBatch(in: self) { batch in
      let column = try batch.values(ofProperty: index)
      for row in 0..<batch.count { values.append(try Value(column.value(at: row), collectionWalk())) }
    }
    return try #require(values.indices.contains(object) ? values[object] : nil)
  }
}

extension PlanCase {
  /// The realm as it is.
  func opened() throws -> Snapshot {
    let opened = try ByteStore.open(.path(path), key: key)
    return try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
  }
}
