import RealmQuery
import RealmStorage

/// What a rebuild copies from a snapshot, and what it loses, determined before anything is written.
package struct RebuildPlan: Sendable {
  package let selection: RebuildSelection
  /// Links that are lost, in the order of the file.
  package let losses: [LinkLoss]
  /// Objects left out of classes that are copied in part, not counting embedded ones.
  package let leftOutObjectCount: Int
  /// Embedded objects that are left out with their parents.
  package let leftOutEmbeddedObjectCount: Int
  /// What each condition found, in their order.
  package let matches: [ConditionMatches]
  /// What is left out because the format cannot store it.
  package let formatLosses: [FormatLoss]

  /// - Parameters:
  ///   - format: of what is written.
  ///   - threadCount: threads that look for the objects that match conditions.
  /// - Throws: `CopyError`; `StorageError` if links cannot be counted, or it cannot be determined whether an object
  ///   matches.
  package init(
    _ snapshot: Snapshot, filter: CopyFilter = CopyFilter(), format: TargetFormat = .newest, threadCount: Int = 1
  ) throws {
    guard !filter.takesEverything else {
      var whole = FormatPlanning(snapshot, RebuildSelection(all: snapshot), format)
      try whole.run(allowingLoss: filter.allowsDataLoss)
      (selection, formatLosses) = (whole.selection, whole.losses)
      (losses, matches, leftOutObjectCount, leftOutEmbeddedObjectCount) = ([], [], 0, 0)
      return
    }
    var planning = RebuildPlanning(snapshot, filter)
    try planning.chooseTables()
    try planning.findMatches(threadCount: threadCount)
    try planning.chooseObjects()
    try planning.countLeftOut()
    try planning.findLosses()
    let unwanted = planning.losses.filter { !$0.leadsToEmptiedClasses && $0.linkCount > 0 }
    guard unwanted.isEmpty || filter.allowsDataLoss else {
      throw CopyError.linksToLeftOutParts(unwanted)
    }
    var part = FormatPlanning(snapshot, planning.selection, format)
    try part.run(allowingLoss: filter.allowsDataLoss)
    (selection, formatLosses) = (part.selection, part.losses)
    (losses, matches) = (planning.losses, planning.matches)
    leftOutObjectCount = planning.leftOutObjectCount
    leftOutEmbeddedObjectCount = planning.leftOutEmbeddedObjectCount
  }
}

/// What a condition found.
package struct ConditionMatches: Hashable, Sendable {
  package let condition: ClassCondition
  package let objectCount: Int
  /// Warnings about parts of the query that may not mean what they seem to.
  package let warnings: [QueryWarning]
}

/// The steps of planning.
private struct RebuildPlanning {
  private let snapshot: Snapshot
  private let filter: CopyFilter
  private let links: StoredLinks
  private(set) var selection = RebuildSelection(tables: [])
  private(set) var matches: [ConditionMatches] = []
  private(set) var losses: [LinkLoss] = []
  private(set) var leftOutObjectCount = 0
  private(set) var leftOutEmbeddedObjectCount = 0

  init(_ snapshot: Snapshot, _ filter: CopyFilter) {
    (self.snapshot, self.filter) = (snapshot, filter)
    // Links are gathered, then counted.
    links = StoredLinks(snapshot, passes: 3)
  }

  private var taken: [Table] { snapshot.tables.filter { selection.tables.contains($0.key) } }

  private func isTaken(_ name: RealmString) -> Bool {
    snapshot.tables.contains { $0.schema.name == name && selection.tables.contains($0.key) }
  }

  // MARK: Tables

  mutating func chooseTables() throws {
    for name in filter.classes.names + filter.conditions.map(\.className) {
      guard snapshot.schema.classNamed(name) != nil else {
        throw CopyError.noSuchClass(name, among: snapshot.schema.classes.map(\.displayName))
      }
    }
    for table in snapshot.tables where isWanted(table.schema) { selection.tables.insert(table.key) }
    guard filter.classes.only != nil else { return }
    if filter.followsLinks {
      for table in snapshot.tables where filter.conditions.contains(where: { $0.isFor(table) }) {
        selection.tables.insert(table.key)
      }
      selection.tables.formUnion(
        snapshot.reaching(from: selection.tables).filter { snapshot.table($0).map(isExcluded) == false })
      return
    }
    // Embedded classes come along, and those that they need.
    var found = true
    while found {
      found = false
      let needed = Set(taken.flatMap { $0.schema.properties.compactMap(\.target) })
      for table in snapshot.tables where table.schema.kind == .embedded && needed.contains(table.schema.name) {
        guard !isExcluded(table) else { continue }
        if selection.tables.insert(table.key).inserted { found = true }
      }
    }
  }

  private func isWanted(_ schema: TableSchema) -> Bool {
    guard schema.isClass else { return filter.includesInternalTables || schema.name == "metadata" }
    return filter.classes.contains(schema.displayName)
  }

  private func isExcluded(_ table: Table) -> Bool { filter.classes.excluded.contains(table.schema.displayName) }

  // MARK: Objects

  mutating func findMatches(threadCount: Int) throws {
    for condition in filter.conditions {
      guard let table = taken.first(where: condition.isFor) else { continue }
      guard table.schema.kind != .embedded else {
        throw CopyError.conditionOnEmbeddedClass(condition.className)
      }
      let query: Query
      do { query = try Query(condition.query, of: table, in: snapshot) } catch let error as QueryError {
        throw CopyError.query(error, in: condition)
      }
      // Two conditions for one class are one with OR.
      var chosen = selection.objects.removeValue(forKey: table.key) ?? ObjectKeySet()
      var count = 0
      let damage: DamageReport
      do {
        damage = try query.forEachKey(QueryOptions(threadCount: threadCount)) { keys in
          for key in keys { chosen.insert(key) }
          count += keys.count
          return true
        }
      } catch let error as QueryError {
        throw CopyError.query(error, in: condition)
      }
      if let first = damage.described.first { throw first.error }
      selection.objects[table.key] = chosen
      matches.append(ConditionMatches(condition: condition, objectCount: count, warnings: query.warnings))
    }
  }

  /// The tables that stay without their objects.
  private var emptied: Set<TableKey> {
    Set(taken.filter { $0.schema.isClass && filter.emptiedClasses.contains($0.schema.displayName) }.map(\.key))
  }

  mutating func chooseObjects() throws {
    for table in emptied { selection.objects[table] = ObjectKeySet() }
    var open = partlyTakenEmbeddedTables()
    var candidates: Set<TableKey> = []
    if filter.followsLinks {
      open = Set(taken.filter { $0.schema.isClass && !isTakenWhole($0) }.map(\.key))
      if filter.classes.only != nil {
        let others = snapshot.tables.filter {
          $0.schema.isClass && !selection.tables.contains($0.key) && !isExcluded($0)
        }
        candidates = Set(others.map(\.key))
      }
    }
    open.subtract(emptied)
    candidates.subtract(emptied)
    for table in open where selection.objects[table] == nil { selection.objects[table] = ObjectKeySet() }
    let reached = ReachedObjects(links, from: selection, open: open, candidates: candidates)
    // Works on the only copy of the value, so that nothing is duplicated.
    selection.objects = [:]
    try reached.run()
    selection = reached.takeSelection()
  }

  /// If links are followed: whether the class was named and has no condition.
  private func isTakenWhole(_ table: Table) -> Bool {
    guard table.schema.kind != .embedded, !filter.conditions.contains(where: { $0.isFor(table) }) else { return false }
    return filter.classes.only?.contains(table.schema.displayName) ?? false
  }

  /// Embedded tables with parents that are left out, and those that these are parents of.
  private func partlyTakenEmbeddedTables() -> Set<TableKey> {
    let embedded = taken.filter { $0.schema.kind == .embedded }
    var partial: Set<TableKey> = []
    for table in embedded {
      let hasLostParent = snapshot.tables.contains { origin in
        (!selection.tables.contains(origin.key) || selection.objects[origin.key] != nil)
          && origin.schema.properties.contains { $0.target == table.schema.name }
      }
      if hasLostParent { partial.insert(table.key) }
    }
    var count = -1
    while count != partial.count {
      count = partial.count
      let targets = Set(
        embedded.filter { partial.contains($0.key) }.flatMap { $0.schema.properties.compactMap(\.target) })
      for table in embedded where targets.contains(table.schema.name) { partial.insert(table.key) }
    }
    return partial
  }

  mutating func countLeftOut() throws {
    for table in taken {
      guard let chosen = selection.objects[table.key]?.count else { continue }
      let leftOut = try table.objectCount() - chosen
      if leftOut == 0 { selection.objects[table.key] = nil }
      if table.schema.kind == .embedded { leftOutEmbeddedObjectCount += leftOut } else { leftOutObjectCount += leftOut }
    }
  }

  // MARK: Links that are lost

  mutating func findLosses() throws {
    let partial = Set(
      taken.filter { $0.schema.kind != .embedded && selection.objects[$0.key] != nil }.map(\.schema.name))
    for table in taken {
      for (index, property) in table.schema.properties.enumerated() {
        let isLeftOut = property.type == .object && !isTaken(property.target ?? "")
        if isLeftOut { selection.leftOutProperties[table.key, default: []].insert(index) }
        let canLose = property.target.map(partial.contains) ?? false
        guard isLeftOut || canLose || property.type == .mixed else { continue }
        let (count, leadsToObjects, unwantedCount) = try countLostLinks(of: table, property: index)
        guard isLeftOut || count > 0 else { continue }
        losses.append(
          LinkLoss(
            className: table.schema.displayName, property: property.name,
            to: property.target.map(TableSchema.displayName(ofTable:)), leavesPropertyOut: isLeftOut,
            leadsToObjects: leadsToObjects, linkCount: count,
            leadsToEmptiedClasses: !isLeftOut && unwantedCount == 0))
      }
    }
  }

  /// Counts the links from copied objects to what is left out.
  private func countLostLinks(
    of table: Table, property: Int
  ) throws -> (count: Int, leadsToObjects: Bool, unwantedCount: Int) {
    var (count, leadsToObjects, unwantedCount) = (0, false, 0)
    let emptied = emptied
    try links.forEach(of: table, property: property, among: selection.objects[table.key]) { target, key in
      guard !selection.takes(key, of: target) else { return }
      count += 1
      if selection.tables.contains(target) { leadsToObjects = true }
      if !emptied.contains(target) { unwantedCount += 1 }
    }
    return (count, leadsToObjects, unwantedCount)
  }
}

extension ClassCondition {
  fileprivate func isFor(_ table: Table) -> Bool { table.schema.isClass && table.schema.displayName == className }
}
