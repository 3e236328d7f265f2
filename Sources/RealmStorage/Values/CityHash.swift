/// CityHash64 in its first version, by which dictionaries of formats 21 and 22 are ordered
/// (Docs/Format/4-file-versions.md §3.8), as engines built for 64 bits compute it.
enum CityHash {
  private static let k0: UInt64 = 0xc3a5_c85c_97cb_3127
  private static let k1: UInt64 = 0xb492_b66f_be98_f273
  private static let k2: UInt64 = 0x9ae1_6a3b_2f90_404f
  private static let k3: UInt64 = 0xc949_d7c7_509e_6557

  /// The hash of some bytes.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    switch bytes.count {
    case 0: k2
    case 1...3: hashOfUpTo3(bytes)
    case 4...8: hashOfUpTo8(bytes)
    case 9...16: hashOfUpTo16(bytes)
    case 17...32: hashOfUpTo32(bytes)
    case 33...64: hashOfUpTo64(bytes)
    default: hashOfMore(bytes)
    }
  }

  // MARK: By length

  private static func hashOfUpTo3(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = UInt64(bytes.count)
    let low = UInt64(bytes[0]) | UInt64(bytes[bytes.count >> 1]) << 8
    let high = count + UInt64(bytes[bytes.count - 1]) << 2
    return mixed((low &* k2) ^ (high &* k3)) &* k2
  }

  private static func hashOfUpTo8(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let first = bytes.loadUnaligned(as: UInt32.self).littleEndian
    let last = bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self).littleEndian
    // The shift loses what does not fit into 32 bits, as in the library the engine has it from.
    return folded(UInt64(bytes.count) + UInt64(first << 3), UInt64(last))
  }

  private static func hashOfUpTo16(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let (first, last) = (word(bytes, 0), word(bytes, bytes.count - 8))
    let count = UInt64(bytes.count)
    return folded(first, rotated(last &+ count, count)) ^ last
  }

  private static func hashOfUpTo32(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    let a = word(bytes, 0) &* k1
    let b = word(bytes, 8)
    let c = word(bytes, count - 8) &* k2
    let d = word(bytes, count - 16) &* k0
    return folded(
      rotated(a &- b, 43) &+ rotated(c, 30) &+ d, a &+ rotated(b ^ k3, 20) &- c &+ UInt64(count))
  }

  private static func hashOfUpTo64(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    let head = half(
      start: word(bytes, 0) &+ (UInt64(count) &+ word(bytes, count - 16)) &* k0, word(bytes, 8), word(bytes, 16),
      seed: word(bytes, 24))
    let tail = half(
      start: word(bytes, 16) &+ word(bytes, count - 32), word(bytes, count - 24), word(bytes, count - 16),
      seed: word(bytes, 24) &+ word(bytes, count - 8))
    let sum = mixed((head.0 &+ tail.1) &* k2 &+ (tail.0 &+ head.1) &* k0)
    return mixed(sum &* k0 &+ head.1) &* k2
  }

  private static func half(start: UInt64, _ second: UInt64, _ third: UInt64, seed: UInt64) -> (UInt64, UInt64) {
    let turned = rotated(start &+ seed, 52)
    let next = start &+ second
    let last = next &+ third
    let rest = rotated(start, 37) &+ rotated(next, 7)
    return (last &+ seed, turned &+ rotated(last, 31) &+ rest)
  }

  private static func hashOfMore(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    var x = word(bytes, count - 40)
    var y = word(bytes, count - 16) &+ word(bytes, count - 56)
    var z = folded(word(bytes, count - 48) &+ UInt64(count), word(bytes, count - 24))
    var v = seeded(bytes, count - 64, UInt64(count), z)
    var w = seeded(bytes, count - 32, y &+ k1, x)
    x = x &* k1 &+ word(bytes, 0)
    // Blocks of 64 bytes; what is left at the end has gone in above.
    for start in stride(from: 0, to: (count - 1) & ~63, by: 64) {
      x = rotated(x &+ y &+ v.0 &+ word(bytes, start + 8), 37) &* k1
      y = rotated(y &+ v.1 &+ word(bytes, start + 48), 42) &* k1
      x ^= w.1
      y = y &+ v.0 &+ word(bytes, start + 40)
      z = rotated(z &+ w.0, 33) &* k1
      v = seeded(bytes, start, v.1 &* k1, x &+ w.0)
      w = seeded(bytes, start + 32, z &+ w.1, y &+ word(bytes, start + 16))
      swap(&z, &x)
    }
    return folded(folded(v.0, w.0) &+ mixed(y) &* k1 &+ z, folded(v.1, w.1) &+ x)
  }

  // MARK: Steps

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
  }

  /// - Parameter count: from 1 to 63.
  private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 { value >> count | value << (64 - count) }

  private static func mixed(_ value: UInt64) -> UInt64 { value ^ value >> 47 }

  private static func folded(_ low: UInt64, _ high: UInt64) -> UInt64 {
    let factor: UInt64 = 0x9ddf_ea08_eb38_2d69
    let first = mixed((low ^ high) &* factor)
    return mixed((high ^ first) &* factor) &* factor
  }

  /// Four words from an offset on, with two numbers to begin with.
  private static func seeded(
    _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ first: UInt64, _ second: UInt64
  ) -> (UInt64, UInt64) {
    let last = word(bytes, offset + 24)
    let begin = first &+ word(bytes, offset)
    let sum = begin &+ word(bytes, offset + 8) &+ word(bytes, offset + 16)
    return (sum &+ last, rotated(second &+ begin &+ last, 21) &+ rotated(sum, 44) &+ begin)
  }
}
