import RealmInspection
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport

/// The content of an undamaged realm, and whether a run of `recover` on a damaged copy reports truthfully what it
/// saved.
package struct RescueTruth {
  /// The values of all objects by class and key.
  package typealias Values = [RealmString: [ObjectKey: [RealmString: Value]]]

  private let values: Values
  private let schema: [TableSchema]

  /// - Throws: `StorageError` for what is not an undamaged realm.
  package init(_ sound: [UInt8]) throws {
    let snapshot = try Snapshot(of: ByteStore(copying: sound))
    (values, schema) = (try Self.values(of: snapshot), Self.comparable(snapshot.schema.tables))
  }

  /// What is wrong with an account.
  package enum Fault: Sendable, CustomStringConvertible {
    /// It says that nothing is missing, and something is missing or not what it was.
    case falselyComplete(String)
    /// It counts fewer objects than there were.
    case uncounted(String)
    /// An export of the damaged file has more objects.
    case fewerThanExport(saved: Int, exported: Int)
    /// The new realm is damaged.
    case unsound(String)

    package var description: String {
      switch self {
      case .falselyComplete(let what): "falsely complete: \(what)"
      case .uncounted(let what): "not counted: \(what)"
      case .fewerThanExport(let saved, let exported): "saves \(saved) objects where an export has \(exported)"
      case .unsound(let what): "unsound: \(what)"
      }
    }
  }

  /// The result for a damaged copy.
  package struct Outcome: Sendable {
    /// Nothing could be saved, and that was said.
    package var isRefused = false
    package var isComplete = false
    /// The checker found nothing.
    package var isSound = false
    package var isEqual = false
    package var faults: [Fault] = []
  }

  package func outcome(of damaged: [UInt8]) throws -> Outcome {
    var outcome = Outcome()
    let exported = Self.readableCount(damaged)
    let catalog: RescueCatalog
    do { catalog = try RescueCatalog(RescueBytes(copying: damaged)) } catch {
      outcome.isRefused = true
      if exported > 0 { outcome.faults.append(.fewerThanExport(saved: 0, exported: exported)) }
      return outcome
    }
    let folder = try TemporaryFolder()
    let path = folder.path("saved.realm")
    let rescue = RealmRescue(catalog, RescueOptions())
    let output = try rescue.makeOutput(at: path, replacing: .never)
    let account = try rescue.write(to: output).account
    try output.publish()
    let bytes = try Fixture.bytes(ofFile: path)
    let snapshot = try Snapshot(of: ByteStore(copying: bytes))
    outcome.isSound = catalog.isSound
    outcome.isComplete = account.isComplete && catalog.isLive
    let difference = try difference(from: snapshot)
    outcome.isEqual = difference == nil
    if outcome.isComplete, !outcome.isSound, let difference { outcome.faults.append(.falselyComplete(difference)) }
    if !outcome.isSound, let what = uncounted(account) { outcome.faults.append(.uncounted(what)) }
    // Those that share their primary key with a newer one are counted.
    let duplicates = account.classes.reduce(0) { $0 + $1.duplicates }
    if exported > account.savedObjects + duplicates {
      outcome.faults.append(.fewerThanExport(saved: account.savedObjects, exported: exported))
    }
    _ = try Checker(ByteStore(copying: bytes)).run { finding in
      if finding.severity == .error { outcome.faults.append(.unsound(finding.message)) }
    }
    return outcome
  }

  /// The objects that an export of the damaged file has, without those of which it has no value.
  private static func readableCount(_ bytes: [UInt8]) -> Int {
    guard let snapshot = try? Snapshot(of: ByteStore(copying: bytes)) else { return 0 }
    var count = 0
    for table in snapshot.tables {
      try? table.forEachBatch(in: snapshot) { batch in
        var readable: Set<Int> = []
        for index in table.schema.properties.indices {
          guard let values = try? batch.values(ofProperty: index) else { continue }
          for row in 0..<batch.count where (try? values.value(at: row)) != nil { readable.insert(row) }
        }
        count += readable.count
      }
    }
    return count
  }

  /// A class whose number of lost objects is given, and that lost more.
  private func uncounted(_ account: RescueAccount) -> String? {
    for one in account.classes {
      guard let objects = values[one.name], let lost = one.lostObjects, !one.isMadeUp else { continue }
      let counted = one.savedObjects + lost + one.objectsWithoutKey + one.orphans + one.duplicates
      if counted < objects.count { return "\(counted) of \(objects.count) objects of \(one.name)" }
    }
    return nil
  }

  // MARK: Content

  private func difference(from snapshot: Snapshot) throws -> String? {
    let saved = Self.comparable(snapshot.schema.tables)
    for table in schema {
      guard let other = saved.first(where: { $0.name == table.name }) else { return "no class \(table.name)" }
      if other != table { return "schema of \(table.name): \(other) instead of \(table)" }
    }
    if saved.count != schema.count { return "more classes" }
    let found = try Self.values(of: snapshot)
    for (name, objects) in values {
      let others = found[name] ?? [:]
      if others.count != objects.count { return "\(others.count) instead of \(objects.count) objects of \(name)" }
      for (key, object) in objects {
        for (property, value) in object {
          guard let other = others[key]?[property] else { return "\(name) \(key) \(property) is missing" }
          if !other.isSame(as: value) { return "\(name) \(key) \(property): \(other) instead of \(value)" }
        }
      }
    }
    return nil
  }

  /// Without what a new realm of a damaged file never has: indexes on lists of strings.
  private static func comparable(_ tables: [TableSchema]) -> [TableSchema] {
    tables.map { table in
      var table = table
      for index in table.properties.indices where table.properties[index].collection != nil {
        table.properties[index].index = .none
      }
      return table
    }.sorted { $0.name < $1.name }
  }

  private static func values(of snapshot: Snapshot) throws -> Values {
    let walk = snapshot.collectionWalk(passes: 4)
    var all: Values = [:]
    for table in snapshot.tables {
      var objects: [ObjectKey: [RealmString: Value]] = [:]
      try table.forEachBatch(in: snapshot) { batch in
        for row in 0..<batch.count { objects[batch.key(at: row)] = [:] }
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
}
