/// A leaf of strings or data in one of its kinds, which the header distinguishes (Docs/Format/2-nodes-and-values.md
/// §2.8–2.10, §2.13).
package enum StringLeaf: @unchecked Sendable {
  /// Fixed fields of at most 64 bytes.
  case short(Node)
  /// One blob with the end position and a null flag of each value.
  case small(SmallBlobs)
  /// The same as formats 2–9 have it.
  case legacySmall(LegacySmallBlobs)
  /// One blob per value.
  case big(Node)
  /// Positions in a list of distinct values. The table owns the list; a leaf stays a plain value, free to copy.
  case enumerated(Node, Unmanaged<StringEnumeration>)

  package init(_ node: Node, isString: Bool, enumeration: StringEnumeration? = nil, in store: borrowing ByteStore)
    throws
  {
    if node.hasRefs {
      try node.requireRefs("a leaf of strings or binaries")
      self = node.context ? .big(node) : .small(try SmallBlobs(node, in: store))
    } else if isString, node.scheme == .multiply {
      self = .short(node)
    } else if isString, let enumeration, node.scheme == .bits {
      self = .enumerated(node, .passUnretained(enumeration))
    } else {
      throw StorageError.corrupted(node.ref, .unexpectedNodeKind(expected: "a leaf of strings or binaries"))
    }
  }

  /// A leaf of formats 2–9 (Docs/Format/4-file-versions.md §2.9–2.11).
  init(legacy node: Node, isString: Bool, enumeration: StringEnumeration? = nil, in store: ByteStore) throws {
    if node.hasRefs, !node.context {
      try node.requireRefs("a leaf of strings or binaries")
      self = .legacySmall(try LegacySmallBlobs(node, isString: isString, in: store))
    } else {
      self = try StringLeaf(node, isString: isString, enumeration: enumeration, in: store)
    }
  }

  package var count: Int {
    switch self {
    case .short(let node), .big(let node), .enumerated(let node, _): node.count
    case .small(let blobs): blobs.count
    case .legacySmall(let blobs): blobs.count
    }
  }

  /// Makes the leaf's own nodes present again, after pages were released.
  func makePresent(in store: ByteStore) throws {
    switch self {
    case .short(let node), .big(let node), .enumerated(let node, _): try node.makePresent(in: store)
    case .small(let blobs): for node in blobs.nodes { try node.makePresent(in: store) }
    case .legacySmall(let blobs): for node in blobs.nodes { try node.makePresent(in: store) }
    }
  }

  /// Value `index`; nil for null.
  ///
  /// - Parameter isString: the stored value ends with a zero byte that is not part of it.
  package func value(at index: Int, isString: Bool, in store: ByteStore) throws -> BlobView? {
    switch self {
    case .short(let node): try Self.short(node, index).map(BlobView.init)
    case .small(let blobs): try blobs.value(at: index, isString: isString).map { BlobView($0) }
    case .legacySmall(let blobs): try blobs.value(at: index, isString: isString).map { BlobView($0) }
    case .big(let node): try Self.big(node, index, isString: isString, in: store)
    case .enumerated(let node, let enumeration):
      try enumeration._withUnsafeGuaranteedRef { try $0.value(at: Int(clamping: node.int(index)), in: store) }
    }
  }

  /// A field of `width` bytes whose last byte counts the padding; a count equal to the width is null
  /// (Docs/Format/2-nodes-and-values.md §2.8).
  @inline(__always)
  package static func short(_ node: Node, _ index: Int) throws -> UnsafeRawBufferPointer? {
    try node.requireIndex(index)
    let width = node.width
    guard width > 0 else { return nil }
    let end = (index + 1) * width
    guard let padding = node.value(UInt8.self, atByte: end - 1), Int(padding) <= width else {
      throw wrongPadding(of: index, node.ref)
    }
    guard padding < width else { return nil }
    return UnsafeRawBufferPointer(rebasing: node.bytes[end - width..<end - 1 - Int(padding)])
  }

  /// The error for a field that says that it has more padding than it has bytes.
  static func wrongPadding(of index: Int, _ ref: Ref) -> StorageError {
    .corrupted(ref, .valueOutOfRange("padding of string \(index)"))
  }

  /// The blob of a value, or its pieces if it is longer than a blob can be.
  @inline(__always)
  static func big(_ node: Node, _ index: Int, isString: Bool, in store: ByteStore) throws -> BlobView? {
    let ref = try node.childRef(index)
    guard !ref.isNull else { return nil }
    let blob = try Node(ref, in: store)
    let terminator = isString ? 1 : 0
    if blob.hasRefs {
      try blob.requireRefs("the pieces of a long value")
      return try BlobView(pieces: blob, droppingLast: terminator, in: store)
    }
    let bytes = try blob.requiringBlob().bytes
    guard bytes.count >= terminator else {
      throw StorageError.corrupted(ref, .valueOutOfRange("a string without a terminator"))
    }
    return BlobView(UnsafeRawBufferPointer(rebasing: bytes.dropLast(terminator)))
  }
}

/// Texts up to 63 or data up to 64 bytes: three children (Docs/Format/2-nodes-and-values.md §2.9, §2.10).
package struct SmallBlobs: Sendable {
  private let offsets: Node
  private let blob: Node
  private let nulls: Node

  init(_ node: Node, in store: borrowing ByteStore) throws {
    guard node.count == 3 else {
      throw StorageError.corrupted(node.ref, .wrongElementCount(expected: 3, found: node.count))
    }
    offsets = try Node(node.childRef(0), in: store)
    blob = try Node(node.childRef(1), in: store).requiringBlob()
    nulls = try Node(node.childRef(2), in: store)
    try offsets.requireBits("offsets of a leaf of strings or binaries")
    try nulls.requireBits("null flags of a leaf of strings or binaries")
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
    return try Self.bytes(index, offsets, blob, isString: isString)
  }

  /// Calls `visit` with the values of some rows, nil for null.
  @inline(__always)
  func forEach(
    among rows: RowMask, isString: Bool, damaged: (_ row: Int, _ error: StorageError) -> Void,
    visit: (_ row: Int, _ bytes: UnsafeRawBufferPointer?) -> Void
  ) {
    let (bytes, terminator) = (blob.bytes, isString ? 1 : 0)
    rows.intersection(RowMask(first: count)).forEach { row in
      guard nulls.uncheckedInt(row) == 0 else { return visit(row, nil) }
      let start = row == 0 ? 0 : Int(offsets.uncheckedInt(row &- 1))
      let stored = Int(offsets.uncheckedInt(row))
      guard start >= 0, stored &- terminator >= start, stored <= bytes.count else {
        // Says what is wrong.
        do { _ = try Self.bytes(row, offsets, blob, isString: isString) } catch {
          if let error = error as? StorageError { damaged(row, error) }
        }
        return
      }
      visit(row, UnsafeRawBufferPointer(rebasing: bytes[start..<stored &- terminator]))
    }
  }

  /// Value `index`, where `0 <= index < offsets.count`.
  @inline(__always)
  static func bytes(_ index: Int, _ offsets: Node, _ blob: Node, isString: Bool) throws -> UnsafeRawBufferPointer {
    let start = index == 0 ? 0 : Int(offsets.uncheckedInt(index - 1))
    let stored = Int(offsets.uncheckedInt(index))
    guard start >= 0, stored >= start, stored <= blob.count else {
      throw StorageError.corrupted(offsets.ref, .offsetsNotAscending)
    }
    let end = isString ? stored - 1 : stored
    guard end >= start else {
      throw StorageError.corrupted(offsets.ref, .valueOutOfRange("a string without a terminator"))
    }
    return UnsafeRawBufferPointer(rebasing: blob.bytes[start..<end])
  }
}

extension Node {
  /// This node, if it contains bytes.
  package func requiringBlob() throws -> Node {
    guard flags & 0x58 == 0x10 else {
      throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: "a blob"))
    }
    return self
  }

  /// All texts of a short-string node of names; a null field is the empty name of a free slot
  /// (Docs/Format/3-tables-and-objects.md §1).
  package func names() throws -> [RealmString] {
    guard !hasRefs, scheme == .multiply else {
      throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: "a node of names"))
    }
    return try (0..<count).map { try StringLeaf.short(self, $0).map { RealmString($0) } ?? "" }
  }
}

/// Strings or data in the kind that the longest value requires (Docs/Format/2-nodes-and-values.md §2.8–2.11).
///
/// Short values are collected. As soon as one is too long for the small kinds, the leaf becomes a big one, and each
/// value is written at once as a node of its own, so memory stays small whatever the values are.
final class StringLeafEncoder: LeafEncoder {
  /// The kind of values, and the lengths at which the kinds of leaf begin.
  enum Content {
    /// Short up to 15 bytes, medium up to 63; every value ends with a zero byte.
    case text
    /// Small up to 64 bytes; no short kind.
    case data
    /// Texts, data, object ids and UUIDs of Mixed values, all stored as texts (§3.1).
    case mixed

    var isTerminated: Bool { self != .data }
    /// The longest value that lies in one blob with others.
    var longestSmall: Int { self == .data ? 64 : 63 }
  }

  private let nodes: NodeEncoder
  private let content: Content
  private(set) var count = 0

  // Values of a leaf that is not big (yet).
  private var bytes: [UInt8] = []
  private var ends: [Int64] = []
  private var nulls: [Int64] = []
  private var longest = 0
  /// The values of a big leaf; nil before it is one.
  private var blobs: [Ref]?

  /// Bytes of one blob node; longer values lie in pieces (§2.11).
  static let longestBlob = 0xff_fff0
  private static let longestShort = 15

  init(_ nodes: NodeEncoder, _ content: Content) {
    self.nodes = nodes
    self.content = content
  }

  func append(_ value: ValueView) throws {
    switch (value, content) {
    case (.string(let text), .text), (.string(let text), .mixed): try append(text)
    case (.data(let data), .data), (.data(let data), .mixed): try append(data)
    case (.null, .text), (.null, .data): try appendNull()
    default: throw BuildError(refusing: value)
    }
  }

  func append(_ value: BlobView) throws {
    guard let contiguous = value.contiguous else {
      try switchToBig()
      blobs?.append(try piecewise(value))
      count += 1
      return
    }
    try append(contiguous)
  }

  func append(_ value: UnsafeRawBufferPointer) throws {
    if value.count > content.longestSmall { try switchToBig() }
    count += 1
    if blobs != nil {
      let blob = try blob(value)
      blobs?.append(blob)
      return
    }
    bytes.append(contentsOf: value)
    if content.isTerminated { bytes.append(0) }
    ends.append(Int64(bytes.count))
    nulls.append(0)
    longest = max(longest, value.count)
  }

  private func appendNull() throws {
    count += 1
    if blobs != nil {
      blobs?.append(.null)
      return
    }
    // A null has the terminator of a text nevertheless (§2.9).
    if content.isTerminated { bytes.append(0) }
    ends.append(Int64(bytes.count))
    nulls.append(1)
  }

  func finish() throws -> Ref {
    defer { removeAll() }
    if let blobs { return try nodes.refs(blobs, .context) }
    return content.isTerminated && longest <= Self.longestShort ? try finishShort() : try finishSmall()
  }

  private func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    nulls.removeAll(keepingCapacity: true)
    blobs = nil
    longest = 0
    count = 0
  }

  // MARK: Kinds of leaf

  /// Fields of one width; of width 0 if all are null or there are none.
  private func finishShort() throws -> Ref {
    let code = nulls.contains(0) ? ShortText.widthCode(longest: longest) : 0
    return try nodes.fixed(count: count, widthCode: code) { payload in
      guard code > 0 else { return }
      let width = payload.count / count
      bytes.withUnsafeBytes { bytes in
        for index in 0..<count {
          let field = UnsafeMutableRawBufferPointer(rebasing: payload[index * width..<(index + 1) * width])
          guard nulls[index] == 0 else {
            ShortText.fillNull(field)
            continue
          }
          ShortText.fill(field, with: UnsafeRawBufferPointer(rebasing: bytes[start(of: index)..<end(of: index)]))
        }
      }
    }
  }

  /// One blob with ends and null flags.
  private func finishSmall() throws -> Ref {
    let children = [
      try nodes.integers(ends), try bytes.withUnsafeBytes { try nodes.blob($0, isTerminated: false) },
      try nodes.integers(nulls),
    ]
    return try nodes.refs(children)
  }

  private func start(of index: Int) -> Int { index == 0 ? 0 : Int(ends[index - 1]) }

  /// The end of a value, its terminator left out.
  private func end(of index: Int) -> Int { Int(ends[index]) - (content.isTerminated ? 1 : 0) }

  /// Writes the collected values as separate blobs.
  private func switchToBig() throws {
    guard blobs == nil else { return }
    var refs: [Ref] = []
    refs.reserveCapacity(count + 1)
    try bytes.withUnsafeBytes { bytes in
      for index in 0..<count {
        let value = UnsafeRawBufferPointer(rebasing: bytes[start(of: index)..<end(of: index)])
        refs.append(nulls[index] == 0 ? try blob(value) : .null)
      }
    }
    blobs = refs
  }

  // MARK: Blobs

  private func blob(_ value: UnsafeRawBufferPointer) throws -> Ref {
    let isInOnePiece = value.count + (content.isTerminated ? 1 : 0) <= Self.longestBlob
    return isInOnePiece
      ? try nodes.blob(value, isTerminated: content.isTerminated) : try piecewise(BlobView(value))
  }

  /// Writes a value in pieces of the maximum size, under a node with the context flag (§2.11).
  ///
  /// The engine's ordinary accessors do not read such values. They are written only if a file already has them.
  private func piecewise(_ value: BlobView) throws -> Ref {
    var pieces: [Ref] = []
    var pending: [UInt8] = []
    func flush(_ limit: Int) throws {
      while pending.count >= limit, !pending.isEmpty {
        let length = min(pending.count, Self.longestBlob)
        pieces.append(
          try pending.withUnsafeBytes {
            try nodes.blob(UnsafeRawBufferPointer(rebasing: $0.prefix(length)), isTerminated: false)
          })
        pending.removeFirst(length)
      }
    }
    try value.forEachPiece {
      pending.append(contentsOf: $0)
      try flush(Self.longestBlob)
    }
    if content.isTerminated { pending.append(0) }
    try flush(1)
    return try nodes.refs(pieces, .context)
  }
}
