/// All nodes of a realm in memory, which can be changed and written again.
///
/// ```swift
/// let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
/// try tree.table("class_Dog").leaf("age").values[0] = 7
/// let damaged = tree.written()
/// ```
///
/// Writing lays all nodes out anew, each directly behind the one before, so that a change leaves no gap: what a check
/// finds is the change itself. A node that is put into two places is written once and referred to twice.
public final class NodeTree {
  /// The top array.
  public let root: EditableNode
  public var format: UInt8

  /// Why bytes cannot be edited.
  public struct Problem: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
  }

  /// - Parameter bytes: a realm in plain, sound enough to be read.
  public init(_ bytes: [UInt8]) throws {
    let reader = ByteReader(bytes)
    let isSecond = bytes[23] & 1 != 0
    format = isSecond ? bytes[21] : bytes[20]
    var top = reader.number(at: isSecond ? 8 : 0)
    if !isSecond, top == .max { top = reader.number(at: bytes.count - 16) }
    guard top != 0 else { throw Problem("a file without content") }
    var loaded: [UInt64: EditableNode] = [:]
    root = try reader.node(at: top, &loaded)
  }

  // MARK: Writing

  public enum Form {
    /// As a copy is written.
    case streaming
    /// As a commit leaves a file: pages, the rest of the last one free.
    case normal
  }

  /// The bytes of a realm with these nodes.
  public func written(_ form: Form = .streaming) -> [UInt8] {
    var writer = NodeWriter()
    let free = (3...5).map { _ in EditableNode.numbers([]) }
    if root.count > 5 {
      for slot in 3...5 { root.elements[slot] = .child(free[slot - 3]) }
    }
    // The size of what comes last depends on nothing but the number of slots.
    root.width = 64
    for slot in root.elements.indices where !(3...5).contains(slot) {
      if case .child(let child) = root.elements[slot] { _ = writer.write(child) }
    }
    let freeListSize = root.count > 5 ? (form == .normal ? 3 * 16 : 3 * 8) : 0
    let end = writer.bytes.count + freeListSize + 8 + root.count * 8
    let size = form == .streaming ? end : (end + 8 + 4095) / 4096 * 4096
    if form == .normal, root.count > 5 {
      for (list, value) in zip(free, [end, size - end, 0]) { (list.values, list.width) = ([Int64(value)], 64) }
    }
    root.elements[2] = .tagged(Int64(size))
    let top = writer.write(root)
    return form == .streaming ? streaming(writer.bytes, top) : normal(writer.bytes, top, size)
  }

  private func streaming(_ nodes: [UInt8], _ top: UInt64) -> [UInt8] {
    var bytes = nodes
    bytes.replaceSubrange(0..<24, with: [UInt8](repeating: 0xff, count: 8) + [UInt8](repeating: 0, count: 8))
    bytes.insert(contentsOf: Array("T-DB".utf8) + [format, 0, 0, 0], at: 16)
    bytes.append(contentsOf: NodeWriter.littleEndian(top, 8))
    bytes.append(contentsOf: NodeWriter.littleEndian(0x3034_1252_37e5_26c8, 8))
    return bytes
  }

  private func normal(_ nodes: [UInt8], _ top: UInt64, _ size: Int) -> [UInt8] {
    var bytes = nodes + [UInt8](repeating: 0, count: size - nodes.count)
    let header =
      NodeWriter.littleEndian(top, 8) + [UInt8](repeating: 0, count: 8) + Array("T-DB".utf8) + [format, 0, 0, 0]
    bytes.replaceSubrange(0..<24, with: header)
    return bytes
  }

  // MARK: Finding

  /// The table of a name.
  public func table(_ name: String) throws -> EditableTable {
    guard let names = root.child(0), let tables = root.child(1) else { throw Problem("no tables") }
    let all = ShortNames.texts(names)
    guard let slot = all.firstIndex(of: name), let top = tables.child(slot) else { throw Problem("no table \(name)") }
    return EditableTable(top: top, slot: slot)
  }

  public var tableNames: [String] { root.child(0).map(ShortNames.texts) ?? [] }
}

/// The nodes of one table (Docs/Format/3-tables-and-objects.md §2–4).
public struct EditableTable {
  public let top: EditableNode
  public let slot: Int

  public var spec: EditableNode { get throws { try child(0, "spec") } }
  public var clusterRoot: EditableNode { get throws { try child(2, "clusters") } }
  public var tombstoneRoot: EditableNode { get throws { try child(13, "tombstones") } }

  private func child(_ slot: Int, _ name: String) throws -> EditableNode {
    guard let node = top.child(slot) else { throw NodeTree.Problem("no \(name)") }
    return node
  }

  /// Column keys in the order of the spec.
  public var columnKeys: [Int64] { get throws { try spec.child(5)?.values ?? [] } }

  /// Position of a public column in the spec.
  public func specIndex(_ column: String) throws -> Int {
    guard let index = try spec.child(1).map(ShortNames.texts)?.firstIndex(of: column) else {
      throw NodeTree.Problem("no column \(column)")
    }
    return index
  }

  /// Position of a public column in clusters, slot 0 not counted.
  public func leafIndex(_ column: String) throws -> Int { Int(try columnKeys[specIndex(column)] & 0xffff) }

  /// Positions of the backlink columns in clusters.
  public var backlinkLeafIndexes: [Int] {
    get throws { try columnKeys.filter { $0 >> 16 & 0x3f == 14 }.map { Int($0 & 0xffff) } }
  }

  /// All clusters in order.
  public func clusters(tombstones: Bool = false) throws -> [EditableNode] {
    func below(_ node: EditableNode) -> [EditableNode] {
      node.isInner ? node.elements.indices.dropFirst(3).compactMap { node.child($0) }.flatMap(below) : [node]
    }
    return below(tombstones ? try tombstoneRoot : try clusterRoot)
  }

  public func cluster(_ index: Int = 0) throws -> EditableNode {
    let all = try clusters()
    guard index < all.count else { throw NodeTree.Problem("no cluster \(index)") }
    return all[index]
  }

  /// The leaf of a column in a cluster.
  public func leaf(_ column: String, cluster index: Int = 0) throws -> EditableNode {
    guard let leaf = try cluster(index).child(leafIndex(column) + 1) else {
      throw NodeTree.Problem("no leaf \(column)")
    }
    return leaf
  }

  /// The root of the search index of a column.
  public func index(_ column: String) throws -> EditableNode {
    guard let index = try top.child(4)?.child(leafIndex(column)) else { throw NodeTree.Problem("no index \(column)") }
    return index
  }
}

/// Names in a node of short strings.
public enum ShortNames {
  public static func texts(_ node: EditableNode) -> [String] {
    let width = node.width
    guard width > 0 else { return Array(repeating: "", count: node.count) }
    return (0..<node.count).map { index in
      let field = node.bytes[index * width..<(index + 1) * width]
      let padding = Int(field.last ?? 0)
      return padding < width ? String(decoding: field.dropLast(padding + 1), as: UTF8.self) : ""
    }
  }

  /// The field of a name at a width.
  public static func field(_ name: String, width: Int) -> [UInt8] {
    let text = Array(name.utf8)
    return text + [UInt8](repeating: 0, count: width - 1 - text.count) + [UInt8(width - 1 - text.count)]
  }
}
