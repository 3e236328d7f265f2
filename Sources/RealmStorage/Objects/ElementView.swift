/// One place of a list or set.
package enum ElementView {
  case value(ValueView)
  /// A link to an object not in this file (Docs/Format/3-tables-and-objects.md §4.7); SDKs leave such elements out.
  case unresolvedLink
  case damaged(StorageError)
}

extension ListView {
  /// The targets of a list of links; nil for every other list.
  package var linkTarget: TableKey? { element.code == .link ? element.target : nil }

  /// The elements at some positions as they are stored. Reads only the leaves that contain them.
  ///
  /// - Parameter range: positions from 0 up to `count(in:)`; an element beyond the end counts as damaged.
  /// - Returns: as many elements as the range has positions.
  package func elements(at range: Range<Int>, in snapshot: Snapshot) -> [ElementView] {
    let tree = BPlusTree(root: root, element: element)
    return tree.slice(range, in: snapshot.store, damaged: ElementView.damaged) { leaf, index in
      if element.code == .link, try leaf.isUnresolvedLink(at: index) { return .unresolvedLink }
      return .value(try leaf.value(at: index, in: snapshot.store))
    }
  }
}

extension BPlusTree {
  /// Elements by position; what cannot be read gives an error in its place.
  func slice<Element>(
    _ range: Range<Int>, in store: ByteStore, damaged: (StorageError) -> Element,
    element: (Leaf, Int) throws -> Element
  ) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(range.count)
    var current: (leaf: Leaf, start: Int)?
    for position in range {
      do {
        if current.map({ position - $0.start >= $0.leaf.count }) ?? true {
          current = nil
          let found = try leaf(holding: position, in: store)
          current = (found.leaf, position - found.position)
        }
        guard let current else { continue }
        elements.append(try element(current.leaf, position - current.start))
      } catch let error as StorageError {
        elements.append(damaged(error))
      } catch {
        elements.append(damaged(.corrupted(root, .missingNode)))
      }
    }
    return elements
  }
}

/// The entries of a dictionary by position, in the order of the keys.
///
/// In format 24, only the leaves with the requested entries are read. Older formats have other orders
/// (Docs/Format/4-file-versions.md §3.8); there, all entries are read once to sort them.
///
/// An instance is valid as long as its snapshot is alive and its pages are not released.
package struct DictionaryPositions {
  /// One place of a dictionary.
  package enum Entry {
    case entry(key: BlobView, value: ValueView)
    case damaged(StorageError)
  }

  /// Number of positions.
  package let count: Int
  private let content: Content

  private enum Content {
    case trees(DictionaryView, keys: BPlusTree, values: BPlusTree)
    case sorted([Entry])
  }

  /// - Throws: `StorageError.corrupted` if not even the number of entries can be read.
  package init(of dictionary: DictionaryView, in snapshot: Snapshot) throws {
    guard !dictionary.root.isNull else {
      (count, content) = (0, .sorted([]))
      return
    }
    if snapshot.header.format >= 24,
      case .trees(let keys, let values) = try DictionaryLayout(dictionary.root, in: snapshot.store)
    {
      count = try keys.count(in: snapshot.store)
      content = .trees(dictionary, keys: keys, values: values)
      return
    }
    var entries: [Entry] = []
    var damaged: [Entry] = []
    let walk = snapshot.collectionWalk()
    try dictionary.forEach(walk, damaged: { damaged.append(.damaged($0)) }) { key, value in
      entries.append(.entry(key: key, value: value))
    }
    entries += damaged
    (count, content) = (entries.count, .sorted(entries))
  }

  /// The entries at some positions.
  ///
  /// - Parameter range: positions from 0 up to `count`; an entry beyond the end is a damaged one.
  /// - Returns: as many entries as the range has positions.
  package func entries(at range: Range<Int>, in snapshot: Snapshot) -> [Entry] {
    switch content {
    case .sorted(let entries):
      return range.map { position in
        guard entries.indices.contains(position) else {
          return .damaged(.corrupted(.null, .indexOutOfRange(position, count: entries.count)))
        }
        return entries[position]
      }
    case .trees(let dictionary, let keys, let values):
      let store = snapshot.store
      let foundKeys = keys.slice(range, in: store, damaged: Result<ValueView, StorageError>.failure) {
        .success(try $0.value(at: $1, in: store))
      }
      let foundValues = values.slice(range, in: store, damaged: Result<ValueView, StorageError>.failure) {
        .success(dictionary.withPlainLink(try $0.value(at: $1, in: store)))
      }
      return zip(foundKeys, foundValues).map { Self.entry($0, $1, at: dictionary.root) }
    }
  }

  /// The position of the entry with a key; nil if there is none. Uses the order of the keys.
  package func position(of key: RealmString, in snapshot: Snapshot) -> Int? {
    let position = firstIndex(in: 0..<count) { self.key(at: $0, in: snapshot).map { $0 >= key } ?? true }
    if position < count, self.key(at: position, in: snapshot) == key { return position }
    return linearPosition(of: key, in: snapshot)
  }

  /// For dictionaries in the wrong order, which only damage causes; bounded.
  private func linearPosition(of key: RealmString, in snapshot: Snapshot) -> Int? {
    (0..<min(count, 10_000)).first { self.key(at: $0, in: snapshot) == key }
  }

  private func key(at position: Int, in snapshot: Snapshot) -> RealmString? {
    guard case .entry(let key, _)? = entries(at: position..<position + 1, in: snapshot).first,
      let bytes = try? key.copied()
    else { return nil }
    return RealmString(utf8: bytes)
  }

  private static func entry(
    _ key: Result<ValueView, StorageError>, _ value: Result<ValueView, StorageError>, at root: Ref
  ) -> Entry {
    switch (key, value) {
    case (.success(.string(let key)), .success(let value)): .entry(key: key, value: value)
    case (.success, .success): .damaged(.corrupted(root, .valueOutOfRange("key of a dictionary")))
    case (.failure(let error), _), (_, .failure(let error)): .damaged(error)
    }
  }
}
