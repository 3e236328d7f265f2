/// Something that could not be read and is missing from the output.
package struct Damage: Sendable {
  /// The kind of part that is missing.
  package enum Part: Hashable, Sendable {
    case table
    /// Objects that lie in one damaged part of the table; how many is known only for the table as a whole.
    case objects
    /// The values of one property for several objects that lie together.
    case values(property: RealmString, first: ObjectKey, count: Int)
    /// The value of one object, as a whole or in part (elements of a collection).
    case value(property: RealmString, object: ObjectKey)
    /// The value of a column in one row of a table that is not a class: of key paths, groups, counts.
    case column(RealmString)
  }

  /// Name of the table as users know it.
  package let table: RealmString
  package let part: Part
  package let error: StorageError

  package init(table: RealmString, part: Part, error: StorageError) {
    (self.table, self.part, self.error) = (table, part, error)
  }
}

/// What a reader could not read: counted in full, described up to a limit.
package struct DamageReport: Sendable {
  package private(set) var described: [Damage] = []
  /// Missing things, described or not.
  package private(set) var count = 0
  /// Number of objects that are missing as a whole, if known.
  package private(set) var missingObjects = 0
  /// How many bytes of text that is not UTF-8 were replaced where they were written, which leaves nothing out.
  package private(set) var replacedBytes = 0

  /// Enough to see a pattern; a file can have millions of damages.
  static let mostDescribed = 100

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// Counts a damage; its description is made only if there is room for it.
  package mutating func add(_ damage: @autoclosure () -> Damage) {
    count += 1
    if described.count < Self.mostDescribed { described.append(damage()) }
  }

  package mutating func addMissingObjects(_ number: Int) { missingObjects += number }
  package mutating func addReplacedBytes(_ number: Int) { replacedBytes += number }

  package mutating func merge(_ other: DamageReport) {
    count += other.count
    missingObjects += other.missingObjects
    replacedBytes += other.replacedBytes
    described.append(contentsOf: other.described.prefix(Self.mostDescribed - described.count))
  }
}
