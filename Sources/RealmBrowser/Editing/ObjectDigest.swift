import RealmPresentation
import RealmStorage

/// The state of an object, property by property, to notice whether somebody else has changed it since.
struct ObjectDigest: Hashable, Sendable {
  private var properties: [RealmString: Int] = [:]

  private static let mostDepth = 32

  /// Nil if no such object exists.
  init?(of address: ObjectAddress, in realm: BrowsedRealm) throws {
    guard let (batch, row) = try realm.object(at: address) else { return nil }
    for (index, property) in batch.table.schema.properties.enumerated() {
      properties[property.name] = try Self.digest(ofProperty: index, batch, row, in: realm)
    }
  }

  /// The state of one property; nil if no such object or property exists.
  static func digest(of property: RealmString, of address: ObjectAddress, in realm: BrowsedRealm) throws -> Int? {
    guard let (batch, row) = try realm.object(at: address),
      let index = batch.table.schema.properties.firstIndex(where: { $0.name == property })
    else { return nil }
    return try digest(ofProperty: index, batch, row, in: realm)
  }

  private static func digest(
    ofProperty index: Int, _ batch: ObjectBatch, _ row: Int, in realm: BrowsedRealm
  ) throws -> Int {
    var hasher = Hasher()
    let value = try Value(batch.values(ofProperty: index).value(at: row), realm.snapshot.collectionWalk())
    try hash(value, in: realm, into: &hasher, depth: 0)
    return hasher.finalize()
  }

  /// Embedded objects are included with their content.
  private static func hash(_ value: Value, in realm: BrowsedRealm, into hasher: inout Hasher, depth: Int) throws {
    hasher.combine(value)
    guard depth < mostDepth else { return }
    for (table, key) in value.links {
      guard let table = realm.snapshot.table(table), table.schema.kind == .embedded,
        let (batch, row) = try table.object(key)
      else { continue }
      for index in table.schema.properties.indices {
        let inner = try Value(batch.values(ofProperty: index).value(at: row), realm.snapshot.collectionWalk())
        try hash(inner, in: realm, into: &hasher, depth: depth + 1)
      }
    }
  }

  /// The properties that have changed, sorted by name.
  func changes(to other: ObjectDigest) -> [RealmString] {
    Set(properties.keys).union(other.properties.keys).filter { properties[$0] != other.properties[$0] }.sorted()
  }
}

extension Value {
  /// All links in it.
  fileprivate var links: [(TableKey, ObjectKey)] {
    switch self {
    case .link(let table, let key), .typedLink(let table, let key): [(table, key)]
    case .list(let elements), .set(let elements): elements.flatMap(\.links)
    case .dictionary(let entries): entries.values.flatMap(\.links)
    default: []
    }
  }
}
