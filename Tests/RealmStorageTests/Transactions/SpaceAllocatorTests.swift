import Testing

@testable import RealmStorage

@Suite struct SpaceAllocatorTests {
  @Test("what is handed out never overlaps, never crosses a section, and adds up", arguments: 0..<20 as Range<UInt64>)
  func randomUse(_ seed: UInt64) throws {
    var dice = SeededDice(seed: seed)
    let isLarge = seed % 4 == 3
    var allocator = SpaceAllocator(logicalSize: 24)
    var taken: [SpaceRange] = []
    for _ in 0..<(isLarge ? 300 : 2000) {
      if dice.roll(4) == 0, !taken.isEmpty {
        allocator.add(taken.remove(at: Int(dice.roll(UInt64(taken.count)))))
      } else {
        let most: UInt64 = isLarge ? 1 << 22 : dice.roll(10) == 0 ? 4000 : 60
        taken.append(try allocator.allocate(8 * (1 + dice.roll(most))))
      }
    }
    let all = (taken + allocator.freeRanges()).sorted { $0.start < $1.start }
    #expect(SpaceRange.joined(all) == [SpaceRange(24, to: allocator.logicalSize)])
    #expect(all.reduce(0) { $0 + $1.byteCount } == allocator.logicalSize - 24)
    for range in taken {
      #expect(range.start & 7 == 0 && range.byteCount & 7 == 0)
      #expect(range.start / SpaceAllocator.sectionSize == (range.end - 1) / SpaceAllocator.sectionSize)
    }
  }

  @Test func `a realm grows as the engine's do`() throws {
    // Docs/Format/1-container.md §4.5: doubling below 1 MiB, then a mebibyte at a time, whole pages.
    var allocator = SpaceAllocator(logicalSize: 4096)
    _ = try allocator.allocate(4096)
    #expect(allocator.logicalSize == 8192)
    var large = SpaceAllocator(logicalSize: 3 << 20)
    _ = try large.allocate(8)
    #expect(large.logicalSize == 4 << 20)
    _ = try large.allocate(3 << 20)
    #expect(large.logicalSize == 7 << 20)
  }

  @Test("a size that no node has is refused", arguments: [0, 4, 12, 1 << 26, 1 << 40] as [UInt64])
  func refusedSizes(_ size: UInt64) {
    var allocator = SpaceAllocator(logicalSize: 24)
    #expect(throws: StorageError.self) { try allocator.allocate(size) }
  }

  @Test func `a section's end is skipped and the space before it stays free`() throws {
    var allocator = SpaceAllocator(logicalSize: 1 << 27)
    allocator.add(SpaceRange(SpaceAllocator.sectionSize - 64, count: 4096))
    #expect(try allocator.allocate(128) == SpaceRange(SpaceAllocator.sectionSize, count: 128))
    #expect(allocator.freeRanges().first == SpaceRange(SpaceAllocator.sectionSize - 64, count: 64))
    #expect(try allocator.allocate(4096 - 192).start == SpaceAllocator.sectionSize + 128)
    #expect(try allocator.allocate(64).start == SpaceAllocator.sectionSize - 64)
  }
}
