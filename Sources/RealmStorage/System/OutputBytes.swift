/// Where the bytes of a realm that is written go.
protocol OutputBytes: AnyObject, Sendable {
  /// Whether bytes must come front to back. Otherwise any thread may write at any place.
  var isStream: Bool { get }

  /// - Parameter offset: the byte of the file where they belong; in a stream, where it stands.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(OutputError)
}

extension SafeOutput: OutputBytes {
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(OutputError) {
    if isStream { try write(bytes) } else { try writeInFile(bytes, at: offset) }
  }
}

/// Counts and forgets: what is written is only wanted for its size.
final class DiscardedBytes: OutputBytes {
  let isStream = false
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(OutputError) {}
}
