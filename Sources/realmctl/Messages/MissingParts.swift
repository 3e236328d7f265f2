import RealmStorage

/// What an output lacks because it is damaged.
struct MissingParts {
  var tables: [Diagnostic] = []
  var reports: [DamageReport] = []

  var count: Int { reports.reduce(tables.count) { $0 + $1.count } }
  var isEmpty: Bool { count == 0 }

  func report(on console: Console, path: String) {
    guard !isEmpty else { return }
    for table in tables { console.report(table) }
    for damage in reports.flatMap(\.described) { console.report(Diagnostic(damage, path: path)) }
    let described = reports.reduce(tables.count) { $0 + $1.described.count }
    let objects = reports.reduce(0) { $0 + $1.missingObjects }
    console.report(Diagnostic(missingParts: count, described: described, objects: objects, path: path))
  }
}
