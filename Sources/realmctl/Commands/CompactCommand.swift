import ArgumentParser
import RealmStorage
import RealmTools

/// `realmctl compact FILE`: gives free space back.
struct CompactCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse)

  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Rewrite a realm without its free space, in place or to another file.",
    discussion: """
      In place, the realm is written anew beside the file, read again, compared, and
      takes its place in one step: at any moment the old or the new file is there,
      whole. Version, history, object keys, encryption key, owner, permissions and
      extended attributes stay; a symbolic link stays one. A file that an app has
      open is left alone (status 6). As with every app that opens the realm, a lock
      file FILE.lock is beside it afterwards.

      Nodes are copied as they are, also what is wrong in them: a warning says so,
      and with --strict nothing is written. --rebuild goes through the objects
      instead, and makes new what is derived from them: indexes that have entries
      of old values, links back. The version stays then, the history does not.

      EXPR of --if is over total, used and free, in bytes: numbers with KB, MB, GB,
      KiB, MiB, GiB, + - * /, < <= > >= == !=, && || !, parentheses. Where it does
      not hold there is nothing to do, and the status is 0.

      Examples:
        realmctl compact app.realm
        realmctl compact app.realm --if 'total > 100MB && used < total / 2'
        realmctl compact app.realm --dry-run
        realmctl compact old.realm --upgrade
        realmctl compact app.realm --rebuild
        realmctl compact app.realm -o small.realm

      Exit status:
      \(RunStatus.table(of: statuses))
      """)

  @Argument(
    help: ArgumentHelp("The realm file; with -o, - reads it from standard input.", valueName: "file"),
    completion: .file(extensions: ["realm"]))
  var file: String

  @Option(name: .customLong("if"), help: ArgumentHelp("Compact only where this holds.", valueName: "expr"))
  var condition: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write to another file and leave this one alone; - is standard output.", valueName: "path"),
    completion: .file(extensions: ["realm"]))
  var output: String?

  @Flag(
    help: "Build the realm from its objects, with all indexes and backlinks made new; the history starts again.")
  var rebuild = false

  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the file that -o names") var outputKey: OutputKeyOptions
  @OptionGroup(title: "In place") var inPlace: InPlaceOptions
  @OptionGroup(title: "Writing") var writing: WritingOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    var input: RealmInput
    var condition: CompactionCondition?
    var writing: RealmWriting
    var access: InPlaceAccess
    /// The key of what is written; in place, that of the realm.
    var outputKey = OutputKey.same
    var rebuilds = false
  }

  func request() throws -> Request {
    let input = try RealmArgument(file: file).input(key: key)
    let access = try inPlace.access()
    var condition: CompactionCondition?
    do throws(CompactionConditionError) { condition = try self.condition.map(Self.parse) } catch {
      throw ValidationError("--if \(error)")
    }
    if output == nil, input.isStandardInput {
      throw ValidationError("Standard input cannot be compacted in place; say where to write with -o.")
    }
    if output == nil, writing.force { throw ValidationError("--force means something with -o only.") }
    if output != nil, access != InPlaceAccess() {
      throw ValidationError("--wait, --upgrade, --backup and --no-backup are for compacting in place, not for -o.")
    }
    let writing =
      try output.map { try self.writing.writing(to: $0, from: input.path) } ?? self.writing.writing(inPlace: input.path)
    var request = Request(input: input, condition: condition, writing: writing, access: access, rebuilds: rebuild)
    if output == nil {
      try outputKey.requireNone()
    } else {
      request.outputKey = try outputKey.outputKey(besides: input.key, inputs: [input.path])
    }
    return request
  }

  private static func parse(_ text: String) throws(CompactionConditionError) -> CompactionCondition {
    try CompactionCondition(text)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let key = try request.input.key?.read(for: request.input.name)
    let outputKey = try request.outputKey.read(source: key, for: request.writing.name)
    let run = CopyRun(
      request.writing, of: request.input, key: outputKey, besides: [request.outputKey.path], on: console)
    if request.writing.isInPlace { try request.input.requireChangeable() }
    var compaction = RealmCompaction(run.writing, key: key)
    (compaction.condition, compaction.access) = (request.condition, request.access)
    compaction.options.rebuilds = request.rebuilds
    run.apply(to: &compaction.options)
    let reader = CommandReader(input: request.input, key: key, console: console)
    let outcome = try run.diagnosing {
      try compaction.run(reader) { realm in
        try run.requireNoTerminal()
        guard !request.writing.isInPlace else { return }
        realm.warnIfHeld(on: console)
        realm.warnIfSynced(
          "only one of both files may go on with the sync, because they say they are the same", on: console)
      } willPublish: {
        run.warn(of: $0)
      }
    }
    _ = request.condition?.holds(for: outcome.space, of: "--if", path: request.input.name, on: console)
    outcome.published.map(run.warn)
    let report = CompactReport(outcome: outcome, writing: request.writing)
    try console.tell(report.text(), json: report.json(), besidesData: request.writing.isStandardOutput)
    return .done
  }
}
