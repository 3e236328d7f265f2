import Foundation
import RealmStorage
import RealmSystem

/// System calls for files, one of which fails.
///
/// Calls that can fail in the requested way are counted from 1, so that a test can let the first one fail, then the
/// second, until a run ends without reaching the fault. Calls that only clean up count like all others.
///
/// ```swift
/// let calls = FailingCalls(.noSpace, atCall: 3)
/// FileBackend.$calls.withValue(calls) { compact(path) }
/// ```
package final class FailingCalls: OutputCalls {
  package enum Fault: CaseIterable, Sendable {
    /// The call fails with `EIO`, whatever it is.
    case inputOutputError
    /// A call that needs room on the disk fails with `ENOSPC`, and so do all such calls after it.
    case noSpace
    /// A signal interrupts the call; the next one works.
    case interruption
    /// A read or write does less than it could.
    case shortCount
    /// A read by position returns nothing, as if the file ended there.
    case earlyEnd
    /// From this call on, nothing reaches the disk, as if the process had been killed before it. Read calls are not
    /// counted: they do not change the disk.
    case end
    /// The process is killed before the call. Read calls are not counted.
    case kill
  }

  /// What a call does, which decides how it can fail.
  private enum Kind {
    case looking, opening, reading, readingByPosition, writing, syncing, resizing, naming, removing, locking, describing
  }

  private let system = SystemFileCalls()
  private let fault: Fault
  private let faultyCall: Int
  private let state = Locked(State())

  private struct State {
    var made = 0
    var open = 0
    var failedCall: String?
    var milliseconds: UInt64 = 0
    var statusCalls = 0
    var listings = 0
  }

  /// What happens while somebody waits.
  private let meanwhile: @Sendable () -> Void
  /// Called right after the status of an open file was read, with the number of times that this has happened.
  private let afterStatus: @Sendable (Int) -> Void

  /// - Parameters:
  ///   - call: which call fails, counted from 1; 0 for none.
  ///   - meanwhile: called in every pause. Pauses take no time; a clock of these calls' own counts them.
  package init(
    _ fault: Fault, atCall call: Int, meanwhile: @escaping @Sendable () -> Void = {},
    afterStatus: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.afterStatus = afterStatus
    self.fault = fault
    faultyCall = call
    self.meanwhile = meanwhile
  }

  /// Whether the call that should fail has been made.
  package var hasFailed: Bool { faultyCall > 0 && state.withLock { $0.made >= faultyCall } }
  /// The call that failed first, named as by its manual page.
  package var failedCall: String? { state.withLock { $0.failedCall } }
  /// Calls that were counted.
  package var madeCalls: Int { state.withLock { $0.made } }
  /// How often a folder was listed.
  package var listings: Int { state.withLock { $0.listings } }
  /// Descriptors that are open now.
  package var openDescriptors: Int { state.withLock { $0.open } }

  // MARK: The fault

  /// - Returns: whether the call does less than it could.
  private func next(_ name: String, _ kind: Kind, changesFiles: Bool = false) throws(SystemCallError) -> Bool {
    guard counts(kind, changesFiles) else { return false }
    let number = state.withLock { state in
      state.made += 1
      return state.made
    }
    switch fault {
    case .noSpace, .end: guard faultyCall > 0, number >= faultyCall else { return false }
    case .inputOutputError, .interruption, .shortCount, .earlyEnd, .kill:
      guard number == faultyCall else { return false }
    }
    state.withLock { $0.failedCall = $0.failedCall ?? name }
    switch fault {
    case .shortCount, .earlyEnd: return true
    case .kill:
      Foundation.kill(getpid(), SIGKILL)
      return false
    case .noSpace: throw SystemCallError(name: name, number: ENOSPC)
    case .interruption: throw SystemCallError(name: name, number: EINTR)
    case .inputOutputError, .end: throw SystemCallError(name: name, number: EIO)
    }
  }

  private func counts(_ kind: Kind, _ changesFiles: Bool) -> Bool {
    switch fault {
    case .inputOutputError: true
    case .noSpace: changesFiles && [.opening, .writing, .syncing, .naming, .describing].contains(kind)
    // Calls that wait, by the names of their manual pages.
    case .interruption:
      [.opening, .reading, .readingByPosition, .writing, .syncing, .resizing, .locking].contains(kind)
    case .shortCount: [.reading, .readingByPosition, .writing].contains(kind)
    case .earlyEnd: kind == .readingByPosition
    case .end, .kill: changesFiles
    }
  }

  /// The part of a buffer that a short call uses: at least one byte, so that it does not look like the end.
  private func rest<Bytes: RandomAccessCollection>(_ bytes: Bytes, _ isShort: Bool) -> Bytes.SubSequence {
    isShort ? bytes.prefix(max(1, bytes.count / 3)) : bytes[...]
  }

  private func opened(_ open: () throws(SystemCallError) -> Int32) throws(SystemCallError) -> Int32 {
    let descriptor = try open()
    state.withLock { $0.open += 1 }
    return descriptor
  }

  // MARK: Reading

  package func status(ofPath path: String) throws(SystemCallError) -> FileStatus {
    _ = try next("stat", .looking)
    return try system.status(ofPath: path)
  }

  package func status(of descriptor: Int32) throws(SystemCallError) -> FileStatus {
    _ = try next("fstat", .looking)
    let status = try system.status(of: descriptor)
    let number = state.withLock { state in
      state.statusCalls += 1
      return state.statusCalls
    }
    afterStatus(number)
    return status
  }

  package func open(_ path: String, flags: Int32) throws(SystemCallError) -> Int32 {
    _ = try next("open", .opening)
    return try opened { () throws(SystemCallError) in try system.open(path, flags: flags) }
  }

  package func close(_ descriptor: Int32) {
    state.withLock { $0.open -= 1 }
    system.close(descriptor)
  }

  package func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError) -> Int {
    let isShort = try next("read", .reading)
    return try system.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: rest(buffer, isShort)))
  }

  package func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64)
    throws(SystemCallError) -> Int
  {
    let isShort = try next("pread", .readingByPosition)
    if isShort, fault == .earlyEnd { return 0 }
    return try system.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: rest(buffer, isShort)), at: offset)
  }

  package func waitUntilReady(_ descriptor: Int32, forWriting: Bool) throws(SystemCallError) {
    try system.waitUntilReady(descriptor, forWriting: forWriting)
  }

  package func map(_ descriptor: Int32, length: Int) throws(SystemCallError) -> UnsafeMutableRawPointer {
    _ = try next("mmap", .looking)
    return try system.map(descriptor, length: length)
  }

  package func isRemote(_ descriptor: Int32) -> Bool { system.isRemote(descriptor) }
  package func isTerminal(_ descriptor: Int32) -> Bool { system.isTerminal(descriptor) }
  package func pause(milliseconds: UInt32) {
    state.withLock { $0.milliseconds += UInt64(milliseconds) }
    meanwhile()
  }

  // MARK: Writing

  package func open(_ path: String, _ opening: OutputOpening) throws(SystemCallError) -> Int32 {
    let makesFile =
      switch opening {
      case .create: true
      case .existing, .device, .reading, .folder: false
      }
    _ = try next("open", .opening, changesFiles: makesFile)
    return try opened { () throws(SystemCallError) in try system.open(path, opening) }
  }

  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemCallError) -> Int {
    let isShort = try next("write", .writing, changesFiles: true)
    return try system.write(descriptor, UnsafeRawBufferPointer(rebasing: rest(bytes, isShort)))
  }

  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: UInt64)
    throws(SystemCallError) -> Int
  {
    let isShort = try next("pwrite", .writing, changesFiles: true)
    return try system.write(descriptor, UnsafeRawBufferPointer(rebasing: rest(bytes, isShort)), at: offset)
  }

  package func truncate(_ descriptor: Int32, to size: UInt64) throws(SystemCallError) {
    _ = try next("ftruncate", .resizing, changesFiles: true)
    try system.truncate(descriptor, to: size)
  }

  package func reserve(_ descriptor: Int32, from size: UInt64, to newSize: UInt64) throws(SystemCallError) {
    _ = try next("posix_fallocate", .writing, changesFiles: true)
    try system.reserve(descriptor, from: size, to: newSize)
  }

  package func synchronize(_ descriptor: Int32) throws(SystemCallError) {
    // Nobody cuts the power, and waiting for the disk takes most of the time of such tests.
    _ = try next("fsync", .syncing, changesFiles: true)
  }

  // MARK: Names

  package func rename(_ path: String, to newPath: String) throws(SystemCallError) {
    _ = try next("rename", .naming, changesFiles: true)
    try system.rename(path, to: newPath)
  }

  package func renameExclusively(_ path: String, to newPath: String) throws(SystemCallError) {
    _ = try next("rename", .naming, changesFiles: true)
    try system.renameExclusively(path, to: newPath)
  }

  package func link(_ path: String, to newPath: String) throws(SystemCallError) {
    _ = try next("link", .naming, changesFiles: true)
    try system.link(path, to: newPath)
  }

  package func unlink(_ path: String) throws(SystemCallError) {
    _ = try next("unlink", .removing, changesFiles: true)
    try system.unlink(path)
  }

  package func makeFolder(_ path: String, mode: UInt32) throws(SystemCallError) {
    _ = try next("mkdir", .naming, changesFiles: true)
    try system.makeFolder(path, mode: mode)
  }

  package func removeFolder(_ path: String) throws(SystemCallError) {
    _ = try next("rmdir", .removing, changesFiles: true)
    try system.removeFolder(path)
  }

  package func kind(ofName path: String) throws(SystemCallError) -> NameKind {
    _ = try next("lstat", .looking)
    return try system.kind(ofName: path)
  }

  package func target(ofLink path: String) throws(SystemCallError) -> SymbolicLink {
    _ = try next("readlink", .looking)
    return try system.target(ofLink: path)
  }

  package func names(in folder: Int32) throws(SystemCallError) -> [String] {
    _ = try next("opendir", .looking)
    state.withLock { $0.listings += 1 }
    return try system.names(in: folder)
  }

  package func open(_ name: String, in folder: Int32, _ opening: OutputOpening) throws(SystemCallError) -> Int32 {
    _ = try next("openat", .opening)
    return try opened { () throws(SystemCallError) in try system.open(name, in: folder, opening) }
  }

  package func status(ofName name: String, in folder: Int32) throws(SystemCallError) -> FileStatus {
    _ = try next("fstatat", .looking)
    return try system.status(ofName: name, in: folder)
  }

  package func unlink(_ name: String, in folder: Int32) throws(SystemCallError) {
    _ = try next("unlink", .removing, changesFiles: true)
    try system.unlink(name, in: folder)
  }

  package func removeFolder(_ name: String, in folder: Int32) throws(SystemCallError) {
    _ = try next("rmdir", .removing, changesFiles: true)
    try system.removeFolder(name, in: folder)
  }

  package func requireWritable(_ folder: Int32) throws(SystemCallError) {
    _ = try next("access", .looking)
    try system.requireWritable(folder)
  }

  // MARK: Attributes

  package func access(of descriptor: Int32) throws(SystemCallError) -> FileAccess {
    _ = try next("fstat", .looking)
    return try system.access(of: descriptor)
  }

  package func setOwner(of descriptor: Int32, owner: UInt32, group: UInt32) throws(SystemCallError) {
    _ = try next("fchown", .describing, changesFiles: true)
    try system.setOwner(of: descriptor, owner: owner, group: group)
  }

  package func setMode(of descriptor: Int32, _ mode: UInt32) throws(SystemCallError) {
    _ = try next("fchmod", .describing, changesFiles: true)
    try system.setMode(of: descriptor, mode)
  }

  package func extendedAttributeNames(of descriptor: Int32) throws(SystemCallError) -> [String] {
    _ = try next("flistxattr", .looking)
    return try system.extendedAttributeNames(of: descriptor)
  }

  package func extendedAttribute(_ name: String, of descriptor: Int32) throws(SystemCallError) -> [UInt8] {
    _ = try next("fgetxattr", .looking)
    return try system.extendedAttribute(name, of: descriptor)
  }

  package func setExtendedAttribute(_ name: String, of descriptor: Int32, to value: [UInt8]) throws(SystemCallError) {
    _ = try next("fsetxattr", .describing, changesFiles: true)
    try system.setExtendedAttribute(name, of: descriptor, to: value)
  }

  package func removeExtendedAttribute(_ name: String, of descriptor: Int32) throws(SystemCallError) {
    _ = try next("fremovexattr", .describing, changesFiles: true)
    try system.removeExtendedAttribute(name, of: descriptor)
  }

  // MARK: Other

  package func lock(_ descriptor: Int32) throws(SystemCallError) {
    _ = try next("flock", .locking)
    try system.lock(descriptor)
  }

  package func unlock(_ descriptor: Int32) { system.unlock(descriptor) }

  package func isRunning(process: Int32) -> Bool { system.isRunning(process: process) }

  package func requireWritable(folder path: String) throws(SystemCallError) {
    _ = try next("access", .looking)
    try system.requireWritable(folder: path)
  }

  package func freeSpace(inFolder path: String) throws(SystemCallError) -> UInt64? {
    _ = try next("statvfs", .looking)
    return try system.freeSpace(inFolder: path)
  }

  package func milliseconds() -> UInt64 { state.withLock { $0.milliseconds } }
  package var processID: Int32 { system.processID }
  package var userID: UInt32 { system.userID }
}
