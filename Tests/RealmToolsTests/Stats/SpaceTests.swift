import Foundation
import Mutations
import RealmExchange
import RealmInspection
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// Every byte of a file counts once, and for what it is used for.
@Suite struct SpaceTests {
  private static func survey(_ snapshot: Snapshot, fileSize: Int) throws -> FileSpace {
    try SpaceSurvey(snapshot, fileSize: UInt64(fileSize)).run()
  }

  private func sum(_ space: FileSpace) -> UInt64 { space.parts.reduce(0) { $0 + $1.byteCount } }

  /// Kinds that no live node is part of.
  private static let notLive: Set<SpaceKind> = [
    .header, .footer, .free, .olderSnapshots, .newerSnapshot, .unaccounted, .padding, .encryption,
  ]

  // MARK: Sums

  @Test(arguments: OpenableFixture.all) func `the parts of a file are its size`(_ fixture: OpenableFixture) throws {
    let before = try FileState(fixture.path)
    let bytes = try ByteStore.open(.path(fixture.path), key: fixture.encryptionKey())
    let snapshot = try Snapshot(of: bytes.store, wasDecrypted: bytes.isEncrypted)
    let space = try Self.survey(snapshot, fileSize: Int(bytes.physicalSize))
    #expect(sum(space) == UInt64(before.bytes.count))
    #expect(space.parts.allSatisfy { $0.byteCount > 0 })
    #expect(Set(space.parts).count == space.parts.count)
    #expect(space.damageCount == 0, "\(space.damage)")
    #expect(space.sharedNodeCount == 0)
    // The checker adds up the same nodes and blocks in another way.
    let summary = try Checker(bytes.store).run { _ in }
    #expect(live(space) == summary.liveBytes)
    #expect(space.freeBlocks.byteCount == summary.freeBytes)
    #expect(bytesOf([.free, .olderSnapshots], space) == summary.freeBytes)
    #expect(space.freeBlocks.largest <= space.freeBlocks.byteCount)
    #expect(space.freeBlocks.atEnd <= space.freeBlocks.byteCount)
    for property in space.properties { expectSum(of: property, space) }
    #expect(try FileState(fixture.path) == before)
  }

  /// 256 empty lists are a node of eight bytes, so that elements are no measure of what there is to walk over.
  @Test func `many objects in few bytes are no cycle`() throws {
    let schema = """
      [{"name":"S","properties":{"child":{"type":"object","objectType":"T","optional":true}}},
       {"name":"T","properties":{"id":"int","parents":{"type":"list","objectType":"S"}}}]
      """
    let objects = Array(repeating: #"{"id":0,"parents":[]}"#, count: 100_000).joined(separator: ",")
    let built = try BuiltRealm(schema: schema, data: "{\"T\":[\(objects)]}")
    let space = try Self.survey(built.snapshot, fileSize: built.bytes.count)
    #expect(sum(space) == UInt64(built.bytes.count) && space.damageCount == 0)
    #expect(bytesOf([.unaccounted], space) == 0)
    #expect(built.bytes.count < 100_000)
  }

  private func bytesOf(_ kinds: Set<SpaceKind>, _ space: FileSpace) -> UInt64 {
    space.parts.filter { kinds.contains($0.kind) }.reduce(0) { $0 + $1.byteCount }
  }

  private func live(_ space: FileSpace) -> UInt64 { sum(space) - bytesOf(Self.notLive, space) }

  private func expectSum(of property: PropertySpace, _ space: FileSpace) {
    let parts = space.parts.filter { $0.table == property.table && $0.property == property.property }
    #expect(parts.reduce(0) { $0 + $1.byteCount } == property.valueBytes + property.indexBytes)
  }

  private static let mutated = ["dogs", "nested-mixed", "fragmented-compacted", "indexes", "corners", "synced"]

  @Test(arguments: mutated) func `the parts of a damaged file are its size, too`(_ name: String) throws {
    let bytes = try Fixture.bytes("engine/\(name).realm")
    var mutator = Mutator(bytes, seed: 16)
    var damaged = 0
    for _ in 0..<150 {
      let mutation = mutator.next()
      let changed = mutation.applied(to: bytes)
      guard let snapshot = try? Snapshot(of: ByteStore(copying: changed)) else { continue }
      let space = try Self.survey(snapshot, fileSize: changed.count)
      #expect(sum(space) == UInt64(changed.count), "\(mutation)")
      if space.damageCount + space.sharedNodeCount > 0 { damaged += 1 }
    }
    // Changes that do nothing would prove nothing.
    #expect(damaged > 10)
  }

  @Test func `the parts of a damaged encrypted file are its size, too`() throws {
    let bytes = try Fixture.bytes("engine/all-types-copy-encrypted.realm")
    var random = SeededGenerator(seed: 3)
    let folder = try TemporaryFolder()
    var damaged = 0
    for _ in 0..<20 {
      var changed = bytes
      // After the first pages, without which nothing can be read.
      changed[Int.random(in: 20_000..<bytes.count - 8192, using: &random)] ^= 1
      let path = try folder.write("a.realm", changed)
      let opened = try ByteStore.open(.path(path), key: .of(Fixture.engineKey))
      guard let snapshot = try? Snapshot(of: opened.store, wasDecrypted: true) else { continue }
      let space = try Self.survey(snapshot, fileSize: changed.count)
      #expect(sum(space) == UInt64(changed.count))
      damaged += space.damageCount > 0 ? 1 : 0
    }
    #expect(damaged > 0)
  }

  // MARK: Parts

  private static let schema = """
    [{"name":"A","primaryKey":"id","properties":{"id":"int","t":"string","d":"data","l":"int[]","m":"mixed","f":"double",
      "a":"A?","i":{"type":"string","indexed":true}}}]
    """

  private func data(_ count: Int, _ members: (Int) -> String) -> String {
    "{\"A\":[" + (0..<count).map { "{\"id\":\($0),\(members($0))}" }.joined(separator: ",") + "]}"
  }

  private func space(_ data: String) throws -> FileSpace {
    let realm = try BuiltRealm(schema: Self.schema, data: data)
    let space = try Self.survey(realm.snapshot, fileSize: realm.bytes.count)
    #expect(sum(space) == UInt64(realm.bytes.count))
    return space
  }

  private func bytes(_ kind: SpaceKind, _ property: String?, _ space: FileSpace) -> UInt64 {
    space.parts.filter { $0.kind == kind && $0.property?.description == property && $0.table != "metadata" }
      .reduce(0) { $0 + $1.byteCount }
  }

  @Test func `what grows in a file grows in its part, and there alone`() throws {
    let plain = try space(data(10) { #""t":"x\#($0)","l":[],"d":"","m":null,"f":0,"i":"""# })
    func expectGrowth(
      _ kind: SpaceKind, _ property: String, atLeast least: UInt64, _ members: @escaping (Int) -> String
    ) throws {
      let grown = try space(data(10, members))
      let growth = bytes(kind, property, grown) - bytes(kind, property, plain)
      #expect(growth >= least, "\(property)")
      let others = Set(grown.parts.map { [$0.kind.rawValue, $0.property?.description ?? ""] })
        .filter { $0 != [kind.rawValue, property] }
      for other in others {
        guard let otherKind = SpaceKind(rawValue: other[0]) else { continue }
        let name = other[1].isEmpty ? nil : other[1]
        // Refs to later nodes are wider.
        #expect(bytes(otherKind, name, grown) <= bytes(otherKind, name, plain) + 128, "\(property) and \(other)")
      }
    }
    let long = String(repeating: "y", count: 1000)
    try expectGrowth(.strings, "t", atLeast: 9000) { #""t":"x\#($0)\#(long)","l":[],"d":"","m":null,"f":0,"i":"""# }
    try expectGrowth(.blobs, "d", atLeast: 7000) {
      #""t":"x\#($0)","l":[],"d":"\#(Data(long.utf8).base64EncodedString())","m":null,"f":0,"i":"""#
    }
    let numbers = (0..<500).map { String($0) }.joined(separator: ",")
    try expectGrowth(.collections, "l", atLeast: 9000) {
      #""t":"x\#($0)","l":[\#(numbers)],"d":"","m":null,"f":0,"i":"""#
    }
    try expectGrowth(.collections, "m", atLeast: 9000) {
      #""t":"x\#($0)","l":[],"d":"","m":[\#(numbers)],"f":0,"i":"""#
    }
  }

  @Test func `the largest value is found with its object`() throws {
    let space = try space(
      data(300) { index in
        let length = index == 217 ? 900 : 3
        let text = String(repeating: "z", count: length)
        let list = (0..<(index == 42 ? 400 : 2)).map { String($0) }.joined(separator: ",")
        return
          #""t":"\#(text)","l":[\#(list)],"m":\#(index == 7 ? "[\(list),1,2,3]" : "\"\(text)\""),"d":"","f":0,"i":"a""#
      })
    func largest(_ property: String) -> LargestValue? {
      space.properties.first { $0.property.description == property }?.largest
    }
    #expect(largest("t") == LargestValue(byteCount: 900, object: ObjectKey(rawValue: 217)))
    #expect(largest("l")?.object.rawValue == 42)
    #expect(largest("m") == LargestValue(byteCount: 900, object: ObjectKey(rawValue: 217)))
    #expect(largest("id") == nil && largest("f") == nil)
    #expect(space.properties.allSatisfy { $0.objectCount == ($0.table == "class_A" ? 300 : 1) })
  }

  @Test func `texts that repeat are counted once each`() throws {
    let space = try space(
      data(3000) { #""t":"town number \#($0 % 7)","i":"\#($0)","d":"","l":[],"m":null,"f":0"# })
    func repetition(_ property: String) -> TextRepetition? {
      space.properties.first { $0.property.description == property }?.repetition
    }
    #expect(repetition("t") == TextRepetition(distinctCount: 7, distinctBytes: 7 * 13))
    #expect(repetition("i") == nil)
  }

  // MARK: Snapshots and copies

  @Test(arguments: ["fragmented", "all-types", "strings", "dogs", "deep-tree"])
  func `a compacted copy is as large as was said`(_ name: String) throws {
    let fixture = OpenableFixture.named(name)
    let source = try fixture.opened()
    let space = try Self.survey(source, fileSize: try Fixture.bytes(ofFile: fixture.path).count)
    let copy = try CopiedRealm(source, CopyOptions(identity: .kept))
    // Nodes of references become as narrow or wide as their new places require.
    #expect((90...102).contains(UInt64(copy.bytes.count) * 100 / space.compactedSize))
    let own = try Self.survey(copy.snapshot, fileSize: copy.bytes.count)
    #expect(own.freeBlocks == FreeBlocks.none)
    #expect(bytes(.free, nil, own) == 0 && bytes(.footer, nil, own) == 16)
  }

  // MARK: Advice

  private func advice(_ data: String) throws -> [SpaceAdvice] {
    let realm = try BuiltRealm(schema: Self.schema, data: data)
    let space = try Self.survey(realm.snapshot, fileSize: realm.bytes.count)
    return SpaceAdvice.all(for: space)
  }

  @Test func `advice is given where it saves something`() throws {
    #expect(try advice(data(10) { #""t":"a","i":"\#($0)","d":"","l":[],"m":null,"f":0"# }) == [])
    let repeated = try advice(
      data(20_000) { #""t":"somewhere on the other side \#($0 % 5)","i":"","d":"","l":[],"m":null,"f":0"# })
    #expect(
      repeated.contains { advice in
        guard case .repeatedStrings(let table, let property, 5, 20_000, let saved) = advice else { return false }
        return table == "class_A" && property == "t" && saved > 500_000
      })
    #expect(
      repeated.contains { advice in
        guard case .mostOfTheFile(_, let property, _) = advice else { return false }
        return property == "t"
      })
    let indexed = try advice(data(8000) { #""t":"","i":"\#($0 + 10_000)","d":"","l":[],"m":null,"f":0"# })
    #expect(
      indexed.contains { advice in
        guard case .largeIndex(_, let property, let index, let values) = advice else { return false }
        return property == "i" && index > values
      })
    // A primary key always has an index.
    let isOnlyThat = indexed.allSatisfy { advice in
      if case .largeIndex(_, let property, _, _) = advice { property == "i" } else { true }
    }
    #expect(isOnlyThat)
    let fragmented = OpenableFixture.named("fragmented")
    let space = try Self.survey(try fragmented.opened(), fileSize: 524_288)
    guard case .compact(let gain) = SpaceAdvice.all(for: space).first else {
      Issue.record("no compaction")
      return
    }
    #expect(gain == 524_288 - space.compactedSize)
  }

  @Test(arguments: RealmStats.Grouping.allCases) func `groups add up and come by size`(_ by: RealmStats.Grouping) throws
  {
    let fixture = OpenableFixture.named("all-types")
    let bytes = try ByteStore.open(.path(fixture.path), key: nil)
    let stats = try RealmStats(OpenedRealm(bytes))
    let groups = stats.groups(by: by)
    #expect(groups.reduce(0) { $0 + $1.byteCount } == bytes.physicalSize)
    #expect(groups.map(\.byteCount) == groups.map(\.byteCount).sorted(by: >))
    #expect(groups.count < (by == .part ? stats.space.parts.count + 1 : stats.space.parts.count))
  }
}
