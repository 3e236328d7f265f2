/// The states of a realm that somebody reads or may come back to, as the lock file of those who have it open tells
/// (Docs/Format/5-coordination.md §2).
package enum VersionsInUse: Hashable, Sendable {
  /// How many, the newest included, and the oldest of them. None where nobody has the realm open.
  case known(count: Int, oldest: UInt64?)
  /// The lock file cannot be read, or is laid out in a way that is not known.
  case unknown

  /// Looks at the lock file without a lock, so that the answer may be a moment old.
  ///
  /// - Parameters:
  ///   - realm: path of the realm (not of its lock file).
  ///   - holders: who has it open; where nobody has, the lock file is left from before.
  package static func of(realm: String, heldBy holders: LockHolders) -> VersionsInUse {
    guard case .processes(let processes) = holders else { return .unknown }
    if processes.isEmpty { return .known(count: 0, oldest: nil) }
    guard !processes.contains(where: \.isExclusive), let bytes = read(SideFileName.lockFile(of: realm)) else {
      return .unknown
    }
    return bytes.withUnsafeBytes { count(in: $0) } ?? .unknown
  }

  /// More than any session needs: 26,000 versions.
  private static let sizeLimit = 1 << 20

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = try? InputFile(path: path) else { return nil }
    let size = Int(min(file.size, UInt64(sizeLimit)))
    let bytes = try? [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
    return bytes
  }

  // MARK: Layout

  private static let layoutVersion: UInt16 = 14
  private static let entrySize = 40

  /// Where the list of versions begins, by the sizes of a mutex and a condition variable (§2.2).
  private static func listOffset(_ mutexSize: UInt8, _ conditionSize: UInt8) -> Int? {
    switch (mutexSize, conditionSize) {
    case (1, 16): 160
    case (40, 48): 432
    case (48, 48): 456
    default: nil
    }
  }

  /// - Returns: nil where the bytes are not a complete lock file of this layout.
  static func count(in bytes: UnsafeRawBufferPointer) -> VersionsInUse? {
    func number<Number: FixedWidthInteger>(_ offset: Int, _ type: Number.Type) -> Number? {
      guard offset >= 0, offset <= bytes.count - MemoryLayout<Number>.size else { return nil }
      return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }
    guard bytes.count > 8, bytes[0] == 1, number(6, UInt16.self) == layoutVersion,
      let list = listOffset(bytes[1], bytes[2]), let capacity = number(list, UInt32.self),
      let newest = number(list + 8, UInt32.self)
    else { return nil }
    let first = list + 16
    guard newest < capacity, Int(capacity) <= (bytes.count - first) / entrySize else { return nil }
    var (count, oldest) = (0, UInt64.max)
    for index in 0..<Int(capacity) {
      let entry = first + index * entrySize
      guard let version = number(entry, UInt64.self), version != 0, version != .max else { continue }
      let readers = [24, 28, 32].contains { (number(entry + $0, UInt32.self) ?? 0) > 0 }
      guard readers || index == Int(newest) else { continue }
      count += 1
      oldest = min(oldest, version)
    }
    return count > 0 ? .known(count: count, oldest: oldest) : nil
  }
}
