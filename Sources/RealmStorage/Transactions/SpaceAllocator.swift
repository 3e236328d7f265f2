/// Allocates the free space of a realm while a transaction is written (Docs/Format/1-container.md §4).
///
/// Nodes are laid one after another into the largest chunk until it is used up, so that they lie on few pages and are
/// written with few calls. Chunks are kept by the size class of their length: finding one takes the same time however
/// many there are.
struct SpaceAllocator {
  /// Upper end of the space that nodes and free list cover; a whole number of pages once it has grown.
  private(set) var logicalSize: UInt64
  /// The chunk in use; may be empty.
  private var current = SpaceRange(0, count: 0)
  /// The others, by the number of bits of their length.
  private var classes: [[SpaceRange]] = Array(repeating: [], count: 64)

  /// Nodes must not cross multiples of this (§2).
  static let sectionSize = UInt64(NodeHeader.nodeSizeLimit)
  /// Sizes after growth are multiples of this. Machines with larger pages make the file longer when they open it (§1.5).
  static let growthUnit = ChangedPages.pageSize
  private static let smallStep: UInt64 = 1 << 15
  /// Chunks of this length and more are used first, the longest before the others.
  private static let longChunk: UInt64 = 1 << 16
  /// How many chunks to try that may be too short, or divided badly by the end of a section.
  private static let looks = 8

  /// Whether to grow only for this transaction, not for later ones.
  private let growsSparingly: Bool

  init(logicalSize: UInt64, growsSparingly: Bool = false) {
    (self.logicalSize, self.growsSparingly) = (logicalSize, growsSparingly)
  }

  /// Adds space that may be written.
  mutating func add(_ range: SpaceRange) {
    guard range.byteCount > 0 else { return }
    classes[Self.sizeClass(of: range.byteCount)].append(range)
  }

  /// Space for a node, from what is free or from beyond the end.
  ///
  /// - Parameter byteCount: a multiple of 8, below 64 MiB.
  /// - Throws: `StorageError.corrupted` for a size beyond any file.
  mutating func allocate(_ byteCount: UInt64) throws -> SpaceRange {
    guard byteCount > 0, byteCount & 7 == 0, byteCount < Self.sectionSize else {
      throw StorageError.corrupted(.null, .tooManyElements(Int(clamping: byteCount)))
    }
    while true {
      if let start = Self.place(byteCount, in: current) { return cut(at: start, byteCount) }
      if takeChunk(for: byteCount) { continue }
      try grow(by: byteCount)
    }
  }

  /// All free space, in order, with neighbors joined.
  func freeRanges() -> [SpaceRange] {
    var ranges = classes.flatMap { $0 }
    if current.byteCount > 0 { ranges.append(current) }
    ranges.sort { $0.start < $1.start }
    return SpaceRange.joined(ranges)
  }

  // MARK: Chunks

  private static func sizeClass(of byteCount: UInt64) -> Int { 63 - byteCount.leadingZeroBitCount }

  /// The first place in a chunk where a node does not cross a section's end.
  private static func place(_ byteCount: UInt64, in chunk: SpaceRange) -> UInt64? {
    guard chunk.byteCount >= byteCount else { return nil }
    let lastSection = (chunk.start &+ byteCount &- 1) / sectionSize
    let start = chunk.start / sectionSize == lastSection ? chunk.start : lastSection * sectionSize
    return start <= chunk.end && chunk.end - start >= byteCount ? start : nil
  }

  /// Takes a place from the current chunk, which continues after it.
  private mutating func cut(at start: UInt64, _ byteCount: UInt64) -> SpaceRange {
    add(SpaceRange(current.start, to: start))
    current.start = start + byteCount
    return SpaceRange(start, count: byteCount)
  }

  /// Puts another chunk in place of the current one.
  ///
  /// - Returns: false if none has room.
  private mutating func takeChunk(for byteCount: UInt64) -> Bool {
    let least = Self.sizeClass(of: byteCount)
    let long = max(least, Self.sizeClass(of: Self.longChunk))
    // Long chunks from the longest down, short ones from the shortest up: the rest of a short one is hardly worth
    // keeping.
    for sizeClass in (long..<classes.count).reversed() where takeChunk(for: byteCount, of: sizeClass) { return true }
    for sizeClass in least..<long where takeChunk(for: byteCount, of: sizeClass) { return true }
    return false
  }

  private mutating func takeChunk(for byteCount: UInt64, of sizeClass: Int) -> Bool {
    let count = classes[sizeClass].count
    for index in stride(from: count - 1, through: max(0, count - Self.looks), by: -1)
    where Self.place(byteCount, in: classes[sizeClass][index]) != nil {
      let chunk = classes[sizeClass].remove(at: index)
      add(current)
      current = chunk
      return true
    }
    return false
  }

  // MARK: Growth

  /// Makes the realm longer (§4.5).
  private mutating func grow(by byteCount: UInt64) throws {
    // A node that would cross a section's end begins there.
    let start = Self.place(byteCount, in: SpaceRange(logicalSize, count: 2 * Self.sectionSize)) ?? logicalSize
    let step = growsSparingly ? Self.smallStep : logicalSize < 1 << 20 ? logicalSize : 1 << 20
    let wanted = max(logicalSize + step, start + byteCount)
    let grown = (wanted + Self.growthUnit - 1) / Self.growthUnit * Self.growthUnit
    guard grown < 1 << 46 else { throw StorageError.corrupted(.null, .valueOutOfRange("size of the file")) }
    add(current)
    current = SpaceRange(logicalSize, to: grown)
    logicalSize = grown
  }
}

extension SpaceRange {
  /// Ranges in order, those that touch made one.
  package static func joined(_ ranges: [SpaceRange]) -> [SpaceRange] {
    var result: [SpaceRange] = []
    result.reserveCapacity(ranges.count)
    for range in ranges {
      if let last = result.last, last.end == range.start {
        result[result.count - 1].end = range.end
      } else {
        result.append(range)
      }
    }
    return result
  }
}
