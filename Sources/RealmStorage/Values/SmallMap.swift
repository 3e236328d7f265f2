/// Entries by key: an array that is searched while they are few, a dictionary beyond that.
///
/// For what is small in most transactions. Before the first dictionary of a key type is made, the runtime looks through all
/// conformances of the binary: 350,000 instructions each time, more than all the rest of changing one value.
struct SmallMap<Key: Hashable, Entry> {
  private var few: [(key: Key, entry: Entry)] = []
  /// All entries, unless they are in `few`.
  private var many: [Key: Entry] = [:]
  private var hasFew = true

  /// Entries that are searched one after another.
  static var mostInArray: Int { 16 }

  var count: Int { hasFew ? few.count : many.count }
  var isEmpty: Bool { count == 0 }

  /// In no order.
  var keys: [Key] { hasFew ? few.map(\.key) : Array(many.keys) }

  subscript(key: Key) -> Entry? {
    get {
      guard hasFew else { return many[key] }
      return index(of: key).map { few[$0].entry }
    }
    set {
      guard hasFew else { return many[key] = newValue }
      switch (index(of: key), newValue) {
      case (let index?, let entry?): few[index].entry = entry
      case (let index?, nil): few.remove(at: index)
      case (nil, let entry?):
        few.append((key, entry))
        if few.count > Self.mostInArray { reserveCapacity(few.count) }
      case (nil, nil): break
      }
    }
  }

  /// Makes room for entries that are to come.
  mutating func reserveCapacity(_ count: Int) {
    guard count > Self.mostInArray else { return }
    many.reserveCapacity(count)
    for (key, entry) in few { many[key] = entry }
    (few, hasFew) = ([], false)
  }

  /// Keeps the memory of a dictionary.
  mutating func removeAll() {
    few.removeAll(keepingCapacity: true)
    if !hasFew { many.removeAll(keepingCapacity: true) }
    hasFew = true
  }

  private func index(of key: Key) -> Int? {
    for index in few.indices where few[index].key == key { return index }
    return nil
  }
}
