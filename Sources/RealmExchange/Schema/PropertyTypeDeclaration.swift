import RealmStorage
import RealmText

/// A property's type outside of a schema file, written as there: `int?[]`, or an object with `type` and `objectType`.
package enum PropertyTypeText: Sendable {
  package enum Field: Sendable {
    case text(RealmString)
    case flag(Bool)
    /// What it is.
    case other(String)
  }

  case shorthand(RealmString)
  case fields([(key: String, value: Field)])
  /// What it is.
  case other(String)
}

/// Why a text is not a type, in realm-js's words where these have some.
package struct PropertyTypeError: Error, Hashable, Sendable {
  package let message: String
}

extension Property {
  /// A property of a class by its type.
  ///
  /// - Throws: `PropertyTypeError`; for computed properties too, which are not stored.
  package init(
    name: RealmString, type: PropertyTypeText, isPrimaryKey: Bool = false
  ) throws(PropertyTypeError) {
    let declaration: PropertyDeclaration
    switch type {
    case .shorthand(let text):
      do throws(ShorthandFault) { declaration = try PropertyDeclaration(shorthand: text) } catch {
        throw PropertyTypeError(message: error.text)
      }
    case .fields(let fields):
      let fields = try PropertyDeclaration.Fields(fields)
      do throws(DeclarationFault) { declaration = try PropertyDeclaration(fields, isPrimaryKey: isPrimaryKey) } catch {
        throw PropertyTypeError(message: error.text)
      }
    case .other(let kind): throw PropertyTypeError(message: "a type must be a text or a mapping, not \(kind)")
    }
    guard declaration.type != .linkingObjects else {
      throw PropertyTypeError(message: "inverse relationships are not stored, so there is nothing to migrate")
    }
    self.init(
      name: name, type: declaration.type, collection: declaration.collection, isOptional: declaration.isOptional,
      target: declaration.targetClass.map(TableSchema.tableName(ofClass:)), index: declaration.index)
  }
}

extension PropertyDeclaration.Fields {
  fileprivate init(_ fields: [(key: String, value: PropertyTypeText.Field)]) throws(PropertyTypeError) {
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
        let hint = Similarity.nearest(to: key, among: known).map { "; did you mean '\($0)'?" } ?? ""
        throw PropertyTypeError(
          message: known.contains(key) ? "'\(key)' of a type cannot be this" : "unknown key '\(key)' of a type\(hint)")
      }
    }
  }
}
