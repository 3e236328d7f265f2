import BrowserSupport
import RealmExchange
import RealmInspection
import RealmMigration
import RealmModels
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport
import Testing

@testable import RealmBrowser

/// A copy of a realm that is edited, with what a browser needs for that.
final class EditedRealm {
  let folder: TemporaryFolder
  let path: String
  let key: EncryptionKey?

  /// - Parameter fixture: a realm; `engine/dogs.realm`.
  init(_ fixture: String, key: EncryptionKey? = nil) throws {
    folder = try TemporaryFolder()
    path = try folder.write(
      "app.realm", Fixture.bytes(ofFile: fixture.hasPrefix("/") ? fixture : Fixture.path(fixture)))
    self.key = key
  }

  /// - Parameters:
  ///   - schema: as schema files have it.
  ///   - data: as `bundle --data` reads it.
  init(schema: String, data: String) throws {
    folder = try TemporaryFolder()
    (path, key) = (folder.path("app.realm"), nil)
    let file = try folder.write("data.json", Array(data.utf8))
    let seed = DataSeed(schema: try SchemaFile(Array(schema.utf8)).schema, dataAt: [file], options: DataOptions())
    let output = try seed.makeOutput(at: path, replacing: .never)
    _ = try seed.write(to: output)
    try output.publish()
  }

  func bytes() throws -> [UInt8] { try Fixture.bytes(ofFile: path) }

  func opened() throws -> BrowsedRealm {
    try BrowsedRealm(name: "app.realm") { [path, key] in try ByteStore.open(.path(path), key: key, prefersPages: true) }
  }

  func changes() throws -> StagedChanges { try StagedChanges(over: opened(), key: key) { _, _ in "" } }

  /// Changes the file like an app.
  func change(_ body: @escaping @Sendable (WriteTransaction) throws -> Void) throws {
    let transaction = try WriteTransaction(RealmFile(path, key: key))
    try body(transaction)
    try transaction.commit()
  }

  /// Writes changes as `:w` does.
  static func write(_ script: MigrationScript, to path: String, key: EncryptionKey?, backup: BackupChoice = .none)
    throws
  {
    var configuration = RealmConfiguration(path: path)
    configuration.encryptionKey = key
    configuration.policy.allowsDataLoss = true
    configuration.script = script
    var options = LaunchOptions()
    options.access = InPlaceAccess(backup: backup)
    do { _ = try RealmLaunch(configuration, options).run() } catch { throw error.cause }
  }

  func write(_ changes: StagedChanges) throws { try Self.write(changes.script, to: path, key: key) }

  func requireSound() throws {
    let summary = try Realm.check(path, key: key)
    #expect(summary.errors == 0 && summary.warnings == 0)
  }

  /// Lends the terminal as `browse` does.
  func editing() -> EditingOptions {
    var editing = EditingOptions(
      readValue: { text, property, table, lookup in
        let reader = ValueText(schema: lookup.schema, tableKeys: lookup.tableKey) { target, link in
          switch link {
          case .primaryKey(let value): return try lookup.find(target.name, value)
          case .objectKey(let key): return try lookup.contains(target.name, key) ? key : nil
          }
        }
        do { return try reader.value(text, of: property, in: table) } catch let error as PlanError {
          throw BrowserProblem(error.message)
        }
      },
      editableText: { value, isMixed, snapshot in
        let json = try isMixed ? ValueJSON(typed: value, in: snapshot) : ValueJSON(of: value, in: snapshot)
        return String(decoding: json.text, as: UTF8.self)
      },
      write: { [path, key] script, _ in
        do { try EditedRealm.write(script, to: path, key: key, backup: .besideTheFile) } catch BrowserProblem
          .staleChanges
        {
          return .changedMeanwhile
        } catch {
          return .failed("\(error)")
        }
        return .written("")
      })
    editing.key = key
    return editing
  }

  func driver(isOn: Bool = true, class className: RealmString? = nil, columns: Int = 120) throws -> Driver {
    var editing = editing()
    editing.isOn = isOn
    return try Driver(path, key: key, columns: columns) {
      $0.editing = editing
      $0.initialClass = className
    }
  }
}

extension Snapshot {
  /// Everything in it, with the keys of all objects.
  func content() throws -> ContentHash { try ContentHasher(self).run() }
}
