import RealmStorage
import RealmSystem

/// Pages whose bytes are their number; records what is read.
package final class NumberedPages: PageSource, PageWorker {
  package let count: Int
  package let runs = Locked<[Range<Int>]>([])

  package init(count: Int) { self.count = count }

  package func makeWorker() throws(PageFailure) -> any PageWorker { self }

  package func readRun(_ pages: Range<Int>, into target: UnsafeMutableRawPointer) -> UInt64 {
    runs.withLock { $0.append(pages) }
    for (index, page) in pages.enumerated() { fill(page, target + index * 4096) }
    return .max
  }

  package func read(_ page: Int, into target: UnsafeMutableRawPointer) throws(PageFailure) { fill(page, target) }

  private func fill(_ page: Int, _ target: UnsafeMutableRawPointer) {
    target.assumingMemoryBound(to: UInt32.self).update(repeating: UInt32(page), count: 1024)
  }
}
