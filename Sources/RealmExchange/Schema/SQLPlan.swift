import RealmStorage

/// The tables that stand for a schema's classes, all with names that SQLite tells apart.
struct SQLPlan: Sendable {
  let outline: SchemaOutline
  let tables: [SQLTable]

  init(of outline: SchemaOutline) {
    self.outline = outline
    // Tables and indexes share one space of names, and classes come first.
    var names = outline.classes.map(\.displayName)
    let classCount = names.count
    for table in outline.classes {
      for property in table.properties {
        names.append(RealmString(utf8: table.displayName.utf8 + Array(".".utf8) + property.name.utf8))
        names.append(RealmString(utf8: table.displayName.utf8 + Array(".".utf8) + property.name.utf8 + ".index".utf8))
      }
    }
    var identifiers = Self.tableNames.identifiers(for: names)[...]
    let classNames = identifiers.prefix(classCount)
    identifiers = identifiers.dropFirst(classCount)
    tables = zip(outline.classes, classNames).map { table, name in
      let own = Array(identifiers.prefix(table.properties.count * 2))
      identifiers = identifiers.dropFirst(own.count)
      return SQLTable(of: table, named: name, partNames: own, outline: outline)
    }
  }

  /// The table a link leads to.
  func table(of property: Property) -> SQLTable? {
    outline.position(ofTable: property.target).map { tables[$0] }
  }

  /// A name between double quotes, which any text can stand in.
  static func quoted(_ name: Identifier) -> String {
    "\"" + name.name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  private static let tableNames = IdentifierRules(
    alphabet: .anyText, fallback: "table", reserved: [],
    // Names that begin with sqlite_ are SQLite's own.
    shaped: { lowercased($0).hasPrefix("sqlite_") ? "_" + $0 : $0 }, claims: { [lowercased($0)] })

  static let columnNames = IdentifierRules(
    alphabet: .anyText, fallback: "column", reserved: [], claims: { [lowercased($0)] })

  /// SQLite takes names for equal that differ only in the case of ASCII letters.
  @Sendable private static func lowercased(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      let isCapital = ("A"..."Z").contains(scalar)
      scalars.append(isCapital ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar)
    }
    return String(scalars)
  }
}

/// The table of a class.
struct SQLTable: Sendable {
  let schema: TableSchema
  let name: Identifier
  /// The column of the object key.
  let keyName: Identifier
  let columns: [SQLColumn]
  /// The links that lead here.
  private let incoming: [String]

  /// `partNames` has two names for each property: one for its collection's table, one for its index.
  fileprivate init(of schema: TableSchema, named name: Identifier, partNames: [Identifier], outline: SchemaOutline) {
    (self.schema, self.name) = (schema, name)
    incoming = outline.links(to: schema).map { "\($0.className.shown).\($0.property.name.shown)" }
    let names = SQLPlan.columnNames.identifiers(for: schema.properties.map(\.name) + [RealmString("_key")])
    keyName = names.last ?? Identifier(stored: "_key", name: "_key", code: "_key")
    columns = schema.properties.enumerated().map { index, property in
      let hasIndex = property.index == .general && schema.primaryKeyIndex != index
      return SQLColumn(
        property: property, name: names[index], isPrimaryKey: schema.primaryKeyIndex == index,
        collectionTable: property.collection == nil || property.isComputed ? nil : partNames[index * 2],
        index: hasIndex ? partNames[index * 2 + 1] : nil,
        leadsNowhere: property.type == .object && outline.target(of: property) == nil)
    }
  }

  private static let mostColumns = 2_000

  /// What the tables do not say about the class as a whole.
  var limits: [String] {
    let kind =
      switch schema.kind {
      case .topLevel: [String]()
      case .embedded: ["embedded: each object belongs to exactly one parent, which the table does not enforce"]
      case .asymmetric: ["asymmetric"]
      }
    let width = columns.count { $0.collectionTable == nil && !$0.property.isComputed } + 1
    let isTooWide = width > Self.mostColumns
    return kind + (name.isMapped ? ["table \(name.name)"] : [])
      + (isTooWide
        ? ["\(width) columns, more than the \(Self.mostColumns) that SQLite takes unless built for more"] : [])
  }

  /// What is to be said before the table.
  var comments: [String] {
    let columnLimits = columns.flatMap { column in column.limits.map { "\(column.property.name.shown): \($0)" } }
    return limits.map { "\(schema.displayName.shown): \($0)" } + columnLimits + incoming.map { "<- \($0)" }
  }
}

/// A property as a column, or as a table of its own.
struct SQLColumn: Sendable {
  let property: Property
  let name: Identifier
  let isPrimaryKey: Bool
  /// The table of a collection's elements.
  let collectionTable: Identifier?
  let index: Identifier?
  /// Whether the property links to a class that the schema lacks.
  let leadsNowhere: Bool

  /// What the tables do not say about the property.
  var limits: [String] {
    var limits: [String] = []
    if property.isComputed { limits.append("inverse relationships have no column") }
    if property.index == .fullText { limits.append("a full-text index needs a virtual table in SQLite") }
    if leadsNowhere { limits.append("links to a class that is not in the schema") }
    if name.isMapped { limits.append("column \(name.name)") }
    return limits
  }
}
