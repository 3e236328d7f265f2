import TestSupport
import Testing

@testable import RealmStorage

/// Classes whose objects link to each other become embedded: each way to an object gets a copy of its own.
@Suite struct EmbeddingConversionTests {
  /// What is linked to, as a tree.
  private indirect enum Tree: Equatable {
    case node(Int, [Tree])
  }

  /// Objects `N` with a number, a link and a list of links among themselves, and one object `H` with a list of them.
  private struct Graph {
    var links: [[Int]] = []
    var roots: [Int] = []

    init(_ generator: inout SeededGenerator, hasCircles: Bool) {
      let count = Int.random(in: 1...12, using: &generator)
      // The order of links is not the order of objects.
      let ranks = Array(0..<count).shuffled(using: &generator)
      for number in 0..<count {
        let others = (0..<count).filter { hasCircles || ranks[$0] > ranks[number] }
        let wanted = Int.random(in: 0...3, using: &generator)
        links.append(others.isEmpty ? [] : (0..<wanted).map { _ in others.randomElement(using: &generator) ?? 0 })
      }
      roots = (0..<Int.random(in: 0...4, using: &generator)).map { _ in Int.random(in: 0..<count, using: &generator) }
    }

    /// The same from one object.
    func trees(from root: Int) -> [Tree]? {
      var other = self
      other.roots = [root]
      return other.trees()
    }

    /// Nil if a root leads into a circle.
    func trees() -> [Tree]? {
      func tree(_ number: Int, _ above: Set<Int>) -> Tree? {
        guard !above.contains(number) else { return nil }
        var children: [Tree] = []
        for link in links[number] {
          guard let child = tree(link, above.union([number])) else { return nil }
          children.append(child)
        }
        return .node(number, children)
      }
      var trees: [Tree] = []
      for root in roots {
        guard let tree = tree(root, []) else { return nil }
        trees.append(tree)
      }
      return trees
    }
  }

  private static func size(_ tree: Tree) -> Int {
    guard case .node(_, let children) = tree else { return 0 }
    return 1 + children.reduce(0) { $0 + size($1) }
  }

  @Test(arguments: 0..<60 as Range<UInt64>) func everyWayGetsACopy(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let graph = Graph(&generator, hasCircles: seed % 5 == 0)
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", Fixture.bytes("engine/person-v1.realm"))
    let transaction = try WriteTransaction(RealmFile(exclusive: path, key: nil))
    defer { withExtendedLifetime(folder) { transaction.rollBack() } }
    try transaction.addTables([
      TableSchema(
        name: "class_N",
        properties: [
          Property(name: "n", type: .int), Property(name: "one", type: .object, isOptional: true, target: "class_N"),
          Property(name: "many", type: .object, collection: .list, target: "class_N"),
        ]),
      TableSchema(
        name: "class_H",
        properties: [Property(name: "all", type: .object, collection: .list, target: "class_N")]),
    ])
    let (table, holders) = (try transaction.table("class_N"), try transaction.table("class_H"))
    let keys = try graph.links.indices.map { _ in try table.create() }
    for (number, links) in graph.links.enumerated() {
      try table.set("n", of: keys[number], to: .int(Int64(number)))
      if let first = links.first { try table.set("one", of: keys[number], to: .link(table.key, keys[first])) }
      try table.set("many", of: keys[number], to: .list(links.dropFirst().map { .link(table.key, keys[$0]) }))
    }
    let holder = try holders.create()
    try holders.set("all", of: holder, to: .list(graph.roots.map { .link(table.key, keys[$0]) }))

    func tree(_ link: Value) throws -> Tree {
      guard case .link(_, let key) = link, case .int(let number) = try table.value("n", of: key),
        case .list(let many) = try table.value("many", of: key)
      else { throw EditError.ended }
      let one = try table.value("one", of: key)
      return .node(Int(number), try ((one == .null ? [] : [one]) + many).map { try tree($0) })
    }

    let conversion = EmbeddingConversion(table, in: transaction)
    let analysis = try conversion.analysis()
    let expected = graph.trees()
    let size = expected.map { $0.reduce(0) { $0 + Self.size($1) } }
    do {
      try conversion.convert(analysis)
    } catch is MigrationError {
      // It never ends, or nearly never.
      let isCircle = graph.links.indices.contains { graph.trees(from: $0) == nil }
      #expect(isCircle || size ?? .max > 16 * (graph.links.count + 16))
      return
    }
    let wanted = try #require(expected)
    guard case .list(let all) = try holders.value("all", of: holder) else {
      Issue.record("no list")
      return
    }
    #expect(try all.map { try tree($0) } == wanted)
    // Objects that link in a circle may have one parent each, and nothing else leads to them.
    let isFree = graph.links.indices.allSatisfy { graph.trees(from: $0) != nil }
    #expect(isFree ? table.objectCount == size : table.objectCount >= size ?? 0)
    #expect(table.schema.kind == .embedded)
    let after = try conversion.analysis()
    #expect(after.orphanCount == 0 && after.sharedCount == 0)
  }
}
