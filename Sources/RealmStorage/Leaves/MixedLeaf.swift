/// Values of any type: one element each that holds the type and either the value or its place in a payload node
/// (Docs/Format/2-nodes-and-values.md §3.1).
struct MixedLeaf: Sendable {
  private let composite: Node
  private let ints: Node?
  private let pairs: Node?
  private let strings: StringLeaf?
  private let refs: Node?

  /// Formats 21–23 write four slots, 24 writes six; upgraded files hold leaves of four, five and six.
  init(_ node: Node, in store: ByteStore) throws {
    try node.requireRefs("a leaf of mixed values")
    guard (4...6).contains(node.count) else {
      throw StorageError.corrupted(node.ref, .wrongElementCount(expected: 6, found: node.count))
    }
    func child(_ slot: Int) throws -> Node? {
      guard slot < node.count, case let ref = try node.childRef(slot), !ref.isNull else { return nil }
      return try Node(ref, in: store)
    }
    composite = try Node(node.childRef(0), in: store)
    ints = try child(1)
    pairs = try child(2)
    strings = try child(3).map { try StringLeaf($0, isString: true, in: store) }
    refs = try child(4)
    try composite.requireBits("types of a leaf of mixed values")
    try ints?.requireBits("numbers of a leaf of mixed values")
    try pairs?.requireBits("pairs of a leaf of mixed values")
    try refs?.requireRefs("collections of a leaf of mixed values")
  }

  var count: Int { composite.count }
  /// Bytes of the node that holds the types.
  var compositeSize: Int { composite.byteSize }

  /// Value `index`; links to tombstones read as null unless they are to be shown.
  func value(at index: Int, in store: ByteStore, showsTombstones: Bool = false) throws -> ValueView {
    let value = try storedValue(at: index, in: store)
    if case .typedLink(_, let key) = value, key.rawValue < 0, !(showsTombstones && key.isUnresolved) { return .null }
    return value
  }

  /// Value `index`, links to tombstones included.
  func storedValue(at index: Int, in store: ByteStore) throws -> ValueView {
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
