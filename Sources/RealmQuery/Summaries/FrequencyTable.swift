import RealmStorage

/// Different values with how often each of them occurs: exact, up to a number of them.
///
/// A hash table whose seed differs in each process, so that nobody can make a file that slows it down. Each value takes
/// 64 bytes or less, whatever its length.
final class FrequencyTable {
  struct Entry {
    let identity: DistinctValue
    /// The first object with the value.
    let object: ObjectKey
    var count: Int
  }

  private(set) var entries: ContiguousArray<Entry> = []
  /// The hash, and below it the place among the entries + 1; 0 for a free slot. With the hash next to it an entry is
  /// looked at only where it is likely to be the right one: what takes time is memory that is far apart.
  private var slots: UnsafeMutableBufferPointer<UInt64>
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
  /// - Returns: `full` if it is a new one for which there is no room; it was not counted then.
  @inline(__always)
  func add(_ identity: DistinctValue, _ object: ObjectKey) -> Outcome {
    let mask = slots.count - 1
    let hash = hash(of: identity)
    var slot = Int(hash) & mask
    while slots[slot] != 0 {
      if slots[slot] >> 32 == hash {
        let place = Int(slots[slot] & 0xffff_ffff) - 1
        if entries[place].identity == identity {
          entries[place].count += 1
          return .known
        }
      }
      slot = (slot + 1) & mask
    }
    guard entries.count < mostEntries else { return .full }
    entries.append(Entry(identity: identity, object: object, count: 1))
    slots[slot] = hash << 32 | UInt64(entries.count)
    if entries.count * 3 > slots.count * 2 { grow() }
    return .new
  }

  private func grow() {
    let larger = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: slots.count * 2)
    larger.initialize(repeating: 0)
    let mask = larger.count - 1
    for entry in slots where entry != 0 {
      var slot = Int(entry >> 32) & mask
      while larger[slot] != 0 { slot = (slot + 1) & mask }
      larger[slot] = entry
    }
    slots.deallocate()
    slots = larger
  }

  /// 32 bits of it.
  @inline(__always)
  private func hash(of identity: DistinctValue) -> UInt64 {
    let words = DistinctValue.mixed(identity.head ^ seed, identity.tail &+ UInt64(identity.length) &+ seed)
    return (words ^ words >> 32 ^ UInt64(identity.kind.rawValue)) & 0xffff_ffff
  }
}
