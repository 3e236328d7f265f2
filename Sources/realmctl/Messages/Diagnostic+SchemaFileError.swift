import RealmExchange
import RealmModels
import RealmStorage
import RealmText

extension Diagnostic {
  /// A schema file that breaks rules: the first is named, the others are counted.
  init(_ error: SchemaFileError, path: String) {
    switch error {
    case .malformed(.malformed(let fault, let location)):
      self.init(
        .schema, .malformedJSON, path: path, at: SourceMark(location), "not valid JSON: \(fault)",
        advice: "fix the file; see \(SchemaAdvice.page)")
    case .malformed(let error):
      self.init(.schema, .malformedJSON, path: path, "not valid JSON", detail: "\(error)")
    case .code(let faults, let language):
      let more = faults.count > 1 ? ", and \(faults.count - 1) more" : ""
      self.init(
        .schema, .schemaValidationFailed, path: faults.first?.path ?? path,
        at: faults.first.map { SourceMark(line: $0.place.line, column: $0.place.column) },
        "cannot be read as model code in \(language.name)", detail: faults.first.map { $0.reason + more },
        advice: "realmctl-schema(5) describes the model code that is read")
    case .invalid(let violations) where violations.first?.fault.looksLikeData == true:
      self.init(
        .schema, .schemaValidationFailed, path: path, "not a valid schema",
        detail: violations.first.map { "\($0)" },
        advice: "if these are objects, 'import' and 'bundle --data' read them; see \(SchemaAdvice.page)")
    case .invalid(let violations):
      let first = violations.first.map { "\($0)" } ?? ""
      let detail = violations.count > 1 ? "\(first.withoutStop), and \(violations.count - 1) more" : first
      self.init(
        .schema, .schemaValidationFailed, path: path, "not a valid schema", detail: detail,
        advice: violations.first?.fault.advice ?? "fix the schema; see \(SchemaAdvice.page)")
    }
  }
}

extension SchemaFileFault {
  /// Whether the file is an object, or an array of objects, with nothing that a schema has.
  fileprivate var looksLikeData: Bool {
    switch self {
    case .file(.noClasses(found: nil)), .schemaClass(.wrongName(found: nil)): true
    case .file(.unknownFields(let fields, _)): fieldMeant == nil && !fields.contains("properties")
    default: false
    }
  }

  /// What the user may have meant.
  fileprivate var advice: String? {
    if case .declaration(.classAsType(let name)) = self {
      let word = "\(name)"
      if TypeVocabulary.all.contains(word) { return nil }
      return TypeVocabulary.type(meantBy: word, classes: []).map {
        "did you mean '\($0)'? \(SchemaAdvice.page) lists the types"
      }
        ?? "write { \"type\": \"object\", \"objectType\": \"\(word)\" }, or only \"\(word)\", for a link to class '\(word)'"
    }
    if case .file(.unknownFields(let fields, _)) = self, fields.contains("properties") {
      return fields.contains("bsonType")
        ? "schemas of App Services cannot be read; see \(SchemaAdvice.page)"
        : "put the class in an array: [ … ]; see \(SchemaAdvice.page)"
    }
    if case .schemaClass(.unknownFields(let fields)) = self, fields.contains("tableType") {
      return "it is a schema as the engine writes it (core-json); 'schema dump --format json' writes schema files"
    }
    return fieldMeant.map { "did you mean '\($0)'? See \(SchemaAdvice.page)" }
  }

  /// The field that was probably meant by an unknown one.
  fileprivate var fieldMeant: String? {
    let (unknown, known): ([RealmString], Set<RealmString>) =
      switch self {
      case .file(.unknownFields(let fields, _)): (fields, ["schemaVersion", "classes"])
      case .schemaClass(.unknownFields(let fields)): (fields, SchemaFile.classFields)
      case .property(.unknownFields(let fields)): (fields, SchemaFile.propertyFields)
      default: ([], [])
      }
    let otherNames: [RealmString: String] = [
      "schema": "classes", "version": "schemaVersion", "nullable": "optional", "required": "optional",
      "index": "indexed",
      "items": "objectType",
    ]
    if let first = unknown.first, let other = otherNames[first], known.contains(RealmString(other)) { return other }
    return unknown.first.flatMap { Similarity.nearest(to: $0.description, among: known.map(\.description).sorted()) }
  }
}
