/// Collects the values of an indexed property, with their objects.
///
/// A search index is in the order of its values, so it cannot be written before the last object is known. Until then
/// each value's index data is kept in an `IndexLog`.
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
  private(set) var log = IndexLog()
  /// For `mixedValues`: the places of the entries, and their values.
  private var places: [IndexLog.Place] = []
  private var values: [ValueView] = []
  /// The values of the current object, if it can have several.
  private var terms: Set<IndexTerm> = []

  init(_ content: Content) { self.content = content }

  /// Adds the value of an object, or an element of its list.
  func append(_ value: ValueView, of key: ObjectKey) throws {
    switch content {
    case .values: try log.append(IndexData(value), of: key)
    case .mixedValues: try appendMixed(value, of: key)
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

  /// Ends the value or list of an object: repeated values count once.
  ///
  /// - Throws: as `append`.
  func finishObject(_ key: ObjectKey) throws {
    guard !terms.isEmpty else { return }
    // In an order of their own, so that the same terms always give the same bytes.
    for term in terms.sorted() {
      guard let bytes = term.bytes else {
        try log.append(.null, of: key)
        continue
      }
      _ = try bytes.withUnsafeBytes { try log.append(.bytes($0), of: key) }
    }
    terms.removeAll(keepingCapacity: true)
  }

  private func appendMixed(_ value: ValueView, of key: ObjectKey) throws {
    // A link to a tombstone counts as null.
    var value = value
    if case .typedLink(_, let target) = value, target.isUnresolved { value = .null }
    add(value, at: try log.append(IndexData(value), of: key))
  }

  private func add(_ value: ValueView, at place: IndexLog.Place) {
    places.append(place)
    guard case .bytes(let bytes) = log.data(at: place) else { return values.append(value) }
    // The copy outlives what the value was borrowed from. All lists are equal, and all dictionaries.
    switch value {
    case .string: values.append(.string(BlobView(bytes)))
    case .data: values.append(.data(BlobView(bytes)))
    default: values.append(value)
    }
  }

  /// The collected data is written.
  func removeAll() { (log, places, values) = (IndexLog(), [], []) }

  /// The value of an entry, for `mixedValues`.
  func value(at place: IndexLog.Place) -> ValueView {
    let index = firstIndex(in: 0..<places.count) { places[$0] >= place }
    return index < values.count ? values[index] : .null
  }

  /// Puts the entries in the order of the objects' keys.
  ///
  /// - Throws: as `append`.
  func sort() throws {
    guard !log.isAscending else { return }
    let (old, oldPlaces, oldValues) = (log, places, values)
    (log, places, values) = (IndexLog(), [], [])
    var order: [(key: ObjectKey, place: IndexLog.Place, index: Int)] = []
    old.forEachPlace { order.append((old.key(at: $0), $0, order.count)) }
    order.sort { $0.key != $1.key ? $0.key < $1.key : $0.place < $1.place }
    try withExtendedLifetime(old) {
      for entry in order {
        let place = try log.append(old.data(at: entry.place), of: entry.key)
        if !oldPlaces.isEmpty { add(oldValues[entry.index], at: place) }
      }
    }
  }
}
