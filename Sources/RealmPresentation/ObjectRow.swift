import RealmStorage

/// One row of a table of objects.
package enum ObjectRow {
  case object(ObjectBatch, row: Int)
  /// A null, or a link to an object not in this file.
  case absent(String)
  case damaged(StorageError)

  package var key: ObjectKey? {
    if case .object(let batch, let row) = self { batch.key(at: row) } else { nil }
  }
}

extension Table {
  /// The object with a key as a row.
  package func row(of key: ObjectKey) -> ObjectRow {
    do {
      guard let (batch, row) = try object(key) else { return .damaged(danglingLink(to: key)) }
      return .object(batch, row: row)
    } catch let error as StorageError {
      return .damaged(error)
    } catch {
      return .damaged(danglingLink(to: key))
    }
  }
}
