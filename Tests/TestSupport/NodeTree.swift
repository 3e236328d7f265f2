/// All nodes of a realm in memory, which can be changed and written again.
///
/// ```swift
/// let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
/// try tree.table("class_Dog").leaf("age").values[0] = 7
/// let damaged = tree.written()
/// ```
///
/// Writing lays all nodes out again, each directly after the one before, so that a change leaves no gap: a check then
/// finds only the change itself. A node in two places is written once and referred to twice.
package final class NodeTree {
  /// The top array.
  package let root: EditableNode
  package var format: UInt8

  /// Why bytes cannot be edited.
  package struct Problem: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
  }

  /// - Parameter bytes: an unencrypted realm, sound enough to be read.
  package init(_ bytes: [UInt8]) throws {
    let reader = ByteReader(bytes)
    let isSecond = bytes[23] & 1 != 0
    format = isSecond ? bytes[21] : bytes[20]
    var top = reader.number(at: isSecond ? 8 : 0)
    if !isSecond, top == .max { top = reader.number(at: bytes.count - 16) }
    guard top != 0 else { throw Problem("a file without content") }
    var loaded: [UInt64: EditableNode] = [:]
    root = try reader.node(at: top, &loaded)
  }

  /// - Parameter root: the top array, with places for the free lists.
  package init(root: EditableNode, format: UInt8) { (self.root, self.format) = (root, format) }

  // MARK: Writing

  package enum Form: Sendable {
    /// As in a copy.
    case streaming
    /// As after a commit: whole pages, with the rest of the last one free.
    case normal
  }

  /// Nodes that are written although nothing refers to them.
  package var unreferenced: [EditableNode] = []
  /// The entries of the free list of a normal file, given its free bytes; a single entry for all of them if nil. The
  /// number of entries must not depend on the bytes.
  package var freeEntries: ((Range<Int64>) -> [FreeEntry])?
  /// Changes the three lists of free space just before they are written.
  package var editFreeLists: (([EditableNode]) -> Void)?

  package struct FreeEntry {
    package var position: Int64
    package var length: Int64
    package var version: Int64

    package init(_ position: Int64, _ length: Int64, version: Int64 = 0) {
      (self.position, self.length, self.version) = (position, length, version)
    }

    package init(_ range: Range<Int64>) { self.init(range.lowerBound, range.upperBound - range.lowerBound) }
  }

  /// The bytes of a realm with these nodes.
  package func written(_ form: Form = .streaming) -> [UInt8] {
    var writer = NodeWriter()
    let lists = (3...5).map { _ in EditableNode.numbers([], width: 64) }
    if root.count > 5 {
      for slot in 3...5 { root.elements[slot] = .child(lists[slot - 3]) }
    }
    for node in unreferenced { _ = writer.write(node) }
    for slot in root.elements.indices where !(3...5).contains(slot) {
      if case .child(let child) = root.elements[slot] { _ = writer.write(child) }
    }
    // The last part has a size that is known in advance: the widest elements, as many as there are slots and entries.
    root.width = 64
    let entries = { (range: Range<Int64>) in self.freeEntries?(range) ?? [FreeEntry(range)] }
    let entryCount = form == .normal && root.count > 5 ? entries(0..<4096).count : 0
    let lastNodes = (root.count > 5 ? 3 * (8 + 8 * entryCount) : 0) + 8 + 8 * root.count
    let end = writer.bytes.count + lastNodes
    let size = form == .streaming ? end : (end + 1024 + 4095) / 4096 * 4096
    if entryCount > 0 {
      let free = entries(Int64(end)..<Int64(size))
      (lists[0].values, lists[1].values) = (free.map(\.position), free.map(\.length))
      lists[2].values = free.map(\.version)
    }
    editFreeLists?(lists)
    root.elements[2] = .tagged(Int64(size))
    let top = writer.write(root)
    return form == .streaming ? streaming(writer.bytes, top) : normal(writer.bytes, top, size)
  }

  private func streaming(_ nodes: [UInt8], _ top: UInt64) -> [UInt8] {
    let header = [UInt8](repeating: 0xff, count: 8) + [UInt8](repeating: 0, count: 8) + mnemonicAndFormat
    return header + nodes.dropFirst(24) + NodeWriter.littleEndian(top, 8)
      + NodeWriter.littleEndian(0x3034_1252_37e5_26c8, 8)
  }

  private func normal(_ nodes: [UInt8], _ top: UInt64, _ size: Int) -> [UInt8] {
    let header = NodeWriter.littleEndian(top, 8) + [UInt8](repeating: 0, count: 8) + mnemonicAndFormat
    return header + nodes.dropFirst(24) + [UInt8](repeating: 0, count: max(0, size - nodes.count))
  }

  private var mnemonicAndFormat: [UInt8] { Array("T-DB".utf8) + [format, 0, 0, 0] }

  // MARK: Finding

  /// The table with a name.
  package func table(_ name: String) throws -> EditableTable {
    guard let names = root.child(0), let tables = root.child(1) else { throw Problem("no tables") }
    let all = ShortNames.texts(names)
    guard let slot = all.firstIndex(of: name), let top = tables.child(slot) else { throw Problem("no table \(name)") }
    return EditableTable(top: top, slot: slot)
  }

  package var tableNames: [String] { root.child(0).map(ShortNames.texts) ?? [] }
}

/// The nodes of one table (Docs/Format/3-tables-and-objects.md §2–4).
package struct EditableTable {
  package let top: EditableNode
  package let slot: Int

  package var spec: EditableNode { get throws { try child(0, "spec") } }
  package var clusterRoot: EditableNode { get throws { try child(2, "clusters") } }
  package var tombstoneRoot: EditableNode { get throws { try child(13, "tombstones") } }

  private func child(_ slot: Int, _ name: String) throws -> EditableNode {
    guard let node = top.child(slot) else { throw NodeTree.Problem("no \(name)") }
    return node
  }

  /// Column keys in the order of the spec.
  package var columnKeys: [Int64] { get throws { try spec.child(5)?.values ?? [] } }

  /// Position of a public column in the spec.
  package func specIndex(_ column: String) throws -> Int {
    guard let index = try spec.child(1).map(ShortNames.texts)?.firstIndex(of: column) else {
      throw NodeTree.Problem("no column \(column)")
    }
    return index
  }

  /// Position of a public column in clusters, slot 0 not counted.
  package func leafIndex(_ column: String) throws -> Int { Int(try columnKeys[specIndex(column)] & 0xffff) }

  /// Positions of the backlink columns in clusters.
  package var backlinkLeafIndexes: [Int] {
    get throws { try columnKeys.filter { $0 >> 16 & 0x3f == 14 }.map { Int($0 & 0xffff) } }
  }

  /// All clusters in order.
  package func clusters(tombstones: Bool = false) throws -> [EditableNode] {
    func below(_ node: EditableNode) -> [EditableNode] {
      node.isInner ? node.elements.indices.dropFirst(3).compactMap { node.child($0) }.flatMap(below) : [node]
    }
    return below(tombstones ? try tombstoneRoot : try clusterRoot)
  }

  package func cluster(_ index: Int = 0) throws -> EditableNode {
    let all = try clusters()
    guard index < all.count else { throw NodeTree.Problem("no cluster \(index)") }
    return all[index]
  }

  /// The leaf of a column in a cluster.
  package func leaf(_ column: String, cluster index: Int = 0) throws -> EditableNode {
    guard let leaf = try cluster(index).child(leafIndex(column) + 1) else {
      throw NodeTree.Problem("no leaf \(column)")
    }
    return leaf
  }

  /// The root of the search index of a column.
  package func index(_ column: String) throws -> EditableNode {
    guard let index = try top.child(4)?.child(leafIndex(column)) else { throw NodeTree.Problem("no index \(column)") }
    return index
  }
}

/// Names in a node of short strings.
package enum ShortNames {
  package static func texts(_ node: EditableNode) -> [String] {
    let width = node.width
    guard width > 0 else { return Array(repeating: "", count: node.count) }
    return (0..<node.count).map { index in
      let field = node.bytes[index * width..<(index + 1) * width]
      let padding = Int(field.last ?? 0)
      return padding < width ? String(decoding: field.dropLast(padding + 1), as: UTF8.self) : ""
    }
  }

  /// The field of a name at a width.
  package static func field(_ name: String, width: Int) -> [UInt8] {
    let text = Array(name.utf8)
    return text + [UInt8](repeating: 0, count: width - 1 - text.count) + [UInt8(width - 1 - text.count)]
  }
}
