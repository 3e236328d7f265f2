/// The objects of a table by position, in the order of their keys, without a walk over all of them.
///
/// The tree of clusters knows how many objects lie below each node (Docs/Format/3-tables-and-objects.md §4.3), so
/// finding one by its position reads the nodes on the way and the counts of their siblings: some hundred nodes for ten
/// million objects, and they are remembered.
///
/// What is damaged keeps its place: the positions of objects that cannot be read give the error, and the others stay
/// where they are. Counts that contradict each other show as one more such position.
///
/// An instance belongs to one thread. It has no pointers into the file.
///
/// ```swift
/// let positions = ObjectPositions(of: table)
/// for position in 0..<positions.count { show(positions.entry(at: position)) }
/// ```
package final class ObjectPositions {
  /// What is at a position.
  package enum Entry {
    case object(ObjectBatch, row: Int)
    /// One or more objects that cannot be read.
    case damaged(StorageError)
  }

  package let table: Table
  /// Number of positions: objects, and at least one for each part that is damaged.
  package let count: Int
  private let root: Ref
  private var levels: [Ref: Level] = [:]

  /// Maximum number of levels to remember. A level takes some 6 KiB, and covers up to 65,536 objects.
  private static let mostLevels = 1024

  package init(of table: Table) {
    self.table = table
    guard let clusters = table.clusters else {
      root = table.root
      count = (try? table.objectCount()) ?? 1
      return
    }
    root = clusters.root
    do {
      let node = try Node(root, in: table.store)
      guard node.isInner else {
        count = try Cluster(node, offset: 0, in: table.store).count
        return
      }
      let level = try Level(node, in: table.store)
      count = level.count
      levels[root] = level
    } catch {
      count = 1
    }
  }

  // MARK: Positions to objects

  /// What is at a position.
  ///
  /// - Parameter position: from 0 up to, but not including, `count`; beyond that, the result is an error.
  package func entry(at position: Int) -> Entry {
    do {
      return try find(position)
    } catch let error as StorageError {
      return .damaged(error)
    } catch {
      return .damaged(.corrupted(root, .missingNode))
    }
  }

  private func find(_ position: Int) throws -> Entry {
    if table.clusters == nil { return try findRow(position) }
    var ref = root
    var offset: UInt64 = 0
    var rest = position
    var limit = count
    for _ in 0...ClusterTree.maximumDepth {
      let node = try Node(ref, in: table.store)
      guard node.isInner else {
        let cluster = try Cluster(node, offset: offset, in: table.store)
        guard rest >= 0, rest < cluster.count else {
          throw StorageError.corrupted(ref, .indexOutOfRange(rest, count: cluster.count))
        }
        return .object(ObjectBatch(table: table, cluster: cluster), row: rest)
      }
      let level = try level(node)
      // The parent counts fewer objects than are here: the last of its positions says so.
      guard rest < limit - 1 || level.count <= limit else {
        throw StorageError.corrupted(ref, .wrongElementCount(expected: limit, found: level.count))
      }
      let child = try level.child(holding: rest, at: ref)
      if let error = level.damage[child.index] { throw error }
      (ref, limit) = (level.children[child.index].ref, level.extent(of: child.index))
      (offset, rest) = (offset &+ level.children[child.index].offset, child.rest)
    }
    throw StorageError.corrupted(ref, .tooDeep)
  }

  /// In rows, keys are positions.
  private func findRow(_ position: Int) throws -> Entry {
    let key = ObjectKey(rawValue: Int64(position))
    guard let batch = try table.rowBatch(holding: key.rawValue), let row = batch.row(of: key) else {
      throw StorageError.corrupted(root, .indexOutOfRange(position, count: count))
    }
    return .object(batch, row: row)
  }

  // MARK: Objects to positions

  /// The position of the object with `key`; nil if there is none, or damaged counts hide it.
  package func position(of key: ObjectKey) -> Int? {
    guard let position = try? findPosition(of: key), position < count,
      case .object(let batch, let row) = entry(at: position), batch.key(at: row) == key
    else { return nil }
    return position
  }

  private func findPosition(of key: ObjectKey) throws -> Int? {
    if table.clusters == nil { return Int(exactly: key.rawValue).flatMap { $0 >= 0 ? $0 : nil } }
    var ref = root
    var offset: UInt64 = 0
    var position = 0
    for _ in 0...ClusterTree.maximumDepth {
      let node = try Node(ref, in: table.store)
      guard node.isInner else {
        return try Cluster(node, offset: offset, in: table.store).row(of: key).map { position + $0 }
      }
      let inner = try ClusterTree.InnerNode(node, in: table.store)
      guard let index = inner.child(for: UInt64(bitPattern: key.rawValue) &- offset) else { return nil }
      let level = try level(node)
      guard index < level.children.count else { return nil }
      position += level.start(of: index)
      ref = level.children[index].ref
      offset &+= level.children[index].offset
    }
    return nil
  }

  // MARK: Levels

  private func level(_ node: Node) throws -> Level {
    if let level = levels[node.ref] { return level }
    if levels.count >= Self.mostLevels { levels.removeAll() }
    let level = try Level(node, in: table.store)
    levels[node.ref] = level
    return level
  }

  /// The children of an inner node with the positions each of them takes.
  private struct Level {
    struct Child {
      let ref: Ref
      /// Of the keys, relative to this node.
      let offset: UInt64
    }

    private(set) var children: [Child] = []
    /// The position after each child, relative to this node.
    private var ends: [Int] = []
    /// By the index of the child; one after the last is for objects that are missing altogether.
    private(set) var damage: [Int: StorageError] = [:]

    var count: Int { ends.last ?? 0 }

    func start(of index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }
    func extent(of index: Int) -> Int { ends[index] - start(of: index) }

    init(_ node: Node, in store: ByteStore) throws {
      let inner = try ClusterTree.InnerNode(node, in: store)
      // No child can have more; without this, a damaged count could claim any number of positions.
      let most = inner.depth < 7 ? 1 << (8 * inner.depth) : Int.max >> 8
      var extents: [Int?] = []
      for index in 0..<min(inner.childCount, Cluster.mostObjects) {
        children.append(Child(ref: (try? inner.childRef(index)) ?? .null, offset: inner.childOffset(index)))
        do {
          extents.append(min(try ClusterTree(root: children[index].ref).count(in: store), most))
        } catch let error as StorageError {
          extents.append(nil)
          damage[index] = error
        }
      }
      let known = extents.reduce(0) { $0 + ($1 ?? 0) }
      let claimed = min(inner.objectCount, most << 8, ClusterTree.mostObjects(in: store))
      place(extents, missing: max(claimed - known, 0), most: most)
      if damage.isEmpty, count < inner.objectCount {
        damage[extents.count] = .corrupted(
          node.ref, .wrongElementCount(expected: inner.objectCount, found: count))
        children.append(Child(ref: .null, offset: 0))
        ends.append(count + 1)
      }
    }

    /// Distributes the objects that the node counts, and its readable children do not have, among the children that
    /// cannot be read.
    private mutating func place(_ extents: [Int?], missing: Int, most: Int) {
      var missing = missing
      var end = 0
      for extent in extents {
        let share = extent ?? max(1, min(missing, most))
        if extent == nil { missing = max(missing - share, 0) }
        end += share
        ends.append(end)
      }
    }

    /// The child with a position, and the position inside it.
    func child(holding position: Int, at ref: Ref) throws -> (index: Int, rest: Int) {
      guard position >= 0, position < count else {
        throw StorageError.corrupted(ref, .indexOutOfRange(position, count: count))
      }
      let index = firstIndex(in: ends.indices) { ends[$0] > position }
      return (index, position - start(of: index))
    }
  }
}
