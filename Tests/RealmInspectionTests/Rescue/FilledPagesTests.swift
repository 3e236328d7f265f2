import RealmSystem
import TestSupport
import Testing

@testable import RealmInspection
@testable import RealmStorage

/// Pages of a disk that fails while a damaged realm is read.
@Suite struct FilledPagesTests {
  @Test(arguments: [(failures: 0, isNoted: false), (1, false), (2, true)])
  func `a page that fails is asked for again, and noted where it fails again`(_ failures: Int, _ isNoted: Bool) throws {
    let late = LatePageFailure()
    let base = FailingPages(failing: 5, times: failures)
    let pages = FilledPages(
      base: base, lost: LostPages(pageCount: 8), fill: 0xff, heads: FoundHeads(), lateFailure: late)
    #expect(try Self.words(of: pages) == [0, 1, 2, 3, 4, isNoted ? .max : 5, 6, 7])
    #expect(late.first?.page == (isNoted ? 5 : nil))
  }

  @Test func `a page that is known to be lost is not asked for again`() throws {
    let late = LatePageFailure()
    var lost = LostPages(pageCount: 8)
    lost.insert(5)
    let base = FailingPages(failing: 5, times: .max)
    let pages = FilledPages(base: base, lost: lost, fill: 0xff, heads: FoundHeads(), lateFailure: late)
    #expect(try Self.words(of: pages) == [0, 1, 2, 3, 4, .max, 6, 7])
    #expect(late.first == nil && base.singleReads == 0)
  }

  /// The first word of each page.
  private static func words(of pages: FilledPages) throws -> [UInt32] {
    let size = pages.count * PageCache.pageSize
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: PageCache.pageSize)
    defer { buffer.deallocate() }
    buffer.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    #expect(try pages.makeWorker().readRun(0..<pages.count, into: buffer) == .max)
    return (0..<pages.count).map { buffer.load(fromByteOffset: $0 * PageCache.pageSize, as: UInt32.self) }
  }
}

/// Numbered pages of which one fails a number of times.
private final class FailingPages: PageSource, PageWorker {
  let count = 8
  private let pages = NumberedPages(count: 8)
  private let page: Int
  private let failures: Locked<(left: Int, singleReads: Int)>

  init(failing page: Int, times: Int) {
    self.page = page
    failures = Locked((times, 0))
  }

  var singleReads: Int { failures.withLock(\.singleReads) }

  func makeWorker() throws(PageFailure) -> any PageWorker { self }

  func readRun(_ run: Range<Int>, into target: UnsafeMutableRawPointer) -> UInt64 {
    let success = pages.readRun(run, into: target)
    guard run.contains(page), fails() else { return success }
    return success & ~(1 << UInt64(page - run.lowerBound))
  }

  func read(_ number: Int, into target: UnsafeMutableRawPointer) throws(PageFailure) {
    failures.withLock { $0.singleReads += 1 }
    guard number != page || !fails() else { throw PageFailure(page: number, problem: .readFailed(errorNumber: 5)) }
    try pages.read(number, into: target)
  }

  private func fails() -> Bool {
    failures.withLock { failures in
      guard failures.left > 0 else { return false }
      failures.left -= 1
      return true
    }
  }
}
