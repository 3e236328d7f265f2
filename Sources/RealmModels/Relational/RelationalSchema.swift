import RealmStorage

/// The one relational form of a realm's classes: tables, columns and names for everything that uses SQL.
/// `Docs/SQLite.md` describes it.
///
/// Equal schemas have equal tables, whatever the files that they come from look like.
package struct RelationalSchema: Sendable {
  /// How columns store dates; the raw values are the words of `--dates`.
  package enum DateForm: String, CaseIterable, Sendable {
    case iso
    case unix
    case unixMilliseconds = "unix-ms"
  }

  /// In the order they were given in.
  package let classes: [RelationalClass]
  package let dates: DateForm
  private let positions: [RealmString: Int]

  /// - Parameters:
  ///   - tables: the classes that get tables, followed by internal tables.
  ///   - schema: the whole schema of the realm: links may point to classes that have no table here.
  ///   - parts: full names of tables of which only some objects are exported. Nothing refers to them.
  package init(
    _ tables: [TableSchema], in schema: Schema, dates: DateForm = .iso, parts: Set<RealmString> = []
  ) {
    self.dates = dates
    positions = Dictionary(zip(tables.map(\.name), tables.indices), uniquingKeysWith: { first, _ in first })
    var names = RelationalNames(tables)
    let heads = tables.map { names.nextHead(of: $0) }
    let builder = RelationalBuilder(
      heads: heads, positions: positions, schema: schema, dates: dates, parts: parts)
    var classes = heads.map { head in builder.makeClass(head, &names) }
    var number = 0
    for index in classes.indices { number = classes[index].count(from: number) }
    self.classes = classes
  }

  /// The tables of a whole schema, without internal ones.
  package init(_ schema: Schema, dates: DateForm = .iso) {
    self.init(SchemaOutline(schema).classes, in: schema, dates: dates)
  }

  /// The class with the full table name.
  package func position(ofTable name: RealmString?) -> Int? { name.flatMap { positions[$0] } }

  /// All tables by number, each class followed by its collections.
  package var tables: [RelationalTable] { classes.flatMap { [$0.table] + $0.collections.compactMap { $0 } } }

  /// The number of a table that is not a class, after those of the others.
  package func number(of meta: RelationalMeta) -> Int {
    let last = classes.last.map { $0.number + 1 + $0.collections.count { $0 != nil } } ?? 0
    return last + (RelationalMeta.allCases.firstIndex(of: meta) ?? 0)
  }

  /// A class with more columns than SQLite takes, and how many it needs.
  package struct TooWide: Hashable, Sendable {
    package let className: RealmString
    package let columnCount: Int
    package static let limit = 2_000
  }

  /// The first class that SQLite cannot take.
  package var firstTooWide: TooWide? {
    classes.lazy.compactMap { table in
      let count = table.table.columns.count
      return count > TooWide.limit ? TooWide(className: table.schema.displayName, columnCount: count) : nil
    }.first
  }
}

/// A class with its table, and the tables of its collections.
package struct RelationalClass: Sendable {
  /// What identifies a row: the value that links and the owners of elements store.
  package enum Key: Hashable, Sendable {
    /// A primary key that is never null.
    case property(Int)
    /// The column of object keys.
    case objectKey
  }

  package let schema: TableSchema
  package let table: RelationalTable
  package let key: Key
  /// By property: the name of its column, or what it would be.
  package let propertyNames: [Identifier]
  /// The name of the column that the key is in.
  package let keyName: Identifier
  /// By property: the table of its elements.
  package let collections: [RelationalTable?]
  /// Property by property: what its values look like.
  package let values: [RelationalValue]
  /// The number of its table among all tables of the schema; those of its collections follow.
  package private(set) var number = 0
  /// By property: the number of the table of its elements.
  package private(set) var collectionNumbers: [Int?] = []

  package init(
    schema: TableSchema, table: RelationalTable, key: Key, propertyNames: [Identifier], keyName: Identifier,
    collections: [RelationalTable?], values: [RelationalValue]
  ) {
    (self.schema, self.table, self.key, self.propertyNames) = (schema, table, key, propertyNames)
    (self.keyName, self.collections, self.values) = (keyName, collections, values)
  }

  /// The column of a property's values in the table; nil for collections.
  package func column(ofProperty index: Int) -> Int? {
    guard schema.properties[index].hasColumn else { return nil }
    return table.columns.firstIndex { $0.name == propertyNames[index].name }
  }

  /// Assigns numbers to the tables, and returns the next free one.
  fileprivate mutating func count(from first: Int) -> Int {
    number = first
    var next = first + 1
    collectionNumbers = collections.map { table in
      guard table != nil else { return nil }
      defer { next += 1 }
      return next
    }
    return next
  }
}

/// How one or two columns store the values of a property.
package struct RelationalValue: Sendable {
  package let property: Property
  /// Whether it can be null.
  package let isRequired: Bool
  /// Whether it identifies rows, alone or together with an object key: its bytes must stay as they are.
  package var isRowKey = false
  /// For links: whether rows of the target are here as a whole, so that the key of its row is the value; else the
  /// target's primary key if it has one, or its object key.
  package var target: RelationalTarget?
  /// For dates that are stored as texts.
  package var digits: DateDigits?
}

/// The target of a link's values.
package struct RelationalTarget: Sendable {
  package enum Key: Sendable {
    case objectKey
    case primaryKey(PropertyType)
  }

  package let key: Key
  /// The position of the class among those that have tables.
  package let position: Int?
}
