import Foundation
import TestSupport
import Testing

@testable import RealmStorage
@testable import RealmSystem

/// New files in a folder whose access list they inherit, and links in folders where everybody can create some.
@Suite(.enabled(if: AccessList.isSupported, "the file system has no access lists")) struct AccessListTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("plain", [1])
    try #require(chmod(folder.path("plain"), 0o640) == 0)
    try folder.write("listed", [1])
    try #require(AccessList.add(to: folder.path("listed")))
    try #require(AccessList.makeInherited(from: folder.path))
    return folder
  }

  private func make(_ output: SafeOutput) throws {
    try [1, 2, 3].withUnsafeBytes { try output.write($0) }
    try output.close()
    try output.publish()
  }

  @Test("a file that is replaced keeps its access list, or stays without one", arguments: ["plain", "listed"])
  func replaced(name: String) throws {
    let folder = try folder()
    let path = folder.path(name)
    let before = (AccessList.list(of: path), try SystemFileCalls().status(ofPath: path).mode)
    try make(SafeOutput(at: path, replacing: .any, inputs: []))
    #expect(AccessList.list(of: path) == before.0)
    #expect(try SystemFileCalls().status(ofPath: path).mode == before.1)
    #expect(AccessList.letsStrangersRead(path) == (name == "listed"))
  }

  @Test("a file that resembles another has its access list, or none", arguments: ["plain", "listed"])
  func resembling(name: String) throws {
    let folder = try folder()
    let (model, path) = (folder.path(name), folder.path("new"))
    try make(SafeOutput(at: path, replacing: .never, inputs: [model], resembling: model))
    #expect(AccessList.list(of: path) == AccessList.list(of: model))
    #expect(try SystemFileCalls().status(ofPath: path).mode == (try SystemFileCalls().status(ofPath: model).mode))
  }

  @Test("a new file is open to nobody who may not read an input, whatever the folder hands on")
  func made() throws {
    let folder = try folder()
    for inputs in [["plain"], ["listed"], ["plain", "listed"]] {
      let path = folder.path("new")
      try make(SafeOutput(at: path, replacing: .never, inputs: inputs.map(folder.path)))
      #expect(!AccessList.letsStrangersRead(path), "\(inputs)")
      #expect(try SystemFileCalls().status(ofPath: path).mode & 0o077 == 0, "\(inputs)")
      try FileManager.default.removeItem(atPath: path)
    }
    // If everybody may read a file, so may those whom the folder names.
    try #require(chmod(folder.path("plain"), 0o644) == 0)
    try make(SafeOutput(at: folder.path("open"), replacing: .never, inputs: [folder.path("plain")]))
    #expect(AccessList.letsStrangersRead(folder.path("open")))
  }

  @Test("the bits of a group that stand for an access list are not taken for the group's own") func maskedGroup() throws
  {
    let folder = try folder()
    let other = try TemporaryFolder()
    let path = other.path("new")
    try make(SafeOutput(at: path, replacing: .never, inputs: [folder.path("listed")]))
    #expect(AccessList.list(of: path) == nil)
    #expect(try SystemFileCalls().status(ofPath: path).mode == 0o600)
  }

  @Test("a private file is its owner's alone") func privateFile() throws {
    let folder = try folder()
    try #require(chmod(folder.path("plain"), 0o666) == 0)
    let output = try SafeOutput(at: folder.path("new"), replacing: .never, inputs: [folder.path("plain")])
    try output.makePrivate()
    try make(output)
    #expect(try SystemFileCalls().status(ofPath: folder.path("new")).mode == 0o600)
    #expect(!AccessList.letsStrangersRead(folder.path("new")))
    // Permissions chosen for a file do not apply to a private one that takes its place.
    let replacing = try SafeOutput(at: folder.path("plain"), replacing: .any, inputs: [])
    try replacing.makePrivate()
    try make(replacing)
    #expect(try SystemFileCalls().status(ofPath: folder.path("plain")).mode == 0o600)
  }
}

@Suite struct LinkOfAnotherTests {
  /// - Parameter mode: of the folder.
  private func folder(mode: mode_t) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("target", [1])
    try folder.makeFolder("shared")
    try #require(symlink(folder.path("target"), folder.path("shared/link")) == 0)
    try #require(chmod(folder.path("shared"), mode) == 0)
    return folder
  }

  @Test(
    "a link of another user is not followed where everybody can make one",
    .enabled(if: getuid() == 0, "only root can make links for others"),
    arguments: [
      (0o1777, 1234, 0, false), (0o1777, 0, 0, true), (0o1777, 0, 1234, true), (0o1777, 1234, 1234, true),
      (0o1775, 1234, 0, true), (0o777, 1234, 0, true), (0o755, 1234, 0, true),
    ] as [(mode_t, uid_t, uid_t, Bool)])
  func links(mode: mode_t, linkOwner: uid_t, folderOwner: uid_t, isFollowed: Bool) throws {
    let folder = try folder(mode: mode)
    let link = folder.path("shared/link")
    try #require(lchown(link, linkOwner, 0) == 0)
    try #require(chown(folder.path("shared"), folderOwner, 0) == 0)
    if isFollowed {
      #expect(try OutputPath(link, calls: SystemFileCalls()).target == folder.path("target"))
      return
    }
    let problem = OutputError.linkOfAnother(path: link, link: link)
    #expect(throws: problem) { try OutputPath(link, calls: SystemFileCalls()) }
    #expect(throws: problem) { try SafeOutput(at: link, replacing: .any, inputs: []) }
    #expect(throws: problem) { try ExclusiveAccess(toRealm: link) }
    #expect(throws: problem) { try RealmFile(exclusive: link, key: nil) }
    #expect(try Fixture.bytes(ofFile: folder.path("target")) == [1])
  }

  @Test("an own link is followed wherever it is") func ownLink() throws {
    let folder = try folder(mode: 0o1777)
    #expect(
      try OutputPath(folder.path("shared/link"), calls: SystemFileCalls()).links
        == [folder.path("shared/link"), folder.path("target")])
  }
}

@Test("who was faster in changing a file in place is told from a slip in the arguments") func fasterChange() throws {
  let folder = try TemporaryFolder()
  let path = try folder.write("a", [1])
  let old = try SystemFileCalls().status(ofPath: path).identity
  try folder.write("b", [2])
  try #require(rename(folder.path("b"), path) == 0)
  #expect(throws: OutputError.changedMeanwhile(path: path)) {
    try SafeOutput.check(at: path, replacing: .only(old), inputs: [path])
  }
  #expect(throws: OutputError.isInput(path: path)) { try SafeOutput.check(at: path, replacing: .any, inputs: [path]) }
}
