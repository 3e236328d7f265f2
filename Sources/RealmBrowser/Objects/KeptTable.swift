import RealmStorage

/// How the objects of a class were shown when they were left, so that they are shown like that again.
struct KeptTable {
  let realm: BrowsedRealm
  let columns: ObjectColumns
  let arrangement: RowsArrangement
  /// The objects after filter and order; nil without either.
  let keys: [ObjectKey]?
  /// The object under the cursor, and its row.
  let key: ObjectKey?
  let row: Int
}
