/// Values of any type: six slots (Docs/Format/2-nodes-and-values.md §3.1).
final class MixedLeafEncoder: LeafEncoder {
  private let nodes: NodeEncoder
  private var composite: [Int64] = []
  private var ints: [Int64] = []
  private var pairs: [Int64] = []
  private let strings: StringLeafEncoder
  private var collections: [Ref] = []
  /// Identity numbers of nested collections, 0 for other values.
  private var keys: [Int64] = []

  /// Gives the leaf identity numbers even if it holds no collections: if one leaf of a tree has them, all must (§3.2).
  var alwaysHasKeys = false

  /// The places of payload in slots 1 to 4, as the composite element names them.
  private enum Slot: Int64 {
    case inline, ints, pairs, strings, collections
  }

  init(_ nodes: NodeEncoder) {
    self.nodes = nodes
    strings = StringLeafEncoder(nodes, .mixed)
  }

  var count: Int { composite.count }

  func append(_ value: ValueView) throws {
    switch value {
    case .null: append(0)
    case .int(let number):
      if Int32(exactly: number) != nil { append(.int, .inline, number) } else { append(.int, number: number) }
    case .bool(let flag): append(.bool, .inline, flag ? 1 : 0)
    case .float(let number): append(.float, number: Int64(number.bitPattern))
    case .double(let number): append(.double, number: Int64(bitPattern: number.bitPattern))
    case .date(let date): append(.timestamp, pair: (date.seconds, Int64(date.nanoseconds)))
    case .decimal(.null): append(0)
    case .decimal(let decimal):
      append(.decimal, pair: (Int64(bitPattern: decimal.low), Int64(bitPattern: decimal.high)))
    case .typedLink(let table, let key), .link(let table, let key):
      append(.typedLink, pair: (Int64(table.rawValue), key.rawValue))
    case .string(let text):
      append(.string, .strings, Int64(strings.count))
      try strings.append(text)
    case .data(let data):
      append(.binary, .strings, Int64(strings.count))
      try strings.append(data)
    case .objectID(let id): try append(.objectID, bytes: (id.head.bigEndian, id.tail.bigEndian), count: 12)
    case .uuid(let uuid): try append(.uuid, bytes: (uuid.head.bigEndian, uuid.tail.bigEndian), count: 16)
    case .list, .set, .dictionary: throw BuildError.wrongType
    }
  }

  /// Appends a nested list or dictionary.
  ///
  /// - Parameters:
  ///   - root: null for an empty collection.
  ///   - key: its identity number: not 0, unique in the list or dictionary the leaf belongs to, 32 bits (§3.2).
  func append(_ kind: CollectionKind, root: Ref, key: Int64) throws {
    guard kind != .set else { throw BuildError.wrongType }
    append(kind == .list ? .list : .dictionary, .collections, Int64(collections.count))
    collections.append(root)
    keys.append(contentsOf: repeatElement(0, count: composite.count - 1 - keys.count))
    keys.append(key)
  }

  func finish() throws -> Ref {
    defer { removeAll() }
    if alwaysHasKeys || !keys.isEmpty {
      keys.append(contentsOf: repeatElement(0, count: composite.count - keys.count))
    }
    let slots = [
      try nodes.integers(composite),
      ints.isEmpty ? .null : try nodes.integers(ints),
      pairs.isEmpty ? .null : try nodes.integers(pairs),
      strings.count == 0 ? .null : try strings.finish(),
      collections.isEmpty ? .null : try nodes.refs(collections),
      // Exactly as many as there are values: the engine writes fewer and then beyond the end (§11.1).
      keys.isEmpty ? .null : try nodes.integers(keys),
    ]
    return try nodes.refs(slots)
  }

  private func removeAll() {
    composite.removeAll(keepingCapacity: true)
    ints.removeAll(keepingCapacity: true)
    pairs.removeAll(keepingCapacity: true)
    collections.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    alwaysHasKeys = false
  }

  // MARK: Composite elements

  private func append(_ element: Int64) { composite.append(element) }

  @inline(__always)
  private func append(_ type: TypeCode, _ slot: Slot, _ payload: Int64) {
    append(payload << 8 | slot.rawValue << 5 | Int64(type.rawValue + 1))
  }

  private func append(_ type: TypeCode, number: Int64) {
    append(type, .ints, Int64(ints.count))
    ints.append(number)
  }

  private func append(_ type: TypeCode, pair: (Int64, Int64)) {
    append(type, .pairs, Int64(pairs.count / 2))
    pairs.append(pair.0)
    pairs.append(pair.1)
  }

  private func append(_ type: TypeCode, bytes: some BitwiseCopyable, count: Int) throws {
    append(type, .strings, Int64(strings.count))
    try withUnsafeBytes(of: bytes) { try strings.append(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
  }
}
