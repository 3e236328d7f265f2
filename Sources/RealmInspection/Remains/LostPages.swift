import RealmStorage
import RealmSystem

/// Pages of a file whose bytes cannot be trusted: they could not be read, failed their authentication, or were zeroed.
struct LostPages: Sendable {
  private var words: [UInt64]
  /// How many there are.
  private(set) var count = 0

  init(pageCount: Int) { words = Array(repeating: 0, count: pageCount / 64 + 1) }

  mutating func insert(_ page: Int) {
    guard page >= 0, page >> 6 < words.count, !contains(page) else { return }
    words[page >> 6] |= 1 << UInt64(page & 63)
    count += 1
  }

  mutating func formUnion(_ other: LostPages) {
    for index in words.indices where index < other.words.count { words[index] |= other.words[index] }
    count = words.reduce(0) { $0 + $1.nonzeroBitCount }
  }

  func contains(_ page: Int) -> Bool {
    page >= 0 && page >> 6 < words.count && words[page >> 6] >> UInt64(page & 63) & 1 != 0
  }

  /// Whether one of the bytes lies in such a page.
  func overlaps(_ offset: UInt64, length: Int) -> Bool {
    guard count > 0, length > 0, offset < UInt64(words.count) << UInt64(PageCache.pageShift + 6) else { return false }
    let first = Int(offset >> UInt64(PageCache.pageShift))
    let last = Int(clamping: (offset &+ UInt64(length) &- 1) >> UInt64(PageCache.pageShift))
    return first <= last && (first...min(last, words.count << 6)).contains(where: contains)
  }
}

/// Heads of nodes that were found out, and what else of lost pages was.
final class FoundHeads: Sendable {
  private let heads = Locked<[Int: [(offset: Int, word: UInt64)]]>([:])

  /// Adds words by place, where `place % 8 == 0`.
  func add(_ words: [UInt64: UInt64]) {
    heads.withLock { heads in
      for (place, word) in words {
        let (page, offset) = (Int(place) >> PageCache.pageShift, Int(place) & (PageCache.pageSize - 1))
        heads[page, default: []].append((offset, word))
      }
    }
  }

  /// Removes the last word that was put at a place.
  func remove(at place: UInt64) {
    let (page, offset) = (Int(place) >> PageCache.pageShift, Int(place) & (PageCache.pageSize - 1))
    heads.withLock { heads in
      if let index = heads[page]?.lastIndex(where: { $0.offset == offset }) { heads[page]?.remove(at: index) }
      if heads[page]?.isEmpty == true { heads[page] = nil }
    }
  }

  var isEmpty: Bool { heads.withLock(\.isEmpty) }

  func contains(_ ref: Ref) -> Bool {
    let (page, offset) = (Int(ref.rawValue) >> PageCache.pageShift, Int(ref.rawValue) & (PageCache.pageSize - 1))
    return heads.withLock { $0[page]?.contains { $0.offset == offset } ?? false }
  }

  func write(to address: UnsafeMutableRawPointer, page: Int) {
    for (offset, word) in heads.withLock({ $0[page] ?? [] }) {
      address.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
    }
  }
}

/// The first page that could be read at first, but no longer can.
final class LatePageFailure: Sendable {
  private let failure = Locked<(page: Int, problem: PageProblem)?>(nil)

  var first: (page: Int, problem: PageProblem)? { failure.withLock(\.self) }

  func note(_ page: Int, _ problem: PageProblem) {
    failure.withLock { if $0 == nil { $0 = (page, problem) } }
  }
}

/// The pages of another source, with those that are lost filled with one byte: no page fails.
///
/// A page that was not lost but can no longer be read when it is requested again is filled as well, and noted: what is
/// read from it means nothing.
struct FilledPages: PageSource {
  let base: any PageSource
  let lost: LostPages
  let fill: UInt8
  let heads: FoundHeads
  let lateFailure: LatePageFailure

  var count: Int { base.count }

  func makeWorker() throws(PageFailure) -> any PageWorker {
    Worker(base: try base.makeWorker(), pages: self)
  }

  private final class Worker: PageWorker {
    private let base: any PageWorker
    private let pages: FilledPages

    init(base: any PageWorker, pages: FilledPages) { (self.base, self.pages) = (base, pages) }

    func readRun(_ run: Range<Int>, into target: UnsafeMutableRawPointer) -> UInt64 {
      let success = base.readRun(run, into: target)
      for index in 0..<run.count {
        let (number, page) = (run.lowerBound + index, target + index << PageCache.pageShift)
        let isLost = pages.lost.contains(number)
        guard isLost || success >> UInt64(index) & 1 == 0, isLost || !readsAgain(number, into: page) else { continue }
        page.initializeMemory(as: UInt8.self, repeating: pages.fill, count: PageCache.pageSize)
      }
      guard !pages.heads.isEmpty else { return .max }
      for index in 0..<run.count {
        pages.heads.write(to: target + index << PageCache.pageShift, page: run.lowerBound + index)
      }
      return .max
    }

    private func readsAgain(_ number: Int, into page: UnsafeMutableRawPointer) -> Bool {
      do throws(PageFailure) {
        try base.read(number, into: page)
        return true
      } catch {
        pages.lateFailure.note(number, error.problem)
        return false
      }
    }

    func read(_ page: Int, into target: UnsafeMutableRawPointer) throws(PageFailure) {
      _ = readRun(page..<page + 1, into: target)
    }
  }
}
