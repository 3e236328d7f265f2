/// Makes the objects of a class embedded: each must have exactly one parent (Docs/Format/3-tables-and-objects.md §8.11).
package struct EmbeddingConversion {
  private let table: TableEditor
  private let transaction: WriteTransaction
  private let name: RealmString

  package init(_ table: TableEditor, in transaction: WriteTransaction) {
    (self.table, self.transaction) = (table, transaction)
    name = table.schema.displayName
  }

  /// How the objects are linked to, as the transaction has left them.
  package func analysis() throws -> EmbeddingAnalysis {
    var analysis = EmbeddingAnalysis(className: name)
    analysis.setOrigin = setOrigin
    try table.forEachKey { key in
      let groups = try table.backlinks(of: key)
      analysis.add(linkCount: groups.reduce(0) { $0 + $1.origins.count })
      guard analysis.mixedOrigin == nil else { return }
      analysis.mixedOrigin = groups.lazy.compactMap { mixedOrigin($0.table, $0.property) }.first
    }
    return analysis
  }

  /// The first property that links to the class and is a set.
  private var setOrigin: PropertyPath? {
    for origin in transaction.tables {
      for property in origin.schema.properties where property.target == table.name && property.collection == .set {
        return PropertyPath(className: origin.schema.displayName, property: property.name)
      }
    }
    return nil
  }

  private func mixedOrigin(_ origin: TableKey, _ property: RealmString) -> PropertyPath? {
    guard let schema = transaction.table(origin)?.schema, schema.property(named: property)?.type == .mixed else {
      return nil
    }
    return PropertyPath(className: schema.displayName, property: property)
  }

  /// Deletes objects without a parent, gives each link of an object with several a copy, and makes the class embedded.
  ///
  /// Where objects of the class link to each other, what is deleted or copied gives others fewer parents or more.
  ///
  /// - Returns: how many copies were made, and of how many objects.
  /// - Throws: `MigrationError.embedding` where there is no end of it, as with objects that link in a circle.
  @discardableResult
  package func convert(_ analysis: EmbeddingAnalysis) throws -> (copies: Int, originals: Int) {
    var done = (copies: 0, originals: 0)
    var left = analysis
    for _ in 0..<Self.mostNesting {
      guard left.orphanCount > 0 || left.sharedCount > 0 else { break }
      try table.forEachKey { key in
        // Deleted together with another, or a copy's original.
        guard try table.contains(key) else { return }
        let groups = try table.backlinks(of: key)
        let count = groups.reduce(0) { $0 + $1.origins.count }
        if count == 0 { return try deleteOrphans(from: key) }
        guard count > 1 else { return }
        try transaction.account.copying {
          for group in groups { try giveCopies(of: key, to: group.origins, group.table, group.property) }
          // An object that leads to itself: its copies lead to it too, and would lose that link.
          guard try table.backlinks(of: key).isEmpty else { throw MigrationError.embedding(.shared, left) }
          try table.delete(key)
        }
        done = (done.copies + count, done.originals + 1)
      }
      left = try self.analysis()
      guard left.objectCount <= Self.mostGrowth * (analysis.objectCount + Self.mostGrowth) else { break }
    }
    guard left.orphanCount == 0, left.sharedCount == 0 else {
      throw MigrationError.embedding(left.orphanCount > 0 ? .orphans : .shared, left)
    }
    try table.setKind(.embedded)
    return done
  }

  /// Deletes an object without a parent, and the objects of the class that had no other parent.
  private func deleteOrphans(from key: ObjectKey) throws {
    var orphans = [key]
    while let orphan = orphans.popLast() {
      var children: [ObjectKey] = []
      for column in table.columns.all where column.canHoldLinks {
        try table.value(column.name, of: orphan).forEachLink { if $0 == table.key { children.append($1) } }
      }
      try table.delete(orphan)
      for child in Set(children).sorted() where try table.contains(child) {
        if try table.backlinks(of: child).isEmpty { orphans.append(child) }
      }
    }
  }

  private func giveCopies(
    of key: ObjectKey, to origins: [ObjectKey], _ originTable: TableKey, _ property: RealmString
  ) throws {
    guard let parent = transaction.table(originTable) else { return }
    var seen: Set<ObjectKey> = []
    for origin in origins where seen.insert(origin).inserted {
      let value = try parent.value(property, of: origin)
      let changed = try value.replacingLinks { target, old in
        guard target == table.key, old == key else { return nil }
        var copied: Set<EmbeddedChild> = []
        return try copy(key, of: table, &copied)
      }
      try parent.set(property, of: origin, to: changed)
    }
  }

  /// Copies an object, and with it the embedded objects that are its own.
  ///
  /// - Parameter copied: what was copied already; each object is the own of one other, unless the file is damaged.
  private func copy(
    _ key: ObjectKey, of table: TableEditor, _ copied: inout Set<EmbeddedChild>, depth: Int = 0
  ) throws -> ObjectKey {
    guard depth < Self.mostNesting else { throw StorageError.corrupted(.null, .tooDeep) }
    guard copied.insert(EmbeddedChild(table: table.key, key: key)).inserted else {
      throw StorageError.corrupted(.null, .visitedTooOften)
    }
    let copy = try table.makeObject()
    for property in table.schema.properties {
      let value = try table.value(property.name, of: key)
      let owned = try value.replacingLinks { target, old in
        guard let child = transaction.table(target), child.kind == .embedded else { return nil }
        return try self.copy(old, of: child, &copied, depth: depth + 1)
      }
      try table.adopt(property.name, of: copy, owned)
    }
    return copy
  }

  private struct EmbeddedChild: Hashable {
    let table: TableKey
    let key: ObjectKey
  }

  private static let mostNesting = 100
  /// How many times as many objects as there were are still no runaway growth.
  private static let mostGrowth = 16
}

extension Value {
  /// The value with other targets for some of its links.
  ///
  /// - Parameter replacement: the new target; nil leaves a link as it is.
  package func replacingLinks(
    _ replacement: (TableKey, ObjectKey) throws -> ObjectKey?
  ) rethrows -> Value {
    switch self {
    case .link(let table, let key): .link(table, try replacement(table, key) ?? key)
    case .typedLink(let table, let key): .typedLink(table, try replacement(table, key) ?? key)
    case .list(let elements): .list(try elements.map { try $0.replacingLinks(replacement) })
    case .set(let elements): .set(try elements.map { try $0.replacingLinks(replacement) })
    case .dictionary(let entries):
      // In the order of the keys, so that the same migration always gives the same file.
      .dictionary(
        Dictionary(
          uniqueKeysWithValues: try entries.keys.sorted().map { name in
            (name, try entries[name]?.replacingLinks(replacement) ?? .null)
          }))
    default: self
    }
  }
}
