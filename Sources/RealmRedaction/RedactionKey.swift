import CCrypto
import RealmStorage

/// The key of a redaction, which decides which value replaces which.
///
/// Whoever has it can find out by trial what a value was, so it is as secret as the realm.
package final class RedactionKey: Sendable {
  /// The minimum length of a key in bytes: a shorter one could be guessed.
  package static let leastByteCount = 16
  /// Whether the key is forgotten at the end of this run.
  package let isRandom: Bool
  private let hash: KeyedHash
  private let byteCount: Int

  /// A key that a user keeps: any bytes, all of which count.
  ///
  /// - Returns: nil if there are too few.
  package convenience init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.leastByteCount else { return nil }
    self.init(bytes, isRandom: false)
  }

  /// A random key that nobody knows.
  ///
  /// - Throws: `StorageError` if the system has no random bytes.
  package static func random() throws -> RedactionKey {
    var bytes = [UInt8](repeating: 0, count: 32)
    guard ccrypto_random(&bytes, bytes.count) else {
      throw StorageError.file(.systemCall(name: "getrandom", errorNumber: 0))
    }
    return RedactionKey(bytes, isRandom: true)
  }

  private init(_ bytes: [UInt8], isRandom: Bool) {
    (self.isRandom, byteCount) = (isRandom, bytes.count)
    hash = bytes.withUnsafeBytes { KeyedHash($0) }
  }

  /// A hash for one purpose, which reveals nothing about hashes for other purposes.
  func hash(for purpose: String) -> KeyedHash {
    // Zeros at the end of a short key would not count.
    let text = Array("realmctl redaction 1: \(purpose), \(byteCount)".utf8)
    var code = text.withUnsafeBytes { hash.digest($0) }
    return withUnsafeBytes(of: &code) { KeyedHash($0) }
  }
}

/// HMAC-SHA-256 under one key. Any number of threads may use it.
final class KeyedHash: @unchecked Sendable {
  private let state: UnsafeMutablePointer<ccrypto_hmac256>

  init(_ key: UnsafeRawBufferPointer) {
    state = .allocate(capacity: 1)
    state.initialize(to: ccrypto_hmac256())
    ccrypto_hmac256_start(state, key.baseAddress, key.count)
  }

  deinit {
    ccrypto_wipe(state, MemoryLayout<ccrypto_hmac256>.size)
    state.deallocate()
  }

  func digest(_ bytes: UnsafeRawBufferPointer) -> KeyedDigest {
    var digest = KeyedDigest()
    withUnsafeMutableBytes(of: &digest) { code in
      ccrypto_hmac256_code(state, bytes.baseAddress, bytes.count, code.baseAddress)
    }
    return digest
  }

  func digest(_ first: UInt64, _ second: UInt64 = 0, _ third: UInt64 = 0) -> KeyedDigest {
    withUnsafeBytes(of: (first.littleEndian, second.littleEndian, third.littleEndian)) { digest($0) }
  }

  /// - Throws: `StorageError` if the bytes cannot be read.
  func digest(_ bytes: BlobView) throws -> KeyedDigest {
    if let piece = bytes.contiguous { return digest(piece) }
    return try bytes.copied().withUnsafeBytes { digest($0) }
  }
}

/// The 32 bytes of a keyed hash.
struct KeyedDigest {
  /// The bytes as they are in memory.
  var words: SIMD4<UInt64> = .zero
}

/// Any number of random numbers, all determined by a digest (xoshiro256**).
struct KeyedNumbers: RandomNumberGenerator {
  private var state: SIMD4<UInt64>

  init(_ digest: KeyedDigest) {
    state = SIMD4(
      digest.words.x.littleEndian, digest.words.y.littleEndian, digest.words.z.littleEndian,
      digest.words.w.littleEndian)
    // A state of all zeros would never change.
    if state == .zero { state.x = 1 }
  }

  mutating func next() -> UInt64 {
    func rotated(_ number: UInt64, _ count: UInt64) -> UInt64 { number << count | number >> (64 - count) }
    let result = rotated(state.y &* 5, 7) &* 9
    let shifted = state.y << 17
    state.z ^= state.x
    state.w ^= state.y
    state.y ^= state.z
    state.x ^= state.w
    state.z ^= shifted
    state.w = rotated(state.w, 45)
    return result
  }

  /// A number from 0 up to a limit, which is above 0.
  mutating func below(_ limit: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(limit)).high) }

  /// From 0 up to 1.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// From -1 to 1.
  mutating func signedFraction() -> Double { fraction() * 2 - 1 }
}
