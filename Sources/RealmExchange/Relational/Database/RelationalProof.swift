import RealmStorage
import RealmSystem

/// Reads a SQLite file that was just written, and compares it with the realm: by SQLite's own checks, and by content hash.
package struct RelationalProof {
  private let snapshot: Snapshot
  private let plan: RelationalPlan
  private let threadCount: Int
  /// Called from time to time with the share that is done.
  package var onProgress: @Sendable (Double) throws -> Void = { _ in }

  package init(_ snapshot: Snapshot, plan: RelationalPlan, threadCount: Int) {
    (self.snapshot, self.plan, self.threadCount) = (snapshot, plan, threadCount)
  }

  /// - Parameter isComplete: whether all of the realm could be read. A realm with damaged parts has no content hash; SQLite's
  ///   own checks are made all the same.
  /// - Throws: `WrittenFault.contentHash`; `DatabaseError`; `StorageError`; what `onProgress` throws.
  package func check(_ path: String, isComplete: Bool) throws {
    // SQLite's own checks take as long as the comparison; they have a connection of their own.
    let checks = ThreadResult(onThread: threadCount > 1) { () throws(DatabaseError) in
      try RelationalFile.check(path)
    }
    do {
      if isComplete { try compare(RelationalFile(path)) }
    } catch let error where error is DatabaseError || error is WrittenFault {
      // A difference is not reported if the cause is damage.
      try checks.get()
      throw error
    }
    try checks.get()
  }

  private func compare(_ file: RelationalFile) throws {
    let onProgress = onProgress
    let leading = plan.isPart ? plan.leadingTables : plan.tables
    var hasher = ContentHasher(snapshot)
    hasher.threadCount = threadCount
    if plan.isPart { hasher.part = (leading, plan.keys) }
    var reader = RelationalHasher(file)
    if plan.isPart {
      reader.standalone = Set(leading.filter { $0.schema.kind == .embedded }.map(\.schema.name))
    }
    let total = Double(max(try reader.objectCount(), 1)) * 2
    hasher.onProgress = { try onProgress(Double($0) / total) }
    reader.onProgress = { try onProgress(0.5 + Double($0) / total) }
    let wanted = try hasher.run()
    let found = try reader.run()
    let own = Dictionary(found.classes.map { ($0.name, $0) }) { first, _ in first }
    for digest in wanted.classes where own[digest.name] != digest {
      throw WrittenFault.contentHash(className: digest.name)
    }
    let names = Set(wanted.classes.map(\.name))
    // Objects that are exported along with a part are compared inside their parents.
    guard let other = found.classes.first(where: { !names.contains($0.name) }) else { return }
    guard plan.isPart, file.schema.classNamed(other.name)?.kind == .embedded else {
      throw WrittenFault.contentHash(className: other.name)
    }
  }
}
