import Foundation
import RealmExchange
import RealmInspection
import RealmMigration
import RealmModels
import RealmOpening
import RealmStorage
import RealmText
import RealmTools
import TestSupport
import Testing

/// A realm in a folder of its own, and plans that are run on it through a launch.
///
/// A run that fails must leave the file byte for byte as it was; one that succeeds must leave an undamaged one.
final class PlanCase {
  let folder: TemporaryFolder
  let path: String
  let key: EncryptionKey?

  /// - Parameters:
  ///   - schema: as schema files have it: `[{"name":"Person","properties":{"age":"int"}}]`.
  ///   - data: as `bundle --data` reads it: `{"Person":[{"age":1}]}`.
  init(_ schema: String, _ data: String = "{}", version: UInt64? = 1, key: [UInt8]? = nil) throws {
    folder = try TemporaryFolder()
    path = folder.path("a.realm")
    self.key = try key.map { try $0.withUnsafeBytes { try EncryptionKey(rawBytes: $0) } }
    var options = DataOptions()
    options.schemaVersion = version
    let file = try folder.write("data.json", Array(data.utf8))
    var seed = DataSeed(schema: try SchemaFile(Array(schema.utf8)).schema, dataAt: [file], options: options)
    seed.key = self.key
    let output = try seed.makeOutput(at: path, replacing: .never)
    _ = try seed.write(to: output)
    try output.publish()
  }

  /// A file that already exists.
  init(copying file: String) throws {
    folder = try TemporaryFolder()
    path = try folder.write("a.realm", Fixture.bytes(ofFile: file))
    key = nil
  }

  /// A file that a test has made; it must be sound.
  init(opening path: String, in folder: TemporaryFolder, key: EncryptionKey?) throws {
    (self.folder, self.path, self.key) = (folder, path, key)
    try checkSound()
  }

  // MARK: Plans

  /// What a run needs apart from the plan.
  struct Settings {
    var options = PlanOptions()
    var allowsDataLoss = false
    var dryRun = false
    var target: Schema?
    var version: UInt64?
    var allowsUpgrade = false
  }

  struct Outcome {
    var report: PlanReport?
    var launch: LaunchOutcome

    /// The operation with a number, counted over all steps.
    func operation(_ index: Int) throws -> PlanReport.Operation {
      let all = report?.steps.flatMap(\.operations) ?? []
      return try #require(all.indices.contains(index) ? all[index] : nil)
    }
  }

  /// Runs operations as one step to version 2.
  @discardableResult
  func run(_ operations: String..., settings: Settings = Settings()) throws -> Outcome {
    try runPlan("plan: 1\nsteps:\n- to: 2\n  do:\n" + operations.map { "  - \($0)\n" }.joined(), settings: settings)
  }

  @discardableResult
  func runPlan(_ text: String, settings: Settings = Settings()) throws -> Outcome {
    let plan = try MigrationPlan.parse(Array(text.utf8), path: "plan.yml")
    let before = try Fixture.bytes(ofFile: path)
    let run = PlanRun(plan, settings.options)
    do {
      let outcome = try RealmLaunch(configuration(run, settings), launchOptions(settings)).run()
      if settings.dryRun { #expect(try Fixture.bytes(ofFile: path) == before) }
      try checkSound()
      return Outcome(report: run.report, launch: outcome)
    } catch {
      let after = try Fixture.bytes(ofFile: path)
      #expect(after == before, "a plan that failed changed the file")
      throw (error as? RealmError)?.cause ?? error
    }
  }

  private func configuration(_ run: PlanRun, _ settings: Settings) -> RealmConfiguration {
    var configuration = RealmConfiguration(path: path)
    configuration.encryptionKey = key
    configuration.createsMissingFile = false
    configuration.allowsFormatUpgrade = settings.allowsUpgrade
    configuration.policy.allowsDataLoss = settings.allowsDataLoss
    configuration.schema = settings.target
    configuration.schemaVersion = settings.target == nil ? nil : settings.version
    configuration.script = run.script
    return configuration
  }

  private func launchOptions(_ settings: Settings) -> LaunchOptions {
    var options = LaunchOptions()
    options.dryRun = settings.dryRun
    options.access = InPlaceAccess(backup: .none)
    return options
  }

  /// The message of a plan that must fail, with its place.
  func failure(_ operations: String..., settings: Settings = Settings()) throws -> String {
    let text = "plan: 1\nsteps:\n- to: 2\n  do:\n" + operations.map { "  - \($0)\n" }.joined()
    do {
      try runPlan(text, settings: settings)
    } catch let error as PlanError {
      return error.description
    } catch MigrationError.wouldLoseData(let lost) {
      return "lost: "
        + lost.map { "\($0.place) \($0.nonDefaultCount)/\($0.objectCount)" }
        .joined(separator: ", ")
    } catch let error as OpeningError {
      return error.text(path: "a.realm")
    }
    Issue.record("the plan did not fail")
    return ""
  }

  // MARK: Results

  func snapshot() throws -> Snapshot {
    let opened = try ByteStore.open(.path(path), key: key)
    return try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
  }

  /// The objects of a class, one after another.
  func objects(_ className: RealmString, _ form: ObjectJSON.Form = .typed) throws -> [String] {
    let snapshot = try snapshot()
    guard let table = snapshot.table(displayName: className), table.schema.isClass else { return ["no such class"] }
    let text = TextBuffer(capacity: 256)
    let json = ObjectJSON(form, of: snapshot, to: text)
    var lines: [String] = []
    try table.forEachBatch(in: snapshot) { batch in
      for row in 0..<batch.count {
        text.removeAll()
        try json.append(batch, row: row)
        lines.append(text.withBytes { String(decoding: $0, as: UTF8.self) })
      }
    }
    return lines
  }

  /// The values of a property in the typed form.
  func values(_ className: RealmString, _ property: String) throws -> [String] {
    // Strings that are not UTF-8 have lone surrogates in the typed form.
    var options = JSONReader.Options()
    options.restoresBytes = true
    return try objects(className).map { line in
      guard let start = line.firstRange(of: "\"\(property)\":") else { return "no such property" }
      let rest = Array(line[start.upperBound...].utf8)
      // Up to where the value ends.
      for end in 1...rest.count where (try? JSONValue.parse(Array(rest[..<end]), options: options)) != nil {
        guard end == rest.count || rest[end] == UInt8(ascii: ",") || rest[end] == UInt8(ascii: "}") else { continue }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      return String(decoding: rest, as: UTF8.self)
    }
  }

  func property(_ className: RealmString, _ name: RealmString) throws -> Property? {
    try snapshot().schema.classNamed(className)?.property(named: name)
  }

  private func checkSound() throws {
    var findings: [String] = []
    let opened = try ByteStore.open(.path(path), key: key)
    _ = try Checker(opened.store).run { if $0.severity != .note { findings.append($0.message) } }
    #expect(findings == [])
    // For those who want to show the results to another engine.
    if let kept = ProcessInfo.processInfo.environment["REALMCTL_KEEP_RESULTS"], key == nil {
      try FileManager.default.copyItem(atPath: path, toPath: kept + "/\(UUID().uuidString).realm")
    }
  }
}

/// Schemas and data that many tests share.
enum Sample {
  static let peopleSchema = #"[{"name":"Person","properties":{"firstName":"string","lastName":"string","age":"int"}}]"#
  static let threePeople = """
    {"Person":[{"firstName":"John","lastName":"Doe","age":42},{"firstName":"Jane","lastName":"Doe","age":43},
    {"firstName":"John","lastName":"Smith","age":44}]}
    """

  static func people() throws -> PlanCase { try PlanCase(peopleSchema, threePeople) }

  /// Persons with links in every kind of property, and dogs with a primary key.
  static let kennelSchema = """
    [{"name":"Dog","primaryKey":"id","properties":{"id":"int","name":"string?","mother":"Dog"}},
     {"name":"Person","properties":{"name":"string","dog":"Dog","dogs":"Dog[]","set":"Dog<>","map":"Dog{}","any":"mixed"}}]
    """
  static let kennelData = """
    {"Dog":[{"id":1,"name":"Rex"},{"id":2,"name":null,"mother":1},{"id":3,"name":"Fifi","mother":1}],
     "Person":[{"name":"Ann","dog":1,"dogs":[1,2,1],"set":[1,2],"map":{"a":1,"b":null},
       "any":{"$link":{"table":"Dog","key":1}}},
      {"name":"Bob","dog":null,"dogs":[3],"set":[],"map":{},"any":5}]}
    """

  static func kennel() throws -> PlanCase { try PlanCase(kennelSchema, kennelData) }
}
