import ArgumentParser
import RealmOpening
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

/// How long to wait, in seconds as typed.
struct WaitingTime: ExpressibleByArgument, Equatable {
  let milliseconds: UInt64

  /// - Returns: nil for what is not a decimal number, and for more than a day.
  init?(argument: String) {
    guard argument.wholeMatch(of: /[0-9]*\.?[0-9]+/) != nil, let seconds = Double(argument),
      seconds <= Double(Self.longest)
    else { return nil }
    milliseconds = UInt64(clamping: seconds * 1000)
  }

  /// A day, in seconds.
  static let longest = 86400
}

/// How long a command waits for a realm that it changes, and where it keeps a backup.
struct BackupOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Seconds to wait for a file in use; by default 0.", valueName: "seconds"))
  var wait: WaitingTime?

  @Option(
    help: ArgumentHelp("File or folder for the backup; existing files are kept.", valueName: "path"),
    completion: .realm)
  var backup: String?

  @Flag(name: .customLong("no-backup"), help: "Do not keep a backup.")
  var keepsNoBackup = false

  @Flag(help: "With --no-backup: change the file even if it is damaged.")
  var allowDamage = false

  func access() throws -> InPlaceAccess {
    if backup != nil, keepsNoBackup { throw UsageError("--backup and --no-backup cannot be used together") }
    if allowDamage, !keepsNoBackup { throw UsageError("--allow-damage needs --no-backup") }
    try StreamName.requireFile(backup, "--backup")
    let choice: BackupChoice = keepsNoBackup ? .none : backup.map { .path($0) } ?? .besideTheFile
    var access = InPlaceAccess(waitingMilliseconds: wait?.milliseconds ?? 0, backup: choice)
    access.refusesDamage = keepsNoBackup && !allowDamage
    return access
  }

  /// For commands that take several files.
  ///
  /// - Throws: `UsageError` for options that apply to one file only.
  func requireSeveral(_ inputs: [RealmInput], output: String?) throws {
    guard inputs.count > 1 else { return }
    guard output == nil else { throw UsageError("-o cannot be used with several realms") }
    guard backup.map(SafeOutput.isFolder) != false else {
      throw UsageError("--backup must be an existing folder if there are several files")
    }
  }
}

extension InPlaceAccess {
  /// The options that made it what it is.
  func options(withUpgrade: Bool) -> [String] {
    var options = waitingMilliseconds > 0 ? ["--wait"] : []
    if withUpgrade, allowsUpgrade { options.append("--upgrade") }
    switch backup {
    case .besideTheFile: break
    case .path: options.append("--backup")
    case .none: options.append("--no-backup")
    }
    return options
  }
}

/// Where the result of a change goes: to the realm itself, or elsewhere.
struct ChangeTargetOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write the result to another file; - is standard output.", valueName: "path"),
    completion: .realm)
  var output: String?

  @OptionGroup var writing: WritingOptions

  /// The other file that the result goes to, and its key; nil if the realm itself is changed.
  ///
  /// - Parameter key: of the result.
  /// - Throws: `UsageError` for options that make no sense together.
  func output(
    of input: RealmInput, _ access: InPlaceAccess, key: OutputKeyOptions
  ) throws -> (writing: OutputTarget, key: OutputKey)? {
    guard let output else {
      if writing.force { throw UsageError("--force needs -o", advice: "it replaces an existing output") }
      try key.requireNone()
      return nil
    }
    var defaults = InPlaceAccess()
    defaults.allowsUpgrade = access.allowsUpgrade
    guard access == defaults else {
      throw UsageError("\(access.options(withUpgrade: false).listed) cannot be used with -o")
    }
    return (
      try writing.writing(to: output, from: input.path), try key.outputKey(alongside: input.key)
    )
  }

  /// - Parameter key: of the result.
  /// - Throws: `UsageError` for options that make no sense together.
  func apply(to launch: inout LaunchRequest, key: OutputKeyOptions) throws {
    (launch.dryRun, launch.verifies) = (writing.dryRun, writing.verifies)
    guard let output = try output(of: launch.input, launch.access, key: key) else { return }
    (launch.destination, launch.outputKey) = (output.writing, output.key)
    // The source is not changed, so upgrading needs no permission.
    launch.allowsUpgrade = true
  }
}
