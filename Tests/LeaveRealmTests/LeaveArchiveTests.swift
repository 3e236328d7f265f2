import Foundation
import RealmStorage
import RealmSystem
import TestSupport
import Testing

@testable import LeaveRealm

/// Putting a realm aside and back.
@Suite struct LeaveArchiveTests {
  private func files() throws -> (TemporaryFolder, String) {
    let (folder, path) = try LeaveRealmTests.folder()
    try folder.write("app.realm.lock", [])
    try folder.makeFolder("app.realm.management")
    try folder.write("app.v23.backup.realm", Fixture.bytes("engine/dogs.realm"))
    try folder.write("app.realm.log_a", [1])
    mkfifo(path + ".note", 0o600)
    // Of another realm.
    try folder.write("app.realm2.lock", [])
    return (folder, path)
  }

  private func finished(_ path: String) throws -> LeaveRealm {
    let run = try LeaveRealm(from: path) { nil }
    try run.finish(leavingOut: ["Dog", "Person", "Toy"]) { _ = $0.text }
    return run
  }

  @Test("all files get names that no SDK opens, and their own again") func roundTrip() throws {
    let (folder, path) = try files()
    let before = try folder.names()
    let run = try finished(path)
    let moves = try run.archive()
    #expect(moves.count == 5)
    #expect(moves.last == LeaveMove(from: path, to: path + ".left"))
    #expect(
      try folder.names() == [
        "app.realm.leaving", "app.realm.left", "app.realm.lock", "app.realm.log_a.left", "app.realm.management.left",
        "app.realm.note.left", "app.realm2.lock", "app.v23.backup.realm.left",
      ])
    #expect(try run.archive() == [])
    let error = #expect(throws: LeaveError.self) { try LeaveRealm(from: path) { nil } }
    #expect(error?.kind == .archived)
    #expect(try LeaveRealm.files(of: path).count == 5)
    try run.restore()
    #expect(try folder.names() == (before + ["app.realm.leaving"]).sorted())
    #expect((#expect(throws: LeaveError.self) { try LeaveRealm.restore(path + "x") })?.kind == .absent)
  }

  @Test("a realm that was made afterwards does not get in the way") func again() throws {
    let (folder, path) = try files()
    let run = try finished(path)
    try run.archive()
    try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    #expect((#expect(throws: LeaveError.self) { try run.restore() })?.kind == .changed)
    try run.archive()
    #expect(try folder.names().contains("app.realm.left-2"))
    try run.restore()
    #expect(try folder.names().contains("app.realm.left"))
    #expect(try !folder.names().contains("app.realm.left-2"))
  }

  @Test("what was put aside last comes back, whatever was removed of the others") func gaps() throws {
    let (folder, path) = try files()
    func write(_ number: UInt8) throws {
      try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
      try folder.write("app.realm.log_a", [number])
    }
    for number in 1...3 as ClosedRange<UInt8> {
      try write(number)
      try finished(path).archive()
    }
    let ends = ["", "-2", "-3"].map { "app.realm.left" + $0 }
    #expect(try Set(folder.names()).isSuperset(of: ends))
    // One in the middle, the last one without the files next to it, and the first one.
    for name in [ends[1], ends[2], ends[0]] {
      try FileManager.default.removeItem(atPath: folder.path(name))
      try write(4)
      #expect(try finished(path).archive().last?.to == path + ".left-4")
      try LeaveRealm.restore(path)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".log_a")) == Data([4]))
      try FileManager.default.removeItem(atPath: path + ".log_a")
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(try LeaveRealm.files(of: path).contains(path + ".log_a.left-3"))
  }

  @Test("a realm that somebody has open, or has written to, stays") func refused() throws {
    let (folder, path) = try files()
    let run = try finished(path)
    do {
      let access = try ExclusiveAccess(toRealm: path)
      #expect((#expect(throws: LeaveError.self) { try run.archive() })?.kind == .inUse)
      withExtendedLifetime(access) {}
    }
    try FileManager.default.removeItem(atPath: path)
    try folder.write("app.realm", Fixture.bytes("engine/todo.realm"))
    #expect((#expect(throws: LeaveError.self) { try run.archive() })?.kind == .changed)
    #expect(try folder.names().contains("app.realm"))
  }

  @Test("a call that was interrupted between two renames is completed by the next") func interruption() throws {
    var call = 1
    while true {
      let (folder, path) = try files()
      let before = try folder.names()
      let run = try finished(path)
      let calls = FailingCalls(.end, atCall: call)
      let archived = Result { try FileBackend.$calls.withValue(calls) { try run.archive() } }
      let isThere = FileManager.default.fileExists(atPath: path)
      #expect(isThere || FileManager.default.fileExists(atPath: path + ".left"))
      let isOver = !calls.hasFailed
      if isOver { _ = try archived.get() }
      try run.archive()
      #expect(try folder.names().filter { $0.contains(".left") }.count == 5)
      // The way back, interrupted at the same call.
      _ = try? FileBackend.$calls.withValue(FailingCalls(.end, atCall: call)) { try run.restore() }
      _ = try? run.restore()
      #expect(try folder.names() == (before + ["app.realm.leaving"]).sorted())
      if isOver { break }
      call += 1
    }
    #expect(call > 8)
  }
}
