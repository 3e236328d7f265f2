import RealmStorage

/// Different values with how often each of them occurs: exact, up to a number of them.
///
/// A hash table whose seed is another one in each process, so that no file can be made that slows it down. Each value takes
/// 48 bytes or less, whatever its length.
final class FrequencyTable {
  struct Entry {
    let identity: DistinctValue
    /// The first object with the value.
    let object: ObjectKey
    var count: Int
  }

  private(set) var entries: ContiguousArray<Entry> = []
  /// Places among the entries + 1; 0 for a free slot.
  private var slots: UnsafeMutableBufferPointer<UInt32>
  private let mostEntries: Int
  private let seed = UInt64.random(in: .min ... .max)

  init(mostEntries: Int) {
    self.mostEntries = min(mostEntries, 1 << 30)
    slots = .allocate(capacity: 64)
    slots.initialize(repeating: 0)
  }

  deinit { slots.deallocate() }

  enum Outcome { case new, known, full }

  /// Counts a value.
  ///
  /// - Returns: `full` where it is a new one for which there is no room; it was not counted then.
  @inline(__always)
  func add(_ identity: DistinctValue, _ object: ObjectKey) -> Outcome {
    let mask = slots.count - 1
    var slot = hash(of: identity) & mask
    while slots[slot] != 0 {
      let place = Int(slots[slot] - 1)
      if entries[place].identity == identity {
        entries[place].count += 1
        return .known
      }
      slot = (slot + 1) & mask
    }
    guard entries.count < mostEntries else { return .full }
    entries.append(Entry(identity: identity, object: object, count: 1))
    slots[slot] = UInt32(entries.count)
    if entries.count * 3 > slots.count * 2 { grow() }
    return .new
  }

  private func grow() {
    let larger = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: slots.count * 2)
    larger.initialize(repeating: 0)
    slots.deallocate()
    slots = larger
    let mask = slots.count - 1
    for (place, entry) in entries.enumerated() {
      var slot = hash(of: entry.identity) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(place + 1)
    }
  }

  @inline(__always)
  private func hash(of identity: DistinctValue) -> Int {
    let words = DistinctValue.mixed(identity.head ^ seed, identity.tail &+ UInt64(identity.length) &+ seed)
    return Int(truncatingIfNeeded: words ^ UInt64(identity.kind.rawValue))
  }
}
