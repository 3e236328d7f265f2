extension Snapshot {
  /// Runs the checker over this snapshot of its file.
  ///
  /// Where bytes are read in pages, everything borrowed from this snapshot is invalid afterwards, as after
  /// `releasePages`.
  ///
  /// - Throws: as `Checker.run`.
  package func check(
    _ options: Checker.Options = Checker.Options(), _ report: (Finding) -> Void
  ) throws -> CheckSummary {
    let summary = try Checker(store, choosing: choice, options: options).run(report)
    if isReadInPages { try releasePages() }
    return summary
  }

  /// Whether bytes are read in pages on demand, so that only one piece of work at a time can give pages back.
  package var isReadInPages: Bool { store.pages != nil }
}
