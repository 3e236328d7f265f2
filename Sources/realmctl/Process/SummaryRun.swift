import RealmExchange
import RealmPresentation
import RealmQuery
import RealmStorage
import RealmSystem
import RealmText

/// Summarizes classes for a command.
struct SummaryRun {
  private let request: SummarizeCommand.Request
  private let realm: OpenedRealm
  private let console: Console

  /// The result, as text: some values are read from the realm as they are written.
  struct Outcome {
    var output: String
    var missing: MissingParts
  }

  init(_ request: SummarizeCommand.Request, _ realm: OpenedRealm, _ console: Console) {
    (self.request, self.realm, self.console) = (request, realm, console)
  }

  /// Number of bins by default.
  private static let usualBins = 20

  /// - Throws: `Diagnostic`.
  func run() throws -> Outcome {
    var missing = MissingParts()
    let tables: [Table]
    if let name = request.className {
      tables = [try realm.table(ofClass: RealmString(name))]
    } else {
      tables = realm.snapshot.tables.filter(\.schema.isClass)
      missing.tables = realm.damagedTables(in: .all, includesInternal: false)
    }
    let progress = console.makeProgress()
    defer { console.endProgress() }
    let total = tables.reduce(0) { $0 + ((try? $1.objectCount()) ?? 0) * max($1.schema.properties.count, 1) }
    let done = AtomicInt(0)
    var summaries: [SummarizedClass] = []
    for table in tables {
      let summary = try summarize(table, &missing) { count in
        let sum = done.add(count)
        progress?.show(share: Double(sum) / Double(max(total, 1)))
      }
      summaries.append(summary)
    }
    let style = console.style
    guard !style.isJSON else {
      let report = SummaryReport(input: request.input.path, snapshot: realm.snapshot, summaries: summaries)
      return Outcome(output: report.json(missingParts: missing.count), missing: missing)
    }
    let text = SummaryReportText(
      snapshot: realm.snapshot, summaries: summaries, lacksClasses: !missing.tables.isEmpty,
      showsBins: request.bins ?? 0 > 0,
      width: style.volume == .verbose || !StandardOutput.isTerminal ? nil : StandardOutput.width ?? 80,
      pen: ANSIStyle(isColored: StandardOutput.isColored(style.color)), isQuiet: style.volume == .quiet)
    return Outcome(output: text.text(), missing: missing)
  }

  private func summarize(
    _ table: Table, _ missing: inout MissingParts, _ visited: @escaping @Sendable (Int) -> Void
  ) throws -> SummarizedClass {
    let inverses = try request.inverses.names(in: realm.snapshot.schema)
    let columns = try columns(of: table, inverses)
    let threadCount = Processors.threadCount(forBytes: realm.bytes.physicalSize)
    var keys: ObjectKeySet?
    if let input = request.query {
      try input.requireNoProperty(of: table, path: request.input.name)
      let query = try input.bind(to: table, in: realm.snapshot, of: request.input, inverses: inverses)
      try Diagnostic.ofQuery(input.text, path: request.input.name) {
        var found = ObjectKeySet()
        missing.reports.append(
          try query.forEachKey(QueryOptions(threadCount: threadCount)) { batch in
            for key in batch { found.insert(key) }
            return true
          })
        keys = found
      }
      console.warn(ofUnusedValues: input, path: request.input.name)
      console.warn(of: query, foundNothing: keys?.isEmpty ?? true, path: request.input.name)
    }
    let options = SummaryOptions(
      threadCount: threadCount, top: request.top,
      bins: request.bins ?? (console.style.isJSON ? Self.usualBins : 0), visited: visited)
    let summary = try Diagnostic.ofQuery(request.columns?.joined(separator: ",") ?? "", path: request.input.name) {
      try ClassSummary(of: table, in: realm.snapshot, columns.map(\.column), among: keys, options)
    }
    missing.reports.append(summary.damage)
    return SummarizedClass(
      name: table.schema.displayName.description, summary: summary,
      columns: columns.map { SummarizedClass.Column(name: $0.name, type: $0.type, isMixed: $0.isMixed) })
  }

  private typealias Column = (column: SummaryColumn, name: String, type: String?, isMixed: Bool)

  private func columns(of table: Table, _ inverses: InverseNames) throws -> [Column] {
    let properties = table.schema.properties
    guard let paths = request.columns else {
      return properties.indices.map { Self.column($0, properties[$0]) }
    }
    return try Diagnostic.collectingMistakes(paths) { path in
      if let index = properties.firstIndex(where: { $0.name == RealmString(path) }) {
        return Self.column(index, properties[index])
      }
      let columns = try Diagnostic.ofKeyPath(path, path: request.input.name) {
        try QueryColumns([path], of: table, in: realm.snapshot, dialect: request.dialect, inverses: inverses)
      }
      return (.path(columns), path, nil, true)
    }
  }

  private static func column(_ index: Int, _ property: Property) -> Column {
    (.property(index), property.name.description, property.shorthand, property.type == .mixed)
  }
}
