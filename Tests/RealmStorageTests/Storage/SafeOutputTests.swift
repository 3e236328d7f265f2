import Foundation
import TestSupport
import Testing

@testable import RealmStorage

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
    try folder.write(".a.realmctl-4711-1/x.csv", [1])
    try folder.write(".b.realmctl-4711-0", [1])
    let others = [
      try OutputFolder(at: folder.path("a"), replacing: .never, inputs: []),
      try OutputFolder(at: folder.path("a"), replacing: .never, inputs: []),
    ]
    #expect(try folder.names().filter { $0.contains("4711") } == [".b.realmctl-4711-0"])
    #expect(try folder.names().count == 1 + others.count)
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
