import RealmExchange
import RealmStorage
import TestSupport

/// Collects the text of an export.
final class TextCollector: TextSink, @unchecked Sendable {
  private(set) var bytes: [UInt8] = []

  func write(_ bytes: UnsafeRawBufferPointer) throws { self.bytes.append(contentsOf: bytes) }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A realm opened for a test.
struct TestRealm {
  let snapshot: Snapshot

  /// - Parameter path: a file; one whose name says so is opened with the fixtures' key.
  init(_ path: String, key: [UInt8]? = nil) throws {
    let isEncrypted = path.contains("encrypted")
    let material = key ?? (isEncrypted ? Fixture.engineKey : nil)
    let key = try material?.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
    let opened = try ByteStore.open(.path(path), key: key)
    snapshot = try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
  }

  /// Exports everything, or the classes named.
  func export(
    _ format: ExportFormat, classes: [String]? = nil, threads: Int = 1,
    _ adjust: (inout ExportOptions) -> Void = { _ in }
  ) throws -> (output: TextCollector, report: DamageReport) {
    let all = ExportOptions.allTables(of: snapshot, format: format, includesInternal: false)
    let tables = classes.map { names in
      snapshot.tables.filter { table in
        table.schema.isClass && names.contains { table.schema.displayName == RealmString($0) }
      }
    }
    var options = ExportOptions(format: format, tables: tables ?? all)
    options.isSingleClass = classes?.count == 1
    options.threadCount = threads
    adjust(&options)
    let output = TextCollector()
    let report = try Exporter(snapshot, options: options, sink: output).run()
    return (output, report)
  }
}
