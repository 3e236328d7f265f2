/// The identity of a table: slot in the low 16 bits, tag of the slot's use in bits 16–30
/// (Docs/Format/3-tables-and-objects.md §1.1).
public struct TableKey: Hashable, Sendable {
  /// As the file has it.
  public let rawValue: UInt32
  /// A key as the file has it.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let null = TableKey(rawValue: 0x7fff_ffff)

  /// The place in the list of tables.
  @inlinable package var slot: Int { Int(rawValue & 0xffff) }
  /// Tells the tables apart that had the slot, one after another.
  package var tag: UInt32 { rawValue >> 16 }
}

/// The identity of an object in its table (Docs/Format/3-tables-and-objects.md §4.1).
///
/// Live objects have keys from 0 up, `-1` is not an object, keys from `-2` down are tombstones.
public struct ObjectKey: Hashable, Sendable, Comparable {
  /// As the file has it.
  public let rawValue: Int64
  /// A key as the file has it.
  @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

  /// The order of objects in their table.
  @inlinable public static func < (left: ObjectKey, right: ObjectKey) -> Bool { left.rawValue < right.rawValue }

  /// Whether the key belongs to a tombstone, an object that is linked to but not there.
  @inlinable public var isUnresolved: Bool { rawValue <= -2 }
}

/// The identity of a column: leaf index, type, attributes and tag in one number
/// (Docs/Format/3-tables-and-objects.md §3.4).
package struct ColumnKey: Hashable, Sendable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }

  package static let null = ColumnKey(rawValue: Int64.max)

  /// The number as a finding names it.
  package var hexText: String { "0x" + String(UInt64(bitPattern: rawValue), radix: 16) }

  /// Position of the column in a cluster, without the cluster's own slot 0.
  package var leafIndex: Int { Int(rawValue & 0xffff) }
  package var typeCode: Int { Int((rawValue >> 16) & 0x3f) }
  package var attributes: ColumnAttributes { ColumnAttributes(rawValue: UInt16((rawValue >> 22) & 0xff)) }

  /// This key for a column at another position in a cluster.
  package func moved(toLeaf index: Int) -> ColumnKey { ColumnKey(rawValue: rawValue & ~0xffff | Int64(index) & 0xffff) }
}

/// What a column is apart from its type (Docs/Format/3-tables-and-objects.md §3.3).
package struct ColumnAttributes: OptionSet, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let indexed = ColumnAttributes(rawValue: 1)
  /// Of formats 2–9.
  static let unique = ColumnAttributes(rawValue: 2)
  package static let nullable = ColumnAttributes(rawValue: 16)
  package static let list = ColumnAttributes(rawValue: 32)
  package static let dictionary = ColumnAttributes(rawValue: 64)
  package static let set = ColumnAttributes(rawValue: 128)
  package static let fullText = ColumnAttributes(rawValue: 256)
}
