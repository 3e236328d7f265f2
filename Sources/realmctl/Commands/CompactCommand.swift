import ArgumentParser
import RealmExchange
import RealmOpening
import RealmStorage
import RealmTools

/// `realmctl compact FILE`: remove free space.
struct CompactCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFile,
    .done: "compacted, or the condition of --if is not met",
    .findings: RunStatus.onlyIfStrict,
    .format: "file format not supported, or --upgrade is needed",
    .inUse: RunStatus.heldByApp,
  ]

  static let configuration = CommandConfiguration(
    commandName: "compact", _superCommandName: "realmctl",
    abstract: "Rewrite a realm without its free space.",
    usage: "realmctl compact [<options>] [<file> ...]",
    discussion: .flowing(
      """
      Rewrites a realm in place so that it takes no more space than its contents need.
      With --if, it is compacted only when a condition is true, such as 'free > total
      / 2'. -o writes the result to another file.

      The new file is verified and swapped in atomically: whatever happens, you have
      the old file or the new one. Schema version, object keys, encryption key, owner,
      permissions and extended attributes are kept; a symbolic link stays a link. The
      history is kept only in a synced realm. A file that an app has open is left
      alone (status 6).

      A condition compares sizes in bytes: total, used and free, with each other or
      with numbers. Numbers can have a unit: KiB, MiB and GiB are powers of 1024, KB,
      MB and GB powers of 1000. The operators are + - * / % < <= > >= == != && || !,
      with parentheses. An app is asked with the same sizes when it opens the file,
      which drops the history of a local realm and can make the file longer. If the
      condition is false, nothing is done (status 0).

      Damage that leaves every node readable is copied as it is, with a warning; with
      --strict, or if nodes cannot be read, nothing is written: use 'recover'. In
      place, nothing is written either if 'recover' could find objects in the file
      that can no longer be reached.
      --rebuild writes the objects instead of the nodes, with new indexes and
      backlinks, as --upgrade does with an older file format; the history is not kept
      then.

      Several files are compacted one after another; backups among them
      (such as app.pre-compact-TIME.realm) are skipped.
      An error in one does not stop the others, and the exit status is the highest.
      --json prints one object per line. Without FILE, default.realm in the current
      folder is compacted.

      Examples:
        realmctl compact app.realm
        realmctl compact app.realm --if 'total > 100MiB && used < total / 2'
        realmctl compact app.realm --dry-run
        realmctl compact old.realm --upgrade
        realmctl compact app.realm --rebuild
        realmctl compact app.realm -o small.realm
        realmctl compact *.realm --if 'free > total / 2'

      Files:
        app.realm.lock                          lock file, shared with apps
        app.pre-compact-TIME.realm              backup, with --upgrade or --backup

      Exit status:
      \(statusTable)
      """))

  @Argument(
    help: ArgumentHelp("Files, or default.realm; with -o, - is standard input.", valueName: "file"),
    completion: .realm)
  var files: [String] = []

  @Option(
    name: .customLong("if"),
    help: ArgumentHelp("Compact only if EXPR is true, such as 'free > total / 2'.", valueName: "expr"))
  var condition: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write the result to another file; - is standard output.", valueName: "path"),
    completion: .realm)
  var output: String?

  @Flag(help: "Rebuild from the objects, with new indexes and backlinks.")
  var rebuild = false

  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the output") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Changing the file in place") var inPlace: InPlaceOptions
  @OptionGroup(title: "Writing") var writing: WritingOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    /// One for each file.
    var compactions: [Compaction]
    /// Whether no FILE was given.
    var usesDefault = false
  }

  struct Compaction: Equatable {
    var input: RealmInput
    var condition: CompactionCondition?
    var writing: OutputTarget
    var access: InPlaceAccess
    /// The key for the output; in place, that of the realm.
    var outputKey = OutputKey.same
    var rebuilds = false
  }

  func request() throws -> Request {
    let inputs = try RealmInput.all(DefaultRealm.files(files), key)
    try inPlace.backup.requireSeveral(inputs, output: output)
    return Request(compactions: try inputs.map(compaction), usesDefault: files.isEmpty)
  }

  private func compaction(of input: RealmInput) throws -> Compaction {
    let access = try inPlace.access()
    let condition = try self.condition.map { try CompactionCondition($0, of: "--if") }
    if output == nil, input.isStandardInput {
      throw UsageError("standard input cannot be compacted in place", advice: "use -o")
    }
    if output == nil, writing.force { throw UsageError("--force needs -o", advice: "it replaces an existing output") }
    if output != nil, access != InPlaceAccess() {
      throw UsageError("\(access.options(withUpgrade: true).listed) cannot be used with -o")
    }
    let writing =
      try output.map { try self.writing.writing(to: $0, from: input.path) } ?? self.writing.writing(inPlace: input.path)
    var request = Compaction(input: input, condition: condition, writing: writing, access: access, rebuilds: rebuild)
    if output == nil {
      try outputKey.requireNone()
    } else {
      request.outputKey = try outputKey.outputKey(alongside: input.key)
    }
    return request
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let isOnlyOne = request.compactions.count == 1
    if request.usesDefault { DefaultRealm.remark(on: console) }
    guard let first = request.compactions.first else { return .done }
    let realms = RealmBatch(inputs: request.compactions.map(\.input), changing: true, console: console)
    try realms.requireBoth()
    return try realms.forEach { input, key in
      var compaction = first
      compaction.input = input
      if first.writing.isInPlace { compaction.writing.path = input.path }
      return try perform(compaction, key, on: console)
    } show: { report in
      try console.info(
        report.text(), json: report.json(isIndented: isOnlyOne), alongsideData: first.writing.isStandardOutput)
      return .done
    }
  }

  private func perform(
    _ request: Compaction, _ key: EncryptionKey?, on console: Console
  ) throws -> CompactReport {
    let outputKey = try request.outputKey.read(source: key, for: request.writing.name, console)
    let run = CopyPresenter(
      request.writing, of: request.input, key: outputKey, from: request.outputKey, on: console)
    if request.writing.isInPlace { try request.input.requireChangeable() }
    var compaction = RealmRewrite(.compact, run.writing, key: key)
    (compaction.condition, compaction.access) = (request.condition, request.access)
    compaction.options.rebuilds = request.rebuilds
    run.apply(to: &compaction.options)
    let reader = CommandReader(input: request.input, key: key, console: console)
    // If there will be two files. Old formats of synced realms are refused before.
    var source: OpenedRealm?
    let outcome = try run.diagnosing {
      try compaction.run(reader) { realm in
        try run.requireNoTerminal()
        guard !request.writing.isInPlace else { return }
        realm.warnIfHeld(on: console)
        source = realm
      } willPublish: {
        source?.warnIfSynced("let only one of the two files sync, because both have the same identity", on: console)
        run.warn(of: $0)
      }
    }
    _ = request.condition?.holds(for: outcome.space, of: "--if", path: request.input.name, on: console)
    outcome.published.map(run.warn)
    return CompactReport(outcome: outcome, writing: request.writing)
  }
}
