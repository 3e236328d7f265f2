import RealmInspection
import RealmOpening
import TestSupport
import Testing

@testable import RealmExchange
@testable import RealmStorage
@testable import RealmTools

/// Copies in file formats that older engines open without an upgrade. Engines of the time were used to make sure that
/// they open such copies, and find and change their objects.
@Suite("copies in older file formats") struct OlderFormatTests {
  private func realm(_ name: String) throws -> Snapshot {
    try Snapshot(of: ByteStore.open(.path(Fixture.path("engine/\(name).realm")), key: nil).store)
  }

  private func options(_ format: TargetFormat, allowingLoss: Bool = true) -> CopyOptions {
    var options = CopyOptions(identity: .fresh)
    options.format = format
    options.filter.allowsDataLoss = allowingLoss
    return options
  }

  private func hash(_ snapshot: Snapshot, withKeys: Bool) throws -> ContentHash {
    var hasher = ContentHasher(snapshot)
    hasher.includesObjectKeys = withKeys
    return try hasher.run()
  }

  /// Every second format for each realm, in turn: all realms, all formats, and half of the pairs.
  private static let someFormats = OpenableFixture.all.enumerated().flatMap { number, fixture in
    TargetFormat.older.enumerated().filter { ($0.offset + number) % 2 == 0 }.map { (fixture, $0.element) }
  }

  // Writing compares the copy with what is left of its source.
  @Test(
    "any realm has a sound copy in any format, and the way back gives the same content",
    arguments: someFormats)
  func everyRealm(_ fixture: OpenableFixture, _ format: TargetFormat) throws {
    try leavingUntouched(fixture.path) { _ in
      let source = try fixture.opened()
      let copy = try CopiedRealm(source, options(format))
      #expect(copy.report.isCompared)
      #expect(copy.snapshot.header.format == format.number)
      #expect(copy.report.format == format.number)
      #expect(copy.findings.map(\.message) == [])
      let isWhole = copy.report.formatLosses.isEmpty
      if !isWhole {
        #expect(throws: CopyError.formatCannotHold(format, copy.report.formatLosses)) {
          try RealmCopy(of: source, options(format, allowingLoss: false))
        }
      }
      let back = try CopiedRealm(copy.snapshot, options(.newest))
      #expect(back.snapshot.header.format == 24)
      #expect(back.findings.map(\.message) == [])
      let keepsKeys = format >= .format22
      let expected = try hash(isWhole ? source : copy.snapshot, withKeys: keepsKeys)
      #expect(try hash(back.snapshot, withKeys: keepsKeys) == expected)
    }
  }

  @Test("encrypted copies hold the same", arguments: TargetFormat.older)
  func encrypted(_ format: TargetFormat) throws {
    let source = try realm("todo")
    var options = options(format)
    options.key = try .of(Array(0..<64))
    let copy = try CopiedRealm(source, options)
    #expect(copy.snapshot.header.format == format.number)
    #expect(copy.findings.map(\.message) == [])
  }

  @Test("threads make no difference", arguments: [TargetFormat.format11, .format22])
  func deterministic(_ format: TargetFormat) throws {
    let source = try realm("all-types")
    let single = try CopiedRealm(source, options(format))
    for threads in [1, 5] {
      var options = options(format)
      options.threadLimit = threads
      #expect(try CopiedRealm(source, options).bytes == single.bytes)
    }
  }

  // MARK: Layout

  private func copies(of name: String) throws -> [TargetFormat: CopiedRealm] {
    let source = try realm(name)
    return try Dictionary(
      uniqueKeysWithValues: TargetFormat.allCases.map { ($0, try CopiedRealm(source, options($0))) })
  }

  @Test("history, roots of tables and keys of columns are those of the format") func containers() throws {
    for (format, copy) in try copies(of: "todo") {
      let top = try #require(copy.snapshot.top)
      #expect(top.historyKind == .inRealm)
      #expect(top.historySchemaVersion == (format == .newest ? 1 : 0))
      for table in copy.snapshot.tables {
        let root = try Node(table.root, in: table.store)
        #expect(root.count == (format >= .format20 ? 14 : 12))
        for (property, column) in zip(table.schema.properties, table.columns)
        where property.type == .object && property.collection == .list {
          #expect(column.key.typeCode == (format == .newest ? 12 : 13))
        }
      }
    }
  }

  /// Realms with primary keys of all types.
  private func keyedRealms() throws -> [Snapshot] {
    let realms = try ["corners", "dogs", "deep-tree"].map(realm)
    let types = realms.flatMap { $0.tables.compactMap { $0.schema.primaryKey?.type } }
    #expect(Set(types) == [.int, .string, .objectID, .uuid])
    return realms
  }

  @Test("a primary key has the index of its format", arguments: TargetFormat.allCases)
  func primaryKeyIndexes(_ format: TargetFormat) throws {
    for source in try keyedRealms() {
      for table in try CopiedRealm(source, options(format)).snapshot.tables {
        guard let index = table.schema.primaryKeyIndex else { continue }
        let isInt = table.schema.properties[index].type == .int
        let isIndexed = table.columns[index].index == .general
        #expect(isIndexed == (format >= .format22 || format <= .format11 && isInt))
      }
    }
  }

  @Test("before format 22, keys of objects are made of primary keys", arguments: [TargetFormat.format10, .format20])
  func derivedKeys(_ format: TargetFormat) throws {
    var count = 0
    for source in try keyedRealms() {
      let copy = try CopiedRealm(source, options(format))
      for table in copy.snapshot.tables {
        guard let index = table.schema.primaryKeyIndex,
          format.derivesObjectKeys(from: table.schema.properties[index].type)
        else { continue }
        try table.forEachBatch(in: copy.snapshot) { batch in
          let values = try batch.values(ofProperty: index)
          for row in 0..<batch.count {
            let id = try GlobalID(values.value(at: row))
            #expect(batch.key(at: row).rawValue == Int64(bitPattern: id.low & (1 << 62 - 1)))
            count += 1
          }
        }
      }
    }
    #expect(count > 0)
  }

  @Test("Mixed values, decimals and incoming links have the form of the format") func leaves() throws {
    var sizes: [TargetFormat: Int] = [:]
    for (format, copy) in try copies(of: "all-types") {
      sizes[format] = copy.bytes.count
      for table in copy.snapshot.tables {
        guard let clusters = table.clusters else { continue }
        var walk = ClusterWalk(clusters, in: table.store, budget: .bytes(of: table.store))
        while case .cluster(let cluster)? = walk.next() {
          for column in table.columns where column.collection == nil {
            let leaf = try Node(cluster.leafRef(column.leafIndex), in: table.store)
            switch column.element.code {
            case .mixed: #expect(leaf.count == (format == .newest ? 6 : 4))
            case .decimal where leaf.count > 0 && format != .newest: #expect(leaf.width == 16)
            default: break
            }
          }
        }
      }
    }
    #expect(sizes.count == TargetFormat.allCases.count)
  }

  @Test("dictionaries are hashed in format 22 and sorted from 23 on") func dictionaries() throws {
    for (format, copy) in try copies(of: "all-types") where format >= .format22 {
      var found = 0
      for table in copy.snapshot.tables {
        for (index, property) in table.schema.properties.enumerated() where property.collection == .dictionary {
          try table.forEachBatch(in: copy.snapshot) { batch in
            let values = try batch.values(ofProperty: index)
            for row in 0..<batch.count {
              guard case .dictionary(let view) = try values.value(at: row), !view.root.isNull else { continue }
              found += 1
              switch try DictionaryLayout(view.root, in: table.store) {
              case .trees: #expect(format >= .format23)
              case .clusters: #expect(format == .format22)
              }
            }
          }
        }
      }
      #expect(found > 0)
    }
  }

  // MARK: What is lost

  @Test("what a format cannot hold is counted by property") func losses() throws {
    let source = try realm("all-types")
    func words(_ format: TargetFormat) throws -> [String: Int] {
      let losses = try CopiedRealm(source, options(format)).report.formatLosses
      return Dictionary(grouping: losses, by: \.word).mapValues(\.count)
    }
    #expect(try words(.format23)["property"] == nil)
    #expect(try words(.format23)["nestedCollections"] != nil)
    #expect(try words(.format22)["property"] == nil)
    let older = try words(.format20)
    #expect(older["property", default: 0] > 10)
    #expect(older["class"] == nil)
    #expect(older["embeddedObjects"] == 2)
    #expect(try words(.format11)["class", default: 0] > 0)
    #expect(try words(.format11) == words(.format10))
  }

  @Test("indexes that a format does not have are listed and left out") func indexes() throws {
    let source = try realm("indexes")
    let losses = try CopiedRealm(source, options(.format22)).report.formatLosses
    #expect(losses.contains { $0.description == "property 'Idx.text' has a full-text index" }, "\(losses)")
    #expect(try CopiedRealm(source, options(.format23)).report.formatLosses.allSatisfy { $0.kind != .index(.fullText) })
  }

  @Test("links to objects that are not there go with formats that have no place for them") func unresolved() throws {
    let fixture = try OpenableFixture.all.first { fixture in
      try fixture.opened().tables.contains { $0.top?.tombstones.isNull == false }
    }
    let source = try #require(fixture, "no fixture has links to objects that are not there").opened()
    for format in [TargetFormat.format10, .format20] {
      let copy = try CopiedRealm(source, options(format))
      let hasPlaceholders = copy.snapshot.tables.contains { $0.top?.tombstones.isNull == false }
      #expect(hasPlaceholders == (format >= .format20))
      #expect(copy.report.formatLosses.contains { $0.kind == .unresolvedLinks } == (format < .format20))
    }
  }
}
