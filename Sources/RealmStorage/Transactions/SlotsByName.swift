/// Where the tables of a transaction are, by their full names.
///
/// Names are unique except in damaged files; of several tables with one name, the first counts.
struct SlotsByName {
  private var slots = SmallMap<RealmString, [Int]>()

  subscript(name: RealmString) -> Int? { slots[name]?.first }

  mutating func add(_ name: RealmString, _ slot: Int) {
    var list = slots[name] ?? []
    list.insert(slot, at: list.firstIndex { $0 > slot } ?? list.endIndex)
    slots[name] = list
  }

  mutating func remove(_ name: RealmString, _ slot: Int) {
    let rest = slots[name]?.filter { $0 != slot } ?? []
    slots[name] = rest.isEmpty ? nil : rest
  }
}
