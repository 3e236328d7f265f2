import RealmStorage

/// The second pass over the objects of a damaged realm: writes what was saved as the tables of a new one, and counts.
final class RescueBody: RealmBody {
  private let catalog: RescueCatalog
  private let options: RescueOptions
  private let report: (RescueDetail) -> Void
  private(set) var account = RescueAccount()
  /// Called from time to time with the number of objects written.
  var onProgress: (Int) throws -> Void = { _ in }

  private var survey: RescueSurvey
  /// Embedded objects that have been linked to: nothing else may link to them again.
  private var held: [Set<Int64>] = []
  private var written = 0

  init(_ catalog: RescueCatalog, _ options: RescueOptions, _ report: @escaping (RescueDetail) -> Void) {
    (self.catalog, self.options, self.report) = (catalog, options, report)
    survey = RescueSurvey(catalog, options, report)
  }

  func write(to output: StreamingOutput) throws -> RealmRoots? {
    account = RescueAccount()
    account.lostTables = catalog.lostTables.filter { name in
      options.classes == .all || options.classes.contains(TableSchema.displayName(ofTable: name))
    }
    (account.isUncertain, account.hasLooseNodes) = (catalog.isUncertain, catalog.hasLooseNodes)
    for name in account.lostTables {
      report(RescueDetail(kind: .lostClass, className: TableSchema.displayName(ofTable: name)))
    }
    (held, written) = (Array(repeating: [], count: survey.targets.count), 0)
    let definitions = self.definitions()
    let group = try GroupBuilder(definitions.map(\.definition), output: output)
    for (builder, made) in zip(group.tables, definitions) {
      var target = survey.targets[made.number]
      if made.hasLostKey {
        var counts = RescueAccount.ClassAccount(name: builder.schema.displayName)
        counts.lostObjects = 0
        counts.isMadeUp = true
        try copy(made, target.withoutKey, into: builder, &counts)
        account.classes.append(counts)
        continue
      }
      try copy(made, target.keys, into: builder, &target.account)
      if options.includesDeleted { try copyDeleted(made, into: builder, &target.account) }
      account.classes.append(target.account)
    }
    account.lostLinks = account.classes.reduce(0) { $0 + $1.lostLinks }
    return try group.finish()
  }

  // MARK: Tables

  private struct Made {
    let definition: TableDefinition
    /// The index among the targets of the survey.
    let number: Int
    /// For objects that cannot be in their class.
    var hasLostKey = false
    /// By property of the new table: that of the rescued one.
    let properties: [Int]
  }

  private func definitions() -> [Made] {
    let names = Set(survey.targets.map(\.table.schema.name))
    var made = survey.targets.enumerated().map { number, target in
      var schema = target.table.schema
      let kept = schema.properties.indices.filter { index in
        let property = schema.properties[index]
        return property.type != .object || property.target.map(names.contains) ?? false
      }
      let primaryKey = schema.primaryKey?.name
      schema.properties = kept.map { schema.properties[$0] }
      schema.primaryKeyIndex = primaryKey.flatMap { name in schema.properties.firstIndex { $0.name == name } }
      if !catalog.isSound { schema.leaveOutRiskyIndexes() }
      return Made(
        definition: TableDefinition(
          key: target.table.key, schema: schema, sequenceNumber: target.table.sequenceNumber),
        number: number, properties: kept)
    }
    var slot = (survey.targets.map(\.table.key.slot).max() ?? -1) + 1
    for one in made where !survey.targets[one.number].withoutKey.isEmpty {
      var schema = one.definition.schema
      let name = "Recovered" + schema.displayName.description.prefix(Self.longestStem)
      var unique = RealmString(TableSchema.classPrefix + name)
      while made.contains(where: { $0.definition.schema.name == unique }) {
        unique = RealmString(unique.description + "_")
      }
      schema.name = unique
      schema.primaryKeyIndex = nil
      if schema.kind == .embedded { schema.kind = .topLevel }
      let definition = TableDefinition(key: TableKey(rawValue: UInt32(truncatingIfNeeded: slot)), schema: schema)
      made.append(Made(definition: definition, number: one.number, hasLostKey: true, properties: one.properties))
      slot += 1
    }
    return made
  }

  /// Of the name of a class, so that the new name is not too long.
  private static let longestStem = 40

  // MARK: Objects

  private func copy(
    _ made: Made, _ wanted: [Int64], into builder: TableBuilder, _ counts: inout RescueAccount.ClassAccount
  ) throws {
    let table = survey.targets[made.number].table
    var next = 0
    try catalog.forEachBatch(of: table, catalog.makeReader()) { batch in
      guard options.accepts(batch.confidence) else { return }
      // Both are in the order of the keys.
      let rows = batch.keys.indices.filter { row in
        let key = batch.keys[row].rawValue
        while next < wanted.count, wanted[next] < key { next += 1 }
        return next < wanted.count && wanted[next] == key
      }
      try append(batch, rows, keyAt: { batch.keys[rows[$0]] }, made, into: builder, &counts)
      try onProgress(written)
    }
  }

  /// Objects that are only in older snapshots come last and get new keys: nothing links to them.
  private func copyDeleted(
    _ made: Made, into builder: TableBuilder, _ counts: inout RescueAccount.ClassAccount
  ) throws {
    let target = survey.targets[made.number]
    // A damaged table may have keys up to the largest possible one, which leaves none for these.
    guard target.table.schema.kind == .topLevel, target.table.schema.isClass,
      target.keys.last ?? 0 < Int64.max - Self.mostNewKeys
    else { return }
    var taken = Set(target.keys + target.withoutKey)
    var primaryKeys = try primaryKeys(of: target)
    var next = (target.keys.last ?? -1) + 1
    let reader = catalog.makeReader()
    try catalog.forEachDeletedBatch(of: target.table, reader) { batch in
      let values = target.table.schema.primaryKeyIndex.map { batch.cells(ofProperty: $0) }
      let rows = batch.keys.indices.filter { row in
        guard !taken.contains(batch.keys[row].rawValue) else { return false }
        guard let values else { return true }
        guard case .value(let value, _) = values[row] else { return false }
        return primaryKeys.insert(value).inserted
      }
      guard !rows.isEmpty else { return }
      for row in rows { taken.insert(batch.keys[row].rawValue) }
      let first = next
      try append(
        batch, rows, keyAt: { ObjectKey(rawValue: first + Int64($0)) }, made, into: builder, &counts, isDeleted: true)
      next += Int64(rows.count)
      counts.deletedObjects += rows.count
      report(RescueDetail(kind: .deletedObject, className: counts.name, keys: rows.map { batch.keys[$0] }))
    }
  }

  private static let mostNewKeys: Int64 = 1 << 48

  private func primaryKeys(of target: RescueSurvey.Target) throws -> Set<Value> {
    guard let index = target.table.schema.primaryKeyIndex else { return [] }
    var keys: Set<Value> = []
    catalog.forEachBatch(of: target.table, catalog.makeReader()) { batch in
      for case .value(let value, _) in batch.cells(ofProperty: index) { keys.insert(value) }
    }
    return keys
  }

  private func append(
    _ batch: RescuedBatch, _ rows: [Int], keyAt: (Int) -> ObjectKey, _ made: Made, into builder: TableBuilder,
    _ counts: inout RescueAccount.ClassAccount, isDeleted: Bool = false
  ) throws {
    guard !rows.isEmpty else { return }
    var cells: [[RescuedCell]] = Array(repeating: [], count: made.properties.count)
    var elements: [ValueView] = []
    let reader = catalog.makeReader()
    try builder.append(count: rows.count, keyAt: keyAt) { property, range, column in
      let place = ValuePlace(
        number: made.number, property: made.properties[property], schema: builder.schema.properties[property],
        element: batch.table.columns[made.properties[property]].element,
        isPrimaryKey: builder.schema.primaryKeyIndex == property)
      let views = isDeleted || catalog.hasDoubts ? nil : batch.undoubtedViews(ofProperty: place.property)
      var tally = ValueTally()
      for position in range {
        let row = rows[position]
        if let views, try copy(views[row], batch.keys[row], place, reader, into: column, &elements, &tally) { continue }
        if cells[property].isEmpty { cells[property] = batch.cells(ofProperty: place.property) }
        try copy(cells[property][row], batch.keys[row], place, into: column, isDeleted, &tally)
      }
      tell(tally, builder.schema.properties[property].name, &counts)
      return true
    }
    counts.savedObjects += rows.count
    written += rows.count
  }

  // MARK: Values

  /// Where values belong.
  struct ValuePlace {
    let number: Int
    /// Of the rescued table.
    let property: Int
    let schema: Property
    let element: ElementType
    /// Which names the object: it is kept even if it is doubtful.
    var isPrimaryKey = false
  }

  /// What was saved of one property's values, for some objects.
  private struct ValueTally {
    var saved = 0
    var lost: [ObjectKey] = []
    var earlier: [ObjectKey] = []
    var doubtful: [ObjectKey] = []
    var unlinked: [ObjectKey] = []
    var lostLinks = 0
  }

  private func copy(
    _ cell: RescuedCell, _ key: ObjectKey, _ place: ValuePlace, into column: ColumnBuilder, _ isDeleted: Bool,
    _ tally: inout ValueTally
  ) throws {
    let table = survey.targets[place.number].table
    guard case .value(let value, var confidence) = cell, value.nesting <= Self.mostNesting else {
      tally.lost.append(key)
      return try RescueCopy.copyDefault(of: place.schema, into: column)
    }
    if catalog.isDoubted(value, table, place.property, key, losesLinks: losesLinks(value)) { confidence = .doubtful }
    if isDeleted { confidence = .current }
    guard options.accepts(confidence) || place.isPrimaryKey else {
      tally.doubtful.append(key)
      return try RescueCopy.copyDefault(of: place.schema, into: column)
    }
    switch confidence {
    case .current, .found: tally.saved += 1
    case .earlier: tally.earlier.append(key)
    case .doubtful: tally.doubtful.append(key)
    }
    var lostLinks = 0
    let kept = value.hasLinksInside ? withoutLostLinks(value, key, place, &lostLinks) : value
    if lostLinks > 0 {
      tally.lostLinks += lostLinks
      tally.unlinked.append(key)
    }
    try RescueCopy.copy(kept, place.schema, into: column)
  }

  /// Copies a value that nothing contradicts from where it is.
  ///
  /// - Parameter elements: memory for those of a list or set.
  /// - Returns: whether it was copied. Nested collections, dictionaries, and what no app writes need a closer look.
  private func copy(
    _ view: ValueView, _ key: ObjectKey, _ place: ValuePlace, _ reader: RescueReader, into column: ColumnBuilder,
    _ elements: inout [ValueView], _ tally: inout ValueTally
  ) throws -> Bool {
    func isPlain(_ view: ValueView) -> Bool { reader.isPossible(view, place.element) && view.isSimple }
    var lostLinks = 0
    let mayLink = place.element.code == .link || place.element.code == .mixed
    switch (view, place.schema.collection) {
    case (.list(let list), let kind?), (.set(let list), let kind?):
      elements.removeAll(keepingCapacity: true)
      guard reader.addElements(of: list, to: &elements), elements.allSatisfy(isPlain) else { return false }
      if mayLink {
        elements = elements.compactMap { element in
          if keeps(element, key, place, &lostLinks) { return element }
          if case .typedLink = element, kind == .list { return .null }
          return nil
        }
      }
      if kind == .set { elements = ValueOrder.sortedSet(elements, of: place.schema.type) }
      try column.begin(kind)
      for element in elements { try column.append(element) }
      try column.end()
    case (_, nil):
      guard isPlain(view) else { return false }
      try column.append(!mayLink || keeps(view, key, place, &lostLinks) ? view : .null)
    default: return false
    }
    tally.saved += 1
    if lostLinks > 0 {
      tally.lostLinks += lostLinks
      tally.unlinked.append(key)
    }
    return true
  }

  /// Levels of collections inside each other that engines read.
  private static let mostNesting = 99

  private func tell(_ tally: ValueTally, _ property: RealmString, _ counts: inout RescueAccount.ClassAccount) {
    counts.savedValues += tally.saved
    counts.olderValues += tally.earlier.count
    counts.doubtfulValues += tally.doubtful.count
    counts.lostValues += tally.lost.count
    counts.lostLinks += tally.lostLinks
    let lists: [(RescueDetail.Kind, [ObjectKey])] = [
      (.lostValue, tally.lost), (.earlierValue, tally.earlier), (.doubtfulValue, tally.doubtful),
      (.lostLink, tally.unlinked),
    ]
    for (kind, keys) in lists where !keys.isEmpty {
      report(RescueDetail(kind: kind, className: counts.name, property: property, keys: keys))
    }
  }

  // MARK: Links

  /// A value without its links to what is not in the new realm: null, or left out of a list or set.
  private func withoutLostLinks(_ value: Value, _ key: ObjectKey, _ place: ValuePlace, _ lost: inout Int) -> Value {
    switch value {
    case .link, .typedLink: return value.withView { keeps($0, key, place, &lost) } ? value : .null
    case .list(let elements):
      return .list(
        elements.compactMap { element in
          let kept = withoutLostLinks(element, key, place, &lost)
          if case .link = element, case .null = kept { return nil }
          return kept
        })
    case .set(let elements):
      return .set(
        elements.compactMap { element in
          let kept = withoutLostLinks(element, key, place, &lost)
          if case .null = kept, element != .null { return nil }
          return kept
        })
    case .dictionary(var entries):
      for (name, entry) in entries.sorted(by: { $0.key < $1.key }) where entry.hasLinksInside {
        entries[name] = withoutLostLinks(entry, key, place, &lost)
      }
      return .dictionary(entries)
    default: return value
    }
  }

  /// Whether a value stays, as each does that is no link to what is not in the new realm.
  private func keeps(_ view: ValueView, _ key: ObjectKey, _ place: ValuePlace, _ lost: inout Int) -> Bool {
    switch view {
    case .link(let table, let target):
      if mayLink(to: table, target, from: key, place) { return true }
      lost += 1
      return false
    case .typedLink(let table, let target):
      if let number = survey.numbers[table], survey.targets[number].table.schema.kind == .topLevel,
        survey.targets[number].row(of: target.rawValue)
      {
        return true
      }
      if target.rawValue >= 0 { lost += 1 }
      return false
    default: return true
    }
  }

  /// Whether a value has links to objects that were not found, at any depth.
  private func losesLinks(_ value: Value) -> Bool {
    switch value {
    case .link(let table, let target), .typedLink(let table, let target):
      !(survey.numbers[table].map { survey.targets[$0].row(of: target.rawValue) } ?? false)
    case .list(let elements), .set(let elements): elements.contains(where: losesLinks)
    case .dictionary(let entries): entries.values.contains(where: losesLinks)
    default: false
    }
  }

  private func mayLink(to table: TableKey, _ target: ObjectKey, from key: ObjectKey, _ place: ValuePlace) -> Bool {
    guard let number = survey.numbers[table], survey.targets[number].row(of: target.rawValue) else { return false }
    guard survey.targets[number].table.schema.kind == .embedded else { return true }
    // In an undamaged file each has one parent.
    if catalog.isSound { return held[number].insert(target.rawValue).inserted }
    let parent = RescueSurvey.Parent(table: place.number, key: key.rawValue, property: place.property)
    return survey.targets[number].parents[target.rawValue] == parent && held[number].insert(target.rawValue).inserted
  }
}

extension Value {
  /// Whether there are links in a value, at any depth.
  fileprivate var hasLinksInside: Bool {
    switch self {
    case .link, .typedLink: true
    case .list(let elements), .set(let elements): elements.contains(where: \.hasLinksInside)
    case .dictionary(let entries): entries.values.contains(where: \.hasLinksInside)
    default: false
    }
  }

  /// Levels of collections.
  fileprivate var nesting: Int {
    switch self {
    case .list(let elements), .set(let elements): 1 + (elements.lazy.map(\.nesting).max() ?? 0)
    case .dictionary(let entries): 1 + (entries.values.lazy.map(\.nesting).max() ?? 0)
    default: 0
    }
  }
}

extension TableSchema {
  /// An index on a list of strings cannot contain all strings (Docs/Format/3-tables-and-objects.md §6.7); damaged ones
  /// may be such. A damaged description of rows may state an index where there can be none.
  fileprivate mutating func leaveOutRiskyIndexes() {
    for index in properties.indices
    where properties[index].collection != nil || !properties[index].allows(properties[index].index) {
      properties[index].index = .none
    }
  }
}

/// Hands owned values to a column.
enum RescueCopy {
  static func copy(_ value: Value, _ property: Property, into column: ColumnBuilder) throws {
    switch value {
    case .list(let elements):
      try column.begin(.list)
      for element in elements { try copy(element, property, into: column) }
      try column.end()
    case .set(let elements):
      let arena = ByteArena()
      try withExtendedLifetime(arena) {
        try column.begin(.set)
        for element in ValueOrder.sortedSet(elements.map { $0.view(in: arena) }, of: property.type) {
          try column.append(element)
        }
        try column.end()
      }
    case .dictionary(let entries):
      try column.begin(.dictionary)
      for key in entries.keys.sorted() {
        try key.utf8.withUnsafeBytes { try column.append(key: BlobView($0)) }
        try copy(entries[key] ?? .null, property, into: column)
      }
      try column.end()
    default: try value.withView { try column.append($0) }
    }
  }

  /// What replaces a lost value: null, or the default of the type.
  static func copyDefault(of property: Property, into column: ColumnBuilder) throws {
    if let collection = property.collection {
      try column.begin(collection)
      try column.end()
      return
    }
    try column.appendDefault()
  }
}
