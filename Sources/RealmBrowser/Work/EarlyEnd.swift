/// Thrown out of the body of a walk that need not go on.
struct EarlyEnd: Error {
  /// Runs a walk whose body may throw an `EarlyEnd`.
  ///
  /// - Returns: whether it did.
  @discardableResult
  static func ends(_ walk: () throws -> Void) throws -> Bool {
    do { try walk() } catch is EarlyEnd { return true }
    return false
  }
}
