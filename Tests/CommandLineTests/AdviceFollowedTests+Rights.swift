import Foundation
import RealmSystem
import TestSupport
import Testing

@testable import RealmStorage
@testable import realmctl

/// Advice for users without permissions, and about failing disks.
extension AdviceFollowedTests {
  /// The advice for a user without permissions. Shell commands are run by the user who runs the tests.
  static let permissionRows: [Row] = [
    Row(
      "open person.realm", "give this user read permission", after: "chmod 200 person.realm",
      "$ chmod 444 person.realm", "open person.realm"),
    Row(
      "open person.realm --schema text.json --schema-version 2 --plan text.yml",
      "use --read-only, as an app has to, or change a copy with --in-memory", after: "chmod 444 person.realm",
      "open person.realm --schema person.realm --schema-version 1 --read-only",
      "open person.realm --schema text.json --schema-version 2 --plan text.yml --in-memory"),
    Row(
      "write-copy dogs.realm folder/some.realm", "give this user write permission for the folder",
      after: "chmod 555 folder", "$ chmod 777 folder", "write-copy dogs.realm folder/some.realm"),
    Row(
      "compact folder/dogs.realm", "give this user write permission for the folder", after: "chmod 555 folder",
      "$ chmod 777 folder", "compact folder/dogs.realm"),
    Row(
      "update folder/dogs.realm Toy --all --set name=x --yes",
      "give this user write permission for the folder, or work on a copy", after: "chmod 555 folder",
      "write-copy folder/dogs.realm copy.realm", "update copy.realm Toy --all --set name=x --yes"),
    Row(
      "compact dogs.realm --backup folder/before.realm", "name another folder with --backup, or use --no-backup",
      after: "chmod 555 folder", "compact dogs.realm --backup before.realm"),
    Row(
      "compact dogs.realm --backup folder/before.realm", "or use --no-backup", after: "chmod 555 folder",
      "compact dogs.realm --no-backup"),
  ]

  /// Messages about another user's files.
  static let ownerRows: [Row] = [
    Row(
      "update dogs.realm Toy --all --set name=x --yes", "in that group, or use --no-backup",
      after: "chown 0 dogs.realm; chmod 666 dogs.realm", "update dogs.realm Toy --all --set name=x --yes --no-backup"),
    Row(
      "compact dogs.realm --no-backup", "in that group, or write to another path",
      after: "chown 0 dogs.realm; chmod 666 dogs.realm", "compact dogs.realm -o small.realm"),
  ]

  @Test(arguments: permissionRows + (getuid() == 0 ? ownerRows : []))
  func theAdviceWorksWithoutRights(_ row: Row) throws {
    let folder = try Self.folder()
    try #require(chmod(folder.path, 0o777) == 0)
    // Permissions mean nothing to an administrator.
    let user: Int32? = getuid() == 0 ? 65534 : nil
    if let user {
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
        try #require(lchown(folder.path(name), uid_t(user), gid_t(user)) == 0)
      }
    }
    try follow(row, in: folder, as: user)
  }

  // MARK: Disks

  @Test(
    "each way out that a message about a failing disk names is one",
    arguments: [FailingCalls.Fault.noSpace, .inputOutputError, .end])
  func theAdviceWorksForDisks(_ fault: FailingCalls.Fault) throws {
    let folder = try TemporaryFolder()
    let words = "migrate %app.realm --rename Person.age=years --to-version 2"
    let old = try Fixture.bytes("engine/person-v1.realm")
    let scenario = FaultScenario(words + " --backup %kept.realm") { ["app.realm": old] }
    func runs(_ options: String) throws -> Bool {
      let command = try FaultScenario(words + options) { [:] }.command(in: folder)
      return try ChangeScenario.runUndisturbed(command) == nil
    }
    let command = try scenario.command(in: folder)
    var followed: Set<String> = []
    var (call, calls) = (0, FailingCalls(fault, atCall: 0))
    repeat {
      call += 1
      try scenario.fill(folder)
      calls = FailingCalls(fault, atCall: call)
      let diagnostic = try FileBackend.$calls.withValue(calls) { try ChangeScenario.run(command) }
      let left = try FolderContent(folder).withoutLocks
      for advice in diagnostic?.advice.map(Self.alternatives) ?? [] where followed.insert(advice.kind).inserted {
        try FaultScenario("") { left.filter { !$0.key.hasSuffix("/") } }.fill(folder)
        let realm = folder.path("app.realm")
        let helps: Bool
        switch advice.kind {
        case "free some space": helps = try runs(" --backup %kept.realm")
        case "name another with --backup":
          try folder.makeFolder("other")
          helps = try runs(" --backup %other/kept.realm")
        case "use --no-backup": helps = try runs(" --no-backup")
        case "run 'open' to see which": helps = try Tool().run("open", realm).status == 0
        case "run 'check'": helps = try Tool().run("check", realm).status == 0
        case "copy the file to another disk":
          try folder.makeFolder("disk")
          try folder.write("disk/app.realm", Fixture.bytes(ofFile: realm))
          let there = FaultScenario(words.replacing("%app", with: "%disk/app") + " --no-backup") { [:] }
          helps = try ChangeScenario.runUndisturbed(there.command(in: folder)) == nil
        case "has the old contents": helps = try Fixture.bytes(ofFile: advice.path) == old
        default: helps = false
        }
        #expect(helps, "call \(call): \(diagnostic?.text ?? "")")
      }
    } while calls.hasFailed
    #expect(followed.count >= 2, "\(followed.sorted())")
  }

  /// The alternatives in a piece of advice, without what differs between them, and the file that one is about.
  private static func alternatives(_ advice: String) -> [(kind: String, path: String)] {
    advice.replacing(", or ", with: "; ").replacing(", ", with: "; ").components(separatedBy: "; ").map { text in
      if text.hasSuffix(" with --backup") { return ("name another with --backup", "") }
      if text.hasSuffix("--no-backup") { return ("use --no-backup", "") }
      let end = " has the old contents"
      return text.hasSuffix(end) ? ("has the old contents", String(text.dropLast(end.count))) : (text, "")
    }
  }

  @Test("who has waited in vain can wait longer") func waitingLonger() throws {
    let folder = try TemporaryFolder()
    try folder.write("app.realm", try Fixture.bytes("engine/fragmented.realm"))
    let lock = open(folder.path("app.realm.lock"), O_RDWR | O_CREAT, 0o600)
    defer { close(lock) }
    try #require(flock(lock, LOCK_SH | LOCK_NB) == 0)
    // Pauses take no time here. The other program closes the file in the fifth.
    let pauses = Locked(0)
    func run(_ options: String, closesFile: Bool) throws -> Diagnostic? {
      let command = try FaultScenario("compact %app.realm" + options) { [:] }.command(in: folder)
      let calls = FailingCalls(.end, atCall: 0) {
        if closesFile,
          pauses.withLock({
            $0 += 1; return $0
          }) == 5
        {
          flock(lock, LOCK_UN)
        }
      }
      return try FileBackend.$calls.withValue(calls) { try ChangeScenario.run(command) }
    }
    let refusal = try #require(try run(" --wait 1", closesFile: false))
    #expect(refusal.text.hasSuffix("close it there, or use a longer --wait"), "\(refusal.text)")
    #expect(try run(" --wait 3600", closesFile: true)?.text == nil)
    _ = try LeftRealm(folder.path("app.realm"))
  }

  // MARK: Terminals

  @Test("who is asked at a terminal can answer, need not be asked, or redirect") func asking() throws {
    let folder = try Self.folder()
    try folder.write("statements.sql", Array("SELECT 1;".utf8))
    var tool = Tool()
    tool.folder = folder.path
    tool.environment = ["TERM": "xterm"]
    func run(_ words: String..., answer: String? = nil) throws -> (end: Tool.End, text: String) {
      let terminal = try Terminal()
      let process = try tool.start(
        words, input: terminal.program, output: terminal.program, errors: terminal.program, leadsSession: true)
      if let answer {
        _ = try terminal.waitFor("(yes/no) ")
        try terminal.type(answer + "\n")
      }
      return (try process.wait(), try terminal.shown())
    }
    let refusal = try run("delete", "dogs.realm", "Dog", "name == 'Rex'", answer: "no")
    #expect(refusal.end == .status(1) && refusal.text.contains("dogs.realm: nothing was changed"))
    #expect(!refusal.text.contains("--yes"))
    #expect(try run("delete", "dogs.realm", "Dog", "name == 'Rex'", answer: "yes").end == .status(0))
    #expect(try run("delete", "dogs.realm", "Dog", "name == 'Fido'", "--yes").end == .status(0))
    let rest = try tool.run("query", "dogs.realm", "Dog", "name IN {'Rex', 'Fido'}", "--count")
    #expect(rest.outputText == "0\n")
    _ = try LeftRealm(folder.path("dogs.realm"))

    let kept = try run("rm", "dogs.realm", answer: "no")
    #expect(kept.end == .status(1) && kept.text.contains("dogs.realm: nothing was deleted"))
    #expect(!kept.text.contains("--yes"))

    let silence = try run("sql", "dogs.realm")
    #expect(silence.end == .status(64))
    #expect(silence.text.contains("give one as an argument, or on standard input: realmctl sql FILE < statements.sql"))
    #expect(try run("sql", "dogs.realm", "SELECT 1").end == .status(0))
    let redirected = try ReadmeTests.shell(in: folder).run("-c", "realmctl sql dogs.realm < statements.sql")
    #expect(redirected.status == 0 && redirected.outputText == "{\"1\":1}\n")
  }
}
