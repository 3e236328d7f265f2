import Foundation
import RealmExchange
import RealmMigration
import RealmModels
import RealmQuery
import RealmStorage
import RealmSystem
import RealmTools
import TestSupport

@testable import RealmBrowser

/// Writes whole files as the commands do, and is killed before a call that would change something on the disk.
///
/// `CrashProbe OPERATION CALL FOLDER`: reads `app.realm` in the folder, encrypted or not, and writes what the operation
/// says; `CALL` counts from 1, and 0 lets the operation finish.
@main enum CrashProbe {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let call = Int(arguments[2]), let operation = operations[arguments[1]] else { exit(64) }
    try FileBackend.$calls.withValue(FailingCalls(.kill, atCall: call)) { try operation(arguments[3] + "/") }
  }

  private static let operations: [String: @Sendable (String) throws -> Void] = [
    "compact": { try compact($0, key: nil) },
    "compact-encrypted": { try compact($0, key: try engineKey()) },
    "write-copy": { try copy($0, schemaVersion: nil, key: nil) },
    "encrypt": { try copy($0, schemaVersion: nil, key: try engineKey()) },
    "bundle": { try copy($0, schemaVersion: 7, key: nil) },
    "backup": { try RealmBackup(at: $0 + "backup.realm").make(of: $0 + "app.realm") },
    "migrate": { try migrate($0, key: nil) },
    "migrate-encrypted": { try migrate($0, key: try engineKey()) },
    "migrate-elsewhere": { folder in
      try migrate(folder, key: nil) { $0.destination = .init(path: folder + "out.realm", isReplaced: true, key: nil) }
    },
    "edit": { try edit($0, key: nil) },
    "edit-encrypted": { try edit($0, key: try engineKey()) },
    "edit-appending": { try edit($0, key: nil) { $0.verifiesChangesOnly = true } },
    "edit-compact": { try edit($0, key: nil) { $0.compacts = true } },
    "insert": { folder in
      try change(folder, key: nil, over: "firstName == 'New'", until: 1, .insert([new], json: nil))
    },
    "delete-objects": { folder in
      try change(folder, key: nil, over: "firstName == 'Laura'", until: 0, .delete)
    },
    "delete-objects-encrypted": { folder in
      try change(folder, key: try engineKey(), over: "firstName == 'Laura'", until: 0, .delete)
    },
    "browse": { try browse($0, key: nil) },
    "browse-encrypted": { try browse($0, key: try engineKey()) },
    "delete": { try launch($0, key: nil) { $0.deletesRealmIfMigrationNeeded = true } },
    "seed": { folder in
      try launch(folder, name: "new.realm", key: nil) { configuration in
        configuration.seedPath = folder + "app.realm"
        configuration.schemaVersion = 99
      }
    },
    "downgrade": { try downgrade($0, to: .format23, key: nil) },
    "downgrade-encrypted": { try downgrade($0, to: .format11, key: try engineKey()) },
    "downgrade-mapped": { try downgrade($0, to: .format20, mapping: "Toy._id=string", key: nil) },
    "upgrade": { try launch($0, key: nil) { $0.schema = nil } },
    "export": exportFile,
    "export-tables": { try exportTables($0, "tables") },
    "export-into-folder": { try exportTables($0, "") },
  ]

  private static func engineKey() throws -> EncryptionKey {
    try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
  }

  private static func compact(_ folder: String, key: EncryptionKey?) throws {
    let path = folder + "app.realm"
    let access = try ExclusiveAccess(toRealm: path)
    access.removeCompactionLeftovers()
    let bytes = try ByteStore.open(.path(path), key: key)
    var options = CopyOptions(identity: .kept)
    options.key = key
    let copy = try RealmCopy(of: Snapshot(of: bytes.store, wasDecrypted: bytes.isEncrypted), options)
    let output = try copy.makeOutput(at: path, replacing: bytes.identity.map { .only($0) } ?? .never)
    _ = try copy.write(to: output)
    try output.publish()
    access.release()
  }

  private static func copy(_ folder: String, schemaVersion: UInt64?, key: EncryptionKey?) throws {
    let bytes = try ByteStore.open(.path(folder + "app.realm"), key: nil)
    var options = CopyOptions(identity: .fresh)
    options.schemaVersion = schemaVersion
    options.key = key
    let copy = try RealmCopy(of: Snapshot(of: bytes.store), options)
    let output = try copy.makeOutput(at: folder + "out.realm", replacing: .any, inputs: [folder + "app.realm"])
    _ = try copy.write(to: output)
    try output.publish()
  }

  private static func migrate(
    _ folder: String, key: EncryptionKey?, _ change: (inout LaunchOptions) -> Void = { _ in }
  ) throws {
    try launch(folder, key: key, options: change) { $0.schemaVersion = 99 }
  }

  private static func opened(_ folder: String, _ key: EncryptionKey?) throws -> Snapshot {
    let bytes = try ByteStore.open(.path(folder + "app.realm"), key: key)
    return try Snapshot(of: bytes.store, wasDecrypted: bytes.isEncrypted)
  }

  /// How many people a condition finds: if the work is already done, there is nothing to do.
  private static func count(_ filter: String, _ snapshot: Snapshot) throws -> Int {
    try Query(filter, of: snapshot.tables.filter(\.schema.isClass)[0], in: snapshot).keys().keys.count
  }

  private static let new = ObjectEdit.Value(property: "firstName", text: "New")

  /// As `insert` and `delete` do, once.
  private static func change(
    _ folder: String, key: EncryptionKey?, over filter: String, until count: Int, _ change: ObjectEdit.Change
  ) throws {
    let snapshot = try opened(folder, key)
    guard try self.count(filter, snapshot) != count else { return }
    let isDeletion = if case .delete = change { true } else { false }
    let edit = ObjectEdit(className: "Person", filter: isDeletion ? filter : nil, change: change)
    let run = try edit.run(over: snapshot.schema, expecting: isDeletion ? 1 : nil, samples: 0)
    try launch(folder, key: key) { configuration in
      configuration.schema = nil
      configuration.policy.allowsDataLoss = true
      configuration.script = run.script
    }
  }

  /// As `:w` in the browser does, once: a changed value, a new object and a deleted one.
  private static func browse(_ folder: String, key: EncryptionKey?) throws {
    guard try count("firstName == 'Edited'", opened(folder, key)) == 0 else { return }
    let realm = try BrowsedRealm(name: "app.realm") { try ByteStore.open(.path(folder + "app.realm"), key: key) }
    let changes = try StagedChanges(over: realm, key: key) { _, _ in "" }
    let person: RealmString = "class_Person"
    let (first, second) = (ObjectKey(rawValue: 0), ObjectKey(rawValue: 1))
    try changes.append(
      StagedEdit(table: person, keys: [first], change: .set("firstName", [], .plain(.string("Edited")))))
    try changes.append(StagedEdit(table: person, keys: [], change: .create(primaryKey: nil, [])))
    try changes.append(StagedEdit(table: person, keys: [second], change: .delete))
    let script = changes.script
    try launch(folder, key: key) { configuration in
      configuration.schema = nil
      configuration.policy.allowsDataLoss = true
      configuration.script = script
    }
  }

  /// Gives the first object another name, once.
  private static func edit(
    _ folder: String, key: EncryptionKey?, _ change: (inout LaunchOptions) -> Void = { _ in }
  ) throws {
    guard try count("firstName == 'Edited'", opened(folder, key)) == 0 else { return }
    try launch(folder, key: key, options: change) { configuration in
      configuration.schema = nil
      configuration.policy.allowsDataLoss = true
      configuration.script = MigrationScript(
        editingObjects: { transaction in
          let table = try transaction.table("class_Person")
          if let key = try table.firstKey() { try table.set("firstName", of: key, to: "Edited") }
          var outcome = MigrationScript.Outcome()
          outcome.counts = transaction.takeCounts()
          return outcome
        }, spills: false)
    }
  }

  /// Opens a realm as a command would, with a model that adds a class and an index; `kept.realm` becomes the backup.
  private static func launch(
    _ folder: String, name: String = "app.realm", key: EncryptionKey?,
    options change: (inout LaunchOptions) -> Void = { _ in }, _ configure: (inout RealmConfiguration) -> Void
  ) throws {
    var configuration = RealmConfiguration(path: folder + name)
    configuration.encryptionKey = key
    (configuration.schema, configuration.keepsStoredVersion) = (try SchemaFile(model).schema, true)
    configuration.allowsFormatUpgrade = true
    configure(&configuration)
    var options = LaunchOptions()
    options.backupRule = .always
    options.access.backup = .path(folder + "kept.realm")
    change(&options)
    _ = try RealmLaunch(configuration, options).run()
  }

  /// As the command does; `kept.realm` becomes the backup.
  private static func downgrade(
    _ folder: String, to format: TargetFormat, mapping: String? = nil, key: EncryptionKey?
  ) throws {
    let path = folder + "app.realm"
    var writing = OutputTarget(path: path, replacing: true, isInPlace: true, dryRun: false, verifies: true)
    writing.inputs = [path]
    var downgrade = RealmRewrite(.downgrade, writing, key: key)
    downgrade.options.format = format
    downgrade.options.key = key
    downgrade.options.mapping = TypeChangeRun.mapping([mapping].compactMap { $0 }.compactMap(TypeChange.init))
    let reader = FileReader(path: path, key: key)
    // With a backup asked for by name, a realm that has the format already is backed up as well.
    guard try reader.format() != format.number else { return }
    downgrade.access = InPlaceAccess(backup: .path(folder + "kept.realm"))
    _ = try downgrade.run(reader)
  }

  private static let model = Array(
    """
    [{"name":"Person","properties":{"firstName":"string","lastName":{"type":"string","indexed":true},"age":"int?"}},
     {"name":"Team","primaryKey":"name","properties":{"name":"string"}}]
    """.utf8)

  private static func exportFile(_ folder: String) throws {
    let bytes = try ByteStore.open(.path(folder + "app.realm"), key: nil)
    let snapshot = try Snapshot(of: bytes.store)
    let output = try SafeOutput(at: folder + "out.json", replacing: .any)
    let options = ExportOptions(format: .json, tables: snapshot.tables.filter(\.schema.isClass))
    _ = try Exporter(snapshot, options: options, sink: FileSink(output)).run()
    try output.close()
    try output.publish()
  }

  private static func exportTables(_ folder: String, _ name: String) throws {
    let bytes = try ByteStore.open(.path(folder + "app.realm"), key: nil)
    let snapshot = try Snapshot(of: bytes.store)
    let output = try OutputFolder(at: folder + name, replacing: .any, inputs: [folder + "app.realm"])
    for table in snapshot.tables.filter(\.schema.isClass) {
      let file = try output.makeFile(named: "\(table.schema.displayName).csv")
      _ = try Exporter(snapshot, options: ExportOptions(format: .csv, tables: [table]), sink: FileSink(file)).run()
    }
    try output.publish()
  }
}

private final class FileSink: TextSink {
  private let file: SafeOutput

  init(_ file: SafeOutput) { self.file = file }

  func write(_ bytes: UnsafeRawBufferPointer) throws { try file.write(bytes) }
}

private struct FileReader: RealmReader {
  let path: String
  let key: EncryptionKey?

  func read<Result>(canStartAgain: () throws -> Bool, _ body: (OpenedRealm) throws -> Result) throws -> Result {
    try body(OpenedRealm(ByteStore.open(.path(path), key: key)))
  }

  func format() throws -> UInt8 { try read(canStartAgain: { false }) { $0.snapshot.header.format } }
}
