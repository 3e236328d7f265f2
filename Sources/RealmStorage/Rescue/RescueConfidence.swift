/// How far something that was saved can be trusted.
package enum RescueConfidence: UInt8, Comparable, Sendable, CaseIterable {
  /// It is in the live snapshot, and everything about it is sound.
  case current
  /// It was found without anything leading to it, and what else is known agrees with it.
  case found
  /// It is what an earlier snapshot says; it may have changed since.
  case earlier
  /// It could be read, and something speaks against it, or nothing for it.
  case doubtful

  /// The more trustworthy one is smaller.
  package static func < (left: RescueConfidence, right: RescueConfidence) -> Bool { left.rawValue < right.rawValue }
}
