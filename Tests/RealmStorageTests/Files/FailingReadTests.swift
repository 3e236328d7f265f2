import Foundation
import TestSupport
import Testing

@testable import RealmStorage
@testable import RealmSystem

private let inputs: [(file: String, hasKey: Bool, prefersPages: Bool)] = [
  ("engine/dogs.realm", false, false),
  ("engine/all-types-copy.realm", false, true),
  ("engine/all-types-copy-encrypted.realm", true, false),
]

/// Opens and reads everything, with call 1, 2, 3 … failing, until no call is left.
@Test(arguments: inputs, FaultyCalls.Fault.allCases)
private func `a call that goes wrong gives an error or the right bytes`(
  input: (file: String, hasKey: Bool, prefersPages: Bool), fault: FaultyCalls.Fault
) throws {
  let key = input.hasKey ? try EncryptionKey.of(Fixture.engineKey) : nil
  try leavingUntouched(Fixture.path(input.file)) { path in
    func read(_ calls: FaultyCalls) throws -> [[UInt8]?] {
      let opened = try ByteStore.open(.path(path), key: key, prefersPages: input.prefersPages, calls: calls)
      let pages = try (0..<(opened.store.count + 4095) / 4096).map { index -> [UInt8]? in
        let start = index * 4096
        do {
          return try opened.store.copy(at: UInt64(start), length: min(4096, opened.store.count - start))
        } catch StorageError.corrupted(let corruption) where corruption.reason == .unreadablePage(index: index) {
          return nil
        }
      }
      _ = try opened.currentState()
      return pages
    }
    let expected = try read(FaultyCalls(fault, atCall: 0))
    var failures = 0
    for call in 1... {
      let calls = FaultyCalls(fault, atCall: call)
      do {
        #expect(try read(calls) == expected, "call \(call)")
      } catch let error as StorageError {
        #expect(fault == .inputOutputError || fault == .earlyEnd, "call \(call): \(error)")
        failures += 1
      }
      #expect(calls.openDescriptors == 0, "call \(call)")
      if calls.made < call { break }
    }
    // At the minimum, the file has to be examined and opened, and its head has to be read.
    #expect(failures >= (fault == .inputOutputError ? 4 : 0))
  }
}

@Test(
  arguments: [
    (ENOENT, .missing), (ENOTDIR, .missing), (EACCES, .permissionDenied), (EPERM, .notPermitted),
    (EISDIR, .isDirectory), (EIO, .systemCall(name: "open", errorNumber: EIO)),
    (ELOOP, .systemCall(name: "open", errorNumber: ELOOP)),
  ] as [(Int32, FileProblem)])
func `what the system says becomes a fact of the catalog`(number: Int32, problem: FileProblem) {
  #expect(SystemCallError(name: "open", number: number).problem == problem)
}

@Test func `a read that fails once is made again for the page that is needed`() throws {
  try leavingUntouched(Fixture.path("engine/all-types.realm")) { path in
    let bytes = try Fixture.bytes("engine/all-types.realm")
    // stat, open, fstat and the head come before.
    let calls = FaultyCalls(.inputOutputError, atCall: 5)
    let opened = try ByteStore.open(
      .path(path), key: nil, prefersPages: true, calls: calls)
    #expect(try opened.store.copy(at: 65536, length: 8) == Array(bytes[65536..<65544]))
    #expect(calls.made == 6)
  }
}

@Test func `a disk that keeps failing is an error of the node that lies there`() throws {
  let source = PlainPages(BrokenInput(size: 8192))
  let cache = try PageCache(source)
  let store = ByteStore(base: cache.base, count: cache.count, pages: cache) {}
  #expect(throws: StorageError.corrupted(Ref(4104), .readFailed(errorNumber: EIO))) {
    try store.copy(at: 4104, length: 8)
  }
  #expect(store.problem(ofPage: 1) == .readFailed(errorNumber: EIO))
  #expect(store.residentPages == 0)
}

private final class BrokenInput: InputBytes {
  let size: UInt64
  init(size: UInt64) { self.size = size }
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemCallError) -> Int {
    throw SystemCallError(name: "pread", number: EIO)
  }
}

@Test func `data that ends earlier than the file is an error`() throws {
  try leavingUntouched(Fixture.path("engine/dogs.realm")) { path in
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 8)
    defer { room.deallocate() }
    let input = try SequentialInput(path, calls: FaultyCalls(.earlyEnd, atCall: 2))
    #expect(try input.read(into: room) == 512)
    #expect(throws: StorageError.file(.systemCall(name: "pread", errorNumber: EIO))) { try input.read(into: room) }
  }
}
