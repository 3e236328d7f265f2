import RealmMigration
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport

/// Texts that are migration plans, or nearly so, read and run on a sound realm.
///
/// A plan that fails leaves the file byte for byte as it was; any other leaves a sound one.
final class PlanExercise {
  private let bytes: [UInt8]
  private let schema: Schema
  private let isSound: Bool

  /// Plans of one seed.
  private static let planCount = 4

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    let realm = try FuzzedRealm(bytes, key: nil)
    (schema, isSound) = try realm.use { (try realm.open().snapshot.schema, realm.condition()?.isSound ?? false) }
  }

  /// Words that have a meaning in a plan.
  private static let pieces = [
    "plan", "steps", "to", "from", "do", "note", "class", "name", "type", "value", "default", "where", "values", "expr",
    "template", "copy", "ref", "pk", "objects", "literal", "lossy", "ok", "on_null", "on_error", "fail", "null",
    "delete", "propagate", "set", "convert", "add_property", "remove_property", "rename_property", "add_class",
    "remove_class", "delete_objects", "create_objects", "assert", "transform", "command", "expect", "counts", "schema",
    "settings", "int", "string?", "\"int[]\"", "mixed", ":", ": ", "- ", "-", "{", "}", "[", "]", ",", "\n", "\n  ",
    "\n      - ", "  ", "\t", "'", "\"", "''", "|", ">", "&a", "*a", "!!int", "---", "...", "#", "%", "@", "`", "~",
    "1",
    "0", "-1", "99999999999999999999", "18446744073709551615", "1e400", "0x10", "1.5", "true", "no", "old.", "new.",
    "(", ")", "((((", "str(", "if(", "coalesce(", "key()", "now()", "new_uuid()", "count(", "+", "*", "/", "==", "&&",
    "{=", "{{", "}}", "é", "漢", "\u{0}", "\u{7f}", "$oid", "$date", "$numberDecimal", "TRUEPREDICATE", "LIMIT(1)",
  ]

  /// - Throws: `Violation`.
  func run(seed: UInt64) throws {
    var writer = PlanWriter(seed: seed, schema: schema)
    let plans = (0..<Self.planCount).map { _ in writer.next() }
    var mutator = QueryMutator(seed: seed, queries: plans, pieces: Self.pieces)
    // Unchanged; with one operation changed; changed anywhere.
    try read(plans[0], path: "plan.yml", seed)
    for number in 1..<Self.planCount - 1 {
      var random = SeededGenerator(seed: seed &+ UInt64(number))
      let text = writer.next { operation in
        guard Int.random(in: 0..<3, using: &random) == 0 else { return operation }
        var mutator = QueryMutator(seed: random.next(), queries: [operation], pieces: Self.pieces)
        return mutator.next(mutations: 1)
      }
      try read(text, path: "plan.yml", seed)
    }
    try read(mutator.next(), path: seed % 2 == 0 ? "plan" : "plan.yml", seed)
  }

  private func read(_ text: String, path: String, _ seed: UInt64) throws {
    let plan: MigrationPlan
    do { plan = try MigrationPlan.parse(Array(text.utf8), path: path) } catch {
      // Messages about it name a place in it.
      let lines = text.utf8.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
      guard !error.mistakes.isEmpty, error.mistakes.allSatisfy({ (1...lines + 1).contains($0.location.line) }) else {
        throw Violation("the mistakes are nowhere: \(error)\n\(text)")
      }
      return
    }
    do { try run(plan, seed) } catch let violation as Violation { throw Violation("\(violation)\n\(text)") }
  }

  private func run(_ plan: MigrationPlan, _ seed: UInt64) throws {
    let realm = try FuzzedRealm(bytes, key: nil)
    try realm.addLockFile()
    try realm.use {
      var options = PlanOptions()
      options.initializes = true
      options.sampleCount = seed % 5 == 0 ? 2 : 0
      // What else a plan needs: no program is ever run.
      options.allowsCommands = false
      let run = PlanRun(plan, options)
      var configuration = RealmConfiguration(path: realm.path)
      configuration.createsMissingFile = false
      configuration.allowsFormatUpgrade = seed % 8 != 0
      configuration.policy.allowsDataLoss = seed % 2 == 0
      configuration.script = run.script
      var launch = LaunchOptions()
      launch.access = InPlaceAccess(backup: .none)
      do { _ = try RealmLaunch(configuration, launch).run() } catch {
        guard try realm.bytes() == bytes else { throw Violation("a plan that failed changed the file: \(error)") }
        return
      }
      guard isSound else { return }
      guard let after = realm.condition() else { throw Violation("the realm cannot be read after its plan") }
      guard after.isSound else { throw Violation("after its plan the realm has \(after.firstError)") }
    }
  }
}
