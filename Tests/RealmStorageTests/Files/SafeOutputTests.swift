import Foundation
import TestSupport
import Testing

@testable import RealmStorage
@testable import RealmSystem

@Suite struct SafeOutputTests {
  private func write(_ text: String, to file: SafeOutput) throws {
    try Array(text.utf8).withUnsafeBytes { try file.write($0) }
  }

  private func content(_ path: String) throws -> String {
    String(decoding: try Fixture.bytes(ofFile: path), as: UTF8.self)
  }

  // MARK: - Files

  @Test func aFileAppearsWhenItIsPublishedAndNotBefore() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a")
    let file = try SafeOutput(at: path, replacing: .never, inputs: [])
    try write("text", to: file)
    try file.close()
    #expect(!FileManager.default.fileExists(atPath: path))
    try file.publish()
    #expect(try content(path) == "text")
    #expect(file.byteCount == 4)
    #expect(try folder.names() == ["a"])
  }

  @Test("where an input cannot be asked who may read it, the owner alone may read the output") func closedOutput()
    throws
  {
    let folder = try TemporaryFolder()
    let file = try SafeOutput(at: folder.path("a"), replacing: .never, inputs: [folder.path("gone")])
    try file.close()
    try file.publish()
    #expect(try SystemFileCalls().status(ofPath: folder.path("a")).mode == 0o600)
  }

  @Test func aFileThatIsLetGoLeavesNothing() throws {
    let folder = try TemporaryFolder()
    var file: SafeOutput? = try SafeOutput(at: folder.path("a"), replacing: .never, inputs: [])
    #expect(file != nil)
    #expect(try folder.names().count == 1)
    file = nil
    #expect(try folder.names().isEmpty)
  }

  @Test func anOldFileStaysUntilItsReplacementIsComplete() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a", Array("old".utf8))
    chmod(path, 0o640)
    let file = try SafeOutput(at: path, replacing: .any, inputs: [])
    try write("new", to: file)
    try file.close()
    #expect(try content(path) == "old")
    try file.publish()
    #expect(try content(path) == "new")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(try folder.names() == ["a"])
  }

  @Test func aLinkStaysOneAndItsTargetIsReplaced() throws {
    let folder = try TemporaryFolder()
    let target = try folder.write("target", Array("old".utf8))
    try #require(symlink("target", folder.path("link")) == 0)
    let file = try SafeOutput(at: folder.path("link"), replacing: .any, inputs: [])
    try write("new", to: file)
    try file.close()
    try file.publish()
    #expect(try content(target) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "target")
  }

  @Test func aFileThatExistsIsNotReplacedUnasked() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a", Array("old".utf8))
    #expect(throws: OutputError.exists(path: path)) { try SafeOutput(at: path, replacing: .never, inputs: []) }
    #expect(try content(path) == "old")
  }

  @Test func aFileThatAppearsMeanwhileIsNotReplacedEither() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a")
    let file = try SafeOutput(at: path, replacing: .never, inputs: [])
    try file.close()
    try folder.write("a", Array("other".utf8))
    #expect(throws: OutputError.exists(path: path)) { try file.publish() }
    #expect(try content(path) == "other")
  }

  @Test func anInputIsNeverReplacedWhateverItsName() throws {
    let folder = try TemporaryFolder()
    let input = try folder.write("a", Array("input".utf8))
    let other = folder.path("b")
    try #require(link(input, other) == 0)
    #expect(throws: OutputError.isInput(path: other)) { try SafeOutput(at: other, replacing: .any, inputs: [input]) }
  }

  @Test func placesWhereNoFileCanBeAreNamed() throws {
    let folder = try TemporaryFolder()
    #expect(throws: OutputError.isDirectory(path: folder.path)) {
      try SafeOutput(at: folder.path, replacing: .any, inputs: [])
    }
    let nowhere = folder.path("nowhere/a")
    #expect(throws: OutputError.folderMissing(path: nowhere)) {
      try SafeOutput(at: nowhere, replacing: .never, inputs: [])
    }
  }

  @Test func aLongNameHasRoomForItsTemporaryName() throws {
    let folder = try TemporaryFolder()
    let name = String(repeating: "é", count: 127)
    let file = try SafeOutput(at: folder.path(name), replacing: .never, inputs: [])
    try file.close()
    try file.publish()
    #expect(try folder.names() == [name])
  }

  // MARK: - The gate

  @Test func aLockFileIsNoOutput() throws {
    let folder = try TemporaryFolder()
    for replacement in [OutputReplacement.never, .any] {
      let path = folder.path("a.realm.lock")
      #expect(throws: OutputError.isLockFile(path: path)) { try SafeOutput(at: path, replacing: replacement) }
      #expect(throws: OutputError.isLockFile(path: path)) { try SafeOutput.check(at: path, replacing: replacement) }
    }
    try #require(symlink("a.realm.lock", folder.path("link")) == 0)
    #expect(throws: OutputError.isLockFile(path: folder.path("link"))) {
      try SafeOutput(at: folder.path("link"), replacing: .any)
    }
    #expect(try folder.names() == ["link"])
  }

  @Test func aRealmThatIsOpenedMeanwhileIsNotReplaced() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", Array("old".utf8))
    let file = try SafeOutput(at: path, replacing: .any)
    try file.close()
    let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    try #require(flock(lock, LOCK_SH) == 0)
    #expect(throws: OutputError.self) { try file.publish() }
    #expect(try content(path) == "old")
    close(lock)
    try file.publish()
    #expect(try content(path) == "")
  }

  @Test(
    arguments: [
      ([0o644, 0o600], 0o600), ([0o640], 0o640), ([0o444], 0o644), ([0o400], 0o600), ([], 0o666),
    ] as [([mode_t], UInt32)])
  func aNewFileIsAsOpenAsTheLeastOpenInput(modes: [mode_t], expected: UInt32) throws {
    let folder = try TemporaryFolder()
    let inputs = try modes.enumerated().map { number, mode in
      let path = try folder.write("input\(number)", [1])
      try #require(chmod(path, mode) == 0)
      return path
    }
    let file = try SafeOutput(at: folder.path("out"), replacing: .never, inputs: inputs)
    try file.close()
    try file.publish()
    // A file created with all permissions shows what the mask of this process removes.
    let calls = SystemFileCalls()
    calls.close(try calls.open(folder.path("open"), .create(mode: 0o666)))
    let mask = try calls.status(ofPath: folder.path("open")).mode
    #expect(try calls.status(ofPath: file.path).mode == expected & mask)
  }

  // MARK: - Leftovers

  @Test func onlyOwnFilesAreTakenForLeftovers() throws {
    let folder = try TemporaryFolder()
    let name = ".a.realmctl-999999999-0"
    try folder.write(name, [1])
    let other = RecordingCalls(path: "", userID: getuid() &+ 1)
    withExtendedLifetime(try SafeOutput(at: folder.path("a"), replacing: .never, calls: other)) {}
    #expect(try folder.names() == [name])
    withExtendedLifetime(try SafeOutput(at: folder.path("a"), replacing: .never)) {}
    #expect(try folder.names() == [])
  }

  @Test("what is in a folder of another user is not taken for a leftover") func leftoversInFoldersOfOthers() throws {
    let folder = try TemporaryFolder()
    try folder.write(".a.realmctl-999999999-0", [1])
    try folder.makeFolder(".a.realmctl-999999999-1")
    let before = try folder.names()
    let calls = RecordingCalls(path: "", owners: [.directory: getuid() &+ 1])
    withExtendedLifetime(try SafeOutput(at: folder.path("a"), replacing: .never, calls: calls)) {}
    withExtendedLifetime(try OutputFolder(at: folder.path("a"), replacing: .never, inputs: [], calls: calls)) {}
    #expect(try folder.names() == before)
  }

  @Test(
    "a pipe of another user is not written to where everybody can make one",
    arguments: [
      (0o1777, 1, 2, false), (0o1777, 0, 2, true), (0o1777, 1, 1, true), (0o777, 1, 2, true), (0o1775, 1, 2, true),
    ] as [(mode_t, UInt32, UInt32, Bool)])
  func pipes(mode: mode_t, pipe: UInt32, parent: UInt32, isUsed: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("out")
    try #require(mkfifo(path, 0o666) == 0)
    try #require(chmod(folder.path, mode) == 0)
    // With a reader, opening does not wait.
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let calls = RecordingCalls(
      path: "", owners: [.special(.pipe): getuid() &+ pipe, .directory: getuid() &+ parent])
    if isUsed {
      #expect(try SafeOutput(at: path, replacing: .any, calls: calls).isStream)
    } else {
      #expect(throws: OutputError.pipeOfAnother(path: path)) { try SafeOutput(at: path, replacing: .any, calls: calls) }
    }
  }

  @Test(
    "a file of another user is replaced, and hands on nothing where everybody can make one", arguments: [true, false])
  func filesOfOthers(isSticky: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("in", [1])
    try folder.write("out", [1])
    for (name, mode) in [("in", 0o600), ("out", 0o666), ("", isSticky ? 0o1777 : 0o755)] as [(String, mode_t)] {
      try #require(chmod(folder.path(name), mode) == 0)
    }
    let calls = RecordingCalls(path: "", owners: [.regular: getuid() &+ 1, .directory: getuid() &+ 2])
    let output = try SafeOutput(at: folder.path("out"), replacing: .any, inputs: [folder.path("in")], calls: calls)
    try write("new", to: output)
    try output.close()
    try output.publish()
    #expect(try content(folder.path("out")) == "new")
    #expect(try SystemFileCalls().status(ofPath: folder.path("out")).mode == (isSticky ? 0o600 : 0o666))
  }

  @Test func aFolderThatIsHeldIsTheSameWhateverBecomesOfItsPath() throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    try folder.makeFolder("data")
    try folder.write("data/a", [1])
    try other.write("a", [1])
    let held = try SystemFileCalls().open(folder.path("data"), .folder)
    defer { close(held) }
    try #require(rename(folder.path("data"), folder.path("moved")) == 0)
    try #require(symlink(other.path, folder.path("data")) == 0)
    try SystemFileCalls().unlink("a", in: held)
    #expect(try other.names() == ["a"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("moved")).isEmpty)
  }

  // MARK: - Folders

  @Test func theFilesOfAFolderAppearTogether() throws {
    let folder = try TemporaryFolder()
    let output = try OutputFolder(at: folder.path("t"), replacing: .never, inputs: [])
    for name in ["a", "b"] { try write(name, to: try output.makeFile(named: name)) }
    #expect(!FileManager.default.fileExists(atPath: folder.path("t/a")))
    try output.publish()
    #expect(try content(folder.path("t/a")) == "a")
    #expect(try content(folder.path("t/b")) == "b")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("t")).count == 2)
  }

  @Test func nothingIsLeftOfANewFolderEvenWhileSomebodyHoldsItsLastFile() throws {
    let folder = try TemporaryFolder()
    var output: OutputFolder? = try OutputFolder(at: folder.path("t"), replacing: .never, inputs: [])
    let held = try output?.makeFile(named: "a")
    output = nil
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    withExtendedLifetime(held) {}
  }

  @Test func aNewFolderAppearsInOneStepOrNotAtAll() throws {
    let folder = try TemporaryFolder()
    let output = try OutputFolder(at: folder.path("t/"), replacing: .never, inputs: [])
    let file = try output.makeFile(named: "a")
    #expect(file.path == folder.path("t/") + "a")
    try write("a", to: file)
    #expect(try folder.names().allSatisfy { $0.hasPrefix(".t.realmctl-") })
    // Somebody else is faster.
    try folder.makeFolder("t")
    #expect(throws: OutputError.exists(path: folder.path("t/"))) { try output.publish() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("t")).isEmpty)
  }

  @Test func inAFolderThatWasThereNothingAppearsWhereOneNameIsTaken() throws {
    let folder = try TemporaryFolder()
    let output = try OutputFolder(at: folder.path, replacing: .never, inputs: [])
    for name in ["a", "b"] { try write(name, to: try output.makeFile(named: name)) }
    try folder.write("b", Array("other".utf8))
    #expect(throws: OutputError.exists(path: folder.path("b"))) { try output.publish() }
    #expect(!FileManager.default.fileExists(atPath: folder.path("a")))
    #expect(try content(folder.path("b")) == "other")
  }

  @Test func whatKilledRunsLeftGoesAndWhatOthersAreWritingStays() throws {
    let folder = try TemporaryFolder()
    try folder.write(".a.realmctl-4711-0", [1])
    try folder.makeFolder(".a.realmctl-4711-1")
    for name in ["x.csv", ".y.csv.realmctl-4711-0"] { try folder.write(".a.realmctl-4711-1/" + name, [1]) }
    try folder.write(".a.realmctl-4711-1/.files.realmctl-4711-1", Array("x.csv\0y.csv\0".utf8))
    try folder.write(".b.realmctl-4711-0", [1])
    let others = [
      try OutputFolder(at: folder.path("a"), replacing: .never, inputs: []),
      try OutputFolder(at: folder.path("a"), replacing: .never, inputs: []),
    ]
    #expect(try folder.names().filter { $0.contains("4711") } == [".b.realmctl-4711-0"])
    #expect(try folder.names().count == 1 + others.count)
  }

  /// The folder's owner, or whoever may write to it, can give any folder such a name, but no list.
  @Test("a folder that another program filled is not taken for a leftover, nor is a file in one of ours")
  func foldersOfOthers() throws {
    let folder = try TemporaryFolder()
    for name in [".a.realmctl-1-0", ".a.realmctl-1-1", ".a.realmctl-1-2", ".a.realmctl-1-3"] {
      try folder.makeFolder(name)
    }
    let kept = [
      ".a.realmctl-1-0/thesis", ".a.realmctl-1-1/thesis", ".a.realmctl-1-2/.files.realmctl-1-2", ".a.realmctl-1-2/x",
    ]
    for name in [kept[0], kept[1], kept[3], ".a.realmctl-1-1/x"] { try folder.write(name, [1]) }
    try folder.write(".a.realmctl-1-1/.files.realmctl-1-1", Array("x\0".utf8))
    try folder.write("list", Array("x\0".utf8))
    try #require(symlink(folder.path("list"), folder.path(kept[2])) == 0)
    withExtendedLifetime(try OutputFolder(at: folder.path("a"), replacing: .never, inputs: [])) {}
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains("/") }.sorted() == kept)
    #expect(!FileManager.default.fileExists(atPath: folder.path(".a.realmctl-1-3")))
  }

  @Test func `a folder is not listed again for each of its files`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("old")
    for name in ["new", "old"] {
      let calls = FailingCalls(.inputOutputError, atCall: 0)
      try FileBackend.$calls.withValue(calls) {
        let output = try OutputFolder(at: folder.path(name), replacing: .never, inputs: [])
        for number in 0..<40 { try write("x", to: try output.makeFile(named: "\(number)")) }
        try output.publish()
      }
      #expect(calls.listings <= 2)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(name)).count == 40)
    }
  }

  @Test func `what killed runs left in a folder goes with the file it belongs to`() throws {
    let folder = try TemporaryFolder()
    for name in [".a.realmctl-4711-0", ".b.realmctl-4711-0"] { try folder.write(name, [1]) }
    let output = try OutputFolder(at: folder.path, replacing: .never, inputs: [])
    try write("x", to: try output.makeFile(named: "a"))
    try output.publish()
    #expect(try folder.names().sorted() == [".b.realmctl-4711-0", "a"])
  }

  @Test func aFolderThatIsLetGoLeavesNothing() throws {
    let folder = try TemporaryFolder()
    var output: OutputFolder? = try OutputFolder(at: folder.path("t"), replacing: .never, inputs: [])
    _ = try output?.makeFile(named: "a")
    output = nil
    #expect(try folder.names().isEmpty)
  }

  @Test func aFolderThatWasThereStaysWithWhatIsInIt() throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", [])
    var output: OutputFolder? = try OutputFolder(at: folder.path, replacing: .never, inputs: [])
    _ = try output?.makeFile(named: "a")
    output = nil
    #expect(try folder.names() == ["mine"])
  }

  @Test func aFileIsNoFolder() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a", [])
    #expect(throws: OutputError.notADirectory(path: path)) {
      try OutputFolder(at: path, replacing: .any, inputs: [])
    }
  }
}
