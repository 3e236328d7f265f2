import ArgumentParser
import RealmOpening
import RealmStorage
import RealmSystem
import RealmText
import RealmTools

/// `realmctl rm FILE`: delete a realm and the files next to it.
struct RmCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse).filter { $0 != .format }
  static let meanings: [RunStatus: String] = [
    .findings: "not confirmed at the prompt; with --strict: a warning",
    .notFound: RunStatus.noFile,
    .failed: "not deleted: not a realm, no permission, ...",
    .inUse: RunStatus.heldByApp,
    .usage: RunStatus.usageOrNoYes,
  ]

  static let configuration = CommandConfiguration(
    commandName: "rm", _superCommandName: "realmctl",
    abstract: "Delete a realm with the files that belong to it.",
    discussion: .flowing(
      """
      Deletes a realm, its lock file, its management folder, its notification pipe and
      its logs; with --backups, also the backups next to it. The SDKs' own functions,
      such as Realm.deleteFiles in Swift, do the same, but keep the lock file and
      empty the management folder. Here, only what engines make is deleted: other
      files in that folder, or under such a name, stay, and a warning names them. Of
      a link, only the link is deleted.

      No backup is made, so the command asks first, and a script has to give --yes. A
      realm that an app has open is left alone (status 6). A file that is not a realm
      is not deleted. An encrypted realm needs its key.

      Examples:
        realmctl rm old.realm
        realmctl rm old.realm --backups --yes
        realmctl rm secret.realm --key-file app.key --dry-run

      Exit status:
      \(statusTable)
      """))

  @Argument(help: ArgumentHelp("Realm to delete.", valueName: "file"), completion: .realm)
  var file: String

  @Flag(help: "Also delete its backups.")
  var backups = false

  @Flag(help: "Do not ask for confirmation.")
  var yes = false

  @Flag(help: "Show what would be deleted, but delete nothing.")
  var dryRun = false

  @Option(help: ArgumentHelp("Seconds to wait for a file in use; by default 0.", valueName: "seconds"))
  var wait: WaitingTime?

  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var input: RealmInput
    var includesBackups: Bool
    var isConfirmed: Bool
    var dryRun: Bool
    var waitingMilliseconds: UInt64
  }

  func request() throws -> Request {
    Request(
      input: try RealmInput.all([file], key, changing: "deleted")[0], includesBackups: backups, isConfirmed: yes,
      dryRun: dryRun, waitingMilliseconds: wait?.milliseconds ?? 0)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let input = request.input
    try input.requireChangeable()
    // A file that is not a realm, or not the one that was meant, is not deleted.
    let identity: FileIdentity?
    do {
      identity = try input.readBytes(console, with: input.key?.read(for: input.name)) { $0.identity }
    } catch var diagnostic as Diagnostic
      where diagnostic.status == .failed && diagnostic.code == .invalidDatabase && input.key == nil
    {
      diagnostic.problem += ", so it was not deleted"
      diagnostic.advice = "to delete it anyway, use the system's own rm"
      throw diagnostic
    } catch var diagnostic as Diagnostic where diagnostic.status == .key && diagnostic.path == input.name {
      diagnostic.problem += ", so it was not deleted"
      throw diagnostic
    }
    let removal = try explaining(input) {
      try RealmRemoval(of: input.path, read: identity, includesBackups: request.includesBackups)
    }
    for stranger in removal.strangers { console.warn(Diagnostic(stranger)) }
    if request.dryRun {
      try explaining(input) { try removal.requireUnused(waitingMilliseconds: request.waitingMilliseconds) }
      try tell(removal.paths, request, console)
      return .done
    }
    try confirm(request, console)
    do {
      try explaining(input) { try removal.remove(waitingMilliseconds: request.waitingMilliseconds) }
    } catch {
      if !removal.removed.isEmpty { try tell(removal.removed, request, console) }
      throw error
    }
    try tell(removal.removed, request, console)
    return .done
  }

  private func explaining<Result>(_ input: RealmInput, _ body: () throws -> Result) throws -> Result {
    do { return try Diagnostic.ofLaunch(input.name, body) } catch var diagnostic as Diagnostic
      where diagnostic.code == .filePermissionDenied
    {
      // A copy would be no help.
      diagnostic.advice = "give this user write permission for the folder"
      throw diagnostic
    }
  }

  private func tell(_ paths: [String], _ request: Request, _ console: Console) throws {
    let verb = request.dryRun ? "would be deleted" : "deleted"
    let text = paths.map { "\(PrintableText.escaping($0)): \(verb)\n" }.joined()
    let json = JSONText.document { json in
      json.path("input", request.input.path)
      json.member("dryRun", request.dryRun)
      json.paths("deletedFiles", paths)
    }
    try console.info(text, json: json, alongsideData: false)
  }

  private func confirm(_ request: Request, _ console: Console) throws {
    guard !request.isConfirmed else { return }
    let what = request.includesBackups ? "the realm and its backups" : "the realm"
    try console.confirmDeletion(of: request.input.name, "delete \(what)?", "\(what) would be deleted")
  }
}

extension Diagnostic {
  /// A warning about what stays, because no engine made it.
  fileprivate init(_ stranger: RealmRemoval.Stranger) {
    let problem =
      switch stranger.problem {
      case .notAPipe: "not a named pipe, as engines make it, so it stays"
      case .notAFile: "not a file, as engines make it, so it stays"
      case .notAFolder: "not a folder, as engines make it, so it stays"
      case .holdsOthers(let count): "the folder stays with \(count.counted("file")) that engines do not make"
      }
    self.init(.done, .fileOperationFailed, path: stranger.path, problem)
  }
}
