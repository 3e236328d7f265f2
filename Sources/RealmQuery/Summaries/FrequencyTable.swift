import Libc
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

  /// In the order in which they came. Grown by the C library, which moves pages instead of copying them.
  private var entryMemory: UnsafeMutablePointer<Entry>
  private var room = 1024
  private(set) var entryCount = 0
  /// The hash, and below it the place among the entries + 1; 0 for a free slot. With the hash next to it an entry is
  /// looked at only where it is likely to be the right one: what takes time is memory that is far apart.
  private var slots: UnsafeMutableBufferPointer<UInt64>
  private let mostEntries: Int
  private let seed = UInt64.random(in: .min ... .max)
  /// Keeps reads that only bring memory near.
  private var lastTouch: UInt64 = 0

  init(mostEntries: Int) {
    self.mostEntries = min(mostEntries, 1 << 30)
    entryMemory = Self.memory(for: room, instead: nil)
    slots = .allocate(capacity: 64)
    slots.initialize(repeating: 0)
  }

  deinit {
    slots.deallocate()
    free(entryMemory)
  }

  var entries: UnsafeBufferPointer<Entry> { UnsafeBufferPointer(start: entryMemory, count: entryCount) }

  private static func memory(for count: Int, instead of: UnsafeMutablePointer<Entry>?) -> UnsafeMutablePointer<Entry> {
    guard let memory = realloc(of, count * MemoryLayout<Entry>.stride) else { fatalError("out of memory") }
    return memory.assumingMemoryBound(to: Entry.self)
  }

  enum Outcome { case new, known, full }

  /// Counts a value.
  ///
  /// - Parameter hash: of the identity.
  /// - Returns: `full` if it is a new one for which there is no room; it was not counted then.
  @inline(__always)
  func add(_ identity: DistinctValue, _ object: ObjectKey, hash: UInt64) -> Outcome {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while slots[slot] != 0 {
      if slots[slot] >> 32 == hash {
        let place = Int(slots[slot] & 0xffff_ffff) - 1
        if entryMemory[place].identity == identity {
          entryMemory[place].count += 1
          return .known
        }
      }
      slot = (slot + 1) & mask
    }
    guard entryCount < mostEntries else { return .full }
    if entryCount == room {
      room *= 2
      entryMemory = Self.memory(for: room, instead: entryMemory)
    }
    (entryMemory + entryCount).initialize(to: Entry(identity: identity, object: object, count: 1))
    entryCount += 1
    slots[slot] = hash << 32 | UInt64(entryCount)
    if entryCount * 3 > slots.count * 2 { grow() }
    return .new
  }

  /// Tables with fewer slots are near anyway.
  private static let leastFar = 1 << 13

  /// Reads where values with some hashes are, or would be. The reads do not wait for each other, as those of values that
  /// are added one after another do.
  func touch(_ hashes: some Sequence<UInt64>) {
    guard slots.count >= Self.leastFar else { return }
    let mask = slots.count - 1
    var touched: UInt64 = 0
    for hash in hashes { touched ^= slots[Int(hash) & mask] }
    for hash in hashes {
      let slot = slots[Int(hash) & mask]
      if slot >> 32 == hash, slot != 0 { touched ^= entryMemory[Int(slot & 0xffff_ffff) - 1].identity.head }
    }
    lastTouch = touched
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
  func hash(of identity: DistinctValue) -> UInt64 {
    let words = DistinctValue.mixed(identity.head ^ seed, identity.tail &+ UInt64(identity.length) &+ seed)
    return (words ^ words >> 32 ^ UInt64(identity.kind.rawValue)) & 0xffff_ffff
  }
}
