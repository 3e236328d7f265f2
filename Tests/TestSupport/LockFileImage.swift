/// Lock files as engines leave them (Docs/Format/5-coordination.md §2).
package enum LockFileImage {
  /// Of Linux x86-64: a session with one participant, at version 2.
  package static let linux: [UInt8] = image(size: 1728, mutex: 40, condition: 48)
  /// Of Apple and Android.
  package static let apple: [UInt8] = image(size: 1456, mutex: 1, condition: 16)
  /// Of Linux on ARM, its list of versions grown twice.
  package static let grown: [UInt8] = image(size: 1752 + 2 * 1280, mutex: 48, condition: 48)
  /// Of an engine that was killed while it created the file.
  package static let unfinished = [UInt8](repeating: 0, count: 1728)

  package static let all = [linux, apple, grown, unfinished]

  private static func image(size: Int, mutex: UInt8, condition: UInt8) -> [UInt8] {
    var bytes: [UInt8] = [1, mutex, condition, 0, 24, 2, 14, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2]
    bytes += [UInt8](repeating: 0, count: 15) + [2] + [UInt8](repeating: 0, count: 11) + [1, 0, 0, 0]
    // What follows, mutexes and the list of versions, has any content.
    while bytes.count < size { bytes.append(UInt8(truncatingIfNeeded: bytes.count &* 31)) }
    return bytes
  }
}
