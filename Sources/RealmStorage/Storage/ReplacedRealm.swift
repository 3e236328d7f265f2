extension ExclusiveAccess {
  /// Exclusive use of a realm that is about to be replaced by another file. Nil where it has no lock file: nobody has it
  /// open then, and none is made for a file that may be no realm at all.
  ///
  /// - Throws: `AccessError`; `OutputError` where the path cannot be followed.
  public static func toReplace(_ path: String) throws -> ExclusiveAccess? {
    let calls = FileBackend.calls
    let names = try OutputPath(path, calls: calls).links
    // A link that leads nowhere counts as well.
    guard names.contains(where: { (try? calls.kind(ofName: SideFileName.lockFile(of: $0))) != nil }) else { return nil }
    return try ExclusiveAccess(toRealm: path)
  }
}
