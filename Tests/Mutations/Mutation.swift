import TestSupport

/// One change in one place of an undamaged realm.
package struct Mutation: Sendable, CustomStringConvertible {
  /// What kind of bytes are changed. Each is as likely as any other, whatever part of the file it makes up.
  package enum Target: String, CaseIterable, Sendable {
    case header
    /// Byte 4 of a node: its kind and the width of its elements.
    case nodeFlags
    case nodeCount
    case ref
    /// Tagged numbers among refs.
    case tagged
    /// Elements of nodes of numbers: values, keys, offsets, descriptions, free space.
    case number
    /// Strings, data, names, ids.
    case text
    /// Any bit of the file.
    case bit
  }

  package let target: Target
  /// What was done where.
  package let description: String
  let offset: Int
  let replacement: [UInt8]

  /// The realm with this change.
  package func applied(to bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes.replaceSubrange(offset..<offset + replacement.count, with: replacement)
    return bytes
  }
}

/// Makes changes of one realm, the same ones for the same seed.
package struct Mutator {
  private let bytes: [UInt8]
  private let nodes: [RealmNodes.Node]
  private let refNodes: [RealmNodes.Node]
  private let numberNodes: [RealmNodes.Node]
  private let textNodes: [RealmNodes.Node]
  private var random: SeededGenerator

  package init(_ bytes: [UInt8], seed: UInt64) {
    self.bytes = bytes
    nodes = RealmNodes(bytes).all
    let filled = nodes.filter { $0.payloadSize > 0 }
    refNodes = filled.filter { $0.hasRefs && $0.hasElements && $0.width >= 8 }
    numberNodes = filled.filter { !$0.hasRefs && $0.hasElements }
    textNodes = filled.filter { !$0.hasElements }
    random = SeededGenerator(seed: seed)
  }

  /// The next change; one that changes nothing is left out.
  package mutating func next() -> Mutation {
    while true {
      guard let target = Mutation.Target.allCases.randomElement(using: &random) else { continue }
      guard let mutation = mutation(of: target) else { continue }
      let range = mutation.offset..<mutation.offset + mutation.replacement.count
      if !bytes[range].elementsEqual(mutation.replacement) { return mutation }
    }
  }

  private mutating func mutation(of target: Mutation.Target) -> Mutation? {
    switch target {
    case .header: byte(target, "header", in: 0..<24)
    case .nodeFlags: nodes.randomElement(using: &random).flatMap { flags(of: $0) }
    case .nodeCount: nodes.randomElement(using: &random).flatMap { count(of: $0) }
    case .ref: refNodes.randomElement(using: &random).flatMap { ref(in: $0) }
    case .tagged: refNodes.randomElement(using: &random).flatMap { tagged(in: $0) }
    case .number: numberNodes.randomElement(using: &random).flatMap { number(in: $0) }
    case .text:
      textNodes.randomElement(using: &random).flatMap { node in
        byte(target, "node \(hex(node.offset))", in: node.offset + 8..<node.offset + 8 + node.payloadSize)
      }
    case .bit: bit()
    }
  }

  private func hex(_ number: Int) -> String { "0x" + String(number, radix: 16) }

  // MARK: Bytes

  private mutating func byte(_ target: Mutation.Target, _ place: String, in range: Range<Int>) -> Mutation? {
    guard let offset = range.randomElement(using: &random) else { return nil }
    let old = bytes[offset]
    let new =
      [old ^ 1 << UInt8.random(in: 0..<8, using: &random), UInt8.random(in: 0...255, using: &random), 0, 0xff]
      .randomElement(using: &random) ?? 0
    return Mutation(
      target: target, description: "\(place), byte \(hex(offset)): \(old) becomes \(new)", offset: offset,
      replacement: [new])
  }

  private mutating func bit() -> Mutation? {
    guard let offset = bytes.indices.randomElement(using: &random) else { return nil }
    let new = bytes[offset] ^ 1 << UInt8.random(in: 0..<8, using: &random)
    return Mutation(
      target: .bit, description: "byte \(hex(offset)): \(bytes[offset]) becomes \(new)", offset: offset,
      replacement: [new])
  }

  // MARK: Headers of nodes

  private mutating func flags(of node: RealmNodes.Node) -> Mutation? {
    let old = node.flags
    let new =
      [
        old ^ 1 << UInt8.random(in: 0..<8, using: &random), old & 0xf8 | UInt8.random(in: 0..<8, using: &random),
        UInt8.random(in: 0...255, using: &random),
      ].randomElement(using: &random) ?? 0
    return Mutation(
      target: .nodeFlags, description: "flags of node \(hex(node.offset)): \(hex(Int(old))) becomes \(hex(Int(new)))",
      offset: node.offset + 4, replacement: [new])
  }

  private mutating func count(of node: RealmNodes.Node) -> Mutation? {
    let old = node.count
    let new =
      [
        old + 1, old - 1, 0, old * 2, old ^ 1 << Int.random(in: 0..<24, using: &random),
        Int.random(in: 0...0xff_ffff, using: &random),
      ].randomElement(using: &random) ?? 0
    guard new >= 0, new <= 0xff_ffff else { return nil }
    return Mutation(
      target: .nodeCount, description: "count of node \(hex(node.offset)): \(old) becomes \(new)",
      offset: node.offset + 5, replacement: [UInt8(new >> 16), UInt8(new >> 8 & 0xff), UInt8(new & 0xff)])
  }

  // MARK: Elements

  private mutating func element(
    _ node: RealmNodes.Node, where isWanted: (UInt64) -> Bool, _ target: Mutation.Target,
    _ change: (inout Self, UInt64) -> UInt64
  ) -> Mutation? {
    let size = node.width / 8
    let candidates = (0..<node.count).filter {
      isWanted(RealmNodes.number(bytes, at: node.offset + 8 + $0 * size, size: size))
    }
    guard let index = candidates.randomElement(using: &random) else { return nil }
    let offset = node.offset + 8 + index * size
    let old = RealmNodes.number(bytes, at: offset, size: size)
    let new = change(&self, old)
    let replacement = (0..<size).map { UInt8(truncatingIfNeeded: new >> UInt64(8 * $0)) }
    return Mutation(
      target: target,
      description: "\(target.rawValue) \(index) of \(node.count) of node \(hex(node.offset)), flags "
        + "\(hex(Int(node.flags))): 0x\(String(old, radix: 16)) becomes 0x\(String(new, radix: 16))",
      offset: offset, replacement: replacement)
  }

  private mutating func ref(in node: RealmNodes.Node) -> Mutation? {
    element(node, where: { $0 & 1 == 0 }, .ref) { mutator, old in
      let random = UInt64.random(in: 0 ... .max, using: &mutator.random)
      let other = mutator.nodes.randomElement(using: &mutator.random).map { UInt64($0.offset) } ?? 0
      let inside = random % UInt64(mutator.bytes.count) & ~7
      return [0, old | 1, old + 8, old &- 8, old ^ 4, UInt64(node.offset), other, other, inside, random]
        .randomElement(using: &mutator.random) ?? 0
    }
  }

  private mutating func tagged(in node: RealmNodes.Node) -> Mutation? {
    element(node, where: { $0 & 1 != 0 }, .tagged) { mutator, old in
      let random = UInt64.random(in: 0 ... .max, using: &mutator.random)
      return [0, 1, old + 2, old &- 2, old & ~1, old << 1 | 1, .max, random | 1, random]
        .randomElement(using: &mutator.random) ?? 0
    }
  }

  private mutating func number(in node: RealmNodes.Node) -> Mutation? {
    guard node.width >= 8 else {
      return byte(.number, "node \(hex(node.offset))", in: node.offset + 8..<node.offset + 8 + node.payloadSize)
    }
    return element(node, where: { _ in true }, .number) { mutator, old in
      let random = UInt64.random(in: 0 ... .max, using: &mutator.random)
      let top = UInt64(1) << UInt64(node.width - 1)
      return [0, 1, old &+ 1, old &- 1, old ^ 1 << (random % 64), top, top - 1, .max, random]
        .randomElement(using: &mutator.random) ?? 0
    }
  }
}
