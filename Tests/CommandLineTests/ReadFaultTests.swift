import Foundation
import TestSupport
import Testing

@testable import RealmStorage
@testable import realmctl

/// Commands that only read, with each call for a file failing in turn.
///
/// They make no call that could change a file, so there is nothing to kill them before. What fails is said, with file and
/// reason, or it was something that the answer does without; an interruption or a short read changes nothing.
@Suite struct ReadFaultTests {
  private static let faults: [FailingCalls.Fault] = [.inputOutputError, .interruption, .shortCount, .end]

  @Test(arguments: FaultScenario.reading, faults)
  func whateverFailsIsSaidAndNothingChanges(_ scenario: FaultScenario, _ fault: FailingCalls.Fault) throws {
    let scenario = try scenario.prepared()
    let folder = try TemporaryFolder()
    try scenario.fill(folder)
    let command = try scenario.command(in: folder)
    let before = try FolderContent(folder)
    let undisturbed = try ReadOutcome(of: command, FailingCalls(.inputOutputError, atCall: 0))
    #expect(undisturbed.diagnostic == nil && undisturbed.status != .failed)
    var call = 0
    var calls: FailingCalls
    repeat {
      call += 1
      calls = FailingCalls(fault, atCall: call)
      let outcome = try ReadOutcome(of: command, calls)
      let ending = outcome.diagnostic?.text ?? "done"
      let place = Comment(rawValue: "call \(call), \(calls.failedCall ?? "none"): \(ending)")
      #expect(try FolderContent(folder) == before, place)
      #expect(calls.openDescriptors == 0, place)
      if calls.hasFailed, fault == .inputOutputError {
        #expect(outcome.problems(scenario, folder, undisturbed) == [], place)
      } else {
        #expect(outcome == undisturbed, place)
      }
    } while calls.hasFailed
    if fault == .end { #expect(calls.madeCalls == 0) } else { #expect(call > 2) }
  }
}

/// How a command that reads ended.
private struct ReadOutcome: Equatable {
  var status: RunStatus
  var diagnostic: Diagnostic?
  var output: [UInt8]

  init(of command: any RealmctlCommand, _ calls: FailingCalls) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("output", [])
    let file = try #require(FileHandle(forWritingAtPath: path))
    (status, diagnostic) = (.done, nil)
    do {
      status = try StandardOutput.$descriptor.withValue(file.fileDescriptor) {
        try FileBackend.$calls.withValue(calls) { try command.perform(on: Console(command.messages.style)) }
      }
    } catch let failure as Diagnostic {
      (status, diagnostic) = (failure.status, failure)
    }
    try file.close()
    output = try Fixture.bytes(ofFile: path)
  }

  /// What should not be where a call has failed.
  func problems(_ scenario: FaultScenario, _ folder: TemporaryFolder, _ undisturbed: ReadOutcome) -> [String] {
    guard let diagnostic else {
      // The call was for something that the answer does without.
      return self == undisturbed ? [] : ["status \(status), \(String(decoding: output, as: UTF8.self))"]
    }
    var problems: [String] = []
    if status == .done || status == .findings { problems.append("status \(status)") }
    if !diagnostic.text.contains("Input/output error") { problems.append("no reason") }
    let files = scenario.arguments.filter { $0.hasPrefix("%") }.map { folder.path(String($0.dropFirst())) }
    if !files.contains(where: { diagnostic.path == $0 }) { problems.append("names \(diagnostic.path ?? "no file")") }
    return problems
  }
}

extension FaultScenario {
  private static let realms: @Sendable () throws -> [String: [UInt8]] = {
    let model = #"[{"name":"Dog","properties":{"name":"string"}}]"#
    return [
      "app.realm": try Fixture.bytes("engine/dogs.realm"), "old.realm": try Fixture.bytes("engine/person-v1.realm"),
      "secret.realm": try Fixture.bytes("engine/all-types-encrypted.realm"), "key": Fixture.engineKey,
      "model.json": Array(model.utf8),
    ]
  }

  static let reading: [FaultScenario] = [
    FaultScenario("open %app.realm", realms),
    FaultScenario("open %secret.realm --key-file %key", realms),
    FaultScenario("open %old.realm --schema %model.json --schema-version 9 --dry-run --allow-data-loss", realms),
    FaultScenario("check %app.realm", realms),
    FaultScenario("check %secret.realm --key-file %key", realms),
    FaultScenario("schema diff %old.realm %app.realm", realms),
    FaultScenario("schema diff %model.json %secret.realm --key-file %key", realms),
    FaultScenario("schema dump %app.realm --format swift", realms),
    FaultScenario("export %app.realm --format ndjson", realms),
  ]
}
