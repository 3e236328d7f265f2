import RealmStorage

/// State that the parts of one check share.
final class CheckContext {
  let store: ByteStore
  /// The same; counting references would cost more than a look at a node.
  private let storeInUse: Unmanaged<ByteStore>
  let log: FindingLog
  let format: UInt8
  /// The file was written by a test build with four entries per node instead of 1000 and 256
  /// (Docs/Format/4-file-versions.md §3.11).
  var usesSmallNodes = false
  /// The tag that the next table in each slot would get, unless more than 0x7fff tables were made in it
  /// (Docs/Format/3-tables-and-objects.md §1).
  var nextTableTags: [UInt32] = []
  /// The columns that have, or had, links: those that backlink columns name.
  var linkColumns: Set<CheckedBacklinkColumn.Origin> = []

  private let budget: CheckBudget
  private var isExhausted = false

  init(_ store: ByteStore, format: UInt8, log: FindingLog, budget: CheckBudget) {
    (self.store, self.format, self.log, self.budget) = (store, format, log, budget)
    storeInUse = .passUnretained(store)
  }

  /// A context whose findings go to a log of their own; its work still counts.
  func muted() -> (context: CheckContext, log: FindingLog) {
    let log = FindingLog(limit: 0, reportsFollowing: false) { _ in }
    return (with(log, budget), log)
  }

  /// A context for trial work, which may run on another thread and may have to be repeated.
  ///
  /// - Returns: nil if there are errors, because a trial would then be pointless.
  func trial() -> CheckContext? { log.hasErrors ? nil : budget.forTrial().map { with(.keeping(), $0) } }

  /// A context for another piece of the same trial.
  func sibling() -> CheckContext { with(.keeping(), budget.forTrial() ?? budget) }

  /// Takes over the findings and the work of trials, in this order.
  ///
  /// - Returns: false if there are errors or too much was spent; the work must then be repeated in sequence.
  func adopt(_ trials: [CheckContext]) -> Bool {
    guard !log.hasErrors, !trials.contains(where: \.log.hasErrors), budget.takeOver(trials.map(\.budget)) else {
      return false
    }
    for trial in trials { trial.log.handOver(to: log) }
    return true
  }

  private func with(_ log: FindingLog, _ budget: CheckBudget) -> CheckContext {
    let context = CheckContext(store, format: format, log: log, budget: budget)
    context.usesSmallNodes = usesSmallNodes
    (context.nextTableTags, context.linkColumns) = (nextTableTags, linkColumns)
    return context
  }

  /// The most elements of a leaf of a tree, and children of its inner nodes.
  var treeFanOut: Int { usesSmallNodes ? 4 : BPlusTree.fanOut }
  /// Bits of a key that one level of a compact cluster tree covers.
  var bitsPerClusterLevel: UInt64 { usesSmallNodes ? 2 : 8 }

  /// More elements than any leaf or inner node of an engine, except for lists of backlinks. A node of width 0 can claim
  /// 16 million elements in eight bytes; the content of such a node is not checked.
  static let mostElements = 0x1_0000

  /// Whether a key is that of a table of the file, or of one that it had.
  func isOrWasTable(_ key: TableKey) -> Bool {
    key.slot < nextTableTags.count && key.tag < nextTableTags[key.slot]
  }

  /// The node at `ref`.
  ///
  /// - Parameter report: called if the node does not have the wanted shape.
  /// - Returns: nil in that case, and for a node that cannot be read, which the walk over nodes has reported.
  func node(_ ref: Ref?, _ shape: NodeShape, otherwise report: (Node) -> Void) -> Node? {
    guard let ref, let node = try? Node(ref, in: store) else { return nil }
    if node.has(shape) { return node }
    report(node)
    return nil
  }

  /// Reads a node and counts the visit.
  ///
  /// - Returns: nil if it cannot be read or must not be visited.
  @inline(__always)
  func visited(_ ref: Ref) -> Node? {
    visit(ref) ? storeInUse._withUnsafeGuaranteedRef { try? Node(ref, in: $0) } : nil
  }

  /// Prefetches a child that a walk over the elements of a node will reach.
  @inline(__always)
  func prefetchChild(of node: Node, ahead index: Int) {
    storeInUse._withUnsafeGuaranteedRef { node.prefetchChild(ahead: index, in: $0) }
  }

  /// Allows shared nodes to be visited again for another purpose.
  func startPass() { budget.startPass() }

  /// Counts a visit to a node.
  ///
  /// - Returns: false if the node must not be visited: several refs point to it, which was reported, and it was visited
  ///   often enough; or more was visited than a sound file contains.
  func visit(_ ref: Ref) -> Bool { budget.mayVisit(ref) && spend(1, at: ref) }

  /// Counts the elements of a node.
  ///
  /// - Returns: as `visit`.
  func spend(elements: Int, at ref: Ref) -> Bool {
    // A leaf with more elements than leaves of trees have can claim millions of them in a few bytes.
    elements > BPlusTree.fanOut ? spend(1 &+ elements, at: ref) : spend(leafOf: elements, at: ref)
  }

  /// Counts the elements of a leaf that may have any number of them.
  ///
  /// - Returns: as `visit`.
  func spend(leafOf elements: Int, at ref: Ref) -> Bool { spend(1 &+ elements >> 6, at: ref) }

  /// Counts the bytes of a value: many places can refer to one long text.
  ///
  /// - Returns: as `visit`.
  func spend(bytes: Int, at ref: Ref) -> Bool { bytes <= 64 || spend(bytes >> 4, at: ref) }

  /// - Returns: false when more was spent than a sound file costs. The walk must end.
  func spend(_ units: Int, at ref: Ref) -> Bool {
    if budget.spend(units) { return true }
    if !isExhausted {
      isExhausted = true
      log.add(.walkTooLong, at: Finding.Place(ref: ref))
    }
    return false
  }

  /// Releases decrypted pages beyond the budget. Nodes made before are invalid afterwards.
  func letGoOfPages() {
    if store.holdsTooManyPages { store.releasePages() }
  }
}

/// The flags of a node without the width of its elements, as engines write them.
enum NodeShape: UInt8 {
  case integers = 0
  /// Fields of so many bytes each.
  case fields = 0x08
  case bytes = 0x10
  case refs = 0x40
  /// References to the pieces of one value.
  case pieces = 0x60
}

extension Node {
  @inline(__always)
  func has(_ shape: NodeShape) -> Bool { flags & 0xf8 == shape.rawValue }
}

/// Where values belong, for the places of findings.
struct Spot {
  var part: Finding.Part = .objects
  var table: RealmString?
  var column: Finding.ColumnName?
  /// The objects whose values are checked.
  var cluster: ObjectDirectory.Entry?
  /// The object that a collection belongs to; nil if the elements of a leaf are values of the cluster's objects.
  var row: Int?

  /// - Parameter element: position in the leaf or in the collection.
  func place(_ ref: Ref?, element: Int? = nil, in store: ByteStore) -> Finding.Place {
    let object = row ?? element
    return Finding.Place(
      part: part, table: table, column: column,
      object: cluster.flatMap { cluster in object.flatMap { cluster.key(at: $0, in: store) } },
      ref: ref, position: row == nil && cluster != nil ? nil : element)
  }
}
