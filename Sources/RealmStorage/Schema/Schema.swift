/// The tables of a realm with their properties, in the order of the file.
///
/// A class of an SDK is a table whose name starts with `class_`; the others are internal
/// (Docs/Format/3-tables-and-objects.md §7.1).
public struct Schema: Hashable, Sendable {
  /// All tables, in the order of the file.
  public var tables: [TableSchema]
  /// The version that an app stored in table `metadata`; nil if none was set (§7.2).
  public var version: UInt64?

  /// A schema; without tables and version unless given.
  public init(tables: [TableSchema] = [], version: UInt64? = nil) {
    self.tables = tables
    self.version = version
  }

  /// The tables that are classes, in the order of the file.
  public var classes: [TableSchema] { tables.filter(\.isClass) }

  /// The class with the name an SDK uses (without `class_`).
  public func classNamed(_ name: RealmString) -> TableSchema? {
    tables.first { $0.isClass && $0.displayName == name }
  }

  /// All classes by the name that an SDK uses, for looking up many of them. As in `classNamed`, the first of several
  /// with the same name counts.
  var classesByName: [RealmString: TableSchema] {
    Dictionary(classes.map { ($0.displayName, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The table with the full name, as in the file.
  public func tableNamed(_ name: RealmString) -> TableSchema? { tables.first { $0.name == name } }
}

/// How objects of a table live (Docs/Format/3-tables-and-objects.md §2, flags).
public enum TableKind: String, Hashable, Sendable, CaseIterable {
  /// Each object lives until it is deleted.
  case topLevel = "TopLevel"
  /// Each object belongs to exactly one parent and is deleted with it.
  case embedded = "Embedded"
  /// Write-only messages for a sync server.
  case asymmetric = "TopLevelAsymmetric"
}

/// One table: a class of an SDK, or an internal one.
public struct TableSchema: Hashable, Sendable {
  /// The name in the file, e.g. `class_Person`, `metadata`.
  public var name: RealmString
  /// How its objects live.
  public var kind: TableKind
  /// The public properties in stored order, without backlink columns.
  public var properties: [Property]
  /// Position of the primary key in `properties`.
  public var primaryKeyIndex: Int?

  /// A class of objects with an identity and without a primary key, unless something else is given.
  public init(
    name: RealmString, kind: TableKind = .topLevel, properties: [Property] = [], primaryKeyIndex: Int? = nil
  ) {
    self.name = name
    self.kind = kind
    self.properties = properties
    self.primaryKeyIndex = primaryKeyIndex
  }

  /// The prefix of the names of classes' tables (Docs/Format/3-tables-and-objects.md §7.1).
  public static let classPrefix = "class_"

  /// Bytes that the name of a table or property may have (Docs/Format/3-tables-and-objects.md §1.2).
  package static let longestName = 63
  /// Properties, which their keys count in 16 bits.
  package static let mostProperties = 1 << 16
  /// Bytes that the name of a class may have.
  package static let longestClassName = longestName - classPrefix.utf8.count

  /// Whether it is a class of an SDK.
  public var isClass: Bool { name.hasPrefix(Self.classPrefix) }

  /// The name an SDK uses: without `class_`; internal tables keep theirs.
  public var displayName: RealmString { Self.displayName(ofTable: name) }

  /// The name an SDK uses for a table.
  public static func displayName(ofTable name: RealmString) -> RealmString {
    name.hasPrefix(classPrefix) ? RealmString(utf8: Array(name.utf8.dropFirst(classPrefix.utf8.count))) : name
  }

  /// The name of a class's table in the file.
  public static func tableName(ofClass name: RealmString) -> RealmString {
    RealmString(utf8: Array(classPrefix.utf8) + name.utf8)
  }

  /// The primary key; nil if there is none.
  public var primaryKey: Property? {
    guard let index = primaryKeyIndex, properties.indices.contains(index) else { return nil }
    return properties[index]
  }

  /// The property with a name; nil if there is none.
  public func property(named name: RealmString) -> Property? { properties.first { $0.name == name } }
}

/// The types a property can have (Docs/Format/3-tables-and-objects.md §7.3).
public enum PropertyType: Hashable, Sendable, CaseIterable {
  /// A whole number of 64 bits.
  case int
  /// True or false.
  case bool
  /// Text in UTF-8.
  case string
  /// Bytes.
  case data
  /// A point in time, to the nanosecond.
  case date
  /// A number of 32 bits (IEEE 754).
  case float
  /// A number of 64 bits (IEEE 754).
  case double
  /// A decimal number of at most 34 digits.
  case decimal128
  /// An identifier of 12 bytes that begins with a time.
  case objectID
  /// An identifier of 16 bytes.
  case uuid
  /// Any value; always optional.
  case mixed
  /// A link to an object; `Property.target` names its table.
  case object
  /// The computed inverse of a link. Only schema files of apps contain it, never a realm: `Property.target` is the
  /// origin table and `Property.originProperty` the link there.
  case linkingObjects

  /// Whether a property of the type can be the primary key of its class, as the SDKs have it.
  package var canBePrimaryKey: Bool { [.int, .string, .objectID, .uuid].contains(self) }
}

/// The three kinds of collection a property can be.
public enum CollectionKind: Hashable, Sendable, CaseIterable {
  /// Elements in an order of their own, any of them several times.
  case list
  /// Each element once, in no order.
  case set
  /// Keys are strings.
  case dictionary
}

/// Which search index a property has (Docs/Format/3-tables-and-objects.md §6.1).
public enum IndexKind: Hashable, Sendable, CaseIterable {
  /// No index.
  case none
  /// For equal values.
  case general
  /// For words in text.
  case fullText
}

/// One property of a table.
public struct Property: Hashable, Sendable {
  /// The name in the file.
  public var name: RealmString
  /// The type of the value, or of the collection's elements.
  public var type: PropertyType
  /// nil for a single value.
  public var collection: CollectionKind?
  /// Whether the value, or the collection's elements, may be null. True for single links, mixed and dictionaries of
  /// links; false for lists and sets of links.
  public var isOptional: Bool
  /// The full name of the table (`class_Dog`) that a link points to; nil for other types.
  public var target: RealmString?
  /// For `linkingObjects`: the link in `target` this is the inverse of.
  public var originProperty: RealmString?
  /// A primary key always has a general index.
  public var index: IndexKind

  /// All that is not given is as in most schemas: required, single, without an index.
  public init(
    name: RealmString, type: PropertyType, collection: CollectionKind? = nil, isOptional: Bool = false,
    target: RealmString? = nil, originProperty: RealmString? = nil, index: IndexKind = .none
  ) {
    self.name = name
    self.type = type
    self.collection = collection
    self.isOptional = isOptional
    self.target = target
    self.originProperty = originProperty
    self.index = index
  }

  /// The class name that a link points to, without `class_`.
  public var targetClass: RealmString? { target.map(TableSchema.displayName(ofTable:)) }
}
