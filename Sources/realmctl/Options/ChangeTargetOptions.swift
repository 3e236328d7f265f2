import ArgumentParser
import RealmStorage
import RealmTools

/// Where the result of a change goes: to the realm itself, or elsewhere.
struct ChangeTargetOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write the result to another file.", valueName: "path"),
    completion: .realm)
  var output: String?

  @OptionGroup var writing: WritingOptions

  /// The other file that the result goes to, and its key; nil where the realm itself is changed.
  ///
  /// - Parameter key: of the result.
  /// - Throws: `ValidationError` for options that mean nothing together.
  func output(
    of input: RealmInput, _ access: InPlaceAccess, key: OutputKeyOptions
  ) throws -> (writing: RealmWriting, key: OutputKey)? {
    guard let output else {
      if writing.force { throw ValidationError("--force needs -o.") }
      try key.requireNone()
      return nil
    }
    var defaults = InPlaceAccess()
    defaults.allowsUpgrade = access.allowsUpgrade
    guard access == defaults else {
      throw ValidationError("--wait, --backup and --no-backup cannot be used with -o.")
    }
    return (
      try writing.writing(to: output, from: input.path), try key.outputKey(alongside: input.key, inputs: [input.path])
    )
  }

  /// - Parameter key: of the result.
  /// - Throws: `ValidationError` for options that mean nothing together.
  func apply(to launch: inout LaunchRequest, key: OutputKeyOptions) throws {
    (launch.dryRun, launch.verifies) = (writing.dryRun, writing.verify)
    guard let output = try output(of: launch.input, launch.access, key: key) else { return }
    (launch.destination, launch.outputKey) = (output.writing, output.key)
    // What is left alone needs no leave to be upgraded.
    launch.allowsUpgrade = true
  }
}
