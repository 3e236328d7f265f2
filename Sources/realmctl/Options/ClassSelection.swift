import RealmStorage
import RealmTools

/// Which classes a command deals with; names as an SDK knows them.
enum ClassSelection: Equatable, Sendable {
  case all
  case only([String])
  case except([String])

  /// Whether exactly one class was asked for by its name.
  var isOneClass: Bool {
    if case .only(let names) = self { Set(names).count == 1 } else { false }
  }

  /// Whether a class or internal table with that name is meant.
  func contains(_ name: RealmString) -> Bool {
    switch self {
    case .all: true
    case .only(let names): names.contains { RealmString($0) == name }
    case .except(let names): !names.contains { RealmString($0) == name }
    }
  }

  /// Makes sure that every name belongs to something, so that a slip of the finger does not go unnoticed.
  ///
  /// - Parameter realm: whose classes and internal tables, damaged ones too, are known names.
  /// - Throws: `Diagnostic`, exit 3.
  func requireKnownNames(in realm: OpenedRealm) throws {
    let names: [String]
    switch self {
    case .all: return
    case .only(let list), .except(let list): names = list
    }
    let tables =
      realm.snapshot.tables.map(\.schema.name) + realm.snapshot.damagedTables.map(\.name)
    let known = Set(tables.map(TableSchema.displayName(ofTable:)))
    guard let unknown = names.first(where: { !known.contains(RealmString($0)) }) else { return }
    let classes = tables.filter { $0.hasPrefix(TableSchema.classPrefix) }
      .map { TableSchema.displayName(ofTable: $0).description }.sorted()
    throw Diagnostic(
      .notFound, .noSuchTable, path: realm.bytes.path, "no class '\(unknown)'",
      advice: Self.advice(for: unknown, classes))
  }

  private static func advice(for name: String, _ classes: [String]) -> String {
    if let near = Similarity.nearest(to: name, among: classes) { return "did you mean '\(near)'?" }
    if classes.isEmpty { return "the file has no classes" }
    let shown = classes.prefix(10).joined(separator: ", ")
    return classes.count > 10 ? "there are \(classes.count) classes: \(shown), ..." : "the classes are: \(shown)"
  }
}
