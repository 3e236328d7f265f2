/// Thrown to end a walk, or work in pieces, that need not continue. It is never reported as an error.
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
