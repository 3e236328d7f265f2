import RealmBrowser
import RealmExchange
import RealmStorage

extension RealmChanges {
  /// Compares two realms as `diff` does.
  ///
  /// - Throws: `BrowserProblem`, `TaskProgress.Stopped`.
  init(from old: BrowsedRealm, to new: BrowsedRealm, _ progress: TaskProgress) throws {
    do {
      let difference = try RealmDifference(from: old.snapshot, to: new.snapshot) { try progress.advance(by: $0) }
      let lender = ComparisonLender(difference, old, new)
      let classes = try difference.pairs().map { pair in
        let found = try difference.compare(pair)
        return RealmChanges.ClassChanges(
          name: pair.name, changes: found.changes.map { RealmChanges.Change($0) }, equalCount: found.equalCount,
          isInOld: pair.oldSchema != nil, isInNew: pair.newSchema != nil,
          differingProperties: { try lender.differingProperties(of: $0, in: pair) })
      }
      self.init(classes: classes, schema: difference.schema.changes.compactMap(\.text))
    } catch InputError.input(let side, let error) {
      if error is TaskProgress.Stopped { throw error }
      throw BrowserProblem(error, in: side == 0 ? old : new)
    }
  }
}

/// Keeps the files of a comparison open as long as more of it may be requested.
private struct ComparisonLender: Sendable {
  private let difference: RealmDifference
  private let old: BrowsedRealm
  private let new: BrowsedRealm

  init(_ difference: RealmDifference, _ old: BrowsedRealm, _ new: BrowsedRealm) {
    (self.difference, self.old, self.new) = (difference, old, new)
  }

  func differingProperties(of change: RealmChanges.Change, in pair: RealmDifference.Pair) throws -> Set<RealmString> {
    do {
      return Set(try difference.values(of: ObjectChange(change), in: pair).map(\.property))
    } catch InputError.input(let side, let error) {
      throw BrowserProblem(error, in: side == 0 ? old : new)
    }
  }
}

extension BrowserProblem {
  fileprivate init(_ error: any Error, in realm: BrowsedRealm) {
    let problem = (error as? StorageError).map { Diagnostic($0, path: realm.name).problem }
    self.init("\(realm.name): " + (problem ?? "\(error)"))
  }
}

extension RealmChanges.Change {
  fileprivate init(_ change: ObjectChange) {
    switch change {
    case .removed(let key): self = .removed(key)
    case .added(let key): self = .added(key)
    case .changed(let old, let new): self = .changed(old: old, new: new)
    }
  }
}

extension ObjectChange {
  fileprivate init(_ change: RealmChanges.Change) {
    switch change {
    case .removed(let key): self = .removed(key)
    case .added(let key): self = .added(key)
    case .changed(let old, let new): self = .changed(old, new)
    }
  }
}
