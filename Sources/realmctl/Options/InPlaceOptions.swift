import ArgumentParser
import RealmStorage
import RealmTools

/// What a command that changes a realm in place may do, and how long it waits for it.
struct InPlaceOptions: ParsableArguments {
  @Flag(help: "Convert an older file format to 24 first; keeps a backup.")
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
  @Option(help: ArgumentHelp("Seconds to wait for a file in use.", valueName: "seconds"))
  var wait: Double?

  @Option(
    help: ArgumentHelp("File or folder for the backup, if not next to the file.", valueName: "path"),
    completion: .realm)
  var backup: String?

  @Flag(name: .customLong("no-backup"), help: "Keep no backup.")
  var keepsNoBackup = false

  func access() throws -> InPlaceAccess {
    let wait = wait ?? 0
    guard wait >= 0, wait <= Self.longestWait else {
      throw ValidationError("--wait takes a number of seconds from 0 to \(Int(Self.longestWait)).")
    }
    if backup != nil, keepsNoBackup { throw ValidationError("--backup and --no-backup cannot be used together.") }
    if backup == "" || backup == "-" { throw ValidationError("--backup takes the path of a file.") }
    let choice: BackupChoice = keepsNoBackup ? .none : backup.map { .path($0) } ?? .besideTheFile
    return InPlaceAccess(waitingMilliseconds: UInt64(wait * 1000), backup: choice)
  }

  /// For commands that take several files.
  ///
  /// - Throws: `ValidationError` for options that mean one file.
  func requireSeveral(_ inputs: [RealmInput], output: String?) throws {
    guard inputs.count > 1 else { return }
    guard output == nil else { throw ValidationError("-o takes the result of one realm, not of several.") }
    guard backup.map(SafeOutput.isFolder) != false else {
      throw ValidationError("--backup takes an existing folder if there are several files.")
    }
  }

  /// A day.
  private static let longestWait: Double = 86400
}
