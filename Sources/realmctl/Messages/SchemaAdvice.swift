import RealmExchange
import RealmStorage
import RealmText
import RealmTools

extension Diagnostic {
  /// A schema that breaks the rules between classes.
  ///
  /// - Parameters:
  ///   - violations: at least one.
  ///   - path: of the schema, as typed.
  ///   - known: what the SDKs say about it; nil if no app would see the schema.
  ///   - classes: of the schema, as far as known.
  init(invalidSchema violations: [SchemaViolation], path: String, known: String?, classes: [RealmString] = []) {
    let others = violations.count - 1
    let more = others == 0 ? nil : "and " + others.counted("more error")
    let advice = SchemaAdvice.text(for: violations, classes: classes.map(\.description))
    if let known {
      self.init(.schema, .schemaValidationFailed, path: path, known, advice: advice)
    } else if let unknown = UnknownType.first(in: violations) {
      self.init(
        .schema, .schemaValidationFailed, path: path,
        "property '\(unknown.className).\(unknown.property)': unknown type '\(unknown.type)'", detail: more,
        advice: advice)
    } else {
      // A class that occurs twice also makes its links look wrong.
      let first = violations.first { if case .duplicateClass = $0 { true } else { false } } ?? violations.first
      let texts = [first?.description, more].compactMap { $0 }
      self.init(
        .schema, .schemaValidationFailed, path: path, "not a valid schema", detail: texts.joined(separator: ", "),
        advice: advice)
    }
  }
}

/// A type that is taken for a class, which the schema does not have.
private struct UnknownType {
  let className: RealmString
  let property: RealmString
  let type: String

  /// Nil also if a class occurs twice: one of them may be the missing one under a wrong name.
  static func first(in violations: [SchemaViolation]) -> UnknownType? {
    let isDuplicate = violations.contains { if case .duplicateClass = $0 { true } else { false } }
    return isDuplicate ? nil : violations.lazy.compactMap(UnknownType.init).first
  }

  private init?(_ violation: SchemaViolation) {
    guard case .property(let className, let property, .unknownTarget) = violation, let target = property.targetClass
    else { return nil }
    (self.className, self.property, type) = (className, property.name, target.description)
  }
}

/// What to do about a schema that breaks rules.
enum SchemaAdvice {
  /// The manual page that every error about a schema names.
  static let page = "realmctl-schema(5)"

  static func text(for violations: [SchemaViolation], classes: [String]) -> String {
    if let unknown = UnknownType.first(in: violations) {
      return text(forType: unknown.type, classes: classes)
    }
    let asymmetric = violations.compactMap { violation in
      if case .asymmetricInLocalRealm(let name) = violation { "'\(name)'" } else { nil }
    }
    guard asymmetric.isEmpty else {
      let several = asymmetric.count > 1
      // The schema of a synced realm has them, but a local copy of that realm does not need them.
      return "remove the \(several ? "classes" : "class") \(asymmetric.joined(separator: ", ")) from the schema; only "
        + "synced realms have asymmetric classes"
    }
    return "fix the schema; see \(page)"
  }

  /// What the user may have meant by an unknown type.
  static func text(forType name: String, classes: [String] = []) -> String {
    guard let type = type(meantBy: name, classes: classes) else {
      return "add a class '\(name)', or see \(page) for the types"
    }
    return "did you mean '\(type)'? \(page) lists the types"
  }

  /// The type that is meant by a name that is not one, such as `text`; nil if it is likely to be the name of a class.
  static func type(meantBy name: String, classes: [String] = []) -> String? {
    if let element = element(of: name, between: "[", "]") ?? element(of: name, between: "list<", ">")
      ?? element(of: name, between: "array<", ">")
    {
      return element + "[]"
    }
    if let element = element(of: name, between: "set<", ">") { return element + "<>" }
    return typesByOtherNames[name.lowercased()] ?? Similarity.nearest(to: name, among: types + classes)
  }

  /// `string` of `[string]` or `List<string>`, as languages write lists.
  private static func element(of name: String, between prefix: String, _ suffix: String) -> String? {
    guard name.lowercased().hasPrefix(prefix), name.hasSuffix(suffix), name.count > prefix.count + suffix.count else {
      return nil
    }
    return String(name.dropFirst(prefix.count).dropLast(suffix.count))
  }

  static let types = [
    "bool", "int", "float", "double", "string", "decimal128", "objectId", "data", "date", "uuid", "mixed",
  ]

  /// What other languages and databases call the types.
  private static let typesByOtherNames = [
    "text": "string", "str": "string", "varchar": "string", "char": "string",
    "integer": "int", "long": "int", "short": "int", "byte": "int", "int32": "int", "int64": "int", "bigint": "int",
    "number": "double", "real": "double", "numeric": "decimal128", "decimal": "decimal128",
    "boolean": "bool", "bit": "bool", "datetime": "date", "timestamp": "date", "time": "date", "instant": "date",
    "blob": "data", "binary": "data", "bytes": "data", "guid": "uuid", "any": "mixed", "variant": "mixed",
    "object_id": "objectId", "object-id": "objectId",
  ]
}
