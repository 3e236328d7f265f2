import RealmStorage
import RealmText

/// Why a source cannot be read at all.
package struct SourceFault: Sendable {
  package enum Kind: Sendable {
    /// It does not fit the realm.
    case schema
    /// An option names a class or property that does not exist.
    case name
    /// It is not what it should be.
    case content
  }

  package let kind: Kind
  package let description: String
  package var advice: String?
  package var line: Int?
  package var column: Int?

  package init(_ kind: Kind, _ description: String, advice: String? = nil, line: Int? = nil, column: Int? = nil) {
    (self.kind, self.description, self.advice) = (kind, description, advice)
    (self.line, self.column) = (line, column)
  }

  /// - Parameters:
  ///   - kind: `.name` if an option names the class.
  ///   - other: what else helps than another name.
  static func noClass(
    _ name: RealmString, among known: [RealmString], _ kind: Kind = .name, orElse other: String? = nil
  ) -> SourceFault {
    SourceFault(
      kind, "no class '\(name)'",
      advice: NameAdvice.classes.text(for: name.description, among: known.map(\.description), or: other))
  }

  /// What a realm lacks: `no classes 'Dog', 'Toy'`.
  ///
  /// - Parameters:
  ///   - classes: quoted, such as `'Dog'`.
  ///   - properties: quoted, such as `'Dog.name'`.
  ///   - hasTables: whether the classes are those of tables, which an option maps to others.
  static func missing(
    classes: [String], properties: [String], canAddProperties: Bool, hasTables: Bool = false
  ) -> SourceFault {
    let kinds = [("class", "classes", classes), ("property", "properties", properties)].compactMap {
      $2.isEmpty ? nil : "no \($2.count == 1 ? $0 : $1) " + $2.joined(separator: ", ")
    }
    return SourceFault(
      .schema, kinds.joined(separator: " and "),
      advice: advice(
        onUnknown: classes.count + properties.count, classes: !classes.isEmpty,
        canAddProperties: !properties.isEmpty && canAddProperties, hasTables: hasTables))
  }

  /// What to do about names that the realm lacks.
  ///
  /// - Parameters:
  ///   - count: of the names.
  ///   - classes: whether there are classes among them.
  ///   - canAddProperties: whether there are properties among them that an option adds.
  ///   - canIgnore: whether an option leaves all of them out; classes of JSON are not.
  ///   - hasTables: whether an option names other classes for the tables of the source.
  package static func advice(
    onUnknown count: Int, classes: Bool = false, canAddProperties: Bool, canIgnore: Bool = true,
    hasTables: Bool = false
  ) -> String {
    let it = count == 1 ? "it" : "them"
    let options = [
      classes ? "--create-classes" : nil, canAddProperties ? "--add-properties and --to-version" : nil,
    ].compactMap(\.self)
    guard !options.isEmpty else { return "use --ignore-unknown to leave \(it) out, or fix the sources" }
    let verb = canAddProperties ? "add" : "create"
    let other = canIgnore ? "--ignore-unknown to leave \(it) out" : "fix the sources"
    let mapping = hasTables && classes ? "--map to name \(count == 1 ? "another class" : "other classes"), " : ""
    return "use \(mapping)\(options.joined(separator: " and ")) to \(verb) \(it), or \(other)"
  }

  static func embedded(_ name: RealmString) -> SourceFault {
    SourceFault(.schema, "objects of the embedded class '\(name)' exist only inside other objects")
  }

  static func noProperty(_ name: RealmString, of table: TableSchema) -> SourceFault {
    SourceFault(
      .name, "'\(table.displayName)' has no property '\(name)'",
      advice: NameAdvice.properties.text(for: name.description, among: table.properties.map(\.name.description)))
  }
}
