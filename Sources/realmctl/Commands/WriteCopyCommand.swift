import ArgumentParser
import RealmStorage
import RealmTools

/// `realmctl write-copy FILE DEST`: a compacted copy.
struct WriteCopyCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)

  static let configuration = CommandConfiguration(
    commandName: "write-copy",
    abstract: "Write a compacted copy of a realm: with another key, decrypted, or with some classes only.",
    discussion: """
      The copy is of file format 24, whatever the source is, has no free space and
      no history, and keeps object keys. It is read again and compared with the
      source before it appears; on an error or Ctrl-C nothing is left behind. The
      source is not changed. A synced realm becomes a local one.

      What is wrong in the source is copied with it: a warning says so, and with
      --strict nothing is written. --rebuild goes through the objects, and makes
      new what is derived from them: indexes with entries of old values, links back.

      A property that links to a class left out stops the copy, unless
      --allow-data-loss is given.

      Examples:
        realmctl write-copy app.realm small.realm
        realmctl write-copy app.realm secret.realm --out-key-file new.key
        realmctl write-copy secret.realm open.realm --key-file old.key --decrypt
        realmctl write-copy app.realm people.realm --only Person,Dog
        realmctl write-copy app.realm - | ssh host 'cat > app.realm'

      Exit status:
      \(RunStatus.table(of: statuses))
      """)

  @OptionGroup var realm: RealmArgument
  @Argument(
    help: ArgumentHelp("The copy; - writes it to standard output.", valueName: "dest"),
    completion: .file(extensions: ["realm"]))
  var dest: String

  @OptionGroup(title: "Part of the realm") var part: CopyFilterOptions
  @Flag(help: "Build the copy from the objects, with all indexes and backlinks made new.")
  var rebuild = false

  @OptionGroup(title: "Encryption key of the source") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the copy") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Writing") var writing: WritingOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    var input: RealmInput
    var part: CopyFilter
    var outputKey: OutputKey
    var writing: RealmWriting
    var rebuilds = false
  }

  func request() throws -> Request {
    let input = try realm.input(key: key)
    return Request(
      input: input, part: try part.filter(),
      outputKey: try outputKey.outputKey(besides: input.key, inputs: [input.path]),
      writing: try writing.writing(to: dest, from: input.path), rebuilds: rebuild)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let key = try request.input.key?.read(for: request.input.name)
    let outputKey = try request.outputKey.read(source: key, for: request.writing.name)
    let run = CopyRun(
      request.writing, of: request.input, key: outputKey, besides: [request.outputKey.path], on: console)
    try run.checkOutput()
    let (copy, source) = try run.copy(with: key) { realm in
      try request.part.classes.requireKnownNames(in: realm)
      realm.warnIfSynced("the copy is a local one, without the sync history", on: console)
      var options = run.options(request.part, of: realm)
      options.rebuilds = request.rebuilds
      return options
    }
    try run.publish(copy)
    guard let report = copy.report else { return .done }
    let summary = CopySummary(report, request.writing, of: source, isEncrypted: outputKey != nil)
    try console.tell(summary.text(), json: summary.json(), besidesData: request.writing.isStandardOutput)
    return .done
  }
}
