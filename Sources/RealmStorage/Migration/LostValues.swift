/// Values that a migration discards: those of one property, or a class without properties.
public struct LostValues: Hashable, Sendable {
  /// How values are lost.
  public enum Cause: String, Hashable, Sendable {
    /// Their property is removed, or gets another type.
    case removed
    /// Values from elsewhere replace them.
    case overwritten
    /// They are links to objects that are deleted.
    case targetDeleted
    /// They are objects of a removed class without properties.
    case classRemoved
  }

  /// The class, without `class_`.
  public var className: RealmString
  /// The property that loses them; nil if objects without properties are lost.
  public var property: RealmString?
  /// Objects with the property; if values are overwritten or links removed, only those affected.
  public var objectCount: Int
  /// Objects whose value was neither null nor the property's default; for collections, those with elements. For links
  /// removed with their targets, the number of links.
  public var nonDefaultCount: Int
  /// How they are lost.
  public var cause = Cause.removed
  /// What the property becomes; nil if it is removed.
  package var successor: Property?
  /// Whether the property only stops to allow null.
  package var becomesRequired = false
  /// The only property that is new in the class and could take the values as they are; nil unless there is exactly one.
  package var renamed: RealmString?
  /// Embedded objects that are deleted with those of a removed class: the number by class.
  package var embedded: [RealmString: Int] = [:]

  package init(
    className: RealmString, property: RealmString?, objectCount: Int, nonDefaultCount: Int, cause: Cause = .removed
  ) {
    (self.className, self.property, self.cause) = (className, property, cause)
    (self.objectCount, self.nonDefaultCount) = (objectCount, nonDefaultCount)
  }

  /// `Person.age`, or the class alone.
  public var place: String { property.map { "\(className).\($0)" } ?? "\(className)" }
}

/// Values that an operation was asked to replace: those of one property.
public struct OverwrittenValues: Hashable, Sendable {
  /// The class, without `class_`.
  public var className: RealmString
  /// The property that has other values now.
  public var property: RealmString
  /// Objects whose old value was neither null nor the property's default, or whose collection lost elements.
  public var count: Int
}

extension [OverwrittenValues] {
  /// Adds what another operation overwrote; values of the same property are counted together.
  package mutating func add(_ others: [OverwrittenValues]) {
    for values in others {
      if let index = firstIndex(where: { $0.className == values.className && $0.property == values.property }) {
        self[index].count += values.count
      } else {
        append(values)
      }
    }
  }
}

extension ChangeCounts {
  /// What was destroyed of classes, in the order in which it was. Values that were overwritten are left out.
  package var lost: [LostValues] {
    var lost: [LostValues] = []
    for property in properties {
      let name = TableSchema.displayName(ofTable: property.tableName)
      if let removed = property.removed {
        lost.append(
          LostValues(
            className: name, property: property.property, objectCount: removed.objects, nonDefaultCount: removed.values)
        )
      }
      if property.cutLinks > 0 {
        lost.append(
          LostValues(
            className: name, property: property.property, objectCount: property.cutLinks,
            nonDefaultCount: property.cutLinks, cause: .targetDeleted))
      }
    }
    let withProperties = Set(properties.filter { $0.removed != nil }.map(\.table))
    let removed = tables.filter { $0.value.removedWith ?? 0 > 0 && !withProperties.contains($0.key) }
    for (_, table) in removed.sorted(by: { $0.value.tableName < $1.value.tableName }) {
      lost.append(
        LostValues(
          className: TableSchema.displayName(ofTable: table.tableName), property: nil,
          objectCount: table.removedWith ?? 0, nonDefaultCount: 0, cause: .classRemoved))
    }
    return lost
  }

  /// Values of classes that were overwritten.
  package var overwritten: [OverwrittenValues] {
    properties.filter { $0.overwritten > 0 }.map {
      OverwrittenValues(
        className: TableSchema.displayName(ofTable: $0.tableName), property: $0.property, count: $0.overwritten)
    }
  }
}

extension LostValues {
  /// Counts what the steps of a migration discard, in their order. Classes without objects lose nothing.
  ///
  /// - Parameter snapshot: the realm before the steps.
  /// - Throws: `StorageError` if the values cannot be read.
  package static func counted(by steps: [MigrationStep], in snapshot: Snapshot) throws -> [LostValues] {
    let tables = snapshot.classTablesByName
    return try steps.compactMap { step in
      guard let property = step.discarded, let table = tables[step.className] else { return nil }
      var lost = try counted(property.name, of: table, in: snapshot)
      lost?.successor = step.successor
      if let successor = step.successor {
        lost?.becomesRequired =
          property.isOptional && !successor.isOptional && property.type == successor.type
          && property.collection == successor.collection
      }
      if step.successor == nil {
        let takers = steps.compactMap { $0.added(to: step.className) }.filter { $0.takesValues(of: property) }
        lost?.renamed = takers.count == 1 ? takers[0].name : nil
      }
      return lost
    }
  }

  /// Counts what is lost with one property; nil in a class without objects.
  package static func counted(
    _ property: RealmString, of table: Table, in snapshot: Snapshot
  ) throws -> LostValues? {
    guard let index = table.schema.properties.firstIndex(where: { $0.name == property }) else { return nil }
    var lost = LostValues(className: table.schema.displayName, property: property, objectCount: 0, nonDefaultCount: 0)
    let kept = table.schema.properties[index]
    try table.forEachBatch(in: snapshot) { batch in
      let values = try batch.values(ofProperty: index)
      lost.objectCount += batch.count
      for row in 0..<batch.count where try values.value(at: row).isSomething(of: kept, in: snapshot) {
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

  /// All classes by that name, for many lookups.
  var classTablesByName: [RealmString: Table] {
    Dictionary(
      tables.filter(\.schema.isClass).map { ($0.schema.displayName, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
