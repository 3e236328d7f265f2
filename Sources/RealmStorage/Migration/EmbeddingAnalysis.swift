/// A property of a class.
package struct PropertyPath: Hashable, Sendable, CustomStringConvertible {
  /// The class, without `class_`.
  package var className: RealmString
  /// The property.
  package var property: RealmString

  /// A property of a class, both by the names an SDK uses.
  package init(className: RealmString, property: RealmString) {
    self.className = className
    self.property = property
  }

  /// `Person.dogs`
  package var description: String { "\(className).\(property)" }
}

/// How the objects of a class that is to become embedded are linked to: each must have exactly one parent
/// (Docs/Format/3-tables-and-objects.md §8.11).
package struct EmbeddingAnalysis: Hashable, Sendable {
  /// The class, without `class_`.
  package var className: RealmString
  /// The objects of the class.
  package var objectCount = 0
  /// Objects without incoming links.
  package var orphanCount = 0
  /// Objects with several.
  package var sharedCount = 0
  /// Links to these.
  package var sharedLinkCount = 0
  /// The first Mixed property with a link to the class: such a link cannot point to embedded objects.
  package var mixedOrigin: PropertyPath?
  /// The first property that links to the class and is a set: sets cannot contain embedded objects.
  package var setOrigin: PropertyPath?

  /// Nothing counted yet.
  package init(className: RealmString) { self.className = className }

  /// Counts the links to the objects of a class.
  ///
  /// - Parameters:
  ///   - goingProperties: properties whose links do not count, because they are removed in the same migration.
  /// - Throws: `StorageError` if links cannot be read.
  package init(
    of table: Table, in snapshot: Snapshot, without goingProperties: Set<PropertyPath> = []
  ) throws {
    self.init(className: table.schema.displayName)
    let origins = table.backlinks.sorted { $0.leafIndex < $1.leafIndex }.compactMap {
      snapshot.origin(of: $0, without: goingProperties)
    }
    setOrigin = origins.first(where: \.isSet)?.path
    try table.forEachBatch(in: snapshot) { batch in
      var counts = Array(repeating: 0, count: batch.count)
      for origin in origins {
        try batch.addLinkCounts(through: origin.column, to: &counts)
        guard origin.isMixed, mixedOrigin == nil, try batch.hasLinks(through: origin.column) else { continue }
        mixedOrigin = origin.path
      }
      for count in counts { add(linkCount: count) }
    }
  }

  mutating func add(linkCount: Int) {
    objectCount += 1
    if linkCount == 0 { orphanCount += 1 }
    guard linkCount > 1 else { return }
    sharedCount += 1
    sharedLinkCount += linkCount
  }

  /// Why the class cannot become embedded under a policy; nil if it can.
  package func obstacle(under policy: EmbeddingPolicy) -> EmbeddingObstacle? {
    if let setOrigin { return .set(setOrigin) }
    if let mixedOrigin { return .mixedLink(mixedOrigin) }
    if orphanCount > 0, !policy.deletesOrphans { return .orphans }
    if sharedCount > 0, !policy.duplicatesShared { return .shared }
    return nil
  }

  /// `3 of 120 objects have no incoming link, 2 have several`
  package var countText: String {
    let objects = "\(objectCount) \(objectCount == 1 ? "object" : "objects")"
    guard orphanCount > 0 else { return "\(sharedCount) of \(objects) \(have(sharedCount)) several incoming links" }
    let orphans = "\(orphanCount) of \(objects) \(have(orphanCount)) no incoming link"
    return sharedCount == 0 ? orphans : orphans + ", \(sharedCount) \(have(sharedCount)) several"
  }

  private func have(_ count: Int) -> String { count == 1 ? "has" : "have" }
}

/// Why a class cannot become embedded.
package enum EmbeddingObstacle: Hashable, Sendable {
  case orphans
  case shared
  case mixedLink(PropertyPath)
  /// A set property that links to the class.
  case set(PropertyPath)

  /// The text of Realm Core 14.
  package func text(className name: RealmString) -> String {
    let start = "Cannot convert '\(name)' to embedded: "
    return switch self {
    case .orphans: start + "at least one object has no incoming links and would be deleted."
    case .shared: start + "at least one object has more than one incoming link."
    case .mixedLink(let origin):
      start
        + "there is an incoming link from the Mixed property '\(origin)', which does not support linking to embedded "
        + "objects."
    case .set(let origin):
      "Set property '\(origin)' cannot contain embedded object type '\(name)'. Set semantics are not applicable to "
        + "embedded objects."
    }
  }

  /// The text of older SDKs and their documentation; nil if there is none.
  package var olderText: String? {
    switch self {
    case .orphans: "At least one object does not have a backlink (data would get lost)."
    case .shared: "At least one object does have multiple backlinks."
    case .mixedLink, .set: nil
    }
  }
}

// MARK: - Reading links

private struct LinkOrigin {
  let column: BacklinkColumn
  let path: PropertyPath
  let isMixed: Bool
  let isSet: Bool
}

extension Snapshot {
  /// The property that a backlink column belongs to; nil if it is or will be removed.
  fileprivate func origin(of column: BacklinkColumn, without going: Set<PropertyPath>) -> LinkOrigin? {
    guard let table = table(column.originTable),
      let index = table.columns.firstIndex(where: { $0.key == column.originColumn })
    else { return nil }
    let property = table.schema.properties[index]
    let path = PropertyPath(className: table.schema.displayName, property: property.name)
    guard !going.contains(path) else { return nil }
    return LinkOrigin(
      column: column, path: path, isMixed: property.type == .mixed,
      isSet: property.collection == .set && property.type == .object)
  }
}

extension ObjectBatch {
  /// Adds the number of links through a property to each object's count.
  fileprivate func addLinkCounts(through column: BacklinkColumn, to counts: inout [Int]) throws {
    let links = try backlinks(through: column)
    for row in counts.indices {
      let element = RefOrTagged(try links.element(at: row, in: table.store))
      if element.isTagged {
        counts[row] += 1
      } else if element.rawValue != 0 {
        counts[row] += try BPlusTree(root: element.ref, element: ElementType(.int)).count(in: table.store)
      }
    }
  }

  fileprivate func hasLinks(through column: BacklinkColumn) throws -> Bool {
    let links = try backlinks(through: column)
    return try (0..<count).contains { try links.element(at: $0, in: table.store) != 0 }
  }
}
