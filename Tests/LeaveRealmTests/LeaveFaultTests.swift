import Foundation
import RealmStorage
import RealmSystem
import TestSupport
import Testing

@testable import LeaveRealm

/// Faults of migrations that apps have written by hand, those that the other suites do not show.
@Suite struct LeaveFaultTests {
  @Test("the schema version does not matter") func schemaVersion() throws {
    var versions: Set<UInt64?> = []
    for name in ["person-v1", "dogs", "synced", "all-types", "no-tables"] {
      let (folder, path) = try LeaveRealmTests.folder("engine/\(name).realm")
      defer { withExtendedLifetime(folder) {} }
      versions.insert(try LeaveRealm(from: path) { nil }.realm.schema.version)
      #expect(try LeaveRealmTests.copy(path, to: FakeTarget(), batch: 500).isComplete)
    }
    #expect(versions.count > 1)
  }

  @Test("the files of an SDK that has the realm open do not matter, and stay as they are") func sideFiles() throws {
    let (folder, path) = try LeaveRealmTests.folder()
    try folder.makeFolder("app.realm.management")
    let child = try ChildProcess("StorageProbe", ["hold", path])
    #expect(child.read(until: "held\n") == "held\n")
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path + ".lock"))
    let before = try FolderContent(folder).files
    #expect(try LeaveRealmTests.copy(path, to: FakeTarget()).isComplete)
    #expect(try FolderContent(folder).files.filter { !$0.key.hasSuffix(".leaving") } == before)
    let run = try LeaveRealm(from: path) { nil }
    try run.finish(leavingOut: ["Dog", "Person", "Toy"]) { _ = $0.text }
    #expect((#expect(throws: LeaveError.self) { try run.archive() })?.kind == .inUse)
    #expect(try FolderContent(folder).files.filter { !$0.key.hasSuffix(".leaving") } == before)
    _ = child.wait()
  }

  @Test("errors of the target are thrown, and end the copying") func errorsOfTheTarget() throws {
    let (folder, path) = try LeaveRealmTests.folder()
    defer { withExtendedLifetime(folder) {} }
    let run = try LeaveRealm(from: path) { nil }
    var calls = 0
    let error = #expect(throws: LeaveError.self) {
      try run.copy("Dog", batch: 1) { _, checkpoint in
        calls += 1
        _ = checkpoint.text
        throw Killed()
      }
    }
    #expect(error?.kind == .target)
    #expect(error?.cause is Killed)
    #expect(calls == 1)
    #expect(run.account["Dog"]?.isComplete == false)
    #expect(run.account["Dog"]?.writtenCount == 0)
  }

  @Test("an object that cannot be converted is named, or skipped and named") func conversion() throws {
    struct TooOld: Error {}
    let (folder, path) = try LeaveRealmTests.folder("engine/person-v1.realm")
    defer { withExtendedLifetime(folder) {} }
    func name(_ person: RealmObject) throws -> String {
      guard person["age"]?.intValue != 35 else { throw TooOld() }
      return person["firstName"]?.stringValue ?? ""
    }
    let run = try LeaveRealm(from: path) { nil }
    let error = #expect(throws: LeaveError.self) {
      try run.copy("Person", decoding: name) { _, checkpoint in _ = checkpoint.text }
    }
    #expect(error?.kind == .object)
    #expect(error?.key == ObjectKey(rawValue: 1))
    var names: [String] = []
    try run.copy(
      "Person", properties: ["firstName", "age"], optional: ["born"], decoding: name, batch: 3, unreadable: .skip
    ) { batch, checkpoint in
      names += batch
      _ = checkpoint.text
    }
    let account = try #require(run.account["Person"])
    #expect(!names.contains("Dale"))
    #expect(account.skipped.map(\.key) == [ObjectKey(rawValue: 1)])
    #expect(account.isComplete)
    #expect(account.unread == ["lastName"])
    #expect(account.missing == ["born"])
    #expect(account.writtenCount == names.count)
  }

  @Test("an unknown property is an error unless it is optional") func properties() throws {
    let (folder, path) = try LeaveRealmTests.folder()
    defer { withExtendedLifetime(folder) {} }
    let run = try LeaveRealm(from: path) { nil }
    let error = #expect(throws: LeaveError.self) { try run.copy("Dog", properties: ["nam"]) { _, _ in } }
    #expect(error?.kind == .name)
    #expect(error?.description.contains("name") == true)
  }

  @Test("what the system refuses is not a fresh installation") func protection() {
    #expect(LeaveError("a", StorageError.file(.notPermitted)).kind == .protected)
    #expect(LeaveError("a", StorageError.file(.permissionDenied)).kind == .protected)
    #expect(LeaveError("a", StorageError.file(.systemCall(name: "open", errorNumber: EIO))).kind == .system)
    #expect(LeaveError("a", OutputError.changedMeanwhile(path: "a")).kind == .changing)
    #expect(LeaveError("a", AccessError.inUse(path: "a", holders: .unknown)).kind == .inUse)
  }

  @Test("every call that fails leads to an error, or to the result") func failingCalls() throws {
    for fault in [FailingCalls.Fault.inputOutputError, .noSpace, .interruption, .shortCount] {
      var call = 1
      while true {
        let (folder, path) = try LeaveRealmTests.folder()
        try folder.makeFolder("tmp")
        let calls = FailingCalls(fault, atCall: call)
        let run = FileBackend.$calls.withValue(calls) {
          Result { try LeaveRealm(from: path, temporaryFolder: folder.path("tmp")) { nil } }
        }
        switch run {
        case .success(let run): #expect(run.realm.schema.classes.count == 3)
        case .failure(let error):
          #expect((error as? LeaveError)?.kind != .absent, "\(fault) \(call)")
          #expect(fault != .interruption && fault != .shortCount, "\(fault) \(call): \(error)")
        }
        guard calls.hasFailed else { break }
        call += 1
      }
      #expect(call > 3)
    }
  }
}
