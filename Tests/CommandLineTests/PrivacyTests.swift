import Foundation
import TestSupport
import Testing

/// Who may read output of an encrypted realm, and output in folders with inherited access lists.
@Suite struct PrivacyTests {
  /// How a key is given.
  enum Way: CaseIterable { case file, variable, input }

  private static let hexKey = Fixture.engineKey.map { String(format: "%02x", $0) }.joined()

  private func folder(mode: mode_t = 0o644) throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/all-types-copy-encrypted.realm"))
    // The key is readable by all, so its permissions must not decide who may read the realm.
    try folder.write("key", Array(Self.hexKey.utf8))
    try #require(chmod(folder.path("a.realm"), mode) == 0 && chmod(folder.path("key"), 0o644) == 0)
    return folder
  }

  private func run(_ words: [String], _ way: Way, in folder: InputFolder, creates: Set<String>) throws -> Tool.Outcome {
    switch way {
    case .file: return try folder.run(words + ["--key-file", "key"], creates: creates)
    case .variable:
      folder.tool.environment["KEY"] = Self.hexKey
      return try folder.run(words + ["--key-env", "KEY"], creates: creates)
    case .input: return try folder.run(words + ["--key-file", "-"], input: Array(Self.hexKey.utf8), creates: creates)
    }
  }

  private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o7777
  }

  private static let copies = [
    ["write-copy", "a.realm", "b.realm"], ["write-copy", "a.realm", "b.realm", "--rebuild"],
    ["compact", "a.realm", "-o", "b.realm"], ["upgrade", "a.realm", "-o", "b.realm"],
    ["downgrade", "a.realm", "--file-format", "23", "--allow-data-loss", "-o", "b.realm"],
    ["migrate", "a.realm", "--rename", "AllTypes=Everything", "--to-version", "99", "--init", "-o", "b.realm"],
    ["bundle", "a.realm", "--seed", "b.realm"], ["recover", "a.realm", "-o", "b.realm"],
  ]

  @Test("a decrypted copy is its owner's alone, however the key came", arguments: copies, Way.allCases)
  func decrypted(words: [String], way: Way) throws {
    let folder = try folder()
    let outcome = try run(words + ["--decrypt"], way, in: folder, creates: ["b.realm"])
    try #require(outcome.status < 2, "\(outcome.errors)")
    _ = try LeftRealm(folder.path("b.realm"))
    #expect(try mode(folder.path("b.realm")) == 0o600)
  }

  @Test("--keep-mode gives it the permissions of the source", arguments: copies, [0o644, 0o640, 0o600] as [mode_t])
  func keptMode(words: [String], sourceMode: mode_t) throws {
    let folder = try folder(mode: sourceMode)
    let outcome = try run(words + ["--decrypt", "--keep-mode"], .variable, in: folder, creates: ["b.realm"])
    try #require(outcome.status < 2, "\(outcome.errors)")
    #expect(try mode(folder.path("b.realm")) == sourceMode)
  }

  @Test("a key of 64 hex digits is pointed out where it is made the key of a new file") func halfAKey() throws {
    let folder = try folder()
    try folder.write("half", Array(Self.hexKey.utf8.prefix(64)))
    let outcome = try folder.run(
      ["write-copy", "a.realm", "b.realm", "--key-file", "key", "--out-key-file", "half"], creates: ["b.realm"])
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("its key was read as 64 raw bytes, all of which are hex digits"))
  }

  @Test("--keep-mode means nothing without --decrypt") func keepModeAlone() throws {
    let outcome = try run(
      ["write-copy", "a.realm", "b.realm", "--out-key-same", "--keep-mode"], .file, in: folder(), creates: [])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("--keep-mode needs --decrypt"))
  }

  @Test("a copy that stays encrypted has the permissions of the source") func encrypted() throws {
    let folder = try folder()
    #expect(
      try run(["write-copy", "a.realm", "b.realm", "--out-key-same"], .variable, in: folder, creates: ["b.realm"])
        .status
        == 0)
    #expect(try mode(folder.path("b.realm")) == 0o644)
  }

  @Test(
    "what else is written of an encrypted realm is its owner's alone",
    arguments: [
      ["export", "a.realm", "-o", "out"], ["export", "a.realm", "--format", "csv", "-o", "out"],
      ["schema", "dump", "a.realm", "-o", "out"],
      ["query", "a.realm", "AllTypes", "-o", "out"],
    ], Way.allCases)
  func texts(words: [String], way: Way) throws {
    let folder = try folder()
    let outcome = try run(words, way, in: folder, creates: ["out"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    var isFolder: ObjCBool = false
    try #require(FileManager.default.fileExists(atPath: folder.path("out"), isDirectory: &isFolder))
    let files =
      isFolder.boolValue
      ? try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).map { "out/" + $0 } : ["out"]
    #expect(!files.isEmpty)
    for file in files { #expect(try mode(folder.path(file)) == 0o600) }
  }

  @Test("a file that a decrypted copy replaces hands on nothing") func replaced() throws {
    let folder = try folder()
    try folder.write("b.realm", [])
    try #require(chmod(folder.path("b.realm"), 0o664) == 0)
    let words = ["write-copy", "a.realm", "b.realm", "--decrypt", "--force"]
    #expect(try run(words, .variable, in: folder, creates: ["b.realm"]).status == 0)
    #expect(try mode(folder.path("b.realm")) == 0o600)
  }

  @Test(
    "neither a changed realm nor its backup is open to whom its folder names",
    .enabled(if: AccessList.isSupported, "the file system has no access lists"),
    arguments: [
      ["compact", "a.realm", "--backup", "kept.realm"],
      ["migrate", "a.realm", "--rename", "Dog=Pet", "--to-version", "99"],
      ["downgrade", "a.realm", "--file-format", "23"],
      ["migrate", "a.realm", "--rename", "Dog=Pet", "--to-version", "99", "--compact"],
    ])
  func inheritedLists(words: [String]) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    try #require(chmod(path, 0o640) == 0)
    try #require(AccessList.makeInherited(from: folder.path))
    var tool = Tool()
    tool.folder = folder.path
    let outcome = try tool.run(words)
    try #require(outcome.status == 0, "\(outcome.errors)")
    let realms = try folder.names().filter { $0.hasSuffix(".realm") }
    #expect(realms.count == 2)
    for name in realms {
      _ = try LeftRealm(folder.path(name))
      #expect(!AccessList.letsStrangersRead(folder.path(name)), "\(name)")
      #expect(AccessList.list(of: folder.path(name)) == nil)
      #expect(try mode(folder.path(name)) == 0o640)
    }
  }
}
