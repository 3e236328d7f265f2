/// Many objects of a table: a bit for each, in blocks of 256 keys, as many as objects lie together.
///
/// Memory: about 60 bytes per block with an object in it, so that it is a fraction of a byte for each object of the table,
/// however many are chosen.
package struct ObjectKeySet: Sendable {
  private var blocks: [Int64: RowMask] = [:]
  package private(set) var count = 0

  package init() {}

  package init(_ keys: some Sequence<ObjectKey>) { for key in keys { insert(key) } }

  package var isEmpty: Bool { count == 0 }

  @inline(__always)
  package func contains(_ key: ObjectKey) -> Bool { blocks[key.rawValue >> 8]?.contains(Self.row(of: key)) ?? false }

  /// - Returns: whether the key was not there.
  @discardableResult
  package mutating func insert(_ key: ObjectKey) -> Bool {
    let row = Self.row(of: key)
    let isNew = Self.insert(row, into: &blocks[key.rawValue >> 8, default: RowMask()])
    if isNew { count += 1 }
    return isNew
  }

  private static func insert(_ row: Int, into block: inout RowMask) -> Bool {
    guard !block.contains(row) else { return false }
    block.insert(row)
    return true
  }

  @inline(__always)
  private static func row(of key: ObjectKey) -> Int { Int(key.rawValue & 0xff) }

  /// The keys, ascending.
  package var keys: [ObjectKey] {
    var keys: [ObjectKey] = []
    keys.reserveCapacity(count)
    for (number, block) in blocks.sorted(by: { $0.key < $1.key }) {
      block.forEach { keys.append(ObjectKey(rawValue: number << 8 | Int64($0))) }
    }
    return keys
  }
}
