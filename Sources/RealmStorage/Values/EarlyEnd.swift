/// Thrown out of a walk, or of work in pieces, that need not go on. It is not an error, and nobody takes it for one.
package struct EarlyEnd: Error {
  package init() {}

  /// Runs a walk whose body may throw an `EarlyEnd`.
  ///
  /// - Returns: whether it did.
  @discardableResult
  package static func ends(_ walk: () throws -> Void) throws -> Bool {
    do { try walk() } catch is EarlyEnd { return true }
    return false
  }
}
