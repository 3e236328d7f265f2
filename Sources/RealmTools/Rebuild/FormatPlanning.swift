import RealmStorage

/// Finds what a file format cannot store of a part of a realm, and takes it out of that part.
struct FormatPlanning {
  private let snapshot: Snapshot
  private let format: TargetFormat
  /// What is left of the part.
  private(set) var selection: RebuildSelection
  /// In the order of the file.
  private(set) var losses: [FormatLoss] = []
  private let walk: CollectionWalk

  init(_ snapshot: Snapshot, _ selection: RebuildSelection, _ format: TargetFormat) {
    (self.snapshot, self.selection, self.format) = (snapshot, selection, format)
    // Collections are counted, then looked into.
    var walk = snapshot.collectionWalk(passes: 2)
    walk.showsTombstones = true
    self.walk = walk
  }

  /// - Throws: `CopyError.formatCannotHold` if anything would be lost that must not be; `StorageError` if values cannot
  ///   be counted.
  mutating func run(allowingLoss: Bool) throws {
    guard format != .newest else { return }
    for table in taken where !format.holds(table.schema.kind) {
      selection.tables.remove(table.key)
      losses.append(
        FormatLoss(
          className: table.schema.displayName, property: nil, kind: .table(table.schema.kind),
          count: try table.objectCount()))
    }
    for table in taken {
      for index in table.schema.properties.indices where !isLeftOut(index, of: table) { try look(at: index, of: table) }
    }
    try leaveOutEmbeddedObjects()
    guard allowingLoss || losses.isEmpty else { throw CopyError.formatCannotHold(format, losses) }
  }

  private var taken: [Table] { snapshot.tables.filter { selection.tables.contains($0.key) } }

  private func isLeftOut(_ index: Int, of table: Table) -> Bool {
    selection.leftOutProperties[table.key]?.contains(index) ?? false
  }

  private mutating func look(at index: Int, of table: Table) throws {
    let property = table.schema.properties[index]
    func add(_ kind: FormatLoss.Kind, _ count: Int) {
      losses.append(
        FormatLoss(className: table.schema.displayName, property: property.name, kind: kind, count: count))
    }
    let leadsNowhere =
      property.type == .object && !taken.contains { $0.schema.name == property.target }
    guard format.holds(property.type), property.collection.map(format.holds) ?? true, !leadsNowhere else {
      selection.leftOutProperties[table.key, default: []].insert(index)
      let isPrimaryKey = table.schema.primaryKeyIndex == index
      let target = property.targetClass ?? property.target ?? ""
      add(
        leadsNowhere ? .link(to: target) : .property(property, isPrimaryKey: isPrimaryKey),
        try values.count(of: table, index))
      return
    }
    if property.index != .none, property.allows(property.index), !format.holdsIndex(property.index, on: property) {
      add(.index(property.index), 0)
    }
    if property.type == .mixed, !format.holdsNestedCollections {
      let count = try countNestedCollections(of: table, index, isSingle: property.collection == nil)
      if count > 0 {
        add(.nestedCollections, count)
        selection.keepsNestedCollections = false
      }
    }
    if property.type == .mixed, property.collection == .set, !format.tellsTextsFromData {
      var count = 0
      try forEachValue(of: table, index) { if case .set(let set) = $0 { count += try set.dataLikeTexts(walk).count } }
      if count > 0 {
        add(.dataLikeTexts, count)
        selection.keepsDataLikeTexts = false
      }
    }
    if property.type == .object, !format.holdsTombstones {
      let count = try countUnresolvedLinks(of: table, index)
      if count > 0 {
        add(.unresolvedLinks, count)
        selection.keepsTombstones = false
      }
    }
  }

  /// Embedded objects are left out with the properties that contain them.
  private mutating func leaveOutEmbeddedObjects() throws {
    let embedded = taken.filter { $0.schema.kind == .embedded }
    let holdsLess = losses.contains { loss in
      switch loss.kind {
      case .table: true
      case .property(let property, _): embedded.contains { $0.schema.name == property.target }
      default: false
      }
    }
    guard holdsLess, !embedded.isEmpty else { return }
    let before = try embedded.map { try selection.objects[$0.key]?.count ?? $0.objectCount() }
    for table in embedded { selection.objects[table.key] = ObjectKeySet() }
    let reached = ReachedObjects(StoredLinks(snapshot, passes: 3), from: selection, open: Set(embedded.map(\.key)))
    try reached.run()
    selection = reached.takeSelection()
    for (table, before) in zip(embedded, before) {
      let left = selection.objects[table.key]?.count ?? 0
      if try left == table.objectCount() { selection.objects[table.key] = nil }
      guard left < before else { continue }
      losses.append(
        FormatLoss(
          className: table.schema.displayName, property: nil, kind: .embeddedObjects, count: before - left))
    }
  }

  // MARK: Counting

  private func forEachValue(of table: Table, _ index: Int, _ body: (ValueView) throws -> Void) throws {
    try values.forEach(of: table, index, body)
  }

  private var values: ValueCount { ValueCount(snapshot, selection) }

  /// The outermost of them.
  private func countNestedCollections(of table: Table, _ index: Int, isSingle: Bool) throws -> Int {
    var count = 0
    func note(_ value: ValueView) {
      switch value {
      case .list, .dictionary: count += 1
      default: break
      }
    }
    try forEachValue(of: table, index) { value in
      if isSingle { return note(value) }
      switch value {
      case .list(let list): try list.forEach(walk, damaged: { throw $0 }, visit: note)
      case .dictionary(let dictionary): try dictionary.forEach(walk, damaged: { throw $0 }) { note($1) }
      default: break
      }
    }
    return count
  }

  private func countUnresolvedLinks(of table: Table, _ index: Int) throws -> Int {
    var count = 0
    func note(_ value: ValueView) {
      if case .link(_, let key) = value, key.isUnresolved { count += 1 }
    }
    try forEachValue(of: table, index) { value in
      if case .list(let list) = value {
        try list.forEach(walk, damaged: { throw $0 }, visit: note)
      } else {
        note(value)
      }
    }
    return count
  }
}

/// Counts values of a part of a realm.
struct ValueCount {
  private let snapshot: Snapshot
  private let selection: RebuildSelection

  init(_ snapshot: Snapshot, _ selection: RebuildSelection) { (self.snapshot, self.selection) = (snapshot, selection) }

  /// Calls `body` with the value of each object that is copied.
  func forEach(of table: Table, _ index: Int, _ body: (ValueView) throws -> Void) throws {
    let wanted = selection.objects[table.key]
    try table.forEachBatch(in: snapshot) { batch in
      let values = try batch.values(ofProperty: index)
      for row in 0..<batch.count where wanted?.contains(batch.key(at: row)) ?? true {
        try body(values.valueShowingTombstones(at: row))
      }
    }
  }

  /// Values that are not null and not empty.
  func count(of table: Table, _ index: Int) throws -> Int {
    var count = 0
    let isCollection = table.schema.properties[index].collection != nil
    try forEach(of: table, index) { value in
      switch value {
      case .null: break
      // An empty list in a Mixed value is a value.
      case _ where !isCollection: count += 1
      case .list(let list), .set(let list): if try list.count(in: snapshot) > 0 { count += 1 }
      case .dictionary(let dictionary): if try dictionary.count(in: snapshot) > 0 { count += 1 }
      default: count += 1
      }
    }
    return count
  }

  /// The same of a property, or the objects of a class.
  func count(of part: MappedPart) throws -> Int {
    guard let table = snapshot.table(displayName: part.className), selection.tables.contains(table.key) else {
      return 0
    }
    guard let property = part.property else { return try selection.objects[table.key]?.count ?? table.objectCount() }
    return try table.schema.properties.firstIndex { $0.name == property }.map { try count(of: table, $0) } ?? 0
  }
}
