import RealmStorage

// Shared by the generators of model code, so that all say the same in the same words.

extension ModelPlan {
  /// What the models lack because the schema lacks it, and how to read them.
  private static func remarks(on schema: Schema) -> [String] {
    [schema.missingParts, "Lines that begin with <- name the links to the class below."]
  }

  /// Plans the models of a schema, and writes the comment above them.
  init(of schema: Schema, for dialect: ModelDialect, heading text: inout SchemaText) {
    self.init(of: schema, for: dialect)
    note(in: &text)
    let version = outline.version.map { ", schema version \($0)" } ?? ""
    text.line("// Realm models for \(dialect.sdk)\(version).")
    for line in Self.remarks(on: schema) { text.line("// \(line)") }
  }
}

extension Schema {
  /// What a text made from the schema lacks, because no realm stores it.
  var missingParts: String {
    let hasInverses = classes.contains { $0.properties.contains(where: \.isComputed) }
    return hasInverses
      ? "Default values are missing: a realm does not store them."
      : "Inverse relationships and default values are missing: a realm does not store them."
  }
}

extension ModelClass {
  /// The comment before the declaration.
  var comments: [String] {
    limits.map { "\(table.displayName.shown): \($0)" } + incoming.map { "<- \($0)" }
  }
}

extension ModelMember {
  /// Writes the lines of a declaration; one that the SDK does not have as comments.
  func write(
    _ lines: [String], _ indentation: String, to text: inout SchemaText, comment: (String) -> String = { "// " + $0 }
  ) {
    for limit in limits { text.line(indentation + comment("\(name.stored.shown): \(limit)")) }
    for line in lines { text.line(indentation + (isExpressible ? "" : "// ") + line) }
  }

  /// The type in the words of a language.
  func type(_ words: TypeWords) -> String { words.type(of: property, target: target?.code) }
}

/// `RealmField` for `@RealmField("x")`.
func annotationName(_ annotation: String) -> String { String(annotation.dropFirst().prefix { $0 != "(" }) }
