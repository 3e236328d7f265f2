import Libc
import RealmStorage

/// One pass over all pages of a file that may be damaged: finds which pages cannot be read, which have only zeros, and
/// whether the others contain anything of a realm.
struct PageSurvey {
  /// Pages that cannot be read or fail their authentication, those that were never written among them.
  private(set) var failed: LostPages
  /// Pages of zeros: free space, or a part of the file that was wiped.
  private(set) var zeroed: LostPages
  /// Failed pages with what is wrong with each, the first of them; without those that were never written.
  private(set) var problems: [(page: Int, problem: PageProblem)] = []
  /// As many as there are.
  private(set) var problemCount = 0
  /// Pages that can be read and contain something.
  private(set) var readableCount = 0
  /// Whether something looks like a node.
  private(set) var hasNodes = false

  private static let mostProblems = 1000

  /// - Throws: `StorageError.file` when memory is short.
  init(_ source: any PageSource) throws {
    let pageCount = (source.count + PageCache.pageSize - 1) >> PageCache.pageShift
    failed = LostPages(pageCount: pageCount)
    zeroed = LostPages(pageCount: pageCount)
    let worker: any PageWorker
    do throws(PageFailure) { worker = try source.makeWorker() } catch {
      throw StorageError.file(.systemCall(name: "malloc", errorNumber: ENOMEM))
    }
    let size = PageCache.pagesPerGroup << PageCache.pageShift
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: PageCache.pageSize)
    defer { buffer.deallocate() }
    for first in stride(from: 0, to: pageCount, by: PageCache.pagesPerGroup) {
      buffer.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      let run = first..<min(first + PageCache.pagesPerGroup, pageCount)
      let success = worker.readRun(run, into: buffer)
      for index in 0..<run.count {
        let address = buffer + index << PageCache.pageShift
        if success >> UInt64(index) & 1 != 0 {
          look(at: address, first + index)
        } else {
          fail(first + index, worker, address)
        }
      }
    }
  }

  private mutating func look(at bytes: UnsafeRawPointer, _ page: Int) {
    var bits: UInt64 = 0
    for position in stride(from: 0, to: PageCache.pageSize, by: 8) {
      let word = bytes.load(fromByteOffset: position, as: UInt64.self)
      bits |= word
      if UInt32(truncatingIfNeeded: UInt64(littleEndian: word)) == NodeHeader.signature { hasNodes = true }
    }
    if bits == 0 { zeroed.insert(page) } else { readableCount += 1 }
  }

  private mutating func fail(_ page: Int, _ worker: any PageWorker, _ room: UnsafeMutableRawPointer) {
    do throws(PageFailure) {
      try worker.read(page, into: room)
      look(at: room, page)
    } catch {
      failed.insert(page)
      guard error.problem != .neverWritten else { return }
      problemCount += 1
      if problems.count < Self.mostProblems { problems.append((page, error.problem)) }
    }
  }
}
