import RealmStorage
import RealmText

/// A property's type outside of a schema file, written as there: `int?[]`, or an object with `type` and `objectType`.
package enum PropertyTypeText: Sendable {
  package enum Field: Sendable {
    case text(RealmString)
    case flag(Bool)
    /// What the value is.
    case other(String)
  }

  case shorthand(RealmString)
  case fields([(key: String, value: Field)])
  /// What the value is.
  case other(String)
}

extension Property {
  /// A property of a class by its type.
  ///
  /// - Throws: `SchemaFileFault`; for computed properties too, which are not stored.
  package init(
    name: RealmString, type: PropertyTypeText, isPrimaryKey: Bool = false
  ) throws(SchemaFileFault) {
    let declaration: PropertyDeclaration
    switch type {
    case .shorthand(let text): declaration = try PropertyDeclaration(shorthand: text)
    case .fields(let fields):
      declaration = try PropertyDeclaration(PropertyDeclaration.Fields(fields), isPrimaryKey: isPrimaryKey)
    case .other(let kind): throw .type("a type must be text or a mapping, not \(kind)")
    }
    guard declaration.type != .linkingObjects else {
      throw .type("inverse relationships are not stored, so there is nothing to migrate")
    }
    self.init(
      name: name, type: declaration.type, collection: declaration.collection, isOptional: declaration.isOptional,
      target: declaration.targetClass.map(TableSchema.tableName(ofClass:)), index: declaration.index)
  }
}

extension PropertyDeclaration.Fields {
  fileprivate init(_ fields: [(key: String, value: PropertyTypeText.Field)]) throws(SchemaFileFault) {
    self.init(type: "")
    let known = ["type", "objectType", "optional", "indexed"]
    for (key, value) in fields {
      switch (key, value) {
      case ("type", .text(let text)): type = text
      case ("objectType", .text(let text)): objectType = text
      case ("optional", .flag(let flag)): isOptional = flag
      case ("indexed", .flag(let flag)): index = flag ? .general : IndexKind.none
      case ("indexed", .text("full-text")): index = .fullText
      default:
        let hint = Similarity.question(about: key, among: known).map { "; " + $0 } ?? ""
        throw .type(
          known.contains(key) ? "'\(key)' of a type cannot be this" : "unknown key '\(key)' of a type\(hint)")
      }
    }
  }
}
