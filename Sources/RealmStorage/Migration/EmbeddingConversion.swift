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
    for key in try table.keys() {
      let groups = try table.backlinks(of: key)
      analysis.add(linkCount: groups.reduce(0) { $0 + $1.origins.count })
      guard analysis.mixedOrigin == nil else { continue }
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
  /// If objects of the class link to each other, deleting and copying changes the number of other objects' parents.
  /// Work grows with the links: an origin is written once for all the copies that it gets.
  ///
  /// - Returns: how many copies were made, and of how many objects.
  /// - Throws: `MigrationError.embedding` if it would never end, as with objects that link to each other in a circle.
  @discardableResult
  package func convert(_ analysis: EmbeddingAnalysis) throws -> (copies: Int, originals: Int) {
    var done = (copies: 0, originals: 0)
    var left = analysis
    let most = Self.mostGrowth * (analysis.objectCount + Self.mostGrowth)
    for _ in 0..<Self.mostNesting {
      guard left.orphanCount > 0 || left.sharedCount > 0 else { break }
      let deleted = try left.orphanCount > 0 && deleteOrphans()
      let before = done.originals
      if left.sharedCount > 0 { try transaction.account.copying { try duplicate(&done, most, left) } }
      guard deleted || done.originals > before else { break }
      left = try self.analysis()
      guard left.objectCount <= most else { break }
    }
    guard left.orphanCount == 0, left.sharedCount == 0 else {
      throw MigrationError.embedding(left.orphanCount > 0 ? .orphans : .shared, left)
    }
    try table.setKind(.embedded)
    return done
  }

  // MARK: Orphans

  /// - Returns: whether there were any.
  private func deleteOrphans() throws -> Bool {
    let orphans = try table.keys().filter { try linkCount(of: $0) == 0 }
    // An object may have become an orphan and been deleted with another one.
    for key in orphans where try table.contains(key) { try deleteOrphans(from: key) }
    return !orphans.isEmpty
  }

  /// Deletes an object without a parent, and the objects of the class that had no other parent.
  private func deleteOrphans(from key: ObjectKey) throws {
    var orphans = [key]
    while let orphan = orphans.popLast() {
      let children = try children(of: orphan)
      try table.delete(orphan)
      for child in children where try table.contains(child) {
        if try table.backlinks(of: child).isEmpty { orphans.append(child) }
      }
    }
  }

  /// The objects of the class that an object links to.
  private func children(of key: ObjectKey) throws -> [ObjectKey] {
    var children: Set<ObjectKey> = []
    for column in table.columns.all where column.canHoldLinks {
      try table.value(column.name, of: key).forEachLink { if $0 == table.key { children.insert($1) } }
    }
    return children.sorted()
  }

  private func linkCount(of key: ObjectKey) throws -> Int {
    try table.backlinks(of: key).reduce(0) { $0 + $1.origins.count }
  }

  // MARK: Copies

  /// Gives the links to objects with several a copy each, those of one origin at a time.
  ///
  /// Copies of an object have its links, whose targets thus get several parents: an object's turn comes when all
  /// objects of the class that link to it have one parent. What is left in the end forms a cycle.
  private func duplicate(_ done: inout (copies: Int, originals: Int), _ most: Int, _ left: EmbeddingAnalysis) throws {
    var shared: Set<ObjectKey> = []
    var candidates = try table.keys()
    while !candidates.isEmpty, table.objectCount <= most {
      for key in candidates {
        if try table.contains(key), try linkCount(of: key) > 1 { shared.insert(key) } else { shared.remove(key) }
      }
      let ready = try candidates.filter { key in
        try shared.contains(key)
          && !table.backlinks(of: key).contains { $0.table == table.key && $0.origins.contains(where: shared.contains) }
      }
      var next: Set<ObjectKey> = []
      for key in ready { next.formUnion(try children(of: key)) }
      done.copies += try giveCopies(of: ready, left)
      // An original's embedded objects could have linked to another original: their copies still do.
      let unlinked = try ready.filter { try table.backlinks(of: $0).isEmpty }
      try table.delete(unlinked)
      done.originals += unlinked.count
      shared.subtract(unlinked)
      if unlinked.count < ready.count { next.formUnion(ready.filter { shared.contains($0) }) }
      candidates = next.sorted()
    }
  }

  /// A property that links to the class.
  private struct Origin: Hashable {
    let table: TableKey
    let property: RealmString
  }

  /// The copies to which links of some objects are redirected, in their order.
  private struct Copies {
    var all: [ObjectKey] = []
    var used = 0

    mutating func next() -> ObjectKey? {
      guard used < all.count else { return nil }
      used += 1
      return all[used - 1]
    }
  }

  /// - Returns: how many copies were made.
  private func giveCopies(of keys: [ObjectKey], _ left: EmbeddingAnalysis) throws -> Int {
    var count = 0
    // In the order of objects and of their parents, so that the same migration always gives the same file.
    var origins: [Origin] = []
    var copies: [Origin: [ObjectKey: [ObjectKey: Copies]]] = [:]
    for key in keys {
      for group in try table.backlinks(of: key) {
        let origin = Origin(table: group.table, property: group.property)
        if copies[origin] == nil { origins.append(origin) }
        for parent in group.origins {
          var copied: Set<EmbeddedChild> = []
          let copy = try copy(key, of: table, &copied)
          copies[origin, default: [:]][parent, default: [:]][key, default: Copies()].all.append(copy)
          count += 1
        }
      }
    }
    for origin in origins {
      guard let parents = copies[origin], let table = transaction.table(origin.table) else { continue }
      for parent in parents.keys.sorted() {
        guard var own = parents[parent] else { continue }
        let value = try table.value(origin.property, of: parent)
        var isSound = true
        let changed = value.replacingLinks { target, old in
          guard target == self.table.key, own[old] != nil else { return nil }
          let copy = own[old]?.next()
          if copy == nil { isSound = false }
          return copy
        }
        // Damage may record other links than there are, which would leave copies without parents, or dangling links.
        guard isSound, own.values.allSatisfy({ $0.used == $0.all.count }) else {
          throw MigrationError.embedding(.shared, left)
        }
        try table.set(origin.property, of: parent, to: changed)
      }
    }
    return count
  }

  /// Copies an object, and with it the embedded objects that are its own.
  ///
  /// - Parameter copied: what was already copied; each object has one parent, unless the file is damaged.
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
  /// By what factor the number of objects may grow before it counts as runaway growth.
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
