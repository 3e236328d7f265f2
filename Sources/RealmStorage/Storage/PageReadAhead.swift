/// Reads, and decrypts, the pages that a walk is likely to touch next, on threads of its own.
///
/// Nodes that follow each other in a tree mostly follow each other in the file, so pages are read ahead in the order of
/// the file: few after a jump, more the longer the walk goes straight on. Used by one thread, which walks; nothing may
/// release pages but `releasePages`.
final class PageReadAhead {
  /// What the threads share. They keep it alive; the object that ends them is another one, which nobody but its user
  /// holds.
  fileprivate final class Work: @unchecked Sendable {
    let pages: PageCache
    let monitor = Monitor()
    // All below is guarded by `monitor`.
    /// The blocks that are to be read: from `next` on, `end` left out.
    var next = 0
    var end = 0
    var active = 0
    var isClosed = false

    init(_ pages: PageCache) { self.pages = pages }
  }

  private let work: Work
  private let blockCount: Int
  private var threads: [WorkerThread] = []
  /// The block of pages where the walk is.
  private var current = -1

  /// 256 KiB, which take some 300 microseconds to decrypt: much more than waking a thread takes.
  fileprivate static let pagesPerBlock = 64
  private static let blockShift = UInt64(PageCache.pageShift + 6)
  /// Two threads decrypt faster than one walks.
  private static let mostThreads = 2
  /// Blocks that are read ahead after a jump, and at most: 256 KiB and 2 MiB.
  private static let smallestWindow = 1
  private static let largestWindow = 8

  /// Nil where the store's bytes need no reading ahead, or there are no threads for it.
  init?(_ store: ByteStore, threadLimit: Int) {
    guard let pages = store.pages, threadLimit > 0 else { return nil }
    blockCount = (pages.pageCount + Self.pagesPerBlock - 1) / Self.pagesPerBlock
    let work = Work(pages)
    self.work = work
    for _ in 0..<min(threadLimit, Self.mostThreads) {
      guard let thread = WorkerThread({ work.run() }) else { break }
      threads.append(thread)
    }
  }

  deinit {
    work.monitor.change { work.isClosed = true }
    for thread in threads { thread.join() }
  }

  /// The block a ref lies in. A walk calls `move` when it changes.
  @inline(__always)
  static func block(of ref: Ref) -> Int { Int(truncatingIfNeeded: ref.rawValue >> blockShift) }

  /// Tells where the walk is.
  func move(to block: Int) {
    let goesOn = block == current + 1
    current = block
    guard block >= 0, block < blockCount else { return }
    work.monitor.change {
      if goesOn {
        let window = min(max(work.end - block, Self.smallestWindow) * 2, Self.largestWindow)
        work.next = max(work.next, block + 1)
        work.end = max(work.end, min(work.next + window, block + 1 + Self.largestWindow, blockCount))
      } else if block < work.next - 2 * Self.largestWindow || block >= work.next {
        work.next = block + 1
        work.end = min(work.next + Self.smallestWindow, blockCount)
      }
    }
  }

  /// Runs `release`, which may give pages back, while no page is being read ahead.
  func releasePages(_ release: () throws -> Void) rethrows {
    work.monitor.use { work.end = work.next }
    try work.monitor.wait(until: { work.active == 0 }) { try release() }
  }
}

extension PageReadAhead.Work {
  /// What a thread does.
  func run() {
    while let block = takeBlock() {
      let first = block * PageReadAhead.pagesPerBlock
      // What fails now is read again, and reported, when it is needed.
      try? pages.fill(first..<min(first + PageReadAhead.pagesPerBlock, pages.pageCount))
      monitor.change { active -= 1 }
    }
  }

  private func takeBlock() -> Int? {
    monitor.wait(until: { next < end || isClosed }) {
      guard !isClosed else { return nil }
      defer { next += 1 }
      active += 1
      return next
    }
  }
}
