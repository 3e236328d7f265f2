/// Values of any type: one element each, with the type and either the value or its place in a payload node
/// (Docs/Format/2-nodes-and-values.md §3.1).
package struct MixedLeaf: Sendable {
  private let composite: Node
  private let ints: Node?
  private let pairs: Node?
  private let strings: StringLeaf?
  private let refs: Node?

  /// Slots for strings, data and roots of collections, and their maximum number.
  package static let (stringSlot, collectionSlot, mostSlots) = (3, 4, 6)

  /// Formats 21–23 write four slots, 24 writes six; upgraded files have leaves of four, five and six.
  package init(_ node: Node, in store: borrowing ByteStore) throws {
    composite = try Self.composite(of: node, in: store)
    ints = try Self.child(1, of: node, in: store)
    pairs = try Self.child(2, of: node, in: store)
    if let texts = try Self.child(Self.stringSlot, of: node, in: store) {
      strings = try StringLeaf(texts, isString: true, in: store)
    } else {
      strings = nil
    }
    refs = try Self.child(Self.collectionSlot, of: node, in: store)
    try ints?.requireBits("numbers of a leaf of mixed values")
    try pairs?.requireBits("pairs of a leaf of mixed values")
    try refs?.requireRefs("collections of a leaf of mixed values")
  }

  private static func composite(of node: Node, in store: borrowing ByteStore) throws -> Node {
    try node.requireRefs("a leaf of mixed values")
    guard (4...mostSlots).contains(node.count) else {
      throw StorageError.corrupted(node.ref, .wrongElementCount(expected: mostSlots, found: node.count))
    }
    let composite = try Node(node.childRef(0), in: store)
    try composite.requireBits("types of a leaf of mixed values")
    return composite
  }

  /// The number of values of a leaf, of which nothing else is read.
  ///
  /// - Throws: `StorageError.corrupted`.
  static func count(of node: Node, in store: borrowing ByteStore) throws -> Int {
    try composite(of: node, in: store).count
  }

  private static func child(_ slot: Int, of node: Node, in store: borrowing ByteStore) throws -> Node? {
    guard slot < node.count, case let ref = try node.childRef(slot), !ref.isNull else { return nil }
    return try Node(ref, in: store)
  }

  package var count: Int { composite.count }
  /// Bytes of the node with the types.
  var compositeSize: Int { composite.byteSize }

  /// Value `index`; links to tombstones read as null unless they are to be shown.
  func value(at index: Int, in store: ByteStore, showsTombstones: Bool = false) throws -> ValueView {
    let value = try storedValue(at: index, in: store)
    if case .typedLink(_, let key) = value, key.rawValue < 0, !(showsTombstones && key.isUnresolved) { return .null }
    return value
  }

  /// Value `index`, links to tombstones included.
  package func storedValue(at index: Int, in store: ByteStore) throws -> ValueView {
    let element = MixedElement(try composite.int(index))
    guard !element.isNull else { return .null }
    let payload = element.payload
    switch element.type {
    case .int: return .int(element.slot == 0 ? payload : try number(payload))
    case .bool: return .bool(payload != 0)
    case .float:
      return .float(Float(bitPattern: UInt32(truncatingIfNeeded: try number(payload))))
    case .double: return .double(Double(bitPattern: UInt64(bitPattern: try number(payload))))
    case .timestamp:
      let (seconds, nanoseconds) = try pair(payload)
      return .date(try Timestamp(checking: seconds, nanoseconds: nanoseconds, at: composite.ref))
    case .decimal:
      let (low, high) = try pair(payload)
      return .decimal(Decimal128(low: UInt64(bitPattern: low), high: UInt64(bitPattern: high)))
    case .typedLink:
      let (table, key) = try pair(payload)
      return .typedLink(TableKey(rawValue: UInt32(truncatingIfNeeded: table)), ObjectKey(rawValue: key))
    case .string: return .string(try blob(payload, in: store))
    case .binary: return .data(try blob(payload, in: store))
    case .objectID:
      guard let id = try blob(payload, in: store).contiguous.flatMap({ ObjectID($0) }) else { throw outOfRange(index) }
      return .objectID(id)
    case .uuid:
      guard let uuid = try blob(payload, in: store).contiguous.flatMap({ RealmUUID($0) }) else {
        throw outOfRange(index)
      }
      return .uuid(uuid)
    case .list: return .list(ListView(root: try collection(payload), element: .mixed))
    case .dictionary: return .dictionary(DictionaryView(root: try collection(payload), linkTarget: nil))
    default: throw StorageError.corrupted(composite.ref, .unknownType(element.typeCode))
    }
  }

  // MARK: Payload

  private func number(_ index: Int64) throws -> Int64 {
    guard let ints else { throw outOfRange(Int(clamping: index)) }
    return try ints.int(Int(clamping: index))
  }

  private func pair(_ index: Int64) throws -> (Int64, Int64) {
    guard let pairs, index >= 0, index < Int64(pairs.count) else { throw outOfRange(Int(clamping: index)) }
    return (try pairs.int(Int(index) * 2), try pairs.int(Int(index) * 2 + 1))
  }

  private func blob(_ index: Int64, in store: ByteStore) throws -> BlobView {
    guard let strings, let value = try strings.value(at: Int(clamping: index), isString: true, in: store) else {
      throw outOfRange(Int(clamping: index))
    }
    return value
  }

  private func collection(_ index: Int64) throws -> Ref {
    guard let refs else { throw outOfRange(Int(clamping: index)) }
    return try refs.childRef(Int(clamping: index))
  }

  private func outOfRange(_ index: Int) -> StorageError {
    .corrupted(composite.ref, .valueOutOfRange("mixed value \(index)"))
  }
}

/// Values of any type: six slots (Docs/Format/2-nodes-and-values.md §3.1), four before format 24.
final class MixedLeafEncoder: LeafEncoder {
  private let nodes: NodeEncoder
  private var composite: [Int64] = []
  private var ints: [Int64] = []
  private var pairs: [Int64] = []
  private let strings: StringLeafEncoder
  private var collections: [Ref] = []
  /// Identity numbers of nested collections, 0 for other values.
  private var keys: [Int64] = []

  /// Gives the leaf identity numbers even if it has no collections: if one leaf of a tree has them, all must (§3.2).
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
    guard kind != .set, nodes.format.holdsNestedCollections else { throw BuildError.wrongType }
    append(kind == .list ? .list : .dictionary, .collections, Int64(collections.count))
    collections.append(root)
    keys.append(contentsOf: repeatElement(0, count: composite.count - 1 - keys.count))
    keys.append(key)
  }

  func finish() throws -> Ref {
    defer { removeAll() }
    if nodes.format.holdsNestedCollections, alwaysHasKeys || !keys.isEmpty {
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
    return try nodes.refs(Array(slots.prefix(nodes.format.mixedSlotCount)))
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
