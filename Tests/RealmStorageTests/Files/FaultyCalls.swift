import Foundation

@testable import RealmStorage
@testable import RealmSystem

/// System calls, one of which fails.
final class FaultyCalls: FileCalls {
  enum Fault: CaseIterable {
    /// The call fails.
    case inputOutputError
    /// The call is interrupted by a signal; the next one works.
    case interruption
    /// A read returns less than it could.
    case shortRead
    /// A read at a position returns nothing, as if the file ended there.
    case earlyEnd
  }

  private let system = SystemFileCalls()
  private let fault: Fault
  private let faultyCall: Int
  private let calls = Locked((made: 0, open: 0))

  /// - Parameter call: which call fails, counted from 1; 0 for none.
  init(_ fault: Fault, atCall call: Int) {
    self.fault = fault
    faultyCall = call
  }

  /// Calls made so far, of those that can fail.
  var made: Int { calls.withLock { $0.made } }
  /// Descriptors open now.
  var openDescriptors: Int { calls.withLock { $0.open } }

  private func next(_ name: String) throws(SystemCallError) -> Bool {
    let isFaulty = calls.withLock { calls in
      calls.made += 1
      return calls.made == faultyCall
    }
    guard isFaulty else { return false }
    switch fault {
    case .inputOutputError: throw SystemCallError(name: name, number: EIO)
    case .interruption: throw SystemCallError(name: name, number: EINTR)
    case .shortRead, .earlyEnd: return true
    }
  }

  /// What one call may read: at least one byte, so that it does not look like the end.
  private func room(_ buffer: UnsafeMutableRawBufferPointer, _ isShort: Bool) -> UnsafeMutableRawBufferPointer {
    isShort ? UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(max(1, buffer.count / 3))) : buffer
  }

  func status(ofPath path: String) throws(SystemCallError) -> FileStatus {
    if fault != .interruption, fault != .earlyEnd { _ = try next("stat") }
    return try system.status(ofPath: path)
  }

  func status(of descriptor: Int32) throws(SystemCallError) -> FileStatus {
    if fault != .interruption, fault != .earlyEnd { _ = try next("fstat") }
    return try system.status(of: descriptor)
  }

  func open(_ path: String, flags: Int32) throws(SystemCallError) -> Int32 {
    if fault != .earlyEnd { _ = try next("open") }
    let descriptor = try system.open(path, flags: flags)
    calls.withLock { $0.open += 1 }
    return descriptor
  }

  func close(_ descriptor: Int32) {
    calls.withLock { $0.open -= 1 }
    system.close(descriptor)
  }

  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError) -> Int {
    if fault == .earlyEnd { return try system.read(descriptor, into: buffer) }
    return try system.read(descriptor, into: room(buffer, try next("read")))
  }

  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64)
    throws(SystemCallError) -> Int
  {
    let isShort = try next("pread")
    if isShort, fault == .earlyEnd { return 0 }
    return try system.read(descriptor, into: room(buffer, isShort), at: offset)
  }

  func waitUntilReady(_ descriptor: Int32, forWriting: Bool) throws(SystemCallError) {}

  func map(_ descriptor: Int32, length: Int) throws(SystemCallError) -> UnsafeMutableRawPointer {
    if fault != .interruption, fault != .earlyEnd { _ = try next("mmap") }
    return try system.map(descriptor, length: length)
  }

  func isRemote(_ descriptor: Int32) -> Bool { false }
  func isTerminal(_ descriptor: Int32) -> Bool { false }
  func pause(milliseconds: UInt32) {}
}
