/// Links: object keys, plus one if 0 means null (§2.12).
final class LinkLeafEncoder: LeafEncoder {
  private let nodes: NodeEncoder
  private let target: TableKey
  private let inCollection: Bool
  private var keys: [Int64] = []
  /// Whether a link to a tombstone is among the values; the root of such a collection carries a flag (§5.6).
  private var hasUnresolved = false

  init(_ nodes: NodeEncoder, target: TableKey, inCollection: Bool) {
    self.nodes = nodes
    self.target = target
    self.inCollection = inCollection
  }

  var count: Int { keys.count }

  func append(_ value: ValueView) throws {
    switch value {
    case .link(target, let key):
      keys.append(inCollection ? key.rawValue : key.rawValue &+ 1)
      if key.rawValue < 0 { hasUnresolved = true }
    case .null where !inCollection: keys.append(0)
    default: throw BuildError(refusing: value)
    }
  }

  func finish() throws -> Ref {
    defer {
      keys.removeAll(keepingCapacity: true)
      hasUnresolved = false
    }
    return try nodes.integers(keys, inCollection && hasUnresolved ? .context : [])
  }
}
