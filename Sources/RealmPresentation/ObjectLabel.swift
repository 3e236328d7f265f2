import RealmStorage

/// The label of an object: its primary key, or otherwise `#` and its object key, and its first string that is not
/// empty. If that string is the primary key, it is the whole label; ids that nobody can read come after it.
///
/// Links show this label, and searches find them by it.
package struct ObjectLabel {
  package enum Part {
    /// The value of the primary key, by its property.
    case primaryKey(Int)
    case objectKey(ObjectKey)
    case name(BlobView)
  }

  package let key: Part
  private let name: Part?
  private let isNameFirst: Bool

  /// The number of properties to search for a name, and the maximum length of the name in bytes.
  private static let mostProperties = 32
  package static let mostNameBytes = 4096

  package init(of batch: ObjectBatch, _ row: Int) {
    let schema = batch.table.schema
    key = schema.primaryKeyIndex.map { .primaryKey($0) } ?? .objectKey(batch.key(at: row))
    let keyType = schema.primaryKey?.type
    isNameFirst = keyType == .objectID || keyType == .uuid
    name = keyType == .string ? nil : Self.name(of: batch, row).map { .name($0) }
  }

  /// In the order in which they are shown.
  package var parts: [Part] {
    guard let name else { return [key] }
    return isNameFirst ? [name, key] : [key, name]
  }

  /// The part that is shown if there is little room.
  package var brief: Part { name ?? key }

  /// The first text of an object that is not empty.
  private static func name(of batch: ObjectBatch, _ row: Int) -> BlobView? {
    for (index, property) in batch.table.schema.properties.enumerated().prefix(mostProperties)
    where property.type == .string && property.collection == nil {
      guard let value = try? batch.values(ofProperty: index).value(at: row), case .string(let name) = value,
        name.count > 0
      else { continue }
      return name
    }
    return nil
  }
}
