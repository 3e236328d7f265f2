import RealmStorage

/// The first pass over the objects of a damaged realm: which of them go into the new one, in which class, and which
/// object is the parent of each embedded one.
///
/// Memory is in proportion to the number of objects.
struct RescueSurvey {
  /// One table of the new realm and what goes into it.
  struct Target {
    let table: RescuedTable
    /// The objects that keep their class, ascending.
    var keys: [Int64] = []
    /// Those that cannot be in their class, ascending: their primary key is lost, or they have no parent.
    var withoutKey: [Int64] = []
    var account: RescueAccount.ClassAccount
    /// For an embedded class: the parent of each object.
    var parents: [Int64: Parent] = [:]

    /// Whether an object is there, in either class.
    func row(of key: Int64) -> Bool { Self.contains(keys, key) }

    /// Whether a key is among ascending ones. They are spread almost evenly, so the search begins where the key should be:
    /// from the middle, it would read memory that is far apart.
    static func contains(_ keys: [Int64], _ key: Int64) -> Bool {
      guard let first = keys.first, let last = keys.last, first <= key, key <= last else { return false }
      // The first that is not below the key is in low...high.
      var (low, high, step) = (0, keys.count - 1, 1)
      let (way, span) = (UInt64(bitPattern: key &- first), UInt64(bitPattern: last &- first))
      let share = way.multipliedFullWidth(by: UInt64(high))
      let guess = Int(max(span, 1).dividingFullWidth(share).quotient)
      if keys[guess] < key {
        low = guess + 1
        while low + step < high, keys[low + step] < key { (low, step) = (low + step + 1, step * 2) }
        high = min(high, low + step)
      } else {
        high = guess
        while high - step > low, keys[high - step] >= key { (high, step) = (high - step, step * 2) }
        low = max(low, high - step)
      }
      return keys[firstIndex(in: low..<high) { keys[$0] >= key }] == key
    }
  }

  /// The parent of an embedded object.
  struct Parent: Equatable {
    let table: Int
    let key: Int64
    let property: Int
  }

  private(set) var targets: [Target]
  let numbers: [TableKey: Int]
  private let catalog: RescueCatalog
  private let options: RescueOptions
  private let report: (RescueDetail) -> Void

  private static let mostLevels = 100

  init(_ catalog: RescueCatalog, _ options: RescueOptions, _ report: @escaping (RescueDetail) -> Void) {
    (self.catalog, self.options, self.report) = (catalog, options, report)
    let selected = Self.selected(catalog.tables, options)
    targets = selected.map { table in
      var account = RescueAccount.ClassAccount(name: table.schema.displayName)
      account.isClass = table.schema.isClass
      account.isMadeUp = table.hasMadeUpName
      account.hasDamagedName = table.hasDamagedName
      account.isByStructure = table.isByStructure
      account.lostProperties = table.lostProperties
      account.unnamedProperties = table.isByStructure ? [] : table.unnamedProperties
      account.isUncertain = catalog.isUncertain(table)
      account.uncomparedLinks = catalog.uncomparedLinks(of: table)
      return Target(table: table, account: account)
    }
    numbers = Dictionary(targets.enumerated().map { ($1.table.key, $0) }) { first, _ in first }
    for account in targets.map(\.account) {
      for (kind, properties) in [
        (RescueDetail.Kind.lostProperty, account.lostProperties), (.lostName, account.unnamedProperties),
        (.uncertain, account.uncomparedLinks),
      ] {
        for property in properties { report(RescueDetail(kind: kind, className: account.name, property: property)) }
      }
      if account.isMadeUp { report(RescueDetail(kind: .lostName, className: account.name)) }
      if account.isByStructure { report(RescueDetail(kind: .lostSchema, className: account.name)) }
      if account.isUncertain || account.hasDamagedName {
        report(RescueDetail(kind: .uncertain, className: account.name))
      }
    }
    for number in targets.indices { collectKeys(number) }
    collectParents()
  }

  /// The tables that are wanted, and those that they link to.
  private static func selected(_ tables: [RescuedTable], _ options: RescueOptions) -> [RescuedTable] {
    guard options.classes.only != nil else { return tables.filter { options.classes.contains($0.schema.displayName) } }
    var wanted = Set(
      tables.filter { options.classes.contains($0.schema.displayName) }.map(\.schema.name))
    wanted.insert(SchemaVersionTable.name)
    // Embedded objects come along; a link to a class that is left out has no target.
    var pending = Array(wanted)
    while let name = pending.popLast() {
      for property in tables.first(where: { $0.schema.name == name })?.schema.properties ?? [] {
        guard let target = property.target, tables.first(where: { $0.schema.name == target })?.schema.kind == .embedded,
          wanted.insert(target).inserted
        else { continue }
        pending.append(target)
      }
    }
    return tables.filter { wanted.contains($0.schema.name) }
  }

  // MARK: Keys

  private mutating func collectKeys(_ number: Int) {
    let table = targets[number].table
    // A class of an older snapshot can be damaged in an undamaged file.
    let isUnique = catalog.hasUniqueKeys && table.confidence == .current
    let primaryKey = isUnique ? nil : table.schema.primaryKeyIndex
    var holders: [Value: (key: Int64, confidence: RescueConfidence, isLive: Bool)] = [:]
    var (dropped, displaced): (Set<Int64>, Set<Int64>) = ([], [])
    var (keys, withoutKey, earlier, late): ([Int64], [Int64], [ObjectKey], [ObjectKey]) = ([], [], [], [])
    var doubtful: [(key: Int64, value: Value)] = []
    var seen = 0
    var missing = table.listedKeys
    catalog.forEachBatch(of: table, catalog.makeReader()) { batch in
      guard options.accepts(batch.confidence) else { return }
      if missing != nil { for key in batch.keys { missing?.remove(key.rawValue) } }
      if batch.isOfLostCommit { late += batch.keys } else { seen += batch.keys.count }
      if batch.confidence == .earlier, !batch.isOfLostCommit { earlier += batch.keys }
      guard let primaryKey else { return keys.append(contentsOf: batch.keys.lazy.map(\.rawValue)) }
      for (key, cell) in zip(batch.keys, batch.cells(ofProperty: primaryKey)) {
        guard case .value(let value, let confidence) = cell else {
          withoutKey.append(key.rawValue)
          continue
        }
        guard options.accepts(confidence),
          options.policy == .all || !catalog.isDoubted(value, table, primaryKey, key, losesLinks: true)
        else {
          doubtful.append((key.rawValue, value))
          continue
        }
        keys.append(key.rawValue)
        guard let holder = holders.updateValue((key.rawValue, confidence, batch.confidence == .current), forKey: value)
        else {
          continue
        }
        // The newer one is kept; of two of the same time the one that was made later.
        let keepsFirst = holder.confidence < confidence
        if keepsFirst { holders[value] = holder }
        // Two of the live snapshot are two objects, whatever their keys say now.
        if holder.isLive, batch.confidence == .current {
          displaced.insert(keepsFirst ? key.rawValue : holder.key)
        } else {
          dropped.insert(keepsFirst ? key.rawValue : holder.key)
        }
      }
    }
    // Without its key an object would be lost to all that links to it: one that no other object has is kept.
    for (key, value) in doubtful {
      guard value != .null, holders.updateValue((key, .doubtful, true), forKey: value) == nil else {
        withoutKey.append(key)
        continue
      }
      keys.append(key)
    }
    if !doubtful.isEmpty { (keys, withoutKey) = (keys.sorted(), withoutKey.sorted()) }
    if !dropped.isEmpty || !displaced.isEmpty {
      keys.removeAll { dropped.contains($0) || displaced.contains($0) }
      withoutKey = (withoutKey + displaced).sorted()
    }
    (targets[number].keys, targets[number].withoutKey) = (keys, withoutKey)
    let lost = lostObjects(of: table, seen: seen, missing: missing?.count)
    targets[number].account.lostObjects = lost
    if lost != 0 {
      let keys = (missing ?? []).sorted().map { ObjectKey(rawValue: $0) }
      report(RescueDetail(kind: .lostObject, className: targets[number].account.name, keys: keys))
    }
    targets[number].account.lostCommitObjects = late.count
    tell(.lostCommitObject, number, late.map(\.rawValue))
    targets[number].account.duplicates = dropped.count
    targets[number].account.olderObjects = earlier.count
    targets[number].account.objectsWithoutKey = withoutKey.count
    tell(.duplicate, number, dropped.sorted())
    tell(.earlierObject, number, earlier.map(\.rawValue))
    tell(.objectWithoutKey, number, withoutKey)
  }

  /// Lost objects of the live snapshot; nil if their number is unknown, or what shows it is damaged and no second
  /// witness agrees.
  private func lostObjects(of table: RescuedTable, seen: Int, missing: Int?) -> Int? {
    let lost = max(missing ?? 0, table.expectedCount.map { $0 - seen } ?? 0)
    guard lost == 0, missing == nil else { return lost }
    guard !catalog.hasUncertainObjects(table), table.expectedCount != nil || !table.hasHoles else { return nil }
    return table.confidence <= .found ? 0 : nil
  }

  private func tell(_ kind: RescueDetail.Kind, _ number: Int, _ keys: [Int64]) {
    guard !keys.isEmpty else { return }
    report(
      RescueDetail(kind: kind, className: targets[number].account.name, keys: keys.map { ObjectKey(rawValue: $0) }))
  }

  // MARK: Embedded objects

  /// Finds the parent of each embedded object, from top-level objects downwards; those without one go into a class of
  /// their own.
  private mutating func collectParents() {
    let embedded = targets.indices.filter { targets[$0].table.schema.kind == .embedded }
    // In an undamaged snapshot each has a parent, which may be left out.
    let isSound = catalog.isSound && !options.includesDeleted && options.classes == .all
    guard !embedded.isEmpty, !isSound else { return }
    var done: [Int: Set<Int64>] = [:]
    for number in targets.indices where targets[number].table.schema.kind != .embedded {
      collectParents(in: number) { _ in true }
    }
    for _ in 0..<Self.mostLevels {
      var found = false
      for number in embedded where !embeddedProperties(of: number).isEmpty {
        let held = Set(targets[number].parents.keys).subtracting(done[number] ?? [])
        guard !held.isEmpty else { continue }
        found = true
        collectParents(in: number) { held.contains($0) }
        done[number, default: []].formUnion(held)
      }
      if !found { break }
    }
    for number in embedded {
      let parents = targets[number].parents
      let orphans = targets[number].keys.filter { parents[$0] == nil }
      guard !orphans.isEmpty else { continue }
      targets[number].keys.removeAll { parents[$0] == nil }
      targets[number].withoutKey = orphans
      targets[number].account.orphans = orphans.count
      tell(.orphan, number, orphans)
    }
  }

  private func embeddedProperties(of number: Int) -> [(property: Int, target: Int)] {
    targets[number].table.schema.properties.enumerated().compactMap { index, property in
      guard let name = property.target,
        let target = targets.firstIndex(where: { $0.table.schema.name == name && $0.table.schema.kind == .embedded })
      else { return nil }
      return (index, target)
    }
  }

  private mutating func collectParents(in number: Int, _ isHeld: (Int64) -> Bool) {
    let properties = embeddedProperties(of: number)
    guard !properties.isEmpty else { return }
    let (target, embedded) = (targets[number], properties.map { targets[$0.target] })
    var found = Array(repeating: [Int64: Parent](), count: properties.count)
    catalog.forEachBatch(of: target.table, catalog.makeReader()) { batch in
      guard options.accepts(batch.confidence) else { return }
      for (place, property) in properties.enumerated() {
        for (key, cell) in zip(batch.keys, batch.cells(ofProperty: property.property)) {
          guard case .value(let value, let confidence) = cell, options.accepts(confidence),
            target.row(of: key.rawValue) || Target.contains(target.withoutKey, key.rawValue), isHeld(key.rawValue)
          else { continue }
          let losesLinks = { value.linksOutside { embedded[place].row(of: $0) } }
          if options.policy == .trusted,
            catalog.isDoubted(value, target.table, property.property, key, losesLinks: losesLinks())
          {
            continue
          }
          let parent = Parent(table: number, key: key.rawValue, property: property.property)
          value.forEachLinkedKey { linked in
            guard embedded[place].row(of: linked), embedded[place].parents[linked] == nil else { return }
            if found[place][linked] == nil { found[place][linked] = parent }
          }
        }
      }
    }
    for (place, property) in properties.enumerated() {
      targets[property.target].parents.merge(found[place]) { first, _ in first }
    }
  }
}

extension Value {
  /// Whether it links, through a link property, to an object that is not among some.
  fileprivate func linksOutside(_ contains: (Int64) -> Bool) -> Bool {
    var isOutside = false
    forEachLinkedKey { if !contains($0) { isOutside = true } }
    return isOutside
  }

  /// Calls `visit` with the key of each object that the value links to through a link property.
  fileprivate func forEachLinkedKey(_ visit: (Int64) -> Void) {
    switch self {
    case .link(_, let key): visit(key.rawValue)
    case .list(let elements): for element in elements { element.forEachLinkedKey(visit) }
    case .dictionary(let entries): for key in entries.keys.sorted() { entries[key]?.forEachLinkedKey(visit) }
    default: return
    }
  }
}
