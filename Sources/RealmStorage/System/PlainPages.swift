/// Pages of a plain file, read by position instead of mapped.
struct PlainPages: PageSource {
  let input: any InputBytes
  let count: Int

  init(_ input: any InputBytes) {
    self.input = input
    count = Int(clamping: input.size)
  }

  func makeWorker() throws(PageFailure) -> any PageWorker { Worker(pages: self) }

  private final class Worker: PageWorker {
    private let pages: PlainPages

    init(pages: PlainPages) { self.pages = pages }

    func readRun(_ run: Range<Int>, into target: UnsafeMutableRawPointer) -> UInt64 {
      let buffer = UnsafeMutableRawBufferPointer(start: target, count: length(of: run))
      guard let read = try? pages.input.read(into: buffer, at: UInt64(run.lowerBound << PageCache.pageShift)) else {
        return 0
      }
      let complete = read == buffer.count ? run.count : read >> PageCache.pageShift
      return 1 << UInt64(complete) &- 1
    }

    func read(_ page: Int, into target: UnsafeMutableRawPointer) throws(PageFailure) {
      let buffer = UnsafeMutableRawBufferPointer(start: target, count: length(of: page..<page + 1))
      let read: Int
      do throws(SystemCallError) {
        read = try pages.input.read(into: buffer, at: UInt64(page << PageCache.pageShift))
      } catch {
        throw PageFailure(page: page, problem: .readFailed(errorNumber: error.number))
      }
      guard read == buffer.count else { throw PageFailure(page: page, problem: .beyondEndOfFile, isEncrypted: false) }
    }

    /// Bytes of a run; the last page of a plain file may be short.
    private func length(of run: Range<Int>) -> Int {
      min(run.upperBound << PageCache.pageShift, pages.count) - run.lowerBound << PageCache.pageShift
    }
  }
}
