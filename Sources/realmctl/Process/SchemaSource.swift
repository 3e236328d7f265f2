import RealmExchange
import RealmModels
import RealmStorage

/// Reads schemas of realms and of schema files, distinguished by content, with one key for the realms that are
/// encrypted.
struct SchemaSource {
  private let key: SharedKey
  /// Whether default values of schema files are used.
  private let usesDefaults: Bool

  /// - Parameters:
  ///   - read: the key, if it has been read already.
  ///   - usesDefaults: whether default values of schema files are used.
  init(key: KeySource?, read: EncryptionKey? = nil, usesDefaults: Bool = false) {
    (self.key, self.usesDefaults) = (SharedKey(key, read: read), usesDefaults)
  }

  /// A schema, and for each table, for each of its properties, the other name an app uses for it.
  struct Target {
    var schema: Schema
    var aliases: [[RealmString?]] = []
    /// Default values that a schema file gives.
    var defaults: [SchemaDefault] = []
    /// Whether it was read from a schema file.
    var isFile = false

    /// The default values by property.
    var defaultValues: [PropertyPath: Value] {
      Dictionary(defaults.map { ($0.path, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// The schema of a realm that is about to be changed; a schema file is none.
  ///
  /// - Throws: `Diagnostic` with the path.
  func schema(ofRealm path: String, _ console: Console) throws -> Schema {
    let input = RealmInput(path: path, key: key.source)
    do {
      let isPlain = try TextInput.kind(of: path) == .plainRealm
      return try schema(of: input, with: isPlain ? nil : key.read(for: input.name), isShown: false, console)
    } catch let error as StorageError {
      throw Diagnostic(error, path: input.name)
    }
  }

  /// A schema that a realm could have: that of a realm is taken as it is, that of a schema file must be valid.
  ///
  /// - Throws: `Diagnostic` with the path.
  func schema(at path: String, choosing snapshot: SnapshotChoice = .live, _ console: Console) throws -> Schema {
    let target = try target(at: path, choosing: snapshot, console)
    // Schemas of synced realms may have asymmetric classes.
    if target.isFile { try Self.requireValid(target, at: path, allowsSync: true) }
    return target.schema
  }

  /// Refuses a key if all realms that were read are plain.
  ///
  /// - Parameter path: the first of them.
  /// - Throws: `Diagnostic`.
  func requireKeyUse(at path: String) throws { try key.requireUse(for: RealmInput(path: path).name) }

  /// A schema that is valid by the rules for local realms.
  ///
  /// - Parameter isOption: whether the command has another realm, whose key it would be.
  /// - Throws: `Diagnostic` with the path.
  func localTarget(at path: String, isOption: Bool = true, _ console: Console) throws -> Target {
    let target = try isOption ? optionTarget(at: path, console) : target(at: path, console)
    try Self.requireValid(target, at: path, allowsSync: false)
    return target
  }

  /// The schema of a schema file, valid at least for a synced realm; nil if `input` is not a schema file.
  ///
  /// - Throws: `Diagnostic` with the path.
  static func schema(ofFile input: RealmInput, _ console: Console) throws -> Schema? {
    do {
      guard try SchemaFile.isOne(input.path) else { return nil }
    } catch is StorageError {
      // The code that reads it as a realm reports what is wrong.
      return nil
    }
    return try SchemaSource(key: nil).schema(at: input.path, choosing: input.snapshot, console)
  }

  /// The schema of a schema file, which is read once for several realms; nil for a realm.
  ///
  /// - Throws: `Diagnostic` with the path.
  static func target(ofFile path: String, usesDefaults: Bool, _ console: Console) throws -> Target? {
    do {
      guard try SchemaFile.isOne(path) else { return nil }
    } catch let error as StorageError {
      throw Diagnostic(error, path: RealmInput(path: path).name)
    }
    return try SchemaSource(key: nil, usesDefaults: usesDefaults).target(at: path, console)
  }

  /// The schema that an option names: a realm for it that is encrypted has another key than the realm that is changed,
  /// or a key where the other has none.
  ///
  /// - Throws: `Diagnostic` with the path.
  func optionTarget(at path: String, _ console: Console) throws -> Target {
    do { return try target(at: path, console) } catch var error as Diagnostic
      where error.cause == .key(.missing)
    {
      let dump = ["schema", "dump", ShellText.path(path), "--key-file", "KEY", "--format", "json", "-o", "schema.json"]
      error.advice = "write its schema to a file: " + ShellText.command(["realmctl"] + dump)
      throw error
    }
  }

  /// - Parameter allowsSync: whether it may have what only a synced realm can have.
  /// - Throws: `Diagnostic` with the path.
  static func requireValid(_ target: Target, at path: String, allowsSync: Bool) throws {
    let schema = target.schema
    let violations = SchemaValidation(of: schema, for: .local, aliases: target.aliases).violations.filter {
      !allowsSync || !$0.isAboutSync
    }
    guard !violations.isEmpty else { return }
    throw Diagnostic(
      invalidSchema: violations, path: RealmInput(path: path).name, known: nil,
      classes: schema.classes.map(\.displayName))
  }

  /// - Throws: `Diagnostic` with the path.
  func target(at path: String, choosing snapshot: SnapshotChoice = .live, _ console: Console) throws -> Target {
    let input = RealmInput(path: path, key: key.source, snapshot: snapshot)
    var kind: TextInput.Kind?
    do {
      if !SafeOutput.isFolder(path) { kind = try TextInput.kind(of: path) }
      if try SchemaFile.isOne(path) {
        guard snapshot == .live else {
          throw Diagnostic(
            .usage, .invalidArgument, path: input.name, "a schema file has no older snapshots",
            advice: "name a realm instead")
        }
        let file = try SchemaFile(reading: path)
        warn(of: file, input, console)
        return Target(schema: file.schema, aliases: file.aliases, defaults: file.defaults, isFile: true)
      }
      return Target(
        schema: try schema(
          of: input,
          with: kind?.needsNoKey == true ? nil : key.read(for: input.name), console))
    } catch let error as StorageError {
      throw Diagnostic(error, path: input.name)
    } catch let error as Diagnostic where error.isOfOtherFile && input.mayBeSchemaFile {
      throw try Self.neither(input, error)
    } catch let error as SchemaFileError {
      throw Diagnostic(error, path: input.name)
    }
  }

  /// What to say of a file that is neither a schema file nor a realm.
  ///
  /// - Parameter error: why it is not a realm.
  /// - Throws: `Diagnostic` about the place that is not JSON, if a text has the name of JSON.
  static func neither(_ input: RealmInput, _ error: Diagnostic) throws -> Diagnostic {
    if input.path.lowercased().hasSuffix(".json"), (try? TextInput.isText(input.path)) == true {
      do { _ = try SchemaFile(TextInput.read(input.path)) } catch let error as SchemaFileError {
        throw Diagnostic(error, path: input.name)
      }
    }
    if (try? TextInput.kind(of: input.path)) == .sqlite {
      return Diagnostic(
        error.status, .invalidDatabase, path: input.name, "is neither a schema file nor a realm", detail: error.detail,
        advice: "it is a SQLite database, whose schema 'schema infer' prints")
    }
    // An archive is unpacked first, whatever is in it.
    if (try? TextInput.archive(at: input.path)) != nil { return error }
    return Diagnostic(
      error.status, .invalidDatabase, path: input.name, "is neither a schema file nor a realm", detail: error.detail,
      advice: "check the path; realmctl-schema(5) describes schema files")
  }

  private func warn(of file: SchemaFile, _ input: RealmInput, _ console: Console) {
    func warn(_ names: [String], _ problem: String) {
      guard !names.isEmpty else { return }
      let more = names.count > Self.mostNamed ? " and \(names.count - Self.mostNamed) more" : ""
      console.warn(
        Diagnostic(
          .done, .notSupported, path: input.name, problem,
          detail: names.prefix(Self.mostNamed).joined(separator: ", ") + more))
    }
    let unused = file.unusedDefaults.map(\.description)
    guard usesDefaults else {
      let names = file.defaults.map(\.path.description) + unused
      return warn(names, "realm files do not store default values, so they are ignored")
    }
    warn(unused, "default values are ignored if they are objects, links or not literals")
  }

  private static let mostNamed = 5

  /// A damaged table would look like a missing one, so there is no answer.
  private func schema(
    of input: RealmInput, with key: EncryptionKey?, isShown: Bool = true, _ console: Console
  ) throws -> Schema {
    try input.read(console, with: key) { realm in
      if isShown { realm.warnIfHeld(on: console) }
      if let damaged = realm.damagedTables(in: .all).first { throw damaged }
      return realm.snapshot.schema
    }
  }
}

extension SchemaViolation {
  /// Whether the schema is valid in a synced realm.
  var isAboutSync: Bool {
    if case .asymmetricInLocalRealm = self { true } else { false }
  }
}
