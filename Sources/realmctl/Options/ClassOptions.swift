import ArgumentParser
import RealmExchange
import RealmStorage
import RealmText

/// Which classes a command works on.
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
    if !only.isEmpty, !exclude.isEmpty { throw UsageError("--only and --exclude cannot be used together") }
    if !only.isEmpty { return .only(try Self.names(only, "--only")) }
    if !exclude.isEmpty { return .except(try Self.names(exclude, "--exclude")) }
    return .all
  }

  private static func names(_ values: [String], _ option: String) throws -> [RealmString] {
    try values.flatMap { value in
      let names = value.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmed) }
      guard !names.contains("") else {
        throw UsageError("\(option) takes class names separated by commas, not '\(value)'")
      }
      return names.map { RealmString($0) }
    }
  }
}

extension ClassSelection {
  /// Checks that every name exists, so that a typo does not go unnoticed.
  ///
  /// - Parameter realm: whose classes and internal tables, damaged ones too, are known names.
  /// - Throws: `Diagnostic`, exit 3.
  func requireKnownNames(in realm: OpenedRealm) throws {
    try requireKnownNames(in: [.realm(realm)], at: realm.bytes.path)
  }

  /// The same for names that any of several files may know.
  ///
  /// - Parameter path: of the only file; nil if there are two.
  func requireKnownNames(in files: [ComparedFile], at path: String?) throws {
    guard !names.isEmpty else { return }
    try require(among: files.flatMap(\.tableNames), at: path)
  }

  /// The same for the classes of a schema.
  ///
  /// - Throws: `Diagnostic`, exit 3.
  func requireKnownNames(in schema: Schema, at path: String) throws {
    try require(among: schema.tables.map(\.name), at: path)
  }

  private func require(among tables: [RealmString], at path: String?) throws {
    let known = Set(tables.map(TableSchema.displayName(ofTable:)))
    let unknown = names.filter { !known.contains($0) }
    guard !unknown.isEmpty else { return }
    let classes = Set(
      tables.filter { $0.hasPrefix(TableSchema.classPrefix) }.map { TableSchema.displayName(ofTable: $0).description }
    ).sorted()
    _ = try Diagnostic.collectingMistakes(unknown) { name in
      // The names to choose from are those of both.
      guard let path else { throw Diagnostic(inNeitherRealm: name.description, among: classes) }
      throw Diagnostic(noClass: name.description, among: classes, path: path)
    }
  }
}
