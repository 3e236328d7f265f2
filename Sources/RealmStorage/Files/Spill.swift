import RealmSystem

/// How much memory work may use for what waits to be sorted or written, and where the rest goes.
package struct SpillSettings: Sendable {
  /// Bytes.
  package var memory: Int
  /// Where files are made.
  package var folder: String
  package var calls: any OutputCalls

  package init(memory: Int = .max, folder: String = "/var/tmp", calls: any OutputCalls = SystemFileCalls()) {
    (self.memory, self.folder, self.calls) = (memory, folder, calls)
  }

  /// What apps do stays in memory, unless they say otherwise.
  @TaskLocal package static var current = SpillSettings()

  func failure(_ error: SystemCallError) -> OutputError {
    .temporary(folder: folder, name: error.name, errorNumber: error.number)
  }
}

/// Something in memory that can move to a file.
package protocol SpillMember: AnyObject {
  /// Bytes that `spill` releases.
  var spillableByteCount: Int { get }
  /// Moves what it has to the file, and says how much memory that releases (`Spill.shrink`).
  func spill() throws
}

/// The memory that collections share. When they need more than there is, the largest one moves to a file.
///
/// ```swift
/// let spill = Spill()
/// spill.register(log)
/// try spill.grow(byteCount)  // may call log.spill()
/// ```
package final class Spill {
  private struct Member { weak var object: (any SpillMember)? }

  private let settings: SpillSettings
  private var members: [Member] = []
  private var usedByteCount = 0
  private var file: SpillFile?

  package init(_ settings: SpillSettings = .current) { self.settings = settings }

  /// Whether anything may move to a file.
  package var isBounded: Bool { settings.memory < .max }

  package func register(_ member: any SpillMember) { if isBounded { members.append(Member(object: member)) } }

  /// Takes memory for a member that is registered.
  ///
  /// - Throws: `OutputError.temporary`; what a member throws.
  package func grow(_ byteCount: Int) throws {
    usedByteCount += byteCount
    guard usedByteCount > settings.memory else { return }
    members.removeAll { $0.object == nil }
    let largest = members.lazy.compactMap(\.object).max { $0.spillableByteCount < $1.spillableByteCount }
    // Moving a little at a time would take longer than the memory is worth.
    guard let largest, largest.spillableByteCount > settings.memory / Self.mostParts else { return }
    try largest.spill()
  }

  private static let mostParts = 1024

  package func shrink(_ byteCount: Int) { usedByteCount -= byteCount }

  // MARK: File

  /// Appends bytes to the file.
  ///
  /// - Throws: `OutputError.temporary`.
  func append(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    let file = if let file { file } else { try SpillFile(settings) }
    self.file = file
    try file.append(bytes)
  }

  /// The end of the file, where the next bytes go.
  var end: UInt64 { file?.count ?? 0 }

  /// - Throws: `OutputError.temporary`.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(OutputError) {
    try file?.read(into: buffer, at: offset)
  }

  /// Bytes that each reader of so many may have in memory.
  func bufferSize(forReaders count: Int) -> Int { min(max(settings.memory / 8 / max(count, 1), 1 << 12), 1 << 18) }
}

/// Writes a run of numbers and bytes to the file of a `Spill`. Nothing else is written there meanwhile.
final class SpillWriter {
  private let spill: Spill
  private let start: UInt64
  private let buffer = UnsafeMutableRawPointer.allocate(byteCount: SpillWriter.bufferSize, alignment: 16)
  private var count = 0

  private static let bufferSize = 1 << 16

  init(_ spill: Spill) { (self.spill, start) = (spill, spill.end) }

  deinit { buffer.deallocate() }

  func append(_ number: UInt64) throws {
    if Self.bufferSize - count < Varint.mostBytes { try flush() }
    count = Varint.store(number, to: buffer + count) - buffer
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws {
    if Self.bufferSize - count < bytes.count { try flush() }
    guard bytes.count <= Self.bufferSize else { return try spill.append(bytes) }
    UnsafeMutableRawBufferPointer(start: buffer + count, count: bytes.count).copyMemory(from: bytes)
    count += bytes.count
  }

  private func flush() throws {
    try spill.append(UnsafeRawBufferPointer(start: buffer, count: count))
    count = 0
  }

  /// - Returns: where the run is.
  func finish() throws -> Range<UInt64> {
    try flush()
    return start..<spill.end
  }
}

/// Reads a run that a `SpillWriter` has written.
final class SpillReader {
  private let spill: Spill
  private var rest: Range<UInt64>
  /// What is read and not returned yet is from `start` to `end`.
  private var buffer: UnsafeMutableRawBufferPointer
  private var (start, end) = (0, 0)

  init(_ spill: Spill, _ run: Range<UInt64>, bufferSize: Int) {
    (self.spill, rest) = (spill, run)
    buffer = .allocate(byteCount: max(bufferSize, 64), alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// The next number; nil at the end.
  ///
  /// - Throws: `OutputError.temporary`.
  func next() throws -> UInt64? {
    if end - start < Varint.mostBytes, !rest.isEmpty { try fill() }
    guard start < end, let first = buffer.baseAddress else { return nil }
    var source = UnsafeRawPointer(first + start)
    defer { start = source - UnsafeRawPointer(first) }
    return Varint.load(&source)
  }

  /// The next bytes, valid until the next call.
  ///
  /// - Throws: `OutputError.temporary`.
  func next(_ count: Int) throws -> UnsafeRawBufferPointer {
    if count > buffer.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
      (start, end) = (0, end - start)
      buffer.deallocate()
      buffer = larger
    }
    if end - start < count { try fill() }
    defer { start = min(start + count, end) }
    return UnsafeRawBufferPointer(rebasing: buffer[start..<min(start + count, end)])
  }

  private func fill() throws {
    let kept = end - start
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
    let count = min(buffer.count - kept, Int(clamping: rest.upperBound - rest.lowerBound))
    try spill.read(
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept..<kept + count]), at: rest.lowerBound)
    rest = rest.lowerBound + UInt64(count)..<rest.upperBound
    (start, end) = (0, kept + count)
  }
}

/// A sorted run, at one of its entries.
protocol SortedRun: AnyObject {
  /// Whether its entry comes before that of another run.
  func precedes(_ other: Self) -> Bool
  /// Goes to the next entry.
  ///
  /// - Returns: false at the end.
  func advance() throws -> Bool
}

/// The entries of sorted runs, in order.
final class MergedRuns<Run: SortedRun> {
  /// A heap: no run comes before the one above it.
  private var heap: [Run] = []

  /// - Parameter runs: before their first entries.
  init(_ runs: [Run]) throws {
    for run in runs where try run.advance() {
      heap.append(run)
      var child = heap.count - 1
      while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
        heap.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
    }
  }

  /// The run with the next entry; nil at the end.
  var first: Run? { heap.first }

  func advance() throws {
    guard let first = heap.first else { return }
    if try !first.advance() {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    } else if heap.count == 1 || heap.count == 2 && !heap[1].precedes(first) {
      return
    }
    var parent = 0
    while true {
      var next = parent
      for child in 2 * parent + 1..<2 * parent + 3 where child < heap.count && heap[child].precedes(heap[next]) {
        next = child
      }
      if next == parent { return }
      heap.swapAt(parent, next)
      parent = next
    }
  }
}
