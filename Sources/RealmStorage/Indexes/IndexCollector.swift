/// The values of an indexed property as they pass by, with the objects they belong to.
///
/// A search index is in the order of its values, so nothing of it can be written before the last object is known. What is
/// kept is each value's index data.
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
  /// What the object that is being collected has several of.
  private var terms: Set<IndexTerm> = []

  init(_ content: Content) { self.content = content }

  /// Adds the value of an object, or an element of its list.
  func append(_ value: ValueView, of key: ObjectKey) throws {
    switch content {
    case .values: append(IndexEntry(key: key, data: kept(IndexData(value))))
    case .mixedValues: appendMixed(value, of: key)
    case .elements:
      switch value {
      case .string(let text):
        guard text.count <= BuildError.longestIndexedText else {
          throw BuildError.indexedTextTooLong(byteCount: text.count)
        }
        terms.insert(IndexTerm(bytes: try text.copied()))
      case .null: terms.insert(IndexTerm(bytes: nil))
      default: throw BuildError.wrongType
      }
    case .words:
      guard case .string(let text) = value else { return }
      for word in TextWords.words(in: ValueOrder.bytes(of: text)) { terms.insert(IndexTerm(bytes: word)) }
    }
  }

  /// Ends the value or list of an object: what it holds more than once counts once.
  func finishObject(_ key: ObjectKey) {
    guard !terms.isEmpty else { return }
    // In an order of their own, so that the same terms always give the same bytes.
    for term in terms.sorted() {
      append(IndexEntry(key: key, data: term.bytes.map { .bytes($0.withUnsafeBytes { arena.copy($0) }) } ?? .null))
    }
    terms.removeAll(keepingCapacity: true)
  }

  private func appendMixed(_ value: ValueView, of key: ObjectKey) {
    // A link to a tombstone counts as null.
    var value = value
    if case .typedLink(_, let target) = value, target.isUnresolved { value = .null }
    let data = kept(IndexData(value))
    append(IndexEntry(key: key, data: data))
    if case .bytes(let bytes) = data {
      // The copy outlives what the value was borrowed from. All lists are equal, and all dictionaries.
      if case .string = value { value = .string(BlobView(bytes)) }
      if case .data = value { value = .data(BlobView(bytes)) }
    }
    values.append(value)
  }

  private func kept(_ data: IndexData) -> IndexData {
    if case .bytes(let bytes) = data { .bytes(arena.copy(bytes)) } else { data }
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
}

/// An object under one piece of index data.
struct IndexEntry {
  let key: ObjectKey
  let data: IndexData
}
