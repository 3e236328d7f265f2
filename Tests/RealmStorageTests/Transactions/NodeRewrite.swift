import RealmInspection
import TestSupport

@testable import RealmStorage

/// A transaction that changes only the places of nodes: some are rewritten, together with all nodes above them.
struct NodeRewrite {
  let source: ByteStore
  let output: TransactionOutput
  var dice: SeededDice
  /// Rewrites one of this many nodes.
  let share: UInt64

  /// - Returns: the refs that replace the old ones.
  mutating func roots(of top: TopArray) throws -> RealmRoots {
    RealmRoots(tableNames: try rewritten(top.tableNames), tables: try rewritten(top.tables))
  }

  private mutating func rewritten(_ ref: Ref) throws -> Ref {
    let node = try Node(ref, in: source)
    var elements: [Int64] = []
    var isChanged = dice.roll(share) == 0
    if node.hasRefs {
      for index in 0..<node.count {
        var element = node.uncheckedInt(index)
        let value = RefOrTagged(element)
        if !value.isTagged, !value.ref.isNull {
          element = Int64(bitPattern: try rewritten(value.ref).rawValue)
          isChanged = isChanged || element != value.rawValue
        }
        elements.append(element)
      }
    }
    guard isChanged else { return ref }
    output.release(ref, byteSize: node.byteSize)
    let bytes =
      node.hasRefs ? Self.encoded(elements, node.flags) : try source.copy(at: ref.rawValue, length: node.byteSize)
    return try bytes.withUnsafeBytes { try output.append($0) }
  }

  private static func encoded(_ elements: [Int64], _ flags: UInt8) -> [UInt8] {
    elements.withUnsafeBufferPointer { elements in
      let width = ElementWidth(holding: elements)
      let header = NodeHeader(flags: flags & ~7 | width.code, count: elements.count)
      return [UInt8](unsafeUninitializedCapacity: header.nodeSize) { bytes, count in
        if let start = bytes.baseAddress { header.write(elements, to: start) }
        count = header.nodeSize
      }
    }
  }
}

/// Numbers that look random and are the same each time.
struct SeededDice {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1 }

  mutating func roll(_ sides: UInt64) -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) % sides
  }
}

extension Snapshot {
  /// Everything that the tables of this state consist of.
  ///
  /// - Parameter places: whether it matters where the nodes lie.
  func nodeDigest(places: Bool = false) throws -> UInt64 {
    guard let top else { return 0 }
    var hasher = Hasher()
    func walk(_ ref: Ref) throws {
      let node = try Node(ref, in: store)
      hasher.combine(node.flags & 0xf8)
      hasher.combine(node.count)
      guard node.hasRefs else { return hasher.combine(bytes: node.bytes) }
      for index in 0..<node.count {
        let element = RefOrTagged(node.uncheckedInt(index))
        if places || element.isTagged || element.ref.isNull { hasher.combine(element.rawValue) }
        if !element.isTagged, !element.ref.isNull { try walk(element.ref) }
      }
    }
    try walk(top.tableNames)
    try walk(top.tables)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  /// What the checker finds in the file of this state.
  func faults() throws -> [String] {
    var faults: [String] = []
    _ = try Checker(store).run { if $0.severity != .note { faults.append($0.line) } }
    return faults
  }
}
