import ArgumentParser
import RealmExchange
import RealmMigration
import RealmOpening
import RealmRedaction
import RealmStorage
import RealmTools

/// `realmctl write-copy FILE DEST`: write a compacted copy.
struct WriteCopyCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema, .query)
  static let meanings: [RunStatus: String] = [
    .findings: RunStatus.onlyIfStrict,
    .schema: "links or values would be lost, or the rules are wrong",
    .format: RunStatus.unknownFormat,
    .inUse: "an app has the copy open, or the source changed",
  ]

  static let configuration = CommandConfiguration(
    commandName: "write-copy", _superCommandName: "realmctl",
    abstract: "Write a compacted copy of a realm, optionally with another key or fewer classes.",
    discussion: .flowing(
      """
      Writes a compacted copy of FILE to DEST, which may have another key, fewer
      classes or objects, an older file format, or redacted values. The copy is
      verified before it takes its name; the source is not changed. The copy has an
      empty history and no free space, and a copy of a synced realm is a local realm;
      object keys are kept.

      --only and --exclude select classes, and --where the objects of a class that
      match a query (see realmctl-rql(7)). With --with-links, the copy has only those
      objects and what they link to, directly or not; classes named by --only are kept
      whole. Embedded classes are copied with the classes that need them. If links to
      what is left out would be lost, the command stops (status 7) unless
      --allow-data-loss is given.

      --file-format writes an older format (see realmctl-downgrade(1)). What it cannot
      store also stops the command, unless --as gives it another type or
      --allow-data-loss is given.

      Damage that leaves every node readable is copied as
      it is, with a warning; with --strict, or if nodes cannot be read, nothing is
      written: use 'recover'. --rebuild writes the objects instead of the nodes, with
      new indexes and backlinks.

      --redact writes a copy to give away: before it is written, each value is
      replaced as its rule says, and the finished copy is searched for the strings,
      data and ids that were removed.
      It keeps all types, so it cannot be used with --as.
      'redact new' drafts rules; realmctl-redaction(5) describes them. New values
      depend on a random key that is not kept, or on the key in --redact-key-file,
      which gives the same new values in every file.

      Examples:
        realmctl write-copy app.realm small.realm
        realmctl write-copy app.realm secret.realm --out-key-file new.key
        realmctl write-copy secret.realm open.realm --key-file old.key --decrypt
        realmctl write-copy app.realm people.realm --only Person --with-links
        realmctl write-copy app.realm todo.realm --where 'Todo:done == false'
        realmctl write-copy a.realm me.realm --where 'User:id == 7' --with-links
        realmctl write-copy app.realm old.realm --file-format 23
        realmctl write-copy app.realm public.realm --redact rules.yml
        realmctl write-copy app.realm - | ssh host 'cat > app.realm'

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .realm, completion: .realm) var file: String
  @Argument(
    help: ArgumentHelp("Copy to write; - is standard output.", valueName: "dest"),
    completion: .realm)
  var dest: String

  @OptionGroup(title: "Part of the realm") var part: CopyFilterOptions
  @Flag(help: "Rebuild from the objects, with new indexes and backlinks.")
  var rebuild = false

  @Option(
    help: ArgumentHelp("File format to write: 10, 11, 20, 22, 23 or 24.", valueName: "number"),
    completion: .list(TargetFormat.allCases.map { "\($0.number)" }))
  var fileFormat = TargetFormat.newest

  @OptionGroup var mapping: TypeChangeOptions

  @OptionGroup(title: "Redaction") var redaction: RedactionOptions
  @OptionGroup(title: "Encryption key of the source") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the copy") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Writing") var writing: WritingOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var input: RealmInput
    var part: CopyFilter
    var outputKey: OutputKey
    var writing: OutputTarget
    var rebuilds = false
    var format = TargetFormat.newest
    var mappings: [TypeChange] = []
    var redaction: RedactionRequest?
  }

  func request() throws -> Request {
    let input = try RealmInput(file, key, snapshot.choice)
    let mappings = try mapping.mappings()
    guard mappings.isEmpty || fileFormat != .newest else {
      throw UsageError("--as needs --file-format with an older file format")
    }
    let redaction = try redaction.request()
    var writing = try writing.writing(to: dest, from: input.path)
    if redaction != nil {
      guard mappings.isEmpty else { throw UsageError("--redact and --as cannot be used together") }
      guard writing.verifies else {
        throw UsageError("--no-verify cannot be used with --redact, which always verifies the copy")
      }
      // A copy that cannot be searched must not be given away.
      writing.isReadBack = true
    }
    return Request(
      input: input, part: try part.filter(),
      outputKey: try outputKey.outputKey(alongside: input.key),
      writing: writing, rebuilds: rebuild, format: fileFormat, mappings: mappings, redaction: redaction)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let key = try request.input.key?.read(for: request.input.name)
    let outputKey = try request.outputKey.read(source: key, for: request.writing.name, console)
    let run = CopyPresenter(
      request.writing, of: request.input, key: outputKey, from: request.outputKey,
      alongside: [request.redaction?.rules, request.redaction?.keyFile], on: console)
    try run.checkOutput()
    let source = request.redaction.map { RedactionSource(request: $0, console: console) }
    let redaction = try source.map { (source: $0, rules: try $0.rules(), key: try $0.key()) }
    let (copy, realm): (UnpublishedRealm, OpenedRealm)
    do {
      (copy, realm) = try run.copy(with: key) { realm in try options(of: realm, request, run, redaction, on: console) }
    } catch let diagnostic as Diagnostic where redaction != nil {
      throw diagnostic.advisingOnRedaction
    }
    if let request = request.redaction, let kept = copy.report?.redaction?.keptStrings {
      let isStrict = console.style.isStrict
      if let diagnostic = kept.diagnostic(rules: request.rules, isStrict ? .findings : .done) {
        guard !isStrict else { throw diagnostic }
        console.warn(diagnostic)
      }
    }
    try run.publish(copy)
    guard let report = copy.report else { return .done }
    let summary = CopySummary(report, request.writing, of: realm, isEncrypted: outputKey != nil)
    try console.info(summary.text(), json: summary.json(), alongsideData: request.writing.isStandardOutput)
    return .done
  }

  private typealias RedactionParts = (source: RedactionSource, rules: RedactionRules, key: RedactionKey)

  private func options(
    of realm: OpenedRealm, _ request: Request, _ run: CopyPresenter, _ redaction: RedactionParts?, on console: Console
  ) throws -> CopyOptions {
    try request.part.requireKnownNames(in: realm)
    realm.warnIfSynced("the copy is local, without the sync history", on: console)
    var options = run.options(request.part, of: realm)
    (options.rebuilds, options.format) = (request.rebuilds, request.format)
    options.mapping = TypeChangeRun.mapping(request.mappings)
    if let redaction {
      let (classes, followsLinks) = (request.part.classes, request.part.followsLinks)
      options.redaction = try redaction.source.redaction(
        redaction.rules, redaction.key, of: realm, named: request.input.name, threadCount: options.threadLimit + 1
      ) { table in
        // The targets of links are included.
        let comesAlong = followsLinks || table.kind == .embedded
        let name = table.displayName
        return comesAlong ? !classes.excluded.contains(name) : classes.contains(name)
      }
    }
    return options
  }
}
