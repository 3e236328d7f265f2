import ArgumentParser
import RealmStorage
import RealmTools

/// Which part of a realm goes into a copy.
struct CopyFilterOptions: ParsableArguments {
  @OptionGroup var classes: ClassOptions

  @Flag(
    name: .customLong("no-internal"),
    help: "Leave out the tables that are no classes, except for the one with the schema version.")
  var leavesInternalTablesOut = false

  @Flag(
    help:
      "Leave out properties that link to classes left out, and make such links in mixed values null; both are counted."
  )
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
  @Flag(help: "Replace the output if it exists and no app has it open.")
  var force = false

  @Flag(help: "Check everything and report, but write nothing.")
  var dryRun = false

  @Flag(
    inversion: .prefixedNo,
    help: "Read what was written again and compare it before it appears; not possible for standard output and devices.")
  var verify = true

  /// - Parameters:
  ///   - path: of the output, `-` for standard output.
  ///   - input: of the source, as typed.
  func writing(to path: String, from input: String?) throws -> RealmWriting {
    try RealmArgument.requirePath(path)
    if path == "-", force { throw ValidationError("--force means something for a file only.") }
    if path == input, path != "-" { throw ValidationError("The output is a file that this run reads.") }
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
