import RealmStorage
import TestSupport

/// A realm with something destroyed, by seed.
struct Damage {
  enum Kind: String, CaseIterable {
    case onePage = "one zeroed page"
    case twentyPages = "twenty zeroed pages"
    case bits = "fifty flipped bits"
    case root = "512 random bytes over the live root"
    case header = "header zeroed"
    case cut = "cut at 30-95 %"
  }

  private(set) var bytes: [UInt8]
  /// The damaged ranges of the file.
  private(set) var ranges: [Range<Int>] = []

  init(_ kind: Kind, seed: UInt64, _ original: [UInt8], isEncrypted: Bool) {
    bytes = original
    var random = SeededGenerator(seed: seed &* 0x2545_f491_4f6c_dd1d &+ 17)
    _ = (0..<8).map { _ in random.next() }
    switch kind {
    case .onePage: zeroPages(1, &random)
    case .twentyPages: zeroPages(20, &random)
    case .bits:
      for _ in 0..<50 {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        ranges.append(place..<place + 1)
      }
    case .root:
      // In an encrypted file nobody can tell where that is: the page that the plaintext's root is in.
      let root = isEncrypted ? Int.random(in: 2..<bytes.count >> 12, using: &random) << 12 : liveRoot()
      for place in root..<min(root + 512, bytes.count) { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      ranges = [root..<min(root + 512, bytes.count)]
    case .header:
      // In an encrypted file, the header is in the first page after the block of counters.
      let size = isEncrypted ? 4096 : 24
      let start = isEncrypted ? 4096 : 0
      for place in start..<start + size { bytes[place] = 0 }
      ranges = [start..<start + size]
    case .cut:
      let end = Int(clamping: Double(bytes.count) * Double.random(in: 0.3...0.95, using: &random))
      ranges = [end..<bytes.count]
      bytes.removeLast(bytes.count - end)
    }
  }

  private mutating func zeroPages(_ count: Int, _ random: inout SeededGenerator) {
    for _ in 0..<count {
      let page = Int.random(in: 0..<bytes.count >> 12, using: &random) << 12
      for place in page..<page + 4096 { bytes[place] = 0 }
      ranges.append(page..<page + 4096)
    }
  }

  private func liveRoot() -> Int {
    func word(_ place: Int) -> UInt64 { (0..<8).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) } }
    let slot = Int(bytes[23] & 1)
    let ref = word(slot * 8)
    return Int(ref == .max ? word(bytes.count - 16) : ref)
  }
}
