import TestSupport
import Testing

@testable import RealmStorage
@testable import RealmSystem

/// Three pages: 0 and 1 are sound, and the test decides what happens to page 2.
private func threePages() throws -> EncryptedImage {
  var plaintext = try Fixture.bytes("engine/dogs.realm")
  plaintext += [UInt8](repeating: 1, count: 4096) + [UInt8](repeating: 2, count: 4096)
  return try EncryptedImage(plaintext, key: try .engine)
}

private let damages: [(name: String, problem: PageProblem, damage: @Sendable (inout EncryptedImage) throws -> Void)] = [
  ("never written", .neverWritten, { $0.eraseEntry(ofPage: 2) }),
  ("cut off in the middle", .beyondEndOfFile, { $0.truncate(to: 3 * 4096 + 100) }),
  (
    "first write interrupted", .firstWriteInterrupted,
    { $0.replaceData(ofPage: 2, with: [UInt8](repeating: 0, count: 4096)) }
  ),
  (
    "damaged after two writes", .authenticationFailed,
    {
      try $0.write([UInt8](repeating: 3, count: 4096), toPage: 2)
      var data = $0.data(ofPage: 2)
      data[4095] ^= 1
      $0.replaceData(ofPage: 2, with: data)
    }
  ),
]

@Test(arguments: damages)
func `a damaged page is an error only for who needs it`(
  name: String, problem: PageProblem, damage: @Sendable (inout EncryptedImage) throws -> Void
) throws {
  var image = try threePages()
  try damage(&image)
  let opened = try ByteStore.openMemory(.of(image.bytes), .standardInput, try .engine)
  let pages = opened.store.allPages()
  #expect(pages.count == 3)
  #expect(pages[0] != nil && pages[1] == [UInt8](repeating: 1, count: 4096) && pages[2] == nil)
  #expect(opened.store.problem(ofPage: 2) == problem)
  #expect(opened.store.problem(ofPage: 1) == nil)
  let expected = StorageError.corrupted(Ref(8200), .unreadablePage(index: 2))
  #expect(throws: expected) { try opened.store.copy(at: 8200, length: 8) }
  #expect(throws: StorageError.corrupted(Ref(8000), .unreadablePage(index: 2))) {
    try opened.store.copy(at: 8000, length: 400)
  }
}

@Test func `an interrupted write leaves the data of the write before`() throws {
  var image = try threePages()
  try image.writeEntryOnly([UInt8](repeating: 9, count: 4096), toPage: 2)
  let opened = try ByteStore.openMemory(.of(image.bytes), .standardInput, try .engine)
  #expect(opened.store.allPages()[2] == [UInt8](repeating: 2, count: 4096))
}

@Test func `an interrupted write of page 0 leaves the header before`() throws {
  var image = try threePages()
  try image.writeEntryOnly([UInt8](repeating: 9, count: 4096), toPage: 0)
  let opened = try ByteStore.openMemory(.of(image.bytes), .standardInput, try .engine)
  #expect(try opened.currentState().prefix(24) == Fixture.bytes("engine/dogs.realm").prefix(24))
}

@Test func `a page of a file that was cut and grew again is zeros`() throws {
  var image = try threePages()
  try image.write([UInt8](repeating: 3, count: 4096), toPage: 2)
  image.replaceData(ofPage: 2, with: [UInt8](repeating: 0, count: 4096))
  let opened = try ByteStore.openMemory(.of(image.bytes), .standardInput, try .engine)
  #expect(opened.store.allPages()[2] == [UInt8](repeating: 0, count: 4096))
}

@Test func `data of one page does not pass for another`() throws {
  var image = try threePages()
  image.replaceData(ofPage: 2, with: image.data(ofPage: 1))
  let opened = try ByteStore.openMemory(.of(image.bytes), .standardInput, try .engine)
  #expect(opened.store.problem(ofPage: 2) == .firstWriteInterrupted)
}

@Test func `bytes behind the last page do not matter`() throws {
  let image = try threePages()
  let bytes = image.bytes + [UInt8](repeating: 0, count: 8)
  let opened = try ByteStore.openMemory(.of(bytes), .standardInput, try .engine)
  #expect(opened.store.count == 4 * 4096)
  #expect(opened.store.allPages().map { $0 != nil } == [true, true, true, false])
}

// MARK: A writer at work

/// An input that shows another state each time a page's data is read.
private final class ChangingInput: InputBytes, @unchecked Sendable {
  let states: [[UInt8]]
  var reads = 0
  var size: UInt64 { UInt64(states[0].count) }

  init(_ states: [[UInt8]]) { self.states = states }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemCallError) -> Int {
    // Entries and data of one attempt come in two calls.
    let state = states[min(reads / 2, states.count - 1)]
    reads += 1
    let rest = state.dropFirst(Int(offset)).prefix(buffer.count)
    buffer.copyBytes(from: rest)
    return rest.count
  }
}

private func readPage2(_ states: [[UInt8]], mayBeWritten: Bool) throws -> (problem: PageProblem?, attempts: Int) {
  let input = ChangingInput(states)
  let retry = EncryptedPages.RetryPolicy(mayBeWritten: { mayBeWritten }, pause: { _ in })
  let cache = try PageCache(EncryptedPages(input, key: try .engine, retry: retry))
  return (cache.problem(ofPage: 2), input.reads / 2)
}

@Test func `a page read in the middle of a write is read again`() throws {
  let sound = try threePages()
  var torn = sound
  torn.replaceData(ofPage: 2, with: [UInt8](repeating: 5, count: 4096))
  #expect(try readPage2([torn.bytes, torn.bytes, torn.bytes, sound.bytes], mayBeWritten: true) == (nil, 4))
  #expect(try readPage2([torn.bytes, sound.bytes], mayBeWritten: false) == (nil, 2))
}

@Test func `a page that stays damaged is given up`() throws {
  var torn = try threePages()
  torn.replaceData(ofPage: 2, with: [UInt8](repeating: 5, count: 4096))
  #expect(try readPage2([torn.bytes], mayBeWritten: false) == (.firstWriteInterrupted, 2))
  #expect(try readPage2([torn.bytes], mayBeWritten: true) == (.firstWriteInterrupted, 6))
}

@Test func `a page that keeps changing is tried longer, but not for ever`() throws {
  let states = try (0..<40).map { number in
    var torn = try threePages()
    torn.replaceData(ofPage: 2, with: [UInt8](repeating: UInt8(number), count: 4096))
    return torn.bytes
  }
  #expect(try readPage2(states, mayBeWritten: true) == (.firstWriteInterrupted, 20))
}
