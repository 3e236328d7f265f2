import RealmStorage
import RealmText

/// The first version of a plan, from what differs between two schemas.
///
/// What is certain is written as operations, in an order in which they can be run. Nothing tells a rename from a schema: a
/// property that was removed and one of its type that was added become a comment, never an operation.
package struct PlanSkeleton {
  private let stored: Schema
  private let target: Schema
  private let version: UInt64
  private var lines: [String] = []

  package init(from stored: Schema, to target: Schema, version: UInt64) {
    (self.stored, self.target, self.version) = (stored, target, version)
  }

  /// YAML; the plan can be run as it is, where no value has to be converted by hand.
  package func text() -> String {
    var skeleton = self
    skeleton.write()
    let steps = skeleton.lines.isEmpty ? "    do: []\n" : "    do:\n" + skeleton.lines.map { "      \($0)\n" }.joined()
    return "plan: 1\nsteps:\n  - to: \(version)\n" + (stored.version.map { "    from: \($0)\n" } ?? "") + steps
  }

  private mutating func write() {
    let difference = SchemaDifference(from: stored, to: target)
    for case .removeClass(let table) in difference.changes { suggestClassRename(table, difference) }
    for change in difference.changes {
      switch change {
      case .addClass(let table): add(table)
      case .addInitialProperties, .removeClass: continue
      case .addProperty(let name, let property):
        suggestRenames(to: property, of: name, difference)
        lines.append(
          "- add_property: { class: \(Self.yaml(name)), name: \(Self.yaml(property.name)), "
            + "type: \(Self.yaml(Self.shorthand(property)))\(Self.index(property))\(Self.typeDefault(property)) }")
      case .removeProperty(let name, let property):
        lines.append(
          "- remove_property: { class: \(Self.yaml(name)), name: \(Self.yaml(property.name)) }"
            + "  # lossy: its values are lost; add 'lossy: ok' if that is intended")
      case .changeType(let name, let old, let new):
        let obstacle = PropertyConversion.obstacle(from: old, to: new)
        let line =
          "- convert: { class: \(Self.yaml(name)), name: \(Self.yaml(new.name)), to: \(Self.yaml(Self.shorthand(new))) }"
        lines.append(obstacle.map { "# \($0); give a formula: using\n      # \(line)" } ?? line)
      case .makeOptional(let name, let property): write("make_optional", name, property.name)
      case .makeRequired(let name, let property):
        lines.append(
          "- make_required: { class: \(Self.yaml(name)), name: \(Self.yaml(property.name)) }"
            + "  # for null: default: …, or on_null: delete")
      case .changePrimaryKey(let name, _, let new):
        lines.append(
          "- set_primary_key: { class: \(Self.yaml(name)), name: \(new.map(Self.yaml) ?? "null") }")
      case .addIndex(let name, let property, let kind):
        lines.append(
          "- add_index: { class: \(Self.yaml(name)), name: \(Self.yaml(property.name))"
            + (kind == .fullText ? ", kind: full-text }" : " }"))
      case .removeIndex(let name, let property): write("remove_index", name, property.name)
      case .changeKind(let name, _, let new):
        lines.append(
          new == .embedded
            ? "- embed_class: { class: \(Self.yaml(name)) }  # on_orphan: delete, on_shared: duplicate"
            : "- unembed_class: { class: \(Self.yaml(name)) }")
      }
    }
  }

  private mutating func write(_ operation: String, _ className: RealmString, _ property: RealmString) {
    lines.append("- \(operation): { class: \(Self.yaml(className)), name: \(Self.yaml(property)) }")
  }

  private mutating func add(_ table: TableSchema) {
    var line = "- add_class: { name: \(Self.yaml(table.displayName)), "
    if table.kind == .embedded { line += "embedded: true, " }
    if let key = table.primaryKey { line += "primary_key: \(Self.yaml(key.name)), " }
    let properties = table.properties.filter { !$0.isComputed }.map { property in
      let type = Self.yaml(Self.shorthand(property))
      let index = property.name == table.primaryKey?.name ? "" : Self.index(property)
      return "\(Self.yaml(property.name)): " + (index.isEmpty ? type : "{ \(Self.longForm(property))\(index) }")
    }
    lines.append(line + "properties: { \(properties.joined(separator: ", ")) } }")
  }

  // MARK: Suggestions

  /// A removed property of the same type, if there is exactly one, and exactly one was added.
  private mutating func suggestRenames(to property: Property, of name: RealmString, _ difference: SchemaDifference) {
    var (removed, added) = ([Property](), [Property]())
    for change in difference.changes {
      if case .removeProperty(name, let old) = change, old.isSameType(as: property) { removed.append(old) }
      if case .addProperty(name, let new) = change, new.isSameType(as: property) { added.append(new) }
    }
    guard let old = removed.first, removed.count == 1, added.count == 1 else { return }
    lines.append(
      "# perhaps, instead of adding '\(property.name)' and removing '\(old.name)':")
    lines.append(
      "# - rename_property: { class: \(Self.yaml(name)), from: \(Self.yaml(old.name)), to: \(Self.yaml(property.name)) }"
    )
  }

  private mutating func suggestClassRename(_ table: TableSchema, _ difference: SchemaDifference) {
    let added = difference.changes.compactMap { change -> TableSchema? in
      if case .addClass(let new) = change, Set(new.properties.map(\.name)) == Set(table.properties.map(\.name)) {
        return new
      }
      return nil
    }
    lines.append(
      "# class '\(table.displayName)' is not in the target schema; it stays in the file unless the plan removes it:")
    lines.append("# - remove_class: { name: \(Self.yaml(table.displayName)), lossy: ok }")
    guard let new = added.first, added.count == 1 else { return }
    lines.append("# or renames it, instead of adding '\(new.displayName)':")
    lines.append("# - rename_class: { from: \(Self.yaml(table.displayName)), to: \(Self.yaml(new.displayName)) }")
  }

  // MARK: Text

  private static func index(_ property: Property) -> String {
    switch property.index {
    case .none: ""
    case .general: ", index: general"
    case .fullText: ", index: full-text"
    }
  }

  private static func typeDefault(_ property: Property) -> String {
    let needsDefault = !property.isOptional && property.collection == nil
    return needsDefault ? ", type_default: true" : ""
  }

  /// `int?[]`
  private static func shorthand(_ property: Property) -> RealmString {
    let isLink = property.type == .object
    var text = isLink ? property.targetClass?.description ?? "" : property.type.schemaName
    if property.isOptional, !isLink, property.type != .mixed { text += "?" }
    return RealmString(text + (property.collection?.suffix ?? ""))
  }

  private static func longForm(_ property: Property) -> String {
    guard let collection = property.collection else {
      return "type: \(yaml(RealmString(property.type.schemaName)))" + (property.isOptional ? ", optional: true" : "")
    }
    return "type: \(collection.schemaName), objectType: \(yaml(RealmString(property.type.schemaName)))"
      + (property.isOptional ? ", optional: true" : "")
  }

  /// A name, in quotes unless it is a plain word.
  private static func yaml(_ name: RealmString) -> String {
    let isPlain =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
      }
    let special = ["true", "false", "null"].contains(name.description)
    let isNumber = name.utf8.first.map { (0x30...0x39).contains($0) } ?? false
    if isPlain, !special, !isNumber { return name.description }
    return TextBuffer.string { $0.appendJSON(name.description) }
  }
}
