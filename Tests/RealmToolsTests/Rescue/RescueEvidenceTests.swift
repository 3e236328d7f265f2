import RealmExchange
import RealmInspection
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// What other parts of a file say about nodes that are lost.
extension RescueTests {
  private static let teams = """
    [{"name":"Team","primaryKey":"name","properties":{"name":"string","city":"string"}},
     {"name":"Person","properties":{"number":"int","team":"Team?"}}]
    """

  /// Teams that people are members of, in three groups of objects.
  private static func makeTeams(in folder: TemporaryFolder) throws -> [UInt8] {
    var data = ""
    for number in 0..<600 {
      data += "{\"class\":\"Team\",\"value\":{\"name\":\"team \(number)\",\"city\":\"city \(number % 50)\"}}\n"
    }
    for number in 0..<900 {
      let team = number * 37 % 600
      data += "{\"class\":\"Person\",\"value\":{\"number\":\(number),\"team\":\"team \(team)\"}}\n"
    }
    return try Fixture.bytes(ofFile: seed(teams, data, in: folder))
  }

  @Test func `a class whose root and tree are lost is put together by its description and its index`() throws {
    let original = try Self.makeTeams(in: TemporaryFolder())
    var bytes = original
    let root = try Self.table("Team", bytes)
    let parts = Self.refs(root, bytes)
    let last = try #require(try Self.groups("Team", bytes).last)
    for node in [last, parts[2], parts[4], parts[7], parts[8], root] { Self.wipe(node, &bytes) }
    let outcome = try Outcome(bytes)
    let team = try #require(outcome.account.classes.first { $0.name == "Team" })
    #expect(team.savedObjects == 600 && !team.isByStructure && team.lostObjects == nil)
    let table = try #require(outcome.snapshot.schema.classNamed("Team"))
    #expect(table.primaryKey?.name == "name" && table.properties.map(\.name) == ["name", "city"])
    #expect(try equal(outcome, original, "Team") == 1200)
    #expect(try equal(outcome, original, "Person") == 1800)
  }

  @Test func `links are told by the other end where one class lost its root and the other its description`() throws {
    let original = try Self.copied(TemporaryFolder())
    var bytes = original
    let (log, person) = (try Self.table("Log", bytes), try Self.table("Person", bytes))
    let parts = Self.refs(log, bytes)
    for node in [parts[2], parts[7], parts[8], log] { Self.wipe(node, &bytes) }
    let spec = Self.refs(person, bytes)[0]
    for node in Self.refs(spec, bytes) + [spec] where node != 0 { Self.wipe(node, &bytes) }
    let outcome = try Outcome(bytes)
    let saved = try #require(outcome.account.classes.first { $0.name == "Log" })
    #expect(saved.savedObjects == 900 && saved.lostProperties == [])
    #expect(try equal(outcome, original, "Log") == 2700)
  }

  @Test func `a class whose description and whose keys of groups are lost is told by its groups`() throws {
    let original = try Self.copied(TemporaryFolder())
    var bytes = original
    let parts = Self.refs(try Self.table("Log", bytes), bytes)
    let keys = Self.refs(parts[2], bytes)[0]
    try #require(keys & 1 == 0 && keys != 0)
    for node in Self.refs(parts[0], bytes) + [parts[0], keys] where node != 0 { Self.wipe(node, &bytes) }
    let outcome = try Outcome(bytes)
    let log = try #require(outcome.account.classes.first { $0.name == "Log" })
    #expect(log.isByStructure && log.savedObjects == 900)
    let truth = try Self.values(of: Snapshot(of: ByteStore(copying: original)))["Log"] ?? [:]
    let saved = try outcome.values()["Log"] ?? [:]
    #expect(truth.allSatisfy { saved[$0.key]?["property1"] == $0.value["text"] })
  }

  /// Nodes of more than one time that lead to the groups of people, none of which the live snapshot has.
  private static func olderTrees(_ bytes: [UInt8]) throws -> [Int] {
    let live = refs(try table("Person", bytes), bytes)[2]
    return stride(from: 24, to: bytes.count - 8, by: 8).filter { node in
      node != live && bytes[node..<node + 4].elementsEqual("AAAA".utf8) && bytes[node + 4] & 0xf8 == 0xc0
        && refs(node, bytes).count == refs(live, bytes).count && refs(node, bytes)[4] == refs(live, bytes)[4]
    }
  }

  @Test func `a group of another time is put where its objects belong`() throws {
    var bytes = Self.sample
    let live = try Self.groups("Person", bytes)
    var changed = 0
    for tree in try Self.olderTrees(bytes) {
      let first = Self.refs(tree, bytes)[3]
      guard first != live[0] else { continue }
      // As if the third group of that time were overwritten by one like the first.
      let width = (1 << Int(bytes[tree + 4] & 7)) >> 4
      for byte in 0..<width { bytes[tree + 8 + 5 * width + byte] = bytes[tree + 8 + 3 * width + byte] }
      changed += 1
    }
    try #require(changed > 0)
    Self.wipe(live[2], &bytes)
    let outcome = try Outcome(bytes)
    let people = try #require(outcome.account.classes.first { $0.name == "Person" })
    #expect(people.duplicates == 0)
    let third = ObjectKey(rawValue: 512)..<ObjectKey(rawValue: 768)
    for (key, object) in try outcome.values()["Person"] ?? [:] where third.contains(key) {
      #expect(object["id"] == .int(key.rawValue))
    }
  }

  @Test func `leaves that no group leads to are put together where the description of the class is lost`() throws {
    var bytes = Self.sample
    let parts = Self.refs(try Self.table("Person", bytes), bytes)
    let group = try Self.groups("Person", bytes)[2]
    for node in Self.refs(parts[0], bytes) + [parts[0], group] where node != 0 { Self.wipe(node, &bytes) }
    // Without the list of free space, nothing says what is before the group.
    let slot = Int(bytes[23] & 1) * 8
    let top = (0..<8).reduce(0) { $0 | Int(bytes[slot + $1]) << (8 * $1) }
    Self.wipe(Self.refs(top, bytes)[3], &bytes)
    let outcome = try Outcome(bytes)
    let people = try #require(outcome.account.classes.first { $0.name == "Person" })
    #expect(people.isByStructure && people.savedObjects == 900 && people.olderObjects == 256)
    let saved = try outcome.values()["Person"] ?? [:]
    #expect((512..<768).allSatisfy { saved[ObjectKey(rawValue: $0)]?["property1"] == .int($0) })
  }

  @Test func `lists of links come back in their order where what leads to them is lost`() throws {
    let original = try Self.copied(TemporaryFolder())
    var bytes = original
    let schema = try #require(Snapshot(of: ByteStore(copying: original)).schema.classNamed("Person"))
    let friends = try #require(schema.properties.firstIndex { $0.name == "friends" })
    Self.wipe(Self.refs(try Self.groups("Person", original)[1], original)[1 + friends], &bytes)
    let outcome = try Outcome(bytes)
    #expect(try equal(outcome, original, "Person") == 9000)
    // A single link has no order; with several, it is not certain that the list is the newest.
    let people = try #require(outcome.account.classes.first { $0.name == "Person" })
    #expect(people.olderValues == 128 && people.lostValues == 0)
  }

  @Test func `long texts in a copy come back where the root of their leaf is lost`() throws {
    let schema = "[{\"name\":\"Note\",\"properties\":{\"number\":\"int\",\"text\":\"string\",\"more\":\"string?\"}}]"
    let words = String(repeating: "word ", count: 16)
    var data = ""
    for number in 0..<1500 {
      data += "{\"class\":\"Note\",\"value\":{\"number\":\(number),\"text\":\"\(words)\(number)\",\"more\":null}}\n"
    }
    let folder = try TemporaryFolder()
    let original = try Self.copied(Self.seed(schema, data, in: folder), folder)
    let truth = try Self.values(of: Snapshot(of: ByteStore(copying: original)))["Note"] ?? [:]
    var (told, first) = (0, 0)
    for group in try Self.groups("Note", original) {
      let root = Self.refs(group, original)[2]
      let page = root & ~4095
      let count = Self.refs(root, original).count
      let keys = truth.keys.sorted()[first..<first + count]
      first += count
      var bytes = original
      for place in page..<min(page + 4096, bytes.count) { bytes[place] = 0 }
      let saved = try Outcome(bytes).values()["Note"] ?? [:]
      for (key, text) in zip(keys, Self.refs(root, original)) where text + 112 <= page {
        if saved[key]?["text"] == truth[key]?["text"] { told += 1 }
      }
      // If the tree is in the same page, the objects have other keys; their numbers say which objects they are.
      for object in saved.values where object["text"] != .string("") {
        guard case .int(let number)? = object["number"], object["text"] != nil else { continue }
        #expect(object["text"] == .string(RealmString("\(words)\(number)")) || number == 0, "\(group) \(object)")
      }
    }
    // The last string before the page may end in it, and nothing is known about what comes before the first group.
    #expect(told > 200)
  }

  private static let keyed = """
    [{"name":"Team","primaryKey":"name","properties":{"name":"string","city":"string"}},
     {"name":"Tag","primaryKey":"number","properties":{"number":"int","text":"string"}},
     {"name":"Person","properties":{"team":"Team?","tags":"Tag[]"}}]
    """

  /// Objects with strings and numbers as primary keys, and others that link to them.
  private static func makeKeyed() throws -> [UInt8] {
    var data = ""
    let places = ["north", "nord", "south", "sud", "west"]
    for number in 0..<300 {
      let team = "\(places[number % 5]) \(number)"
      // Some have the lower half in common.
      let tag = number % 7 == 0 ? (number / 14 + 1) << 32 | number % 14 : number * 1_000_003
      data += "{\"class\":\"Team\",\"value\":{\"name\":\"\(team)\",\"city\":\"city \(number % 50)\"}}\n"
      data += "{\"class\":\"Tag\",\"value\":{\"number\":\(tag),\"text\":\"text \(number)\"}}\n"
      data += "{\"class\":\"Person\",\"value\":{\"team\":\"\(team)\",\"tags\":[\(tag)]}}\n"
    }
    let folder = try TemporaryFolder()
    return try withExtendedLifetime(folder) { try Fixture.bytes(ofFile: seed(keyed, data, in: folder)) }
  }

  /// The nodes of the index of a primary key that is the first property.
  private static func indexNodes(_ name: RealmString, _ bytes: [UInt8]) throws -> [Int] {
    let root = try #require(refs(refs(try table(name, bytes), bytes)[4], bytes).first { $0 != 0 && $0 & 1 == 0 })
    var (nodes, pending) = ([Int](), [root])
    while let node = pending.popLast() {
      nodes.append(node)
      if bytes[node + 4] & 0x40 != 0 { pending += refs(node, bytes).filter { $0 != 0 && $0 & 1 == 0 } }
    }
    return nodes
  }

  /// How many objects are without their primary key; if none is, everything must be as it was.
  private func displaced(_ bytes: [UInt8], _ truth: Values, _ comment: @autoclosure () -> String) throws -> Int {
    let outcome = try Outcome(bytes)
    let count = outcome.account.classes.reduce(0) { $0 + $1.objectsWithoutKey }
    let values = try outcome.values()
    for (name, objects) in truth where count == 0 {
      let isEqual = objects.allSatisfy { key, object in
        object.allSatisfy { property, value in values[name]?[key]?[property]?.isSame(as: value) ?? false }
      }
      #expect(isEqual && values[name]?.count == objects.count, "\(comment()): \(name)")
    }
    return count
  }

  /// What the checker finds in an index whatever the values are.
  private static func contradictsItself(_ bytes: [UInt8]) throws -> Bool {
    var found = false
    let relations: Set<FindingKind> = [.indexEntry, .indexMissing, .indexUnknownObject]
    _ = try Checker(ByteStore(copying: bytes)).run { finding in
      if finding.severity == .error, !relations.contains(finding.kind) { found = true }
    }
    return found
  }

  @Test(arguments: ["Team", "Tag"] as [RealmString])
  func `an index that contradicts itself takes no primary key away, a whole one at most one`(
    _ name: RealmString
  ) throws {
    let original = try Self.makeKeyed()
    let truth = try Self.values(of: Snapshot(of: ByteStore(copying: original)))
    let nodes = try Self.indexNodes(name, original)
    let bits = nodes.flatMap { node in (0..<Self.size(node, original) * 8).map { node * 8 + $0 } }
    var (contradictory, whole) = (0, 0)
    let step = bits.count / 60
    for bit in stride(from: step / 2, to: bits.count, by: step).map({ bits[$0] }) {
      var bytes = original
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let count = try displaced(bytes, truth, "bit \(bit % 8) of byte \(bit / 8)")
      if try Self.contradictsItself(bytes) {
        #expect(count == 0, "bit \(bit % 8) of byte \(bit / 8)")
        contradictory += 1
      } else {
        #expect(count <= 1, "bit \(bit % 8) of byte \(bit / 8)")
        whole += 1
      }
    }
    #expect(contradictory > 5 && whole > 5)
  }

  @Test(arguments: ["Team", "Tag"] as [RealmString])
  func `whatever an index refers to instead of its own nodes, every object keeps its primary key`(
    _ name: RealmString
  ) throws {
    let original = try Self.makeKeyed()
    let truth = try Self.values(of: Snapshot(of: ByteStore(copying: original)))
    let nodes = try Self.indexNodes(name, original)
    let values = Self.refs(try Self.groups(name, original)[0], original)[1]
    let parents = nodes.filter { original[$0 + 4] & 0x60 == 0x60 }
    for (number, node) in parents.enumerated() where number % max(1, parents.count / 4) == 0 {
      let width = (1 << Int(original[node + 4] & 7)) >> 4
      let elements = Self.refs(node, original)
      for slot in [1, elements.count - 1] {
        // Outside the file, between nodes, a node of this index again, one of the objects.
        for element in [original.count &* 2 & ~7, elements[slot] & ~7 + 4, nodes[0], elements[1], values] {
          var bytes = original
          for byte in 0..<width {
            bytes[node + 8 + slot * width + byte] = UInt8(truncatingIfNeeded: element >> (8 * byte))
          }
          let comment = "\(element) in slot \(slot) of \(node)"
          #expect(try displaced(bytes, truth, comment) == 0, "\(comment)")
        }
      }
    }
  }

  @Test func `a whole index casts doubt on a primary key that it has as another`() throws {
    let original = try Self.makeKeyed()
    var bytes = original
    let leaf = Self.refs(try Self.groups("Tag", original)[0], original)[1]
    // The lower half of a number in a leaf of 64 bits.
    bytes[leaf + 8 + 8 * 5] ^= 0x40
    let outcome = try Outcome(bytes)
    let tags = try #require(outcome.account.classes.first { $0.name == "Tag" })
    // It stays, as no other object has it, and the object would be lost to all that links to it.
    #expect(tags.objectsWithoutKey == 0 && tags.savedObjects == 300 && tags.doubtfulValues == 1)
    #expect(outcome.details.contains { $0.kind == .doubtfulValue && $0.keys == [ObjectKey(rawValue: 5)] })
  }
}
