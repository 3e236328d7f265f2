import RealmStorage

/// The text of a report about values that a change in place left in the file.
enum RemovedValuesText {
  /// The subject of the sentence: what happened to the values.
  static func subject(_ outcome: MigrationOutcome?) -> String {
    guard let outcome else { return "removed values" }
    return subject(
      overwrites: !outcome.overwritten.isEmpty, deletes: !outcome.lost.isEmpty || !outcome.deleted.isEmpty)
  }

  static func subject(overwrites: Bool, deletes: Bool) -> String {
    overwrites ? deletes ? "removed and overwritten values" : "overwritten values" : "removed values"
  }

  /// The sentence without an indent.
  ///
  /// - Parameters:
  ///   - subject: such as "removed values".
  ///   - path: of the realm, as typed.
  static func sentence(_ subject: String, in path: String, dryRun: Bool) -> String {
    guard !dryRun else { return "\(subject) would stay in the file's free space; --compact removes them" }
    // The change is made, so an option of the same command would come too late.
    let command = ShellText.command(["realmctl", "compact", ShellText.path(path)])
    return "\(subject) stay in the file's free space until it is compacted: \(command)"
  }
}
