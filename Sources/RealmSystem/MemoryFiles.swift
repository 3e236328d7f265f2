import Libc

/// The files of the system, with all changes kept in memory: only users of the same object see what was written.
///
/// ```swift
/// let outcome = try FileBackend.$calls.withValue(MemoryFiles(.dryRun)) { try launch("app.realm") }
/// ```
package final class MemoryFiles: OutputCalls {
  package enum Purpose: Sendable {
    /// What the real calls would refuse is also refused here.
    case dryRun
    /// Files that this user may only read can be changed as well.
    case scratch
  }

  private enum Name {
    case file(MemoryFile)
    case removed
  }

  private struct Opened {
    let file: MemoryFile
    var position: UInt64 = 0
  }

  private struct State {
    /// By their bytes: strings that Unicode treats as equal are names of two files.
    var names: [[UInt8]: Name] = [:]
    var opened: [Int32: Opened] = [:]
    var nextDescriptor: Int32 = MemoryFiles.firstDescriptor
    var nextInode: UInt64 = 1
  }

  /// Beyond any that a system gives out.
  private static let firstDescriptor: Int32 = 1 << 30
  /// No device has that number.
  private static let device = UInt64.max

  private let system = SystemFileCalls()
  private let purpose: Purpose
  private let state = Locked(State())

  /// Lives as long as these files.
  private let owner: (any Sendable)?

  package init(_ purpose: Purpose) { (self.purpose, owner) = (purpose, nil) }

  private init(_ purpose: Purpose, owner: any Sendable) { (self.purpose, self.owner) = (purpose, owner) }

  /// A file as it is now, alone: what is written to it later is written to the original only, or to this one. Nothing is
  /// copied before that.
  ///
  /// - Parameter owner: lives as long as the result.
  package func frozen(_ path: String, keeping owner: any Sendable) throws(SystemCallError) -> MemoryFiles {
    guard let file = try memoryFile(path, "open") else { throw SystemCallError(name: "open", number: ENOENT) }
    let files = MemoryFiles(purpose, owner: owner)
    files.state.withLock { $0.names[Array(path.utf8)] = .file(file.copy()) }
    return files
  }

  /// Adds or replaces a file.
  package func add(_ path: String, _ bytes: [UInt8]) throws(SystemCallError) {
    let descriptor = create(path)
    defer { close(descriptor) }
    guard let file = file(descriptor) else { return }
    var result: Result<Void, SystemCallError> = .success(())
    bytes.withUnsafeBytes { bytes in
      do throws(SystemCallError) { try file.write(bytes, at: 0) } catch { result = .failure(error) }
    }
    try result.get()
  }

  // MARK: - Names

  private func name(_ path: String) -> Name? { state.withLock { $0.names[Array(path.utf8)] } }

  /// The file of that name in memory; nil for one that only the system has.
  private func memoryFile(_ path: String, _ call: String) throws(SystemCallError) -> MemoryFile? {
    switch name(path) {
    case .file(let file): return file
    case .removed: throw SystemCallError(name: call, number: ENOENT)
    case nil: return nil
    }
  }

  private func file(_ descriptor: Int32) -> MemoryFile? {
    descriptor < Self.firstDescriptor ? nil : state.withLock { $0.opened[descriptor]?.file }
  }

  private func descriptor(for file: MemoryFile) -> Int32 {
    state.withLock { state in
      let descriptor = state.nextDescriptor
      state.nextDescriptor += 1
      state.opened[descriptor] = Opened(file: file)
      return descriptor
    }
  }

  private func create(_ path: String) -> Int32 {
    let file = state.withLock { state in
      let file = MemoryFile(FileIdentity(device: Self.device, inode: state.nextInode))
      state.nextInode += 1
      state.names[Array(path.utf8)] = .file(file)
      return file
    }
    return descriptor(for: file)
  }

  /// A file of the system whose changes stay in memory.
  private func cover(_ path: String) throws(SystemCallError) -> Int32 {
    let descriptor =
      switch purpose {
      case .dryRun: try system.open(path, .existing)
      case .scratch: try system.open(path, .reading)
      }
    do throws(SystemCallError) {
      let status = try system.status(of: descriptor)
      let file = MemoryFile(status.identity, over: .init(descriptor: descriptor, size: status.size))
      state.withLock { $0.names[Array(path.utf8)] = .file(file) }
      return self.descriptor(for: file)
    } catch {
      system.close(descriptor)
      throw error
    }
  }

  private func exists(_ path: String) -> Bool {
    switch name(path) {
    case .file: true
    case .removed: false
    case nil: (try? system.kind(ofName: path)) != nil
    }
  }

  // MARK: - Opening

  package func open(_ path: String, _ opening: OutputOpening) throws(SystemCallError) -> Int32 {
    switch opening {
    case .create:
      guard !exists(path) else { throw SystemCallError(name: "open", number: EEXIST) }
      try requireFolder(of: path)
      return create(path)
    case .existing:
      if let file = try memoryFile(path, "open") { return descriptor(for: file) }
      return try cover(path)
    case .reading:
      if let file = try memoryFile(path, "open") { return descriptor(for: file) }
      return try system.open(path, opening)
    case .device, .folder: return try system.open(path, opening)
    }
  }

  package func open(_ path: String, flags: Int32) throws(SystemCallError) -> Int32 {
    if let file = try memoryFile(path, "open") { return descriptor(for: file) }
    return try system.open(path, flags: flags)
  }

  private func requireFolder(of path: String) throws(SystemCallError) {
    let folder = SystemText.split(path).folder
    guard purpose == .dryRun else { return }
    try system.requireWritable(folder: folder.isEmpty ? "." : folder)
  }

  package func close(_ descriptor: Int32) {
    guard descriptor >= Self.firstDescriptor else { return system.close(descriptor) }
    state.withLock { _ = $0.opened.removeValue(forKey: descriptor) }
  }

  // MARK: - Looking

  private static func status(of file: MemoryFile) -> FileStatus {
    FileStatus(kind: .regular, size: file.size, identity: file.identity)
  }

  package func status(ofPath path: String) throws(SystemCallError) -> FileStatus {
    if let file = try memoryFile(path, "stat") { return Self.status(of: file) }
    return try system.status(ofPath: path)
  }

  package func status(of descriptor: Int32) throws(SystemCallError) -> FileStatus {
    if let file = file(descriptor) { return Self.status(of: file) }
    return try system.status(of: descriptor)
  }

  package func kind(ofName path: String) throws(SystemCallError) -> NameKind {
    if let file = try memoryFile(path, "lstat") { return .file(file.identity) }
    return try system.kind(ofName: path)
  }

  package func target(ofLink path: String) throws(SystemCallError) -> SymbolicLink { try system.target(ofLink: path) }

  /// None: leftovers of killed runs do not concern files in memory.
  package func names(in folder: Int32) throws(SystemCallError) -> [String] { [] }

  package func open(_ name: String, in folder: Int32, _ opening: OutputOpening) throws(SystemCallError) -> Int32 {
    throw Self.refused("openat")
  }

  package func status(ofName name: String, in folder: Int32) throws(SystemCallError) -> FileStatus {
    try system.status(ofName: name, in: folder)
  }

  // MARK: - Reading

  package func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError) -> Int {
    guard let file = file(descriptor) else { return try system.read(descriptor, into: buffer) }
    let position = state.withLock { $0.opened[descriptor]?.position ?? 0 }
    let count = try file.read(into: buffer, at: position)
    advance(descriptor, count)
    return count
  }

  package func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64)
    throws(SystemCallError) -> Int
  {
    guard let file = file(descriptor) else { return try system.read(descriptor, into: buffer, at: offset) }
    return try file.read(into: buffer, at: offset)
  }

  private func advance(_ descriptor: Int32, _ count: Int) {
    state.withLock { $0.opened[descriptor]?.position += UInt64(count) }
  }

  package func waitUntilReady(_ descriptor: Int32, forWriting: Bool) throws(SystemCallError) {
    if file(descriptor) == nil { try system.waitUntilReady(descriptor, forWriting: forWriting) }
  }

  package func map(_ descriptor: Int32, length: Int) throws(SystemCallError) -> UnsafeMutableRawPointer {
    guard file(descriptor) == nil else { throw SystemCallError(name: "mmap", number: ENODEV) }
    return try system.map(descriptor, length: length)
  }

  /// Such files are read in pages.
  package func isRemote(_ descriptor: Int32) -> Bool { file(descriptor) != nil || system.isRemote(descriptor) }
  package func isTerminal(_ descriptor: Int32) -> Bool { file(descriptor) == nil && system.isTerminal(descriptor) }
  package func pause(milliseconds: UInt32) { system.pause(milliseconds: milliseconds) }
}

// MARK: - Changing

extension MemoryFiles {
  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemCallError) -> Int {
    guard let file = file(descriptor) else { return try system.write(descriptor, bytes) }
    let position = state.withLock { $0.opened[descriptor]?.position ?? 0 }
    try file.write(bytes, at: position)
    advance(descriptor, bytes.count)
    return bytes.count
  }

  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: UInt64)
    throws(SystemCallError) -> Int
  {
    guard let file = file(descriptor) else { throw Self.refused("pwrite") }
    try file.write(bytes, at: offset)
    return bytes.count
  }

  package func truncate(_ descriptor: Int32, to size: UInt64) throws(SystemCallError) {
    guard let file = file(descriptor) else { throw Self.refused("ftruncate") }
    file.setSize(size)
  }

  package func reserve(_ descriptor: Int32, from size: UInt64, to newSize: UInt64) throws(SystemCallError) {
    try truncate(descriptor, to: newSize)
  }

  package func synchronize(_ descriptor: Int32) throws(SystemCallError) {}

  package func rename(_ path: String, to newPath: String) throws(SystemCallError) {
    guard let file = try memoryFile(path, "rename") else { throw Self.refused("rename") }
    state.withLock { state in
      state.names[Array(newPath.utf8)] = .file(file)
      state.names[Array(path.utf8)] = .removed
    }
  }

  package func renameExclusively(_ path: String, to newPath: String) throws(SystemCallError) {
    guard !exists(newPath) else { throw SystemCallError(name: "renameat2", number: EEXIST) }
    try rename(path, to: newPath)
  }

  package func link(_ path: String, to newPath: String) throws(SystemCallError) {
    guard let file = try memoryFile(path, "link") else { throw Self.refused("link") }
    guard !exists(newPath) else { throw SystemCallError(name: "link", number: EEXIST) }
    state.withLock { $0.names[Array(newPath.utf8)] = .file(file) }
  }

  package func unlink(_ path: String) throws(SystemCallError) {
    guard exists(path) else { throw SystemCallError(name: "unlink", number: ENOENT) }
    state.withLock { $0.names[Array(path.utf8)] = .removed }
  }

  package func makeFolder(_ path: String, mode: UInt32) throws(SystemCallError) { throw Self.refused("mkdir") }
  package func removeFolder(_ path: String) throws(SystemCallError) { throw Self.refused("rmdir") }
  package func unlink(_ name: String, in folder: Int32) throws(SystemCallError) { throw Self.refused("unlinkat") }
  package func removeFolder(_ name: String, in folder: Int32) throws(SystemCallError) { throw Self.refused("unlinkat") }
  package func requireWritable(_ folder: Int32) throws(SystemCallError) { throw Self.refused("faccessat") }

  /// Files of the system are never changed.
  private static func refused(_ call: String) -> SystemCallError { SystemCallError(name: call, number: EROFS) }

  // MARK: Owners and attributes

  package func access(of descriptor: Int32) throws(SystemCallError) -> FileAccess {
    guard let file = file(descriptor) else { return try system.access(of: descriptor) }
    if let base = file.base { return try system.access(of: base.descriptor) }
    return FileAccess(owner: geteuid(), group: getegid(), mode: 0o600, linkCount: 1)
  }

  package func setOwner(of descriptor: Int32, owner: UInt32, group: UInt32) throws(SystemCallError) {}
  package func setMode(of descriptor: Int32, _ mode: UInt32) throws(SystemCallError) {}

  package func extendedAttributeNames(of descriptor: Int32) throws(SystemCallError) -> [String] {
    guard let file = file(descriptor) else { return try system.extendedAttributeNames(of: descriptor) }
    return try file.base.map { (base) throws(SystemCallError) in try system.extendedAttributeNames(of: base.descriptor)
    }
      ?? []
  }

  package func extendedAttribute(_ name: String, of descriptor: Int32) throws(SystemCallError) -> [UInt8] {
    try system.extendedAttribute(name, of: file(descriptor)?.base?.descriptor ?? descriptor)
  }

  package func setExtendedAttribute(_ name: String, of descriptor: Int32, to value: [UInt8]) throws(SystemCallError) {}
  package func removeExtendedAttribute(_ name: String, of descriptor: Int32) throws(SystemCallError) {}

  // MARK: The rest

  package func lock(_ descriptor: Int32) throws(SystemCallError) {
    if file(descriptor) == nil { try system.lock(descriptor) }
  }

  package func unlock(_ descriptor: Int32) {
    if file(descriptor) == nil { system.unlock(descriptor) }
  }

  package func isRunning(process: Int32) -> Bool { system.isRunning(process: process) }

  package func requireWritable(folder path: String) throws(SystemCallError) {
    if purpose == .dryRun { try system.requireWritable(folder: path) }
  }

  package func freeSpace(inFolder path: String) throws(SystemCallError) -> UInt64? {
    purpose == .dryRun ? try system.freeSpace(inFolder: path) : nil
  }

  package func milliseconds() -> UInt64 { system.milliseconds() }
  package var processID: Int32 { system.processID }
  package var userID: UInt32 { system.userID }
}
