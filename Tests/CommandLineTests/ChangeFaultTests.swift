import ArgumentParser
import Foundation
import RealmExchange
import RealmSystem
import TestSupport
import Testing

@testable import RealmStorage
@testable import realmctl

/// `migrate`, `upgrade`, `downgrade` and `open` with a configuration, with each call for a file failing in turn.
///
/// These change a realm in place, so that bytes outside its nodes may differ from before: what counts is the content.
/// It is the old or the new one, and passes the checker; a backup has the old one; nothing else is left behind; the
/// message names a file and the reason; the next run does the work and cleans up.
@Suite struct ChangeFaultTests {
  /// Calls that are interrupted or do less than they could are repeated in one place for all.
  static let cases: [(ChangeScenario, FailingCalls.Fault)] = ChangeScenario.all.enumerated().flatMap {
    index, scenario in
    FailingCalls.Fault.allCases.filter { fault in
      switch fault {
      case .kill, .earlyEnd: false
      case .interruption, .shortCount: index < 3
      default: true
      }
    }.map { (scenario, $0) }
  }

  @Test(arguments: cases)
  func whateverFailsLeavesTheOldOrTheNew(_ scenario: ChangeScenario, _ fault: FailingCalls.Fault) throws {
    let scenario = try scenario.prepared()
    let expected = try scenario.expected()
    let folder = try TemporaryFolder()
    let command = try scenario.scenario.command(in: folder)
    var call = 0
    var calls: FailingCalls
    repeat {
      call += 1
      try scenario.scenario.fill(folder)
      let before = try ChangedFolder(folder)
      calls = FailingCalls(fault, atCall: call)
      let diagnostic = try FileBackend.$calls.withValue(calls) { try ChangeScenario.run(command) }
      let outcome = ChangeOutcome(
        scenario: scenario, fault: fault, failedCall: calls.failedCall, diagnostic: diagnostic, before: before,
        after: try ChangedFolder(folder), expected: expected)
      let place = Comment(rawValue: "call \(call), \(calls.failedCall ?? "none"): \(diagnostic?.text ?? "done")")
      #expect(outcome.problems == [], place)
      #expect(calls.openDescriptors == 0, place)
      // What is done is not done again.
      guard diagnostic != nil, outcome.after != expected else { continue }
      #expect(try ChangeScenario.runUndisturbed(command)?.text == nil, place)
      #expect(try ChangedFolder(folder) == expected, place)
    } while calls.hasFailed
    #expect(call > 5)
  }

  @Test func anUnsettledChangeKeepsTheBackupAndNamesIt() throws {
    let scenario = try #require(ChangeScenario.all.first)
    let folder = try TemporaryFolder()
    let command = try scenario.scenario.command(in: folder)
    func run(_ calls: FailingCalls) throws -> Diagnostic? {
      try scenario.scenario.fill(folder)
      return try FileBackend.$calls.withValue(calls) { try ChangeScenario.run(command) }
    }
    let all = FailingCalls(.end, atCall: 0)
    #expect(try run(all)?.text == nil)
    let calls = FailingCalls(.end, atCall: all.madeCalls)
    let diagnostic = try #require(try run(calls))
    #expect(calls.failedCall == "fsync")
    let (realm, backup) = (folder.path("app.realm"), folder.path("kept.realm"))
    #expect(
      diagnostic.text
        == "\(realm): the disk failed in the last step, so the file has either the old or the new contents "
        + "(fsync: Input/output error); run 'open' to see which; \(backup) has the old contents")
    #expect(try Fixture.bytes(ofFile: backup) == Fixture.bytes("engine/person-v1.realm"))
  }
}

/// A command that changes a realm, with what it needs.
struct ChangeScenario: Sendable, CustomTestStringConvertible {
  let scenario: FaultScenario
  /// Whether there must be `kept.realm` wherever `app.realm` is the new one.
  var keepsBackup: Bool { scenario.arguments.contains("%kept.realm") }
  var testDescription: String { scenario.description }

  init(_ arguments: String, _ files: @escaping @Sendable () throws -> [String: [UInt8]]) {
    scenario = FaultScenario(arguments, files)
  }

  func prepared() throws -> ChangeScenario {
    let files = try scenario.prepared().files
    return ChangeScenario(scenario.description, files)
  }

  /// - Returns: what went wrong.
  static func run(_ command: any RealmctlCommand) throws -> Diagnostic? {
    do {
      if let open = command as? OpenCommand {
        // Without the report, which goes to standard output.
        let launch = try #require(try open.request().launch)
        let key = try launch.input.key?.read(for: launch.input.name)
        _ = try LaunchRun(request: launch, console: Console(open.messages.style)).run(key: key)
      } else {
        #expect(try command.perform(on: Console(command.messages.style)) == .done)
      }
      return nil
    } catch let diagnostic as Diagnostic {
      return diagnostic
    }
  }

  static func runUndisturbed(_ command: any RealmctlCommand) throws -> Diagnostic? {
    try FileBackend.$calls.withValue(FailingCalls(.end, atCall: 0)) { try run(command) }
  }

  /// What is in the folder after a run in which nothing fails.
  func expected() throws -> ChangedFolder {
    let folder = try TemporaryFolder()
    try scenario.fill(folder)
    let before = try ChangedFolder(folder)
    #expect(try Self.runUndisturbed(scenario.command(in: folder))?.text == nil)
    let after = try ChangedFolder(folder)
    #expect(after != before)
    #expect(after.findings == [])
    if keepsBackup { #expect(after.files["kept.realm"] == before.files["app.realm"]) }
    return after
  }
}

/// The files of a folder: realms by content, all others by their bytes, without lock files.
struct ChangedFolder: Equatable {
  enum Content: Equatable {
    case bytes([UInt8])
    /// Also a realm of an older format, which is always replaced as a whole.
    case realm(schemaVersion: UInt64?, format: UInt8, isEncrypted: Bool, ContentHash)
  }

  private(set) var files: [String: Content] = [:]
  private(set) var findings: [String] = []

  /// Without what a run could not remove.
  var withoutTemporaries: ChangedFolder {
    var folder = self
    folder.files = files.filter { !$0.key.contains(".realmctl-") }
    return folder
  }

  init(_ folder: TemporaryFolder) throws {
    for (name, bytes) in try FolderContent(folder).withoutLocks {
      files[name] = .bytes(bytes)
      guard name.hasSuffix(".realm") else { continue }
      do { files[name] = try Self.content(of: bytes) } catch { findings.append("\(name): \(error)") }
    }
  }

  /// Realms that have been looked at: most runs leave one of two.
  private static let known = Locked<[[UInt8]: Content]>([:])

  private static func content(of bytes: [UInt8]) throws -> Content {
    if let content = known.withLock({ $0[bytes] }) { return content }
    let isEncrypted = !bytes.dropFirst(16).starts(with: Array("T-DB".utf8))
    let folder = try TemporaryFolder()
    let realm = try LeftRealm(folder.write("app.realm", bytes), key: isEncrypted ? Fixture.engineKey : nil)
    let content = Content.realm(
      schemaVersion: realm.snapshot.schema.version, format: realm.snapshot.header.format, isEncrypted: isEncrypted,
      try ContentHasher(realm.snapshot).run())
    known.withLock { $0[bytes] = content }
    return content
  }

  static func == (a: ChangedFolder, b: ChangedFolder) -> Bool { a.files == b.files }
}

/// What a run with a fault left.
private struct ChangeOutcome {
  let scenario: ChangeScenario
  let fault: FailingCalls.Fault
  let failedCall: String?
  let diagnostic: Diagnostic?
  let before: ChangedFolder
  let after: ChangedFolder
  let expected: ChangedFolder

  /// What should not be.
  var problems: [String] { after.findings + statusProblems + contentProblems + messageProblems }

  private var statusProblems: [String] {
    guard let diagnostic else {
      // What cannot be removed stays until the next run.
      let isDone = failedCall == "unlink" ? after.withoutTemporaries == expected : after == expected
      return isDone ? [] : ["done, and it is not"]
    }
    if failedCall == nil || fault == .interruption || fault == .shortCount { return ["gave up"] }
    // The last sync decides what is on the disk, which the system does not report.
    guard isRealmNew else { return [] }
    // Reading what was committed failed, and that is what the message says.
    if diagnostic.text.contains("the change was made, but the file could not be read afterwards") { return [] }
    return failedCall == "fsync" || fault == .end ? [] : ["done, but: \(diagnostic.text)"]
  }

  private var isRealmNew: Bool {
    let new = expected.files["app.realm"]
    return after.files["app.realm"] == new && before.files["app.realm"] != new
  }

  private var contentProblems: [String] {
    var problems: [String] = []
    for (name, content) in after.files.sorted(by: { $0.key < $1.key }) where !isWelcome(name, content) {
      problems.append("\(name)")
    }
    for name in before.files.keys where after.files[name] == nil { problems.append("no \(name)") }
    if scenario.keepsBackup, isRealmNew, after.files["kept.realm"] != expected.files["kept.realm"] {
      problems.append("no backup")
    }
    return problems
  }

  private func isWelcome(_ name: String, _ content: ChangedFolder.Content) -> Bool {
    if before.files[name] == content { return true }
    // What cannot be removed stays until the next run.
    if name.contains(".realmctl-") { return fault == .end || failedCall == "unlink" }
    guard expected.files[name] == content else { return false }
    if name == "kept.realm", let diagnostic {
      return isRealmNew || fault == .end || failedCall == "unlink" || diagnostic.text.contains("in the last step")
    }
    return true
  }

  private var messageProblems: [String] {
    guard let diagnostic else { return [] }
    var problems: [String] = []
    if !scenario.scenario.arguments.contains(where: { namesFile($0, diagnostic.path) }) {
      problems.append("names \(diagnostic.path ?? "no file")")
    }
    let reasons = [fault == .noSpace ? "No space left on device" : "Input/output error", "folder could not be synced"]
    if !reasons.contains(where: { diagnostic.text.contains($0) }) { problems.append("no reason") }
    return problems
  }

  private func namesFile(_ argument: String, _ path: String?) -> Bool {
    guard argument.hasPrefix("%"), let path else { return false }
    return path.hasSuffix("/" + argument.dropFirst()) || path.hasSuffix("/" + argument.dropFirst() + ".lock")
  }
}

extension ChangeScenario {
  private static func files(_ fixture: String, _ model: String = personModel)
    -> @Sendable () throws -> [String: [UInt8]]
  {
    { ["app.realm": try Fixture.bytes("engine/\(fixture).realm"), "model.json": Array(model.utf8)] }
  }

  /// Adds a property, an index and a class.
  private static let personModel = """
    [{"name":"Person","properties":{"firstName":{"type":"string","indexed":true},"lastName":"string","age":"int",
      "email":"string?"}},
     {"name":"Team","primaryKey":"name","properties":{"name":"string"}}]
    """

  private static let teamModel = #"[{"name":"Team","primaryKey":"name","properties":{"name":"string"}}]"#

  private static let encrypted: @Sendable () throws -> [String: [UInt8]] = {
    let folder = try TemporaryFolder()
    let realm = try folder.write("app.realm", Fixture.bytes("engine/person-v1.realm"))
    let key = try folder.write("key", Fixture.engineKey)
    let copy = ["write-copy", realm, folder.path("out.realm"), "--out-key-file", key, "--quiet"]
    let command = try #require(try Realmctl.parseAsRoot(copy) as? any RealmctlCommand)
    #expect(try command.perform(on: Console(command.messages.style)) == .done)
    return try files("person-v1")().merging([
      "app.realm": try Fixture.bytes(ofFile: folder.path("out.realm")), "key": Fixture.engineKey,
    ]) { $1 }
  }

  /// Nodes mean the same in format 23.
  private static let older: @Sendable () throws -> [String: [UInt8]] = {
    let tree = try NodeTree(Fixture.bytes("engine/person-v1.realm"))
    tree.format = 23
    return try files("person-v1")().merging(["app.realm": tree.written(.normal)]) { $1 }
  }

  private static let seed: @Sendable () throws -> [String: [UInt8]] = {
    var files = try Self.files("person-v1")()
    files["seed.realm"] = files.removeValue(forKey: "app.realm")
    return files
  }

  private static let withOutput: @Sendable () throws -> [String: [UInt8]] = {
    try files("person-v1")().merging(["out.realm": try Fixture.bytes("engine/dogs.realm")]) { $1 }
  }

  /// Values are read and written in several parts: the plan runs on a copy.
  private static let plan = """
    plan: 1
    steps:
    - to: 2
      do:
      - add_property: { class: Person, name: full, type: string, value: { template: "{firstName} {age}" } }
      - convert: { class: Person, name: age, to: string }
    - to: 3
      do:
      - delete_objects: { class: Person, where: 'age == "0"' }
      - remove_property: { class: Person, name: lastName, lossy: ok }
    """
  /// Only the schema changes: the plan runs in place.
  private static let renames =
    "plan: 1\nsteps:\n- to: 2\n  do: [ { rename_property: { class: Person, from: age, to: years } } ]\n"

  private static func with(
    _ plan: String, _ files: @escaping @Sendable () throws -> [String: [UInt8]]
  ) -> @Sendable () throws -> [String: [UInt8]] {
    { try files().merging(["plan.yml": Array(plan.utf8)]) { $1 } }
  }

  private static let toModel = "--schema %model.json --to-version 2"
  private static let launchModel = "--schema %model.json --schema-version 2"
  private static let deletion = "--schema %model.json --schema-version 1 --delete-if-migration-needed --yes"

  static let all: [ChangeScenario] = [
    ChangeScenario("migrate %app.realm \(toModel) --backup %kept.realm", files("person-v1")),
    ChangeScenario("migrate %app.realm \(toModel) --backup %kept.realm --key-file %key", encrypted),
    ChangeScenario("migrate %app.realm \(toModel) --upgrade --backup %kept.realm", older),
    ChangeScenario("migrate %app.realm \(toModel) -o %out.realm", files("person-v1")),
    ChangeScenario("migrate %app.realm \(toModel) -o %out.realm --force", withOutput),
    ChangeScenario("migrate %app.realm --plan %plan.yml --backup %kept.realm", with(plan, files("person-v1"))),
    ChangeScenario("migrate %app.realm --plan %plan.yml --backup %kept.realm", with(renames, files("person-v1"))),
    ChangeScenario("migrate %app.realm --plan %plan.yml --backup %kept.realm --key-file %key", with(plan, encrypted)),
    ChangeScenario("migrate %app.realm --plan %plan.yml -o %out.realm", with(plan, files("person-v1"))),
    ChangeScenario("update %app.realm Person --all --set firstName=E --yes --backup %kept.realm", files("person-v1")),
    ChangeScenario("update %app.realm Person --all --set firstName=E --yes -o %out.realm", files("person-v1")),
    ChangeScenario("insert %app.realm Person firstName=E --backup %kept.realm", files("person-v1")),
    ChangeScenario("delete %app.realm Person --all --yes --backup %kept.realm", files("person-v1")),
    ChangeScenario("open %app.realm \(launchModel) --backup %kept.realm", files("person-v1")),
    ChangeScenario("open %app.realm \(launchModel) --backup %kept.realm --key-file %key", encrypted),
    ChangeScenario("open %app.realm --seed-file %seed.realm", seed),
    ChangeScenario("open %app.realm --seed-file %seed.realm \(launchModel)", seed),
    ChangeScenario("open %app.realm --compact-if free>0 \(launchModel) --no-backup", files("person-v1", teamModel)),
    ChangeScenario("open %app.realm \(deletion) --backup %kept.realm", files("person-v1")),
    ChangeScenario("open %app.realm \(deletion) --backup %kept.realm --key-file %key", encrypted),
    ChangeScenario("open %app.realm --upgrade --backup %kept.realm", older),
    ChangeScenario("upgrade %app.realm --backup %kept.realm", older),
    ChangeScenario("upgrade %app.realm -o %out.realm", older),
    ChangeScenario("downgrade %app.realm --file-format 22 --backup %kept.realm", files("person-v1")),
    ChangeScenario("downgrade %app.realm --file-format 20 -o %out.realm", files("person-v1")),
  ]
}
