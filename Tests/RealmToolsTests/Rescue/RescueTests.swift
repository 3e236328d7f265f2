import Foundation
import RealmExchange
import RealmInspection
import RealmModels
import RealmOpening
import RealmTools
import TestSupport
import Testing

@testable import RealmStorage

/// What is saved of damaged realms. Every new realm passes the checker, and the damaged one stays as it is.
@Suite struct RescueTests {
  struct Outcome {
    let account: RescueAccount
    let details: [RescueDetail]
    let catalog: RescueCatalog
    let snapshot: Snapshot

    init(_ bytes: [UInt8], key: EncryptionKey? = nil, _ options: RescueOptions = RescueOptions()) throws {
      let (folder, target) = (try TemporaryFolder(), try TemporaryFolder().path("saved.realm"))
      let parent = URL(fileURLWithPath: target).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: parent) }
      var details: [RescueDetail] = []
      let path = try folder.write("broken.realm", bytes)
      (account, catalog) = try leavingUntouched(path) { path in
        var finding = RescueCatalog.Options()
        finding.includesDeleted = options.includesDeleted
        let catalog = try RescueCatalog(RescueBytes.open(.path(path), key: key), finding)
        var rescue = RealmRescue(catalog, options)
        rescue.report = { details.append($0) }
        let output = try rescue.makeOutput(at: target, replacing: .never, inputs: [path])
        let report = try rescue.write(to: output)
        try output.publish()
        return (report.account, catalog)
      }
      self.details = details
      let store = ByteStore(copying: try Fixture.bytes(ofFile: target))
      var findings: [String] = []
      _ = try Checker(store).run { if $0.severity != .note { findings.append($0.message) } }
      #expect(findings == [])
      snapshot = try Snapshot(of: store)
    }

    /// All values by class and object.
    func values() throws -> Values { try RescueTests.values(of: snapshot) }

    /// Whether something says that a value is not the original one.
    func isMarked(_ name: RealmString, _ property: RealmString, _ key: ObjectKey) -> Bool {
      details.contains { detail in
        detail.className == name && (detail.property == nil || detail.property == property)
          && (detail.keys.isEmpty || detail.keys.contains(key))
      }
    }
  }

  typealias Values = [RealmString: [ObjectKey: [RealmString: Value]]]

  static func values(of snapshot: Snapshot) throws -> Values {
    let walk = snapshot.collectionWalk(passes: 4)
    var all: Values = [:]
    for table in snapshot.tables {
      var objects: [ObjectKey: [RealmString: Value]] = [:]
      try table.forEachBatch(in: snapshot) { batch in
        for (index, property) in table.schema.properties.enumerated() {
          let values = try batch.values(ofProperty: index)
          for row in 0..<batch.count {
            objects[batch.key(at: row), default: [:]][property.name] = try Value(values.value(at: row), walk)
          }
        }
      }
      all[table.schema.displayName] = objects
    }
    return all
  }

  // MARK: Sound files

  @Test(arguments: OpenableFixture.all) func `of a sound file nothing is missing`(_ fixture: OpenableFixture) throws {
    let bytes = try Fixture.bytes(ofFile: fixture.path)
    let original = try fixture.opened()
    try #require(original.damagedTables.isEmpty)
    try #require(original.check(Checker.Options(), { _ in }).errors == 0)
    let outcome = try Outcome(bytes, key: fixture.encryptionKey())
    #expect(outcome.account.isComplete && outcome.catalog.isLive && outcome.details.isEmpty)
    #expect(try ContentHasher(outcome.snapshot).run() == ContentHasher(fixture.opened()).run())
  }

  // MARK: Damage

  /// A realm with links, lists, embedded objects and two snapshots, larger than a few pages.
  static let sample: [UInt8] = {
    do { return try makeSample() } catch {
      Issue.record(error)
      return []
    }
  }()

  static func makeSample() throws -> [UInt8] {
    let schema = """
      [{"name":"Person","primaryKey":"id","properties":{"id":"int","name":"string","note":"string?","score":"double",
        "friend":"Person?","friends":"Person[]","tags":"string[]","any":"mixed","counts":"int{}","home":"Home?"}},
       {"name":"Home","embedded":true,"properties":{"street":"string"}},
       {"name":"Log","properties":{"text":"string","at":"date","by":"Person?"}}]
      """
    var data = ""
    for number in 0..<900 {
      let friends = (0..<number % 4).map { "\(($0 * 37 + number) % 900)" }.joined(separator: ",")
      data += """
        {"class":"Person","value":{"id":\(number),"name":"person number \(number) of many","note":\
        \(number % 3 == 0 ? "null" : "\"a note of some length, number \(number)\""),"score":\(Double(number) / 3),\
        "friend":\(number % 2 == 0 ? "null" : "\((number * 7) % 900)"),"friends":[\(friends)],"tags":["t\(number % 5)"],\
        "any":\(number % 2 == 0 ? "\(number)" : "\"text \(number)\""),"counts":{"a":\(number)},\
        "home":\(number % 4 == 0 ? "{\"street\":\"street \(number)\"}" : "null")}}

        """
      data += """
        {"class":"Log","value":{"text":"entry \(number)","at":"2020-01-01T00:00:00.000Z","by":\(number)}}

        """
    }
    let folder = try TemporaryFolder()
    let path = try seed(schema, data, in: folder)
    for round in 0..<3 {
      let transaction = try WriteTransaction(RealmFile(path, key: nil))
      let people = try transaction.table("class_Person")
      for number in 0..<20 {
        try people.set("name", of: ObjectKey(rawValue: Int64(number * 11 + round)), to: .string("changed"))
      }
      try transaction.commit()
    }
    return try Fixture.bytes(ofFile: path)
  }

  /// Builds a realm from data, and returns its path.
  static func seed(_ schema: String, _ data: String, in folder: TemporaryFolder) throws -> String {
    let text = try folder.write("data.ndjson", Array(data.utf8))
    let seed = DataSeed(schema: try SchemaFile(Array(schema.utf8)).schema, dataAt: [text])
    let path = folder.path("a.realm")
    let output = try seed.makeOutput(at: path, replacing: .never)
    _ = try seed.write(to: output)
    try output.publish()
    return path
  }

  enum Damage: String, CaseIterable, CustomTestStringConvertible {
    case header, root, page, pages, bits, noise, cut, ends
    var testDescription: String { rawValue }

    func applied(to original: [UInt8], seed: UInt64) -> [UInt8] {
      var (bytes, random) = (original, SeededGenerator(seed: seed &* 77 &+ 5))
      func page() -> Int { Int.random(in: 0..<bytes.count >> 12, using: &random) << 12 }
      switch self {
      case .header: for place in 0..<24 { bytes[place] = 0 }
      case .root:
        let slot = Int(bytes[23] & 1) * 8
        let ref = (0..<8).reduce(0) { $0 | Int(bytes[slot + $1]) << (8 * $1) }
        for place in ref..<min(ref + 512, bytes.count) { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      case .page, .pages:
        for _ in 0..<(self == .page ? 1 : 3) {
          let start = page()
          for place in start..<start + 4096 { bytes[place] = 0 }
        }
      case .bits:
        for _ in 0..<30 {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      case .noise:
        let start = page()
        for place in start..<start + 4096 { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      case .cut: bytes.removeLast(bytes.count * Int.random(in: 5...70, using: &random) / 100)
      case .ends:
        for place in 0..<24 { bytes[place] = 0 }
        bytes.removeLast(bytes.count / 10)
      }
      return bytes
    }

    /// The minimum share of values that is expected to be saved, for every seed.
    var leastShare: Double {
      switch self {
      case .header, .root: 0.99
      case .page, .bits: 0.8
      case .pages, .noise: 0.1
      case .cut, .ends: 0
      }
    }
  }

  @Test(arguments: Damage.allCases, 0..<6)
  func `what is saved is what it was, or is marked`(_ damage: Damage, _ seed: Int) throws {
    let original = Self.sample
    let truth = try Self.values(of: Snapshot(of: ByteStore(copying: original)))
    let broken = damage.applied(to: original, seed: UInt64(seed))
    guard let outcome = try? Outcome(broken) else {
      #expect(damage.leastShare == 0)
      return
    }
    let saved = try outcome.values()
    var (equal, all, wrong) = (0, 0, 0)
    for (name, objects) in truth where name != "metadata" {
      for (key, object) in objects {
        for (property, value) in object {
          all += 1
          guard let found = saved[name]?[key]?[property] else { continue }
          if found.isSame(as: value) { equal += 1 } else if !outcome.isMarked(name, property, key) { wrong += 1 }
        }
      }
    }
    // A class that is not there at all is named.
    let names = Set(outcome.snapshot.schema.tables.map(\.name))
    let missing = Set(truth.keys).subtracting(names.map(TableSchema.displayName(ofTable:)))
    #expect(missing.isEmpty || !outcome.account.isComplete || !outcome.catalog.isLive)
    #expect(Double(equal) >= damage.leastShare * Double(all))
    // A flipped bit inside a string or number leaves no trace, nor does noise in the middle of one.
    if damage != .bits && damage != .noise { #expect(wrong == 0) }
    #expect(wrong <= 30)
  }

  /// Leaves reach across the borders of pages: their values must not come from what stands in the place of lost bytes.
  @Test(arguments: 0..<8) func `whatever page is zeroed, no value is made up`(_ rest: Int) throws {
    let original = Self.sample
    let truth = try Self.values(of: Snapshot(of: ByteStore(copying: original)))
    for page in stride(from: rest + 1, to: original.count >> 12, by: 16) {
      var broken = original
      for place in page << 12..<(page + 1) << 12 { broken[place] = 0 }
      let outcome = try Outcome(broken)
      for (name, objects) in try outcome.values() where name != "metadata" {
        for (key, object) in objects {
          for (property, value) in object {
            guard let expected = truth[name]?[key]?[property] else { continue }
            #expect(
              value.isSame(as: expected) || outcome.isMarked(name, property, key),
              "\(name) \(property) \(key) page \(page)")
          }
        }
      }
    }
  }

  @Test(arguments: [Damage.page, .header, .cut])
  func `pages of an encrypted file that fail are named, and the others saved`(_ damage: Damage) throws {
    let key = try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
    var bytes = try Self.encrypted(Self.sample, key)
    switch damage {
    case .page: for place in 20480..<24576 { bytes[place] ^= 0x5a }
    case .header: for place in 4096..<8192 { bytes[place] ^= 0x5a }
    default: bytes.removeLast(bytes.count / 3)
    }
    let outcome = try Outcome(bytes, key: key)
    if damage != .cut {
      #expect(outcome.catalog.bytes.failedPages.map(\.page) == [damage == .page ? 4 : 0])
      #expect(outcome.account.savedObjects > 1500)
    }
    let wrong = try [UInt8](repeating: 3, count: 64).withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
    #expect(throws: StorageError.key(.wrong(fileSize: UInt64(bytes.count)))) {
      try RescueBytes(copying: bytes, key: wrong)
    }
    if damage != .cut { #expect(throws: StorageError.key(.missing)) { try RescueBytes(copying: bytes) } }
  }

  /// A copy with the key.
  static func encrypted(_ bytes: [UInt8], _ key: EncryptionKey) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", bytes)
    let opened = try ByteStore.open(.path(path), key: nil)
    var options = CopyOptions(identity: .fresh)
    options.key = key
    let copy = try RealmCopy(of: Snapshot(of: opened.store), options)
    let output = try copy.makeOutput(at: folder.path("b.realm"), replacing: .never)
    _ = try copy.write(to: output)
    try output.publish()
    return try Fixture.bytes(ofFile: folder.path("b.realm"))
  }

  // MARK: Lost descriptions

  /// The elements of a node with references.
  static func refs(_ node: Int, _ bytes: [UInt8]) -> [Int] {
    let width = (1 << Int(bytes[node + 4] & 7)) >> 4
    let count = Int(bytes[node + 5]) << 16 | Int(bytes[node + 6]) << 8 | Int(bytes[node + 7])
    return (0..<count).map { index in
      (0..<width).reduce(0) { $0 | Int(bytes[node + 8 + index * width + $1]) << (8 * $1) }
    }
  }

  static func size(_ node: Int, _ bytes: [UInt8]) -> Int {
    let (count, width) = (refs(node, bytes).count, (1 << Int(bytes[node + 4] & 7)) >> 1)
    return 8 + ((count * (bytes[node + 4] & 0x18 == 0 ? width : width * 8) + 63) / 64) * 8
  }

  /// The roots of the tables, by slot.
  static func tables(_ bytes: [UInt8]) -> [Int] {
    let slot = Int(bytes[23] & 1) * 8
    func word(_ place: Int) -> Int { (0..<8).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
    // A copy has the place of its root at its end.
    let top = word(slot) == -1 ? word(bytes.count - 16) : word(slot)
    return refs(refs(top, bytes)[1], bytes)
  }

  static func table(_ name: RealmString, _ bytes: [UInt8]) throws -> Int {
    let key = try #require(
      Snapshot(of: ByteStore(copying: bytes)).tables.first { $0.schema.displayName == name }?.key.slot)
    return tables(bytes)[key]
  }

  static func wipe(_ node: Int, _ bytes: inout [UInt8]) {
    for place in node..<node + size(node, bytes) { bytes[place] = 0 }
  }

  @Test func `a class whose description is lost is told by its objects`() throws {
    let original = Self.sample
    var bytes = original
    let spec = Self.refs(try Self.table("Person", original), original)[0]
    for node in Self.refs(spec, original) where node != 0 { Self.wipe(node, &bytes) }
    Self.wipe(spec, &bytes)
    let outcome = try Outcome(bytes)
    let people = try #require(outcome.account.classes.first { $0.name == "Person" })
    #expect(people.isByStructure && !people.isMadeUp && people.savedObjects == 900 && !outcome.account.isComplete)
    let table = try #require(outcome.snapshot.schema.classNamed("Person"))
    #expect(table.primaryKey?.name == "property1")
    #expect(
      table.properties.map(\.type) == [
        .int, .string, .string, .double, .object, .object, .string, .mixed, .mixed, .object,
      ])
    #expect(table.properties[5].collection == .list && table.properties[9].target == "class_Home")
    let truth = try Self.values(of: Snapshot(of: ByteStore(copying: original)))["Person"] ?? [:]
    let names: [RealmString] = ["id", "name", "note", "score", "friend", "friends", "tags", "any", "counts", "home"]
    let saved = try outcome.values()["Person"] ?? [:]
    #expect(saved.count == truth.count)
    for (key, object) in truth {
      for (index, name) in names.enumerated() {
        let value = try #require(saved[key]?[table.properties[index].name])
        #expect(try value.isSame(as: #require(object[name])), "\(name)")
      }
    }
  }

  @Test func `lists of numbers that no description calls so are doubtful, as they may be links`() throws {
    let schema = "[{\"name\":\"Note\",\"properties\":{\"text\":\"string\",\"age\":\"int\",\"numbers\":\"int[]\"}}]"
    let data = (0..<40).map { number in
      "{\"class\":\"Note\",\"value\":{\"text\":\"n\(number)\",\"age\":\(number * 3),\"numbers\":[\(number),7]}}\n"
    }.joined()
    let folder = try TemporaryFolder()
    var bytes = try Fixture.bytes(ofFile: Self.seed(schema, data, in: folder))
    let root = Self.refs(try Self.table("Note", bytes), bytes)
    for node in Self.refs(root[0], bytes) where node != 0 { Self.wipe(node, &bytes) }
    Self.wipe(root[0], &bytes)
    // The root of the table says which columns have another end.
    let numbers = try #require(try Outcome(bytes).values()["Note"]).values.map { $0["property3"] }
    #expect(numbers.contains(.list([.int(5), .int(7)])))
    for list in root[7...8] { Self.wipe(list, &bytes) }
    var options = RescueOptions()
    for (policy, numbers) in [(RescueOptions.Policy.trusted, []), (.all, [Value.int(5), .int(7)])] {
      options.policy = policy
      let outcome = try Outcome(bytes, options)
      let notes = try #require(outcome.account.classes.first { $0.name == "Note" })
      #expect(notes.isByStructure && notes.savedObjects == 40 && notes.doubtfulValues == 40)
      let values = try #require(try outcome.values()["Note"])
      let note = try #require(values.values.first { $0["property1"] == .string("n5") })
      #expect(note["property2"] == .int(15) && note["property3"] == .list(numbers))
    }
  }

  @Test func `a class of which only objects are left is found by the links to it`() throws {
    var bytes = Self.sample
    let home = try Self.table("Home", bytes)
    for node in [Self.refs(home, bytes)[0], home] { Self.wipe(node, &bytes) }
    let outcome = try Outcome(bytes)
    let homes = try #require(outcome.account.classes.first { $0.name == "Home" })
    #expect(homes.isByStructure && homes.savedObjects == 225)
    let person = try #require(try outcome.values()["Person"]?.values.first { $0["id"] == .int(4) })
    guard case .link(_, let key)? = person["home"] else {
      Issue.record("the link is lost")
      return
    }
    #expect(try outcome.values()["Home"]?[key]?["property1"] == .string("street 4"))
  }

  @Test func `groups whose keys are lost are placed by links of which many lead to one object`() throws {
    let schema = """
      [{"name":"City","primaryKey":"id","properties":{"id":"int","name":"string"}},
       {"name":"Person","properties":{"name":"string","city":"City?"}}]
      """
    var data = ""
    for city in 0..<12 { data += "{\"class\":\"City\",\"value\":{\"id\":\(city),\"name\":\"city \(city)\"}}\n" }
    var state: UInt32 = 1
    for number in 0..<700 {
      // No two groups have the same cities in the same order.
      state = state &* 1_664_525 &+ 1_013_904_223
      let city = Int(state >> 20) % 12
      data += "{\"class\":\"Person\",\"value\":{\"name\":\"person \(number)\",\"city\":\(city)}}\n"
    }
    let folder = try TemporaryFolder()
    let original = try Fixture.bytes(ofFile: Self.seed(schema, data, in: folder))
    var bytes = original
    Self.wipe(Self.refs(try Self.table("Person", bytes), bytes)[2], &bytes)
    let outcome = try Outcome(bytes)
    #expect(outcome.account.classes.first { $0.name == "Person" }?.savedObjects == 700)
    #expect(try equal(outcome, original, "Person") == 1400)
  }

  @Test func `groups of a copy that nothing links to come back in their order`() throws {
    let schema = """
      [{"name":"Note","properties":{"text":"string","number":"int"}},{"name":"Other","properties":{"text":"string?"}}]
      """
    var data = "{\"class\":\"Other\",\"value\":{\"text\":\"other\"}}\n"
    for number in 0..<900 { data += "{\"class\":\"Note\",\"value\":{\"text\":\"n\(number)\",\"number\":\(number)}}\n" }
    let folder = try TemporaryFolder()
    let original = try Self.copied(Self.seed(schema, data, in: folder), folder)
    let tree = Self.refs(try Self.table("Note", original), original)[2]
    // Everything from the node on that leads to the groups is gone, or from the last group on.
    for (cut, count) in [(tree, 900), (try Self.groups("Note", original)[3], 768)] {
      let outcome = try Outcome(Array(original[..<cut]))
      let notes = try #require(outcome.account.classes.first { $0.savedObjects == count })
      let table = try #require(outcome.snapshot.schema.classNamed(notes.name))
      let values = try #require(try outcome.values()[notes.name])
      let numbers = try #require(table.properties.first { $0.type == .int }).name
      #expect(values.sorted { $0.key < $1.key }.map { $0.value[numbers] } == (0..<count).map { .int(Int64($0)) })
    }
  }

  @Test func `leaves in a copy are put back where the node above them is lost`() throws {
    var bytes = try Self.copied(try TemporaryFolder())
    let truth = try Self.values(of: Snapshot(of: ByteStore(copying: bytes)))
    let tree = Self.refs(try Self.table("Person", bytes), bytes)[2]
    Self.wipe(Self.refs(tree, bytes)[4], &bytes)
    let outcome = try Outcome(bytes)
    #expect(outcome.account.classes.first { $0.name == "Person" }?.savedObjects == 900)
    #expect(outcome.account.savedValues == truth.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } })
  }

  /// The sample as a compacted copy.
  static func copied(_ folder: TemporaryFolder) throws -> [UInt8] {
    try copied(folder.write("a.realm", sample), folder)
  }

  static func copied(_ path: String, _ folder: TemporaryFolder) throws -> [UInt8] {
    let opened = try ByteStore.open(.path(path), key: nil)
    let copy = try RealmCopy(of: Snapshot(of: opened.store), CopyOptions(identity: .fresh))
    let output = try copy.makeOutput(at: folder.path("b.realm"), replacing: .never)
    _ = try copy.write(to: output)
    try output.publish()
    return try Fixture.bytes(ofFile: folder.path("b.realm"))
  }

  /// The groups of a table whose tree has one inner node.
  static func groups(_ name: RealmString, _ bytes: [UInt8]) throws -> [Int] {
    Array(refs(refs(try table(name, bytes), bytes)[2], bytes).dropFirst(3))
  }

  /// Whether everything that was saved is correct or marked, and how many values are correct.
  func equal(_ outcome: Outcome, _ original: [UInt8], _ name: RealmString) throws -> Int {
    let truth = try Self.values(of: Snapshot(of: ByteStore(copying: original)))[name] ?? [:]
    var count = 0
    for (key, object) in try outcome.values()[name] ?? [:] {
      for (property, value) in object {
        guard let expected = truth[key]?[property] else {
          #expect(truth[key] != nil && property.hasPrefix("property"), "\(name) \(key) \(property)")
          continue
        }
        if value.isSame(as: expected) { count += 1 } else { #expect(outcome.isMarked(name, property, key)) }
      }
    }
    return count
  }

  @Test(arguments: ["Person", "Log", "Home"] as [RealmString])
  func `whichever group of a copy is lost, its leaves are put back`(_ name: RealmString) throws {
    let original = try Self.copied(try TemporaryFolder())
    let all = try Self.values(of: Snapshot(of: ByteStore(copying: original)))[name] ?? [:]
    let root = Self.refs(try Self.table(name, original), original)[2]
    let groups = original[root + 4] & 0x80 == 0 ? [] : try Self.groups(name, original)
    for lost in groups.map({ [$0] }) + (groups.count > 2 ? [[groups[1], groups[2]]] : []) {
      var bytes = original
      for group in lost { Self.wipe(group, &bytes) }
      let outcome = try Outcome(bytes)
      #expect(try equal(outcome, original, name) >= (lost.count == 1 ? all.values.reduce(0) { $0 + $1.count } : 0))
    }
  }

  @Test func `a leaf whose first page is lost gives the values in the others`() throws {
    let original = try Self.copied(try TemporaryFolder())
    let schema = try #require(Snapshot(of: ByteStore(copying: original)).schema.classNamed("Person"))
    let score = try #require(schema.properties.firstIndex { $0.name == "score" })
    var tried = 0
    for group in try Self.groups("Person", original) {
      let leaf = Self.refs(group, original)[1 + score]
      let (count, end) = (256, (leaf | 4095) + 1)
      guard leaf + 8 + count * 8 > end + 256, original[leaf + 7] == 0 else { continue }
      var bytes = original
      for place in end - 4096..<end { bytes[place] = 0 }
      let outcome = try Outcome(bytes)
      let first = Int64(try Self.groups("Person", original).firstIndex(of: group) ?? 0) * 256
      let saved = try outcome.values()
      let truth = try Self.values(of: Snapshot(of: ByteStore(copying: original)))
      for row in (end - leaf - 8) / 8 + 1..<count {
        let key = ObjectKey(rawValue: first + Int64(row))
        let found = saved["Person"]?[key]?["score"] ?? saved["RecoveredPerson"]?[key]?["score"]
        #expect(try #require(found).isSame(as: #require(truth["Person"]?[key]?["score"])), "row \(row)")
      }
      tried += 1
    }
    #expect(tried > 0)
  }

  @Test func `primary keys that are lost are told by their index`() throws {
    let original = try Self.copied(try TemporaryFolder())
    var told = 0
    for group in try Self.groups("Person", original) {
      let leaf = Self.refs(group, original)[1]
      var bytes = original
      for place in leaf & ~4095..<leaf & ~4095 + 4096 { bytes[place] = 0 }
      let outcome = try Outcome(bytes)
      let people = try #require(outcome.account.classes.first { $0.name == "Person" })
      _ = try equal(outcome, original, "Person")
      if people.objectsWithoutKey == 0 { told += 1 }
    }
    #expect(told >= 2)
  }

  @Test func `leaves that no group leads to are put together by the index`() throws {
    let original = Self.sample
    var bytes = original
    // Every node that looks like a group of people, or leads to one, in this snapshot or another.
    let width = Self.refs(try Self.groups("Person", original)[0], original).count
    for node in stride(from: 24, to: bytes.count - 8, by: 8)
    where bytes[node..<node + 4].elementsEqual("AAAA".utf8) && bytes[node + 4] & 0x78 == 0x40 {
      let isInner = bytes[node + 4] & 0x80 != 0 && Self.refs(node, bytes).count == 7
      // The root of a table begins with a ref.
      let isGroup = Self.refs(node, bytes).count == width && Self.refs(node, bytes)[0] & 1 == 1
      if isInner || isGroup { Self.wipe(node, &bytes) }
    }
    let outcome = try Outcome(bytes)
    #expect(try equal(outcome, original, "Person") > 4000)
    #expect(outcome.account.classes.first { $0.name == "Person" }?.savedValues == 0)
  }

  @Test func `a node that claims the bytes of many others casts no doubt on them`() throws {
    let original = Self.sample
    var bytes = original
    let all = try Outcome(original).account.savedValues
    let groups = try Self.groups("Person", original)
    // A list of strings: a bit of its size makes it reach over most of the file.
    let list = try #require(Self.refs(Self.refs(groups[0], original)[7], original).first { $0 != 0 })
    bytes[list + 5] |= 1
    let account = try Outcome(bytes).account
    #expect(account.savedValues + 400 > all && account.doubtfulValues < 400)
    #expect(!account.isComplete)
  }

  @Test func `a list of tables with elements of other sizes is not read as one`() throws {
    // Found by the fuzzer: bytes after the list were taken for its elements.
    var bytes = Self.sample
    let slot = Int(bytes[23] & 1) * 8
    let top = (0..<8).reduce(0) { $0 | Int(bytes[slot + $1]) << (8 * $1) }
    let list = Self.refs(top, bytes)[1]
    bytes[list + 4] = bytes[list + 4] & 0xe7 | 0x10
    let outcome = try Outcome(bytes)
    #expect(outcome.account.classes.contains { $0.name == "Person" && $0.savedObjects == 900 })
    #expect(!outcome.account.isComplete)
  }

  /// The place of the element `slot` of the list of tables, and its size in bytes.
  private static func tableSlot(_ slot: Int, _ bytes: [UInt8]) -> Range<Int> {
    let header = Int(bytes[23] & 1) * 8
    func word(_ place: Int) -> Int { (0..<8).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
    let list = refs(word(header) == -1 ? word(bytes.count - 16) : word(header), bytes)[1]
    let width = (1 << Int(bytes[list + 4] & 7)) >> 4
    return list + 8 + slot * width..<list + 8 + (slot + 1) * width
  }

  @Test(
    arguments: ["dogs", "indexes", "address-twice", "fragmented-compacted", "synced", "person-v1"],
    [0, 0xff] as [UInt8])
  func `a table that the list of tables has lost is told from a deleted one by its name`(
    _ fixture: String, _ byte: UInt8
  ) throws {
    let original = try Fixture.bytes("engine/\(fixture).realm")
    let all = try Self.values(of: Snapshot(of: ByteStore(copying: original)))
    let slots = Self.tables(original).indices.filter {
      Self.tables(original)[$0] & 1 == 0 && Self.tables(original)[$0] > 0
    }
    for lost in slots.map({ [$0] }) + [slots] {
      var bytes = original
      for slot in lost { for place in Self.tableSlot(slot, bytes) { bytes[place] = byte } }
      // Readers say that the table is missing, and do not take the realm for one without it.
      #expect(try Snapshot(of: ByteStore(copying: bytes)).damagedTables.count == lost.count)
      let outcome = try Outcome(bytes)
      #expect(outcome.catalog.lostTables.isEmpty)
      for (name, objects) in all {
        let values = objects.values.reduce(0) { $0 + $1.count }
        #expect(try equal(outcome, original, name) == values, "\(name), slots \(lost)")
      }
    }
  }

  @Test func `a list that claims millions of elements costs only itself`() throws {
    let folder = try TemporaryFolder()
    let schema = #"[{"name": "P", "properties": {"n": "int[]", "m": "int[]"}}]"#
    let data = (0..<1000).map { #"{"n": [0], "m": [\#($0), \#($0 + 70_000), 5]}"# }.joined(separator: "\n")
    let original = try Fixture.bytes(ofFile: Self.seed(schema, data, in: folder))
    // The first leaf whose one element is 0, which takes no bytes.
    let leaf = try #require(
      stride(from: 24, to: original.count - 8, by: 8).first {
        original[$0..<$0 + 8].elementsEqual(Array("AAAA".utf8) + [0, 0, 0, 1])
      })
    var bytes = original
    bytes[leaf + 5] = 0x80
    var findings: [String] = []
    _ = try Checker(ByteStore(copying: bytes)).run { if $0.severity == .error { findings.append($0.message) } }
    #expect(findings.count == 1, "\(findings)")
    let outcome = try Outcome(bytes)
    #expect(outcome.account.lostValues + outcome.account.doubtfulValues == 1)
    #expect(try equal(outcome, original, "P") == 1999)
    let (_, report) = try TestRealm(folder.write("damaged.realm", bytes)).export(.ndjson)
    #expect(report.count == 1)
  }

  @Test func `a format that is newer than any that is known is told`() throws {
    var bytes = Self.sample
    (bytes[20], bytes[21]) = (25, 25)
    let catalog = try RescueCatalog(RescueBytes(copying: bytes))
    #expect(catalog.unknownFormat == 25 && catalog.format == nil && !catalog.isSound)
    #expect(catalog.tables.contains { $0.schema.displayName == "Person" })
  }

  private static let filesOfRows = OpenableFixture.all.filter { fixture in
    let format = try? fixture.opened().header.format
    return fixture.key == nil && format.map { (2...9).contains($0) } ?? false
  }

  /// Nodes of some of these files have no signature.
  @Test(arguments: filesOfRows)
  func `damage to some rows leaves the others`(_ fixture: OpenableFixture) throws {
    let original = try Fixture.bytes(ofFile: fixture.path)
    for part in 1..<8 {
      var bytes = original
      let start = original.count * part / 8 & ~7
      for place in start..<min(start + 64, original.count) { bytes[place] = 0xee }
      guard let damaged = try? Snapshot(of: ByteStore(copying: bytes)), damaged.damagedTables.isEmpty else { continue }
      let catalog = try RescueCatalog(RescueBytes(copying: bytes))
      #expect(catalog.tables.count >= damaged.tables.count, "at \(start)")
    }
  }

  @Test(arguments: filesOfRows)
  func `a leaf of rows that claims millions of zeros is not believed`(_ fixture: OpenableFixture) throws {
    let bytes = try Fixture.bytes(ofFile: fixture.path)
    guard bytes.count <= 1 << 13 else { return }
    let leaves = stride(from: 24, to: bytes.count - 8, by: 8).filter { node in
      bytes[node..<node + 4].elementsEqual("AAAA".utf8) && bytes[node + 4] & 0xc0 == 0
    }
    // Some of each file, so that the number of rescues is bounded.
    for node in stride(from: 0, to: leaves.count, by: max(1, leaves.count / 12)).map({ leaves[$0] }) {
      var damaged = bytes
      damaged.replaceSubrange(node + 4..<node + 8, with: [bytes[node + 4] & 0xe0, 0xff, 0xff, 0xff])
      // What is saved is checked there. If nothing leads to the tables any more, this is reported.
      do { _ = try Outcome(damaged) } catch is StorageError {}
    }
  }

  @Test func `of objects with one primary key the newest keeps its class, none is lost`() throws {
    var bytes = try Fixture.bytes("engine/todo.realm")
    // Zeros for the leaf of the primary keys, which are then all the same, and for the first words of other leaves.
    for place in 832..<896 { bytes[place] = 0 }
    let outcome = try Outcome(bytes)
    let todo = try #require(outcome.account.classes.first { $0.name == "Todo" })
    #expect(todo.savedObjects == 1 && todo.duplicates == 0 && todo.objectsWithoutKey == 2)
    let saved = outcome.account.classes.filter(\.isClass).reduce(0) { $0 + $1.savedObjects }
    #expect(saved == 3 && !outcome.account.isComplete)
    #expect(outcome.details.first { $0.kind == .objectWithoutKey }?.keys.count == 2)
    let owners = try ["Todo", "RecoveredTodo"].map { name in try outcome.values()[name]?.values.map { $0["owner"] } }
    #expect(owners == [[.string("Pippin")], [.string("Daenerys"), .string("Daenerys")]])
  }

  @Test func `deleted objects come back where they are asked for`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", Self.sample)
    let transaction = try WriteTransaction(RealmFile(path, key: nil))
    for key in 0..<300 { try transaction.table("class_Log").delete(ObjectKey(spreading: UInt32(key))) }
    try transaction.commit()
    let bytes = try Fixture.bytes(ofFile: path)
    #expect(try Outcome(bytes).account.isComplete)
    var options = RescueOptions()
    options.includesDeleted = true
    let log = try #require(try Outcome(bytes, options).account.classes.first { $0.name == "Log" })
    #expect(log.deletedObjects == 300 && log.savedObjects == 900)
  }

  @Test func `behind an object with the last key there are no deleted ones`() throws {
    // Found by the fuzzer: new keys continued after the largest possible one.
    let image = RealmImage()
    let schema = TableSchema(name: "class_A", properties: [Property(name: "a", type: .int)])
    let group = try GroupBuilder([TableDefinition(key: TableKey(rawValue: 0), schema: schema)], output: image)
    try group.tables[0].append(count: 1, keyAt: { _ in ObjectKey(rawValue: .max) }) { _, _, column in
      try column.append(.int(5))
      return true
    }
    var options = RescueOptions()
    options.includesDeleted = true
    #expect(try Outcome(image.finish(try group.finish()), options).account.savedObjects == 1)
  }

  @Test func `only the classes that are named are saved, and what they hold`() throws {
    var options = RescueOptions()
    options.classes.only = ["Person"]
    let outcome = try Outcome(Self.sample, options)
    #expect(Set(outcome.snapshot.schema.classes.map(\.displayName)) == ["Person", "Home"])
    #expect(outcome.account.isComplete)
  }

  @Test func `embedded objects that are named without what holds them get a class of their own`() throws {
    var options = RescueOptions()
    options.classes.only = ["Home"]
    let outcome = try Outcome(Self.sample, options)
    let homes = try #require(outcome.snapshot.table(displayName: "RecoveredHome"))
    #expect(homes.schema.kind == .topLevel)
    #expect(
      try homes.objectCount() == Snapshot(of: ByteStore(copying: Self.sample)).table(displayName: "Home")?.objectCount()
    )
  }

  @Test func `what nothing of a realm is in is told from what is encrypted`() throws {
    var random = SeededGenerator(seed: 4)
    let noise = (0..<16384).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(throws: StorageError.key(.missing)) { try RescueBytes(copying: noise) }
    #expect(throws: StorageError.notARealm(.wrongMnemonic(wasDecrypted: false))) {
      try RescueBytes(copying: Array(noise.dropLast(5)))
    }
    #expect(throws: StorageError.notARealm(.empty)) { try RescueBytes(copying: []) }
  }

  @Test func `texts that belong to no object are found`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", Self.sample)
    let transaction = try WriteTransaction(RealmFile(path, key: nil))
    try transaction.table("class_Log").deleteAll()
    try transaction.commit()
    var finding = RescueCatalog.Options()
    finding.includesDeleted = true
    let catalog = try RescueCatalog(RescueBytes(copying: Fixture.bytes(ofFile: path)), finding)
    var texts: Set<String> = []
    catalog.forEachOrphanedText { texts.insert(String(decoding: $1, as: UTF8.self)) }
    #expect(texts.contains("entry 17") && !texts.contains("street 4"))
  }
}
