/// Bytes of a realm from one offset up to another.
struct SpaceRange: Hashable, Sendable {
  var start: UInt64
  var end: UInt64

  var byteCount: UInt64 { end - start }

  init(_ start: UInt64, count: UInt64) {
    self.start = start
    end = start &+ count
  }

  init(_ start: UInt64, to end: UInt64) {
    self.start = start
    self.end = end
  }
}

/// Hands out the free space of a realm while a transaction is written (Docs/Format/1-container.md §4).
///
/// Chunks are kept by the size class of their length, so that finding one takes the same time however many there are.
struct SpaceAllocator {
  /// Upper end of the space that is accounted for; a whole number of pages once it has grown.
  private(set) var logicalSize: UInt64
  /// By the number of bits of the length.
  private var classes: [[SpaceRange]] = Array(repeating: [], count: 64)
  private(set) var chunkCount = 0

  /// Nodes do not lie across multiples of this (§2).
  static let sectionSize: UInt64 = 1 << 26
  /// Sizes after growth are multiples of this: the page of the machine with the larger ones, so that a file can move
  /// between machines.
  static let growthUnit: UInt64 = 4096
  /// How many chunks of the fitting class are looked at before a larger one is cut.
  private static let looks = 8

  init(logicalSize: UInt64) { self.logicalSize = logicalSize }

  /// Adds space that may be written.
  mutating func add(_ range: SpaceRange) {
    guard range.byteCount > 0 else { return }
    classes[Self.sizeClass(of: range.byteCount)].append(range)
    chunkCount += 1
  }

  /// Space for a node, from what is free or from beyond the end.
  ///
  /// - Parameter byteCount: a multiple of 8, below 64 MiB.
  /// - Throws: `StorageError.corrupted` for a size that no file can hold.
  mutating func allocate(_ byteCount: UInt64) throws -> SpaceRange {
    guard byteCount > 0, byteCount & 7 == 0, byteCount < Self.sectionSize else {
      throw StorageError.corrupted(.null, .tooManyElements(Int(clamping: byteCount)))
    }
    while true {
      if let range = take(byteCount) { return range }
      try grow(by: byteCount)
    }
  }

  /// All that is free, in order, neighbours joined.
  func freeRanges() -> [SpaceRange] {
    var ranges = classes.flatMap { $0 }
    ranges.sort { $0.start < $1.start }
    return SpaceRange.joined(ranges)
  }

  // MARK: Chunks

  private static func sizeClass(of byteCount: UInt64) -> Int { 63 - byteCount.leadingZeroBitCount }

  private mutating func take(_ byteCount: UInt64) -> SpaceRange? {
    let first = Self.sizeClass(of: byteCount)
    for sizeClass in first..<classes.count where !classes[sizeClass].isEmpty {
      // The class of the request has chunks that are too small; in all above, every one fits unless a boundary is in it.
      let chunks = classes[sizeClass]
      let limit = sizeClass == first ? Self.looks : Self.looks / 2
      for index in chunks.indices.reversed().prefix(limit) {
        guard let start = Self.place(byteCount, in: chunks[index]) else { continue }
        return cut(sizeClass, index, at: start, byteCount)
      }
    }
    return takeAnywhere(byteCount)
  }

  /// Looks at all chunks of the larger classes: few are that large.
  private mutating func takeAnywhere(_ byteCount: UInt64) -> SpaceRange? {
    for sizeClass in Self.sizeClass(of: byteCount) + 1..<classes.count {
      for index in classes[sizeClass].indices {
        guard let start = Self.place(byteCount, in: classes[sizeClass][index]) else { continue }
        return cut(sizeClass, index, at: start, byteCount)
      }
    }
    return nil
  }

  /// The first place in a chunk where a node does not cross a section's end.
  private static func place(_ byteCount: UInt64, in chunk: SpaceRange) -> UInt64? {
    guard chunk.byteCount >= byteCount else { return nil }
    let lastSection = (chunk.start &+ byteCount &- 1) / sectionSize
    let start = chunk.start / sectionSize == lastSection ? chunk.start : lastSection * sectionSize
    return chunk.end - start >= byteCount ? start : nil
  }

  private mutating func cut(_ sizeClass: Int, _ index: Int, at start: UInt64, _ byteCount: UInt64) -> SpaceRange {
    let chunk = classes[sizeClass][index]
    classes[sizeClass].swapAt(index, classes[sizeClass].count - 1)
    classes[sizeClass].removeLast()
    chunkCount -= 1
    let taken = SpaceRange(start, count: byteCount)
    add(SpaceRange(chunk.start, to: taken.start))
    add(SpaceRange(taken.end, to: chunk.end))
    return taken
  }

  // MARK: Growth

  /// Makes the realm longer (§4.5).
  private mutating func grow(by byteCount: UInt64) throws {
    let wanted = max(logicalSize < 1 << 20 ? logicalSize * 2 : logicalSize + 1 << 20, logicalSize + byteCount)
    let grown = (wanted + Self.growthUnit - 1) / Self.growthUnit * Self.growthUnit
    guard grown < 1 << 46 else { throw StorageError.corrupted(.null, .valueOutOfRange("size of the file")) }
    add(SpaceRange(logicalSize, to: grown))
    logicalSize = grown
  }
}

extension SpaceRange {
  /// Ranges in order, those that touch made one.
  static func joined(_ ranges: [SpaceRange]) -> [SpaceRange] {
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
