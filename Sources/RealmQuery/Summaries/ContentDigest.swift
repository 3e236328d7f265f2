import RealmStorage

/// A hash of 128 bits that identifies content of any length.
///
/// Its key differs in each process, so that nobody can make a file with colliding values. For results that must be the
/// same in each run, `stable` has 64 bits without a key.
struct ContentDigest {
  private var first = Hasher()
  private var second = Hasher()
  /// FNV-1a; kept up to date only on demand.
  private var stableState: UInt64 = 0xcbf2_9ce4_8422_2325
  private let isStable: Bool
  private(set) var count = 0

  init(isStable: Bool) {
    self.isStable = isStable
    second.combine(0x9e37_79b9)
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    first.combine(bytes: bytes)
    second.combine(bytes: bytes)
    count &+= bytes.count
    guard isStable else { return }
    for byte in bytes { stableState = (stableState ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  mutating func append(_ word: UInt64) { withUnsafeBytes(of: word.littleEndian) { append($0) } }

  /// The whole string, preceded by its length, so that two strings in a row cannot be confused with two others.
  mutating func append(_ value: BlobView) throws {
    append(UInt64(value.count))
    try value.forEachPiece { append($0) }
  }

  var head: UInt64 { UInt64(bitPattern: Int64(first.finalize())) }
  var tail: UInt64 { UInt64(bitPattern: Int64(second.finalize())) }
  /// Only if it was asked for.
  var stable: UInt64 { stableState }
}
