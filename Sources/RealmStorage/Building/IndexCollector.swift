/// The values of an indexed property as they pass by, with the objects they belong to.
///
/// A search index is in the order of its values, so nothing of it can be written before the last object is known. What is
/// kept is a copy of each value's index data.
final class IndexCollector {
  /// What is indexed.
  enum Content {
    /// Single values (Docs/Format/3-tables-and-objects.md §6.5).
    case values
    /// Single values of any type, where equal index data does not mean equal values.
    case mixedValues
    /// The elements of lists of texts (§6.7).
    case elements
    /// The words of texts (§6.7).
    case words
  }

  let content: Content
  private let arena = ByteArena()
  private(set) var entries: [IndexEntry] = []
  /// Values by entry, for `mixedValues`.
  private(set) var values: [ValueView] = []
  /// Whether the objects came in the order of their keys.
  private var isAscending = true
  /// Words of the object that is being collected.
  private var words: Set<RealmString?> = []

  init(_ content: Content) { self.content = content }

  /// Adds the value of an object, or an element of its list.
  func append(_ value: ValueView, of key: ObjectKey) throws {
    switch content {
    case .values: try appendEntry(value, key)
    case .mixedValues: values.append(kept(value, try appendEntry(value, key)))
    case .elements:
      switch value {
      case .string(let text):
        guard text.count <= BuildError.longestIndexedText else {
          throw BuildError.indexedTextTooLong(byteCount: text.count)
        }
        words.insert(RealmString(utf8: try text.copied()))
      case .null: words.insert(nil)
      default: throw BuildError.wrongType
      }
    case .words:
      guard case .string(let text) = value else { return }
      try text.forEachWord { words.insert($0) }
    }
  }

  /// Ends the value or list of an object: what it holds more than once counts once.
  func finishObject(_ key: ObjectKey) {
    guard !words.isEmpty else { return }
    // In an order of their own, so that the same words always give the same bytes.
    for word in words.sorted(by: Self.precedes) {
      let data = word.map { $0.utf8.withUnsafeBytes { arena.copy($0) } }
      append(IndexEntry(key: key, data: data))
    }
    words.removeAll(keepingCapacity: true)
  }

  private static func precedes(_ left: RealmString?, _ right: RealmString?) -> Bool {
    guard let left else { return right != nil }
    return right.map { left < $0 } ?? false
  }

  @discardableResult
  private func appendEntry(_ value: ValueView, _ key: ObjectKey) throws -> UnsafeRawBufferPointer? {
    let data = try IndexData.withBytes(of: value) { bytes in bytes.map { arena.copy($0) } }
    append(IndexEntry(key: key, data: data))
    return data
  }

  private func append(_ entry: IndexEntry) {
    if let last = entries.last, entry.key < last.key { isAscending = false }
    entries.append(entry)
  }

  /// Puts the entries in the order of the objects' keys.
  func sort() {
    guard !isAscending else { return }
    let order = entries.indices.sorted { left, right in
      entries[left].key != entries[right].key ? entries[left].key < entries[right].key : left < right
    }
    entries = order.map { entries[$0] }
    if !values.isEmpty { values = order.map { values[$0] } }
    isAscending = true
  }

  /// A value that outlives what it was borrowed from.
  private func kept(_ value: ValueView, _ data: UnsafeRawBufferPointer?) -> ValueView {
    switch value {
    case .string: .string(BlobView(data ?? UnsafeRawBufferPointer(start: nil, count: 0)))
    case .data: .data(BlobView(data ?? UnsafeRawBufferPointer(start: nil, count: 0)))
    // All lists are equal, and all dictionaries.
    case .typedLink(_, let key) where key.rawValue < 0: .null
    default: value
    }
  }
}

/// An object under one piece of index data.
struct IndexEntry {
  let key: ObjectKey
  private let start: UnsafeRawPointer?
  /// -1 for null.
  private let count: Int

  init(key: ObjectKey, data: UnsafeRawBufferPointer?) {
    self.key = key
    start = data?.baseAddress
    count = data?.count ?? -1
  }

  /// Nil for null.
  @inline(__always)
  var data: UnsafeRawBufferPointer? { count < 0 ? nil : UnsafeRawBufferPointer(start: start, count: count) }
}
