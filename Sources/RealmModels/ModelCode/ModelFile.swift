import RealmStorage
import RealmSystem

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
  init(_ files: [[UInt8]], _ language: ModelLanguage) throws(SchemaFileError) {
    var cursors: [ModelCursor] = []
    let read: DeclaredModels?
    do throws(ModelFault) {
      for (index, bytes) in files.enumerated() { cursors.append(try ModelCursor(bytes, language, file: index)) }
      read = try Self.models(cursors, language)
    } catch { throw .code([error], language) }
    guard let models = read else {
      self = try JavaScriptModelReader.read(cursors)
      return
    }
    guard !models.classes.isEmpty else { throw .noClasses(language) }
    (schema, aliases) = try models.schema(in: language) { (property, model, classes) throws(ModelFault) in
      switch language {
      case .swift: try SwiftModelReader.type(of: property, classes, models)
      case .kotlin: try KotlinModelReader.type(of: property, in: model, classes)
      case .java: try JavaModelReader.type(of: property, classes, models)
      case .csharp: try CSharpModelReader.type(of: property, in: model, classes)
      case .objectiveC: try ObjectiveCModelReader.type(of: property, classes, models)
      case .dart, .javaScript: try DartModelReader.type(of: property, classes, models)
      }
    }
  }

  init(_ schema: Schema, aliases: [[RealmString?]]) { (self.schema, self.aliases) = (schema, aliases) }

  /// What the code declares; nil for JavaScript, whose schemas are read like those in JSON.
  private static func models(
    _ files: [ModelCursor], _ language: ModelLanguage
  ) throws(ModelFault) -> DeclaredModels? {
    switch language {
    case .swift: try SwiftModelReader.read(files)
    case .kotlin: try KotlinModelReader.read(files)
    case .java: try JavaModelReader.read(files)
    case .csharp: try CSharpModelReader.read(files)
    case .dart: try DartModelReader.read(files)
    case .objectiveC: try ObjectiveCModelReader.read(files)
    case .javaScript: nil
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

/// A folder of model code, whose files are read as one schema.
struct ModelFolder {
  /// In the order of their paths.
  let files: [(path: String, language: ModelLanguage)]

  /// The limits for folders in folders, and for names in all of them.
  private static let (mostLevels, mostNames) = (8, 10_000)

  /// - Throws: `StorageError.file`.
  init(_ path: String) throws {
    var (files, count): ([(path: String, language: ModelLanguage)], Int) = ([], 0)
    func add(_ folder: String, _ level: Int) throws {
      let names: [String]
      do throws(SystemCallError) { names = try SafeOutput.names(inFolder: folder) } catch {
        throw StorageError.file(.systemCall(name: error.name, errorNumber: error.number))
      }
      for name in names.sorted() where !name.hasPrefix(".") {
        count += 1
        guard count <= Self.mostNames else { throw StorageError.file(.isDirectory) }
        let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
        if let language = ModelLanguage(path: name), !SafeOutput.isFolder(path) {
          files.append((path, language))
        } else if level < Self.mostLevels, SafeOutput.isFolder(path) {
          try add(path, level + 1)
        }
      }
    }
    try add(path, 1)
    self.files = files
  }

  /// - Throws: `SchemaFileError`, `StorageError.file`.
  func read() throws -> ModelFile {
    let languages = Set(files.map(\.language)).sorted { $0.rawValue < $1.rawValue }
    guard let language = languages.first, languages.count == 1 else {
      let names = languages.map(\.name).joined(separator: " and ")
      let place = ModelPlace(line: 1, column: 1)
      throw SchemaFileError.code(
        [ModelFault(place: place, reason: "the folder has code in \(names)")], languages.first ?? .swift)
    }
    let bytes = try files.map { file in try TextInput.read(file.path) }
    do throws(SchemaFileError) { return try ModelFile(bytes, language) } catch {
      guard case .code(var faults, _) = error else { throw error }
      for index in faults.indices where files.indices.contains(faults[index].place.file) {
        faults[index].path = files[faults[index].place.file].path
      }
      throw SchemaFileError.code(faults, language)
    }
  }
}
