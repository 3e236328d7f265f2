/// A permutation of all integers that only the key determines: no two numbers become the same.
///
/// A number keeps its sign and its width, so that numbers that fit in a signed integer of 16 or 32 bits, or in 52 bits
/// (which JavaScript reads exactly), still do. In each width it is a Feistel network of ten rounds of SipHash-2-4, repeated until the result has
/// that width.
struct KeyedPermutation: Sendable {
  private let low: UInt64
  private let high: UInt64

  /// The numbers from the end of one width to the next, and the bits that the network works on: an even number.
  private static let widths: [(end: UInt64, bits: UInt64)] = [
    (1 << 15, 16), (1 << 31, 32), (1 << 52, 52), (1 << 63, 64),
  ]
  private static let roundCount: UInt64 = 10

  init(_ hash: KeyedHash) {
    let key = hash.digest(0).words
    (low, high) = (key.x.littleEndian, key.y.littleEndian)
  }

  func callAsFunction(_ number: Int64) -> Int64 {
    let isNegative = number < 0
    let magnitude = UInt64(bitPattern: isNegative ? ~number : number)
    let result = Int64(bitPattern: permuted(magnitude, tweak: isNegative ? 1 : 0))
    return isNegative ? ~result : result
  }

  private func permuted(_ number: UInt64, tweak: UInt64) -> UInt64 {
    let width = Self.widths.firstIndex { number < $0.end } ?? Self.widths.count - 1
    let start = width == 0 ? 0 : Self.widths[width - 1].end
    let (end, bits) = Self.widths[width]
    var result = number
    repeat {
      result = network(result, half: bits / 2, tweak: tweak << 8 | UInt64(width))
    } while !(start..<end ~= result)
    return result
  }

  private func network(_ number: UInt64, half: UInt64, tweak: UInt64) -> UInt64 {
    let mask: UInt64 = (1 << half) - 1
    var (left, right) = (number >> half & mask, number & mask)
    for round in 0..<Self.roundCount {
      (left, right) = (right, left ^ sipHash(tweak << 16 | round, right) & mask)
    }
    return left << half | right
  }

  /// SipHash-2-4 of two words.
  private func sipHash(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var (a, b) = (low ^ 0x736f_6d65_7073_6575, high ^ 0x646f_7261_6e64_6f6d)
    var (c, d) = (low ^ 0x6c79_6765_6e65_7261, high ^ 0x7465_6462_7974_6573)
    @inline(__always)
    func turn(_ number: UInt64, _ count: UInt64) -> UInt64 { number << count | number >> (64 - count) }
    @inline(__always)
    func round() {
      a &+= b
      b = turn(b, 13) ^ a
      a = turn(a, 32)
      c &+= d
      d = turn(d, 16) ^ c
      a &+= d
      d = turn(d, 21) ^ a
      c &+= b
      b = turn(b, 17) ^ c
      c = turn(c, 32)
    }
    @inline(__always)
    func take(_ word: UInt64) {
      d ^= word
      round()
      round()
      a ^= word
    }
    take(first)
    take(second)
    take(16 << 56)
    c ^= 0xff
    round()
    round()
    round()
    round()
    return a ^ b ^ c ^ d
  }
}
