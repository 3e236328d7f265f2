import ArgumentParser
import Foundation
import RealmSystem
import TestSupport
import Testing

@testable import RealmStorage
@testable import realmctl

/// Commands that write a new file, or replace one by a new one, with each call for a file failing in turn. Changes in place are
/// in `ChangeFaultTests`, reading is in `ReadFaultTests`.
///
/// Whatever fails and wherever: what was there is whole or replaced as a whole, inputs keep their bytes, nothing else is
/// left behind, no descriptor stays open, and the next run does the work and cleans up.
@Suite struct CommandFaultTests {
  @Test(arguments: FaultScenario.all, FailingCalls.Fault.allCases.filter { $0 != .kill && $0 != .earlyEnd })
  func whateverFailsLeavesTheOldOrTheNew(_ scenario: FaultScenario, _ fault: FailingCalls.Fault) throws {
    try failEveryCall(of: scenario, fault)
  }

  /// A realm that is large enough for threads, which must not outlive the failure.
  @Test(arguments: [FailingCalls.Fault.noSpace, .end])
  func threadsKeepNothingAlive(_ fault: FailingCalls.Fault) throws {
    let scenario = FaultScenario("compact %app.realm --key-file %key") {
      ["app.realm": try Fixture.bytes("engine/all-types-encrypted.realm"), "key": Fixture.engineKey]
    }
    try failEveryCall(of: scenario, fault)
  }

  private func failEveryCall(of scenario: FaultScenario, _ fault: FailingCalls.Fault) throws {
    let scenario = try scenario.prepared()
    let expected = try scenario.expectedFiles()
    let folder = try TemporaryFolder()
    let command = try scenario.command(in: folder)
    var call = 0
    var calls: FailingCalls
    repeat {
      call += 1
      try scenario.fill(folder)
      let before = try FolderContent(folder)
      calls = FailingCalls(fault, atCall: call)
      let status = try FileBackend.$calls.withValue(calls) { try FaultScenario.run(command) }
      let outcome = FaultOutcome(
        scenario: scenario, fault: fault, failedCall: calls.failedCall, status: status, before: before,
        after: try FolderContent(folder), expected: expected)
      let place = Comment(rawValue: "call \(call), \(calls.failedCall ?? "none")")
      #expect(outcome.problems == [], place)
      #expect(calls.openDescriptors == 0, place)
      guard outcome.after.withoutLocks != expected else { continue }
      // Where only marks are left, the run was complete: the name of its output is taken.
      let again = outcome.complete == expected ? try scenario.command(in: folder, ["--force"]) : command
      // Until a process that another test starts has become its program, it has the lock of what this run left, which
      // only a later run then removes.
      var runs = 0
      repeat {
        #expect(try FaultScenario.run(again) == .done, place)
        runs += 1
      } while try runs < 5 && FolderContent(folder).withoutLocks != expected
      #expect(try FolderContent(folder).withoutLocks == expected, place)
    } while calls.hasFailed
    #expect(call > 1)
  }
}

/// A command with what it needs.
struct FaultScenario: Sendable, CustomStringConvertible {
  let description: String
  /// Words that begin with `%` are names in the folder.
  let arguments: [String]
  let files: @Sendable () throws -> [String: [UInt8]]
  var replacesSeveralFiles: Bool { arguments.contains("%") }

  init(_ arguments: String, _ files: @escaping @Sendable () throws -> [String: [UInt8]]) {
    description = arguments
    self.arguments = arguments.split(separator: " ").map(String.init)
    self.files = files
  }

  /// The same with files that are made.
  func prepared() throws -> FaultScenario {
    let files = try files()
    return FaultScenario(description) { files }
  }

  /// Puts the files into a folder, and nothing else.
  func fill(_ folder: TemporaryFolder) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.removeItem(atPath: folder.path(name))
    }
    for (name, bytes) in try files() { try folder.write(name, bytes) }
  }

  /// Parsed once for many runs: that takes longer than the run.
  func command(in folder: TemporaryFolder, _ more: [String] = []) throws -> any RealmctlCommand {
    let words = arguments.map { $0.hasPrefix("%") ? folder.path(String($0.dropFirst())) : $0 }
    return try #require(try Realmctl.parseAsRoot(words + more + ["--quiet"]) as? any RealmctlCommand)
  }

  /// Runs the command in this process, silently.
  static func run(_ command: any RealmctlCommand) throws -> RunStatus {
    do { return try command.perform(on: Console(command.messages.style)) } catch let diagnostic as Diagnostic {
      return diagnostic.status
    }
  }

  /// What is in the folder after a run in which nothing fails; realms among it are sound.
  func expectedFiles() throws -> [String: [UInt8]] {
    let folder = try TemporaryFolder()
    try fill(folder)
    let before = try FolderContent(folder)
    #expect(try Self.run(command(in: folder)) == .done)
    let after = try FolderContent(folder)
    for (name, bytes) in after.files where name.hasSuffix(".realm") && bytes != before.files[name] {
      let isEncrypted = !bytes.dropFirst(16).starts(with: Array("T-DB".utf8))
      _ = try LeftRealm(folder.path(name), key: isEncrypted ? Fixture.engineKey : nil)
    }
    return after.withoutLocks
  }
}

extension FaultScenario {
  private static let dogs: @Sendable () throws -> [String: [UInt8]] = {
    ["app.realm": try Fixture.bytes("engine/dogs.realm"), "key": Fixture.engineKey]
  }

  private static let dogsAndOutput: @Sendable () throws -> [String: [UInt8]] = {
    try dogs().merging(["out.realm": try Fixture.bytes("engine/person-v1.realm")]) { $1 }
  }

  private static let encrypted: @Sendable () throws -> [String: [UInt8]] = {
    let folder = try TemporaryFolder()
    let output = try SafeOutput(at: folder.path("app.realm"), replacing: .never)
    let key = try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
    let pipeline = BlockPipeline(to: output, key: key, threadLimit: 0)
    let block = try pipeline.emptyBlock()
    let bytes = try Fixture.bytes("engine/dogs.realm")
    UnsafeMutableRawBufferPointer(start: block.start, count: OutputBlock.capacity).copyBytes(from: bytes)
    block.count = bytes.count
    try pipeline.submit(block)
    try pipeline.finish()
    try output.publish()
    return ["app.realm": try Fixture.bytes(ofFile: folder.path("app.realm")), "key": Fixture.engineKey]
  }

  private static let older: @Sendable () throws -> [String: [UInt8]] = {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    tree.format = 23
    return ["app.realm": tree.written(.normal)]
  }

  private static let tables: @Sendable () throws -> [String: [UInt8]] = {
    try dogs().merging(["Dog.csv": Array("old".utf8)]) { $1 }
  }

  private static let data: @Sendable () throws -> [String: [UInt8]] = {
    let schema = """
      {"schemaVersion": 3, "classes": [
        {"name": "Person", "primaryKey": "id", "properties": {"id": "int", "name": "string"}}]}
      """
    let data = #"{"Person": [{"id": 1, "name": "Anna"}, {"id": 2, "name": "Bert"}]}"#
    return ["schema.json": Array(schema.utf8), "data.json": Array(data.utf8)]
  }

  static let all: [FaultScenario] = [
    FaultScenario("compact %app.realm", dogs),
    FaultScenario("compact %app.realm --key-file %key", encrypted),
    FaultScenario("compact %app.realm --upgrade --backup %backup.realm", older),
    FaultScenario("compact %app.realm -o %out.realm", dogs),
    FaultScenario("compact %app.realm -o %out.realm --force", dogsAndOutput),
    FaultScenario("write-copy %app.realm %out.realm", dogs),
    FaultScenario("recover %app.realm -o %out.realm", dogs),
    FaultScenario("recover %app.realm -o %out.realm --report %lost.ndjson --strings %texts.ndjson --force", dogs),
    FaultScenario("write-copy %app.realm %out.realm --force --out-key-file %key", dogsAndOutput),
    FaultScenario("write-copy %app.realm %out.realm --exclude Dog --allow-data-loss", dogs),
    FaultScenario("bundle %app.realm --seed %out.realm", dogs),
    FaultScenario("bundle --schema %schema.json --data %data.json --seed %out.realm", data),
    FaultScenario("export %app.realm -o %out.json", dogs),
    FaultScenario("export %app.realm --format csv -o %tables", dogs),
    FaultScenario("export %app.realm --format csv -o % --force", tables),
    FaultScenario("schema dump %app.realm --format swift -o %Models.swift", dogs),
  ]
}

/// What a run with a fault left.
private struct FaultOutcome {
  let scenario: FaultScenario
  let fault: FailingCalls.Fault
  let failedCall: String?
  let status: RunStatus
  let before: FolderContent
  let after: FolderContent
  let expected: [String: [UInt8]]

  /// What there is but for marks that a new folder of files still has if the run ends, or cannot remove them, after the
  /// folder got its name. The next run into the folder removes them.
  var complete: [String: [UInt8]] {
    let mayHaveMarks = fault == .end || failedCall == "unlink"
    return after.withoutLocks.filter { !(mayHaveMarks && $0.key.contains("/.files.realmctl-")) }
  }

  /// What should not be.
  var problems: [String] {
    var problems = (status == .done) == (complete == expected) || fault == .end ? [] : ["status \(status)"]
    if failedCall == nil || fault == .interruption || fault == .shortCount, status != .done {
      problems.append("gave up: \(status)")
    }
    for (name, bytes) in after.files.sorted(by: { $0.key < $1.key }) where !isWelcome(name, bytes) {
      problems.append("\(name) with \(bytes.count) bytes")
    }
    for name in before.files.keys where after.files[name] == nil { problems.append("no \(name)") }
    return problems
  }

  private func isWelcome(_ name: String, _ bytes: [UInt8]) -> Bool {
    let isOld = before.files[name] == bytes
    let isNew = expected[name] == bytes
    switch fault {
    case .end: return isOld || isNew || name.hasSuffix(".lock") && bytes.isEmpty || name.contains(".realmctl-")
    default:
      // What cannot be removed stays until the next run.
      if failedCall == "unlink" || failedCall == "rmdir", !isOld { return true }
      // Of several files that replace others, some may be new: there is no way to replace all at once.
      let mayBeNew = status == .done || scenario.replacesSeveralFiles && before.files[name] != nil
      return isOld || mayBeNew && isNew || name.hasSuffix(".lock") && bytes.isEmpty
    }
  }
}
