import RealmStorage

/// What bytes of a file are used for.
package enum SpaceKind: String, CaseIterable, Sendable {
  // Of the file.
  /// The first 24 bytes.
  case header
  /// The last 16 bytes of a copy.
  case footer
  /// The root of the snapshot and what it keeps for engines.
  case root
  /// Names and places of the tables.
  case tableList
  /// The lists of free space.
  case freeList
  /// The history of changes.
  case history
  /// Space that can be written to.
  case free
  /// Space that the last commits gave back and that older snapshots still consist of.
  case olderSnapshots
  /// What belongs to a newer snapshot than the one that is looked at.
  case newerSnapshot
  /// Neither in use nor free: lost, or behind something that cannot be read.
  case unaccounted
  /// Behind the end of what the snapshot accounts for.
  case padding
  /// Counters and codes of an encrypted file.
  case encryption

  // Of a table.
  /// Names, types and keys of the columns.
  case description = "schema"
  /// The trees that lead to the values of objects.
  case objects
  /// The keys of objects that do not follow from their places.
  case objectKeys
  /// Placeholders for objects that are linked to and not there.
  case tombstones
  /// Incoming links.
  case backlinks
  /// A table whose description cannot be read.
  case unreadable

  // Of a property.
  /// Values of fixed size, and what leads to those of other sizes.
  case values
  /// The bytes of texts.
  case strings
  /// The bytes of data.
  case blobs = "data"
  /// Lists, sets, dictionaries, and what is nested in Mixed values.
  case collections
  /// The search index.
  case index

  static let ofTable: [SpaceKind] = [.description, .objects, .objectKeys, .tombstones, .backlinks, .unreadable]
  static let ofProperty: [SpaceKind] = [.values, .strings, .blobs, .collections, .index]
}

/// Bytes of a file that are used for one thing.
package struct SpacePart: Hashable, Sendable {
  package let kind: SpaceKind
  /// The name of the table, with `class_`; nil for what belongs to none.
  package let table: RealmString?
  /// Nil for what belongs to no property.
  package let property: RealmString?
  package let byteCount: UInt64
}

/// What one property of a table takes.
package struct PropertySpace: Sendable {
  package let table: RealmString
  package let property: RealmString
  package let objectCount: Int
  /// Whether it is the primary key, which has to have its index.
  package let isPrimaryKey: Bool
  /// Bytes of all values, the index left out.
  package var valueBytes: UInt64 = 0
  package var indexBytes: UInt64 = 0
  /// The largest value of a text, data, Mixed or collection property; nil if all are of one size.
  package var largest: LargestValue?
  /// Nil where texts do not repeat so that it would matter, or were not looked at.
  package var repetition: TextRepetition?

  /// Adds up the counters of the property, which are in the order of `SpaceKind.ofProperty`: the index is the last.
  mutating func take(_ counters: ArraySlice<UInt64>) {
    indexBytes = counters.last ?? 0
    valueBytes = counters.dropLast().reduce(0, &+)
  }
}

/// The value that takes most of a property.
package struct LargestValue: Hashable, Sendable {
  /// Bytes of a text or data; of a collection those of its nodes.
  package let byteCount: UInt64
  package let object: ObjectKey

  package init(byteCount: UInt64, object: ObjectKey) { (self.byteCount, self.object) = (byteCount, object) }
}

/// Few texts that many objects have.
package struct TextRepetition: Hashable, Sendable {
  /// Different texts.
  package let distinctCount: Int
  /// Bytes of the different texts, each once.
  package let distinctBytes: UInt64

  package init(distinctCount: Int, distinctBytes: UInt64) {
    (self.distinctCount, self.distinctBytes) = (distinctCount, distinctBytes)
  }
}

/// The blocks of free space, those of older snapshots included.
package struct FreeBlocks: Hashable, Sendable {
  package internal(set) var count = 0
  package internal(set) var byteCount: UInt64 = 0
  package internal(set) var largest: UInt64 = 0
  /// Bytes up to the end of the file.
  package internal(set) var atEnd: UInt64 = 0

  /// Nothing is free.
  package static let none = FreeBlocks()
}

/// What could not be read, so that what lies behind it is not accounted for.
package struct SpaceDamage: Sendable {
  package let kind: SpaceKind
  package let table: RealmString?
  package let property: RealmString?
  package let error: StorageError
}

/// What all bytes of a file are used for.
package struct FileSpace: Sendable {
  /// Bytes of the file as it lies on disk.
  package let fileSize: UInt64
  /// Without empty ones; together exactly `fileSize`.
  package let parts: [SpacePart]
  package let properties: [PropertySpace]
  package let freeBlocks: FreeBlocks
  /// The first of what is damaged; `damageCount` counts all.
  package let damage: [SpaceDamage]
  package let damageCount: Int
  /// Of those, damage in tables that cannot be read.
  package let unlistedDamageCount: Int
  /// Nodes that more than one ref leads to, as only damage makes them.
  package let sharedNodeCount: Int
  /// Bytes that a compacted copy would have, at most a little less.
  package let compactedSize: UInt64
}
