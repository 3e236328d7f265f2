import RealmExchange
import RealmInspection
import RealmMigration
import RealmStorage
import RealmTools
import TestSupport

/// What commands that write do with an input: errors are expected, and leave the realm as it was.
struct WriteExercise {
  private let realm: FuzzedRealm
  private let original: [UInt8]
  private var random: SeededGenerator
  /// Nil for an input that the checker cannot read.
  private let before: FuzzedRealm.Condition?
  private let seed: UInt64
  /// Whether something has been committed, so that the realm has changed.
  private var hasCommitted = false

  /// - Throws: `Violation`.
  static func run(_ bytes: [UInt8], key: EncryptionKey?, seed: UInt64) throws {
    let random = SeededGenerator(seed: seed ^ 0x3717e5)
    let realm = try FuzzedRealm(bytes, key: key)
    try realm.use {
      var exercise = WriteExercise(realm, bytes, random, seed)
      try exercise.run()
    }
  }

  private init(_ realm: FuzzedRealm, _ original: [UInt8], _ random: SeededGenerator, _ seed: UInt64) {
    (self.realm, self.original, self.random, self.seed) = (realm, original, random, seed)
    before = realm.condition()
  }

  private mutating func run() throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      let isMapped = Int.random(in: 0..<3, using: &random) == 0
      try readOnly { exercise in try isMapped ? exercise.map() : exercise.copy() }
    case 1, 2: try changing { exercise in try exercise.launch() }
    case 3: try changing { exercise in try exercise.migrate() }
    case 4, 5: try keepingContent { exercise in try exercise.addClass() }
    default: try changing { exercise in try exercise.edit() }
    }
  }

  // MARK: Rules

  /// Whatever happens, the file does not change.
  private mutating func readOnly(_ body: (inout WriteExercise) throws -> Void) throws {
    do { try body(&self) } catch let violation as Violation { throw violation } catch {}
    guard try realm.bytes() == original else { throw Violation("a file that is only read has changed") }
  }

  /// What was sound stays sound; after an error, the realm is unchanged.
  private mutating func changing(_ body: (inout WriteExercise) throws -> Void) throws {
    do {
      try body(&self)
    } catch let violation as Violation {
      throw violation
    } catch {
      guard hasCommitted else { return try requireUnchanged(after: error) }
    }
    let after = realm.condition()
    guard before?.isSound == true else { return }
    guard let after else { throw Violation("a sound realm cannot be read after it was changed") }
    guard after.isSound else { throw Violation("a sound realm is damaged by a change: \(after.firstError)") }
  }

  /// Adding a class does not change the others, as far as free space can be distinguished from what is in use.
  private mutating func keepingContent(_ body: (inout WriteExercise) throws -> Void) throws {
    let content = before?.knowsItsFreeSpace == true ? realm.classDigests() : nil
    try changing(body)
    guard let content else { return }
    guard let after = realm.classDigests() else { throw Violation("the content cannot be read after an addition") }
    for (name, digest) in content where after[name] != digest {
      throw Violation("class '\(name)' has another content after another class was added")
    }
  }

  private func requireUnchanged(after error: any Error) throws {
    guard let before, before.knowsItsFreeSpace, try realm.bytes() != original else { return }
    guard let after = realm.condition() else { throw Violation("unreadable after \(error)") }
    let known = Set(before.errors.map(\.message))
    if let new = after.errors.first(where: { !known.contains($0.message) }) {
      throw Violation("\(new.kind.rawValue): \(new.message), after \(error)")
    }
    let untouched = try FuzzedRealm(original, key: realm.key)
    guard realm.contentHash() == untouched.use({ untouched.contentHash() }) else {
      throw Violation("another content after \(error)")
    }
  }

  // MARK: Work

  /// One or two transactions, one of which may be cancelled.
  private mutating func edit() throws {
    let file = try RealmFile(realm.path, key: realm.key)
    var left: TableEditor?
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let transaction = try WriteTransaction(file)
      var edits = EditSequence(seed: random.next())
      do { try edits.run(transaction) } catch {
        // What was begun and not finished must not be committed.
        guard (try? transaction.commit()) == nil else { throw Violation("committed after \(error)") }
        throw error
      }
      left = transaction.tables.first
      if Int.random(in: 0..<6, using: &random) == 0 {
        transaction.rollBack()
      } else {
        try transaction.commit()
        hasCommitted = true
      }
    }
    guard let left else { return }
    guard (try? left.create()) == nil, (try? left.forEachKey { _ in }) == nil else {
      throw Violation("a table can be changed after its transaction")
    }
  }

  /// A class with some objects, by a transaction or by a migration.
  private mutating func addClass() throws {
    let properties = [
      Property(name: "number", type: .int), Property(name: "text", type: .string),
      Property(name: "any", type: .mixed, isOptional: true),
    ]
    if Bool.random(using: &random) {
      var target = Schema(tables: try realm.open().snapshot.schema.classes)
      let version = try realm.open().snapshot.schema.version ?? 0
      target.tables.append(TableSchema(name: "class_FuzzAdded", properties: properties))
      let update = SchemaUpdate(to: target, version: version == .max - 1 ? 1 : version &+ 1, policy: .automatic)
      _ = try update.run(in: RealmFile(exclusive: realm.path, key: realm.key))
      return
    }
    let transaction = try WriteTransaction(RealmFile(realm.path, key: realm.key))
    let table = try transaction.addTable("class_FuzzAdded", .topLevel)
    for property in properties { try table.addProperty(property) }
    var values = SeededValues(seed: random.next())
    for number in 0..<Int.random(in: 0...600, using: &random) {
      let object = try table.create()
      try table.set("number", of: object, to: .int(Int64(number)))
      if number % 3 == 0 { try table.set("text", of: object, to: values.scalar(.string, isOptional: false)) }
      if number % 5 == 0 { try table.set("any", of: object, to: values.mixed(depth: 0)) }
    }
    try transaction.commit()
  }

  /// To a schema that differs little from its own.
  private mutating func migrate() throws {
    let stored = try realm.open().snapshot.schema
    var schemas = SchemaChanges(seed: random.next())
    let target = schemas.changed(stored)
    let version = (stored.version ?? 0) &+ 1 == .max ? 1 : (stored.version ?? 0) &+ 1
    var function: MigrationFunction?
    if Bool.random(using: &random) { function = { try Self.visitObjects($0) } }
    let update = SchemaUpdate(to: target, version: version, policy: .automatic, function: function)
    _ = try update.run(in: RealmFile(exclusive: realm.path, key: realm.key))
  }

  private static func visitObjects(_ migration: borrowing Migration) throws {
    for table in migration.newSchema.classes {
      var count = 0
      guard migration.oldSchema.classNamed(table.displayName) != nil else { continue }
      try migration.enumerate(table.displayName.description) { old, new in
        count += 1
        guard count < 20, let property = table.properties.first?.name.description else { return }
        guard let value = try? old.get(property, as: Value.self) else { return }
        try? new.set(property, to: value)
        if count % 7 == 0 { try new.delete() }
      }
    }
  }

  /// Opens it as an app does: upgrades, compacts, migrates, deletes.
  private mutating func launch() throws {
    var configuration = RealmConfiguration(path: realm.path)
    configuration.encryptionKey = realm.key
    configuration.allowsFormatUpgrade = true
    configuration.policy = .automatic
    if Bool.random(using: &random) { configuration.shouldCompactOnLaunch = { _, _ in true } }
    if Bool.random(using: &random), let stored = try? realm.open().snapshot.schema {
      var schemas = SchemaChanges(seed: random.next())
      configuration.schema = Schema(tables: schemas.changed(stored).classes)
      configuration.schemaVersion = (stored.version ?? 0) % 1000 + 1
    }
    let launch = RealmLaunch(configuration, LaunchOptions())
    _ = try launch.preview()
    _ = try launch.run()
  }

  /// A copy, whole or in part, that is as sound as what it was made of.
  private mutating func copy() throws {
    let snapshot = try realm.open().snapshot
    var options = CopyOptions(identity: Bool.random(using: &random) ? .kept : .fresh)
    options.key = Int.random(in: 0..<4, using: &random) == 0 ? nil : realm.key
    options.threadLimit = seed % 11 == 0 ? 1 : 0
    options.verifies = Bool.random(using: &random)
    if Bool.random(using: &random) { options.schemaVersion = 7 }
    if Bool.random(using: &random), let excluded = snapshot.schema.classes.randomElement(using: &random) {
      options.filter.classes.excluded = [excluded.displayName]
      options.filter.allowsDataLoss = true
    }
    if Bool.random(using: &random), let format = TargetFormat.older.randomElement(using: &random) {
      options.format = format
      options.filter.allowsDataLoss = true
    }
    let path = realm.path + ".copy"
    let copy = try RealmCopy(of: snapshot, options)
    // What a bundle's manifest says, and what a dry run does.
    if seed % 3 == 0 { _ = (try copy.classCounts(), try copy.dryRun()) }
    let output = try copy.makeOutput(at: path, replacing: .never)
    _ = try copy.write(to: output)
    _ = try output.publish()
    try requireSound(path, options)
  }

  /// A copy in an older format that keeps under other types what the format does not have.
  private mutating func map() throws {
    let opened = try OpenedRealm(ByteStore.open(.path(realm.path), key: realm.key))
    var options = CopyOptions(identity: .fresh)
    options.format = TargetFormat.older.randomElement(using: &random) ?? .format11
    options.key = realm.key
    options.filter.allowsDataLoss = Bool.random(using: &random)
    let texts = opened.snapshot.schema.classes.flatMap { Self.mappings(of: $0, for: options.format) }
    options.mapping = TypeChangeRun.mapping(
      texts.filter { _ in Int.random(in: 0..<8, using: &random) != 0 }.compactMap(TypeChange.init))
    let path = realm.path + ".copy"
    let writing = OutputTarget(path: path, dryRun: seed % 7 == 0, verifies: seed % 5 != 0)
    let copy = try writing.copy(opened, options) {}
    _ = try copy.publish()
    if !writing.dryRun { try requireSound(path, options) }
  }

  private static func mappings(of table: TableSchema, for format: TargetFormat) -> [String] {
    let name = table.displayName
    let plain = table.kind == .embedded && !format.holds(.embedded) ? ["\(name)=plain"] : []
    return plain
      + table.properties.flatMap { property -> [String] in
        var targets: [TypeChange.Target] = []
        if let collection = property.collection, !format.holds(collection) {
          targets.append(collection == .set ? .list : .pairs)
        }
        if !format.holds(property.type) { targets.append(.string) }
        if property.type == .mixed, format == .format22 || format == .format23 { targets.append(.string) }
        return targets.map { "\(name).\(property.name)=\($0.rawValue)" }
      }
  }

  private func requireSound(_ path: String, _ options: CopyOptions) throws {
    guard before?.isSound == true, options.key != nil || realm.key == nil else { return }
    guard let after = realm.condition(path) else { throw Violation("the copy of a sound realm cannot be read") }
    guard after.isSound else { throw Violation("the copy of a sound realm is damaged: \(after.firstError)") }
  }
}
