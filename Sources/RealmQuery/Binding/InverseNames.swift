import RealmStorage
import RealmText

/// The names of inverse relationships in an app's models (`linkingObjects`). A realm does not store them; in a query,
/// each of them means `@links.Class.property`.
package struct InverseNames: Hashable, Sendable {
  /// The links that a name means.
  struct Origin: Hashable, Sendable {
    let className: String
    let property: String
  }

  /// By the table and the name.
  private var origins: [RealmString: [RealmString: Origin]] = [:]

  /// No names.
  package init() {}

  /// The names of a schema, which must fit the realm: an inverse of links that the realm does not have would find nothing.
  ///
  /// - Throws: for the first one that does not fit.
  package init(_ schema: Schema, in realm: Schema) throws(QueryError) {
    for table in schema.tables {
      for inverse in table.properties where inverse.isComputed {
        let origin = try Self.origin(of: inverse, table, in: realm)
        origins[table.name, default: [:]][inverse.name] = origin
      }
    }
  }

  /// Whether there are none.
  package var isEmpty: Bool { origins.isEmpty }

  /// The names of the inverse relationships of a class.
  func names(of table: TableSchema) -> [RealmString] { (origins[table.name] ?? [:]).keys.sorted() }

  /// The names for the links of one property to objects of a class.
  package func names(for property: RealmString, of className: RealmString, in table: TableSchema) -> [RealmString] {
    let origin = Origin(className: className.description, property: property.description)
    return (origins[table.name] ?? [:]).filter { $0.value == origin }.map(\.key).sorted()
  }

  func origin(_ name: String, of table: TableSchema) -> Origin? { origins[table.name]?[RealmString(name)] }

  private static func origin(
    of inverse: Property, _ table: TableSchema, in realm: Schema
  ) throws(QueryError) -> Origin {
    func mistake(_ problem: String, _ advice: String? = nil) -> QueryError {
      QueryError(
        .invalidProperty, "inverse '\(table.displayName).\(inverse.name)': \(problem)", at: nil,
        advice: advice)
    }
    let classes = realm.classes.map(\.displayName.description)
    func unknownClass(_ wanted: RealmString) -> QueryError {
      mistake("no class '\(wanted)' in the realm", Similarity.question(about: "\(wanted)", among: classes))
    }
    guard let own = realm.tables.first(where: { $0.name == table.name }) else { throw unknownClass(table.displayName) }
    if own.property(named: inverse.name) != nil {
      throw mistake("the realm stores a property with this name")
    }
    let (target, property) = (inverse.target ?? "", inverse.originProperty ?? "")
    let className = TableSchema.displayName(ofTable: target)
    guard let origin = realm.tables.first(where: { $0.name == target }) else { throw unknownClass(className) }
    guard let link = origin.property(named: property) else {
      throw mistake(
        "'\(className)' of the realm has no property '\(property)'",
        Similarity.question(about: "\(property)", among: origin.properties.map(\.name.description)))
    }
    guard link.type == .object, link.target == table.name else {
      throw mistake("in the realm, '\(className).\(property)' does not link to '\(table.displayName)'")
    }
    return Origin(className: className.description, property: property.description)
  }
}
