import RealmInspection
import RealmOpening
import RealmTools
import TestSupport
import Testing

@testable import RealmStorage

/// What `recover` keeps, or does not take for sound, where only one part of the file says anything about it.
@Suite struct RescueKeptValueTests {
  private static func values(_ bytes: [UInt8]) throws -> RescueTests.Values {
    try RescueTests.values(of: Snapshot(of: ByteStore(copying: bytes)))
  }

  /// The checker, like the engine, does not look at the characters of a text.
  @Test func `a text that is not UTF-8 is doubtful in a file without other damage`() throws {
    let original = try Fixture.bytes("engine/dogs.realm")
    let name = Array("Snoopy".utf8)
    let place = try #require((0..<original.count - name.count).first { Array(original[$0..<$0 + name.count]) == name })
    var bytes = original
    bytes[place] ^= 0x80
    let outcome = try RescueTests.Outcome(bytes)
    #expect(outcome.account.doubtfulValues == 1 && !outcome.account.isComplete)
    #expect(try RescueTests.Outcome(original).account.isComplete)
  }

  /// An object without its primary key would be lost to all that links to it.
  @Test func `a primary key that only the index contradicts stays, and the links to its object`() throws {
    let folder = try TemporaryFolder()
    let schema = """
      [{"name":"B","primaryKey":"id","properties":{"id":"int"}},{"name":"A","properties":{"b":"B"}}]
      """
    let objects =
      (0..<40).map { "{\"class\":\"B\",\"value\":{\"id\":\($0 * 3)}}\n" }
      + (0..<60).map { "{\"class\":\"A\",\"value\":{\"b\":\($0 % 40 * 3)}}\n" }
    let original = try Fixture.bytes(ofFile: RescueTests.seed(schema, objects.joined(), in: folder))
    let wanted = try Self.values(original)
    let root = try #require(
      RescueTests.refs(RescueTests.refs(try RescueTests.table("B", original), original)[4], original).first { $0 > 0 })
    var doubtful = 0
    // The root, and the list of what the values begin with.
    let nodes = [root, RescueTests.refs(root, original)[0]]
    for byte in nodes.flatMap({ node in (node + 8..<node + RescueTests.size(node, original)) }) {
      var bytes = original
      bytes[byte] ^= 0x10
      let outcome = try RescueTests.Outcome(bytes)
      doubtful += outcome.account.doubtfulValues
      let found = try outcome.values()
      for name in ["A", "B"] {
        #expect(found[RealmString(name)]?.count == wanted[RealmString(name)]?.count, "\(byte)")
        for (key, object) in wanted[RealmString(name), default: [:]] {
          for (property, value) in object {
            let isSame = found[RealmString(name)]?[key]?[property]?.isSame(as: value) == true
            #expect(isSame, "\(byte): \(name).\(property) \(key.rawValue)")
          }
        }
      }
    }
    #expect(doubtful > 0)
  }

  /// Objects with a link to one of as many, and rarely another link.
  private static let linked = Result {
    let schema = """
      [{"name":"P","primaryKey":"id","properties":{"id":"int"}},
      {"name":"Q","primaryKey":"id","properties":{"id":"int","own":"P?","few":"P?"}}]
      """
    let targets = (0..<200).map { "{\"class\":\"P\",\"value\":{\"id\":\($0)}}\n" }
    let origins = (0..<200).map { row in
      let few = row % 31 == 0 ? "\(row * 7 % 200)" : "null"
      return "{\"class\":\"Q\",\"value\":{\"id\":\(row),\"own\":\(row * 37 % 200),\"few\":\(few)}}\n"
    }
    let folder = try TemporaryFolder()
    return try Fixture.bytes(ofFile: RescueTests.seed(schema, (targets + origins).joined(), in: folder))
  }

  /// The leaf of a column, or of the links to a class from a column.
  private static func leaf(_ name: RealmString, _ column: RealmString, _ bytes: [UInt8]) throws -> Int {
    let snapshot = try Snapshot(of: ByteStore(copying: bytes))
    let table = try #require(snapshot.tables.first { $0.schema.displayName == name })
    let keys = snapshot.tables.flatMap(\.columns).filter { $0.name == column }.map(\.key)
    let own = table.columns.first { $0.name == column }?.leafIndex
    let index = try #require(own ?? table.backlinks.first { keys.contains($0.originColumn) }?.key.leafIndex)
    return RescueTests.refs(RescueTests.refs(try RescueTests.table(name, bytes), bytes)[2], bytes)[index + 1]
  }

  /// Sets elements of a leaf.
  ///
  /// - Returns: how many links are not as they were; none may be another one.
  private static func wrongLinks(in leaf: (RealmString, RealmString), _ elements: [Int: Int]) throws -> Int {
    let original = try linked.get()
    var bytes = original
    let node = try self.leaf(leaf.0, leaf.1, original)
    let width = (1 << Int(original[node + 4] & 7)) >> 4
    try #require(width > 0)
    for (row, value) in elements {
      for byte in 0..<width { bytes[node + 8 + row * width + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
    }
    let found = try RescueTests.Outcome(bytes).values()
    var wrong = 0
    for (key, object) in try values(original)["Q", default: [:]] {
      for (property, value) in object {
        let other = found["Q"]?[key]?[property] ?? .list([])
        guard !other.isSame(as: value) else { continue }
        wrong += 1
        #expect(other == .null, "\(leaf) \(property) \(key.rawValue)")
      }
    }
    return wrong
  }

  @Test func `elements of what targets know that moved or were exchanged leave the links`() throws {
    let names = RescueTests.refs(try Self.leaf("P", "own", Self.linked.get()), try Self.linked.get())
    let moved = Dictionary(uniqueKeysWithValues: (20..<60).map { ($0, names[$0 + 1]) })
    #expect(try Self.wrongLinks(in: ("P", "own"), moved) == 0)
    #expect(try Self.wrongLinks(in: ("P", "own"), [30: names[31], 31: names[30]]) <= 2)
  }

  @Test func `a target that names an object without a link does not make one`() throws {
    let rare = RescueTests.refs(try Self.leaf("P", "few", Self.linked.get()), try Self.linked.get())
    let row = try #require(rare.indices.first { $0 > 9 && rare[$0] == 0 })
    #expect(try Self.wrongLinks(in: ("P", "few"), [row: 5 << 1 | 1]) == 0)
    let named = try #require(rare.indices.first { $0 > 0 && rare[$0] != 0 && rare[$0 - 1] == 0 })
    #expect(try Self.wrongLinks(in: ("P", "few"), [named: 0, named - 1: rare[named]]) <= 1)
  }

  @Test func `neighboring links among nulls that no target knows are doubtful`() throws {
    let links = Dictionary(uniqueKeysWithValues: (40..<46).map { ($0, $0 * 29 % 200) })
    #expect(try Self.wrongLinks(in: ("Q", "few"), links) == 0)
  }

  @Test func `links that became zeros are those that their targets know, where these lie apart`() throws {
    #expect(try Self.wrongLinks(in: ("Q", "own"), [50: 0, 51: 0, 52: 0, 53: 0]) == 0)
  }
}
