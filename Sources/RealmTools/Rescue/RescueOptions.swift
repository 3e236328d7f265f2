import RealmStorage

/// What is saved of a damaged realm, and how it is written.
package struct RescueOptions: Sendable {
  /// What goes into the new realm.
  package enum Policy: String, CaseIterable, Sendable {
    /// What is sound, and what an earlier snapshot has of what is not.
    case trusted
    /// Also what something speaks against, or nothing for.
    case all
  }

  package var policy = Policy.trusted
  /// The classes to save; internal tables come along unless classes are named.
  package var classes = ClassSelection.all
  /// Also objects that were deleted, as far as they are still in the file.
  package var includesDeleted = false
  /// Encrypts what is written; nil writes it plain.
  package var key: EncryptionKey?
  /// Threads in addition to the caller's.
  package var threadLimit = 0
  /// Whether what was written is checked before it gets its name.
  package var verifies = true
  package var progress: WorkProgress?

  package init() {}

  /// Whether something of a confidence is taken.
  func accepts(_ confidence: RescueConfidence) -> Bool { policy == .all || confidence < .doubtful }
}
