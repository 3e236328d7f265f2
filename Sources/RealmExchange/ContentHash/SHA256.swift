import CCrypto
import RealmStorage

/// SHA-256 of bytes that are added piece by piece.
struct SHA256 {
  private var state = ccrypto_sha256()

  init() { ccrypto_sha256_start(&state) }

  mutating func add(_ bytes: UnsafeRawBufferPointer) { ccrypto_sha256_add(&state, bytes.baseAddress, bytes.count) }

  /// The digest of all bytes added. Add nothing afterwards.
  mutating func finish() -> Digest256 {
    var bytes = [UInt8](repeating: 0, count: Int(CCRYPTO_SHA256_SIZE))
    ccrypto_sha256_finish(&state, &bytes)
    return Digest256(bytes: bytes)
  }
}

/// A digest of 32 bytes; its text is hexadecimal.
package struct Digest256: Hashable, Sendable, CustomStringConvertible {
  package let bytes: [UInt8]

  package var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// Counts the bytes that pass through, and computes their digest.
package final class StreamDigest {
  private var hash = SHA256()
  package private(set) var byteCount: UInt64 = 0

  package init() {}

  package init(ofFileAt path: String) throws { try SequentialInput(path).forEachBlock(add) }

  package func add(_ bytes: UnsafeRawBufferPointer) {
    hash.add(bytes)
    byteCount += UInt64(bytes.count)
  }

  package func finish() -> Digest256 { hash.finish() }

  /// SHA-256 of a file, in hex.
  package static func text(ofFileAt path: String) throws -> String {
    try StreamDigest(ofFileAt: path).finish().description
  }
}
