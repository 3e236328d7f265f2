import RealmStorage
import RealmSystem
import RealmText

/// Realms that a command reads one after another: an error in one does not stop the others.
struct RealmBatch {
  let inputs: [RealmInput]
  /// Backups among them, which are skipped: a pattern such as `*.realm` names them as well.
  let skippedBackups: [RealmInput]
  let console: Console

  /// - Parameters:
  ///   - inputs: as typed.
  ///   - changing: whether they are changed; then backups count only if nothing else is named.
  init(inputs: [RealmInput], changing: Bool = false, console: Console) {
    self.console = console
    let others = inputs.filter { $0.realmOfBackup == nil }
    guard changing, !others.isEmpty else {
      // Of several files it is clear which ones are read.
      self.inputs = inputs.map { input in
        var input = input
        input.warnsIfBackup = inputs.count == 1
        return input
      }
      skippedBackups = []
      return
    }
    self.inputs = others
    skippedBackups = inputs.filter { $0.realmOfBackup != nil }
  }

  /// For commands that change what they read: nothing is changed if a file does not exist.
  ///
  /// - Parameter advice: what else to do than to check the path.
  /// - Throws: `Diagnostic`.
  func requireAll(_ advice: String = "") throws {
    guard
      let missing = inputs.first(where: { !$0.isStandardInput && SafeOutput.isMissing($0.path) }), inputs.count > 1
    else { return }
    throw Diagnostic(
      .notFound, .fileNotFound, path: missing.path, "no such file or directory, so nothing was changed",
      advice: "check the path" + (missing.path == inputs.last?.path ? advice : ""))
  }

  /// A file that is named twice would be changed twice.
  ///
  /// - Throws: `Diagnostic`.
  func requireDifferentFiles() throws {
    guard inputs.count > 1 else { return }
    var names: [FileIdentity: String] = [:]
    for input in inputs {
      // A file that cannot be read is reported when its turn comes.
      guard let identity = try? SequentialInput.identity(of: input.path) else { continue }
      if let name = names[identity] {
        throw Diagnostic(
          .usage, .invalidInput, path: input.name, "the same file as '\(name)'", advice: "name each realm once")
      }
      names[identity] = input.name
    }
  }

  /// For commands that take an output as well: the second of two realms may have been meant as that. Of more, those that
  /// exist are changed.
  ///
  /// - Throws: `Diagnostic` if one of two realms does not exist, or one is named twice.
  func requireBoth() throws {
    try requireDifferentFiles()
    if inputs.count == 2 { try requireAll(", or put -o before it if it is the output") }
  }

  /// Reads each realm and shows the result.
  ///
  /// - Parameters:
  ///   - read: what fails for one realm is reported at once, and the next is read.
  ///   - failed: called with what was reported.
  ///   - show: what fails here, such as writing to standard output, ends the run.
  /// - Returns: the worst status.
  /// - Throws: what `show` throws, and what `read` throws if there is only one realm.
  func forEach<Report>(
    read: (RealmInput, EncryptionKey?) throws -> Report, failed: (RealmInput, Diagnostic) -> Void = { _, _ in },
    show: (Report) throws -> RunStatus
  ) throws -> RunStatus {
    let name = inputs.count == 1 ? inputs.first?.name : "\(inputs.count) realms"
    let key = try name.flatMap { try inputs.first?.key?.read(for: $0) }
    // An error in the only one is the command's own failure.
    if inputs.count == 1, skippedBackups.isEmpty, let only = inputs.first { return try show(read(only, key)) }
    var worst = RunStatus.done
    let plain = key == nil ? [] : inputs.filter { (try? TextInput.kind(of: $0.path))?.needsNoKey == true }
    let mayBeEncrypted = !plain.isEmpty && inputs.contains { (try? TextInput.mayBeEncrypted($0.path)) == true }
    for input in inputs {
      let report: Report
      // One key is for those that are encrypted. If none is, it is a mistake.
      let isUnneeded = mayBeEncrypted && plain.contains(input)
      do { report = try read(input, isUnneeded ? nil : key) } catch let diagnostic as Diagnostic {
        console.report(diagnostic.advising(on: ProcessStart.arguments ?? []))
        failed(input, diagnostic)
        worst = worst.orWorse(diagnostic.status)
        continue
      }
      worst = worst.orWorse(try show(report))
    }
    if !skippedBackups.isEmpty { console.notice("\(skippedBackups.count.counted("backup")) skipped") }
    return worst
  }
}
