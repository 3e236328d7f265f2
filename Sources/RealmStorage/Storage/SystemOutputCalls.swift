import CSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension SystemCallError {
  /// A signal came; the call can be made again.
  var isInterruption: Bool { number == EINTR }
  /// Somebody else holds the lock, or a stream is full.
  var wouldBlock: Bool { number == EWOULDBLOCK || number == EAGAIN }
  /// The name is taken.
  var isExisting: Bool { number == EEXIST }
  /// The file system cannot do that.
  var isNotSupported: Bool { [ENOTSUP, EOPNOTSUPP, ENOSYS, EINVAL, ENOTTY].contains(number) }
  /// Hard links are not allowed, or the file system has none.
  var isLinkRefused: Bool { isNotSupported || [EPERM, EMLINK, EXDEV].contains(number) }
}

/// The calls for writing as the system answers them.
extension SystemFileCalls: OutputCalls {
  package func open(_ path: String, _ opening: OutputOpening) throws(SystemCallError) -> Int32 {
    let common = O_CLOEXEC | O_NOCTTY
    let descriptor =
      switch opening {
      case .create(let mode): openFile(path, common | O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode_t(mode))
      case .existing: openFile(path, common | O_RDWR | O_NONBLOCK | O_NOFOLLOW, 0)
      case .device: openFile(path, common | O_WRONLY, 0)
      case .reading: openFile(path, common | O_RDONLY | O_NONBLOCK | O_NOFOLLOW, 0)
      case .folder: openFile(path, common | O_RDONLY | O_DIRECTORY, 0)
      }
    guard descriptor >= 0 else { throw SystemCallError(name: "open", number: errno) }
    return descriptor
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
      // It answers with the number of the error instead of setting `errno`.
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
    try require(renameFile(path, newPath), "rename")
  }

  package func renameExclusively(_ path: String, to newPath: String) throws(SystemCallError) {
    try require(csystem_rename_exclusively(path, newPath), "rename")
  }

  package func link(_ path: String, to newPath: String) throws(SystemCallError) {
    try require(linkFile(path, newPath), "link")
  }

  package func unlink(_ path: String) throws(SystemCallError) { try require(unlinkFile(path), "unlink") }

  package func makeFolder(_ path: String) throws(SystemCallError) { try require(mkdir(path, 0o777), "mkdir") }

  package func removeFolder(_ path: String) throws(SystemCallError) { try require(rmdir(path), "rmdir") }

  package func kind(ofName path: String) throws(SystemCallError) -> NameKind {
    var information = stat()
    try require(lstat(path, &information), "lstat")
    if information.st_mode & S_IFMT == S_IFLNK { return .symbolicLink }
    let device = UInt64(truncatingIfNeeded: information.st_dev)
    return .file(FileIdentity(device: device, inode: UInt64(information.st_ino)))
  }

  package func target(ofLink path: String) throws(SystemCallError) -> String {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { buffer in
      buffer.bindMemory(to: CChar.self).baseAddress.map { readlink(path, $0, buffer.count) } ?? -1
    }
    guard count >= 0 else { throw SystemCallError(name: "readlink", number: errno) }
    guard count < buffer.count else { throw SystemCallError(name: "readlink", number: ENAMETOOLONG) }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  package func names(inFolder path: String) throws(SystemCallError) -> [String] {
    guard let folder = opendir(path) else { throw SystemCallError(name: "opendir", number: errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else {
        guard errno == 0 else { throw SystemCallError(name: "readdir", number: errno) }
        return names
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
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
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  package func extendedAttribute(_ name: String, of descriptor: Int32) throws(SystemCallError) -> [UInt8] {
    try grown("fgetxattr") { csystem_attribute_value(descriptor, name, $0, $1) }
  }

  package func setExtendedAttribute(_ name: String, of descriptor: Int32, to value: [UInt8]) throws(SystemCallError) {
    try require(csystem_set_attribute(descriptor, name, value, value.count), "fsetxattr")
  }

  /// The answer of a call that tells the size it needs, which may change between two calls.
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
    try require(accessFile(path, W_OK | X_OK), "access")
  }

  package func freeSpace(inFolder path: String) throws(SystemCallError) -> UInt64? {
    var information = statvfs()
    try require(statvfs(path, &information), "statvfs")
    // File systems of other programs may know nothing.
    guard information.f_blocks > 0 else { return nil }
    let unit = UInt64(information.f_frsize > 0 ? information.f_frsize : information.f_bsize)
    let (bytes, overflow) = UInt64(information.f_bavail).multipliedReportingOverflow(by: unit)
    return overflow ? nil : bytes
  }

  package func milliseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(clamping: time.tv_sec) &* 1000 &+ UInt64(clamping: time.tv_nsec) / 1_000_000
  }

  package var processID: Int32 { getpid() }

  private func require(_ result: Int32, _ name: String) throws(SystemCallError) {
    guard result == 0 else { throw SystemCallError(name: name, number: errno) }
  }
}

// The methods above carry the calls' names and would hide them.
private let openFile: @Sendable (String, Int32, mode_t) -> Int32 = { open($0, $1, $2) }
private let writeBytes: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
private let renameFile: @Sendable (String, String) -> Int32 = { rename($0, $1) }
private let accessFile: @Sendable (String, Int32) -> Int32 = { access($0, $1) }
private let linkFile: @Sendable (String, String) -> Int32 = { link($0, $1) }
private let unlinkFile: @Sendable (String) -> Int32 = { unlink($0) }
