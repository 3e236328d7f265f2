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
  /// What the output is made from.
  private let inputs: [String]
  /// What else this run reads, and must not replace.
  private let otherFiles: [String]

  /// - Parameters:
  ///   - isDecrypting: whether the output is plain where the input is not: then it is no more open than the key.
  ///   - files: what else the run reads.
  init(
    _ writing: RealmWriting, of input: RealmInput, isDecrypting: Bool = false, besides files: [String?] = [],
    on console: Console
  ) {
    (self.writing, self.input, self.console) = (writing, input, console)
    inputs = isDecrypting ? input.files : [input.path]
    otherFiles = input.files + files.compactMap { $0 }
    let destination: OutputDestination =
      writing.isStandardOutput ? .standardOutput : .path(writing.path, replacing: writing.replacing)
    let line = writing.isDryRun ? nil : console.makeProgress(besides: destination)
    progress = line.map { line in WorkProgress { line.show($0) } }
  }

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
      try SafeOutput.check(at: writing.path, replacing: writing.replacement(of: source), inputs: inputs + otherFiles)
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
        try requireSpace(outcome.report.written, source: realm.bytes.identity)
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
  ///
  /// - Parameter source: the file that is read, where it is one.
  func requireSpace(_ written: WrittenRealm, source: FileIdentity? = nil) throws {
    guard !writing.isStandardOutput else { return }
    try SafeOutput.check(
      at: writing.path, replacing: writing.replacement(of: source), inputs: inputs, expectedByteCount: written.fileSize)
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
