/// Many byte strings that are looked for at once, by their hashes: 8 bytes each, however long they are.
///
/// A place is looked at closely if its first four bytes begin one of them. The bytes from there on are hashed one by one,
/// and looked up where one of that length may end; the way goes on past 8, 16, 32, 64 and 128 bytes only if one
/// begins with all of these.
final class BytePatterns {
  /// Bytes of the shortest one: anything shorter is everywhere.
  static let leastLength = 4
  /// Bytes of the longest one; of longer texts and data their beginning and their end are looked for.
  static let mostLength = 256

  /// Whole ones, and their beginnings.
  private(set) var whole = FingerprintSet()
  private var beginnings = FingerprintSet()
  /// A bit for each hash of four bytes.
  private let grams: UnsafeMutablePointer<UInt64>
  private let lengths: UnsafeMutablePointer<Bool>
  private var longest = 0

  private static let gramBits: UInt32 = 24
  private static let gramWords = 1 << Int(gramBits - 6)

  init() {
    grams = .allocate(capacity: Self.gramWords)
    grams.initialize(repeating: 0, count: Self.gramWords)
    lengths = .allocate(capacity: Self.mostLength + 1)
    lengths.initialize(repeating: false, count: Self.mostLength + 1)
  }

  deinit {
    grams.deallocate()
    lengths.deallocate()
  }

  /// Different byte strings.
  var count: Int { whole.count }
  /// What it takes, in hashes.
  var entryCount: Int { max(whole.count, beginnings.count) }

  // MARK: Hash

  private static let seed: UInt64 = 0x9e37_79b9_7f4a_7c15

  @inline(__always)
  private static func added(_ byte: UInt8, to hash: UInt64) -> UInt64 {
    let product = (hash ^ UInt64(byte)) &* 0x9fb2_1c65_1e98_df25
    return product ^ product >> 32
  }

  /// Never 0, which marks what is free.
  @inline(__always)
  private static func finished(_ hash: UInt64, length: Int) -> UInt64 {
    var result = (hash ^ UInt64(truncatingIfNeeded: length)) &* 0xd6e8_feb8_6659_fd93
    result ^= result >> 32
    return result == 0 ? 1 : result
  }

  @inline(__always)
  private static func gram(_ bytes: UnsafeRawPointer) -> UInt32 {
    (bytes.loadUnaligned(as: UInt32.self).littleEndian &* 0x9e37_79b1) >> (32 - gramBits)
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
    let fingerprint = Self.fingerprint(bytes)
    guard wanted.contains(fingerprint), whole.insert(fingerprint) else { return }
    let gram = Self.gram(start)
    grams[Int(gram >> 6)] |= 1 << UInt64(gram & 63)
    lengths[bytes.count] = true
    longest = max(longest, bytes.count)
    var hash = Self.seed
    var step = 8
    for (index, byte) in bytes.enumerated() {
      hash = Self.added(byte, to: hash)
      guard index + 1 == step, step < bytes.count else { continue }
      beginnings.insert(Self.finished(hash, length: -step))
      step *= 2
    }
  }

  // MARK: Searching

  /// Calls `found` with each byte string that begins in the first `limit` bytes, and its fingerprint.
  @inline(__always)
  func scan(
    _ bytes: UnsafeRawBufferPointer, before limit: Int = .max, _ found: (_ range: Range<Int>, UInt64) throws -> Void
  ) rethrows {
    guard whole.count > 0, let start = bytes.baseAddress, bytes.count >= Self.leastLength else { return }
    for index in 0..<min(limit, bytes.count - Self.leastLength + 1) {
      let gram = Self.gram(start + index)
      guard grams[Int(gram >> 6)] & 1 << UInt64(gram & 63) != 0 else { continue }
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

/// A set of numbers that are hashes, none of them 0: 8 bytes for each place, of which at most three quarters are taken.
struct FingerprintSet {
  private var places: [UInt64] = Array(repeating: 0, count: 1 << 10)
  private(set) var count = 0

  /// In any order.
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

  private mutating func grow() {
    let old = places
    places = Array(repeating: 0, count: old.count * 2)
    places.withUnsafeMutableBufferPointer { places in
      for number in old where number != 0 { _ = Self.place(number, in: places) }
    }
  }
}
