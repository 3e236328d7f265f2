import ArgumentParser
import RealmStorage
import RealmTools

/// Where the result of a change goes: to the realm itself, or elsewhere.
struct ChangeTargetOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write the result to another file.", valueName: "path"),
    completion: .file(extensions: ["realm"]))
  var output: String?

  @OptionGroup var writing: WritingOptions

  /// - Parameter key: of the result.
  /// - Throws: `ValidationError` for options that mean nothing together.
  func apply(to launch: inout LaunchRequest, key: OutputKeyOptions) throws {
    (launch.dryRun, launch.verifies) = (writing.dryRun, writing.verify)
    guard let output else {
      if writing.force { throw ValidationError("--force needs -o.") }
      try key.requireNone()
      return
    }
    var defaults = InPlaceAccess()
    defaults.allowsUpgrade = launch.access.allowsUpgrade
    guard launch.access == defaults else {
      throw ValidationError("--wait, --backup and --no-backup cannot be used with -o.")
    }
    launch.outputKey = try key.outputKey(alongside: launch.input.key, inputs: [launch.input.path])
    launch.destination = try writing.writing(to: output, from: launch.input.path)
    // What is left alone needs no leave to be upgraded.
    launch.configuration.allowsUpgrade = true
  }
}
