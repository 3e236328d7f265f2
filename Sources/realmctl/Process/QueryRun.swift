import RealmExchange
import RealmPresentation
import RealmQuery
import RealmStorage
import RealmSystem
import RealmText

/// Answers a query for a command.
struct QueryRun {
  private let request: QueryCommand.Request
  private let realm: OpenedRealm
  private let sink: OutputSink
  private let console: Console

  /// The result.
  struct Outcome {
    /// Objects that match, or are shown.
    var count = 0
    var missing = MissingParts()
  }

  init(_ request: QueryCommand.Request, _ realm: OpenedRealm, _ sink: OutputSink, _ console: Console) {
    (self.request, self.realm, self.sink, self.console) = (request, realm, sink, console)
  }

  private var snapshot: Snapshot { realm.snapshot }

  private var options: QueryOptions {
    QueryOptions(threadCount: Processors.threadCount(forBytes: realm.bytes.physicalSize), limit: request.limit)
  }

  /// What the output is written as.
  private var format: QueryFormat {
    request.format ?? .usual(for: request.destination, on: console)
  }

  /// - Throws: `Diagnostic`.
  func run() throws -> Outcome {
    let name = RealmString(request.className)
    let table = try request.isInternalTable ? realm.internalTable(name) : realm.table(ofClass: name)
    guard request.isInternalTable || table.schema.isClass else {
      throw Diagnostic(
        .notFound, .noSuchTable, path: request.input.name, "'\(name)' is an internal table", advice: "use --internal")
    }
    let inverses = try request.inverses.names(in: snapshot.schema)
    try request.query.requireNoProperty(of: table, path: request.input.name)
    let query = try request.query.bind(to: table, in: snapshot, of: request.input, inverses: inverses)
    console.warn(ofUnusedValues: request.query, path: request.input.name)
    // Some mistakes show only while objects are read, such as a path with too many ways to other objects.
    let outcome = try Diagnostic.ofQuery(request.query.text, path: request.input.name) { try answer(query) }
    console.warn(of: query, foundNothing: outcome.count == 0, path: request.input.name)
    return outcome
  }

  private func answer(_ query: Query) throws -> Outcome {
    switch request.answer {
    case .objects: return try writeObjects(of: query)
    case .count:
      let (count, damage) = try query.count(options)
      try write("\(count)\n") { $0.member("count", count) }
      return Outcome(count: count, missing: MissingParts(reports: [damage]))
    case .exists:
      let (exists, damage) = try query.exists(options)
      if console.style.isJSON { try write("") { $0.member("exists", exists) } }
      return Outcome(count: exists ? 1 : 0, missing: MissingParts(reports: [damage]))
    case .keys: return try writeKeys(of: query)
    case .explanation:
      let explanation = query.explanation
      try write(explanation.lines.map { $0 + "\n" }.joined()) { json in
        if let index = explanation.index { json.member("index", index) } else { json.null("index") }
        json.texts("explanation", explanation.lines)
      }
      return Outcome(count: 1)
    case .columns(let paths): return try writeColumns(paths, of: query)
    case .groups(let paths, let aggregates): return try writeGroups(paths, aggregates, of: query)
    case .backlinks: return try writeBacklinks(of: query)
    }
  }

  /// - Parameter json: the content of the object except for realm and class.
  private func write(_ text: String, json members: (JSONText) -> Void) throws {
    guard console.style.isJSON else { return try sink.write(text) }
    try sink.write(
      JSONText.document { json in
        json.path("input", request.input.path)
        json.member("class", PrintableText.showingBytes(request.className))
        members(json)
      })
  }

  // MARK: Objects

  private func writeObjects(of query: Query) throws -> Outcome {
    guard case .text(let format) = format else { return try printObjects(of: query) }
    var outcome = Outcome()
    var options = ExportOptions(format: format, tables: [query.table])
    options.isSingleClass = true
    request.form?.apply(to: &options)
    options.threadCount = self.options.threadCount
    if request.matchesEverything, request.limit == nil {
      outcome.count = (try? query.table.objectCount()) ?? 0
    } else {
      let result = try query.keys(self.options)
      outcome.missing.reports.append(result.damage)
      outcome.count = result.keys.count
      options.keys = result.keys
    }
    outcome.missing.reports.append(try Exporter(snapshot, options: options, sink: sink).run())
    return outcome
  }

  private func printObjects(of query: Query) throws -> Outcome {
    let schema = query.table.schema
    let showsKey = schema.primaryKeyIndex == nil
    let primaryKey = schema.primaryKeyIndex.map { [$0] } ?? []
    // The name of an object comes first.
    let properties = primaryKey + schema.properties.indices.filter { !primaryKey.contains($0) }
    let printed = PrintedTable(
      (showsKey ? [.values("#", isRightAligned: true)] : []) + properties.map { .init(schema.properties[$0]) }, target)
    return try forEachObject(of: query) { batch, row in
      let values = properties.map { property -> Result<ValueView, StorageError> in
        do { return .success(try batch.values(ofProperty: property).value(at: row)) } catch {
          return .failure(error as? StorageError ?? .corrupted(.null, .missingNode))
        }
      }
      try printed.append((showsKey ? [.success(.int(batch.key(at: row).rawValue))] : []) + values)
    } end: {
      try printed.finish("object")
    }
  }

  /// Finds the objects and calls `body` with each.
  ///
  /// - Parameter end: called after the last one.
  private func forEachObject(
    of query: Query, _ body: (ObjectBatch, Int) throws -> Void, end: () throws -> Void
  ) throws -> Outcome {
    var outcome = Outcome()
    var unreadable = DamageReport()
    let damage = try query.forEachKey(options) { keys in
      try ExportedObjects.keys(keys[...], query.table).forEachBatch(damaged: { unreadable.add($0) }) { batch, rows in
        for row in rows ?? [] { try body(batch, row) }
        outcome.count += rows?.count ?? 0
      }
      return true
    }
    try end()
    outcome.missing.reports += [damage, unreadable]
    return outcome
  }

  private func writeKeys(of query: Query) throws -> Outcome {
    var count = 0
    let damage = try query.forEachKey(options) { keys in
      count += keys.count
      let isJSON = console.style.isJSON
      try sink.write(keys.map { isJSON ? "{\"objKey\":\($0.rawValue)}\n" : "\($0.rawValue)\n" }.joined())
      return true
    }
    return Outcome(count: count, missing: MissingParts(reports: [damage]))
  }

  // MARK: Rows

  private func writeColumns(_ paths: [String], of query: Query) throws -> Outcome {
    let columns = try Self.columns(paths, of: query, request)
    let reader = columns.reader()
    let rows = makeRows(paths, numeric: [], of: query)
    var outcome = try forEachObject(of: query) { batch, row in
      try rows.append(try reader.values(of: batch, row: row))
    } end: {
    }
    outcome.missing.reports += [reader.takeDamage(), try rows.finish("object")]
    return outcome
  }

  private static func columns(
    _ paths: [String], of query: Query, _ request: QueryCommand.Request
  ) throws -> QueryColumns {
    // One by one, so that a mistake is shown in the path that has it.
    _ = try Diagnostic.collectingMistakes(paths) { path in
      try Diagnostic.ofKeyPath(path, path: request.input.name) {
        try QueryColumns(
          [path], of: query.table, in: query.snapshot, dialect: request.query.dialect, inverses: query.inverses)
      }
    }
    return try QueryColumns(
      paths, of: query.table, in: query.snapshot, dialect: request.query.dialect, inverses: query.inverses)
  }

  private func writeGroups(
    _ paths: [String], _ aggregates: [QueryCommand.Aggregate], of query: Query
  ) throws -> Outcome {
    _ = try Self.columns(paths + aggregates.map(\.path), of: query, request)
    for aggregate in aggregates {
      try Diagnostic.ofKeyPath(aggregate.path, path: request.input.name) {
        try QueryGroups.check(
          aggregate.function, of: aggregate.path, of: query, dialect: request.query.dialect)
      }
    }
    // The limit is one of groups, which are known when all objects are read.
    var everything = options
    everything.limit = nil
    let groups = try QueryGroups(
      of: query, by: paths, aggregates.map { ($0.function, $0.path) }, everything, dialect: request.query.dialect)
    let names = paths + ["count"] + aggregates.map(\.name)
    let rows = makeRows(names, numeric: Set(paths.count..<names.count), of: query)
    for group in groups.groups.prefix(request.limit ?? .max) {
      try rows.append(group.values + [.int(Int64(group.count))] + group.results)
    }
    let damage = try rows.finish("group")
    return Outcome(count: groups.groups.count, missing: MissingParts(reports: [groups.damage, damage]))
  }

  /// A row for each object and property that links to it; one with no class for an object that nothing links to.
  private func writeBacklinks(of query: Query) throws -> Outcome {
    let schema = query.table.schema
    let names = [schema.primaryKey.map { $0.name.description } ?? "_key", "class", "property", "count"]
    let rows = makeRows(names, numeric: [3], of: query)
    var damaged = DamageReport()
    var outcome = try forEachObject(of: query) { batch, row in
      let key = batch.key(at: row)
      var name = Value.int(key.rawValue)
      if let primaryKey = schema.primaryKeyIndex {
        name = try Value(batch.values(ofProperty: primaryKey).value(at: row), snapshot.collectionWalk())
      }
      var isLinked = false
      for group in snapshot.backlinks(to: batch, row: row) {
        switch group {
        case .failure(let error):
          damaged.add(Damage(table: schema.displayName, part: .value(property: "backlinks", object: key), error: error))
        case .success(let group):
          guard group.count > 0, let origin = snapshot.table(group.origin) else { continue }
          isLinked = true
          let property = group.propertyIndex.map { Value.string(origin.schema.properties[$0].name) } ?? .null
          try rows.append([name, .string(origin.schema.displayName), property, .int(Int64(group.count))])
        }
      }
      if !isLinked { try rows.append([name, .null, .null, 0]) }
    } end: {
    }
    outcome.missing.reports += [damaged, try rows.finish("row")]
    return outcome
  }

  private func makeRows(_ names: [String], numeric: Set<Int>, of query: Query) -> ResultRows {
    ResultRows(
      names, numeric: numeric, of: query.table.schema.displayName, format: format,
      isSafeForSpreadsheets: request.form?.isSafeForSpreadsheets ?? false, target)
  }

  /// Where rows go.
  private var target: ResultTarget {
    ResultTarget(
      snapshot: snapshot, sink: sink, console: console, path: request.input.name,
      isStandardOutput: request.destination == .standardOutput, moreColumns: "--verbose or --columns")
  }
}

extension OpenedRealm {
  /// The internal table with this name.
  ///
  /// - Throws: `Diagnostic`, exit 3 if there is none, 2 if its description is damaged.
  fileprivate func internalTable(_ name: RealmString) throws -> Table {
    let tables = snapshot.tables.filter { !$0.schema.isClass }
    if let table = tables.first(where: { $0.schema.name == name }) { return table }
    if let damaged = snapshot.damagedTables.first(where: { $0.name == name }) {
      throw Diagnostic("internal table '\(name)'", because: damaged.error, path: fileName)
    }
    let names = tables.map(\.schema.name.description).sorted()
    let near = Similarity.question(about: name.description, among: names)
    let list =
      switch names.count {
      case 0: "this realm has none"
      case 1: "the only internal table is '\(names[0])'"
      default: "the internal tables are: \(names.joined(separator: ", "))"
      }
    throw Diagnostic(.notFound, .noSuchTable, path: fileName, "no internal table '\(name)'", advice: near ?? list)
  }

  /// The class of a name, or the internal table.
  ///
  /// - Throws: `Diagnostic`, exit 3 if there is none, 2 if its description is damaged.
  func table(ofClass name: RealmString) throws -> Table {
    if let table = snapshot.table(displayName: name) { return table }
    let parts = name.description.split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count == 2, snapshot.schema.classNamed(RealmString(parts[0])) != nil {
      throw Diagnostic(
        .notFound, .noSuchTable, path: fileName, "no class '\(name)'",
        advice: "write \(parts[0]) --columns \(parts[1])")
    }
    try ClassSelection.only([name]).requireKnownNames(in: self)
    guard let damaged = snapshot.damagedTables.first(where: { TableSchema.displayName(ofTable: $0.name) == name })
    else {
      throw Diagnostic(.notFound, .noSuchTable, path: fileName, "no class '\(name)'")
    }
    throw Diagnostic("class '\(name)'", because: damaged.error, path: fileName)
  }
}
