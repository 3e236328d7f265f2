import ArgumentParser
import RealmTools

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
