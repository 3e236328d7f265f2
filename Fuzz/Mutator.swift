import TestSupport

/// Damages the bytes of a realm in the ways that disks, transfers and attackers do.
struct Mutator {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// A damaged copy.
  ///
  /// - Parameters:
  ///   - nodes: offsets of node headers in `original`; empty if nothing is known of its inside.
  ///   - donor: another file, for splices.
  ///   - isGentle: whether to damage less, and only nodes if they are known.
  mutating func damaged(_ original: [UInt8], nodes: [Int], donor: [UInt8], isGentle: Bool = false) -> [UInt8] {
    var bytes = original
    for _ in 0...Int.random(in: 0...(isGentle ? 1 : 3), using: &random) {
      guard bytes.count > 24 else { break }
      switch Int.random(in: isGentle && !nodes.isEmpty ? 5..<10 : 0..<(nodes.isEmpty ? 5 : 10), using: &random) {
      case 0: flipBits(&bytes)
      case 1: overwrite(&bytes)
      case 2: bytes.removeLast(truncation(bytes.count))
      case 3: splice(&bytes, from: donor)
      case 4: damageHeader(&bytes)
      case 5, 6: redirectRef(&bytes, nodes)
      case 7: damageNodeHeader(&bytes, nodes)
      case 8: setElement(&bytes, nodes)
      default: swapNodes(&bytes, nodes)
      }
    }
    return bytes
  }

  // MARK: Anywhere

  private mutating func flipBits(_ bytes: inout [UInt8]) {
    for _ in 0...Int.random(in: 0...4, using: &random) {
      bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
  }

  private mutating func overwrite(_ bytes: inout [UInt8]) {
    let start = Int.random(in: bytes.indices, using: &random)
    let length = min(Int.random(in: 1...64, using: &random), bytes.count - start)
    let value: UInt8? = [0, 0xff, 0x41, nil].randomElement(using: &random) ?? nil
    for index in start..<start + length { bytes[index] = value ?? UInt8.random(in: 0...255, using: &random) }
  }

  private mutating func truncation(_ count: Int) -> Int {
    let most = Bool.random(using: &random) ? min(count - 1, 64) : count - 1
    let cut = Int.random(in: 1...most, using: &random)
    return Bool.random(using: &random) ? min(cut & ~7 + 8, count - 1) : cut
  }

  private mutating func splice(_ bytes: inout [UInt8], from donor: [UInt8]) {
    guard !donor.isEmpty else { return }
    let length = min(Int.random(in: 1...4096, using: &random), bytes.count, donor.count)
    let from = Int.random(in: 0...(donor.count - length), using: &random)
    let to = Int.random(in: 0...(bytes.count - length), using: &random)
    bytes.replaceSubrange(to..<to + length, with: donor[from..<from + length])
  }

  private mutating func damageHeader(_ bytes: inout [UInt8]) {
    bytes[Int.random(in: 0..<24, using: &random)] = UInt8.random(in: 0...255, using: &random)
  }

  // MARK: Nodes

  /// Makes an element of a node with references point to another node, to its own node or out of the file.
  private mutating func redirectRef(_ bytes: inout [UInt8], _ nodes: [Int]) {
    for _ in 0..<20 {
      guard let node = nodes.randomElement(using: &random), node + 8 < bytes.count, bytes[node + 4] & 0x40 != 0,
        let target = target(from: node, nodes, bytes.count)
      else { continue }
      return write(UInt64(target), toElementOf: node, &bytes)
    }
  }

  private mutating func target(from node: Int, _ nodes: [Int], _ count: Int) -> Int? {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: node
    case 1: Int.random(in: 0..<count * 2, using: &random) & ~7
    case 2: nodes.filter { $0 > node }.randomElement(using: &random) ?? node
    default: nodes.randomElement(using: &random)
    }
  }

  private mutating func damageNodeHeader(_ bytes: inout [UInt8], _ nodes: [Int]) {
    guard let node = nodes.randomElement(using: &random), node + 8 <= bytes.count else { return }
    let index = node + Int.random(in: 4..<8, using: &random)
    bytes[index] =
      Bool.random(using: &random)
      ? bytes[index] ^ (1 << UInt8.random(in: 0..<8, using: &random)) : UInt8.random(in: 0...255, using: &random)
  }

  private mutating func setElement(_ bytes: inout [UInt8], _ nodes: [Int]) {
    guard let node = nodes.randomElement(using: &random) else { return }
    let value = [0, 1, 3, .max, 1 << 63, 0x7fff_ffff, UInt64.random(in: 0 ... .max, using: &random)]
      .randomElement(using: &random)
    write(value ?? 0, toElementOf: node, &bytes)
  }

  private mutating func swapNodes(_ bytes: inout [UInt8], _ nodes: [Int]) {
    guard let first = nodes.randomElement(using: &random), let second = nodes.randomElement(using: &random) else {
      return
    }
    for offset in 0..<8 where max(first, second) + offset < bytes.count {
      bytes.swapAt(first + offset, second + offset)
    }
  }

  /// Writes as much of a value as fits into an element of the node.
  private mutating func write(_ value: UInt64, toElementOf node: Int, _ bytes: inout [UInt8]) {
    guard node + 8 <= bytes.count else { return }
    let width = max((1 << Int(bytes[node + 4] & 7)) >> 1, 8) / 8
    let count = Int(bytes[node + 5]) << 16 | Int(bytes[node + 6]) << 8 | Int(bytes[node + 7])
    let element = Int.random(in: 0...max(0, min(count, 4096) - 1), using: &random)
    for byte in 0..<width where node + 8 + element * width + byte < bytes.count {
      bytes[node + 8 + element * width + byte] = UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))
    }
  }

  /// Offsets where nodes seem to be: engines begin each with four bytes `A`.
  static func nodes(in bytes: [UInt8]) -> [Int] {
    stride(from: 24, to: max(bytes.count - 8, 24), by: 8).filter { bytes[$0..<$0 + 4].allSatisfy { $0 == 0x41 } }
  }
}
