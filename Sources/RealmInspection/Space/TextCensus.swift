import RealmStorage

/// Tells whether the texts of a property repeat, while they go by.
///
/// It keeps a number for each distinct string, and gives up if there are too many: memory stays small, and distinct
/// strings then cost nothing.
struct TextCensus {
  private var slots: [UInt64] = []
  private var distinctCount = 0
  private var distinctBytes: UInt64 = 0
  private var textCount = 0
  private(set) var isOver = false

  /// Different texts up to which it is worth to write each of them once.
  static let mostDistinct = 4096
  /// There are many properties with few texts.
  private static let firstSlotCount = 1 << 6
  /// After so many texts the different ones must be less than a quarter.
  private static let warmUp = 1024
  /// Longer ones are not looked at: many objects of a damaged file can lead to one.
  static let longestText = 256

  /// Counts one more text.
  @inline(__always)
  mutating func add(_ text: UnsafeRawBufferPointer) {
    guard !isOver else { return }
    add(Self.hash(text), byteCount: text.count)
  }

  /// What repeats; nil if it is not known, or nothing does.
  var repetition: TextRepetition? {
    guard !isOver, distinctCount > 0, textCount >= 2 * distinctCount else { return nil }
    return TextRepetition(distinctCount: distinctCount, distinctBytes: distinctBytes)
  }

  mutating func giveUp() {
    isOver = true
    slots = []
  }

  private mutating func add(_ hash: UInt64, byteCount: Int) {
    textCount += 1
    if 2 * distinctCount >= slots.count { grow() }
    let place = place(of: hash)
    guard slots[place] == 0 else { return }
    slots[place] = hash
    distinctCount += 1
    distinctBytes += UInt64(byteCount)
    let isTooMany = distinctCount > Self.mostDistinct
    if isTooMany || (textCount >= Self.warmUp && distinctCount * 4 > textCount) { giveUp() }
  }

  private mutating func grow() {
    let known = slots
    slots = Array(repeating: 0, count: max(2 * known.count, Self.firstSlotCount))
    for hash in known where hash != 0 { slots[place(of: hash)] = hash }
  }

  /// Where a hash is, or belongs.
  private func place(of hash: UInt64) -> Int {
    var place = Int(truncatingIfNeeded: hash >> 50) & (slots.count - 1)
    while slots[place] != 0, slots[place] != hash { place = (place + 1) & (slots.count - 1) }
    return place
  }

  /// A number for a text that another text has by chance only; never 0.
  private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: text.count) &* 0x9e37_79b9_7f4a_7c15
    var offset = 0
    while offset + 8 <= text.count {
      hash = mixed(hash ^ text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < text.count {
      rest = rest << 8 | UInt64(text[offset])
      offset += 1
    }
    return mixed(hash ^ rest) | 1
  }

  @inline(__always)
  private static func mixed(_ number: UInt64) -> UInt64 {
    let product = number.multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
    return product.high ^ product.low
  }
}
