import ArgumentParser
import RealmExchange
import RealmPresentation
import RealmStorage
import RealmSystem

/// `realmctl hash FILE…`: print a hash of the contents of realms.
struct HashCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFileOrSnapshot,
    .findings: RunStatus.onlyIfStrict,
    .failed: "failed, or a realm cannot be read completely",
    .format: RunStatus.unknownFormat,
    .inUse: RunStatus.changedWhileRead,
  ]

  static let configuration = CommandConfiguration(
    commandName: "hash", _superCommandName: "realmctl",
    abstract: "Print a hash of the contents of realms, whatever their layout.",
    usage: "realmctl hash [<options>] <file> ...",
    discussion: .flowing(
      """
      Prints a SHA-256 of the contents and the name of the file, one line per file.
      Two realms with the same classes and the same objects have the same hash,
      whatever their file format, encryption, free space, indexes and history.
      Internal tables do not count, nor does the order of properties and objects.

      Object keys count as content. --no-keys leaves out those of objects with a
      primary key, which an app never sees, and of objects that nothing can link to.
      The order of the latter counts instead.

      --per-class adds a line per class. An embedded object counts in the class of
      its parent; the line of an embedded class covers only its properties and its
      number of objects.

      A SQLite database written by 'export', except with --for room, has the hash of
      its realm until somebody changes it. A realm that cannot be read completely has
      no hash (status 2).
      With several files, --json prints one object per line, and the exit status is
      the highest.

      Examples:
        realmctl hash app.realm
        realmctl hash app.realm backup.realm --no-keys
        realmctl hash app.realm --per-class
        realmctl hash app.realm app.sqlite
        realmctl hash secret.realm --key-file app.key --json | jq -r .hash

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .realms, completion: .realm) var files: [String]

  @Flag(help: "Also print one hash per class.")
  var perClass = false

  @Flag(help: "Leave out object keys, unless links need them.")
  var noKeys = false

  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var inputs: [RealmInput]
    var showsClasses: Bool
    var includesObjectKeys: Bool
  }

  func request() throws -> Request {
    Request(
      inputs: try RealmInput.all(files, key, snapshot.choice), showsClasses: perClass, includesObjectKeys: !noKeys)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let isOnlyOne = request.inputs.count == 1
    return try RealmBatch(inputs: request.inputs, console: console).forEach { input, key in
      if let file = try input.database() { return try request.report(of: file, input, on: console) }
      return try input.read(console, with: key) { realm in
        realm.warnIfHeld(on: console)
        let progress = console.makeProgress()
        defer { console.endProgress() }
        return HashReport(
          input: input.path, hash: try request.hash(of: realm, progress),
          includesObjectKeys: request.includesObjectKeys)
      }
    } show: { report in
      try StandardOutput.write(
        console.style.isJSON ? report.json(isIndented: isOnlyOne) : report.text(showsClasses: request.showsClasses))
      return .done
    }
  }
}

extension HashCommand.Request {
  fileprivate func report(of file: RelationalFile, _ input: RealmInput, on console: Console) throws -> HashReport {
    let progress = console.makeProgress()
    defer { console.endProgress() }
    return try input.readingDatabase {
      var hasher = RelationalHasher(file)
      hasher.includesObjectKeys = includesObjectKeys
      let total = try hasher.objectCount()
      hasher.onProgress = { done in progress?.show(share: Double(done) / Double(max(total, 1))) }
      return HashReport(input: input.path, hash: try hasher.run(), includesObjectKeys: includesObjectKeys)
    }
  }

  fileprivate func hash(of realm: OpenedRealm, _ progress: Progress?) throws -> ContentHash {
    var hasher = ContentHasher(realm.snapshot)
    hasher.includesObjectKeys = includesObjectKeys
    hasher.threadCount = Processors.threadCount(forBytes: realm.bytes.physicalSize)
    // Embedded objects do not count: they are read with their parents. A class that cannot be counted fails when it is
    // read.
    let total = realm.snapshot.tables.filter { $0.schema.isClass && $0.schema.kind != .embedded }
      .reduce(0) { $0 + ((try? $1.objectCount()) ?? 0) }
    hasher.onProgress = { done in progress?.show(share: Double(done) / Double(max(total, 1))) }
    return try hasher.run()
  }
}
