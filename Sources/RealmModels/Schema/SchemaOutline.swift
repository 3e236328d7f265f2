import RealmStorage

/// A schema's classes by name, and the links to each.
///
/// The order does not depend on the history of the file, so equal schemas give equal texts.
struct SchemaOutline: Sendable {
  let version: UInt64?
  /// The classes by the bytes of their names.
  let classes: [TableSchema]
  private let positions: [RealmString: Int]
  private let incoming: [RealmString: [IncomingLink]]

  /// A property that links to a class.
  struct IncomingLink: Hashable, Sendable {
    /// Without `class_`.
    let className: RealmString
    let property: Property
  }

  init(_ schema: Schema) {
    version = schema.version
    classes = schema.classes.sorted { $0.name < $1.name }
    positions = Dictionary(zip(classes.map(\.name), classes.indices), uniquingKeysWith: { first, _ in first })
    var incoming: [RealmString: [IncomingLink]] = [:]
    for table in classes {
      for property in table.properties where property.type == .object {
        guard let target = property.target else { continue }
        incoming[target, default: []].append(IncomingLink(className: table.displayName, property: property))
      }
    }
    self.incoming = incoming
  }

  /// The position in `classes` of the table with a full name; nil if it is not a class of the schema.
  func position(ofTable name: RealmString?) -> Int? {
    name.flatMap { positions[$0] }
  }

  /// The class that a link or inverse points to; nil if it is not in the schema.
  func target(of property: Property) -> TableSchema? {
    position(ofTable: property.target).map { classes[$0] }
  }

  /// The links to the class, by class and stored order.
  func links(to table: TableSchema) -> [IncomingLink] { incoming[table.name] ?? [] }

  /// Number of links, both single ones and collections of links.
  var relationCount: Int {
    classes.reduce(0) { $0 + $1.properties.count { $0.type == .object } }
  }
}
