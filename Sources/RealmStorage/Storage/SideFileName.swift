/// What the name of a file says of its place beside a realm (Docs/Format/1-container.md §8).
struct SideFileName: Hashable, Sendable {
  let kind: SideFile
  /// The realm it belongs to: the path without the ending.
  let realm: String

  /// A copy that a compaction left behind: a realm by its bytes, but never the one a user means.
  var isNeverARealm: Bool { kind == .compactionLeftover }

  /// Nil where the name has none of the endings. `app.v23.backup.realm` has none: it is a realm.
  init?(path: String) {
    let path = Self.withoutTrailingSlashes(path)
    if let realm = Self.realmOfUnfinishedBackup(path) {
      (kind, self.realm) = (.backup, realm)
      return
    }
    for (ending, kind) in Self.endings where path.hasSuffix(ending) {
      let realm = path.dropLast(ending.count)
      guard !realm.isEmpty, !realm.hasSuffix("/") else { return nil }
      (self.kind, self.realm) = (kind, String(realm))
      return
    }
    return nil
  }

  /// The lock file of a realm (Docs/Format/5-coordination.md §1).
  static func lockFile(of realm: String) -> String { realm + lockEnding }

  /// Whether a path names a lock file, of whatever realm. Nothing is written there but locks.
  static func isLockFile(_ path: String) -> Bool { withoutTrailingSlashes(path).hasSuffix(lockEnding) }

  private static let lockEnding = ".lock"

  private static let endings: [(String, SideFile)] = [
    (lockEnding, .lock), (".note", .note), (".management", .management), (".log", .log), (".log_a", .log),
    (".log_b", .log), (".tmp_compaction_space", .compactionLeftover), (".backup-log", .backup),
  ]

  /// `app.v23.backup.realm.part` belongs to `app.realm`, `data.db.v23.backup.realm.part` to `data.db`; the name does
  /// not say which, and a realm without the ending `.realm` is rare.
  private static func realmOfUnfinishedBackup(_ path: String) -> String? {
    let ending = ".backup.realm.part"
    guard path.hasSuffix(ending) else { return nil }
    let stem = path.dropLast(ending.count)
    guard let dot = stem.lastIndex(of: "."), dot > stem.startIndex else { return nil }
    let version = stem[stem.index(after: dot)...]
    guard version.first == "v", version.count > 1, version.dropFirst().allSatisfy(\.isASCIIDigit) else { return nil }
    return String(stem[..<dot]) + ".realm"
  }

  private static func withoutTrailingSlashes(_ path: String) -> String {
    var path = Substring(path)
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
