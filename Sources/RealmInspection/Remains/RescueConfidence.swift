import RealmStorage

/// How far something that was saved can be trusted.
package enum RescueConfidence: UInt8, Comparable, Sendable, CaseIterable {
  /// It is in the live snapshot, and everything about it is sound.
  case current
  /// It was found although nothing refers to it, and everything else that is known agrees with it.
  case found
  /// It comes from an older snapshot, so it may have changed since.
  case earlier
  /// It could be read, but something contradicts it, or nothing confirms it.
  case doubtful

  /// The more trustworthy value is smaller.
  package static func < (left: RescueConfidence, right: RescueConfidence) -> Bool { left.rawValue < right.rawValue }
}
