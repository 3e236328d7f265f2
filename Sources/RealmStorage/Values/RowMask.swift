/// Some of the rows of a batch, which has at most 256.
@usableFromInline package struct RowMask: Hashable, Sendable {
  /// Row `n` is bit `n % 64` of word `n / 64`.
  @usableFromInline package var words: SIMD4<UInt64>

  /// Rows a mask has room for.
  package static let capacity = 256

  /// No row.
  @inlinable @inline(__always)
  package init() { words = .zero }

  /// The rows from 0 up to `count`, which is excluded and at most 256.
  package init(first count: Int) {
    words = .zero
    for index in 0..<4 {
      let bits = count - index * 64
      words[index] = bits >= 64 ? .max : bits <= 0 ? 0 : (1 << UInt64(bits)) - 1
    }
  }

  /// One row.
  @inlinable @inline(__always)
  package init(row: Int) {
    words = .zero
    insert(row)
  }

  @inlinable @inline(__always)
  package var isEmpty: Bool { words[0] | words[1] | words[2] | words[3] == 0 }

  /// How many rows there are.
  package var count: Int { (0..<4).reduce(0) { $0 + words[$1].nonzeroBitCount } }

  @inlinable @inline(__always)
  package func contains(_ row: Int) -> Bool { words[row >> 6 & 3] >> UInt64(row & 63) & 1 != 0 }

  @inlinable @inline(__always)
  package mutating func insert(_ row: Int) { words[row >> 6 & 3] |= 1 << UInt64(row & 63) }

  /// The rows in both.
  @inlinable @inline(__always)
  package func intersection(_ other: RowMask) -> RowMask { RowMask(words: words & other.words) }

  /// The rows in either.
  @inlinable @inline(__always)
  package func union(_ other: RowMask) -> RowMask { RowMask(words: words | other.words) }

  /// The rows that are here and not there.
  @inlinable @inline(__always)
  package func subtracting(_ other: RowMask) -> RowMask { RowMask(words: words & ~other.words) }

  @inlinable @inline(__always)
  package init(words: SIMD4<UInt64>) { self.words = words }

  /// Calls `body` with each row in order.
  @inlinable @inline(__always)
  package func forEach(_ body: (Int) throws -> Void) rethrows {
    for index in 0..<4 {
      var word = words[index]
      while word != 0 {
        try body(index << 6 | word.trailingZeroBitCount)
        word &= word - 1
      }
    }
  }

  /// The first `limit` rows.
  package func prefix(_ limit: Int) -> RowMask {
    guard count > limit else { return self }
    var (kept, rest) = (RowMask(), limit)
    forEach { row in
      if rest > 0 { kept.insert(row) }
      rest -= 1
    }
    return kept
  }
}
