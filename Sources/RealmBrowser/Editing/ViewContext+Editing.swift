import RealmPresentation
import RealmStorage
import RealmText

/// Changes in words.
extension ViewContext {
  private static let longestValue = 60

  private func printer(for realm: BrowsedRealm) -> ValuePrinter {
    ValuePrinter(realm.snapshot, typography, describe: describe)
  }

  /// The value that an edit is about; of deletions and new objects, what the object is called.
  func valueText(of edit: StagedEdit, in realm: BrowsedRealm) -> String {
    guard let key = edit.keys.first else { return "" }
    let object = ObjectAddress(table: edit.table, key: key)
    guard let property = edit.property else { return label(of: object, in: realm) }
    var steps: [ValueAddress.Step] = []
    if case .set(_, let inner, _) = edit.change { steps = inner }
    let address = ValueAddress(object: object, property: property, steps: steps)
    if edit.keys.count > 1, !hasOneValue(edit.keys, of: edit.table, property, in: realm) { return "different values" }
    let isMixed = realm.table(named: edit.table)?.schema.property(named: property)?.type == .mixed
    guard let value = (try? realm.value(at: address)) ?? nil else { return "nothing" }
    return printer(for: realm).print(value, isMixed: isMixed, limit: Self.longestValue).string
  }

  /// Whether objects are known to have the same value.
  private func hasOneValue(
    _ keys: [ObjectKey], of table: RealmString, _ property: RealmString, in realm: BrowsedRealm
  ) -> Bool {
    var first: Int?
    for key in keys {
      let object = ObjectAddress(table: table, key: key)
      guard let digest = (try? ObjectDigest.digest(of: property, of: object, in: realm)) ?? nil,
        digest == first ?? digest
      else { return false }
      first = digest
    }
    return true
  }

  private func label(of object: ObjectAddress, in realm: BrowsedRealm) -> String {
    guard let (batch, row) = (try? realm.object(at: object)) ?? nil else { return "#\(object.key.rawValue)" }
    var text = text(limit: 30)
    printer(for: realm).appendLabel(batch, row, isBrief: true, to: &text)
    return text.string
  }

  /// `Dog Rex › name`, `3 objects of Dog`
  func title(of edit: StagedEdit, label: String) -> String {
    let name = TableSchema.displayName(ofTable: edit.table).description
    let objects =
      edit.keys.count > 1 ? CountText.counted(edit.keys.count, "object") + " of \(name)" : "\(name) \(label)"
    switch edit.change {
    case .create: return "\(name) added"
    case .delete: return "\(objects) deleted"
    case .set(let property, let steps, _), .insert(let property, let steps, _, _), .remove(let property, let steps),
      .move(let property, let steps, _):
      let inside = steps.map { step in
        switch step {
        case .position(let position): "[\(position)]"
        case .key(let key): "[\"\(key)\"]"
        }
      }
      return objects + typography.pathSeparator + property.description + inside.joined()
    }
  }

  /// What else an edit changes; empty if nothing.
  func consequences(of entry: StagedChanges.Entry) -> String {
    let isDeletion = if case .delete = entry.edit.change { true } else { false }
    let deleted = entry.counts.tables.values.reduce(0) { $0 + $1.deleted } - (isDeletion ? entry.edit.keys.count : 0)
    let links = entry.counts.properties.reduce(0) { $0 + $1.cutLinks }
    let objects = entry.edit.keys.count > 1 ? "them" : "it"
    var parts: [String] = []
    if deleted > 0 { parts.append(CountText.counted(deleted, "embedded object") + " deleted with \(objects)") }
    if links > 0 { parts.append(CountText.counted(links, "link") + " to \(objects) removed") }
    return parts.joined(separator: ", ")
  }

  /// One line about an edit that was made.
  func news(of entry: StagedChanges.Entry) -> String {
    let consequences = consequences(of: entry)
    return title(of: entry.edit, label: entry.label) + difference(of: entry)
      + (consequences.isEmpty ? "" : "; " + consequences)
  }

  /// `: 1 → 2`; empty if there is no value before and after.
  private func difference(of entry: StagedChanges.Entry) -> String {
    switch entry.edit.change {
    case .delete: return ""
    case .create: return entry.after.isEmpty ? "" : ": \(entry.after)"
    case .set, .insert, .remove, .move: return ": \(entry.before) \(typography.link) \(entry.after)"
    }
  }

  /// An object that others have also changed.
  func text(of collision: StagedChanges.Collision) -> String {
    let object =
      TableSchema.displayName(ofTable: collision.object.table).description + " "
      + label(of: collision.object, in: realm)
    return collision.properties.isEmpty
      ? object + " (deleted)" : object + " (" + collision.properties.map(\.description).joined(separator: ", ") + ")"
  }
}
