import Libc

/// One value of a realm, borrowed: strings and data point into the file.
///
/// A view is valid as long as the snapshot it came from is alive and, for snapshots over pages, until the pages are
/// released. `Value` is the owned form.
package enum ValueView: @unchecked Sendable {
  case null
  case int(Int64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(BlobView)
  case data(BlobView)
  case date(Timestamp)
  case decimal(Decimal128)
  case objectID(ObjectID)
  case uuid(RealmUUID)
  /// A link through a link property; the target table is the property's.
  case link(TableKey, ObjectKey)
  /// A link inside a Mixed value or a dictionary, which names its table itself.
  case typedLink(TableKey, ObjectKey)
  case list(ListView)
  case set(ListView)
  case dictionary(DictionaryView)
}

/// The bytes of a text or data value in the file.
///
/// Values beyond 16 MiB lie there in pieces (Docs/Format/2-nodes-and-values.md §2.11); `forEachPiece` hides that.
package struct BlobView: @unchecked Sendable {
  /// The first byte; for a value in pieces, the header of the node whose children they are.
  private let start: UnsafeRawPointer?
  /// Bytes in all.
  package let count: Int
  /// Where to find the pieces; nil for a value in one piece.
  private let store: Unmanaged<ByteStore>?

  /// A value in one piece. The bytes stay where they are; the caller makes sure that they outlive the view.
  @inline(__always)
  package init(_ bytes: UnsafeRawBufferPointer) {
    start = bytes.baseAddress
    count = bytes.count
    store = nil
  }

  package static var empty: BlobView { BlobView(UnsafeRawBufferPointer(start: nil, count: 0)) }

  /// A value in several pieces, without `droppingLast` bytes at the end (the terminator of strings).
  ///
  /// - Throws: `visitedTooOften` if the pieces are longer than the file, because some of them are the same node.
  package init(pieces node: Node, droppingLast: Int, in store: ByteStore) throws {
    var total = 0
    for index in 0..<node.count {
      total += try Node(node.childRef(index), in: store).requiringBlob().count
      // Each piece has a header at least, an empty one too.
      guard total <= store.count - (index + 1) * Node.headerSize else {
        throw StorageError.corrupted(node.ref, .visitedTooOften)
      }
    }
    guard total >= droppingLast else {
      throw StorageError.corrupted(node.ref, .valueOutOfRange("a string without a terminator"))
    }
    start = node.payload - Node.headerSize
    count = total - droppingLast
    self.store = .passUnretained(store)
  }

  /// The bytes, if they are in one piece.
  @inline(__always)
  package var contiguous: UnsafeRawBufferPointer? {
    store == nil ? UnsafeRawBufferPointer(start: start, count: count) : nil
  }

  /// Calls `body` with the pieces in order.
  ///
  /// - Parameter most: the number of bytes that are wanted, from the beginning.
  /// - Throws: `StorageError.corrupted` if a piece is damaged; errors of `body`.
  package func forEachPiece(upTo most: Int = .max, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let store, let start else { return try body(UnsafeRawBufferPointer(start: start, count: min(count, most))) }
    try store._withUnsafeGuaranteedRef { store in
      let pieces = try Node(store.ref(ofNodeAt: start), in: store)
      var rest = min(count, most)
      for index in 0..<pieces.count where rest > 0 {
        let piece = try Node(pieces.childRef(index), in: store).requiringBlob()
        let part = UnsafeRawBufferPointer(rebasing: piece.bytes.prefix(rest))
        rest -= part.count
        try body(part)
      }
    }
  }

  /// A copy of all bytes.
  package func copied() throws -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    try forEachPiece { result.append(contentsOf: $0) }
    return result
  }
}

/// A list or set in the file, not yet read.
package struct ListView: Sendable {
  /// Root of the B+tree; null for an empty collection.
  package let root: Ref
  package let element: ElementType
}

/// A dictionary in the file that has not been read yet. Keys are strings, and values are Mixed whatever the declared
/// type (Docs/Format/2-nodes-and-values.md §5.3).
package struct DictionaryView: Sendable {
  let root: Ref
  /// The declared target of a dictionary of links. Its values are stored as typed links, and are returned as plain ones
  /// if they point there.
  let linkTarget: TableKey?
}

extension Value {
  /// Calls `body` with a borrowed form. Collections are what an index sees of them.
  @inline(__always)
  package func withView<Result>(_ body: (ValueView) throws -> Result) rethrows -> Result {
    switch self {
    case .string(let text): try text.utf8.withUnsafeBytes { try body(.string(BlobView($0))) }
    case .data(let data): try data.withUnsafeBytes { try body(.data(BlobView($0))) }
    default: try body(viewWithoutBytes)
    }
  }

  /// The same for longer: the bytes of texts and data live as long as the arena.
  package func view(in arena: ByteArena) -> ValueView {
    switch self {
    case .string(let text): .string(BlobView(text.utf8.withUnsafeBytes { arena.copy($0) }))
    case .data(let data): .data(BlobView(data.withUnsafeBytes { arena.copy($0) }))
    default: viewWithoutBytes
    }
  }

  /// The borrowed form of a value that is neither a string nor data.
  private var viewWithoutBytes: ValueView {
    switch self {
    case .null, .string, .data: .null
    case .int(let value): .int(value)
    case .bool(let value): .bool(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .date(let value): .date(value)
    case .decimal(let value): .decimal(value)
    case .objectID(let value): .objectID(value)
    case .uuid(let value): .uuid(value)
    case .link(let table, let key): .link(table, key)
    case .typedLink(let table, let key): .typedLink(table, key)
    case .list: .list(ListView(root: .null, element: .mixed))
    case .set: .set(ListView(root: .null, element: .mixed))
    case .dictionary: .dictionary(DictionaryView(root: .null, linkTarget: nil))
    }
  }
}

extension ValueView {
  /// Bytes of a text or data that a walk accounts for; 0 for a short one and for everything else.
  @inline(__always)
  var longByteCount: Int {
    switch self {
    case .string(let bytes), .data(let bytes): bytes.count > WalkBudget.shortValue ? bytes.count : 0
    default: 0
    }
  }
}

extension WalkBudget {
  /// Accounts for a value from a leaf at `ref`: any number of places may refer to one long string.
  ///
  /// - Throws: `visitedTooOften` beyond the limit.
  @inline(__always)
  func spend(onValue value: ValueView, at ref: Ref) throws {
    let count = value.longByteCount
    if count > 0 { try spend(onBytes: count, at: ref) }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether all bytes are those of another buffer.
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let start = baseAddress, let otherStart = other.baseAddress else {
      return count == other.count
    }
    return memcmp(start, otherStart, count) == 0
  }
}
