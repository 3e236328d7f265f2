/// Which classes are selected; names as in an SDK.
///
/// ```swift
/// configuration.classes = .only(["Dog", "Person"])
/// ```
public struct ClassSelection: Hashable, Sendable {
  /// These, and the embedded classes that their objects need; nil for all.
  package var only: [RealmString]?
  /// Not these.
  package var excluded: [RealmString] = []

  /// All classes.
  public static let all = ClassSelection()
  /// The classes with these names, and the embedded classes that their objects need.
  public static func only(_ names: [String]) -> ClassSelection { only(names.map { RealmString($0) }) }
  /// All classes except those with these names.
  public static func except(_ names: [String]) -> ClassSelection { except(names.map { RealmString($0) }) }

  package static func only(_ names: [RealmString]) -> ClassSelection { ClassSelection(only: names) }
  package static func except(_ names: [RealmString]) -> ClassSelection { ClassSelection(excluded: names) }

  private init(only: [RealmString]? = nil, excluded: [RealmString] = []) {
    (self.only, self.excluded) = (only, excluded)
  }

  /// Whether exactly one class is named.
  package var isOneClass: Bool { only.map { Set($0).count == 1 } ?? false }

  /// All names, in the order in which they were given.
  package var names: [RealmString] { (only ?? []) + excluded }

  /// Whether a class or internal table with that name is selected.
  package func contains(_ name: RealmString) -> Bool { only?.contains(name) ?? true && !excluded.contains(name) }

  /// The classes that are wanted.
  ///
  /// - Throws: `ConfigurationError.classSubset` if one of them links to a class that is not.
  package func part(of schema: Schema) throws(ConfigurationError) -> Schema {
    let kept = names(in: schema)
    var part = schema
    part.tables = schema.tables.filter { kept.contains($0.name) }
    let missing = part.tables.flatMap { table in
      table.properties.compactMap { property -> MissingLinkTarget? in
        // An inverse is left out with the class it comes from.
        guard property.type == .object, let target = property.target, !kept.contains(target) else { return nil }
        return MissingLinkTarget(
          className: table.displayName, property: property.name, target: TableSchema.displayName(ofTable: target))
      }
    }
    guard missing.isEmpty else { throw .classSubset(missing) }
    for index in part.tables.indices {
      part.tables[index].removeProperties { $0.isComputed && !kept.contains($0.target ?? "") }
    }
    return part
  }

  /// Full names of the tables that are kept.
  private func names(in schema: Schema) -> Set<RealmString> {
    let kept = Set(schema.tables.filter { contains($0.displayName) }.map(\.name))
    return only == nil ? kept : schema.addingEmbedded(to: kept)
  }
}

extension Schema {
  /// Full names of tables, and those of the embedded classes that their objects need.
  package func addingEmbedded(to tables: Set<RealmString>) -> Set<RealmString> {
    var kept = tables
    var pending = Array(kept)
    while let name = pending.popLast() {
      for target in tableNamed(name)?.properties.compactMap(\.target) ?? []
      where tableNamed(target)?.kind == .embedded && kept.insert(target).inserted {
        pending.append(target)
      }
    }
    return kept
  }
}

/// A link from a class that is wanted to one that is not.
package struct MissingLinkTarget: Hashable, Sendable, CustomStringConvertible {
  /// The class that links.
  package var className: RealmString
  /// Its property.
  package var property: RealmString
  /// The class that is not wanted.
  package var target: RealmString

  /// The SDKs' text.
  package var description: String {
    "'\(className).\(property)' links to class '\(target)', which is missing from the list of classes managed by the "
      + "Realm"
  }
}

extension TableSchema {
  package mutating func removeProperties(where isUnwanted: (Property) -> Bool) {
    let key = primaryKey?.name
    properties.removeAll(where: isUnwanted)
    primaryKeyIndex = key.flatMap { name in properties.firstIndex { $0.name == name } }
  }
}
