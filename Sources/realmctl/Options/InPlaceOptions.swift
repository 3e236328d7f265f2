import ArgumentParser
import RealmStorage
import RealmTools

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a command that changes a realm in place may do, and how long it waits for it.
struct InPlaceOptions: ParsableArguments {
  @Flag(help: "Let a file of an older format be brought to format 24 in place. A backup is kept beside it.")
  var upgrade = false

  @OptionGroup var backup: BackupOptions

  func access() throws -> InPlaceAccess {
    var access = try backup.access()
    access.allowsUpgrade = upgrade
    return access
  }
}

/// How long a command waits for a realm that it changes, and where it keeps a backup.
struct BackupOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Wait so long for a file that is in use; 0 unless given.", valueName: "seconds"))
  var wait: Double = 0

  @Option(
    help: ArgumentHelp("Where the backup goes; beside the file unless given.", valueName: "path"),
    completion: .file(extensions: ["realm"]))
  var backup: String?

  @Flag(name: .customLong("no-backup"), help: "Keep no backup.")
  var keepsNoBackup = false

  func access() throws -> InPlaceAccess {
    guard wait >= 0, wait <= Self.longestWait else {
      throw ValidationError("--wait takes a number of seconds from 0 to \(Int(Self.longestWait)).")
    }
    if backup != nil, keepsNoBackup { throw ValidationError("--backup and --no-backup exclude each other.") }
    if backup == "" || backup == "-" { throw ValidationError("--backup takes the path of a file.") }
    let choice: BackupChoice = keepsNoBackup ? .none : backup.map { .path($0) } ?? .besideTheFile
    return InPlaceAccess(waitingMilliseconds: UInt64(wait * 1000), backup: choice)
  }

  /// A day.
  private static let longestWait: Double = 86400
}

/// How a realm is changed in place.
struct InPlaceAccess: Equatable, Sendable {
  var waitingMilliseconds: UInt64 = 0
  var allowsUpgrade = false
  var backup = BackupChoice.besideTheFile

  /// Takes the realm for this process alone.
  ///
  /// - Throws: `Diagnostic` where somebody has it open.
  func take(_ path: String) throws -> ExclusiveAccess {
    do {
      return try ExclusiveAccess(toRealm: path, waitingMilliseconds: waitingMilliseconds)
    } catch let error as AccessError {
      throw Diagnostic(error)
    } catch let error as OutputError {
      throw Diagnostic(error)
    }
  }

  /// A backup of a realm that is left as it is, where one was asked for by name.
  ///
  /// - Returns: nil where none was.
  /// - Throws: `Diagnostic`; somebody may have the realm open.
  func backUpUnchanged(_ path: String, key: EncryptionKey?, before operation: LaunchOperation) throws -> RealmBackup? {
    guard backup.isNamed else { return nil }
    let access = try take(path)
    defer { access.release() }
    guard let prepared = try backup.prepare(of: path, key: key, before: operation) else { return nil }
    try prepared.publish()
    return prepared.backup
  }

  /// What `take` would find, without making anything.
  ///
  /// - Throws: `Diagnostic` where somebody has it open.
  func requireFree(_ path: String) throws {
    let holders: LockHolders
    do { holders = try ExclusiveAccess.holders(ofRealm: path) } catch let error as OutputError {
      throw Diagnostic(error)
    } catch let error as AccessError {
      throw Diagnostic(error)
    }
    guard case .processes(let processes) = holders, !processes.isEmpty else { return }
    throw Diagnostic(AccessError.inUse(path: path, holders: holders))
  }
}

/// Whether there is a backup, and where.
enum BackupChoice: Equatable, Sendable {
  case besideTheFile
  case path(String)
  case none

  /// Whether somebody said where it goes: then there is one, whatever is done.
  var isNamed: Bool {
    if case .path = self { true } else { false }
  }

  /// Copies a realm before something is done to it, or keeps one that is to be deleted: the backup appears when it is
  /// published.
  ///
  /// - Parameter key: of the realm.
  /// - Returns: nil where none is wanted.
  /// - Throws: `Diagnostic`.
  func prepare(of realm: String, key: EncryptionKey?, before operation: LaunchOperation) throws -> PreparedBackup? {
    try backup(of: realm, before: operation).map { try PreparedBackup($0, of: realm, key) }
  }

  /// Finds what would keep `prepare` from making a backup.
  ///
  /// - Parameter byteCount: of the realm.
  /// - Throws: `Diagnostic`.
  func check(of realm: String, before operation: LaunchOperation, byteCount: UInt64) throws {
    guard let backup = backup(of: realm, before: operation) else { return }
    try PreparedBackup.reporting(of: realm) {
      do throws(OutputError) {
        try SafeOutput.check(at: backup.path, replacing: .never, inputs: [realm], expectedByteCount: byteCount)
      } catch {
        // Another name is found when it is needed.
        switch error {
        case .exists, .isInput: return
        default: throw error
        }
      }
    }
  }

  private func backup(of realm: String, before operation: LaunchOperation) -> RealmBackup? {
    switch self {
    case .none: nil
    case .path(let path): RealmBackup(at: path)
    case .besideTheFile where operation == .delete:
      RealmBackup(ofDeleted: realm, at: SystemClock.secondsSince1970)
    case .besideTheFile: RealmBackup(of: realm, before: operation.rawValue, at: SystemClock.secondsSince1970)
    }
  }
}

/// A backup that is complete and has no name yet; let go, it leaves nothing.
struct PreparedBackup: LaunchBackup {
  let backup: RealmBackup
  fileprivate let realm: String
  /// Nil where a file of that name holds the same already.
  fileprivate let output: SafeOutput?

  fileprivate init(_ backup: RealmBackup, of realm: String, _ key: EncryptionKey?) throws {
    self.realm = realm
    (self.backup, output) = try Self.reporting(of: realm) { try backup.prepare(of: realm, key: key) }
  }

  /// - Throws: `Diagnostic`; there is no backup then.
  func publish() throws {
    guard try Self.reporting(of: realm, { try output?.publish() }) == false else { return }
    withdraw()
    throw Diagnostic(
      .failed, .fileOperationFailed, path: backup.path,
      "the folder could not be synced, so that a power cut might take the backup; nothing was done",
      advice: "try another disk with --backup, or --no-backup")
  }

  /// Takes a published backup away again, where nothing was done after all.
  func withdraw() { if output != nil { backup.remove() } }

  fileprivate static func reporting<Result>(of realm: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as OutputError {
      var diagnostic = Diagnostic(error)
      diagnostic.problem = "there is no backup, so nothing was done: " + diagnostic.problem
      diagnostic.advice = advice(error)
      throw diagnostic
    } catch let error as StorageError {
      throw Diagnostic(error, path: realm)
    } catch BackupError.different(let path) {
      throw Diagnostic(
        .failed, .fileOperationFailed, path: path, "the backup is not what it is a copy of, so nothing was done",
        advice: "try another disk with --backup")
    }
  }

  /// What is written for outputs, such as --force, does not go for backups.
  private static func advice(_ error: OutputError) -> String {
    switch error {
    case .exists, .isInput, .isDirectory, .notARegularFile: "name another file with --backup, or take that one away"
    case .noSpace, .systemCall(_, _, ENOSPC): "make room, name another disk with --backup, or use --no-backup"
    case .cannotKeepOwner: "run as that user, or use --no-backup"
    case .folderMissing: "create it first, or name another with --backup"
    default: "name another folder with --backup, or use --no-backup"
    }
  }
}
