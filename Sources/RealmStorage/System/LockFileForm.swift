/// What a lock file of an engine looks like (Docs/Format/5-coordination.md §2).
///
/// A lock file is emptied before a realm is changed. Something else that has come to lie under its name must not be: an
/// output that was named like that, a file of another program, the target of a link.
enum LockFileForm {
  /// Bytes that are looked at: the fixed head, which is the same on all platforms (§2.1).
  static let headSize = 48
  /// No structure with mutexes is smaller, no list of versions larger.
  static let sizes: ClosedRange<UInt64> = 100...16 << 20
  /// What an engine that was killed while it made the file has left: zeros.
  static let mostZeros: UInt64 = 1 << 16

  /// Whether a file with these first bytes can be a lock file.
  ///
  /// - Parameters:
  ///   - head: its first 48 bytes, or all of a shorter file.
  ///   - size: bytes of the whole file.
  ///   - isZero: whether all bytes are zero; asked for only where it matters.
  static func isLockFile(_ head: [UInt8], size: UInt64, isZero: () throws -> Bool) rethrows -> Bool {
    if size == 0 { return true }
    guard sizes.contains(size), size % 4 == 0, head.count == headSize else { return false }
    if head.allSatisfy({ $0 == 0 }) { return size <= mostZeros ? try isZero() : false }
    return bytes.allSatisfy { $0.range.contains(head[$0.offset]) }
      && numbers.allSatisfy { field in
        field.range.contains(field.offsets.reversed().reduce(0) { $0 << 8 | UInt64(head[$1]) })
      }
  }

  /// Fields of one byte: whether the file is initialised, sizes of mutexes and of condition variables, whether a writer
  /// is in its critical phase, file format, history type, marks of sync agent and daemon.
  private static let bytes: [(offset: Int, range: ClosedRange<UInt8>)] = [
    (0, 0...1), (1, 1...128), (2, 1...128), (3, 0...1), (4, 0...64), (5, 0...8), (40, 0...1), (41, 0...1), (42, 0...1),
  ]

  /// Layout version, durability, write slots, participants, latest version, number of versions, history schema version.
  private static let numbers: [(offsets: Range<Int>, range: ClosedRange<UInt64>)] = [
    (6..<8, 5...64), (8..<10, 0...3), (10..<12, 0...255), (12..<16, 0...1 << 20), (16..<24, 0...1 << 62),
    (32..<40, 0...1 << 32), (44..<46, 0...255),
  ]
}
