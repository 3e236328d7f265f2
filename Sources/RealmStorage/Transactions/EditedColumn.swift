/// A public column of a table that is being changed.
final class EditedColumn {
  let key: ColumnKey
  let leafIndex: Int
  let element: ElementType
  let collection: CollectionKind?
  /// Name, index and enumeration can change; with another type, it is another column.
  var column: Column
  /// Attributes of the spec that are not part of the key: obsolete ones of old files are kept.
  var extraAttributes: Int64
  /// The root of the index in the file; null if there is none.
  var storedIndex: Ref
  /// Whether the column would have an index even if it were not the primary key.
  var wasIndexedToo = false
  /// Objects whose values may differ from the ones that the index in the file has for them.
  private(set) var indexChanges = SmallMap<ObjectKey, Void>()
  /// Whether to rebuild the index: it is another one, or so much has changed that this is less work.
  private(set) var isIndexStale = false
  /// After more changes than these, the index counts as stale.
  private let mostIndexChanges: Int
  /// The column of incoming links in the target table, for a link property.
  var opposite: ColumnKey
  /// The distinct values of an enumerated text column, in the file.
  var enumeration: Ref
  /// The counts of its values; nil until there are any.
  var tally: ColumnTally?

  init(
    _ column: Column, extraAttributes: Int64 = 0, storedIndex: Ref = .null, mostIndexChanges: Int = 0,
    opposite: ColumnKey = .null
  ) {
    (key, leafIndex, element, collection) = (column.key, column.leafIndex, column.element, column.collection)
    (self.column, self.extraAttributes, self.storedIndex) = (column, extraAttributes, storedIndex)
    (self.opposite, enumeration, self.mostIndexChanges) = (opposite, .null, mostIndexChanges)
  }

  /// The index in the file can no longer be used.
  func makeIndexStale() { (isIndexStale, indexChanges) = (true, SmallMap()) }

  /// An object was created, deleted, or got another value.
  func noteIndexChange(at key: ObjectKey) {
    // Tombstones are in no index.
    guard !isIndexStale, !storedIndex.isNull, !key.isUnresolved else { return }
    indexChanges[key] = ()
    if indexChanges.count > mostIndexChanges { makeIndexStale() }
  }

  var name: RealmString { column.name }
  var defaultValue: Value { column.defaultValue }

  /// Whether a value can be stored here.
  ///
  /// - Throws: `BuildError.wrongType`, `nullForRequired`, `dictionaryKey`, `tooDeep`.
  func require(_ value: Value) throws { try element.require(value, in: collection) }

  /// Whether it can contain links.
  var canHoldLinks: Bool { element.code == .link || element.code == .mixed }
}

extension Value {
  var isCollection: Bool {
    switch self {
    case .list, .set, .dictionary: true
    default: false
    }
  }
}
