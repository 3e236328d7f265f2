import CSystem
import Libc
import RealmSystem

/// Who has a realm open, as far as the operating system shows it without taking a lock.
///
/// Every process that has a realm open, except for those that opened it read-only, holds a shared `flock` on the
/// realm's `.lock` file (Docs/Format/5-coordination.md §3).
public enum LockHolders: Hashable, Sendable {
  /// Other processes that hold the lock, by process number. Empty: nobody on this machine.
  case processes([LockHolder])
  /// The system does not show it (it is not Linux, or has no `/proc`).
  case unknown

  /// Finds who has a realm open, by any of the names that lead to it from this one: if the path is a symbolic link, an
  /// app may have opened it by the link or by its target. Processes on other machines, and in containers that this one
  /// cannot see, are not found.
  ///
  /// - Parameter realm: path of the realm (not of its lock file).
  public static func of(realm: String) -> LockHolders {
    #if canImport(Darwin)
      return .unknown
    #else
      var found: [LockHolder] = []
      for lockFile in lockFiles(ofRealm: realm) {
        guard case .processes(let holders) = LockTable.holders(ofFile: lockFile) else { return .unknown }
        // Once each: the kernel's table is read in pieces, and a lock that appears or disappears meanwhile shifts the
        // following ones.
        for holder in holders where !found.contains(holder) { found.append(holder) }
      }
      return .processes(found)
    #endif
  }

  /// Finds it while other work continues: reading the kernel's list of locks waits for every processor, some 20
  /// milliseconds, as long as copying 20 megabytes takes.
  ///
  /// - Parameter realm: path of the realm (not of its lock file).
  package static func query(realm: String) -> ThreadResult<LockHolders, Never> {
    let isQuick = lockFiles(ofRealm: realm).allSatisfy { (try? SystemFileCalls().status(ofPath: $0)) == nil }
    let query = ThreadResult(onThread: !isQuick) { of(realm: realm) }
    // Without a lock file the answer is known at once.
    if isQuick { _ = query.get() }
    return query
  }

  /// Of all names that lead from a path to its file; of the path alone if links cannot be followed.
  static func lockFiles(ofRealm path: String) -> [String] {
    let names = (try? OutputPath(path, calls: SystemFileCalls()).links) ?? [path]
    return names.map { SideFileName.lockFile(of: $0) }
  }

  /// Finds who holds a lock of this kind on a file itself.
  static func of(file path: String) -> LockHolders {
    #if canImport(Darwin)
      return .unknown
    #else
      return LockTable.holders(ofFile: path)
    #endif
  }

  /// Whether another process may be writing: a process holds the lock, or that cannot be known.
  static func mayBeWritten(realm: String, on input: InputFile) -> Bool {
    guard lockFiles(ofRealm: realm).contains(where: { (try? input.calls.status(ofPath: $0)) != nil }) else {
      return false
    }
    return of(realm: realm) != .processes([]) || input.calls.isRemote(input.descriptor)
  }
}

/// A process that holds a realm's lock.
public struct LockHolder: Hashable, Sendable {
  /// Process number; nil if the process lives in a container that this one cannot look into.
  public let processID: Int32?
  /// Name of the program as the kernel knows it (at most 15 bytes), where it can be read.
  public let command: String?
  /// Whether it keeps all others from opening the realm: a session starts, or a tool works on the file alone.
  public let isExclusive: Bool
}

#if !canImport(Darwin)
  /// `/proc/locks` (proc_locks(5)).
  enum LockTable {
    static func holders(ofFile path: String) -> LockHolders {
      // Opened as a location only, without access to the content.
      let descriptor = path.withSystemPath { open($0.pointer, csystem_open_as_place | O_CLOEXEC) }
      guard descriptor >= 0 else { return errno == ENOENT ? .processes([]) : .unknown }
      defer { close(descriptor) }
      var information = stat()
      guard fstat(descriptor, &information) == 0, let table = text(of: "/proc/locks") else { return .unknown }
      var devices: Set<String> = [deviceName(UInt64(information.st_dev))]
      if let device = mountedDevice(descriptor) { devices.insert(device) }
      let entries = table.split(separator: "\n").compactMap { Entry(line: $0) }
      let own = getpid()
      let holders = entries.filter {
        $0.inode == UInt64(information.st_ino) && devices.contains($0.device) && $0.processID != own
      }
      return .processes(holders.map(\.holder).sorted { ($0.processID ?? 0) < ($1.processID ?? 0) })
    }

    /// A `flock` that is held. Waiting ones (marked `->`) and locks of other kinds are not entries.
    struct Entry: Hashable {
      let isExclusive: Bool
      let processID: Int32?
      /// As in the table: major and minor number in hexadecimal, two digits at least.
      let device: String
      let inode: UInt64

      /// `1: FLOCK  ADVISORY  WRITE 4711 fe:00:131090 0 EOF`
      init?(line: Substring) {
        let fields = line.split(separator: " ")
        guard fields.count >= 6, fields[1] == "FLOCK", let number = Int32(fields[4]) else { return nil }
        let place = fields[5].split(separator: ":")
        guard place.count == 3, let inode = UInt64(place[2]) else { return nil }
        isExclusive = fields[3] == "WRITE" || fields[3] == "RW"
        processID = number > 0 ? number : nil
        device = place[0] + ":" + place[1]
        self.inode = inode
      }

      var holder: LockHolder {
        LockHolder(
          processID: processID, command: processID.flatMap { LockTable.command(of: $0) }, isExclusive: isExclusive)
      }
    }

    private static func command(of process: Int32) -> String? {
      text(of: "/proc/\(process)/comm").map { String($0.prefix { $0 != "\n" }) }
    }

    /// The device of the file's mount. On some file systems (btrfs, overlays) `stat` gives another one than the
    /// kernel's table.
    private static func mountedDevice(_ descriptor: Int32) -> String? {
      guard let facts = text(of: "/proc/self/fdinfo/\(descriptor)"), let mounts = text(of: "/proc/self/mountinfo"),
        let line = facts.split(separator: "\n").first(where: { $0.hasPrefix("mnt_id:") }),
        let mount = line.split(whereSeparator: { $0 == "\t" || $0 == " " }).last
      else { return nil }
      for line in mounts.split(separator: "\n") {
        let fields = line.split(separator: " ", maxSplits: 3)
        guard fields.count > 2, fields[0] == mount else { continue }
        let numbers = fields[2].split(separator: ":").compactMap { UInt64($0) }
        return numbers.count == 2 ? name(major: numbers[0], minor: numbers[1]) : nil
      }
      return nil
    }

    private static func deviceName(_ device: UInt64) -> String {
      // makedev(3): 12 bits of the major number from bit 8 on, the rest from bit 44; 8 bits of the minor number, the
      // rest from bit 20.
      let major = (device >> 8 & 0xfff) | (device >> 32 & 0xffff_f000)
      let minor = (device & 0xff) | (device >> 12 & 0xffff_ff00)
      return name(major: major, minor: minor)
    }

    private static func name(major: UInt64, minor: UInt64) -> String { twoDigits(major) + ":" + twoDigits(minor) }

    private static func twoDigits(_ number: UInt64) -> String {
      let text = String(number, radix: 16)
      return text.count < 2 ? "0" + text : text
    }

    /// A small file of `/proc`, whose size nobody knows before it is read.
    private static func text(of path: String) -> String? {
      let calls = SystemFileCalls()
      guard let descriptor = try? calls.opened(path, flags: O_RDONLY | O_CLOEXEC) else { return nil }
      defer { calls.close(descriptor) }
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 16384)
      while let count = try? piece.withUnsafeMutableBytes({ try calls.readNext(descriptor, into: $0) }) {
        guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes += piece[..<count]
      }
      return nil
    }
  }
#endif

/// The versions of a realm that a process reads or keeps, according to the lock file (Docs/Format/5-coordination.md
/// §2).
package enum VersionsInUse: Hashable, Sendable {
  /// How many, the newest included, and the oldest of them. None if nobody has the realm open.
  case known(count: Int, oldest: UInt64?)
  /// The lock file cannot be read, or is laid out in a way that is not known.
  case unknown

  /// One version.
  package struct Entry: Hashable, Sendable {
    package let version: UInt64
    /// Where its root is in the file; 0 for the empty state that a new file begins with.
    package let topRef: UInt64
    /// Number of uses by processes that read or keep it.
    package let readerCount: Int
  }

  /// Looks at the lock file without a lock, so that the answer may be a moment old.
  ///
  /// - Parameters:
  ///   - realm: path of the realm (not of its lock file).
  ///   - holders: who has it open; if nobody has, the lock file is left over.
  package static func of(realm: String, heldBy holders: LockHolders) -> VersionsInUse {
    guard let entries = entries(of: realm, heldBy: holders) else { return .unknown }
    return .known(count: entries.count, oldest: entries.map(\.version).min())
  }

  /// The same one by one, in the order of the lock file; nil if they are not known.
  package static func entries(of realm: String, heldBy holders: LockHolders) -> [Entry]? {
    guard case .processes(let processes) = holders else { return nil }
    if processes.isEmpty { return [] }
    guard !processes.contains(where: \.isExclusive), let bytes = read(SideFileName.lockFile(of: realm)) else {
      return nil
    }
    return bytes.withUnsafeBytes { entries(in: $0) }
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

  /// - Returns: nil if the bytes are not a complete lock file of this layout.
  static func entries(in bytes: UnsafeRawBufferPointer) -> [Entry]? {
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
    var entries: [Entry] = []
    for index in 0..<Int(capacity) {
      let entry = first + index * entrySize
      guard let version = number(entry, UInt64.self), version != 0, version != .max else { continue }
      let readers = [24, 28, 32].reduce(0) { $0 + Int(number(entry + $1, UInt32.self) ?? 0) }
      guard readers > 0 || index == Int(newest) else { continue }
      entries.append(Entry(version: version, topRef: number(entry + 16, UInt64.self) ?? 0, readerCount: readers))
    }
    return entries.isEmpty ? nil : entries
  }
}
