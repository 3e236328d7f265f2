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

  func filter() throws -> CopyPart {
    CopyPart(
      classes: try classes.selection(), includesInternalTables: !leavesInternalTablesOut,
      allowsDataLoss: allowDataLoss)
  }
}

/// A part of a realm, as asked for.
struct CopyPart: Equatable, Sendable {
  var classes = ClassSelection.all
  var includesInternalTables = true
  var allowsDataLoss = false

  var filter: CopyFilter {
    var filter = CopyFilter()
    switch classes {
    case .all: break
    case .only(let names): filter.onlyClasses = names.map { RealmString($0) }
    case .except(let names): filter.excludedClasses = names.map { RealmString($0) }
    }
    filter.includesInternalTables = includesInternalTables
    filter.allowsDataLoss = allowsDataLoss
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
