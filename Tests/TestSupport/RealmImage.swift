import RealmStorage

/// A realm in memory that is being written, in the streaming form of a copy (Docs/Format/1-container.md §1.3, §6.1).
///
/// The tests' own minimal container, for code that builds the tables of a realm.
package final class RealmImage: NodeOutput {
  package private(set) var bytes = [UInt8](repeating: 0, count: 24)

  package init() {}

  package func append(_ node: UnsafeRawBufferPointer) throws -> Ref {
    let ref = Ref(UInt64(bytes.count))
    bytes.append(contentsOf: node)
    return ref
  }

  /// Adds root, header and footer.
  ///
  /// - Returns: the bytes of the file, with an empty history inside the realm, like a copy for an SDK (§3.6).
  package func finish(_ roots: RealmRoots) -> [UInt8] {
    // Nothing is free, but the engine needs the lists when it copies the file.
    let lists = (0..<3).map { _ in
      defer { bytes += [0x41, 0x41, 0x41, 0x41, 0, 0, 0, 0] }
      return UInt64(bytes.count)
    }
    let top = UInt64(bytes.count)
    let slots: [UInt64] =
      [roots.tableNames.rawValue, roots.tables.rawValue, Self.tagged(top + 8 + 11 * 8)] + lists
      + [Self.tagged(1), Self.tagged(2), 0, Self.tagged(1), Self.tagged(0)]
    bytes += [0x41, 0x41, 0x41, 0x41, 0x47, 0, 0, UInt8(slots.count)]
    for slot in slots { append(slot) }
    append(top)
    append(0x3034_1252_37E5_26C8)
    bytes.replaceSubrange(0..<24, with: Self.header)
    return bytes
  }

  private static let header: [UInt8] =
    [UInt8](repeating: 0xff, count: 8) + [UInt8](repeating: 0, count: 8) + Array("T-DB".utf8) + [24, 24, 0, 0]

  private static func tagged(_ number: UInt64) -> UInt64 { number << 1 | 1 }

  private func append(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
}
