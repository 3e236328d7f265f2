import Foundation
import RealmSystem
import TestSupport
import Testing

@testable import RealmStorage
@testable import realmctl

/// Commands that only read, with each call for a file failing in turn.
///
/// They make no call that could change a file, so there is nothing to kill them before. A failure is reported, with
/// file and reason, unless the answer does not need the call; an interruption or a short read changes nothing.
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
    #expect(undisturbed.errors.isEmpty && undisturbed.status != .failed)
    var call = 0
    var calls: FailingCalls
    repeat {
      call += 1
      calls = FailingCalls(fault, atCall: call)
      let outcome = try ReadOutcome(of: command, calls)
      let place = Comment(rawValue: "call \(call), \(calls.failedCall ?? "none"): \(outcome.errors)")
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
  var output: String
  /// What is said on standard error, the reason why the run ended included.
  var errors: String

  init(of command: any RealmctlCommand, _ calls: FailingCalls) throws {
    let folder = try TemporaryFolder()
    let (output, errors) = (try folder.write("output", []), try folder.write("errors", []))
    let outputFile = try #require(FileHandle(forWritingAtPath: output))
    let errorFile = try #require(FileHandle(forWritingAtPath: errors))
    let console = Console(command.messages.style)
    status = try StandardOutput.$descriptor.withValue(outputFile.fileDescriptor) {
      try StandardError.$descriptor.withValue(errorFile.fileDescriptor) {
        do {
          return try FileBackend.$calls.withValue(calls) { try command.perform(on: console) }
        } catch let failure as Diagnostic {
          console.report(failure)
          return failure.status
        }
      }
    }
    try outputFile.close()
    try errorFile.close()
    self.output = String(decoding: try Fixture.bytes(ofFile: output), as: UTF8.self)
    self.errors = String(decoding: try Fixture.bytes(ofFile: errors), as: UTF8.self)
  }

  /// What should not be where a call has failed.
  func problems(_ scenario: FaultScenario, _ folder: TemporaryFolder, _ undisturbed: ReadOutcome) -> [String] {
    guard !errors.isEmpty else {
      // The call was for something that the answer does without.
      return self == undisturbed ? [] : ["status \(status), \(output)"]
    }
    var problems: [String] = []
    if status == .done || status == .findings { problems.append("status \(status)") }
    if !errors.contains("Input/output error") { problems.append("no reason") }
    let files = scenario.arguments.filter { $0.hasPrefix("%") }.map { folder.path(String($0.dropFirst())) }
    // Or the backup that is to be made of one.
    let names = files.map { "\($0): " } + files.map { $0.replacing(/\.realm$/, with: ".pre-migrate-") }
    if !names.contains(where: { errors.hasPrefix("realmctl: \($0)") }) { problems.append("names no file") }
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
    FaultScenario("hash %app.realm", realms),
    FaultScenario("hash %secret.realm --key-file %key", realms),
    FaultScenario("stats %app.realm", realms),
    FaultScenario("summarize %app.realm", realms),
    FaultScenario("summarize %secret.realm --key-file %key", realms),
    FaultScenario("stats %secret.realm --key-file %key", realms),
    FaultScenario("diff %old.realm %app.realm", realms),
    FaultScenario("diff %app.realm --against previous", realms),
    FaultScenario("history %app.realm", realms),
    FaultScenario("export %app.realm --snapshot previous", realms),
    FaultScenario("schema diff %old.realm %app.realm", realms),
    FaultScenario("schema diff %model.json %secret.realm --key-file %key", realms),
    FaultScenario("schema dump %app.realm --format swift", realms),
    FaultScenario("export %app.realm --format ndjson", realms),
  ]
}
