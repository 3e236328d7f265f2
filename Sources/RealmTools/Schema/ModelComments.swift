import RealmStorage

// What every generator of model code says in comments, in the same words.

extension ModelPlan {
  /// What no model can have from a realm alone.
  static let missingParts = [
    "Inverse relationships and default values are not stored in a realm: they are not part of these models.",
    "A line that begins with <- names a link that leads to the class below it.",
  ]

  /// `, schema version 3`, or nothing when the realm has no version.
  var versionPhrase: String { outline.version.map { ", schema version \($0)" } ?? "" }
}

extension ModelClass {
  /// What is to be said before the declaration.
  var comments: [String] {
    limits.map { "\(table.displayName.shown): \($0)" } + incoming.map { "<- \($0)" }
  }
}
