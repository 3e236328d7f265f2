import RealmStorage

/// The replacements of the last values: the values of a category occur again and again. Used by one thread.
///
/// It has a place for each hash of a few bits; if hardly any value is found, it is no longer used.
final class RedactionMemo {
  private struct Entry {
    var hash: UInt64 = 0
    /// Bytes of the value and of its replacement; below 0 for an empty place.
    var length = -1
    var resultLength = 0
  }

  private var entries = [Entry](repeating: Entry(), count: 1 << placeBits)
  private let bytes = UnsafeMutableRawPointer.allocate(byteCount: placeSize << placeBits, alignment: 8)
  private var lookCount = 0
  private var hitCount = 0
  private var numbers = [(number: Int64, result: Int64)?](repeating: nil, count: 1 << placeBits)
  private var numberLookCount = 0
  private var numberHitCount = 0

  private static let placeBits = 9
  private static let mostBytes = 40
  private static let mostResultBytes = 88
  private static let placeSize = mostBytes + mostResultBytes
  private static let trialCount = 4096

  deinit { bytes.deallocate() }

  /// The replacement of a text, made by `body` if it is not known.
  @inline(__always)
  func text(
    instead text: UnsafeRawBufferPointer, in arena: ByteArena, _ body: () throws -> BlobView
  ) rethrows -> BlobView {
    guard text.count <= Self.mostBytes, lookCount < Self.trialCount || hitCount > lookCount / 4 else {
      return try body()
    }
    lookCount += 1
    let hash = Self.hash(text)
    let place = Int(hash >> UInt64(64 - Self.placeBits))
    let start = bytes + place * Self.placeSize
    let entry = entries[place]
    if entry.hash == hash, entry.length == text.count,
      UnsafeRawBufferPointer(start: start, count: text.count).hasSameBytes(as: text)
    {
      hitCount += 1
      return BlobView(
        arena.copy(UnsafeRawBufferPointer(start: start + Self.mostBytes, count: entry.resultLength)))
    }
    let result = try body()
    guard let made = result.contiguous, made.count <= Self.mostResultBytes else { return result }
    UnsafeMutableRawBufferPointer(start: start, count: text.count).copyMemory(from: text)
    UnsafeMutableRawBufferPointer(start: start + Self.mostBytes, count: made.count).copyMemory(from: made)
    entries[place] = Entry(hash: hash, length: text.count, resultLength: made.count)
    return result
  }

  /// The replacement of a number, made by `body` if it is not known.
  @inline(__always)
  func int(instead number: Int64, _ body: () throws -> Int64) rethrows -> Int64 {
    guard numberLookCount < Self.trialCount || numberHitCount > numberLookCount / 4 else { return try body() }
    numberLookCount += 1
    let place = Int(truncatingIfNeeded: number) & (1 << Self.placeBits - 1)
    if let known = numbers[place], known.number == number {
      numberHitCount += 1
      return known.result
    }
    let result = try body()
    numbers[place] = (number, result)
    return result
  }

  @inline(__always)
  private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: text.count) &* 0x9e37_79b9_7f4a_7c15
    var index = 0
    while index + 8 <= text.count {
      hash = (hash ^ text.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0x9fb2_1c65_1e98_df25
      hash ^= hash >> 32
      index += 8
    }
    while index < text.count {
      hash = (hash ^ UInt64(text[index])) &* 0x9fb2_1c65_1e98_df25
      hash ^= hash >> 32
      index += 1
    }
    return hash &* 0xd6e8_feb8_6659_fd93
  }
}
