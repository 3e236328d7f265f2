import RealmExchange
import RealmOpening
import RealmStorage
import TestSupport
import Testing

@testable import RealmTools

/// A copy that is not what it should be does not pass.
@Suite struct CopyVerificationTests {
  private func copy(
    of name: String, _ identity: CopyIdentity = .fresh, _ change: (inout CopyOptions) throws -> Void
  ) throws -> (RealmCopy, CopiedRealm) {
    var options = CopyOptions(identity: identity)
    try change(&options)
    let source = try OpenableFixture.named(name).opened()
    return (try RealmCopy(of: source, options), try CopiedRealm(source, options))
  }

  @Test("any byte of the nodes that is another is found", arguments: [false, true])
  func flippedBytes(isRebuilt: Bool) throws {
    // A kept identity has a history as well.
    let (copy, copied) = try copy(of: "dogs", isRebuilt ? .fresh : .kept) { options in
      guard isRebuilt else { return }
      options.filter.classes.excluded = ["Dog"]
      options.filter.allowsDataLoss = true
    }
    let folder = try TemporaryFolder()
    let sound = try folder.write("a.realm", copied.bytes)
    #expect(throws: Never.self) { try copy.verify(fileAt: sound, copied.report.written) }
    let content = try TestRealm(sound).export(.typed).output.bytes
    var unnoticed = 0
    for offset in copied.bytes.indices {
      var bytes = copied.bytes
      bytes[offset] ^= 0x5a
      let path = try folder.write("a.realm", bytes)
      guard try passes(copy, path, copied.report.written) else { continue }
      unnoticed += 1
      #expect(try TestRealm(path).export(.typed).output.bytes == content, "byte \(offset)")
    }
    // Signatures and padding. For a rebuild, the content is compared, which does not depend on indexes and backlinks.
    #expect(isRebuilt || unnoticed * 4 < copied.bytes.count, "\(unnoticed) of \(copied.bytes.count)")
  }

  @Test func `any byte of an upgraded realm that changes what is read is found`() throws {
    let (_, older) = try copy(of: "dogs", .kept) { $0.format = .format23 }
    let folder = try TemporaryFolder()
    let source = try OpenedRealm(fileAt: folder.write("old.realm", older.bytes), key: nil).snapshot
    let copy = try WholeCopy(of: source, WholeCopyOptions(identity: .kept))
    #expect(copy.method == .rebuild)
    let output = try copy.makeOutput(at: folder.path("a.realm"), replacing: .never)
    let report = try copy.write(to: output)
    try output.publish()
    #expect(report.isVerified)
    let bytes = try Fixture.bytes(ofFile: folder.path("a.realm"))
    let content = try TestRealm(folder.path("a.realm")).export(.typed).output.bytes
    var found = 0
    for offset in bytes.indices {
      var changed = bytes
      changed[offset] ^= 0x5a
      let path = try folder.write("a.realm", changed)
      do { try copy.verify(fileAt: path, report.written) } catch {
        found += 1
        continue
      }
      #expect(try TestRealm(path).export(.typed).output.bytes == content, "byte \(offset)")
    }
    #expect(found > 0)
  }

  @Test func `a history other than that of a change of nothing does not pass`() throws {
    for name in ["dogs", "person-v1"] {
      let (copy, copied) = try copy(of: name, .kept) { _ in }
      let folder = try TemporaryFolder()
      let history = try #require(NodeTree(copied.bytes).root.child(8))
      let isBig = history.count == 1
      for value in [[], [7]] as [[UInt8]] {
        let tree = try NodeTree(copied.bytes)
        let leaf = try #require(tree.root.child(8))
        if value.isEmpty {
          // No change at all, and one too many.
          leaf.elements = isBig ? [] : [.child(.numbers([])), .child(.blob([])), .child(.numbers([]))]
        } else {
          try #require(leaf.child(isBig ? 0 : 1)).bytes = value
          if !isBig { try #require(leaf.child(0)).values = [Int64(value.count)] }
        }
        let path = try folder.write("a.realm", tree.written())
        var written = copied.report.written
        (written.logicalSize, written.fileSize) = (0, UInt64(try Fixture.bytes(ofFile: path).count))
        #expect(try !passes(copy, path, written))
      }
    }
  }

  private func passes(_ copy: RealmCopy, _ path: String, _ written: WrittenRealm) throws -> Bool {
    do {
      _ = try copy.verify(fileAt: path, written)
      return true
    } catch is StorageError {
    } catch is CopyDifference {
    } catch is WrittenFault {}
    return false
  }

  @Test func `a copy that is cut off or has another key does not pass`() throws {
    let (copy, copied) = try copy(of: "all-types") { $0.key = try .of(Fixture.engineKey) }
    let (_, other) = try self.copy(of: "all-types") { $0.key = try .of(RealmCopyTests.key) }
    let folder = try TemporaryFolder()
    let cut = try folder.write("cut.realm", Array(copied.bytes.dropLast(4096)))
    #expect(throws: WrittenFault.self) { try copy.verify(fileAt: cut, copied.report.written) }
    let wrong = try folder.write("wrong.realm", other.bytes)
    #expect(throws: CopyDifference.self) { try copy.verify(fileAt: wrong, copied.report.written) }
  }
}
