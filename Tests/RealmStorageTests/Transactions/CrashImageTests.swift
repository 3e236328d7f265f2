import TestSupport
import Testing

@testable import RealmStorage

/// What a power cut can leave: all that was synced, and of what was written since, any part in any order.
@Suite struct CrashImageTests {
  private typealias Change = RecordingCalls.Change

  @Test(
    "after a crash at any point the old state is there or the new one",
    arguments: [
      ("dogs", false), ("corners", false), ("dogs", true), ("indexes", true),
    ])
  func crashes(_ fixture: String, _ isEncrypted: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("app.realm")
    let key: EncryptionKey? = isEncrypted ? try .of(Fixture.engineKey) : nil
    try prepare(fixture, at: path, key)
    var dice = SeededDice(seed: UInt64(fixture.utf8.count))
    // The first commit converts a copy, the later ones reuse space that was given back.
    for round in 0..<3 as Range<UInt64> {
      let before = try Fixture.bytes(ofFile: path)
      let old = try State(before, key)
      let calls = RecordingCalls(path)
      let file = try RealmFile(path, key: key, calls: calls)
      try RealmFileTests.rewrite(file, seed: round, share: round == 1 ? 1 : 4)
      let new = try State(try Fixture.bytes(ofFile: path), key)
      #expect(new.version == old.version + 1)
      #expect(new.digest == old.digest)
      let changes = calls.changes
      #expect(changes.filter { $0 == .sync }.count >= 3)
      var seen: Set<UInt64> = []
      for end in 0...changes.count {
        for image in images(of: Array(changes[..<end]), on: before, &dice) {
          let state = try State(image, key)
          #expect(state.version == old.version || state.version == new.version)
          #expect(state.digest == old.digest, "round \(round), \(end) of \(changes.count) calls")
          seen.insert(state.version)
        }
      }
      #expect(seen == [old.version, new.version])
    }
  }

  @Test("after a crash in a change of objects the old objects are there or the new ones", arguments: [false, true])
  func objectChanges(isEncrypted: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("app.realm")
    let key: EncryptionKey? = isEncrypted ? try .of(Fixture.engineKey) : nil
    try RandomEditTests.writeEmptyRealm(at: path, key)
    var edits = RandomEdits(seed: 7)
    var dice = SeededDice(seed: 7)
    for round in 0..<4 {
      let before = try Fixture.bytes(ofFile: path)
      let calls = RecordingCalls(path)
      let transaction = try WriteTransaction(RealmFile(path, key: key, calls: calls))
      try edits.run(transaction, steps: 40)
      try transaction.commit()
      let states = [try State(before, key).digest, try State(try Fixture.bytes(ofFile: path), key).digest]
      let changes = calls.changes
      for end in 0...changes.count {
        for image in images(of: Array(changes[..<end]), on: before, &dice) {
          let state = try State(image, key)
          #expect(states.contains(state.digest), "round \(round), \(end) of \(changes.count) calls")
        }
      }
    }
  }

  // MARK: Support

  private func prepare(_ fixture: String, at path: String, _ key: EncryptionKey?) throws {
    let isSource = (key != nil) == fixture.contains("encrypted")
    let source = try RealmFileTests.opened(Fixture.path("engine/\(fixture).realm"), isSource ? key : nil)
    let output = try SafeOutput(at: path, replacing: .never)
    if isSource {
      try Fixture.bytes("engine/\(fixture).realm").withUnsafeBytes { try output.write($0) }
    } else {
      _ = try RealmWriter(key: key, threadLimit: 0).write(
        SnapshotNodes(of: source, keepsHistory: true), RealmIdentity(of: source), to: output)
    }
    try output.close()
    try output.publish()
  }

  /// What can be read from the bytes of a file.
  private struct State {
    let version: UInt64
    let digest: UInt64

    init(_ bytes: [UInt8], _ key: EncryptionKey?) throws {
      let folder = try TemporaryFolder()
      let path = try folder.write("image.realm", bytes)
      let snapshot = try RealmFileTests.opened(path, key)
      version = snapshot.version
      digest = try snapshot.nodeDigest()
    }
  }

  /// Files that a crash after some changes can leave.
  private func images(of changes: [Change], on bytes: [UInt8], _ dice: inout SeededDice) -> [[UInt8]] {
    let synced = changes.lastIndex(of: .sync).map { $0 + 1 } ?? 0
    let safe = apply(changes[..<synced], to: bytes)
    let loose = Array(changes[synced...])
    guard !loose.isEmpty else { return [safe] }
    var images = [safe, apply(loose[...], to: safe), apply(Array(loose.reversed())[...], to: safe)]
    images.append(apply(loose.suffix(1), to: safe))
    for _ in 0..<2 {
      images.append(apply(loose.filter { _ in dice.roll(2) == 0 }[...], to: safe))
    }
    return images
  }

  private func apply(_ changes: ArraySlice<Change>, to bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for change in changes {
      switch change {
      case .sync: break
      case .resize(let size):
        let size = Int(size)
        if size > bytes.count { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
      case .write(let offset, let written):
        let end = Int(offset) + written.count
        if end > bytes.count { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
        bytes.replaceSubrange(Int(offset)..<end, with: written)
      }
    }
    return bytes
  }
}
