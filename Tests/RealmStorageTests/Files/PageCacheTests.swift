import Foundation
import TestSupport
import Testing

@testable import RealmStorage

private func store(_ source: NumberedPages) throws -> ByteStore {
  let cache = try PageCache(source)
  return ByteStore(base: cache.base, count: cache.count, pages: cache) {}
}

private func number(at offset: Int, in store: ByteStore) throws -> UInt32 {
  try store.bytes(at: UInt64(offset), length: 4).load(as: UInt32.self)
}

@Test func `a page is read when it is first touched, and once`() throws {
  let source = NumberedPages(count: 100 * 4096)
  let store = try store(source)
  #expect(store.residentPages == 0)
  for _ in 0..<3 { #expect(try number(at: 50 * 4096 + 8, in: store) == 50) }
  #expect(source.runs.withLock { $0 } == [50..<51])
  #expect(store.residentPages == 1)
  #expect(store.residentBytes == 4096)
}

@Test func `who goes on to the next page gets the rest of its group`() throws {
  let source = NumberedPages(count: 100 * 4096)
  let store = try store(source)
  for page in 20..<50 { #expect(try number(at: page * 4096, in: store) == UInt32(page)) }
  #expect(source.runs.withLock { $0 } == [20..<21, 21..<32, 32..<48, 48..<64])
}

@Test func `bytes over several pages are in one piece`() throws {
  let source = NumberedPages(count: 100 * 4096)
  let store = try store(source)
  _ = try number(at: 18 * 4096, in: store)
  let bytes = try store.bytes(at: 14 * 4096 + 2048, length: 6 * 4096)
  #expect(
    (0..<6).map { bytes.load(fromByteOffset: 2048 + $0 * 4096 - 4, as: UInt32.self) } == [14, 15, 16, 17, 18, 19])
  // Page 18 was there and is left alone.
  #expect(source.runs.withLock { $0 } == [18..<19, 14..<16, 16..<18, 19..<32])
}

@Test func `the last page may be short`() throws {
  let store = try store(NumberedPages(count: 3 * 4096 + 100))
  #expect(try store.copy(at: 3 * 4096 + 96, length: 4) == [3, 0, 0, 0])
  #expect(try store.copy(at: UInt64(store.count), length: 0) == [])
  for (offset, length) in [(3 * 4096 + 97, 4), (3 * 4096 + 101, 0), (0, -1), (Int.max, 1)] {
    #expect(throws: StorageError.corrupted(Ref(UInt64(offset)), .beyondEndOfFile)) {
      try store.copy(at: UInt64(offset), length: length)
    }
  }
  #expect(throws: StorageError.corrupted(Ref(.max), .beyondEndOfFile)) { try store.copy(at: .max, length: 1) }
}

@Test func `released pages are read again`() throws {
  let source = NumberedPages(count: 100 * 4096)
  let store = try store(source)
  for round in 1...3 {
    #expect(try number(at: 7 * 4096, in: store) == 7)
    #expect(source.runs.withLock { $0.count } == round)
    store.releasePages()
    #expect(store.residentPages == 0)
  }
}

@Test func `memory stays within the budget of who releases`() throws {
  let source = NumberedPages(count: 2 * ByteStore.residentByteBudget)
  let store = try store(source)
  var peak = 0
  for page in 0..<source.count / 4096 {
    #expect(try number(at: page * 4096, in: store) == UInt32(page))
    peak = max(peak, store.residentBytes)
    if store.residentBytes >= ByteStore.residentByteBudget { store.releasePages() }
  }
  // A group may go beyond it, no more.
  #expect(peak < ByteStore.residentByteBudget + 16 * 4096)
}

@Test func `threads may touch the same pages at the same time`() async throws {
  let source = NumberedPages(count: 2000 * 4096)
  let store = try store(source)
  await withTaskGroup(of: Int.self) { group in
    for start in 0..<8 {
      group.addTask {
        (0..<2000).count { step in
          let page = (start * 250 + step * (start % 2 == 0 ? 1 : 7)) % 2000
          return (try? number(at: page * 4096 + 4092, in: store)) != UInt32(page)
        }
      }
    }
    for await wrong in group { #expect(wrong == 0) }
  }
  #expect(store.residentPages == 2000)
  // Nothing was read twice: that would have overwritten bytes in use.
  let pages = source.runs.withLock { $0.flatMap(Array.init) }
  #expect(pages.count == 2000 && Set(pages).count == 2000)
}

@Test func `threads may decrypt at the same time`() async throws {
  let path = Fixture.path("engine/all-types-encrypted.realm")
  let before = try FileState(path)
  let expected = try ByteStore.open(.path(path), key: try .engine).store.allPages()
  let store = try ByteStore.open(.path(path), key: try .engine).store
  await withTaskGroup(of: Bool.self) { group in
    for _ in 0..<4 { group.addTask { store.allPages() == expected } }
    for await isSame in group { #expect(isSame) }
  }
  #expect(try FileState(path) == before)
}

@Test func `a size that no address space holds is an error`() {
  for count in [Int.max, 1 << 56, 1 << 55] {
    #expect(throws: StorageError.file(.systemCall(name: "mmap", errorNumber: ENOMEM))) {
      try PageCache(NumberedPages(count: count))
    }
  }
}

@Test func `a file that shrinks under a paged store is an error`() throws {
  let folder = try TemporaryFolder()
  let path = try folder.write("a.realm", try Fixture.bytes("engine/all-types-copy.realm"))
  let store = try ByteStore.open(.path(path), key: nil, prefersPages: true).store
  #expect(truncate(path, 8192) == 0)
  #expect(try store.copy(at: 4096, length: 4096).count == 4096)
  #expect(throws: StorageError.corrupted(Ref(8192), .beyondEndOfFile)) { try store.copy(at: 8192, length: 8) }
  #expect(store.problem(ofPage: 2) == .beyondEndOfFile)
}
