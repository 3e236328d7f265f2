/// Values that a migration discards: those of one property.
public struct LostValues: Hashable, Sendable {
  /// The class, without `class_`.
  public var className: RealmString
  /// The property that loses them.
  public var property: RealmString
  /// Objects that had the property.
  public var objectCount: Int
  /// Objects whose value was neither null nor the type's default; for collections, those with elements.
  public var nonDefaultCount: Int
  /// What the property becomes; nil where it is removed.
  package var successor: Property?

  package init(className: RealmString, property: RealmString, objectCount: Int, nonDefaultCount: Int) {
    (self.className, self.property) = (className, property)
    (self.objectCount, self.nonDefaultCount) = (objectCount, nonDefaultCount)
  }
}

extension LostValues {
  /// Counts what the steps of a migration discard, in their order. Classes without objects lose nothing.
  ///
  /// - Parameter snapshot: the realm before the steps.
  /// - Throws: `StorageError` where the values cannot be read.
  package static func counted(by steps: [MigrationStep], in snapshot: Snapshot) throws -> [LostValues] {
    let tables = snapshot.classTablesByName
    return try steps.compactMap { step in
      guard let property = step.discarded, let table = tables[step.className] else { return nil }
      var lost = try counted(property.name, of: table, in: snapshot)
      lost?.successor = step.successor
      return lost
    }
  }

  /// Counts what is lost with one property; nil in a class without objects.
  package static func counted(
    _ property: RealmString, of table: Table, in snapshot: Snapshot
  ) throws -> LostValues? {
    guard let index = table.schema.properties.firstIndex(where: { $0.name == property }) else { return nil }
    var lost = LostValues(className: table.schema.displayName, property: property, objectCount: 0, nonDefaultCount: 0)
    try table.forEachBatch(in: snapshot) { batch in
      let values = try batch.values(ofProperty: index)
      lost.objectCount += batch.count
      for row in 0..<batch.count where try !values.value(at: row).isNullOrDefault(in: snapshot) {
        lost.nonDefaultCount += 1
      }
    }
    return lost.objectCount == 0 ? nil : lost
  }
}

extension Snapshot {
  /// The class with the name an SDK uses.
  func classTable(_ name: RealmString) -> Table? {
    tables.first { $0.schema.isClass && $0.schema.displayName == name }
  }

  /// All classes by that name, for whoever looks many of them up.
  var classTablesByName: [RealmString: Table] {
    Dictionary(
      tables.filter(\.schema.isClass).map { ($0.schema.displayName, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension ValueView {
  /// Whether the value is null or what a new required property holds: zero, empty, 1970-01-01T00:00:00Z.
  fileprivate func isNullOrDefault(in snapshot: Snapshot) throws -> Bool {
    switch self {
    case .null: true
    case .int(let number): number == 0
    case .bool(let flag): !flag
    case .float(let number): number == 0
    case .double(let number): number == 0
    case .string(let blob), .data(let blob): blob.count == 0
    case .date(let date): date == Timestamp(seconds: 0, nanoseconds: 0)
    case .decimal(let number):
      if case .finite(_, 0, _) = number.classified { true } else { false }
    case .objectID(let id): id == ObjectID(head: 0, tail: 0)
    case .uuid(let id): id == RealmUUID(head: 0, tail: 0)
    case .link, .typedLink: false
    case .list(let list), .set(let list): try list.count(in: snapshot) == 0
    case .dictionary(let dictionary): try dictionary.count(in: snapshot) == 0
    }
  }
}
