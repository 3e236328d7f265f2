import RealmStorage

/// The report of `schema diff`.
struct SchemaDiffReport {
  /// The sources of both schemas, as typed.
  let inputs: [String]
  let old: Schema
  let new: Schema
  let difference: SchemaDifference

  init(from old: Schema, to new: Schema, inputs: [String]) {
    (self.old, self.new, self.inputs) = (old, new, inputs)
    difference = SchemaDifference(from: old, to: new)
  }

  func text() -> String { difference.text }

  /// `Docs/JSONOutput.md` describes the keys.
  func json() -> String {
    JSONText.document { json in
      json.paths("inputs", inputs)
      json.orNull("fromVersion", old.version)
      json.orNull("toVersion", new.version)
      json.member("equal", difference.isEmpty)
      json.member("needsBump", difference.needsMigration)
      difference.addChanges(to: json)
    }
  }
}

extension SchemaDifference {
  /// One change per line, with what it means in front; empty without changes.
  var text: String {
    let lines = changes.compactMap { change in change.text.map { (change.effect.rawValue, $0) } }
    let width = lines.reduce(0) { max($0, $1.0.count) }
    return
      lines
      .map { effect, text in
        effect + String(repeating: " ", count: width + 2 - effect.count) + PrintableText.escaping(text) + "\n"
      }
      .joined()
  }

  /// The member `changes`, as `schema diff` and `diff` have it.
  func addChanges(to json: JSONText) {
    json.objects("changes", changes.filter { $0.text != nil }) { change in
      json.member("change", change.kindName)
      json.member("class", change.className.description)
      json.member("property", change.property?.name.description)
      json.member("from", change.ends.from)
      json.member("to", change.ends.to)
      json.member("effect", change.effect.rawValue)
      json.member("needsBump", change.needsMigration)
      json.member("lossy", change.effect == .lossy)
      json.member("text", change.text)
    }
  }
}

extension SchemaChange {
  /// The state before and after, if the change is from one thing to another.
  fileprivate var ends: (from: String?, to: String?) {
    switch self {
    case .changeType(_, let old, let new): (old.typeText, new.typeText)
    case .changePrimaryKey(_, let old, let new): (old?.description, new?.description)
    case .changeKind(_, let old, let new): (old.rawValue, new.rawValue)
    case .addIndex(_, let property, let kind): (property.index.name, kind.name)
    case .removeIndex(_, let property): (property.index.name, nil)
    case .addProperty(_, let property): (nil, property.typeText)
    case .removeProperty(_, let property): (property.typeText, nil)
    case .addClass, .addInitialProperties, .removeClass, .makeOptional, .makeRequired: (nil, nil)
    }
  }
}

extension IndexKind {
  fileprivate var name: String? {
    switch self {
    case .none: nil
    case .general: "general"
    case .fullText: "full-text"
    }
  }
}
