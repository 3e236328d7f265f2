import Foundation
import LeaveRealmRescue
import RealmStorage
import RealmSystem
import TestSupport
import Testing

@testable import LeaveRealm

/// Leaving a realm that is damaged.
@Suite struct LeaveRescueTests {
  /// Copies two objects at a time, and stops before a batch.
  private static func copy(_ rescue: LeaveRealmRescue, to target: FakeTarget, dyingAtBatch death: Int = .max) throws {
    var batches = 0
    for saved in rescue.account.classes where rescue.run.realm.schema.classNamed(RealmString(saved.name)) != nil {
      try rescue.run.copy(saved.name, batch: 2) { objects, checkpoint in
        batches += 1
        if batches == death { throw Killed() }
        try target.transaction { state in
          for object in objects { state.rows[saved.name, default: [:]][object.key.rawValue] = object.values }
          state.checkpoint = checkpoint.text
        }
      }
    }
    try rescue.run.finish { checkpoint in try target.transaction { $0.checkpoint = checkpoint.text } }
  }

  /// Bit for bit: there are NaNs.
  private static func isSame(_ left: [String: [Int64: [Value]]], _ right: [String: [Int64: [Value]]]) -> Bool {
    left.mapValues { $0.mapValues(\.count) } == right.mapValues { $0.mapValues(\.count) }
      && left.allSatisfy { name, rows in
        rows.allSatisfy { key, values in zip(values, right[name]?[key] ?? []).allSatisfy { $0.isSame(as: $1) } }
      }
  }

  @Test(arguments: [false, true]) func `a realm without a header is saved, whenever a run is killed`(isEncrypted: Bool)
    throws
  {
    let fixture = isEncrypted ? "engine/all-types-encrypted.realm" : "engine/dogs.realm"
    let key = isEncrypted ? try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) } : nil
    let (folder, path) = try LeaveRealmTests.folder(fixture)
    let whole = FakeTarget()
    _ = try LeaveRealmTests.copy(path, key: key, to: whole)
    // The bytes that say where everything is.
    var bytes = try Fixture.bytes(ofFile: path)
    let header = isEncrypted ? 4096..<4096 + 4096 : 0..<24
    for place in header { bytes[place] = 0 }
    _ = try folder.write("app.realm", bytes)
    let before = try Fixture.bytes(ofFile: path)
    #expect(throws: LeaveError.self) { try LeaveRealmTests.copy(path, key: key, to: FakeTarget()) }
    let saved = FakeTarget()
    do {
      let once = try LeaveRealmRescue(of: path, key: key) { nil }
      try Self.copy(once, to: saved)
      for counted in once.account.classes {
        #expect(counted.savedCount == saved.state.rows[counted.name]?.count ?? 0)
      }
      // Without the first page of the encrypted file, more is lost than the header.
      #expect(isEncrypted ? !once.account.isComplete : saved.state.rows == whole.state.rows)
      try once.run.archive()
      #expect(!FileManager.default.fileExists(atPath: path))
      try once.run.restore()
      #expect(try Fixture.bytes(ofFile: path) == before)
    }
    let temporary = try TemporaryFolder()
    var isDone = false
    for death in 1...100 where !isDone {
      let target = FakeTarget()
      do {
        let rescue = try LeaveRealmRescue(of: path, key: key, temporaryFolder: temporary.path("")) { nil }
        try Self.copy(rescue, to: target, dyingAtBatch: death)
        isDone = true
      } catch let error as LeaveError where error.kind == .target {
        let rescue = try LeaveRealmRescue(of: path, key: key, temporaryFolder: temporary.path("")) {
          target.state.checkpoint
        }
        try Self.copy(rescue, to: target)
      }
      #expect(Self.isSame(target.state.rows, saved.state.rows))
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path("")) == [])
    }
    #expect(isDone)
    #expect(try Fixture.bytes(ofFile: path) == before)
  }

  @Test func `a checkpoint belongs to the bytes and to what is saved`() throws {
    let (folder, path) = try LeaveRealmTests.folder()
    let target = FakeTarget()
    try Self.copy(try LeaveRealmRescue(of: path) { nil }, to: target)
    #expect(throws: LeaveError.self) {
      try LeaveRealmRescue(of: path, includesDoubtful: true) { target.state.checkpoint }
    }
    #expect(throws: LeaveError.self) { try LeaveRealm(from: path) { target.state.checkpoint } }
    _ = try folder.write("app.realm", Fixture.bytes(ofFile: path) + [0])
    #expect(throws: LeaveError.self) { try LeaveRealmRescue(of: path) { target.state.checkpoint } }
  }
}
