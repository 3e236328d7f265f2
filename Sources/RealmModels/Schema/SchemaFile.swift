import RealmStorage
import RealmText

/// A schema read from a file: what `--schema` takes, and what `schema dump` writes as JSON or as model code.
///
/// In JSON it is either the array of schema objects that realm-js takes, or `{"schemaVersion":3,"classes":[…]}` around it. Types may
/// be in shorthand (`"int?[]"`, `"Dog"`) or objects with `type`, `objectType`, `optional`, `indexed`, `mapTo` and so on.
///
/// ```swift
/// let file = try SchemaFile(bytes)
/// if let message = file.validation(for: .local).message { … }
/// ```
package struct SchemaFile: Sendable {
  /// The schema under the names that a realm stores (`mapTo`). `version` is nil if the file has none.
  package let schema: Schema
  /// For each class, the names of properties in an app that differ from the stored ones.
  package let aliases: [[RealmString?]]
  /// Default values: apps have these, a realm does not store them.
  package let defaults: [SchemaDefault]
  /// Properties whose default value is an object or a link, as `Class.property`: such a value cannot be used for several
  /// objects.
  package let unusedDefaults: [RealmString]

  /// Reads a file that follows all rules of realm-js for single classes and properties.
  ///
  /// - Throws: `SchemaFileError` with everything that is wrong, or with the place if the text is not JSON.
  package init(_ bytes: [UInt8]) throws(SchemaFileError) {
    var options = JSONReader.Options()
    options.restoresBytes = true
    let value: JSONValue
    do {
      value = try JSONValue.parse(bytes, options: options)
    } catch {
      throw .malformed(error)
    }
    var reader = SchemaFileReader()
    reader.readFile(value)
    guard reader.violations.isEmpty else { throw .invalid(reader.violations) }
    (schema, aliases) = reader.result
    (defaults, unusedDefaults) = (reader.defaults, reader.unusedDefaults)
  }

  /// Checks the rules between classes, which `init` does not.
  package func validation(for purpose: SchemaValidation.Purpose) -> SchemaValidation {
    SchemaValidation(of: schema, for: purpose, aliases: aliases)
  }
}

extension SchemaFile {
  /// Reads model classes.
  ///
  /// - Throws: `SchemaFileError` with everything that is not understood.
  package init(models bytes: [UInt8], in language: ModelLanguage) throws(SchemaFileError) {
    self.init(try ModelFile([bytes], language))
  }

  private init(_ file: ModelFile) {
    (schema, aliases, defaults) = (file.schema, file.aliases, file.defaults)
    unusedDefaults = file.unusedDefaults
  }

  /// Whether the file at `path` is a schema file: JSON by its content, model code by its name; or a folder with model
  /// code in it.
  ///
  /// - Throws: `StorageError.file`.
  package static func isOne(_ path: String) throws -> Bool {
    if SafeOutput.isFolder(path) { return try !ModelFolder(path).files.isEmpty }
    return switch try TextInput.kind(of: path) {
    case .json: true
    case .other: ModelLanguage(path: path) != nil
    case .plainRealm, .sqlite: false
    }
  }

  /// Reads a schema file, for which `isOne` is true.
  ///
  /// - Throws: `SchemaFileError`, `StorageError.file`.
  package init(reading path: String) throws {
    if SafeOutput.isFolder(path) {
      self.init(try ModelFolder(path).read())
    } else if let language = ModelLanguage(path: path), try language == .csharp || TextInput.kind(of: path) != .json {
      try self.init(models: TextInput.read(path), in: language)
    } else {
      try self.init(TextInput.read(path))
    }
  }
}

/// Why a file is not a schema.
package enum SchemaFileError: Error {
  /// The text is not JSON.
  case malformed(JSONError)
  /// The rules that the file breaks, in its order; at least one.
  case invalid([SchemaFileViolation])
  /// What could not be understood in model code, in the order of the code; at least one fault.
  case code([ModelFault], ModelLanguage)
}

/// A place in a JSON document: `classes[2].properties.dogs.type`.
package struct SchemaFilePath: Hashable, Sendable, CustomStringConvertible {
  private enum Step: Hashable, Sendable {
    case key(RealmString)
    case index(Int)
  }

  private var steps: [Step] = []

  func key(_ key: RealmString) -> SchemaFilePath { adding(.key(key)) }
  func index(_ index: Int) -> SchemaFilePath { adding(.index(index)) }

  /// The path of what this one is in; nil for the top.
  var parent: SchemaFilePath? {
    guard !steps.isEmpty else { return nil }
    var path = self
    path.steps.removeLast()
    return path
  }

  private func adding(_ step: Step) -> SchemaFilePath {
    var path = self
    path.steps.append(step)
    return path
  }

  /// The steps from the outermost value; `top level` for that value itself. Keys that are not plain names are quoted.
  package var description: String {
    guard !steps.isEmpty else { return "top level" }
    var text = ""
    for step in steps {
      switch step {
      case .key(let key): text += (text.isEmpty ? "" : ".") + key.shown
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }
}
