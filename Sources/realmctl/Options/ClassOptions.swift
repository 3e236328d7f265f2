import ArgumentParser
import RealmStorage

/// Which classes a command deals with.
struct ClassOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only these classes, such as Person,Dog; repeatable.", valueName: "classes"),
    completion: ClassNameCompletion.list)
  var only: [String] = []

  @Option(
    help: ArgumentHelp("All classes except these; repeatable.", valueName: "classes"),
    completion: ClassNameCompletion.list)
  var exclude: [String] = []

  func selection() throws -> ClassSelection {
    if !only.isEmpty, !exclude.isEmpty { throw ValidationError("--only and --exclude cannot be used together.") }
    if !only.isEmpty { return .only(try Self.names(only, "--only")) }
    if !exclude.isEmpty { return .except(try Self.names(exclude, "--exclude")) }
    return .all
  }

  private static func names(_ values: [String], _ option: String) throws -> [RealmString] {
    let names = values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    guard !names.contains("") else { throw ValidationError("\(option) takes class names separated by commas.") }
    return names.map { RealmString($0) }
  }
}
