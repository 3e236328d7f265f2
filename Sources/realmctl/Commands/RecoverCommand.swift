import ArgumentParser
import RealmInspection
import RealmOpening
import RealmStorage
import RealmSystem
import RealmText
import RealmTools

/// `realmctl recover FILE -o OUT`: save what can be read of a damaged realm.
struct RecoverCommand: RealmctlCommand {
  /// The format in the header is not trusted.
  static let statuses = RunStatus.opening(and: .findings, .inUse).filter { $0 != .format }
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFileClassOrSnapshot,
    .done: "nothing is missing",
    .findings: "incomplete: something is or may be lost, older or doubtful",
    .inUse: "an app has the new realm open, or the source changed",
  ]

  static let configuration = CommandConfiguration(
    commandName: "recover", _superCommandName: "realmctl",
    abstract: "Save what can be read of a damaged realm into a new one.",
    usage: "realmctl recover [<options>] <file> -o <path>",
    discussion: .flowing(
      """
      Saves what can be read of a damaged realm into a new one and reports what
      is lost. The damaged file is never changed. --report names the objects and
      values that are lost or doubtful.

      The live snapshot is read part by part. What is missing there is searched for in
      older snapshots that are still in the file, and in a scan of all bytes, so a
      lost header, zeroed pages or a missing end do not stop it. Pages of an encrypted
      file that cannot be authenticated are counted and left out.

      A value is saved whole or not at all: a lost value becomes null or the default
      of its type. --policy trusted leaves out values that something in the file
      contradicts; --policy all keeps them. The new realm has file format 24, new
      indexes and new backlinks, and is verified before it takes its name.

      --snapshot saves an older snapshot instead of the live one: what later commits
      have not overwritten. For a file that can be opened, 'history' lists the
      snapshots.

      Examples:
        realmctl recover damaged.realm -o saved.realm
        realmctl recover damaged.realm -o saved.realm --report lost.ndjson
        realmctl recover damaged.realm -o saved.realm --dry-run --json
        realmctl recover secret.realm -o saved.realm --key-file app.key --decrypt

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .realm, completion: .realm) var file: String
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("New realm; - is standard output.", valueName: "path"),
    completion: .realm)
  var output: String

  @OptionGroup var classes: ClassOptions

  @Option(
    help: ArgumentHelp(
      "Which values to save.", valueName: "policy"))
  var policy = RescueOptions.Policy.trusted

  @Flag(help: "Also save deleted objects that are still in the file.")
  var deleted = false

  @Option(
    help: ArgumentHelp("NDJSON file that names what is lost or doubtful.", valueName: "path"),
    completion: .file())
  var report: String?

  @Option(
    help: ArgumentHelp("NDJSON file for strings that belong to no object.", valueName: "path"),
    completion: .file())
  var strings: String?

  @OptionGroup(title: "Encryption key of the source") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the new realm") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Writing") var writing: WritingOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var input: RealmInput
    var classes: ClassSelection
    var policy: RescueOptions.Policy
    var includesDeleted: Bool
    var report: String?
    var strings: String?
    var outputKey: OutputKey
    var writing: OutputTarget
  }

  func request() throws -> Request {
    let input = try RealmInput(file, key, snapshot.choice)
    for path in [report, strings].compactMap({ $0 }) {
      guard !StreamName.isOutput(path) else { throw UsageError("--report and --strings need the path of a file") }
      guard path != output else {
        throw UsageError("\(path): -o names the same file", advice: "choose another path for --report or --strings")
      }
    }
    guard report == nil || report != strings else { throw UsageError("--report and --strings need two files") }
    return Request(
      input: input, classes: try classes.selection(), policy: policy, includesDeleted: deleted, report: report,
      strings: strings, outputKey: try outputKey.outputKey(alongside: input.key),
      writing: try writing.writing(to: output, from: input.path))
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let key = try request.input.key?.read(for: request.input.name)
    let outputKey = try request.outputKey.read(source: key, for: request.writing.name, console)
    let run = CopyPresenter(
      request.writing, of: request.input, key: outputKey, from: request.outputKey, on: console)
    try run.checkOutput()
    let log = try request.report.map { try makeLog(at: $0, request) }
    let catalog = try run.diagnosing { try self.catalog(request, key) }
    try requireKnownNames(request, catalog)
    do {
      return try save(catalog, outputKey, request, run, log, console)
    } catch {
      // What is missing in a file that is cut short while it is read looks like damage.
      try requireUnchanged(catalog.bytes, request)
      throw error
    }
  }

  private func requireUnchanged(_ bytes: RescueBytes, _ request: Request) throws {
    guard bytes.hasChanged else { return }
    throw Diagnostic(
      .inUse, .fileOperationFailed, path: request.input.name, "the file changed while it was read",
      advice: "try again when the app that has it open is idle")
  }

  private func save(
    _ catalog: RescueCatalog, _ outputKey: EncryptionKey?, _ request: Request, _ run: CopyPresenter, _ log: RescueLog?,
    _ console: Console
  ) throws -> RunStatus {
    guard
      catalog.isSound
        || catalog.tables.contains(where: { CheckReport.internalTables[$0.schema.name.description] == nil })
    else {
      let strings = try stringsAlone(of: catalog, request, run)
      throw Diagnostic(
        .failed, .invalidDatabase, path: request.input.name,
        "no objects of a realm were found in the file" + (strings.map { ", but " + $0 } ?? ""),
        advice: "use a backup")
    }
    var options = RescueOptions()
    (options.policy, options.classes, options.includesDeleted) = (
      request.policy, request.classes, request.includesDeleted
    )
    (options.key, options.progress, options.verifies) = (outputKey, run.progress, request.writing.verifies)
    options.threadLimit = Processors.threadCount(forBytes: catalog.bytes.physicalSize) - 1
    var rescue = RealmRescue(catalog, options)
    if let log { rescue.report = { log.add($0) } }
    let saved = try run.diagnosing { try run.writing.rescue(rescue) {} }
    request.input.warnIfHeld(on: console)
    let texts = try request.strings.map { try orphanedStrings(of: catalog, at: $0, request) }
    try requireUnchanged(catalog.bytes, request)
    if let failure = catalog.bytes.latePageFailure {
      throw Diagnostic(
        .failed, .fileOperationFailed, path: request.input.name,
        "page \(failure.page) of 4096 bytes could be read at first, but not later",
        advice: "copy the file to another disk, and recover the copy")
    }
    let logs: [RescueLog] = request.writing.dryRun ? [] : [log, texts?.log].compactMap { $0 }
    try run.diagnosing { for log in logs { try log.close() } }
    try run.publish(saved, with: logs)
    guard let account = saved.account else { return .failed }
    let summary = RescueSummary(
      account: account, catalog: catalog, request: request, size: saved.written.fileSize, isEncrypted: outputKey != nil,
      isVerified: saved.isVerified, texts: texts?.count)
    summary.warn(on: console)
    try console.info(summary.text(), json: summary.json(), alongsideData: request.writing.isStandardOutput)
    return summary.isComplete ? .done : .findings
  }

  private func catalog(_ request: Request, _ key: EncryptionKey?) throws -> RescueCatalog {
    let source: RealmSource = request.input.isStandardInput ? .standardInput : .path(request.input.path)
    let bytes: RescueBytes
    do {
      bytes = try RescueBytes.open(source, key: key, snapshot: request.input.snapshot)
    } catch StorageError.notARealm(.wrongMnemonic(let wasDecrypted)) {
      var diagnostic = Diagnostic(.notARealm(.wrongMnemonic(wasDecrypted: wasDecrypted)), path: request.input.name)
      if !wasDecrypted, OtherFile(named: request.input.name) == .unknown { diagnostic.advice = "check the path" }
      throw diagnostic
    } catch StorageError.notARealm(.empty) {
      var diagnostic = Diagnostic(.notARealm(.empty), path: request.input.name)
      diagnostic.advice = "there is nothing to save: copy it again, or use a backup"
      throw diagnostic
    }
    var options = RescueCatalog.Options()
    options.includesDeleted = request.includesDeleted || request.strings != nil
    do { return try RescueCatalog(bytes, options) } catch let error as StorageError {
      guard error.isDamage else { throw error }
      // In rows nothing shows which objects values belong to, so without the root there is nothing to search for.
      throw Diagnostic(
        .failed, .invalidDatabase, path: request.input.name, "\(error)",
        advice: "realms of file formats 2 to 9 are read from there; use a backup")
    }
  }

  private func makeLog(at path: String, _ request: Request) throws -> RescueLog {
    try Diagnostic.ofLaunch(request.input.name, output: path) {
      try RescueLog(
        at: path, replacing: request.writing.replacing, inputs: request.input.files + [request.writing.path],
        isPrivate: request.input.key != nil)
    }
  }

  /// - Returns: the texts that belong to no object, and how many there are.
  private func orphanedStrings(
    of catalog: RescueCatalog, at path: String, _ request: Request
  ) throws -> (log: RescueLog, count: Int) {
    let log = try makeLog(at: path, request)
    var count = 0
    catalog.forEachOrphanedText { ref, text in
      log.add(orphanedText: text, at: ref)
      count += 1
    }
    return (log, count)
  }

  /// Writes the strings of a file without objects, which are all that is left.
  ///
  /// - Returns: what was written; nil if the texts were not requested.
  private func stringsAlone(of catalog: RescueCatalog, _ request: Request, _ run: CopyPresenter) throws -> String? {
    guard let path = request.strings else { return nil }
    let texts = try orphanedStrings(of: catalog, at: path, request)
    guard !request.writing.dryRun else { return "\(texts.count.counted("string")) would be written to \(path)" }
    try run.diagnosing {
      try texts.log.close()
      try texts.log.publish()
    }
    return "\(texts.count.counted("string")) \(texts.count == 1 ? "was" : "were") written to \(path)"
  }

  private func requireKnownNames(_ request: Request, _ catalog: RescueCatalog) throws {
    let names = catalog.tables.map(\.schema.displayName)
    let classes = catalog.tables.filter(\.schema.isClass).map { $0.schema.displayName.description }.sorted()
    _ = try Diagnostic.collectingMistakes(request.classes.names.filter { !names.contains($0) }) { name in
      throw Diagnostic(noClass: name.description, among: classes, path: request.input.name)
    }
  }
}

extension RescueOptions.Policy: ExpressibleByArgument {}

extension StorageError {
  fileprivate var isDamage: Bool {
    switch self {
    case .corrupted, .notARealm: true
    default: false
    }
  }
}
