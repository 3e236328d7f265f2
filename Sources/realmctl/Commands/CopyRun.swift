import RealmStorage
import RealmTools

/// Writes a realm anew for a command: looks at what stands in the way, writes, compares, and gives the file its name
/// when all is well.
struct CopyRun {
  let writing: RealmWriting
  /// Of what is read.
  let input: RealmInput
  let console: Console
  let progress: WorkProgress?

  init(_ writing: RealmWriting, of input: RealmInput, on console: Console) {
    (self.writing, self.input, self.console) = (writing, input, console)
    let destination: OutputDestination =
      writing.isStandardOutput ? .standardOutput : .path(writing.path, replacing: writing.replacing)
    let line = writing.isDryRun ? nil : console.makeProgress(besides: destination)
    progress = line.map { line in WorkProgress { line.show($0) } }
  }

  /// What must not be replaced.
  private var inputs: [String] { input.isStandardInput || writing.isInPlace ? [] : [input.path] }

  /// Looks at the output before long work begins.
  ///
  /// - Parameter source: the file that is read, where it is one.
  /// - Throws: `Diagnostic`.
  func checkOutput(source: FileIdentity? = nil) throws {
    if writing.isStandardOutput {
      guard !StandardOutput.isTerminal || writing.isDryRun else {
        throw Diagnostic(
          .usage, .invalidInput, path: writing.name, "is a terminal, and a realm is not for reading",
          advice: "send it to a file or a pipe")
      }
      return
    }
    try diagnosing {
      try SafeOutput.check(at: writing.path, replacing: writing.replacement(of: source), inputs: inputs)
    }
    try requireNotHeld()
  }

  /// A realm that an app has open is not replaced under it. In place, the lock sees to that.
  private func requireNotHeld() throws {
    guard writing.replacing, !writing.isInPlace, case .processes(let holders) = LockHolders.of(realm: writing.path),
      !holders.isEmpty
    else { return }
    throw isHeld(by: .processes(holders))
  }

  private func isHeld(by holders: LockHolders) -> Diagnostic {
    var detail: String?
    if case .processes(let processes) = holders, !processes.isEmpty {
      detail = processes.map(\.text).joined(separator: ", ")
    }
    return Diagnostic(
      .inUse, .alreadyOpen, path: writing.path, "file is in use by another process", detail: detail,
      advice: "close it there, or write to another path")
  }

  /// Keeps apps from opening a file that is replaced, until the result is let go.
  ///
  /// - Throws: `Diagnostic` where somebody has it open.
  func accessToReplacedFile() throws -> ExclusiveAccess? {
    guard writing.replacing, !writing.isInPlace, !writing.isDryRun else { return nil }
    do {
      return try diagnosing { try ExclusiveAccess.toReplace(writing.path) }
    } catch AccessError.inUse(_, let holders) {
      throw isHeld(by: holders)
    } catch let error as AccessError {
      throw Diagnostic(error)
    }
  }

  /// Turns what goes wrong into what the user is told.
  func diagnosing<Result>(_ body: () throws -> Result) throws -> Result {
    try Diagnostic.ofCopy(from: input.name, to: writing.name, body)
  }

  // MARK: Writing

  /// A realm that is written, or that would be.
  struct Outcome {
    var report: CopyReport
    /// Nil where nothing is written.
    var output: SafeOutput?
    /// Of what went into a stream.
    var digest: StreamDigest?
    var classes: [BundleManifest.ClassCount] = []
    var schemaVersion: UInt64?
  }

  /// - Parameter begin: told of an output that cannot be taken back.
  /// - Throws: `StorageError`, `Diagnostic`.
  func copy(
    _ realm: OpenedRealm, _ options: CopyOptions, streaming begin: () -> Void
  ) throws -> Outcome {
    try diagnosing {
      var options = options
      options.requiresSoundSource = console.style.isStrict
      let copy = try RealmCopy(of: realm.snapshot, options)
      var outcome: Outcome
      if writing.isDryRun {
        outcome = Outcome(report: try copy.rehearse())
        try requireSpace(outcome.report.written)
      } else {
        let output =
          writing.isStandardOutput
          ? SafeOutput.standardOutput()
          : try copy.makeOutput(
            at: writing.path, replacing: writing.replacement(of: realm.bytes.identity), inputs: inputs)
        if output.isStream { begin() }
        let digest = Self.digest(of: output)
        outcome = Outcome(report: try copy.write(to: output), output: output, digest: digest)
      }
      outcome.classes = try copy.classCounts()
      outcome.schemaVersion = copy.schemaVersion
      return outcome
    }
  }

  /// What a run that only tells can say about room.
  func requireSpace(_ written: WrittenRealm) throws {
    guard !writing.isStandardOutput else { return }
    try SafeOutput.check(
      at: writing.path, replacing: writing.replacement(), inputs: inputs, expectedByteCount: written.fileSize)
  }

  /// Says what is not sound in what was copied.
  func warn(of report: CopyReport?) {
    console.endProgress()
    console.warn(of: report?.source, path: input.name)
  }

  /// Takes the digest of what goes into a stream.
  static func digest(of output: SafeOutput) -> StreamDigest? {
    guard output.isStream else { return nil }
    let digest = StreamDigest()
    output.observer = { digest.add($0) }
    return digest
  }

  /// Makes the file appear.
  func publish(_ output: SafeOutput?) throws {
    console.endProgress()
    guard let output else { return }
    try requireNotHeld()
    let isDurable = try diagnosing { try output.publish() }
    if !isDurable {
      console.warn(
        Diagnostic(
          .done, .fileOperationFailed, path: writing.path,
          "the folder could not be synced: after a power cut the file may be missing"))
    }
    if output.otherNameCount > 0 {
      console.warn(
        Diagnostic(
          .done, .fileExists, path: writing.path,
          "the file that was replaced has other names, which keep the old content"))
    }
  }
}

extension OpenedRealm {
  /// Says that a synced realm becomes a local one.
  func warnIfSynced(_ consequence: String, on console: Console) {
    guard snapshot.historyKind == .syncClient || snapshot.historyKind == .syncServer else { return }
    console.warn(Diagnostic(.done, .notSupported, path: bytes.path, "the realm is a synced one; " + consequence))
  }
}
