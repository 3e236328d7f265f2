import RealmSystem

/// The role of a file next to a realm, according to its name (Docs/Format/1-container.md §8).
package struct SideFileName: Hashable, Sendable {
  package let kind: SideFile
  /// The realm it belongs to: the path without the extension.
  package let realm: String

  /// Whether it is a realm to look into: a complete backup.
  package let isRealm: Bool

  /// A copy that a compaction left behind: a realm by its bytes, but never the one a user means.
  package var isNeverARealm: Bool { kind == .compactionLeftover }

  /// Nil if the name has none of the extensions.
  package init?(path: String) {
    let path = Self.withoutTrailingSlashes(path)
    if let realm = Self.realmOfBackup(path) {
      (kind, self.realm, isRealm) = (.backup, realm, true)
      return
    }
    isRealm = false
    if let realm = Self.realmOfUnfinishedBackup(path) {
      (kind, self.realm) = (.backup, realm)
      return
    }
    for (ending, kind) in Self.endings where path.hasPathSuffix(ending) {
      let realm = path.utf8.dropLast(ending.utf8.count)
      guard let last = realm.last, last != UInt8(ascii: "/") else { return nil }
      (self.kind, self.realm) = (kind, String(decoding: realm, as: UTF8.self))
      return
    }
    return nil
  }

  /// The lock file of a realm (Docs/Format/5-coordination.md §1).
  static func lockFile(of realm: String) -> String { realm + lockEnding }

  /// Whether a path names a lock file, of any realm. Only locks are written there.
  static func isLockFile(_ path: String) -> Bool { withoutTrailingSlashes(path).hasPathSuffix(lockEnding) }

  private static let lockEnding = ".lock"

  private static let endings: [(String, SideFile)] = [
    (lockEnding, .lock), (".note", .note), (".management", .management), (".log", .log), (".log_a", .log),
    (".log_b", .log), (".tmp_compaction_space", .compactionLeftover), (".backup-log", .backup),
  ]

  /// `app.v23.backup.realm.part` belongs to `app.realm`, `data.db.v23.backup.realm.part` to `data.db`; the name does
  /// not say which, and a realm without the extension `.realm` is rare.
  private static func realmOfUnfinishedBackup(_ path: String) -> String? {
    let ending = ".backup.realm.part"
    guard path.hasPathSuffix(ending) else { return nil }
    let stem = path.dropLast(ending.count)
    guard let dot = stem.lastIndex(of: "."), dot > stem.startIndex else { return nil }
    let version = stem[stem.index(after: dot)...]
    guard version.first == "v", version.count > 1, version.dropFirst().allSatisfy(\.isASCIIDigit) else { return nil }
    return String(stem[..<dot]) + ".realm"
  }

  /// `app.v23.backup.realm`, as engines name what they upgrade, and `app.pre-migrate-20240102T030405Z.realm`, as
  /// `RealmBackup` does, with `-2` and so on at the end if there are several, belong to `app.realm`.
  private static func realmOfBackup(_ path: String) -> String? {
    guard path.hasSuffix(".realm") else { return nil }
    let name = path.dropLast(".realm".count)
    if name.hasSuffix(".backup") { return realmOfUnfinishedBackup(path + ".part") }
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[name.index(before: dot)] != "/" else {
      return nil
    }
    var words = name[name.index(after: dot)...].split(separator: "-", omittingEmptySubsequences: false)
    if let last = words.last, words.count > 2, !last.isEmpty, last.allSatisfy(\.isASCIIDigit) { words.removeLast() }
    guard let time = words.popLast(), isTime(time) else { return nil }
    guard words == ["deleted"] || (words.count >= 2 && words.first == "pre" && !words.contains("")) else { return nil }
    return String(name[..<dot]) + ".realm"
  }

  /// `20240102T030405Z`
  private static func isTime(_ text: Substring) -> Bool {
    let characters = Array(text)
    return characters.count == 16 && characters[8] == "T" && characters[15] == "Z"
      && characters.indices.allSatisfy { $0 == 8 || $0 == 15 || characters[$0].isASCIIDigit }
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
