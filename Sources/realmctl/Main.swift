import RealmStorage
import RealmTools

#if canImport(Glibc)
  import Glibc
#endif
final class Out: TextSink, @unchecked Sendable {
  func write(_ b: UnsafeRawBufferPointer) throws {
    var off = 0;
    while off < b.count { let n = Glibc.write(1, b.baseAddress! + off, b.count - off); if n < 0 { break }; off += n }
  }
}
@main struct M {
  static func main() throws {
    let a = CommandLine.arguments
    let raw = (0..<64).map { UInt8($0) }
    let key = a.count > 4 ? try raw.withUnsafeBytes { try EncryptionKey(rawBytes: $0) } : nil
    let o = try ByteStore.open(.path(a[1]), key: key)
    let s = try Snapshot(of: o.store, wasDecrypted: o.isEncrypted)
    let f = ExportFormat(rawValue: a[2])!
    var e = ExportOptions(format: f, tables: ExportOptions.allTables(of: s, format: f, includesInternal: false))
    e.threadCount = Int(a[3])!
    let r = try Exporter(s, options: e, sink: Out()).run()
    if !r.isEmpty || !s.damagedTables.isEmpty { print("\(r) \(s.damagedTables)") }
  }
}
