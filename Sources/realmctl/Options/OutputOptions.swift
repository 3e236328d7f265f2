import ArgumentParser

/// The option for where data goes.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write to a file instead of standard output.", valueName: "path"),
    completion: .file())
  var output: String?

  @Flag(help: "Replace an existing output.")
  var force = false

  /// Where a draft in YAML goes.
  ///
  /// - Parameter what: what the draft is, in the plural.
  func destination(ofYAML what: String) throws -> OutputDestination {
    if let output, output.lowercased().hasSuffix(".json") {
      throw UsageError("\(what) are written as YAML", advice: "name the output with .yml, not '\(output)'")
    }
    return try destination()
  }

  func destination() throws -> OutputDestination {
    guard let output, !StreamName.isOutput(output) else {
      guard !force else {
        throw UsageError(
          output == nil ? "--force needs -o" : "--force cannot be used with standard output",
          advice: output == nil ? "it replaces an existing output" : nil)
      }
      return .standardOutput
    }
    try OutputName.requireNoRealm(output)
    return .path(output, replacing: force)
  }
}

/// What the name of an output says about what is in it.
enum OutputName {
  /// - Throws: `UsageError` for the name of a realm.
  static func requireNoRealm(_ path: String) throws {
    guard path.lowercased().hasSuffix(".realm") else { return }
    throw UsageError(
      "\(path): the output would not be a realm", advice: "choose another extension, or copy a realm with 'write-copy'")
  }

  /// - Throws: `UsageError` for the name of a file with exported objects. Some apps call their realms `.db`.
  static func requireRealm(_ path: String) throws {
    guard let ending = FormatEnding(of: .path(path, replacing: false)), ending.text != ".db" else { return }
    throw UsageError(
      "\(path): the output would be a realm",
      advice: "choose another extension, or use 'export' for \(ending.format.title)")
  }
}

/// Where data goes.
enum OutputDestination: Equatable, Sendable {
  case standardOutput
  case path(String, replacing: Bool)
}

/// Tables that are not classes.
struct InternalTableOptions: ParsableArguments {
  @Flag(
    name: .customLong("internal"),
    help: "Include internal tables.")
  var includesInternalTables = false
}
