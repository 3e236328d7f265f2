import RealmPresentation
import RealmStorage

extension BrowsedRealm {
  private static let mostDepth = 32

  /// The values for a copy of an object: all except the primary key, embedded objects with everything in them.
  ///
  /// - Throws: `StorageError` if a part cannot be read.
  func copiedMembers(of object: ObjectAddress) throws -> [UnmanagedValue.Member] {
    guard let (batch, row) = try self.object(at: object) else { return [] }
    return try members(of: batch, row, depth: 0)
  }

  private func members(of batch: ObjectBatch, _ row: Int, depth: Int) throws -> [UnmanagedValue.Member] {
    guard depth < Self.mostDepth else { throw StorageError.corrupted(.null, .tooDeep) }
    let schema = batch.table.schema
    return try schema.properties.indices.filter { $0 != schema.primaryKeyIndex }.map { index in
      let property = schema.properties[index]
      let value = try Value(batch.values(ofProperty: index).value(at: row), snapshot.collectionWalk())
      let isEmbedded =
        property.type == .object && property.target.flatMap { table(named: $0) }?.schema.kind == .embedded
      return UnmanagedValue.Member(property.name, isEmbedded ? try copy(value, depth: depth) : .plain(value))
    }
  }

  private func copy(_ value: Value, depth: Int) throws -> UnmanagedValue {
    switch value {
    case .link(let table, let key):
      guard let table = snapshot.table(table), let (batch, row) = try table.object(key) else { return .plain(.null) }
      return .object(try members(of: batch, row, depth: depth + 1))
    case .list(let elements) where !elements.isEmpty: return .list(try elements.map { try copy($0, depth: depth) })
    case .dictionary(let entries) where !entries.isEmpty:
      return .dictionary(
        try entries.sorted { $0.key < $1.key }.map { .init($0.key, try copy($0.value, depth: depth)) })
    default: return .plain(value)
    }
  }
}
