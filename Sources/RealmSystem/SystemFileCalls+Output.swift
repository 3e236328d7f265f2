import CSystem
import Libc

extension SystemCallError {
  /// A signal came; the call can be made again.
  package var isInterruption: Bool { number == EINTR }
  /// Another process holds the lock, or a stream has no room or no bytes yet.
  package var wouldBlock: Bool { number == EWOULDBLOCK || number == EAGAIN }
  /// The name is taken.
  package var isExisting: Bool { number == EEXIST }
  /// The file system cannot do that.
  package var isNotSupported: Bool { [ENOTSUP, EOPNOTSUPP, ENOSYS, EINVAL, ENOTTY].contains(number) }
  /// The file has no such attribute.
  fileprivate var isMissingAttribute: Bool {
    #if canImport(Darwin)
      number == ENOATTR
    #else
      number == ENODATA
    #endif
  }
  /// The disk failed, or the connection to it.
  package var isDiskFailure: Bool { number == EIO }
  /// Hard links are not allowed, or the file system has none.
  package var isLinkRefused: Bool { isNotSupported || [EPERM, EMLINK, EXDEV].contains(number) }
}

/// The calls for writing, of the operating system.
extension SystemFileCalls: OutputCalls {
  package func open(_ path: String, _ opening: OutputOpening) throws(SystemCallError) -> Int32 {
    let (flags, mode) = Self.flags(of: opening)
    let descriptor = path.withSystemPath { openFile($0, flags, mode) }
    guard descriptor >= 0 else { throw SystemCallError(name: "open", number: errno) }
    return descriptor
  }

  package func open(_ name: String, in folder: Int32, _ opening: OutputOpening) throws(SystemCallError) -> Int32 {
    let (flags, mode) = Self.flags(of: opening)
    // Names in an open folder are taken as they are; links are never followed.
    let descriptor = name.withSystemPath { openFileInFolder(folder, $0, flags | O_NOFOLLOW, mode) }
    guard descriptor >= 0 else { throw SystemCallError(name: "openat", number: errno) }
    return descriptor
  }

  private static func flags(of opening: OutputOpening) -> (flags: Int32, mode: mode_t) {
    let common = O_CLOEXEC | O_NOCTTY
    return switch opening {
    case .create(let mode): (common | O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode_t(mode))
    case .existing: (common | O_RDWR | O_NONBLOCK | O_NOFOLLOW, 0)
    case .device: (common | O_WRONLY, 0)
    case .reading: (common | O_RDONLY | O_NONBLOCK | O_NOFOLLOW, 0)
    case .folder: (common | O_RDONLY | O_DIRECTORY, 0)
    }
  }

  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemCallError) -> Int {
    try written(writeBytes(descriptor, bytes.baseAddress, bytes.count), "write")
  }

  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemCallError)
    -> Int
  {
    guard let position = off_t(exactly: offset) else { throw SystemCallError(name: "pwrite", number: EFBIG) }
    return try written(pwrite(descriptor, bytes.baseAddress, bytes.count, position), "pwrite")
  }

  /// A call that writes nothing and reports no error would be repeated for ever.
  private func written(_ count: Int, _ name: String) throws(SystemCallError) -> Int {
    guard count != 0 else { throw SystemCallError(name: name, number: EIO) }
    guard count > 0 else { throw SystemCallError(name: name, number: errno) }
    return count
  }

  package func truncate(_ descriptor: Int32, to size: UInt64) throws(SystemCallError) {
    guard let size = off_t(exactly: size) else { throw SystemCallError(name: "ftruncate", number: EFBIG) }
    try require(ftruncate(descriptor, size), "ftruncate")
  }

  package func reserve(_ descriptor: Int32, from size: UInt64, to newSize: UInt64) throws(SystemCallError) {
    #if !canImport(Darwin)
      guard let start = off_t(exactly: size), newSize > size, let count = off_t(exactly: newSize - size) else {
        throw SystemCallError(name: "posix_fallocate", number: EFBIG)
      }
      // It returns the number of the error instead of setting `errno`.
      let number = posix_fallocate(descriptor, start, count)
      if number == 0 { return }
      guard number == EOPNOTSUPP || number == EINVAL else {
        throw SystemCallError(name: "posix_fallocate", number: number)
      }
    #endif
    try truncate(descriptor, to: newSize)
  }

  package func synchronize(_ descriptor: Int32) throws(SystemCallError) {
    try require(csystem_synchronize(descriptor), "fsync")
  }

  // MARK: Names

  package func rename(_ path: String, to newPath: String) throws(SystemCallError) {
    try require(path.withSystemPath { path in newPath.withSystemPath { renameFile(path, $0) } }, "rename")
  }

  package func renameExclusively(_ path: String, to newPath: String) throws(SystemCallError) {
    try require(
      path.withSystemPath { path in
        newPath.withSystemPath { csystem_rename_exclusively(path.pointer, $0.pointer) }
      }, "rename")
  }

  package func link(_ path: String, to newPath: String) throws(SystemCallError) {
    try require(path.withSystemPath { path in newPath.withSystemPath { linkFile(path, $0) } }, "link")
  }

  package func unlink(_ path: String) throws(SystemCallError) {
    try require(path.withSystemPath { unlinkFile($0) }, "unlink")
  }

  package func unlink(_ name: String, in folder: Int32) throws(SystemCallError) {
    try require(name.withSystemPath { unlinkat(folder, $0.pointer, 0) }, "unlinkat")
  }

  package func makeFolder(_ path: String, mode: UInt32) throws(SystemCallError) {
    try require(path.withSystemPath { mkdir($0.pointer, mode_t(mode)) }, "mkdir")
  }

  package func removeFolder(_ path: String) throws(SystemCallError) {
    try require(path.withSystemPath { rmdir($0.pointer) }, "rmdir")
  }

  package func removeFolder(_ name: String, in folder: Int32) throws(SystemCallError) {
    try require(name.withSystemPath { unlinkat(folder, $0.pointer, AT_REMOVEDIR) }, "unlinkat")
  }

  package func requireWritable(_ folder: Int32) throws(SystemCallError) {
    try require(".".withSystemPath { faccessat(folder, $0.pointer, W_OK | X_OK, 0) }, "access")
  }

  package func kind(ofName path: String) throws(SystemCallError) -> NameKind {
    var information = stat()
    try require(path.withSystemPath { lstat($0.pointer, &information) }, "lstat")
    return NameKind(information)
  }

  package func status(ofName name: String, in folder: Int32) throws(SystemCallError) -> FileStatus {
    var information = stat()
    try require(
      name.withSystemPath { fstatat(folder, $0.pointer, &information, AT_SYMLINK_NOFOLLOW) }, "fstatat")
    return FileStatus(information)
  }

  package func target(ofLink path: String) throws(SystemCallError) -> SymbolicLink {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { buffer in
      buffer.bindMemory(to: CChar.self).baseAddress
        .map { room in path.withSystemPath { readlink($0.pointer, room, buffer.count) } } ?? -1
    }
    guard count >= 0 else { throw SystemCallError(name: "readlink", number: errno) }
    guard count < buffer.count else { throw SystemCallError(name: "readlink", number: ENAMETOOLONG) }
    // Looked up afterwards: only the owner of the first link could replace it meanwhile.
    var information = stat()
    try require(path.withSystemPath { lstat($0.pointer, &information) }, "lstat")
    return SymbolicLink(path: SystemText.text(of: buffer[..<count]), owner: information.st_uid)
  }

  package func names(in folder: Int32) throws(SystemCallError) -> [String] {
    // A descriptor of its own, because closing the list closes it.
    let descriptor = ".".withSystemPath { openFileInFolder(folder, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
    guard descriptor >= 0 else { throw SystemCallError(name: "openat", number: errno) }
    guard let list = fdopendir(descriptor) else {
      let number = errno
      close(descriptor)
      throw SystemCallError(name: "fdopendir", number: number)
    }
    defer { closedir(list) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(list) else {
        guard errno == 0 else { throw SystemCallError(name: "readdir", number: errno) }
        return names
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { SystemText.text(of: Array($0.prefix { $0 != 0 })) }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  // MARK: Attributes

  package func access(of descriptor: Int32) throws(SystemCallError) -> FileAccess {
    var information = stat()
    try require(fstat(descriptor, &information), "fstat")
    return FileAccess(
      owner: information.st_uid, group: information.st_gid, mode: UInt32(information.st_mode & 0o7777),
      linkCount: UInt64(information.st_nlink))
  }

  package func setOwner(of descriptor: Int32, owner: UInt32, group: UInt32) throws(SystemCallError) {
    try require(fchown(descriptor, owner, group), "fchown")
  }

  package func setMode(of descriptor: Int32, _ mode: UInt32) throws(SystemCallError) {
    try require(fchmod(descriptor, mode_t(mode)), "fchmod")
  }

  package func extendedAttributeNames(of descriptor: Int32) throws(SystemCallError) -> [String] {
    let bytes = try grown("flistxattr") { csystem_attribute_names(descriptor, $0, $1) }
    return bytes.split(separator: 0).map { SystemText.text(of: $0) }
  }

  package func extendedAttribute(_ name: String, of descriptor: Int32) throws(SystemCallError) -> [UInt8] {
    try grown("fgetxattr") { room, count in
      name.withSystemPath { csystem_attribute_value(descriptor, $0.pointer, room, count) }
    }
  }

  package func setExtendedAttribute(_ name: String, of descriptor: Int32, to value: [UInt8]) throws(SystemCallError) {
    try require(
      name.withSystemPath { csystem_set_attribute(descriptor, $0.pointer, value, value.count) }, "fsetxattr")
  }

  package func removeExtendedAttribute(_ name: String, of descriptor: Int32) throws(SystemCallError) {
    do throws(SystemCallError) {
      try require(name.withSystemPath { csystem_remove_attribute(descriptor, $0.pointer) }, "fremovexattr")
    } catch {
      guard !error.isMissingAttribute else { return }
      throw error
    }
  }

  /// The result of a call that reports the size it needs, which may change between two calls.
  private func grown(_ name: String, _ call: (UnsafeMutablePointer<CChar>?, Int) -> Int) throws(SystemCallError)
    -> [UInt8]
  {
    while true {
      let needed = call(nil, 0)
      guard needed >= 0 else { throw SystemCallError(name: name, number: errno) }
      guard needed > 0 else { return [] }
      var buffer = [CChar](repeating: 0, count: needed)
      let count = buffer.withUnsafeMutableBufferPointer { call($0.baseAddress, $0.count) }
      if count >= 0 { return buffer[..<min(count, needed)].map { UInt8(bitPattern: $0) } }
      guard errno == ERANGE else { throw SystemCallError(name: name, number: errno) }
    }
  }

  // MARK: Other

  package func lock(_ descriptor: Int32) throws(SystemCallError) {
    try require(flock(descriptor, LOCK_EX | LOCK_NB), "flock")
  }

  package func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }

  package func isRunning(process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }

  package func requireWritable(folder path: String) throws(SystemCallError) {
    try require(path.withSystemPath { accessFile($0, W_OK | X_OK) }, "access")
  }

  package func freeSpace(inFolder path: String) throws(SystemCallError) -> UInt64? {
    var information = statvfs()
    try require(path.withSystemPath { statvfs($0.pointer, &information) }, "statvfs")
    // File systems in user space may not know it.
    guard information.f_blocks > 0 else { return nil }
    let unit = UInt64(information.f_frsize > 0 ? information.f_frsize : information.f_bsize)
    let (bytes, overflow) = UInt64(information.f_bavail).multipliedReportingOverflow(by: unit)
    return overflow ? nil : bytes
  }

  package func milliseconds() -> UInt64 { UInt64(clamping: SteadyClock.nanoseconds / 1_000_000) }

  package var processID: Int32 { getpid() }
  package var userID: UInt32 { geteuid() }

  private func require(_ result: Int32, _ name: String) throws(SystemCallError) {
    guard result == 0 else { throw SystemCallError(name: name, number: errno) }
  }
}

extension NameKind {
  fileprivate init(_ information: stat) {
    let device = UInt64(truncatingIfNeeded: information.st_dev)
    let identity = FileIdentity(device: device, inode: UInt64(information.st_ino))
    self = information.st_mode & S_IFMT == S_IFLNK ? .symbolicLink : .file(identity)
  }
}

// The methods above carry the calls' names and would hide them.
private let openFile: @Sendable (SystemPath, Int32, mode_t) -> Int32 = { open($0.pointer, $1, $2) }
private let openFileInFolder: @Sendable (Int32, SystemPath, Int32, mode_t) -> Int32 = { openat($0, $1.pointer, $2, $3) }
private let writeBytes: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
private let renameFile: @Sendable (SystemPath, SystemPath) -> Int32 = { rename($0.pointer, $1.pointer) }
private let accessFile: @Sendable (SystemPath, Int32) -> Int32 = { access($0.pointer, $1) }
private let linkFile: @Sendable (SystemPath, SystemPath) -> Int32 = { link($0.pointer, $1.pointer) }
private let unlinkFile: @Sendable (SystemPath) -> Int32 = { unlink($0.pointer) }
