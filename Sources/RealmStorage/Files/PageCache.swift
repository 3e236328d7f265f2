import CSystem
import Libc
import RealmSystem

/// Plaintext pages that are read when they are first touched.
///
/// The addresses of all pages are reserved at once, so that a page, once read, is at its final place and a node that
/// spans pages is contiguous. A page is accessed through `require`, which costs one load if it is present.
///
/// Threads may require pages at the same time. Groups of 16 neighboring pages share a lock and a worker (with its
/// cipher), groups far apart are read in parallel.
package final class PageCache: @unchecked Sendable {
  package static let pageSize = 4096
  package static let pageShift = 12
  /// Pages that are read at most at once. Such a group never crosses a block of encrypted pages, which has 64.
  package static let pagesPerGroup = 16

  /// Address of plaintext byte 0.
  package let base: UnsafeMutableRawPointer
  /// Plaintext bytes.
  package let count: Int
  private let source: any PageSource
  let pageCount: Int
  private let space: AddressSpace
  private let presenceSpace: AddressSpace
  /// One byte per page: 1 if the page is present. Stored after the page's bytes, so that seeing it means seeing them.
  private let presence: UnsafeMutablePointer<UInt8>
  /// Log2 of the bytes made writable together.
  private let sectionShift: Int
  private let writableSections: AddressSpace
  private let sections: UnsafeMutablePointer<UInt8>
  private let stripes: [Stripe]
  private let resident = AtomicInt(0)
  private let readings = AtomicInt(0)

  /// - Throws: `StorageError.file` if the address space is limited too narrowly.
  package init(_ source: any PageSource) throws {
    self.source = source
    count = source.count
    // No machine has so many addresses; below, sizes can be rounded up without overflow.
    guard count >= 0, count < 1 << 56 else { throw StorageError.file(.systemCall(name: "mmap", errorNumber: ENOMEM)) }
    pageCount = (source.count + Self.pageSize - 1) >> Self.pageShift
    space = try Self.reserved(pageCount << Self.pageShift)
    base = space.base
    (presenceSpace, presence) = try Self.flags(count: pageCount)
    // At most some 8,000 sections, each a possible split of the kernel's list of mappings.
    var shift = 20
    while source.count >> shift > 8192 { shift += 1 }
    sectionShift = shift
    (writableSections, sections) = try Self.flags(count: (source.count >> shift) + 1)
    stripes = (0..<8).map { _ in Stripe() }
  }

  private static func reserved(_ count: Int) throws(StorageError) -> AddressSpace {
    do { return try AddressSpace(count: count) } catch { throw StorageError(error) }
  }

  /// Flags that take memory only when they are set.
  private static func flags(count: Int) throws -> (AddressSpace, UnsafeMutablePointer<UInt8>) {
    let space = try reserved(count)
    let failure = space.makeWritable(0..<max(count, 1))
    guard failure == 0 else { throw StorageError.file(.systemCall(name: "mprotect", errorNumber: failure)) }
    return (space, space.base.bindMemory(to: UInt8.self, capacity: count))
  }

  // MARK: Touching pages

  /// Makes a range present. The caller has proved that it lies inside `count`.
  ///
  /// - Throws: `unreadablePage`, `readFailed`.
  @inline(__always)
  func require(from offset: Int, length: Int) throws {
    var page = offset &>> Self.pageShift
    let last = (offset &+ length &- 1) &>> Self.pageShift
    while page <= last {
      if csystem_flag_load(presence + page) == 0 { return try fill(page, through: last, for: offset) }
      page &+= 1
    }
  }

  @inline(never)
  private func fill(_ first: Int, through last: Int, for offset: Int) throws {
    do throws(PageFailure) {
      try fill(first..<last + 1)
    } catch {
      throw StorageError.corrupted(Ref(UInt64(offset)), error.reason)
    }
  }

  /// Makes pages present. The caller has proved that they exist.
  func fill(_ pages: Range<Int>) throws(PageFailure) {
    var page = pages.lowerBound
    while page < pages.upperBound {
      let groupEnd = min((page | (Self.pagesPerGroup - 1)) + 1, pageCount)
      let needed = page..<min(pages.upperBound, groupEnd)
      // A reader that comes from the previous page is likely to continue: read to the end of the group.
      let isSequential = page > 0 && isPresent(page - 1)
      try fillGroup(needed, ahead: isSequential ? groupEnd : needed.upperBound)
      page = needed.upperBound
    }
  }

  /// Pages of one group. Pages read ahead may fail without consequence: they are read again if they are needed.
  private func fillGroup(_ needed: Range<Int>, ahead end: Int) throws(PageFailure) {
    let stripe = stripes[(needed.lowerBound / Self.pagesPerGroup) & (stripes.count - 1)]
    let failure = stripe.worker.withLock { worker -> PageFailure? in
      do throws(PageFailure) {
        try makeWritable(needed.lowerBound..<end)
        let worker = try Self.existing(&worker, source)
        readAbsent(needed.lowerBound..<end, worker)
        for page in needed where !isPresent(page) {
          try worker.read(page, into: address(of: page))
          markPresent(page)
        }
        return nil
      } catch {
        readings.add(1)
        return error
      }
    }
    if let failure { throw failure }
  }

  private static func existing(_ worker: inout (any PageWorker)?, _ source: any PageSource) throws(PageFailure)
    -> any PageWorker
  {
    if let worker { return worker }
    let created = try source.makeWorker()
    worker = created
    return created
  }

  /// Reads each run of absent pages with one call. Present pages are left alone: others may be reading them.
  private func readAbsent(_ pages: Range<Int>, _ worker: any PageWorker) {
    var page = pages.lowerBound
    while page < pages.upperBound {
      var end = page
      while end < pages.upperBound, !isPresent(end) { end += 1 }
      if end > page {
        let success = worker.readRun(page..<end, into: address(of: page))
        for index in page..<end where success & 1 << UInt64(index - page) != 0 { markPresent(index) }
      }
      page = end + 1
    }
  }

  private func makeWritable(_ pages: Range<Int>) throws(PageFailure) {
    let section = (pages.lowerBound << Self.pageShift) >> sectionShift
    guard csystem_flag_load(sections + section) == 0 else { return }
    let start = section << sectionShift
    let failure = space.makeWritable(start..<start + 1 << sectionShift)
    guard failure == 0 else { throw PageFailure(page: pages.lowerBound, problem: .readFailed(errorNumber: failure)) }
    csystem_flag_store(sections + section, 1)
  }

  private func isPresent(_ page: Int) -> Bool { csystem_flag_load(presence + page) != 0 }

  private func markPresent(_ page: Int) {
    // Whoever sees the page also sees that it has been counted.
    readings.add(1)
    csystem_flag_store(presence + page, 1)
    resident.add(1)
  }

  private func address(of page: Int) -> UnsafeMutableRawPointer { base + page << Self.pageShift }

  // MARK: Memory

  /// Pages in memory.
  var residentPages: Int { resident.value }

  /// Pages that have ever been read or could not be, those that were released counted again when they come back.
  var readCount: Int { readings.value }

  /// Drops all pages. No other thread may be using the cache, and no pointer into it stays valid.
  func releasePages() {
    // If the system refuses, the pages stay.
    guard space.reset() else { return }
    // A refusal is not reported here, and unreadable flags would end the process, so they are not mapped again.
    memset(presenceSpace.base, 0, pageCount)
    memset(writableSections.base, 0, (count >> sectionShift) + 1)
    resident.value = 0
  }

  /// What is wrong with a page, read again from the file; nil if nothing is. Pages in memory stay as they are.
  func problem(ofPage page: Int) -> PageProblem? {
    guard page >= 0, page < pageCount else { return .beyondEndOfFile }
    do throws(PageFailure) {
      let buffer = UnsafeMutableRawPointer.allocate(byteCount: Self.pageSize, alignment: Self.pageSize)
      defer { buffer.deallocate() }
      try source.makeWorker().read(page, into: buffer)
      return nil
    } catch {
      return error.problem
    }
  }
}

/// The lock and the worker of one group in eight.
private final class Stripe: Sendable {
  let worker = Locked<(any PageWorker)?>(nil)
}

/// Where a page cache gets its pages from.
package protocol PageSource: Sendable {
  /// Plaintext bytes.
  var count: Int { get }
  /// A worker for one thread at a time.
  func makeWorker() throws(PageFailure) -> any PageWorker
}

/// Reads pages, with buffers and ciphers of its own.
package protocol PageWorker: AnyObject, Sendable {
  /// Reads consecutive pages inside one group, once; failed pages are skipped.
  ///
  /// - Parameter target: room for all of them. What is left in the room of a failed page is unspecified.
  /// - Returns: bit i is set when page `pages.lowerBound + i` is there.
  func readRun(_ pages: Range<Int>, into target: UnsafeMutableRawPointer) -> UInt64

  /// Reads one page, with retries where they can help.
  func read(_ page: Int, into target: UnsafeMutableRawPointer) throws(PageFailure)
}

/// Why a page cannot be read (Docs/Format/1-container.md §7.4).
package enum PageProblem: Hashable, Sendable {
  /// Counter 0: the page was never written. Usual in free space, wrong in a node.
  case neverWritten
  /// The file ends before the page does.
  case beyondEndOfFile
  /// The page's first write did not reach the disk.
  case firstWriteInterrupted
  /// Neither of the two authentication codes fits.
  case authenticationFailed
  /// The operating system could not read it.
  case readFailed(errorNumber: Int32)
}

/// A page and what is wrong with it.
package struct PageFailure: Error {
  let page: Int
  package let problem: PageProblem
  /// Whether the file is encrypted, which messages mention.
  var isEncrypted = true

  var reason: Corruption.Reason {
    switch problem {
    case .readFailed(let number): .readFailed(errorNumber: number)
    case .beyondEndOfFile where !isEncrypted: .beyondEndOfFile
    case .neverWritten, .beyondEndOfFile, .firstWriteInterrupted, .authenticationFailed: .unreadablePage(index: page)
    }
  }
}

/// Pages of a plain file, read by position instead of mapped.
package struct PlainPages: PageSource {
  let input: any InputBytes
  package let count: Int

  package init(_ input: any InputBytes) {
    self.input = input
    count = Int(clamping: input.size)
  }

  package func makeWorker() throws(PageFailure) -> any PageWorker { Worker(pages: self) }

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
