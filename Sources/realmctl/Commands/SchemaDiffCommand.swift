import ArgumentParser
import RealmStorage
import RealmTools

/// `realmctl schema diff A B`: tells what would have to be migrated.
struct SchemaDiffCommand: RealmctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Tell what would have to be migrated from one schema to another, in the SDKs' words.",
    discussion: """
      A and B are realms, or schema files as 'schema dump --format json' writes them.
      The status is 1 where the schemas differ. In front of each line stands what
      the change costs an app that opens A with the schema of B:

        auto         done at any schema version, or nothing has to be done
        bump         needs a higher schema version; no stored value is lost
        lossy        needs a higher schema version, and values are lost
        conditional  needs a higher schema version and objects that fit

      Examples:
        realmctl schema diff old.realm new.realm
        realmctl schema diff app.realm model.json --json
      """)

  @Argument(help: ArgumentHelp("The realm or schema file to start from.", valueName: "a"), completion: .file())
  var first: String
  @Argument(help: ArgumentHelp("The realm or schema file to arrive at.", valueName: "b"), completion: .file())
  var second: String
  @OptionGroup(title: "Encryption key of the realms") var key: KeyOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    var inputs: [RealmInput]
  }

  func request() throws -> Request {
    if first == "-", second == "-" { throw ValidationError("Standard input can be only one of the two.") }
    let source = try key.source(besides: [first, second])
    return Request(inputs: [first, second].map { RealmInput(path: $0, key: source) })
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let key = LazyKey(request.inputs[0])
    let schemas = try request.inputs.map { try Self.schema(of: $0, key: key, on: console) }
    let difference = SchemaDifference(from: schemas[0], to: schemas[1])
    try StandardOutput.write(console.style.isJSON ? Self.json(difference) : Self.text(difference))
    return difference.isEmpty ? .done : .findings
  }

  /// The schema of a realm or of a schema file, told apart by content.
  private static func schema(of input: RealmInput, key: LazyKey, on console: Console) throws -> Schema {
    var kind = TextInput.Kind.other
    do {
      if !input.isStandardInput { kind = try TextInput.kind(of: input.path) }
      if kind == .json { return try SchemaFile(try TextInput.read(input.path)).schema }
    } catch let error as StorageError {
      throw Diagnostic(error, path: input.name)
    } catch let error as SchemaFileError {
      throw Diagnostic(error, path: input.name)
    }
    // One of the two may be encrypted and the other not.
    return try input.read(console, with: kind == .plainRealm ? nil : key.read()) { realm in
      if let damaged = realm.damagedTables(in: .all).first { throw damaged }
      return realm.snapshot.schema
    }
  }

  // MARK: Output

  private static func text(_ difference: SchemaDifference) -> String {
    difference.changes.compactMap { change in
      change.text.map { change.effect.rawValue.padding(to: 12) + $0 + "\n" }
    }.joined()
  }

  private static func json(_ difference: SchemaDifference) -> String {
    let json = JSONText(isIndented: true)
    json.object {
      json.member("version", 1)
      json.member("equal", difference.isEmpty)
      json.member("needsMigration", difference.needsMigration)
      json.member("changes") {
        json.array {
          for change in difference.changes {
            guard let text = change.text else { continue }
            json.element {
              json.object {
                json.member("kind", change.kindName)
                json.member("effect", change.effect.rawValue)
                json.member("class", change.className.description)
                json.member("property", change.property?.name.description)
                json.member("text", text)
              }
            }
          }
        }
      }
    }
    return json.text + "\n"
  }
}

/// A key that is read when the first realm wants it, and once only: it may be typed, or come from standard input.
private final class LazyKey {
  private let source: RealmInput
  private var key: EncryptionKey?

  init(_ source: RealmInput) { self.source = source }

  func read() throws -> EncryptionKey? {
    if key == nil { key = try source.key?.read(for: source.name) }
    return key
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension Diagnostic {
  /// A schema file that breaks rules: all of them in one line each would be long, so the first is named, the others
  /// counted.
  init(_ error: SchemaFileError, path: String) {
    switch error {
    case .malformed(let fault):
      self.init(.schema, .invalidInput, path: path, "this is no schema: the JSON is damaged", detail: "\(fault)")
    case .invalid(let violations):
      let more = violations.count > 1 ? " (and \(violations.count - 1) more)" : ""
      self.init(
        .schema, .invalidInput, path: path, "this is no valid schema",
        detail: violations.first.map { "\($0)\(more)" })
    }
  }
}
