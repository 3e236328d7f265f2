/// A leaf of texts or data in one of its kinds, which the header tells apart
/// (Docs/Format/2-nodes-and-values.md §2.8–2.10, §2.13).
enum StringLeaf: @unchecked Sendable {
  /// Fixed fields of at most 64 bytes.
  case short(Node)
  /// One blob with the end position and a null flag of each value.
  case small(SmallBlobs)
  /// One blob per value.
  case big(Node)
  /// Positions in a list of distinct values. The table owns the list; a leaf stays a plain value, free to copy.
  case enumerated(Node, Unmanaged<StringEnumeration>)

  init(_ node: Node, isString: Bool, enumeration: StringEnumeration? = nil, in store: ByteStore) throws {
    if node.hasRefs {
      try node.requireRefs("a leaf of texts or data")
      self = node.context ? .big(node) : .small(try SmallBlobs(node, in: store))
    } else if isString, node.scheme == .multiply {
      self = .short(node)
    } else if isString, let enumeration, node.scheme == .bits {
      self = .enumerated(node, .passUnretained(enumeration))
    } else {
      throw StorageError.corrupted(node.ref, .unexpectedNodeKind(expected: "a leaf of texts or data"))
    }
  }

  var count: Int {
    switch self {
    case .short(let node), .big(let node), .enumerated(let node, _): node.count
    case .small(let blobs): blobs.count
    }
  }

  /// Makes the leaf's own nodes present again, after pages were released.
  func makePresent(in store: ByteStore) throws {
    switch self {
    case .short(let node), .big(let node), .enumerated(let node, _): try node.makePresent(in: store)
    case .small(let blobs): for node in blobs.nodes { try node.makePresent(in: store) }
    }
  }

  /// Value `index`; nil for null.
  ///
  /// - Parameter isString: the stored value ends with a zero byte that is not part of it.
  func value(at index: Int, isString: Bool, in store: ByteStore) throws -> BlobView? {
    switch self {
    case .short(let node): try Self.short(node, index).map(BlobView.init)
    case .small(let blobs): try blobs.value(at: index, isString: isString).map { BlobView($0) }
    case .big(let node): try Self.big(node, index, isString: isString, in: store)
    case .enumerated(let node, let enumeration):
      try enumeration._withUnsafeGuaranteedRef { $0.values }.value(
        at: Int(clamping: node.int(index)), isString: true, in: store)
    }
  }

  /// A field of `width` bytes whose last byte counts the padding; a count equal to the width is null
  /// (Docs/Format/2-nodes-and-values.md §2.8).
  @inline(__always)
  static func short(_ node: Node, _ index: Int) throws -> UnsafeRawBufferPointer? {
    try node.requireIndex(index)
    let width = node.width
    guard width > 0 else { return nil }
    let end = (index + 1) * width
    guard let padding = node.value(UInt8.self, atByte: end - 1), Int(padding) <= width else {
      throw StorageError.corrupted(node.ref, .valueOutOfRange("padding of text \(index)"))
    }
    guard padding < width else { return nil }
    return UnsafeRawBufferPointer(rebasing: node.bytes[end - width..<end - 1 - Int(padding)])
  }

  private static func big(_ node: Node, _ index: Int, isString: Bool, in store: ByteStore) throws -> BlobView? {
    let ref = try node.childRef(index)
    guard !ref.isNull else { return nil }
    let blob = try Node(ref, in: store)
    let terminator = isString ? 1 : 0
    if blob.hasRefs {
      try blob.requireRefs("a blob in pieces")
      return try BlobView(pieces: blob, droppingLast: terminator, in: store)
    }
    let bytes = try blob.requiringBlob().bytes
    guard bytes.count >= terminator else {
      throw StorageError.corrupted(ref, .valueOutOfRange("text without terminator"))
    }
    return BlobView(UnsafeRawBufferPointer(rebasing: bytes.dropLast(terminator)))
  }
}

/// Texts up to 63 or data up to 64 bytes: three children (Docs/Format/2-nodes-and-values.md §2.9, §2.10).
struct SmallBlobs: Sendable {
  private let offsets: Node
  private let blob: Node
  private let nulls: Node

  init(_ node: Node, in store: ByteStore) throws {
    guard node.count == 3 else {
      throw StorageError.corrupted(node.ref, .wrongElementCount(expected: 3, found: node.count))
    }
    offsets = try Node(node.childRef(0), in: store)
    blob = try Node(node.childRef(1), in: store).requiringBlob()
    nulls = try Node(node.childRef(2), in: store)
    try offsets.requireBits("offsets of a leaf of texts or data")
    try nulls.requireBits("null flags of a leaf of texts or data")
    guard nulls.count == offsets.count else {
      throw StorageError.corrupted(nulls.ref, .wrongElementCount(expected: offsets.count, found: nulls.count))
    }
  }

  var count: Int { offsets.count }
  var nodes: [Node] { [offsets, blob, nulls] }

  @inline(__always)
  func value(at index: Int, isString: Bool) throws -> UnsafeRawBufferPointer? {
    try offsets.requireIndex(index)
    guard nulls.uncheckedInt(index) == 0 else { return nil }
    let start = index == 0 ? 0 : Int(offsets.uncheckedInt(index - 1))
    let stored = Int(offsets.uncheckedInt(index))
    guard start >= 0, stored >= start, stored <= blob.count else {
      throw StorageError.corrupted(offsets.ref, .offsetsNotAscending)
    }
    let end = isString ? stored - 1 : stored
    guard end >= start else { throw StorageError.corrupted(offsets.ref, .valueOutOfRange("text without terminator")) }
    return UnsafeRawBufferPointer(rebasing: blob.bytes[start..<end])
  }
}

extension Node {
  /// This node, if it holds bytes.
  func requiringBlob() throws -> Node {
    guard flags & 0x58 == 0x10 else {
      throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: "a blob"))
    }
    return self
  }

  /// All texts of a short-string node of names; a null field is the empty name of a free slot
  /// (Docs/Format/3-tables-and-objects.md §1).
  func names() throws -> [RealmString] {
    guard !hasRefs, scheme == .multiply else {
      throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: "a node of names"))
    }
    return try (0..<count).map { try StringLeaf.short(self, $0).map { RealmString($0) } ?? "" }
  }
}
