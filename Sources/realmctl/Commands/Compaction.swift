import RealmStorage
import RealmTools

/// The work of `compact`.
struct Compaction {
  let request: CompactCommand.Request
  let key: EncryptionKey?
  /// Of what is written.
  let outputKey: EncryptionKey?
  let console: Console
  private let copyRun: CopyRun

  init(request: CompactCommand.Request, key: EncryptionKey?, outputKey: EncryptionKey?, console: Console) {
    (self.request, self.key, self.outputKey, self.console) = (request, key, outputKey, console)
    copyRun = CopyRun(
      request.writing, of: request.input, isDecrypting: outputKey == nil, besides: [request.outputKey.path], on: console
    )
  }

  private var isInPlace: Bool { request.writing.isInPlace }

  /// - Throws: `Diagnostic`.
  func compact() throws -> CompactReport {
    if isInPlace { try request.input.requireChangeable() }
    // Nothing is made beside a file that is none of ours, or that needs no compaction.
    let before = try request.input.read(console, with: key) { try facts(of: $0) }
    guard before.isNeeded else { return try unchanged(before) }
    try copyRun.checkOutput(source: before.identity)
    guard isInPlace else { return try write(backup: nil) }
    if before.sourceFormat != Header.newestFormat, before.sourceFormat != 0 {
      guard request.access.allowsUpgrade else {
        throw Diagnostic(upgradeOf: request.input.path, from: before.sourceFormat)
      }
    }
    guard !request.writing.isDryRun else {
      try request.access.requireFree(request.input.path)
      return try write(backup: nil)
    }
    let access = try request.access.take(request.input.path)
    defer { access.release() }
    access.removeCompactionLeftovers()
    let report = try compactInPlace()
    if report.isNeeded { access.keepLockFiles() }
    return report
  }

  /// The file may have changed until the lock was had.
  private func compactInPlace() throws -> CompactReport {
    let now = try request.input.read(console, with: key) { try facts(of: $0) }
    let isUpgrade = now.sourceFormat != Header.newestFormat && now.sourceFormat != 0
    let hasBackup = request.access.backup.isNamed || now.isNeeded && isUpgrade
    let backup = hasBackup ? try request.access.backup.prepare(of: request.input.path, key: key, before: .compact) : nil
    guard now.isNeeded else {
      try backup?.publish()
      var now = now
      now.backup = backup?.backup
      return now
    }
    return try write(backup: backup)
  }

  /// There is nothing to do but to keep a backup that was asked for by name.
  private func unchanged(_ report: CompactReport) throws -> CompactReport {
    var report = report
    if isInPlace, !request.writing.isDryRun {
      report.backup = try request.access.backUpUnchanged(request.input.path, key: key, before: .compact)
    }
    return report
  }

  private func facts(of realm: OpenedRealm) throws -> CompactReport {
    // Only a condition needs to know what is free: a list that is damaged is what compacting puts right.
    let space: SpaceUse
    do { space = try SpaceUse(of: realm.snapshot) } catch {
      guard request.condition == nil else { throw error }
      space = SpaceUse(total: realm.snapshot.logicalSize, free: 0)
    }
    var report = CompactReport(request.writing, of: realm, space)
    if let condition = request.condition {
      report.isNeeded = condition.holds(for: space, of: "--if", path: request.input.name, on: console)
    }
    return report
  }

  private func write(backup: PreparedBackup?) throws -> CompactReport {
    var isStreaming = false
    let (outcome, report) = try request.input.read(console, with: key, canStartAgain: { !isStreaming }) { realm in
      if !isInPlace {
        realm.warnIfHeld(on: console)
        realm.warnIfSynced(
          "only one of both files may go on with the sync, because they say they are the same", on: console)
      }
      var options = CopyOptions(identity: .kept)
      options.key = outputKey
      options.rebuilds = request.rebuilds
      options.threadLimit = Processors.threadCount(forBytes: realm.bytes.physicalSize) - 1
      options.verifies = request.writing.verifies
      options.progress = copyRun.progress
      let outcome = try copyRun.copy(realm, options) { isStreaming = true }
      var report = try facts(of: realm)
      report.add(outcome.report)
      report.backup = backup?.backup
      return (outcome, report)
    }
    copyRun.warn(of: outcome.report)
    try publish(outcome.output, backup)
    return report
  }

  /// The backup comes first, so that there is no moment without the old content.
  private func publish(_ output: SafeOutput?, _ backup: PreparedBackup?) throws {
    try UnfinishedOutputs.publishing {
      try backup?.publish()
      do { try copyRun.publish(output) } catch {
        backup?.withdraw()
        throw error
      }
    }
  }
}
