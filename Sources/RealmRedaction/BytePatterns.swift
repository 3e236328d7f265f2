/// Many byte strings to search for at once, by their hashes: 8 bytes each, however long they are.
///
/// A place is examined closely if its first four bytes begin a string, and its first eight bytes begin one of the
/// longer strings. From there, the bytes are hashed one by one, and looked up at every length that a string has. The
/// examination continues past 8, 16, 32, 64 and 128 bytes only if a string begins with all of these bytes.
final class BytePatterns {
  /// The length of the shortest string: anything shorter occurs everywhere.
  static let leastLength = 4
  /// The length of the longest string. Of longer strings and data, the beginning and the end are searched for.
  static let mostLength = 256

  /// Whole strings, and their beginnings.
  private(set) var whole = FingerprintSet()
  private var beginnings = FingerprintSet()
  /// A bit for each hash of four bytes that one begins with.
  private let grams: HashBits
  /// The same in so few bits that they stay in a near cache: they rule out most places.
  private let nearGrams: HashBits
  /// The same for strings of fewer than eight bytes.
  private let shortGrams: HashBits
  /// A bit for each hash of the first eight bytes of a string: with millions of strings, four bytes match in many
  /// places.
  private let longGrams: HashBits
  private let lengths: UnsafeMutablePointer<Bool>
  private var longest = 0

  /// - Parameter isSmall: whether there will be few of them, as a rule, so that the bits looked at fit into a near cache.
  init(isSmall: Bool = false) {
    let (gramBits, longGramBits) = isSmall ? (18, 24) : (24, 26)
    (grams, nearGrams) = (HashBits(gramBits), HashBits(18))
    (shortGrams, longGrams) = (HashBits(gramBits), HashBits(longGramBits))
    lengths = .allocate(capacity: Self.mostLength + 1)
    lengths.initialize(repeating: false, count: Self.mostLength + 1)
  }

  deinit {
    for bits in [grams, nearGrams, shortGrams, longGrams] { bits.deallocate() }
    lengths.deallocate()
  }

  /// Different byte strings.
  var count: Int { whole.count }

  // MARK: Hash

  private static let seed: UInt64 = 0x9e37_79b9_7f4a_7c15

  @inline(__always)
  private static func added(_ byte: UInt8, to hash: UInt64) -> UInt64 {
    let product = (hash ^ UInt64(byte)) &* 0x9fb2_1c65_1e98_df25
    return product ^ product >> 32
  }

  /// Never 0, which marks a free place.
  @inline(__always)
  private static func finished(_ hash: UInt64, length: Int) -> UInt64 {
    var result = (hash ^ UInt64(truncatingIfNeeded: length)) &* 0xd6e8_feb8_6659_fd93
    result ^= result >> 32
    return result == 0 ? 1 : result
  }

  @inline(__always)
  private static func gram(_ bytes: UnsafeRawPointer) -> UInt64 {
    UInt64(bytes.loadUnaligned(as: UInt32.self).littleEndian) &* (0x9e37_79b1 << 32)
  }

  @inline(__always)
  private static func longGram(_ bytes: UnsafeRawPointer) -> UInt64 {
    bytes.loadUnaligned(as: UInt64.self).littleEndian &* 0x9e37_79b9_7f4a_7c15
  }

  static func fingerprint(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    finished(bytes.reduce(seed) { added($1, to: $0) }, length: bytes.count)
  }

  // MARK: Filling

  /// Adds a byte string that is long enough; of one that is too long, its beginning and its end.
  ///
  /// - Parameter wanted: the fingerprints of those that are taken.
  func insert(_ bytes: UnsafeRawBufferPointer, among wanted: ClosedRange<UInt64> = 0...UInt64.max) {
    guard bytes.count > Self.mostLength else { return insert(piece: bytes, wanted) }
    insert(piece: UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.mostLength)), wanted)
    insert(piece: UnsafeRawBufferPointer(rebasing: bytes.suffix(Self.mostLength)), wanted)
  }

  private func insert(piece bytes: UnsafeRawBufferPointer, _ wanted: ClosedRange<UInt64>) {
    guard bytes.count >= Self.leastLength, let start = bytes.baseAddress else { return }
    var hash = Self.seed
    // After 8, 16, 32, 64 and 128 bytes.
    var marks = SIMD8<UInt64>.zero
    var (markCount, index, step) = (0, 0, 8)
    while step < bytes.count {
      while index < step {
        hash = Self.added(bytes[index], to: hash)
        index += 1
      }
      marks[markCount] = hash
      markCount += 1
      step *= 2
    }
    while index < bytes.count {
      hash = Self.added(bytes[index], to: hash)
      index += 1
    }
    let fingerprint = Self.finished(hash, length: bytes.count)
    guard wanted.contains(fingerprint), whole.insert(fingerprint) else { return }
    grams.insert(Self.gram(start))
    nearGrams.insert(Self.gram(start))
    if bytes.count < 8 { shortGrams.insert(Self.gram(start)) } else { longGrams.insert(Self.longGram(start)) }
    lengths[bytes.count] = true
    longest = max(longest, bytes.count)
    for mark in 0..<markCount { beginnings.insert(Self.finished(marks[mark], length: -(8 << mark))) }
  }

  /// Takes out those with a higher fingerprint. Their beginnings stay, which does no harm.
  func removeAll(above fingerprint: UInt64) { whole.removeAll(above: fingerprint) }

  // MARK: Searching

  /// Calls `found` with each byte string that begins in the first `limit` bytes, and its fingerprint.
  @inline(__always)
  func scan(
    _ bytes: UnsafeRawBufferPointer, before limit: Int = .max, _ found: (_ range: Range<Int>, UInt64) throws -> Void
  ) rethrows {
    guard whole.count > 0, let start = bytes.baseAddress, bytes.count >= Self.leastLength else { return }
    for index in 0..<min(limit, bytes.count - Self.leastLength + 1) {
      let gram = Self.gram(start + index)
      guard nearGrams.contains(gram), grams.contains(gram) else { continue }
      guard
        shortGrams.contains(gram)
          || index + 8 <= bytes.count && longGrams.contains(Self.longGram(start + index))
      else { continue }
      try look(at: index, in: bytes, found)
    }
  }

  private func look(
    at start: Int, in bytes: UnsafeRawBufferPointer, _ found: (_ range: Range<Int>, UInt64) throws -> Void
  ) rethrows {
    var hash = Self.seed
    var step = 8
    for length in 1...min(longest, bytes.count - start) {
      hash = Self.added(bytes[start + length - 1], to: hash)
      if lengths[length] {
        let fingerprint = Self.finished(hash, length: length)
        if whole.contains(fingerprint) { try found(start..<(start + length), fingerprint) }
      }
      if length == step {
        guard beginnings.contains(Self.finished(hash, length: -step)) else { return }
        step *= 2
      }
    }
  }
}

/// A bit for each number of the highest bits of a hash.
private struct HashBits {
  private let words: UnsafeMutablePointer<UInt64>
  private let shift: UInt64

  init(_ bitCount: Int) {
    words = .allocate(capacity: 1 << (bitCount - 6))
    words.initialize(repeating: 0, count: 1 << (bitCount - 6))
    shift = UInt64(64 - bitCount)
  }

  func deallocate() { words.deallocate() }

  @inline(__always)
  func insert(_ hash: UInt64) {
    let number = hash >> shift
    words[Int(number >> 6)] |= 1 << (number & 63)
  }

  @inline(__always)
  func contains(_ hash: UInt64) -> Bool {
    let number = hash >> shift
    return words[Int(number >> 6)] & 1 << (number & 63) != 0
  }
}

/// A set of hashes, none of them 0: 8 bytes for each place, at most three quarters of which are used.
struct FingerprintSet {
  private var places: [UInt64] = Array(repeating: 0, count: 1 << 10)
  private(set) var count = 0

  /// All hashes, in any order.
  var all: [UInt64] { places.filter { $0 != 0 } }

  @inline(__always)
  func contains(_ number: UInt64) -> Bool {
    places.withUnsafeBufferPointer { places in
      let mask = places.count - 1
      var place = Int(truncatingIfNeeded: number) & mask
      while places[place] != 0 {
        if places[place] == number { return true }
        place = (place + 1) & mask
      }
      return false
    }
  }

  /// - Returns: whether it was not there.
  @discardableResult
  mutating func insert(_ number: UInt64) -> Bool {
    if (count + 1) * 4 > places.count * 3 { grow() }
    let isNew = places.withUnsafeMutableBufferPointer { Self.place(number, in: $0) }
    if isNew { count += 1 }
    return isNew
  }

  /// - Returns: whether it was not there.
  @inline(__always)
  private static func place(_ number: UInt64, in places: UnsafeMutableBufferPointer<UInt64>) -> Bool {
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: number) & mask
    while places[place] != 0 {
      if places[place] == number { return false }
      place = (place + 1) & mask
    }
    places[place] = number
    return true
  }

  mutating func removeAll(above limit: UInt64) {
    let old = places
    places = Array(repeating: 0, count: old.count)
    count = 0
    for number in old where number != 0 && number <= limit { insert(number) }
  }

  private mutating func grow() {
    let old = places
    places = Array(repeating: 0, count: old.count * 2)
    places.withUnsafeMutableBufferPointer { places in
      for number in old where number != 0 { _ = Self.place(number, in: places) }
    }
  }

  /// Whether no two of some numbers are equal.
  static func areDifferent(_ numbers: [UInt64]) -> Bool {
    // Handles only some of them at a time, so that the set stays small.
    let partCount = max(numbers.count >> 20, 1)
    for part in 0..<partCount {
      var seen = FingerprintSet()
      var hasZero = false
      for number in numbers {
        let product = number &* 0x9e37_79b9_7f4a_7c15
        guard product.multipliedFullWidth(by: UInt64(partCount)).high == UInt64(part) else { continue }
        // Numbers in a row would take places in a row. No two become one here.
        let spread = product ^ product >> 32
        if spread == 0 {
          guard !hasZero else { return false }
          hasZero = true
        } else if !seen.insert(spread) {
          return false
        }
      }
    }
    return true
  }
}
