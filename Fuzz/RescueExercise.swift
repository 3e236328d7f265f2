import RealmExchange
import RealmInspection
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport

/// What `recover` does with an input: it always ends with an error about the input or with a sound realm, and the input
/// does not change.
struct RescueExercise {
  /// - Throws: `Violation`.
  static func run(_ bytes: [UInt8], key: EncryptionKey?, seed: UInt64) throws {
    let realm = try FuzzedRealm(bytes, key: key)
    try realm.use {
      do { try save(realm, seed) } catch let error as Violation { throw error } catch is StorageError {
      } catch is OutputError {}
      guard try realm.bytes() == bytes else { throw Violation("a file that is only read has changed") }
    }
  }

  private static func save(_ realm: FuzzedRealm, _ seed: UInt64) throws {
    var finding = RescueCatalog.Options()
    finding.includesDeleted = seed % 3 == 0
    let catalog = try RescueCatalog(RescueBytes.open(.path(realm.path), key: realm.key), finding)
    var options = RescueOptions()
    options.policy = seed % 2 == 0 ? .trusted : .all
    options.includesDeleted = finding.includesDeleted
    if seed % 5 == 0, let first = catalog.tables.first(where: { $0.schema.isClass }) {
      options.classes.only = [first.schema.displayName]
    }
    if seed % 7 == 0 { catalog.forEachOrphanedText { _, _ in } }
    let rescue = RealmRescue(catalog, options)
    do {
      let output = try rescue.makeOutput(at: realm.path + ".saved", replacing: .any)
      _ = try rescue.write(to: output)
    } catch let error as WrittenFault {
      throw Violation("what was saved is not sound: \(error)")
    } catch let error as BuildError {
      throw Violation("what was found cannot be written: \(error)")
    }
  }
}
