import CCrypto

/// SHA-256 of bytes that are added piece by piece.
package struct SHA256 {
  private var state = ccrypto_sha256()

  package init() { ccrypto_sha256_start(&state) }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    ccrypto_sha256_add(&state, bytes.baseAddress, bytes.count)
  }

  /// The digest of all bytes added. Add nothing afterwards.
  package mutating func finish() -> Digest256 {
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
