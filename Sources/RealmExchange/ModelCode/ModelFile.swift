import RealmStorage

/// The schema that a file of model code declares.
struct ModelFile {
  /// Under the names a realm stores; without a version, which no model says.
  let schema: Schema
  /// For each class, the names of properties in the code that differ from the stored ones.
  let aliases: [[RealmString?]]
  var defaults: [SchemaDefault] = []
  var unusedDefaults: [RealmString] = []

  /// - Throws: `SchemaFileError.code` with everything that could not be understood; only the first fault if the code
  ///   cannot be followed.
  init(_ bytes: [UInt8], _ language: ModelLanguage) throws(SchemaFileError) {
    guard language != .javaScript else {
      self = try JavaScriptModelReader.read(bytes)
      return
    }
    let models: DeclaredModels
    do throws(ModelFault) { models = try Self.models(bytes, language) } catch { throw .code([error], language) }
    guard !models.classes.isEmpty else { throw .noClasses(language) }
    (schema, aliases) = try models.schema(in: language) { (property, model, classes) throws(ModelFault) in
      switch language {
      case .swift: try SwiftModelReader.type(of: property, classes, models)
      case .kotlin: try KotlinModelReader.type(of: property, in: model, classes)
      case .java: try JavaModelReader.type(of: property, classes, models)
      case .csharp: try CSharpModelReader.type(of: property, in: model, classes)
      case .dart, .javaScript: try DartModelReader.type(of: property, classes, models)
      }
    }
  }

  init(_ schema: Schema, aliases: [[RealmString?]]) { (self.schema, self.aliases) = (schema, aliases) }

  private static func models(_ bytes: [UInt8], _ language: ModelLanguage) throws(ModelFault) -> DeclaredModels {
    switch language {
    case .swift: try SwiftModelReader.read(bytes)
    case .kotlin: try KotlinModelReader.read(bytes)
    case .java: try JavaModelReader.read(bytes)
    case .csharp: try CSharpModelReader.read(bytes)
    case .dart, .javaScript: try DartModelReader.read(bytes)
    }
  }
}

extension SchemaFileError {
  /// A schema without classes would mean that every class of a realm is to be removed.
  static func noClasses(_ language: ModelLanguage) -> SchemaFileError {
    let reason = "the file, read as \(language.name), has no model class"
    return .code([ModelFault(place: ModelPlace(line: 1, column: 1), reason: reason)], language)
  }
}
