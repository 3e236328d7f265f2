import CSystem
import Libc

/// A call to the operating system that failed.
package struct SystemCallError: Error, Hashable, Sendable {
  /// The name of the call, as in its manual page.
  package let name: String
  /// `errno`.
  package let number: Int32

  package init(name: String, number: Int32) {
    self.name = name
    self.number = number
  }

  /// A read that returned nothing where the file has bytes: the file was truncated meanwhile, or the disk does not
  /// report its error. Unread bytes must not be taken for zeros.
  package static let shortRead = SystemCallError(name: "pread", number: EIO)

  /// The system's text for an error number. The program never calls `setlocale`, so it is the same everywhere.
  package static func text(_ number: Int32) -> String {
    guard let text = strerror(number) else { return "error \(number)" }
    return String(cString: text)
  }

  /// `fsync: Input/output error`
  package var text: String { "\(name): \(Self.text(number))" }
}

/// Files that block or have no size.
package enum SpecialFile: String, Hashable, Sendable {
  case pipe = "a named pipe"
  case characterDevice = "a character device"
  case blockDevice = "a block device"
  case socket = "a socket"
}

/// The results of `stat` that matter here.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case regular
    case directory
    case special(SpecialFile)
    /// Only where a name in an open folder is looked at; everything else follows links.
    case symbolicLink
  }

  package var kind: Kind
  /// Bytes; meaningful for regular files.
  package var size: UInt64
  package var identity: FileIdentity
  /// `st_uid`.
  package var owner: UInt32 = 0
  /// `st_gid`.
  package var group: UInt32 = 0
  /// Its permissions; those of a private file if there is no file.
  package var mode: UInt32 = 0o600
  /// `st_mtime`; nil if nobody keeps it.
  package var modified: FileTime?
}

/// The time of the last change, as stored by the file system.
package struct FileTime: Hashable, Sendable {
  var seconds: Int64
  var nanoseconds: Int64
}

/// A file as it was at one time: another one, or another content, differs.
package struct FileStamp: Hashable, Sendable {
  let identity: FileIdentity
  let size: UInt64
  let modified: FileTime?

  package init(identity: FileIdentity, size: UInt64, modified: FileTime?) {
    (self.identity, self.size, self.modified) = (identity, size, modified)
  }
}

/// Which file it is, whatever its name.
package struct FileIdentity: Hashable, Sendable {
  /// `st_dev`.
  package let device: UInt64
  /// `st_ino`.
  package let inode: UInt64
}

/// The calls for reading files. The library reaches the operating system's files through this protocol only, so that
/// tests can make any call fail, be interrupted or come up short.
///
/// One method is one call: no method here retries.
package protocol FileCalls: Sendable {
  func status(ofPath path: String) throws(SystemCallError) -> FileStatus
  func status(of descriptor: Int32) throws(SystemCallError) -> FileStatus
  func open(_ path: String, flags: Int32) throws(SystemCallError) -> Int32
  func close(_ descriptor: Int32)
  /// `read`: bytes read, 0 at the end.
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError) -> Int
  /// `pread`: bytes read, 0 at or beyond the end.
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64)
    throws(SystemCallError) -> Int
  /// `poll`, without a time limit.
  func waitUntilReady(_ descriptor: Int32, forWriting: Bool) throws(SystemCallError)
  /// A read-only mapping of the first `length` bytes, at least one.
  func map(_ descriptor: Int32, length: Int) throws(SystemCallError) -> UnsafeMutableRawPointer
  /// Whether a mapping of the file could fault because bytes come over a network or from another program.
  func isRemote(_ descriptor: Int32) -> Bool
  /// `isatty`.
  func isTerminal(_ descriptor: Int32) -> Bool
  /// Sleeps for about this long.
  func pause(milliseconds: UInt32)
}

extension FileCalls {
  /// Repeats a call while signals interrupt it: the one place that does.
  package func uninterrupted<Result>(_ call: () throws(SystemCallError) -> Result) throws(SystemCallError) -> Result {
    while true {
      do throws(SystemCallError) { return try call() } catch {
        guard error.isInterruption else { throw error }
      }
    }
  }

  /// Opens the file at a path.
  package func opened(_ path: String, flags: Int32) throws(SystemCallError) -> Int32 {
    try uninterrupted { () throws(SystemCallError) in try self.open(path, flags: flags) }
  }

  /// `read`, whatever interrupts it; waits for a slow writer.
  ///
  /// - Returns: bytes read, 0 at the end.
  package func readNext(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError) -> Int
  {
    while true {
      do throws(SystemCallError) {
        return try uninterrupted { () throws(SystemCallError) in try read(descriptor, into: buffer) }
      } catch {
        // Another process has made the stream non-blocking.
        guard error.wouldBlock else { throw error }
        try waitUntilReady(descriptor, forWriting: false)
      }
    }
  }

  /// `pread` until the buffer is full or the file ends, whatever interrupts it.
  ///
  /// - Returns: bytes read; fewer than fit in the buffer only at the end of the file.
  package func readFully(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64)
    throws(SystemCallError) -> Int
  {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try uninterrupted { () throws(SystemCallError) in
        try read(descriptor, into: rest, at: offset &+ UInt64(done))
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// As `readFully`, of a file of known size.
  ///
  /// - Throws: also if bytes are missing that the file should have.
  package func readFully(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64, ofFileWith size: UInt64
  ) throws(SystemCallError) -> Int {
    let count = try readFully(descriptor, into: buffer, at: offset)
    guard offset >= size || UInt64(count) >= min(UInt64(buffer.count), size - offset) else { throw .shortRead }
    return count
  }
}

/// The calls of the operating system.
package struct SystemFileCalls: FileCalls {
  package init() {}

  package func status(ofPath path: String) throws(SystemCallError) -> FileStatus {
    var information = stat()
    guard path.withSystemPath({ stat($0.pointer, &information) }) == 0 else {
      throw SystemCallError(name: "stat", number: errno)
    }
    return FileStatus(information)
  }

  package func status(of descriptor: Int32) throws(SystemCallError) -> FileStatus {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw SystemCallError(name: "fstat", number: errno) }
    return FileStatus(information)
  }

  package func open(_ path: String, flags: Int32) throws(SystemCallError) -> Int32 {
    let descriptor = path.withSystemPath { systemOpen($0, flags) }
    guard descriptor >= 0 else { throw SystemCallError(name: "open", number: errno) }
    return descriptor
  }

  package func close(_ descriptor: Int32) { _ = systemClose(descriptor) }

  package func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError) -> Int {
    let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
    guard count >= 0 else { throw SystemCallError(name: "read", number: errno) }
    return count
  }

  package func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64)
    throws(SystemCallError) -> Int
  {
    guard let position = off_t(exactly: offset) else { return 0 }
    let count = pread(descriptor, buffer.baseAddress, buffer.count, position)
    guard count >= 0 else { throw SystemCallError(name: "pread", number: errno) }
    return count
  }

  package func waitUntilReady(_ descriptor: Int32, forWriting: Bool) throws(SystemCallError) {
    var requests = [pollfd(fd: descriptor, events: Int16(forWriting ? POLLOUT : POLLIN), revents: 0)]
    _ = try poll(&requests, milliseconds: -1)
  }

  /// `poll`, whatever interrupts it.
  ///
  /// - Parameter milliseconds: how long at most; -1 for ever.
  /// - Returns: how many of the descriptors are ready.
  package func poll(_ requests: inout [pollfd], milliseconds: Int32) throws(SystemCallError) -> Int {
    try uninterrupted { () throws(SystemCallError) in
      let count = Libc.poll(&requests, nfds_t(requests.count), milliseconds)
      guard count >= 0 else { throw SystemCallError(name: "poll", number: errno) }
      return Int(count)
    }
  }

  package func map(_ descriptor: Int32, length: Int) throws(SystemCallError) -> UnsafeMutableRawPointer {
    // Shared, so that a commit of another process shows as it would to `pread`; the header is compared at the end of a
    // read (Docs/Format/1-container.md §5.5).
    guard let address = mmap(nil, length, PROT_READ, MAP_SHARED, descriptor, 0), address != MAP_FAILED else {
      throw SystemCallError(name: "mmap", number: errno)
    }
    return address
  }

  package func isRemote(_ descriptor: Int32) -> Bool { FileSystem.isRemote(descriptor) }

  package func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  package func pause(milliseconds: UInt32) { _ = usleep(milliseconds &* 1000) }
}

// The methods above carry the calls' names and would hide them.
private let systemOpen: @Sendable (SystemPath, Int32) -> Int32 = { open($0.pointer, $1) }
private let systemClose: @Sendable (Int32) -> Int32 = { close($0) }
private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = { read($0, $1, $2) }

extension FileStatus {
  init(_ information: stat) {
    let kind: Kind
    switch information.st_mode & S_IFMT {
    case S_IFDIR: kind = .directory
    case S_IFIFO: kind = .special(.pipe)
    case S_IFCHR: kind = .special(.characterDevice)
    case S_IFBLK: kind = .special(.blockDevice)
    case S_IFSOCK: kind = .special(.socket)
    case S_IFLNK: kind = .symbolicLink
    default: kind = .regular
    }
    self.init(
      kind: kind, size: UInt64(clamping: information.st_size),
      identity: FileIdentity(
        device: UInt64(truncatingIfNeeded: information.st_dev), inode: UInt64(information.st_ino)),
      owner: information.st_uid, group: information.st_gid, mode: UInt32(information.st_mode & 0o7777),
      modified: Self.modified(information))
  }

  private static func modified(_ information: stat) -> FileTime {
    #if canImport(Darwin)
      let time = information.st_mtimespec
    #else
      let time = information.st_mtim
    #endif
    return FileTime(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }
}

/// The calls for files: those of the system, unless a test replaces them.
///
/// ```swift
/// FileBackend.$calls.withValue(FailingCalls(.death, atCall: 7)) { compact("app.realm") }
/// ```
///
/// Objects that read or write files look here once, when they are made, and keep the value; threads that help them
/// later use the same.
package enum FileBackend {
  @TaskLocal package static var calls: any OutputCalls = SystemFileCalls()
}

/// The kind of file system of a file.
enum FileSystem {
  /// Whether the bytes come over a network or from another program, so that a read can fail at any time. Such a failure
  /// is an error of `pread`, but a fault of a mapping.
  ///
  /// A file system that gives no answer counts as local: that is the ordinary case, and a fault is still handled
  /// (`FileTruncation`).
  static func isRemote(_ descriptor: Int32) -> Bool {
    let answer = csystem_file_system(descriptor)
    #if canImport(Darwin)
      return answer != 0
    #else
      return remoteTypes.contains(answer)
    #endif
  }

  #if !canImport(Darwin)
    /// `f_type` values (statfs(2), linux/magic.h, and the sources of file systems outside the kernel tree).
    private static let remoteTypes: Set<UInt32> = [
      0x6969,  // NFS
      0x517b, 0xff53_4d42, 0xfe53_4d42,  // SMB, CIFS, SMB2
      0x6573_5546,  // FUSE (sshfs, cloud drives), virtiofs
      0x0102_1997,  // 9p (WSL, virtual machines)
      0x5346_414f, 0x6b41_4653,  // AFS
      0x7375_7245,  // Coda
      0x00c3_6400,  // Ceph
      0x0bd0_0bd0,  // Lustre
      0x4750_4653,  // GPFS
      0x1983_0326,  // BeeGFS
      0xaad7_aaea,  // PanFS
      0x564c,  // NCP
      0x786f_4256,  // VirtualBox shared folders
      0xbacb_acbc,  // VMware shared folders
      0x7c7c_6673,  // Parallels shared folders
    ]
  #endif
}
