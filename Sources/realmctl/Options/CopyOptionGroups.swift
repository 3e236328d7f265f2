import ArgumentParser
import RealmStorage
import RealmTools

/// Which part of a realm goes into a copy.
struct CopyFilterOptions: ParsableArguments {
  @OptionGroup var classes: ClassOptions

  @Flag(
    name: .customLong("no-internal"),
    help: "Leave out internal tables, except the schema version.")
  var leavesInternalTablesOut = false

  @Flag(help: "Drop links to classes that are left out, and count them.")
  var allowDataLoss = false

  func filter() throws -> CopyFilter {
    var filter = CopyFilter()
    filter.classes = try classes.selection()
    filter.includesInternalTables = !leavesInternalTablesOut
    filter.allowsDataLoss = allowDataLoss
    return filter
  }
}

/// How a realm is written.
struct WritingOptions: ParsableArguments {
  @Flag(help: "Replace an existing output, unless an app has it open.")
  var force = false

  @Flag(help: "Run every check and report, but write nothing.")
  var dryRun = false

  @Flag(
    inversion: .prefixedNo,
    help: "Read back and compare the result; --no-verify skips this.")
  var verify = true

  /// - Parameters:
  ///   - path: of the output, `-` for standard output.
  ///   - input: of the source, as typed.
  func writing(to path: String, from input: String?) throws -> RealmWriting {
    try RealmArgument.requirePath(path)
    if path == "-", force { throw ValidationError("--force cannot be used with standard output.") }
    if path == input, path != "-" { throw ValidationError("The output is one of the inputs.") }
    return RealmWriting(path: path, replacing: force, isDryRun: dryRun, verifies: verify)
  }

  /// For what takes the place of the file that is read.
  func writing(inPlace path: String) -> RealmWriting {
    RealmWriting(path: path, replacing: true, isInPlace: true, isDryRun: dryRun, verifies: verify)
  }
}

extension RealmWriting {
  /// What messages call it.
  var name: String { isStandardOutput ? "standard output" : path }
}
