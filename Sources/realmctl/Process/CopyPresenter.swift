import RealmExchange
import RealmOpening
import RealmStorage
import RealmSystem
import RealmTools

/// Rewrites a realm for a command, and reports obstacles and the result.
struct CopyPresenter {
  let writing: OutputTarget
  /// The key of the output.
  let key: EncryptionKey?
  let progress: WorkProgress?
  private let input: RealmInput
  private let console: Console

  /// - Parameters:
  ///   - key: of what is written, as read from `source`: only its owner may read a plain copy of an encrypted realm.
  ///   - files: the other inputs of the run.
  init(
    _ writing: OutputTarget, of input: RealmInput, key: EncryptionKey?, from source: OutputKey,
    alongside files: [String?] = [], on console: Console
  ) {
    (self.input, self.key, self.console) = (input, key, console)
    var writing = writing
    writing.inputs = [input.path]
    writing.isPrivate = key == nil && source.isPrivate(source: input.key)
    writing.otherInputs = input.files + [source.path].compactMap { $0 } + files.compactMap { $0 }
    self.writing = writing
    if writing.isInPlace, !writing.dryRun { TruncatedFileHandler.installHandler(console.style, changing: input) }
    let destination: OutputDestination =
      writing.isStandardOutput ? .standardOutput : .path(writing.path, replacing: writing.replacing)
    progress = writing.dryRun ? nil : console.makeWorkProgress(alongside: destination)
  }

  /// Checks the output before long work begins.
  ///
  /// - Throws: `Diagnostic`.
  func checkOutput() throws {
    try requireNoTerminal()
    try diagnosing { try writing.check() }
  }

  /// - Throws: `Diagnostic`.
  func requireNoTerminal() throws {
    guard writing.isStandardOutput, StandardOutput.isTerminal, !writing.dryRun else { return }
    throw Diagnostic.terminalOutput
  }

  /// Turns errors into messages for the user.
  func diagnosing<Result>(_ body: () throws -> Result) throws -> Result {
    try Diagnostic.ofLaunch(input.name, output: writing.name, body)
  }

  /// Options of a copy for an app: a new local file.
  func options(_ filter: CopyFilter, of realm: OpenedRealm) -> CopyOptions {
    var options = CopyOptions(identity: .fresh)
    options.filter = filter
    options.threadLimit = Processors.threadCount(forBytes: realm.bytes.physicalSize) - 1
    options.verifies = writing.verifies
    apply(to: &options)
    return options
  }

  /// What a command requests for every copy.
  func apply(to options: inout CopyOptions) {
    options.key = key
    options.progress = progress
    options.requiresSoundSource = console.style.isStrict
  }

  /// Reads the realm and writes what `options` say.
  ///
  /// - Parameter options: what to write, decided once the realm is open.
  /// - Throws: `Diagnostic`.
  func copy(
    with key: EncryptionKey?, _ options: (OpenedRealm) throws -> CopyOptions
  ) throws -> (copy: UnpublishedRealm, source: OpenedRealm) {
    var isStreaming = false
    let result = try input.read(console, with: key, canStartAgain: { !isStreaming }) { realm in
      let options = try options(realm)
      let copy = try diagnosing { try writing.copy(realm, options) { isStreaming = true } }
      realm.warnIfHeld(on: console)
      return (copy, realm)
    }
    warn(of: result.0.report)
    return result
  }

  /// Reports damage in the realm that was copied.
  func warn(of report: CopyReport?) {
    console.endProgress()
    console.warn(of: report?.source, path: input.name, copiesNodes: report?.method != .rebuild)
    for found in report?.matches ?? [] {
      console.warn(of: found.warnings, foundNothing: found.objectCount == 0, path: input.name)
    }
  }

  /// Publishes the file, and prints the report.
  func publish(_ realm: UnpublishedRealm, with logs: [RescueLog] = []) throws {
    console.endProgress()
    warn(of: try diagnosing { try realm.publish(with: logs) })
  }

  func warn(of file: PublishedFile) {
    console.warn(
      isDurable: file.isDurable, otherNameCount: file.otherNameCount, path: writing.path,
      after: writing.isInPlace ? "the old file may reappear" : "the file may be missing")
  }
}

extension Console {
  /// Warns about problems with a file that was written.
  ///
  /// - Parameters:
  ///   - risk: what a power cut may leave if the folder could not be synced.
  ///   - isReplaced: whether the file is a new one.
  func warn(
    isDurable: Bool, otherNameCount: UInt64, path: String, after risk: String, isReplaced: Bool = true
  ) {
    if !isDurable {
      warn(
        Diagnostic(
          .done, .fileOperationFailed, path: path, "the folder could not be synced; after a power cut \(risk)"))
    }
    if otherNameCount > 0 {
      warn(
        Diagnostic(
          .done, .fileExists, path: path,
          isReplaced
            ? "the replaced file has other names (hard links), which keep the old contents"
            : "the file has other names (hard links); an app that has it open under one of them is not detected"))
    }
  }
}

extension Diagnostic {
  static var terminalOutput: Diagnostic {
    Diagnostic(
      .usage, .invalidInput, path: "standard output", "refusing to write a realm to a terminal",
      advice: "redirect it to a file or a pipe")
  }
}
