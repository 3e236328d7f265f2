import RealmExchange
import RealmModels
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
    let advice = SchemaAdvice.text(for: violations, classes: classes.map(\.description))
    let types = UnknownType.all(in: violations)
    if let known {
      self.init(.schema, .schemaValidationFailed, path: path, known, advice: advice)
    } else if let unknown = types.first, types.count == violations.count, types.count <= Self.mostReasonsInLine {
      self.init(
        .schema, .schemaValidationFailed, path: path,
        types.count == 1
          ? "property '\(unknown.place)': unknown type '\(unknown.type)'"
          : "unknown types: " + types.map { "'\($0.type)' of '\($0.place)'" }.joined(separator: ", "),
        advice: advice)
    } else {
      let texts = violations.causesFirst.map { violation in
        UnknownType(violation).map { "property '\($0.place)': unknown type '\($0.type)'" }
          ?? violation.description.withoutStop
      }
      self.init(
        .schema, .schemaValidationFailed, path: path, "not a valid schema", detail: texts.joined(separator: "; "),
        advice: advice)
      if texts.count > Self.mostReasonsInLine { lines = texts }
    }
  }
}

extension SchemaViolation {
  fileprivate var isAboutDuplicate: Bool { if case .duplicateClass = self { true } else { false } }
}

extension [SchemaViolation] {
  /// A class that occurs twice makes its links look wrong, and an unknown type the inverse of its property.
  fileprivate var causesFirst: [SchemaViolation] {
    func rank(_ violation: SchemaViolation) -> Int {
      violation.isAboutDuplicate ? 0 : UnknownType(violation) != nil ? 1 : 2
    }
    return (0...2).flatMap { wanted in filter { rank($0) == wanted } }
  }
}

/// A type that is taken for a class, which the schema does not have.
private struct UnknownType {
  let className: RealmString
  let property: RealmString
  let type: String

  /// `Dog.name`
  var place: String { "\(className).\(property)" }

  /// None also if a class occurs twice: one of them may be the missing one under a wrong name.
  static func all(in violations: [SchemaViolation]) -> [UnknownType] {
    violations.contains(where: \.isAboutDuplicate) ? [] : violations.compactMap(UnknownType.init)
  }

  init?(_ violation: SchemaViolation) {
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
    var types: [String] = []
    for unknown in UnknownType.all(in: violations) where !types.contains(unknown.type) { types.append(unknown.type) }
    if types.count == 1 { return text(forType: types[0], classes: classes) }
    if !types.isEmpty {
      let remedies = types.prefix(Diagnostic.mostReasonsInLine).map { name in
        TypeVocabulary.type(meantBy: name, classes: classes).map { "write '\($0)' for '\(name)'" }
          ?? "add a class '\(name)'"
      }
      return remedies.joined(separator: ", ") + "; \(page) lists the types"
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
    let fullText = violations.contains { violation in
      if case .property(_, let property, .cannotBeIndexed) = violation { property.index == .fullText } else { false }
    }
    if fullText { return "only a single string can have a full-text index; see \(page)" }
    return "fix the schema; see \(page)"
  }

  /// What the user may have meant by an unknown type.
  static func text(forType name: String, classes: [String] = []) -> String {
    guard let type = TypeVocabulary.type(meantBy: name, classes: classes) else {
      return "add a class '\(name)', or see \(page) for the types"
    }
    return "did you mean '\(type)'? \(page) lists the types"
  }
}
