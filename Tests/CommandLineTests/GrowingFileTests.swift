import Foundation
import RealmSystem
import TestSupport
import Testing

@testable import RealmStorage
@testable import realmctl

/// A commit that makes a file longer between the look at its size and the look at its header, for every command that
/// only reads.
@Suite struct GrowingFileTests {
  private static let commands = [
    "check %app.realm", "export %app.realm -o %out.json", "schema dump %app.realm -o %out.json",
    "schema diff %app.realm %app.realm", "open %app.realm --read-only", "write-copy %app.realm %copy.realm",
  ]

  /// A realm before and after a commit that makes it longer.
  private struct Growth: Sendable {
    let before: [UInt8]
    let after: [UInt8]

    init() throws {
      let folder = try TemporaryFolder()
      before = try Fixture.bytes("engine/person-v1.realm")
      try folder.write("app.realm", before)
      let path = folder.path("app.realm")
      let transaction = try WriteTransaction(try RealmFile(path, key: nil))
      let people = try transaction.table("class_Person")
      let name = RealmString(String(repeating: "a long name ", count: 5000))
      try people.set("firstName", of: people.create(), to: .string(name))
      try transaction.commit()
      after = try Fixture.bytes(ofFile: path)
    }

    /// Writes the end first and the header last, as a commit does.
    static func overwrite(_ path: String, with bytes: [UInt8]) throws {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      defer { try? file.close() }
      try file.seek(toOffset: 24)
      try file.write(contentsOf: Data(bytes[24...]))
      try file.seek(toOffset: 0)
      try file.write(contentsOf: Data(bytes[..<24]))
    }
  }

  @Test(arguments: commands) func `a commit while a file is being opened does not matter`(_ command: String) throws {
    let growth = try Growth()
    #expect(growth.after.count > growth.before.count)
    let folder = try TemporaryFolder()
    let scenario = FaultScenario(command) { [:] }
    var calls = 0
    // The commit comes after the first, the second … look at the size of a file.
    for moment in 1... {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        try FileManager.default.removeItem(atPath: folder.path(name))
      }
      try folder.write("app.realm", growth.before)
      let path = folder.path("app.realm")
      let made = Locked(0)
      let backend = FailingCalls(
        .inputOutputError, atCall: 0,
        afterStatus: { number in
          made.withLock { $0 = number }
          if number == moment { try? Growth.overwrite(path, with: growth.after) }
        })
      let request = try scenario.command(in: folder)
      let status = try FileBackend.$calls.withValue(backend) { try FaultScenario.run(request) }
      #expect(status == .done || status == .inUse, "look \(moment): \(status)")
      calls = made.withLock { $0 }
      if calls < moment { break }
      #expect(try Fixture.bytes(ofFile: path) == growth.after, "look \(moment)")
    }
    #expect(calls > 0)
  }

  #if os(Linux)
    @Test func `nor do the two steps in which an app converts a copy that it has opened`() throws {
      let copy = try Fixture.bytes("engine/all-types-copy.realm")
      var half = copy
      half.replaceSubrange(8..<16, with: copy[(copy.count - 16)..<(copy.count - 8)])
      half[21] = copy[20]
      var whole = half
      whole[23] |= 1
      let folder = try TemporaryFolder()
      let path = folder.path("app.realm")
      let app = try ChildProcess("StorageProbe", ["hold", path])
      #expect(app.read(until: "\n") == "held\n")
      let request = try FaultScenario("check %app.realm") { [:] }.command(in: folder)
      var (calls, moment) = (1, 0)
      while moment < calls {
        moment += 1
        try folder.write("app.realm", copy)
        let made = Locked(0)
        let (first, steps) = (moment, [half, whole])
        let backend = FailingCalls(
          .inputOutputError, atCall: 0,
          afterStatus: { number in
            made.withLock { $0 = number }
            if steps.indices.contains(number - first) { try? Growth.overwrite(path, with: steps[number - first]) }
          })
        let status = try FileBackend.$calls.withValue(backend) { try FaultScenario.run(request) }
        #expect(status == .done || status == .inUse, "look \(moment): \(status)")
        calls = made.withLock { $0 }
      }
      #expect(calls > 1)
      #expect(app.wait().status == 0)
    }
  #endif
}
