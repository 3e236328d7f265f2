import RealmPresentation
import RealmStorage

/// Editing in a table of objects.
extension ObjectsView {
  /// Whether a cell has a change that is not written.
  func isChanged(_ property: Int, of batch: ObjectBatch, _ row: Int) -> Bool {
    guard let changes = context.changes, !changes.isEmpty else { return false }
    let schema = batch.table.schema
    return changes.isChanged(
      schema.properties[property].name, of: ObjectAddress(table: schema.name, key: batch.key(at: row)))
  }

  /// The marked objects, or otherwise the one of the row.
  func editPlace(at position: Int) -> EditPlace? {
    guard let table else { return nil }
    var place = EditPlace(table: table.schema.name)
    if case .links(let address) = source {
      place.element = context.realm.editPlace(at: address)?.element
      if arrangement.isPlain, position < rowCount { place.element?.step = .position(position) }
    }
    let marked = marks.keys
    place.keys = marked
    guard let key = row(at: position).key else { return place }
    place.rowKey = key
    if marked.isEmpty { place.keys = [key] }
    place.valueKeys = place.keys
    if let property = columns.focused.property {
      let schema = table.schema
      place.property = schema.properties[property]
      place.value = ValueAddress(
        object: ObjectAddress(table: schema.name, key: key), property: schema.properties[property].name)
      if place.element == nil, let found = place.value.flatMap({ context.realm.editPlace(at: $0) }) {
        place.element = found.element
      }
    }
    return place
  }

  /// The row of an object; nil if there is none.
  func position(of key: ObjectKey, near position: Int) -> Int? { rows?.position(of: key, near: position) }
}
