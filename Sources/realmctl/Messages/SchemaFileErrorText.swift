import RealmTools

extension Diagnostic {
  /// A schema file that breaks rules: the first is named, the others are counted.
  init(_ error: SchemaFileError, path: String) {
    switch error {
    case .malformed(let error):
      self.init(
        .schema, .malformedJSON, path: path, "this is no schema: the JSON is damaged", detail: "\(error)",
        advice: "mend the file")
    case .invalid(let violations):
      let more = violations.count > 1 ? ", and \(violations.count - 1) more" : ""
      self.init(
        .schema, .schemaValidationFailed, path: path, "this is no valid schema",
        detail: violations.first.map { "\($0)\(more)" }, advice: "mend the file")
    }
  }
}
