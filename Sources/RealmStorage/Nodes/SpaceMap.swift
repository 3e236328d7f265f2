import Libc

/// One bit per eight bytes of a file: what is accounted for.
///
/// Takes a 64th of the file, and of that only what is touched.
package final class SpaceMap {
  private let words: UnsafeMutablePointer<UInt64>
  private let unitCount: UInt64

  private static let bytesPerUnit: UInt64 = 8

  /// - Throws: `StorageError.file(.systemCall)` where memory is short.
  package init(byteCount: UInt64) throws {
    unitCount = byteCount / Self.bytesPerUnit
    let wordCount = Int(clamping: unitCount / 64 + 1)
    guard let memory = calloc(wordCount, MemoryLayout<UInt64>.stride) else {
      throw StorageError.file(.systemCall(name: "calloc", errorNumber: ENOMEM))
    }
    words = memory.bindMemory(to: UInt64.self, capacity: wordCount)
  }

  deinit { free(words) }

  /// Marks a range of bytes; what lies beyond the map is left out.
  ///
  /// - Returns: how many of its bytes were marked before.
  @discardableResult
  package func mark(from start: UInt64, length: UInt64) -> UInt64 {
    let first = start / Self.bytesPerUnit
    let (end, overflow) = start.addingReportingOverflow(length)
    let last = min(overflow ? unitCount : end / Self.bytesPerUnit, unitCount)
    guard first < last else { return 0 }
    let (word, lastWord) = (Int(first >> 6), Int((last - 1) >> 6))
    let head = UInt64.max << (first & 63)
    let tail = UInt64.max >> (63 - (last - 1) & 63)
    guard word < lastWord else { return set(word, head & tail) }
    var marked = set(word, head)
    for middle in word + 1..<lastWord { marked &+= set(middle, .max) }
    return marked &+ set(lastWord, tail)
  }

  /// - Returns: number of bytes whose bits were set before.
  @inline(__always)
  private func set(_ word: Int, _ bits: UInt64) -> UInt64 {
    let before = words[word]
    words[word] = before | bits
    return before & bits == 0 ? 0 : UInt64((before & bits).nonzeroBitCount) &* Self.bytesPerUnit
  }

  /// The last eight bytes before `offset` that are marked.
  package func lastMarked(before offset: UInt64) -> UInt64? {
    var unit = min(offset / Self.bytesPerUnit, unitCount)
    while unit > 0 {
      let last = unit - 1
      let bits = words[Int(last >> 6)] & (UInt64.max >> (63 - last & 63))
      if bits != 0 {
        return ((last & ~63) + 63 - UInt64(bits.leadingZeroBitCount)) * Self.bytesPerUnit
      }
      unit = last & ~63
    }
    return nil
  }

  /// The first eight bytes from `offset` on that are marked.
  package func firstMarked(from offset: UInt64) -> UInt64? {
    let unit = firstUnit(from: min(offset / Self.bytesPerUnit, unitCount), marked: true)
    return unit < unitCount ? unit * Self.bytesPerUnit : nil
  }

  /// Whether the eight bytes at `offset` are marked; false beyond the map.
  package func isMarked(_ offset: UInt64) -> Bool {
    let unit = offset / Self.bytesPerUnit
    guard unit < unitCount else { return false }
    return words[Int(unit >> 6)] >> (unit & 63) & 1 != 0
  }

  /// Calls `visit` with each range of bytes from `start` to the end of the map that is not marked.
  package func forEachGap(from start: UInt64, _ visit: (Range<UInt64>) -> Void) {
    var unit = start / Self.bytesPerUnit
    while unit < unitCount {
      let gap = firstUnit(from: unit, marked: false)
      guard gap < unitCount else { return }
      unit = firstUnit(from: gap, marked: true)
      visit(gap * Self.bytesPerUnit..<unit * Self.bytesPerUnit)
    }
  }

  /// The first unit from `start` on that is, or is not, marked; the number of units where there is none.
  private func firstUnit(from start: UInt64, marked: Bool) -> UInt64 {
    var unit = start
    while unit < unitCount {
      let word = words[Int(unit >> 6)]
      let rest = (marked ? word : ~word) & (UInt64.max << (unit & 63))
      if rest != 0 { return min((unit & ~63) + UInt64(rest.trailingZeroBitCount), unitCount) }
      unit = (unit & ~63) + 64
    }
    return unitCount
  }
}
