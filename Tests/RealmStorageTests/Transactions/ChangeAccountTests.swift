import TestSupport
import Testing

@testable import RealmStorage

/// What a transaction counts of removed values and objects, and how its work grows.
@Suite struct ChangeAccountTests {
  /// An empty realm with classes `T` (an integer, a text, a Mixed, a list, links to `U` and itself) and `U`.
  private static func realm() throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", Fixture.bytes("engine/dogs.realm"))
    let transaction = try WriteTransaction(RealmFile(exclusive: path, key: nil))
    for _ in 0..<3 {
      for name in transaction.tables.map(\.name) where name.hasPrefix(TableSchema.classPrefix) {
        try? transaction.removeTable(name)
      }
    }
    try transaction.addTables([
      TableSchema(
        name: "class_T",
        properties: [
          Property(name: "n", type: .int), Property(name: "s", type: .string, isOptional: true),
          Property(name: "m", type: .mixed, isOptional: true), Property(name: "l", type: .int, collection: .list),
          Property(name: "u", type: .object, isOptional: true, target: "class_U"),
          Property(name: "us", type: .object, collection: .list, target: "class_U"),
          Property(name: "t", type: .object, isOptional: true, target: "class_T"),
        ]),
      TableSchema(name: "class_U", properties: [Property(name: "n", type: .int)]),
    ])
    try transaction.commit()
    return (folder, path)
  }

  private static func requireSound(_ path: String) throws {
    #expect(try Snapshot(of: ByteStore.open(.path(path), key: nil).store).faults() == [])
  }

  // MARK: Against a model

  /// One object of `T`; links by the numbers of objects.
  private struct Row {
    var number: Int64 = 0
    var text: String?
    var mixed: Value = .null
    var list: [Int64] = []
    var u: Int?
    var us: [Int] = []
    var t: Int?
  }

  private struct Model {
    var rows: [Int: Row] = [:]
    var others: Set<Int> = []
    var overwritten: [RealmString: Int] = [:]
    var cut: [RealmString: Int] = [:]
    var deleted: [RealmString: Int] = [:]
    var created: [RealmString: Int] = [:]

    mutating func deleteOthers(_ gone: Set<Int>) {
      deleted["class_U", default: 0] += gone.count
      others.subtract(gone)
      for (key, row) in rows {
        var row = row
        if let u = row.u, gone.contains(u) {
          row.u = nil
          cut["u", default: 0] += 1
        }
        let count = row.us.filter(gone.contains).count
        row.us.removeAll(where: gone.contains)
        if count > 0 { cut["us", default: 0] += count }
        rows[key] = row
      }
    }

    mutating func deleteRows(_ gone: Set<Int>) {
      deleted["class_T", default: 0] += gone.count
      for key in gone { rows[key] = nil }
      for (key, row) in rows {
        guard let t = row.t, gone.contains(t) else { continue }
        rows[key]?.t = nil
        cut["t", default: 0] += 1
      }
    }
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `random changes are counted as a plain model counts them`(_ seed: UInt64) throws {
    let (folder, path) = try Self.realm()
    var dice = SeededGenerator(seed: 4200 + seed)
    var model = Model()
    let transaction = try WriteTransaction(RealmFile(exclusive: path, key: nil))
    _ = transaction.takeCounts()
    var counts = ChangeCounts()
    var (t, u) = (try transaction.table("class_T"), try transaction.table("class_U"))
    func key(_ number: Int) -> ObjectKey { ObjectKey(rawValue: Int64(number)) }
    for step in 0..<400 {
      let row = model.rows.keys.sorted().randomElement(using: &dice)
      let other = model.others.sorted().randomElement(using: &dice)
      func choose(_ all: some Collection<Int>) -> Set<Int> {
        Set(all.sorted().filter { _ in Int.random(in: 0..<5, using: &dice) == 0 })
      }
      switch (Int.random(in: 0..<14, using: &dice), row, other) {
      case (0, _, _), (1, _, _):
        model.rows[Int(try t.create().rawValue)] = Row()
        model.created["class_T", default: 0] += 1
      case (2, _, _), (3, _, _):
        model.others.insert(Int(try u.create().rawValue))
        model.created["class_U", default: 0] += 1
      case (4, let row?, _):
        let new = Int64.random(in: 0..<3, using: &dice)
        if let old = model.rows[row]?.number, old != 0, old != new { model.overwritten["n", default: 0] += 1 }
        model.rows[row]?.number = new
        try t.set("n", of: key(row), to: .int(new))
      case (5, let row?, _):
        let new = [nil, "", "a"].randomElement(using: &dice) ?? nil
        if let old = model.rows[row]?.text, old != new { model.overwritten["s", default: 0] += 1 }
        model.rows[row]?.text = new
        try t.set("s", of: key(row), to: new.map { .string(RealmString($0)) } ?? .null)
      case (6, let row?, _):
        let new: Value = [.null, 0, .bool(false), .list([]), .list([1]), ""].randomElement(using: &dice) ?? .null
        if let old = model.rows[row]?.mixed, old != .null, old != new, !(old == .list([]) && new == .list([1])) {
          model.overwritten["m", default: 0] += 1
        }
        model.rows[row]?.mixed = new
        try t.set("m", of: key(row), to: new)
      case (7, let row?, _):
        let new = (0..<Int.random(in: 0..<4, using: &dice)).map { _ in Int64.random(in: 0..<3, using: &dice) }
        var rest = new
        let isKept = (model.rows[row]?.list ?? []).allSatisfy { element in
          rest.firstIndex(of: element).map { _ = rest.remove(at: $0) } != nil
        }
        if !isKept { model.overwritten["l", default: 0] += 1 }
        model.rows[row]?.list = new
        try t.set("l", of: key(row), to: .list(new.map { .int($0) }))
      case (8, let row?, let other?):
        if let old = model.rows[row]?.u, old != other { model.overwritten["u", default: 0] += 1 }
        model.rows[row]?.u = other
        try t.set("u", of: key(row), to: .link(u.key, key(other)))
      case (9, let row?, let other?), (10, let row?, let other?):
        model.rows[row]?.us.append(other)
        try t.append(.link(u.key, key(other)), to: "us", of: key(row))
      case (11, let row?, _):
        let next = model.rows.keys.sorted().randomElement(using: &dice) ?? row
        if let old = model.rows[row]?.t, old != next { model.overwritten["t", default: 0] += 1 }
        model.rows[row]?.t = next
        try t.set("t", of: key(row), to: .link(t.key, key(next)))
      case (12, _, _):
        let gone = choose(model.others)
        model.deleteOthers(gone)
        try u.delete(gone.map(key))
      case (13, _, _):
        let gone = choose(model.rows.keys)
        model.deleteRows(gone)
        try t.delete(gone.map(key))
      default: continue
      }
      guard step % 50 == 49 else { continue }
      counts.add(transaction.takeCounts())
      try transaction.spill()
      (t, u) = (try transaction.table("class_T"), try transaction.table("class_U"))
    }
    counts.add(transaction.takeCounts())
    func sums(_ count: (ChangeCounts.Property) -> Int) -> [RealmString: Int] {
      Dictionary(counts.properties.map { ($0.property, count($0)) }, uniquingKeysWith: +).filter { $0.value > 0 }
    }
    #expect(sums(\.overwritten) == model.overwritten)
    #expect(sums(\.cutLinks) == model.cut)
    for name in ["class_T", "class_U"] as [RealmString] {
      let objects = counts.tables.values.first { $0.tableName == name }
      #expect(objects?.created == model.created[name])
      #expect((objects?.deleted ?? 0) == model.deleted[name] ?? 0)
    }
    for (number, row) in model.rows {
      #expect(try t.value("us", of: key(number)) == .list(row.us.map { .link(u.key, key($0)) }))
      #expect(try t.value("t", of: key(number)) == (row.t.map { .link(t.key, key($0)) } ?? .null))
      #expect(try t.value("u", of: key(number)) == (row.u.map { .link(u.key, key($0)) } ?? .null))
    }
    try transaction.commit()
    try Self.requireSound(path)
    withExtendedLifetime(folder) {}
  }

  // MARK: Growth

  /// What is done to `count` objects.
  enum Job: CaseIterable, Sendable {
    case nullifyLinksToOne, removeLinksToOne, deleteOrigins, deleteFromOneList, deleteAllFromOneList, deleteTarget
    case embedFromTwoLists, embedOneOfManyOrigins
  }

  @Test(arguments: Job.allCases)
  func `work on links grows with their number`(_ job: Job) throws {
    let work = try [500, 1000, 2000, 4000].map { try Self.work(job, $0) }
    for (less, more) in zip(work, work.dropFirst()) { #expect(more <= 2 * less + 100, "\(work)") }
  }

  private static func work(_ job: Job, _ count: Int) throws -> Int {
    let (folder, path) = try realm()
    let file = try RealmFile(exclusive: path, key: nil)
    let first = try WriteTransaction(file)
    var (t, u) = (try first.table("class_T"), try first.table("class_U"))
    let hub = try u.create()
    var keys: [ObjectKey] = []
    switch job {
    case .nullifyLinksToOne, .removeLinksToOne, .deleteOrigins, .deleteTarget, .embedOneOfManyOrigins:
      for _ in 0..<count {
        keys.append(try t.create())
        try t.set("u", of: #require(keys.last), to: .link(u.key, hub))
      }
    case .deleteFromOneList, .deleteAllFromOneList:
      for _ in 0..<count { keys.append(try u.create()) }
      try t.set("us", of: t.create(), to: .list(keys.map { .link(u.key, $0) }))
    case .embedFromTwoLists:
      for _ in 0..<count { keys.append(try u.create()) }
      try u.delete(hub)
      for _ in 0..<2 { try t.set("us", of: t.create(), to: .list(keys.map { .link(u.key, $0) })) }
    }
    try first.commit()
    let second = try WriteTransaction(file)
    (t, u) = (try second.table("class_T"), try second.table("class_U"))
    let before = second.account.work
    switch job {
    case .nullifyLinksToOne: for key in keys { try t.set("u", of: key, to: .null) }
    case .removeLinksToOne: try t.removeProperty("u")
    case .deleteOrigins: for key in keys { try t.delete(key) }
    case .deleteTarget: try u.delete(hub)
    case .deleteFromOneList: try u.delete(keys.enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
    case .deleteAllFromOneList: try u.deleteAll()
    case .embedFromTwoLists, .embedOneOfManyOrigins:
      let conversion = EmbeddingConversion(u, in: second)
      let done = try conversion.convert(conversion.analysis())
      #expect(done.originals == (job == .embedFromTwoLists ? count : 1))
      #expect(u.objectCount == done.copies)
    }
    let work = second.account.work - before
    try second.commit()
    try requireSound(path)
    withExtendedLifetime(folder) {}
    return work
  }

  // MARK: Primary keys

  @Test func `no transaction commits equal primary keys, whatever made them`() throws {
    let changes: [(TableEditor) throws -> Void] = [
      { table in try table.forEachKey { try table.set("id", of: $0, to: .int(1)) } },
      { try $0.setPrimaryKey("other") },
      { _ = try $0.create(primaryKey: .int(2), allowsDuplicates: true) },
      { table in
        try table.removeProperty("id")
        try table.addProperty(Property(name: "id", type: .int))
        try table.setPrimaryKey("id")
      },
      { try $0.setOptional("id", false) },
    ]
    let (folder, path) = try Self.realm()
    let file = try RealmFile(exclusive: path, key: nil)
    let transaction = try WriteTransaction(file)
    try transaction.addTables([
      TableSchema(
        name: "class_K",
        properties: [Property(name: "id", type: .int, isOptional: true), Property(name: "other", type: .int)],
        primaryKeyIndex: 0)
    ])
    let table = try transaction.table("class_K")
    for key in [.null, .int(0), .int(2)] as [Value] { _ = try table.create(primaryKey: key) }
    try transaction.commit()
    let before = try Fixture.bytes(ofFile: path)
    for change in changes {
      let transaction = try WriteTransaction(file)
      try change(transaction.table("class_K"))
      #expect(throws: EditError.equalPrimaryKeys(table: "class_K")) { try transaction.commit() }
      #expect(try Fixture.bytes(ofFile: path) == before)
    }
    try Self.requireSound(path)
    withExtendedLifetime(folder) {}
  }
}
