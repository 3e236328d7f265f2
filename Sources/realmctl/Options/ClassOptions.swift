import ArgumentParser
import RealmStorage

/// Which classes a command deals with.
struct ClassOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only these classes, separated by commas, e.g. Person,Dog. Embedded objects come along with their parents. May "
        + "be repeated.", valueName: "classes"),
    completion: ClassNameCompletion.list)
  var only: [String] = []

  @Option(
    help: ArgumentHelp("All classes but these. May be repeated.", valueName: "classes"),
    completion: ClassNameCompletion.list)
  var exclude: [String] = []

  func selection() throws -> ClassSelection {
    if !only.isEmpty, !exclude.isEmpty { throw ValidationError("--only and --exclude exclude each other.") }
    if !only.isEmpty { return .only(try Self.names(only, "--only")) }
    if !exclude.isEmpty { return .except(try Self.names(exclude, "--exclude")) }
    return .all
  }

  private static func names(_ values: [String], _ option: String) throws -> [RealmString] {
    let names = values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    guard !names.contains("") else { throw ValidationError("\(option) needs class names, separated by commas.") }
    return names.map { RealmString($0) }
  }
}
