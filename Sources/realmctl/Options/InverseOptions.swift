import ArgumentParser
import RealmExchange
import RealmModels
import RealmQuery
import RealmStorage

/// The source of the names of inverse relationships, which a realm does not store.
struct InverseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Schema file with inverse relationships to use in queries.", valueName: "path"),
    completion: .file())
  var schema: String?

  /// Whether a schema file is given.
  var isGiven: Bool { schema != nil }

  var source: InverseSource { InverseSource(path: schema) }
}

/// A schema file whose inverse relationships queries may name.
struct InverseSource: Equatable, Sendable {
  /// Nil for no names.
  var path: String?

  /// The names, for the links of the realm that they mean.
  ///
  /// - Throws: `Diagnostic` with the path of the schema file.
  func names(in realm: Schema) throws -> InverseNames {
    guard let path else { return InverseNames() }
    let input = RealmInput(path: path, key: nil)
    do {
      guard try SafeOutput.isFolder(path) || TextInput.kind(of: path) != .plainRealm else {
        throw Diagnostic(
          .schema, .invalidInput, path: input.name, "realms do not store inverse relationships",
          advice: "name a schema file, see realmctl-schema(5)")
      }
      guard try SchemaFile.isOne(path) || path.lowercased().hasSuffix(".json") else {
        throw Diagnostic(
          .schema, .invalidInput, path: input.name, "not a schema file, which is JSON or model code",
          advice: "realmctl-schema(5) describes schema files")
      }
      let file = try SchemaFile(reading: path)
      let names = try InverseNames(file.schema, in: realm)
      try SchemaSource.requireValid(
        SchemaSource.Target(schema: file.schema, aliases: file.aliases), at: path, allowsSync: true)
      return names
    } catch let error as StorageError {
      throw Diagnostic(error, path: input.name)
    } catch let error as SchemaFileError {
      throw Diagnostic(error, path: input.name)
    } catch let error as QueryError {
      throw Diagnostic(
        .schema, .schemaMismatch, path: input.name, error.message,
        advice: error.advice ?? "use the schema of this realm, or correct it")
    }
  }
}
