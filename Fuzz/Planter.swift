import TestSupport

/// Changes the nodes of a realm and writes all of it again, so that an element can become anything, however narrow its node
/// was, and nodes can be added.
struct Planter {
  private var random: SeededGenerator
  private let tree: NodeTree
  /// All nodes, children before parents: what comes before a node cannot contain it.
  private var nodes: [EditableNode] = []
  private var positions: [ObjectIdentifier: Int] = [:]
  /// The number of elements that may still be added, so that no input becomes so large that it takes too long.
  private var room = 60_000

  /// - Throws: if the bytes are not a realm that can be read.
  init(_ bytes: [UInt8], seed: UInt64) throws {
    random = SeededGenerator(seed: seed ^ 0x91a27e5)
    tree = try NodeTree(bytes)
    collect(tree.root)
  }

  private mutating func collect(_ node: EditableNode) {
    guard positions[ObjectIdentifier(node)] == nil else { return }
    positions[ObjectIdentifier(node)] = -1
    for case .child(let child) in node.elements { collect(child) }
    positions[ObjectIdentifier(node)] = nodes.count
    nodes.append(node)
  }

  private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<max(sides, 1), using: &random) }
  private mutating func pick<Items: Collection>(_ items: Items) -> Items.Element? {
    items.randomElement(using: &random)
  }

  // MARK: Numbers

  /// A realm whose nodes hold numbers of any size.
  mutating func withNumbers() -> [UInt8] {
    for _ in 0...roll(3) {
      guard let node = pick(nodes) else { break }
      switch node.content {
      case .numbers(let values) where !values.isEmpty: setNumbers(of: node, values)
      case .elements(let elements) where !elements.isEmpty: setElements(of: node, elements)
      default: node.claimedCount = claim(node.count)
      }
      if roll(12) == 0 { node.claimedCount = claim(node.count) }
    }
    return written()
  }

  /// Numbers at the edges of what is calculated with.
  private mutating func extreme(near count: Int) -> Int64 {
    switch roll(12) {
    case 0: .max
    case 1: .min
    case 2: -1
    case 3: 1 << 62
    case 4: Int64(1) << Int64(roll(63))
    case 5: (1 << 31) - 1
    case 6: -(1 << 31)
    case 7: Int64(count) + Int64(roll(5)) - 2
    case 8: Int64(roll(1 << 16))
    case 9: .max - Int64(roll(16))
    case 10: Int64(roll(64)) * 8
    default: Int64(bitPattern: random.next())
    }
  }

  private mutating func setNumbers(of node: EditableNode, _ values: [Int64]) {
    var values = values
    switch roll(6) {
    case 0: values = values.map { _ in 0 }
    case 1:
      let value = extreme(near: values.count)
      values = values.map { _ in value }
    case 2: values.append(extreme(near: values.count))
    case 3: values.removeLast()
    default: for _ in 0...roll(3) { values[roll(values.count)] = extreme(near: values.count) }
    }
    node.values = values
  }

  /// Numbers in nodes with references are odd; sometimes they are made refs.
  private mutating func setElements(of node: EditableNode, _ elements: [EditableNode.Element]) {
    let numbers = elements.indices.filter { if case .raw = elements[$0] { true } else { false } }
    guard let index = roll(6) == 0 ? elements.indices.randomElement(using: &random) : pick(numbers) else { return }
    let value = extreme(near: elements.count)
    node.elements[index] = roll(5) == 0 ? .raw(value) : .tagged(value)
  }

  /// More or fewer elements than there are: nothing shows their number if an element takes no room.
  private mutating func claim(_ count: Int) -> Int {
    switch roll(5) {
    case 0: 0xff_ffff
    case 1: roll(0x100_0000)
    case 2: 0
    default: max(0, min(count + roll(9) - 4, 0xff_ffff))
    }
  }

  // MARK: Plants

  /// A realm with nodes that no engine writes.
  mutating func withPlants() -> [UInt8] {
    for _ in 0...roll(2) {
      switch roll(10) {
      case 0, 1: share()
      case 2: graft()
      case 3, 4: plantPieces()
      case 5: plantLongTexts()
      case 6, 7: plantTree()
      case 8: plantFreeLists()
      default: plantEmptiness()
      }
    }
    return written(normal: roll(3) > 0)
  }

  private mutating func parent() -> EditableNode? {
    for _ in 0..<30 {
      guard let node = pick(nodes) else { return nil }
      if children(of: node).isEmpty { continue }
      return node
    }
    return nil
  }

  private func children(of node: EditableNode) -> [Int] {
    node.elements.indices.filter { node.child($0) != nil }
  }

  /// One child in many places of its parent, which may become longer.
  private mutating func share() {
    guard let node = parent(), let from = pick(children(of: node)), let child = node.child(from) else { return }
    // Changing one element at a time in place would copy all the others.
    var elements = node.elements
    for slot in children(of: node) where roll(2) == 0 { elements[slot] = .child(child) }
    let more = min(room, [0, 0, roll(8), roll(1000), roll(20_000)][roll(5)])
    room -= more
    let place = roll(2) == 0 ? elements.count : min(elements.count, from + 1)
    elements.insert(contentsOf: Array(repeating: .child(child), count: more), at: place)
    node.elements = elements
  }

  /// Another node in place of a child.
  private mutating func graft() {
    guard let node = parent(), let slot = pick(children(of: node)), let position = positions[ObjectIdentifier(node)],
      let other = pick(nodes[..<max(position, 0)])
    else { return }
    node.elements[slot] = .child(other)
  }

  /// A blob made of the same piece again and again.
  private mutating func plantPieces() {
    guard let blob = pick(nodes.filter { $0.flags & 0x58 == 0x10 }) else { return }
    let count = min(room, [2, 17, 1000, 20_000][roll(4)])
    room -= count
    let size = min(room, [0, 1, 64, 4096, 50_000][roll(5)])
    room -= size
    let piece = EditableNode.blob(Array(repeating: UInt8(ascii: "p"), count: max(0, size - 1)) + (size > 0 ? [0] : []))
    let pieces = EditableNode.refs(Array(repeating: .child(piece), count: count))
    guard replace(blob, by: pieces) == false else { return }
    // Not a value of its own yet: make it one.
    plantLongTexts(pieces)
  }

  /// A leaf of texts or data whose values are all one blob.
  private mutating func plantLongTexts(_ value: EditableNode? = nil) {
    let leaves = nodes.filter { $0.flags & 0x18 == 0x08 && $0.count > 0 || $0.flags & 0xf8 == 0x40 && $0.count == 3 }
    // The writer decides what it puts into the root.
    guard let leaf = pick(leaves), leaf !== tree.root else { return }
    let count = leaf.flags & 0x18 == 0x08 ? leaf.count : leaf.child(0)?.count ?? 0
    guard count > 0, count <= 1000 else { return }
    let size = min(room, [70, 5000, 50_000][roll(3)])
    room -= size
    let blob = value ?? EditableNode.blob(Array(repeating: UInt8(ascii: "t"), count: max(0, size - 1)) + [0])
    (leaf.flags, leaf.width) = (0x60, 0)
    leaf.elements = Array(repeating: .child(blob), count: count)
  }

  /// Puts a node in all places of another.
  private func replace(_ old: EditableNode, by new: EditableNode) -> Bool {
    var isFound = false
    for node in nodes {
      let slots = node.elements.indices.filter { node.child($0) === old }
      guard !slots.isEmpty else { continue }
      var elements = node.elements
      for slot in slots { elements[slot] = .child(new) }
      node.elements = elements
      isFound = true
    }
    return isFound
  }

  /// A tree of a collection or of objects, in levels that each hold the one below many times.
  private mutating func plantTree() {
    guard let node = parent(), let slot = pick(children(of: node)), var child = node.child(slot) else { return }
    let isOfObjects = roll(2) == 0
    for level in 1...(1 + roll(isOfObjects ? 9 : 13)) {
      let fanOut = min(room, [1, 2, 3, 100, 1000][roll(5)])
      guard fanOut > 0 else { break }
      room -= fanOut
      let copies = Array(repeating: EditableNode.Element.child(child), count: fanOut)
      let total = extreme(near: fanOut)
      if isOfObjects {
        let depth = roll(8) == 0 ? extreme(near: level) : Int64(level)
        child = .refs([.raw(0), .tagged(depth), .tagged(total)] + copies, flags: 0xc0)
      } else {
        let first: EditableNode.Element
        if roll(2) == 0 {
          first = .tagged(extreme(near: fanOut))
        } else {
          let step = extreme(near: 4)
          first = .child(.numbers((1..<max(fanOut, 1)).map { Int64($0) &* step }))
        }
        child = .refs([first] + copies + [.tagged(total)], flags: 0xc0)
      }
    }
    node.elements[slot] = .child(child)
  }

  /// Free space where there is none, twice, or without limit.
  private mutating func plantFreeLists() {
    var random = random
    let count = [1, 2, 4, 60, 3000][Int.random(in: 0..<5, using: &random)]
    let style = Int.random(in: 0..<5, using: &random)
    let entries = (0..<count).map { _ in (random.next(), random.next(), random.next()) }
    self.random = random
    tree.freeEntries = { free in
      entries.map { first, second, third in
        let place = Int64(first % UInt64(max(free.upperBound, 1))) & ~7
        let version = Int64(third % 3)
        switch style {
        case 0: return .init(place, Int64(second % 4096) & ~7, version: version)
        case 1: return .init(24, 1 << 62, version: version)
        case 2: return .init(Int64(bitPattern: first), Int64(bitPattern: second), version: Int64(bitPattern: third))
        case 3: return .init(free.lowerBound, free.upperBound - free.lowerBound, version: .max)
        default: return .init(Int64.max & ~7 - place, place, version: version)
        }
      }
    }
    guard self.random.next() % 3 == 0 else { return }
    let claim = claim(count)
    tree.editFreeLists = { lists in lists.last?.claimedCount = claim }
  }

  /// Nodes with elements that take no room.
  private mutating func plantEmptiness() {
    guard let node = parent(), let slot = pick(children(of: node)) else { return }
    let empty = EditableNode.numbers([])
    empty.flags = [0x00, 0x08, 0x40, 0x20, 0x60, 0xc0][roll(6)]
    empty.claimedCount = [1, 1000, 65_535, 0x10000, 0xff_ffff, roll(0x100_0000)][roll(6)]
    node.elements[slot] = .child(empty)
  }

  private func written(normal: Bool = true) -> [UInt8] { tree.written(normal ? .normal : .streaming) }
}
