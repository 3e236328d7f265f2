@testable import RealmStorage
@testable import RealmSystem

/// What was done to a file's bytes.
enum FileChange: Hashable {
  case write(offset: Int, bytes: [UInt8])
  case resize(to: Int)
  case synchronize
}

/// System calls, with a record of everything that changes the bytes of one file.
final class RecordingCalls: OutputCalls {
  private let system = SystemFileCalls()
  private let path: String
  let userID: UInt32
  private let state = Locked(State())

  private struct State {
    var descriptors: Set<Int32> = []
    var changes: [FileChange] = []
  }

  /// Owners of files of these kinds, if not those of the system.
  private let owners: [FileStatus.Kind: UInt32]

  /// - Parameter userID: the user as whom the process acts, if not its own.
  init(path: String, userID: UInt32? = nil, owners: [FileStatus.Kind: UInt32] = [:]) {
    (self.path, self.userID, self.owners) = (path, userID ?? system.userID, owners)
  }

  private func owned(_ status: FileStatus) -> FileStatus {
    var status = status
    status.owner = owners[status.kind] ?? status.owner
    return status
  }

  var changes: [FileChange] { state.withLock { $0.changes } }

  private func record(_ descriptor: Int32, _ change: FileChange) {
    state.withLock { state in
      if state.descriptors.contains(descriptor) { state.changes.append(change) }
    }
  }

  // MARK: Recorded

  func open(_ path: String, _ opening: OutputOpening) throws(SystemCallError) -> Int32 {
    let descriptor = try system.open(path, opening)
    if path == self.path { state.withLock { _ = $0.descriptors.insert(descriptor) } }
    return descriptor
  }

  func close(_ descriptor: Int32) {
    state.withLock { _ = $0.descriptors.remove(descriptor) }
    system.close(descriptor)
  }

  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemCallError) -> Int {
    let count = try system.write(descriptor, bytes, at: offset)
    record(descriptor, .write(offset: Int(offset), bytes: Array(bytes.prefix(count))))
    return count
  }

  func truncate(_ descriptor: Int32, to size: UInt64) throws(SystemCallError) {
    try system.truncate(descriptor, to: size)
    record(descriptor, .resize(to: Int(size)))
  }

  func reserve(_ descriptor: Int32, from size: UInt64, to newSize: UInt64) throws(SystemCallError) {
    try system.reserve(descriptor, from: size, to: newSize)
    record(descriptor, .resize(to: Int(newSize)))
  }

  func synchronize(_ descriptor: Int32) throws(SystemCallError) {
    try system.synchronize(descriptor)
    record(descriptor, .synchronize)
  }

  // MARK: Handed on

  func status(ofPath path: String) throws(SystemCallError) -> FileStatus { owned(try system.status(ofPath: path)) }
  func status(of descriptor: Int32) throws(SystemCallError) -> FileStatus { owned(try system.status(of: descriptor)) }
  func open(_ path: String, flags: Int32) throws(SystemCallError) -> Int32 { try system.open(path, flags: flags) }
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError) -> Int {
    try system.read(descriptor, into: buffer)
  }
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64)
    throws(SystemCallError) -> Int
  {
    try system.read(descriptor, into: buffer, at: offset)
  }
  func waitUntilReady(_ descriptor: Int32, forWriting: Bool) throws(SystemCallError) {
    try system.waitUntilReady(descriptor, forWriting: forWriting)
  }
  func map(_ descriptor: Int32, length: Int) throws(SystemCallError) -> UnsafeMutableRawPointer {
    try system.map(descriptor, length: length)
  }
  func isRemote(_ descriptor: Int32) -> Bool { system.isRemote(descriptor) }
  func isTerminal(_ descriptor: Int32) -> Bool { system.isTerminal(descriptor) }
  func pause(milliseconds: UInt32) { system.pause(milliseconds: milliseconds) }
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemCallError) -> Int {
    try system.write(descriptor, bytes)
  }
  func rename(_ path: String, to newPath: String) throws(SystemCallError) { try system.rename(path, to: newPath) }
  func renameExclusively(_ path: String, to newPath: String) throws(SystemCallError) {
    try system.renameExclusively(path, to: newPath)
  }
  func link(_ path: String, to newPath: String) throws(SystemCallError) { try system.link(path, to: newPath) }
  func unlink(_ path: String) throws(SystemCallError) { try system.unlink(path) }
  func makeFolder(_ path: String, mode: UInt32) throws(SystemCallError) { try system.makeFolder(path, mode: mode) }
  func removeFolder(_ path: String) throws(SystemCallError) { try system.removeFolder(path) }
  func kind(ofName path: String) throws(SystemCallError) -> NameKind { try system.kind(ofName: path) }
  func target(ofLink path: String) throws(SystemCallError) -> SymbolicLink { try system.target(ofLink: path) }
  func names(in folder: Int32) throws(SystemCallError) -> [String] { try system.names(in: folder) }
  func open(_ name: String, in folder: Int32, _ opening: OutputOpening) throws(SystemCallError) -> Int32 {
    try system.open(name, in: folder, opening)
  }
  func status(ofName name: String, in folder: Int32) throws(SystemCallError) -> FileStatus {
    owned(try system.status(ofName: name, in: folder))
  }
  func unlink(_ name: String, in folder: Int32) throws(SystemCallError) { try system.unlink(name, in: folder) }
  func removeFolder(_ name: String, in folder: Int32) throws(SystemCallError) {
    try system.removeFolder(name, in: folder)
  }
  func access(of descriptor: Int32) throws(SystemCallError) -> FileAccess {
    var access = try system.access(of: descriptor)
    access.owner = owners[try system.status(of: descriptor).kind] ?? access.owner
    return access
  }
  func setOwner(of descriptor: Int32, owner: UInt32, group: UInt32) throws(SystemCallError) {
    try system.setOwner(of: descriptor, owner: owner, group: group)
  }
  func setMode(of descriptor: Int32, _ mode: UInt32) throws(SystemCallError) {
    try system.setMode(of: descriptor, mode)
  }
  func extendedAttributeNames(of descriptor: Int32) throws(SystemCallError) -> [String] {
    try system.extendedAttributeNames(of: descriptor)
  }
  func extendedAttribute(_ name: String, of descriptor: Int32) throws(SystemCallError) -> [UInt8] {
    try system.extendedAttribute(name, of: descriptor)
  }
  func setExtendedAttribute(_ name: String, of descriptor: Int32, to value: [UInt8]) throws(SystemCallError) {
    try system.setExtendedAttribute(name, of: descriptor, to: value)
  }
  func removeExtendedAttribute(_ name: String, of descriptor: Int32) throws(SystemCallError) {
    try system.removeExtendedAttribute(name, of: descriptor)
  }
  func lock(_ descriptor: Int32) throws(SystemCallError) { try system.lock(descriptor) }
  func unlock(_ descriptor: Int32) { system.unlock(descriptor) }

  func isRunning(process: Int32) -> Bool { system.isRunning(process: process) }
  func requireWritable(_ folder: Int32) throws(SystemCallError) { try system.requireWritable(folder) }
  func requireWritable(folder path: String) throws(SystemCallError) { try system.requireWritable(folder: path) }
  func freeSpace(inFolder path: String) throws(SystemCallError) -> UInt64? { try system.freeSpace(inFolder: path) }
  func milliseconds() -> UInt64 { system.milliseconds() }
  var processID: Int32 { system.processID }
}
