import RealmStorage

/// What `schema diff` tells.
struct SchemaDiffReport {
  let old: Schema
  let new: Schema
  let difference: SchemaDifference

  init(from old: Schema, to new: Schema) {
    self.old = old
    self.new = new
    difference = SchemaDifference(from: old, to: new)
  }

  /// One change per line, what it means in front; nothing where there is none.
  func text() -> String {
    let lines = difference.changes.compactMap { change in change.text.map { (change.effect.rawValue, $0) } }
    let width = lines.reduce(0) { max($0, $1.0.count) }
    return
      lines
      .map { effect, text in
        effect + String(repeating: " ", count: width + 2 - effect.count) + PrintableText.escaping(text) + "\n"
      }
      .joined()
  }

  /// `Docs/JSONOutput.md` describes the keys.
  func json() -> String {
    let json = JSONText(isIndented: true)
    json.object {
      json.member("version", 1)
      if let version = old.version { json.member("fromVersion", version) } else { json.null("fromVersion") }
      if let version = new.version { json.member("toVersion", version) } else { json.null("toVersion") }
      json.member("equal", difference.isEmpty)
      json.member("needsBump", difference.needsMigration)
      json.member("changes") {
        json.array {
          for change in difference.changes where change.text != nil { json.element { change.add(to: json) } }
        }
      }
    }
    return json.text + "\n"
  }
}

extension SchemaChange {
  fileprivate func add(to json: JSONText) {
    json.object {
      json.member("kind", kindName)
      json.member("class", className.description)
      json.member("property", property?.name.description)
      json.member("from", ends.from)
      json.member("to", ends.to)
      json.member("effect", effect.rawValue)
      json.member("needsBump", needsMigration)
      json.member("lossy", effect == .lossy)
      json.member("text", text)
    }
  }

  /// What was there and what is to be there, where the change is from one thing to another.
  private var ends: (from: String?, to: String?) {
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
