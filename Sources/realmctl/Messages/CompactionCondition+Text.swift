import RealmTools

extension CompactionCondition {
  /// Whether the condition is met; a warning, and false, where that depends on a division by zero.
  ///
  /// - Parameter option: that gave the condition.
  func holds(for space: SpaceUse, of option: String, path: String, on console: Console) -> Bool {
    do throws(CompactionDivisionByZero) { return try holds(for: space) } catch {
      console.warn(
        Diagnostic(
          .done, .invalidInput, path: path, "\(option) divides by zero for this file, so it counts as not met",
          detail: "total \(space.total), used \(space.used), free \(space.free)",
          advice: "guard against it, as in 'free > 0 && total / free < 4'"))
      return false
    }
  }
}
