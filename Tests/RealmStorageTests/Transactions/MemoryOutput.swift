import RealmSystem

@testable import RealmStorage

/// Keeps what is written in memory.
final class MemoryOutput: OutputBytes {
  let isStream: Bool
  private let content = Locked<[UInt8]>([])
  var bytes: [UInt8] { content.withLock { $0 } }

  init(isStream: Bool = false) { self.isStream = isStream }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(OutputError) {
    content.withLock { content in
      let offset = isStream ? content.count : Int(offset)
      let missing = offset + bytes.count - content.count
      if missing > 0 { content += [UInt8](repeating: 0, count: missing) }
      content.withUnsafeMutableBytes {
        UnsafeMutableRawBufferPointer(rebasing: $0[offset..<offset + bytes.count]).copyMemory(from: bytes)
      }
    }
  }
}
