import Mutations
import RealmInspection
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// What `recover` says about small realms with a single damage, compared with the original content.
@Suite struct RescueTruthTests {
  /// Small realms: with links, lists, primary keys and older snapshots, and some made by others.
  enum Sample: String, CaseIterable, CustomTestStringConvertible {
    case dogs, address, person, synced, families, versions

    var testDescription: String { rawValue }

    func bytes() throws -> [UInt8] {
      switch self {
      case .dogs: try Fixture.bytes("engine/dogs.realm")
      case .address: try Fixture.bytes("engine/address-twice.realm")
      case .person: try Fixture.bytes("engine/person-v1.realm")
      case .synced: try Fixture.bytes("engine/synced.realm")
      case .families: try RescueTruthTests.families(commits: 0)
      case .versions: try RescueTruthTests.families(commits: 3)
      }
    }
  }

  private static func families(commits: Int) throws -> [UInt8] {
    let schema = """
      [{"name":"Person","primaryKey":"id","properties":{"id":"int","name":{"type":"string","indexed":true},"note":"string?",
        "friends":"Person[]","home":"Home?"}},
       {"name":"Home","embedded":true,"properties":{"street":"string","at":"date"}},
       {"name":"Tag","properties":{"text":"string","numbers":"int[]","any":"mixed"}}]
      """
    var data = ""
    for number in 0..<6 {
      let home = number % 2 == 0 ? "{\"street\":\"s \(number)\",\"at\":\"2020-01-01T00:00:00.000Z\"}" : "null"
      data += "{\"class\":\"Person\",\"value\":{\"id\":\(number),\"name\":\"n \(number)\",\"note\":null,"
      data += "\"friends\":[\((number + 1) % 6)],\"home\":\(home)}}\n"
      data += "{\"class\":\"Tag\",\"value\":{\"text\":\"t \(number)\",\"numbers\":[\(number),7],\"any\":\(number)}}\n"
    }
    let folder = try TemporaryFolder()
    let path = try RescueTests.seed(schema, data, in: folder)
    for round in 0..<commits {
      let transaction = try WriteTransaction(RealmFile(path, key: nil))
      _ = try transaction.table("class_Tag").create()
      try transaction.table("class_Person").set(
        "name", of: ObjectKey(rawValue: 1), to: .string(RealmString("round \(round)")))
      try transaction.commit()
    }
    return try withExtendedLifetime(folder) { try Fixture.bytes(ofFile: path) }
  }

  /// The number of damages that a test run tries for each realm; `MutationProbe recover` tries all of them.
  private static let count = 240

  @Test(arguments: Sample.allCases)
  func `whatever one damage takes away, no account says that nothing is missing`(_ sample: Sample) throws {
    let original = try sample.bytes()
    let truth = try RescueTruth(original)
    #expect(try truth.outcome(of: original).isEqual && truth.outcome(of: original).isComplete)
    let damages = SingleDamages(original).all
    var (complete, equal) = (0, 0)
    let step = max(1, damages.count / Self.count)
    for index in stride(from: step / 2, to: damages.count, by: step) {
      let outcome = try truth.outcome(of: damages[index].applied(to: original))
      #expect(outcome.faults.isEmpty, "\(damages[index]): \(outcome.faults)")
      if outcome.isComplete { complete += 1 }
      if outcome.isEqual { equal += 1 }
    }
    // With damage in free space and in parts that engines do not read, the account is still complete, and most other
    // damage is repaired.
    #expect(complete > 0 && equal * 2 > damages.count / step)
  }

  @Test func `a class whose root has one wrong byte is saved, and called uncertain`() throws {
    let original = try Fixture.bytes("engine/dogs.realm")
    let root = try RescueTests.table("Dog", original)
    for (place, new) in [(root + 4, UInt8(0x46)), (root + 4, 0), (root + 7, 0), (root + 8 + 3 * 8, 0xff)] {
      var bytes = original
      bytes[place] = new
      let outcome = try RescueTests.Outcome(bytes)
      let dogs = try #require(outcome.account.classes.first { $0.name == "Dog" })
      #expect(dogs.savedObjects == 5 && dogs.lostProperties.isEmpty && !outcome.account.isComplete)
      #expect(outcome.account.isUncertain || dogs.isUncertain)
      #expect(outcome.details.contains { $0.kind == .uncertain } || outcome.account.isUncertain)
    }
  }

  @Test func `what a whole index lists is what there was, though the tree of the objects is lost`() throws {
    let original = RescueTests.sample
    var bytes = original
    let root = try RescueTests.table("Person", original)
    let tree = RescueTests.refs(root, original)[2]
    let group = RescueTests.refs(tree, original)[5]
    for leaf in RescueTests.refs(group, original).dropFirst() where leaf != 0 { RescueTests.wipe(leaf, &bytes) }
    for node in [tree, group] { RescueTests.wipe(node, &bytes) }
    let outcome = try RescueTests.Outcome(bytes)
    let people = try #require(outcome.account.classes.first { $0.name == "Person" })
    let lost = try #require(people.lostObjects)
    #expect(people.savedObjects + people.objectsWithoutKey + lost == 900 && lost > 0)
    #expect(outcome.details.first { $0.kind == .lostObject && $0.className == "Person" }?.keys.count == lost)
  }

  @Test func `properties whose names are lost are named, and count`() throws {
    let original = try Fixture.bytes("engine/dogs.realm")
    var bytes = original
    let names = RescueTests.refs(RescueTests.refs(try RescueTests.table("Dog", original), original)[0], original)[1]
    for place in names..<names + 24 { bytes[place] = 0xff }
    let outcome = try RescueTests.Outcome(bytes)
    let dogs = try #require(outcome.account.classes.first { $0.name == "Dog" })
    #expect(!dogs.unnamedProperties.isEmpty && !dogs.isComplete && dogs.savedObjects == 5)
    #expect(outcome.details.filter { $0.kind == .lostName }.count == dogs.unnamedProperties.count)
  }

  @Test func `free lists and indexes that are damaged leave an account complete`() throws {
    let original = try Fixture.bytes("engine/dogs.realm")
    let slot = Int(original[23] & 1) * 8
    let top = (0..<8).reduce(0) { $0 | Int(original[slot + $1]) << (8 * $1) }
    let free = RescueTests.refs(top, original)[3]
    let root = try RescueTests.table("Dog", original)
    let index = try #require(
      RescueTests.refs(RescueTests.refs(root, original)[4], original).first { $0 != 0 })
    for (place, bit) in [(free, UInt8(0x80)), (index, 0x20)] {
      var bytes = original
      bytes[place + 4] ^= bit
      let outcome = try RescueTests.Outcome(bytes)
      #expect(!outcome.catalog.isSound && outcome.account.isComplete, "\(place)")
    }
  }

  @Test func `a header that names the older of two whole snapshots is noticed`() throws {
    let original = try Sample.versions.bytes()
    let whole = try RescueTests.Outcome(original).catalog
    #expect(whole.newerVersion == nil)
    var bytes = original
    bytes[23] ^= 1
    let catalog = try RescueTests.Outcome(bytes).catalog
    let (named, newer) = (try #require(catalog.snapshotVersion), try #require(catalog.newerVersion))
    #expect(newer == whole.snapshotVersion && named < newer)
  }

  @Test func `nodes that nothing leads to make an account uncertain`() throws {
    let schema = #"[{"name":"A","properties":{"text":"string?","tags":"string[]"}}]"#
    let long = String(repeating: "long ", count: 20)
    let data = (0..<6).map { #"{"class":"A","value":{"text":"\#(long)\#($0)","tags":["a","b"]}}"# + "\n" }.joined()
    let folder = try TemporaryFolder()
    let original = try Fixture.bytes(ofFile: try RescueTests.seed(schema, data, in: folder))
    #expect(try RescueTests.Outcome(original).account.isComplete)
    let tree = RescueTests.refs(try RescueTests.table("A", original), original)[2]
    // Of the leaf of strings, and of the leaf of lists.
    for column in 1...2 {
      let leaf = RescueTests.refs(tree, original)[column]
      let width = max(1, (1 << Int(original[leaf + 4] & 7)) >> 4)
      let count = Int(original[leaf + 5]) << 16 | Int(original[leaf + 6]) << 8 | Int(original[leaf + 7])
      var bytes = original
      for place in leaf + 8..<leaf + 8 + width * count { bytes[place] = 0 }
      let outcome = try RescueTests.Outcome(bytes)
      #expect(outcome.account.hasLooseNodes || outcome.account.isUncertain || outcome.account.lostValues > 0)
      #expect(!outcome.account.isComplete, "column \(column)")
    }
    // One list of six.
    var bytes = original
    let lists = RescueTests.refs(tree, original)[2]
    for place in lists + 8..<lists + 8 + max(1, (1 << Int(original[lists + 4] & 7)) >> 4) { bytes[place] = 0 }
    let outcome = try RescueTests.Outcome(bytes)
    #expect(outcome.catalog.isSound && outcome.account.hasLooseNodes && !outcome.account.isComplete)
    #expect(outcome.account.classes.allSatisfy { $0.lostObjects == 0 })
  }

  @Test(arguments: [true, false])
  func `a header that became zero does not make an empty realm of a full one`(_ isStreaming: Bool) throws {
    let original = try isStreaming ? Self.families(commits: 0) : Fixture.bytes("engine/dogs.realm")
    let whole = try RescueTests.Outcome(original)
    var bytes = original
    for place in 0..<16 { bytes[place] = 0 }
    let outcome = try RescueTests.Outcome(bytes)
    #expect(!outcome.catalog.isLive && outcome.account.savedObjects == whole.account.savedObjects)
    // If nothing was written, there is nothing to look for.
    let empty = try RescueTests.Outcome(original[..<24].map { $0 } + [UInt8](repeating: 0, count: 4096 - 24))
    #expect(empty.account.savedObjects == 0)
  }

  @Test func `a class whose mark of a primary key is zero is uncertain`() throws {
    var bytes = try Fixture.bytes("engine/dogs.realm")
    let root = try RescueTests.table("Toy", bytes)
    let place = try #require((root..<root + 160).first { bytes[$0...].starts(with: [1, 0, 0x22, 0x80, 1, 0, 0, 0]) })
    for offset in 0..<8 { bytes[place + offset] = 0 }
    let outcome = try RescueTests.Outcome(bytes)
    #expect(outcome.catalog.isSound && outcome.snapshot.schema.classNamed("Toy")?.primaryKey == nil)
    #expect(outcome.account.classes.filter(\.isUncertain).map(\.name) == ["Toy"])
  }

  @Test func `names that no app gives make the account of their class uncertain`() throws {
    let original = try Fixture.bytes("engine/dogs.realm")
    let text = Array("class_Toy".utf8)
    let name = try #require(original.indices.first { original[$0...].starts(with: text) })
    let property = try #require(original.indices.first { original[$0...].starts(with: "favoriteToy".utf8) })
    // The place of a byte, and its new value.
    for (place, new) in [(name + 6, UInt8(0)), (name + 6, 0xff), (name, 0x6b), (property, 0), (property + 3, 0xc0)] {
      var bytes = original
      bytes[place] = new
      let outcome = try RescueTests.Outcome(bytes)
      #expect(!outcome.account.isComplete && outcome.account.savedObjects == 11, "\(place)")
      #expect(outcome.account.classes.count { $0.hasDamagedName } == 1)
      #expect(outcome.details.contains { $0.kind == .uncertain })
    }
  }

  // MARK: The lost last commit

  @Test(arguments: [true, false])
  func `objects that only the lost last commit had are saved and counted as such`(_ hasKey: Bool) throws {
    let schema = """
      [{"name":"Log",\(hasKey ? "\"primaryKey\":\"id\"," : "")"properties":{"id":"int","text":"string"}},
       {"name":"Note","properties":{"text":"string","number":"int"}}]
      """
    let folder = try TemporaryFolder()
    let old = (0..<300).map { "{\"class\":\"Log\",\"value\":{\"id\":\($0),\"text\":\"old \($0)\"}}\n" }.joined()
    let path = try RescueTests.seed(schema, old, in: folder)
    let transaction = try WriteTransaction(RealmFile(path, key: nil))
    let logs = try transaction.table("class_Log")
    for number in 300..<4000 {
      let key = try hasKey ? logs.create(primaryKey: .int(Int64(number))) : logs.create()
      if !hasKey { try logs.set("id", of: key, to: .int(Int64(number))) }
      try logs.set("text", of: key, to: .string(RealmString("new \(number)")))
    }
    try transaction.commit()
    let whole = try Fixture.bytes(ofFile: path)
    let complete = try RescueTests.Outcome(whole)
    #expect(complete.account.isComplete && complete.account.classes.allSatisfy { $0.lostCommitObjects == 0 })
    // The root of the class is gone, with the last groups.
    let tree = RescueTests.refs(try RescueTests.table("Log", whole), whole)[2]
    let bytes = Array(whole[..<(tree * 95 / 100)])
    let outcome = try RescueTests.Outcome(bytes)
    let log = try #require(outcome.account.classes.first { $0.name == "Log" })
    #expect(!outcome.account.isComplete && log.lostCommitObjects > 1000 && log.lostObjects == nil)
    #expect(log.savedObjects == log.lostCommitObjects + log.olderObjects && log.duplicates == 0)
    #expect(outcome.details.contains { $0.kind == .lostCommitObject })
    var numbers: Set<Int64> = []
    for object in try #require(try outcome.values()["Log"]).values {
      guard case .int(let number)? = object["id"] else {
        Issue.record("no number")
        continue
      }
      #expect(numbers.insert(number).inserted)
      #expect(object["text"] == .string(RealmString("\(number < 300 ? "old" : "new") \(number)")))
    }
    var options = RescueOptions()
    options.includesDeleted = true
    let deleted = try RescueTests.Outcome(bytes, options).account.classes.first { $0.name == "Log" }
    #expect(deleted?.deletedObjects == 0 && deleted?.savedObjects == log.savedObjects)
  }

  // MARK: Bounds

  @Test func `a class of thousands of properties comes back when the file is damaged`() throws {
    let count = 5000
    let properties = (0..<count).map { Property(name: RealmString("p\($0)"), type: .int) }
    let image = RealmImage()
    let schema = TableSchema(name: "class_Wide", properties: properties)
    let group = try GroupBuilder([TableDefinition(key: TableKey(rawValue: 0), schema: schema)], output: image)
    try group.tables[0].append(count: 3, keyAt: { ObjectKey(rawValue: Int64($0)) }) { property, range, column in
      for row in range { try column.append(.int(Int64(property * 3 + row))) }
      return true
    }
    var bytes = image.finish(try group.finish())
    for place in 0..<20 { bytes[place] = 0 }
    let outcome = try RescueTests.Outcome(bytes)
    let wide = try #require(outcome.account.classes.first { $0.name == "Wide" })
    #expect(wide.savedObjects == 3 && wide.savedValues == 3 * count && wide.unnamedProperties.isEmpty)
    #expect(try outcome.values()["Wide"]?[ObjectKey(rawValue: 2)]?["p4999"] == .int(4999 * 3 + 2))
  }
}
