import RealmExchange
import RealmInspection
import RealmOpening
import RealmTools
import TestSupport
import Testing

@testable import RealmStorage

/// Damage to one of two things that a file has of the same fact: the other one decides, and readers say what is missing.
@Suite struct RescueRedundancyTests {
  private static func dogs() throws -> [UInt8] { try Fixture.bytes("engine/dogs.realm") }

  private static func values(_ bytes: [UInt8]) throws -> RescueTests.Values {
    try RescueTests.values(of: Snapshot(of: ByteStore(copying: bytes)))
  }

  private static func expectEqual(_ found: RescueTests.Values, _ wanted: RescueTests.Values, _ text: String) {
    for (name, objects) in wanted {
      #expect(found[name]?.count == objects.count, "\(text): \(name)")
      for (key, object) in objects {
        for (property, value) in object {
          #expect(
            found[name]?[key]?[property]?.isSame(as: value) == true, "\(text): \(name).\(property) \(key.rawValue)")
        }
      }
    }
  }

  /// Whether something of the classes cannot be read.
  private static func isDamaged(_ bytes: [UInt8]) throws -> Bool {
    let snapshot = try Snapshot(of: ByteStore(copying: bytes))
    let options = ExportOptions(
      format: .ndjson, tables: ExportOptions.allTables(of: snapshot, format: .ndjson, includesInternal: false))
    let damage = try Exporter(snapshot, options: options, sink: HashSink()).run()
    return damage.count > 0 || !snapshot.damagedTables.isEmpty
  }

  /// All bits of leaf index, type and attributes.
  @Test(arguments: ["Dog", "Person"]) func `a damaged key of a column leaves names, types and values`(_ name: String)
    throws
  {
    let original = try Self.dogs()
    let wanted = try Self.values(original)
    let spec = RescueTests.refs(try RescueTests.table(RealmString(name), original), original)[0]
    let keys = RescueTests.refs(spec, original)[5]
    let (width, count) = ((1 << Int(original[keys + 4] & 7)) >> 4, RescueTests.refs(keys, original).count)
    for column in 0..<count {
      for bit in 0..<30 where bit / 8 < width {
        var bytes = original
        bytes[keys + 8 + column * width + bit / 8] ^= 1 << UInt8(bit % 8)
        let outcome = try RescueTests.Outcome(bytes)
        Self.expectEqual(try outcome.values(), wanted, "column \(column), bit \(bit)")
        #expect(outcome.account.classes.allSatisfy { !$0.isByStructure })
      }
    }
  }

  /// Two columns then have the place of the first.
  @Test(arguments: ["Dog", "Person"]) func `a key of zeros leaves names, types and values`(_ name: String) throws {
    let original = try Self.dogs()
    let wanted = try Self.values(original)
    let spec = RescueTests.refs(try RescueTests.table(RealmString(name), original), original)[0]
    let keys = RescueTests.refs(spec, original)[5]
    let (width, count) = ((1 << Int(original[keys + 4] & 7)) >> 4, RescueTests.refs(keys, original).count)
    for column in 1..<count {
      var bytes = original
      for place in 0..<width { bytes[keys + 8 + column * width + place] = 0 }
      Self.expectEqual(try RescueTests.Outcome(bytes).values(), wanted, "column \(column)")
    }
  }

  /// A class of embedded objects in lists, and one of objects in a chain.
  private static let families = Result {
    let schema = """
      [{"name":"P","primaryKey":"id","properties":{"id":"int","es":"E[]","next":"P?"}},
      {"name":"E","embedded":true,"properties":{"v":"int"}}]
      """
    let parents = (0..<60).map { row in
      let children = (0..<row % 4).map { "{\"v\":\(row * 10 + $0)}" }.joined(separator: ",")
      let next = row < 59 ? "\(row + 1)" : "null"
      return "{\"class\":\"P\",\"value\":{\"id\":\(row),\"es\":[\(children)],\"next\":\(next)}}\n"
    }
    let folder = try TemporaryFolder()
    return try Fixture.bytes(ofFile: RescueTests.seed(schema, parents.joined(), in: folder))
  }

  private static func backlinks(_ name: RealmString, from column: RealmString, _ bytes: [UInt8]) throws -> Int {
    let snapshot = try Snapshot(of: ByteStore(copying: bytes))
    let table = try #require(snapshot.tables.first { $0.schema.displayName == name })
    let keys = snapshot.tables.flatMap(\.columns).filter { $0.name == column }.map(\.key)
    let index = try #require(table.backlinks.first { keys.contains($0.originColumn) }?.key.leafIndex)
    return RescueTests.refs(RescueTests.refs(try RescueTests.table(name, bytes), bytes)[2], bytes)[index + 1]
  }

  @Test func `embedded objects that know no parent have the one that has them`() throws {
    let original = try Self.families.get()
    let leaf = try Self.backlinks("E", from: "es", original)
    for place in stride(from: leaf + 8, to: leaf + RescueTests.size(leaf, original) - 8, by: 16) {
      var bytes = original
      for zero in place..<place + 8 { bytes[zero] = 0 }
      Self.expectEqual(try RescueTests.Outcome(bytes).values(), try Self.values(original), "\(place - leaf)")
    }
  }

  /// A single link leads to one object: that two objects know it shows which end is wrong.
  @Test func `elements of a leaf of backlinks that moved by one`() throws {
    let original = try Self.families.get()
    let leaf = try Self.backlinks("P", from: "next", original)
    let (width, count) = ((1 << Int(original[leaf + 4] & 7)) >> 4, RescueTests.refs(leaf, original).count)
    try #require(width > 0)
    var bytes = original
    for place in leaf + 8 + 20 * width..<leaf + 8 + (count - 10) * width { bytes[place] = original[place + width] }
    Self.expectEqual(try RescueTests.Outcome(bytes).values(), try Self.values(original), "moved")
  }

  @Test func `links that became zeros are taken from their targets`() throws {
    let original = try Self.families.get()
    let snapshot = try Snapshot(of: ByteStore(copying: original))
    let table = try #require(snapshot.tables.first { $0.schema.displayName == "P" })
    let index = try #require(table.columns.first { $0.name == "next" }?.leafIndex)
    let group = RescueTests.refs(RescueTests.refs(try RescueTests.table("P", original), original)[2], original)
    var bytes = original
    for place in group[index + 1] + 16..<group[index + 1] + 32 { bytes[place] = 0 }
    Self.expectEqual(try RescueTests.Outcome(bytes).values(), try Self.values(original), "zeros")
  }

  /// The lists then are those of other objects.
  @Test func `refs of a leaf of lists that moved by one`() throws {
    let original = try Self.families.get()
    let snapshot = try Snapshot(of: ByteStore(copying: original))
    let table = try #require(snapshot.tables.first { $0.schema.displayName == "P" })
    let index = try #require(table.columns.first { $0.name == "es" }?.leafIndex)
    let group = RescueTests.refs(RescueTests.refs(try RescueTests.table("P", original), original)[2], original)
    let (leaf, wanted) = (group[index + 1], try Self.values(original)["P", default: [:]])
    let (width, count) = ((1 << Int(original[leaf + 4] & 7)) >> 4, RescueTests.refs(leaf, original).count)
    var bytes = original
    for place in leaf + 8 + 4 * width..<leaf + 8 + (count - 1) * width { bytes[place] = original[place + width] }
    let outcome = try RescueTests.Outcome(bytes)
    let found = try outcome.values()["P", default: [:]]
    let wrong = wanted.count { key, object in
      found[key]?["es"].map { $0 != .list([]) && !$0.isSame(as: object["es"] ?? .null) } ?? false
    }
    #expect(wrong == 0 && outcome.account.doubtfulValues > 30)
  }

  /// The list of names has as many elements, and each table has its number.
  @Test func `the number of tables is that of their names`() throws {
    let original = try Self.dogs()
    let header = Int(original[23] & 1) * 8
    func word(_ place: Int) -> Int { (0..<8).reduce(0) { $0 | Int(original[place + $1]) << (8 * $1) } }
    let list = RescueTests.refs(word(header) == -1 ? word(original.count - 16) : word(header), original)[1]
    let bits: [(Int, UInt8)] = [(7, 0x01), (7, 0x20), (6, 0x01), (4, 0x01), (4, 0x02), (4, 0x04), (4, 0x40)]
    for (place, mask) in [(7, original[list + 7])] + bits {
      var bytes = original
      bytes[list + place] ^= mask
      Self.expectEqual(try RescueTests.Outcome(bytes).values(), try Self.values(original), "byte \(place) ^ \(mask)")
    }
  }

  /// The node ends where the next one begins.
  @Test func `an inner node with another number of children`() throws {
    let original = RescueTests.sample
    let root = RescueTests.refs(try RescueTests.table("Person", original), original)[2]
    for (place, mask) in [(6, 0x01), (6, 0x10), (5, 0x01), (4, 0x80), (4, 0x01)] as [(Int, UInt8)] {
      var bytes = original
      bytes[root + place] ^= mask
      Self.expectEqual(try RescueTests.Outcome(bytes).values(), try Self.values(original), "byte \(place) ^ \(mask)")
    }
  }

  /// It has as many objects as it says, whatever follows its elements in the last word.
  @Test func `an inner node below another one`() throws {
    let original = try Fixture.bytes("engine/deep-tree.realm")
    let root = RescueTests.refs(try RescueTests.table("Item", original), original)[2]
    let inner = RescueTests.refs(root, original).dropFirst(3)
    try #require(inner.count == 2 && inner.allSatisfy { original[$0 + 4] & 0x80 != 0 })
    let masks: [(Int, UInt8)] = [(4, 0x80), (4, 0x02), (5, 0x01), (7, 0x10)]
    for (place, mask) in inner.flatMap({ node in masks.map { (node + $0, $1) } }) + [(root + 7, 0x01)] {
      var bytes = original
      bytes[place] ^= mask
      let outcome = try RescueTests.Outcome(bytes)
      let table = outcome.snapshot.tables.first { $0.schema.displayName == "Item" }
      #expect(try table?.objectCount() == 60_000, "\(place) ^ \(mask)")
    }
  }

  /// Three of four lists say the same, and all keys of columns have the number of their table.
  @Test func `bits of the numbers that say which columns belong together`() throws {
    let original = try Self.dogs()
    let root = try RescueTests.table("Dog", original)
    let slots = RescueTests.refs(root, original)
    let width = (1 << Int(original[root + 4] & 7)) >> 4
    var places: [(Int, Int)] = [(root + 8 + 11 * width, 8 * width - 2), (root + 8 + 3 * width, 8 * width - 2)]
    for list in slots[7...8] {
      let size = (1 << Int(original[list + 4] & 7)) >> 4
      try #require(size > 0)
      places += RescueTests.refs(list, original).indices.map { (list + 8 + $0 * size, 8 * size) }
    }
    let wanted = try Self.values(original)
    for (place, bits) in places {
      for bit in stride(from: place % 5, to: bits, by: 5) {
        var bytes = original
        bytes[place + bit / 8] ^= 1 << UInt8(bit % 8)
        let outcome = try RescueTests.Outcome(bytes)
        Self.expectEqual(try outcome.values(), wanted, "\(place), bit \(bit)")
        #expect(outcome.snapshot.schema.classNamed("Dog")?.primaryKey?.name == "_id", "\(place), bit \(bit)")
      }
    }
  }

  /// A leaf has as many elements as its group has objects, and is of the column's kind.
  @Test func `headers of leaves of all kinds`() throws {
    let schema = """
      [{"name":"A","properties":{"i":"int","b":"bool","n":"bool?","t":"string","at":"date","o":"objectId","u":"uuid","d":"decimal128",
      "m":"mixed","l":"int[]"}}]
      """
    let objects = (0..<40).map { row in
      let digits = "\(row + 10)"
      return """
        {"i":\(row * 9),"b":\(row % 3 == 0),"n":\(row % 3 == 0 ? "null" : "true"),"t":"t\(row)","at":"2020-01-01T00:00:\(digits)Z",\
        "o":"507f1f77bcf86cd7994390\(digits)","u":"123e4567-e89b-12d3-a456-4266141740\(digits)","d":"\(row).25",\
        "m":\(row % 2 == 0 ? "\(row)" : "\"m\(row)\""),"l":[\(row)]}

        """
    }
    let folder = try TemporaryFolder()
    let original = try Fixture.bytes(ofFile: RescueTests.seed(schema, objects.joined(), in: folder))
    let wanted = try Self.values(original)
    let group = RescueTests.refs(try RescueTests.table("A", original), original)[2]
    for leaf in RescueTests.refs(group, original).dropFirst() {
      var bytes = original
      bytes[leaf + 5] ^= 1
      Self.expectEqual(try RescueTests.Outcome(bytes).values(), wanted, "leaf \(leaf)")
    }
  }

  /// Which of the two it is shows the column.
  @Test func `leaves of values that claim to have refs, or none`() throws {
    let original = RescueTests.sample
    let wanted = try Self.values(original)
    let tree = RescueTests.refs(try RescueTests.table("Person", original), original)[2]
    let group = RescueTests.refs(tree, original)[3]
    for (slot, leaf) in RescueTests.refs(group, original).enumerated().dropFirst() where leaf != 0 {
      var bytes = original
      bytes[leaf + 4] ^= 0x40
      Self.expectEqual(try RescueTests.Outcome(bytes).values(), wanted, "leaf \(slot)")
    }
  }

  /// Where the ref led, there is a node that nothing leads to now.
  @Test(arguments: ["Dog", "Person"]) func `bits of the refs to what describes a class, and to its objects`(
    _ name: String
  ) throws {
    let original = try Self.dogs()
    let wanted = try Self.values(original)
    let root = try RescueTests.table(RealmString(name), original)
    let (spec, group) = (RescueTests.refs(root, original)[0], RescueTests.refs(root, original)[2])
    let leaves = Array(1..<RescueTests.refs(group, original).count)
    for (node, slots) in [(root, [0, 2, 4, 7, 8]), (spec, [0, 1, 2, 5]), (group, leaves)] {
      let width = (1 << Int(original[node + 4] & 7)) >> 4
      for slot in slots where RescueTests.refs(node, original)[slot] != 0 {
        for bit in 0..<width * 8 {
          var bytes = original
          bytes[node + 8 + slot * width + bit / 8] ^= 1 << UInt8(bit % 8)
          let place = RescueTests.refs(node, bytes)[slot]
          // Another node could be meant.
          if place & 7 == 0, 0..<bytes.count - 8 ~= place, bytes[place..<place + 4].elementsEqual("AAAA".utf8) {
            continue
          }
          let outcome = try RescueTests.Outcome(bytes)
          Self.expectEqual(try outcome.values(), wanted, "node \(node), slot \(slot), bit \(bit)")
          #expect(outcome.account.classes.allSatisfy { $0.unnamedProperties.isEmpty })
        }
      }
    }
  }

  @Test func `the header of the root of a snapshot`() throws {
    let original = try Self.dogs()
    let wanted = try Self.values(original)
    let header = Int(original[23] & 1) * 8
    func word(_ place: Int) -> Int { (0..<8).reduce(0) { $0 | Int(original[place + $1]) << (8 * $1) } }
    let root = word(header) == -1 ? word(original.count - 16) : word(header)
    for (place, mask) in [(4, 0x01), (4, 0x40), (4, 0x80), (4, 0x10), (6, 0x01), (7, 0x01), (7, 0x08)] as [(Int, UInt8)]
    {
      var bytes = original
      bytes[root + place] ^= mask
      let outcome = try RescueTests.Outcome(bytes)
      Self.expectEqual(try outcome.values(), wanted, "byte \(place) ^ \(mask)")
      #expect(outcome.catalog.isLive && !outcome.account.isComplete)
    }
  }

  /// They ascend, and there are as many as elements in each leaf.
  @Test func `lists of the keys of a group's objects`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", Self.families.get())
    let transaction = try WriteTransaction(RealmFile(path, key: nil))
    for key in [3, 11, 12, 40] { try transaction.table("class_P").delete(ObjectKey(rawValue: Int64(key))) }
    try transaction.commit()
    let original = try Fixture.bytes(ofFile: path)
    let wanted = try Self.values(original)
    let keys = RescueTests.refs(RescueTests.refs(try RescueTests.table("P", original), original)[2], original)[0]
    try #require(keys & 1 == 0)
    let bits: [(Int, UInt8)] = [(7, 0x01), (7, 0x40), (6, 0x01), (4, 0x01), (8 + 20, 0x40), (8 + 50, 0x20)]
    for (place, mask) in bits {
      var bytes = original
      bytes[keys + place] ^= mask
      Self.expectEqual(try RescueTests.Outcome(bytes).values(), wanted, "byte \(place) ^ \(mask)")
    }
  }

  @Test func `the header of the list of the tables' names`() throws {
    let original = try Self.dogs()
    let header = Int(original[23] & 1) * 8
    func word(_ place: Int) -> Int { (0..<8).reduce(0) { $0 | Int(original[place + $1]) << (8 * $1) } }
    let names = RescueTests.refs(word(header) == -1 ? word(original.count - 16) : word(header), original)[0]
    for (place, mask) in [(4, 0x01), (4, 0x10), (5, 0x01), (7, 0x02)] as [(Int, UInt8)] {
      var bytes = original
      bytes[names + place] ^= mask
      Self.expectEqual(try RescueTests.Outcome(bytes).values(), try Self.values(original), "byte \(place) ^ \(mask)")
    }
  }

  @Test func `lists of numbers that may be null according to one of two`() throws {
    let folder = try TemporaryFolder()
    let schema = #"[{"name":"A","properties":{"l":"int[]","n":"int?[]","s":"int<>"}}]"#
    let data = (0..<9).map { "{\"l\":[\($0 * 70),0,1],\"n\":[\($0),null],\"s\":[\($0 * 300),-1]}\n" }.joined()
    let original = try Fixture.bytes(ofFile: RescueTests.seed(schema, data, in: folder))
    let spec = RescueTests.refs(try RescueTests.table("A", original), original)[0]
    let attributes = RescueTests.refs(spec, original)[2]
    let (width, count) = ((1 << Int(original[attributes + 4] & 7)) >> 4, RescueTests.refs(attributes, original).count)
    try #require(width > 0)
    for column in 0..<count {
      var bytes = original
      bytes[attributes + 8 + column * width] ^= 0x10
      Self.expectEqual(try RescueTests.Outcome(bytes).values(), try Self.values(original), "column \(column)")
    }
  }

  @Test func `links stay where all that their targets know of them is lost`() throws {
    let original = try Self.dogs()
    let wanted = try Self.values(original)
    let (top, snapshot) = (try RescueTests.table("Toy", original), try Snapshot(of: ByteStore(copying: original)))
    let leaf = try #require(snapshot.tables.first { $0.schema.displayName == "Toy" }?.backlinks.first?.key.leafIndex)
    let lists = RescueTests.refs(RescueTests.refs(top, original)[2], original)[leaf + 1]
    var bytes = original
    for place in lists + 8..<lists + RescueTests.size(lists, original) { bytes[place] = 0 }
    let outcome = try RescueTests.Outcome(bytes)
    Self.expectEqual(try outcome.values(), wanted, "backlinks")
    #expect(!outcome.account.isComplete && outcome.account.doubtfulValues == 0)
  }

  @Test func `a damaged link is doubtful, and the links of the others stay`() throws {
    let original = try Self.dogs()
    let (wanted, snapshot) = (try Self.values(original), try Snapshot(of: ByteStore(copying: original)))
    let dog = try #require(snapshot.tables.first { $0.schema.displayName == "Dog" })
    let leaf = try #require(dog.columns.first { $0.element.code == .link }?.leafIndex)
    let links = RescueTests.refs(RescueTests.refs(try RescueTests.table("Dog", original), original)[2], original)[
      leaf + 1]
    // Keys of a few objects take less than a byte each.
    let (width, count) = ((1 << Int(original[links + 4] & 7)) >> 1, RescueTests.refs(links, original).count)
    try #require(width < 8)
    func link(_ row: Int) -> UInt8 {
      original[links + 8 + row * width / 8] >> UInt8(row * width % 8) & (1 << UInt8(width) - 1)
    }
    let other = try #require((1..<count).first { link($0) != link(0) })
    var bytes = original
    bytes[links + 8] = bytes[links + 8] & ~(1 << UInt8(width) - 1) | link(other)
    let outcome = try RescueTests.Outcome(bytes)
    #expect(outcome.account.doubtfulValues == 1 && !outcome.account.isComplete)
    let found = try outcome.values()
    let wrong = wanted["Dog", default: [:]].filter { key, dog in
      found["Dog"]?[key]?["favoriteToy"]?.isSame(as: dog["favoriteToy"] ?? .null) != true
    }
    #expect(wrong.count == 1)
  }

  @Test func `a group of objects that claims to have none is damaged, and is repaired`() throws {
    let original = try Self.dogs()
    let group = RescueTests.refs(try RescueTests.table("Dog", original), original)[2]
    var bytes = original
    bytes[group + 4] = original[group + 4] & ~7 | 1
    #expect(try Self.isDamaged(bytes))
    #expect(throws: StorageError.self) {
      try Snapshot(of: ByteStore(copying: bytes)).tables.first { $0.schema.displayName == "Dog" }?.objectCount()
    }
    let outcome = try RescueTests.Outcome(bytes)
    Self.expectEqual(try outcome.values(), try Self.values(original), "group")
    #expect(!outcome.account.isComplete)
  }

  @Test func `a tree with fewer objects than its root says is damaged`() throws {
    let original = RescueTests.sample
    let root = RescueTests.refs(try RescueTests.table("Person", original), original)[2]
    let children = RescueTests.refs(root, original).dropFirst(3)
    for child in children {
      var bytes = original
      // The tagged number of objects of a group.
      let width = (1 << Int(original[child + 4] & 7)) >> 4
      for place in 0..<width { bytes[child + 8 + place] = place == 0 ? 1 : 0 }
      #expect(try Self.isDamaged(bytes))
      Self.expectEqual(try RescueTests.Outcome(bytes).values(), try Self.values(original), "group of none")
      for (place, mask) in [(8, 0x40), (4, 0x40), (4, 0x01), (4, 0x80), (7, 0x04)] as [(Int, UInt8)] {
        var bytes = original
        bytes[child + place] ^= mask
        let outcome = try RescueTests.Outcome(bytes)
        Self.expectEqual(try outcome.values(), try Self.values(original), "byte \(place) ^ \(mask)")
        #expect(!outcome.account.isComplete)
      }
    }
  }

  @Test func `a dictionary whose keys or values are lost is not an empty one`() throws {
    let folder = try TemporaryFolder()
    let schema = #"[{"name":"A","properties":{"d":"int{}"}}]"#
    let path = try RescueTests.seed(schema, #"{"d":{"a":1,"b":2,"c":3}}"#, in: folder)
    let original = try Fixture.bytes(ofFile: path)
    let leaf = RescueTests.refs(RescueTests.refs(try RescueTests.table("A", original), original)[2], original)[1]
    let root = RescueTests.refs(leaf, original)[0]
    for slot in 0..<2 {
      var bytes = original
      let width = (1 << Int(original[root + 4] & 7)) >> 4
      for place in 0..<width { bytes[root + 8 + slot * width + place] = 0 }
      #expect(try Self.isDamaged(bytes))
      #expect(try !RescueTests.Outcome(bytes).account.isComplete)
      bytes = original
      bytes[RescueTests.refs(root, original)[slot] + 7] = 2
      #expect(try Self.isDamaged(bytes))
      #expect(try !RescueTests.Outcome(bytes).account.isComplete)
    }
  }

  @Test func `a node of zeros is no empty list`() throws {
    let original = RescueTests.sample
    let snapshot = try Snapshot(of: ByteStore(copying: original))
    let person = try #require(snapshot.tables.first { $0.schema.displayName == "Person" })
    let leaf = try #require(person.columns.first { $0.name == "tags" }?.leafIndex)
    let group = RescueTests.refs(RescueTests.refs(try RescueTests.table("Person", original), original)[2], original)[3]
    let list = RescueTests.refs(RescueTests.refs(group, original)[leaf + 1], original)[0]
    var bytes = original
    RescueTests.wipe(list, &bytes)
    #expect(try Self.isDamaged(bytes))
    let outcome = try RescueTests.Outcome(bytes)
    #expect(outcome.account.lostValues == 1 && !outcome.account.isComplete)
  }

  @Test func `a class whose prefix is damaged is named by readers, and recovered as a class`() throws {
    let original = try Self.dogs()
    let name = try #require(original.indices.first { original[$0...].starts(with: "class_Dog".utf8) })
    for (place, byte) in [(3, UInt8(0xac)), (0, 0x62), (5, 0x5e)] {
      var bytes = original
      bytes[name + place] = byte
      #expect(try Snapshot(of: ByteStore(copying: bytes)).damagedTables.map(\.name) == ["class_Dog"])
      let outcome = try RescueTests.Outcome(bytes)
      Self.expectEqual(try outcome.values(), try Self.values(original), "\(place)")
      #expect(!outcome.account.isComplete && outcome.account.classes.contains { $0.hasDamagedName })
    }
  }

  /// Strings that reach from a page that is there into one that is not.
  @Test func `a page that fails inside a list of strings makes the list incomplete`() throws {
    let folder = try TemporaryFolder()
    let strings = (0..<1500).map { "\"t\($0)\"" }.joined(separator: ",")
    let schema = #"[{"name":"A","properties":{"l":"string[]","s":"string"}}]"#
    let long = String(repeating: "long ", count: 4000)
    let path = try RescueTests.seed(schema, "{\"l\":[\(strings)],\"s\":\"\(long)\"}", in: folder)
    let key = try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
    let original = try Fixture.bytes(ofFile: path)
    let wanted = try Self.values(original)
    let encrypted = try RescueTests.encrypted(original, key)
    for page in 2..<encrypted.count / 4096 {
      var bytes = encrypted
      bytes[page << 12 | 77] ^= 1
      let outcome = try RescueTests.Outcome(bytes, key: key)
      let found = try outcome.values()
      let isEqual = wanted["A", default: [:]].allSatisfy { key, object in
        object.allSatisfy { found["A"]?[key]?[$0.key]?.isSame(as: $0.value) == true }
      }
      #expect(isEqual || !outcome.account.isComplete, "page \(page)")
    }
  }
}
