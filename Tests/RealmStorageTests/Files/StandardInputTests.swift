import Foundation
import TestSupport
import Testing

@testable import RealmStorage
@testable import RealmSystem

/// Standard input that provides prepared pieces.
private final class ScriptedInput: FileCalls {
  enum Step {
    case bytes([UInt8])
    case failure(Int32)
  }

  private let steps: Locked<[Step]>
  private let kind: FileStatus.Kind
  private let isTerminal: Bool
  let waits = Locked(0)
  let largestRoom = Locked(0)

  init(_ steps: [Step], kind: FileStatus.Kind = .special(.pipe), isTerminal: Bool = false) {
    self.steps = Locked(steps)
    self.kind = kind
    self.isTerminal = isTerminal
  }

  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError) -> Int {
    largestRoom.withLock { $0 = max($0, buffer.count) }
    let step = steps.withLock { steps -> Step? in
      guard let first = steps.first else { return nil }
      if case .bytes(let bytes) = first, bytes.count > buffer.count {
        steps[0] = .bytes(Array(bytes[buffer.count...]))
        return .bytes(Array(bytes[..<buffer.count]))
      }
      return steps.removeFirst()
    }
    switch step {
    case .bytes(let bytes)?:
      buffer.copyBytes(from: bytes)
      return bytes.count
    case .failure(let number)?: throw SystemCallError(name: "read", number: number)
    case nil: return 0
    }
  }

  func status(of descriptor: Int32) throws(SystemCallError) -> FileStatus {
    FileStatus(kind: kind, size: 0, identity: FileIdentity(device: 0, inode: 0))
  }

  func isTerminal(_ descriptor: Int32) -> Bool { isTerminal }
  func waitUntilReady(_ descriptor: Int32, forWriting: Bool) throws(SystemCallError) { waits.withLock { $0 += 1 } }

  // Nothing else is requested from standard input.
  func status(ofPath path: String) throws(SystemCallError) -> FileStatus { throw unexpected }
  func open(_ path: String, flags: Int32) throws(SystemCallError) -> Int32 { throw unexpected }
  func close(_ descriptor: Int32) {}
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64)
    throws(SystemCallError) -> Int
  { throw unexpected }
  func map(_ descriptor: Int32, length: Int) throws(SystemCallError) -> UnsafeMutableRawPointer { throw unexpected }
  func isRemote(_ descriptor: Int32) -> Bool { false }
  func pause(milliseconds: UInt32) {}
  private var unexpected: SystemCallError { SystemCallError(name: "unexpected", number: ENOSYS) }
}

@Test func `standard input is read to its end, in whatever pieces it comes`() throws {
  let bytes = try Fixture.bytes("engine/all-types-copy.realm")
  var steps: [ScriptedInput.Step] = [.failure(EINTR)]
  for start in stride(from: 0, to: bytes.count, by: 99_991) {
    steps += [.bytes(Array(bytes[start..<min(start + 99_991, bytes.count)])), .failure(EINTR), .failure(EAGAIN)]
  }
  let input = ScriptedInput(steps)
  let opened = try ByteStore.open(.standardInput, key: nil, calls: input)
  #expect(try opened.store.allBytes() == bytes)
  #expect(opened.path == "-" && opened.identity == nil && opened.physicalSize == UInt64(bytes.count))
  #expect(input.waits.withLock { $0 } == 7)
}

@Test func `an encrypted realm comes from standard input as well`() throws {
  try leavingUntouched(Fixture.path("engine/all-types-encrypted.realm")) { path in
    let input = ScriptedInput([.bytes(try Fixture.bytes(ofFile: path))])
    let opened = try ByteStore.open(.standardInput, key: try .engine, calls: input)
    let fromFile = try ByteStore.open(.path(path), key: try .engine)
    #expect(opened.isEncrypted)
    #expect(opened.store.allPages() == fromFile.store.allPages())
  }
}

@Test func `more than fits the first room is read`() throws {
  let bytes = [UInt8](repeating: 3, count: 5 << 20)
  let memory = try StandardInput.readAll(calls: ScriptedInput([.bytes(bytes)]))
  #expect(withExtendedLifetime(memory) { Array(memory.bytes) } == bytes)
}

@Test func `an input without end stops at the limit`() {
  let bytes = [UInt8](repeating: 3, count: 3 << 20)
  #expect(throws: StorageError.file(.systemCall(name: "malloc", errorNumber: ENOMEM))) {
    try StandardInput.readAll(calls: ScriptedInput([.bytes(bytes)]), limit: 2 << 20)
  }
}

@Test func `an error of standard input is told`() {
  let broken = ScriptedInput([.bytes([1, 2, 3]), .failure(EIO)])
  #expect(throws: StorageError.file(.systemCall(name: "read", errorNumber: EIO))) {
    try StandardInput.readAll(calls: broken)
  }
  #expect(throws: StorageError.file(.isDirectory)) {
    try StandardInput.readAll(calls: ScriptedInput([], kind: .directory))
  }
  #expect(throws: StorageError.notARealm(.empty)) {
    try ByteStore.open(.standardInput, key: nil, calls: ScriptedInput([]))
  }
}

@Test func `a terminal is no realm`() {
  let input = ScriptedInput([.bytes([1])], kind: .special(.characterDevice), isTerminal: true)
  #expect(throws: StorageError.file(.notARegularFile(kind: .characterDevice))) {
    try StandardInput.readAll(calls: input)
  }
}

@Test func `a real pipe is read`() throws {
  let child = try ChildProcess("StorageProbe", ["read-standard-input"])
  child.write(try Fixture.bytes("engine/dogs.realm"))
  #expect(child.wait() == .init(status: 0, output: "- 4096 4096\n"))
}
