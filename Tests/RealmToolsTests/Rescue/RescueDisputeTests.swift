import RealmInspection
import RealmOpening
import RealmTools
import TestSupport
import Testing

@testable import RealmStorage

/// Single damages to the links of a small realm, or to what their targets know of them: which end is wrong is found out, and
/// each value that is not as it was is counted.
@Suite struct RescueDisputeTests {
  /// A class of targets, one with three columns of links, and one with many links to that.
  private static let made = Result {
    let schema = """
      [{"name":"T","primaryKey":"id","properties":{"id":"int","n":"string?"}},
      {"name":"X","primaryKey":"id","properties":{"id":"int","one":"T?","l":"T?","many":"T[]","some":"T<>"}},
      {"name":"Y","primaryKey":"id","properties":{"id":"int","x":"X?"}}]
      """
    let targets = (0..<12).map { "{\"class\":\"T\",\"value\":{\"id\":\($0)}}\n" }
    let origins = (0..<14).map { row in
      let one = row % 2 == 0 ? "1" : "null"
      let link = row % 3 == 0 ? "\(row % 12)" : "null"
      return """
        {"class":"X","value":{"id":\(row),"one":\(one),"l":\(link),"many":[\(row % 12),\(row / 2)],"some":[\(row / 3)]}}

        """
    }
    let others = (0..<300).map {
      "{\"class\":\"Y\",\"value\":{\"id\":\($0),\"x\":\($0 % 4 == 0 ? "null" : "\($0 % 14)")}}\n"
    }
    let data = (targets + origins + others).joined()
    let folder = try TemporaryFolder()
    return try Fixture.bytes(ofFile: RescueTests.seed(schema, data, in: folder))
  }

  private let sample: [UInt8]

  init() throws { sample = try Self.made.get() }

  private func leaf(_ name: RealmString, _ column: String) throws -> Int {
    let snapshot = try Snapshot(of: ByteStore(copying: sample))
    let table = try #require(snapshot.tables.first { $0.schema.displayName == name })
    let index = try #require(table.columns.first { $0.name == RealmString(column) }?.leafIndex)
    return RescueTests.refs(try group(name), sample)[index + 1]
  }

  private func group(_ name: RealmString) throws -> Int {
    let root = RescueTests.refs(try RescueTests.table(name, sample), sample)[2]
    // An inner node has the places, the depth and the size before its children.
    return sample[root + 4] & 0x80 == 0 ? root : RescueTests.refs(root, sample)[3]
  }

  private func backlinks(_ name: RealmString, from column: String) throws -> Int {
    let snapshot = try Snapshot(of: ByteStore(copying: sample))
    let table = try #require(snapshot.tables.first { $0.schema.displayName == name })
    let keys = snapshot.tables.flatMap(\.columns).filter { $0.name == RealmString(column) }.map(\.key)
    let index = try #require(table.backlinks.first { keys.contains($0.originColumn) }?.key.leafIndex)
    return RescueTests.refs(try group(name), sample)[index + 1]
  }

  /// Damages the sample, and expects that each value that comes back otherwise is counted, and few are given up.
  private func check(
    _ changes: [Int: UInt8], atMost most: Int, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var bytes = sample
    for (place, value) in changes { bytes[place] = value }
    let wanted = try RescueTests.values(of: Snapshot(of: ByteStore(copying: sample)))
    let outcome = try RescueTests.Outcome(bytes)
    let found = try outcome.values()
    var wrong = 0
    for (name, objects) in wanted {
      for (key, object) in objects {
        for (property, value) in object where found[name]?[key]?[property]?.isSame(as: value) != true { wrong += 1 }
      }
    }
    let account = outcome.account
    #expect(wrong <= account.doubtfulValues + account.lostValues, "\(text)", sourceLocation: sourceLocation)
    #expect(wrong == 0 || !account.isComplete, "\(text)", sourceLocation: sourceLocation)
    #expect(wrong <= most, "\(text): \(account.doubtfulValues) doubtful", sourceLocation: sourceLocation)
  }

  @Test(arguments: ["one", "l"]) func `bytes of single links`(_ column: String) throws {
    let leaf = try self.leaf("X", column)
    for place in leaf + 8..<leaf + RescueTests.size(leaf, sample) {
      for mask in [0x01, 0x72, 0xff] as [UInt8] {
        // A byte has four links of two bits.
        try check([place: sample[place] ^ mask], atMost: 4, "\(place - leaf) ^ \(mask)")
      }
    }
    let all = leaf + 8..<leaf + 16
    try check(Dictionary(uniqueKeysWithValues: all.map { ($0, 0xff) }), atMost: 14, "filled")
    try check(Dictionary(uniqueKeysWithValues: all.map { ($0, 0) }), atMost: 14, "emptied")
  }

  @Test(arguments: ["one", "l", "many", "some"]) func `what targets know`(_ column: String) throws {
    let leaf = try backlinks("T", from: column)
    let end = leaf + RescueTests.size(leaf, sample)
    // A leaf of fewer bits would end before its gap.
    for place in leaf + 4..<leaf + 8 {
      for bit in 0..<8 {
        // One that claims more reaches into other nodes, which may be what is wrong.
        let changes = [place: sample[place] ^ 1 << UInt8(bit)]
        try check(changes, atMost: 12, "header \(place - leaf), bit \(bit)")
      }
    }
    try check(Dictionary(uniqueKeysWithValues: (leaf + 8..<end).map { ($0, 0) }), atMost: 0, "emptied")
    let width = (1 << Int(sample[leaf + 4] & 7)) >> 4
    let lists = RescueTests.refs(leaf, sample)
    if let other = lists.first(where: { $0 != 0 && $0 & 1 == 0 }), let row = lists.lastIndex(where: { $0 != other }) {
      let changes = (0..<width).map { (leaf + 8 + row * width + $0, UInt8(truncatingIfNeeded: other >> (8 * $0))) }
      try check(Dictionary(uniqueKeysWithValues: changes), atMost: 1, "the list of another object")
    }
    for list in lists.prefix(3) where list != 0 && list & 1 == 0 {
      let elements = list + 8..<list + RescueTests.size(list, sample)
      try check(Dictionary(uniqueKeysWithValues: elements.map { ($0, 0) }), atMost: 1, "a list of zeros")
      for bit in 0..<8 {
        try check([list + 7: sample[list + 7] ^ 1 << UInt8(bit)], atMost: 1, "size of a list, bit \(bit)")
      }
    }
  }

  /// One list of what targets know is lost, and says nothing about the links of another column.
  @Test func `damaged links beside a lost list of another column`() throws {
    let lists = RescueTests.refs(try backlinks("T", from: "many"), sample)
    let list = try #require(lists.first { $0 != 0 && $0 & 1 == 0 })
    let links = try leaf("X", "one")
    var changes = Dictionary(uniqueKeysWithValues: (links + 8..<links + 16).map { ($0, UInt8(0xff)) })
    changes[list + 4] = 0xff
    try check(changes, atMost: 14, "both")
  }

  @Test func `a ref into the middle of a leaf says nothing about the leaf`() throws {
    let sets = try leaf("X", "some")
    let ids = try leaf("Y", "id")
    let width = (1 << Int(sample[sets + 4] & 7)) >> 4
    for target in [ids + 8, ids + 64] {
      let place = sets + 8 + 3 * width
      let changes = (0..<width).map { (place + $0, UInt8(truncatingIfNeeded: target >> (8 * $0))) }
      try check(Dictionary(uniqueKeysWithValues: changes), atMost: 1, "at \(target - ids)")
    }
  }

  @Test(arguments: ["T", "X", "Y"]) func `attributes of columns whose keys are sound`(_ name: String) throws {
    let spec = RescueTests.refs(try RescueTests.table(RealmString(name), sample), sample)[0]
    let attributes = RescueTests.refs(spec, sample)[2]
    let (count, width) = (
      RescueTests.refs(attributes, sample).count, (1 << Int(sample[attributes + 4] & 7)) >> 4
    )
    try #require(width > 0)
    for column in 0..<count {
      for bit in 4..<8 {
        let place = attributes + 8 + column * width
        try check([place: sample[place] ^ 1 << UInt8(bit)], atMost: 0, "column \(column), bit \(bit)")
      }
    }
  }

  /// The kind and width of the leaf are lost as well as one link of the column.
  @Test func `a leaf of backlinks with another header is read by its place`() throws {
    let (leaf, links) = (try backlinks("T", from: "one"), try self.leaf("X", "one"))
    for (place, value) in [(4, 0xff), (4, 0), (6, 0x10), (7, 1)] as [(Int, UInt8)] {
      try check([leaf + place: value], atMost: 0, "header \(place)")
      try check([leaf + place: value, links + 8: sample[links + 8] ^ 1], atMost: 4, "header \(place) and a link")
    }
  }

  @Test func `links that nothing confirms any more are named`() throws {
    let (leaf, links) = (try backlinks("T", from: "l"), try self.leaf("X", "l"))
    var bytes = sample
    for place in links + 8..<links + RescueTests.size(links, sample) { bytes[place] = 0 }
    for place in leaf + 8..<leaf + RescueTests.size(leaf, sample) { bytes[place] = 0xee }
    let outcome = try RescueTests.Outcome(bytes)
    #expect(!outcome.account.isComplete)
    #expect(outcome.account.classes.flatMap(\.uncomparedLinks) == ["l"])
    #expect(outcome.details.contains { $0.kind == .uncertain && $0.className == "X" && $0.property == "l" })
  }

  /// Keys in one list of backlinks, and lists that are zero up to their header.
  @Test(arguments: ["one", "l", "many", "some"]) func `lists of what targets know`(_ column: String) throws {
    let leaf = try backlinks("T", from: column)
    for list in RescueTests.refs(leaf, sample) where list != 0 && list & 1 == 0 {
      let end = list + RescueTests.size(list, sample)
      let zeros = Dictionary(uniqueKeysWithValues: (list + 7..<end).map { ($0, UInt8(0)) })
      try check(zeros, atMost: 0, "zeros in \(list)")
      for place in list + 8..<end where sample[place] != 0 {
        try check([place: sample[place] ^ 1], atMost: 2, "\(place - list)")
      }
    }
  }

  @Test func `the number of objects of a group and a ref to a leaf`() throws {
    let root = RescueTests.refs(try RescueTests.table("Y", sample), sample)[2]
    for group in RescueTests.refs(root, sample).dropFirst(3) {
      let changes = (0..<4).map { (group + 8 + $0, UInt8(0xff)) }
      try check(Dictionary(uniqueKeysWithValues: changes), atMost: 0, "group at \(group)")
    }
  }

  /// A ref to a group leads into other nodes.
  @Test func `nodes that are no groups are not taken for some`() throws {
    let root = RescueTests.refs(try RescueTests.table("Y", sample), sample)[2]
    let width = (1 << Int(sample[root + 4] & 7)) >> 4
    let lists = try backlinks("T", from: "many")
    let places = [lists, lists + 8, try backlinks("X", from: "x"), try leaf("X", "many"), try leaf("X", "id") + 8]
    for child in 3..<RescueTests.refs(root, sample).count {
      for place in places {
        let changes = (0..<width).map { (root + 8 + child * width + $0, UInt8(truncatingIfNeeded: place >> (8 * $0))) }
        try check(Dictionary(uniqueKeysWithValues: changes), atMost: 3, "child \(child) at \(place)")
      }
    }
  }

  @Test func `two refs in the list of tables in each other's place`() throws {
    let header = Int(sample[23] & 1) * 8
    func word(_ place: Int) -> Int { (0..<8).reduce(0) { $0 | Int(sample[place + $1]) << (8 * $1) } }
    let top = word(header) == -1 ? word(sample.count - 16) : word(header)
    let list = RescueTests.refs(top, sample)[1]
    let (count, width) = (RescueTests.refs(list, sample).count, (1 << Int(sample[list + 4] & 7)) >> 4)
    for first in 0..<count {
      for second in first + 1..<count {
        let (left, right) = (list + 8 + first * width, list + 8 + second * width)
        let changes = (0..<width).flatMap { [(left + $0, sample[right + $0]), (right + $0, sample[left + $0])] }
        try check(Dictionary(uniqueKeysWithValues: changes), atMost: 0, "\(first) and \(second)")
      }
    }
  }

  /// One bit of the width, and some of the number of elements.
  private func checkHeader(
    of node: Int, atMost most: Int, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for (place, mask) in [(4, 1), (4, 2), (4, 4), (7, 0x10), (6, 1), (7, 0x80)] as [(Int, UInt8)] {
      try check(
        [node + place: sample[node + place] ^ mask], atMost: most, "\(text), byte \(place) ^ \(mask)",
        sourceLocation: sourceLocation)
    }
  }

  @Test func `a leaf ends where the next node begins`() throws {
    for (name, column) in [("X", "many"), ("X", "some"), ("Y", "x"), ("Y", "id")] {
      try checkHeader(of: leaf(RealmString(name), column), atMost: 0, "\(name).\(column)")
    }
  }

  @Test(arguments: ["T", "X"]) func `descriptions and groups end where the next node begins`(_ name: String) throws {
    let top = RescueTests.refs(try RescueTests.table(RealmString(name), sample), sample)
    let spec = RescueTests.refs(top[0], sample)
    for slot in [0, 2, 5] { try checkHeader(of: spec[slot], atMost: 0, "\(name), list \(slot)") }
    for slot in [7, 8] { try checkHeader(of: top[slot], atMost: 0, "\(name), slot \(slot)") }
    try checkHeader(of: try group(RealmString(name)), atMost: 0, "\(name), group")
  }
}
