extension Realm {
  /// Checks every invariant of a realm, without the help of anything that it says of itself: a file that cannot be
  /// opened as a realm any more can be checked.
  ///
  /// ```swift
  /// let summary = try Realm.check("app.realm") { finding in print(finding.message) }
  /// print(summary.errors)
  /// ```
  ///
  /// - Parameters:
  ///   - path: of the realm; `-` for standard input.
  ///   - key: of an encrypted realm.
  ///   - report: called with each finding as it is made.
  /// - Throws: `RealmError` where the file cannot be read or is no realm at all. Damage is a finding, not an error.
  public static func check(
    _ path: String, key: EncryptionKey? = nil, options: Checker.Options = Checker.Options(),
    _ report: (Finding) -> Void = { _ in }
  ) throws(RealmError) -> CheckSummary {
    try RealmError.wrapping(path) {
      let bytes = try ByteStore.open(path == "-" ? .standardInput : .path(path), key: key)
      return try Checker(bytes.store, options: options).run(report)
    }
  }
}
