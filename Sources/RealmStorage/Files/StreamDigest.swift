import RealmSystem

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
