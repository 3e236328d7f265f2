import Libc
import RealmSystem

/// What is at a path, found out without changing, creating or locking anything.
///
/// ```swift
/// switch Realm.probe(at: "app.realm") {
/// case .absent: startFresh()
/// case .protected: waitForUnlocking()
/// case .realm(let facts), .inUse(let facts): migrate(facts)
/// case .empty, .needsKey, .wrongKey, .damaged, .notARealm, .unsupportedFormat, .unreadable: askForHelp()
/// }
/// ```
///
/// Only `absent` means that there is nothing. A file that cannot be opened may have everything in it.
public enum RealmProbe: Sendable {
  /// There is no file of that name, nor a folder for it.
  case absent
  /// A file of 0 bytes. Apps leave one if they end while they create a realm; a realm that was cut off may look like it.
  case empty
  /// The system does not let this process look: the permissions forbid it, or, on iOS, the device has not been unlocked
  /// since it was started, or is locked, and its file protection forbids it until then. In a folder that may not be
  /// searched, it is not even known whether there is a file.
  case protected(RealmError)
  /// The file is encrypted, judging by its size and its first bytes, and no key was given.
  case needsKey
  /// The key does not fit, or the first page of the file is damaged, which cannot be told apart; or the file is not encrypted.
  case wrongKey(RealmError)
  /// A realm that other processes have open. It can be read all the same; to be changed, it must be closed there.
  case inUse(ProbedRealm)
  /// A realm of which some part, or everything, cannot be read. The values of objects are not looked at.
  case damaged(RealmDamage)
  /// Something else: another kind of file, a folder, or a file that belongs to a realm, such as its lock file.
  case notARealm(RealmError)
  /// A realm of a format that no version of the library reads.
  case unsupportedFormat(UInt8)
  /// It could not be found out, for instance because the disk has an error, or the file changed each time.
  case unreadable(RealmError)
  /// A realm that no other process has open, as far as the system shows that; see `ProbedRealm.users`.
  case realm(ProbedRealm)
}

/// What is known about a realm without reading its objects.
public struct ProbedRealm: Sendable {
  /// A class of the realm.
  public struct ProbedClass: Hashable, Sendable {
    /// The name, without `class_`.
    public let name: String
    /// The number of objects; nil if it cannot be read.
    public let objectCount: Int?
  }

  /// The version of the file format, 2 to 24; 0 for a file that is still empty.
  public let fileFormat: UInt8
  /// The schema version that the last app set; nil if none did.
  public let schemaVersion: UInt64?
  /// Whether the file is encrypted.
  public let isEncrypted: Bool
  /// Whether it is, or was, a realm of Device Sync.
  public let isSynced: Bool
  /// Bytes of the file.
  public let byteCount: UInt64
  /// The number of the commit that made this state.
  public let commit: UInt64
  /// In the order of the file; those whose description is damaged are not among them.
  public let classes: [ProbedClass]
  /// The other processes that have the realm open. Unknown on Apple's systems, which do not show locks.
  public let users: LockHolders
}

/// What is wrong with a realm, and what is left of it.
public struct RealmDamage: Sendable {
  /// What was found first; there may be more.
  public let error: RealmError
  /// What can be read; nil if nothing can.
  public let readable: ProbedRealm?
}

extension Realm {
  /// Finds out what is at a path: writes nothing, creates nothing, takes no lock, and never throws.
  ///
  /// It reads the head of the file and the descriptions of its classes, in milliseconds whatever the size.
  ///
  /// - Parameters:
  ///   - path: `-` is a name like any other.
  ///   - key: for an encrypted realm.
  public static func probe(at path: String, key: EncryptionKey? = nil) -> RealmProbe {
    let users = LockHolders.query(realm: path)
    do throws(RealmError) {
      let realm = try Realm.open(at: path, key: key)
      var damage = realm.damagedTables.first?.error
      var classes: [ProbedRealm.ProbedClass] = []
      for objects in realm.classes {
        var count: Int?
        do throws(RealmError) { count = try objects.count() } catch {
          guard error.kind == .damaged else { throw error }
          damage = damage ?? error
        }
        classes.append(ProbedRealm.ProbedClass(name: objects.name, objectCount: count))
      }
      let facts = ProbedRealm(realm, classes, users.get())
      if let damage { return .damaged(RealmDamage(error: damage, readable: facts)) }
      if case .processes(let holders) = facts.users, !holders.isEmpty { return .inUse(facts) }
      return .realm(facts)
    } catch {
      return RealmProbe(error)
    }
  }
}

extension ProbedRealm {
  fileprivate init(_ realm: Realm, _ classes: [ProbedClass], _ users: LockHolders) {
    (fileFormat, schemaVersion) = (realm.fileFormat, realm.schema.version)
    (isEncrypted, byteCount) = (realm.isEncrypted, realm.shared.bytes.physicalSize)
    isSynced = [.syncClient, .syncServer].contains(realm.snapshot.historyKind)
    commit = realm.commit
    (self.classes, self.users) = (classes, users)
  }
}

extension RealmProbe {
  /// What an error of opening says about the file.
  fileprivate init(_ error: RealmError) {
    switch error.cause {
    case StorageError.file(.missing): self = Self.isNothing(at: error.path) ? .absent : .unreadable(error)
    case StorageError.file(.permissionDenied), StorageError.file(.notPermitted): self = .protected(error)
    case StorageError.file(.isDirectory), StorageError.file(.notARegularFile), StorageError.file(.sideFile):
      self = .notARealm(error)
    case StorageError.key(.missing): self = .needsKey
    // Half of a key authenticates, the other one decrypts.
    case StorageError.key, StorageError.notARealm(.wrongMnemonic(wasDecrypted: true)): self = .wrongKey(error)
    case StorageError.unsupportedFormat(let format): self = .unsupportedFormat(format)
    case StorageError.notARealm(.empty): self = .empty
    case StorageError.notARealm(let problem):
      self = problem.meansDamage ? .damaged(RealmDamage(error: error, readable: nil)) : .notARealm(error)
    case StorageError.corrupted(let corruption):
      switch corruption.reason {
      // A file that could be opened is protected all the same once the device is locked.
      case .readFailed(EPERM), .readFailed(EACCES): self = .protected(error)
      case .readFailed: self = .unreadable(error)
      default: self = .damaged(RealmDamage(error: error, readable: nil))
      }
    default: self = .unreadable(error)
    }
  }

  /// A link that leads nowhere, and a name below a file, are more than nothing.
  private static func isNothing(at path: String) -> Bool {
    do throws(SystemCallError) { _ = try FileBackend.calls.kind(ofName: path) } catch { return error.number == ENOENT }
    return false
  }
}

extension HeaderProblem {
  /// Whether the file has the head of a realm, which leads nowhere.
  var meansDamage: Bool {
    switch self {
    case .empty, .tooSmall, .oddSize(_, hasMnemonic: false), .wrongMnemonic, .encryptedTooSmall, .prototype: false
    case .oddSize(_, hasMnemonic: true), .streamingTooSmall, .streamingFooter, .topRefUnaligned, .topRefOutside,
      .topArraySize, .topArray, .logicalSize, .noSuchSnapshot, .snapshotsLost:
      true
    }
  }
}
