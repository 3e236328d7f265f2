import Foundation
import TestSupport
import Testing

/// Messages of the real binary about input that cannot be read.
@Suite struct BadInputTests {
  /// A file that cannot be opened, and the message about it.
  struct Row: Sendable {
    let name: String
    /// Makes the file's bytes from those of an undamaged one.
    let bytes: @Sendable ([UInt8]) throws -> [UInt8]
    let status: Int32
    /// What follows the file's name.
    let text: String
    /// Options for the key.
    var options: [String] = []
    var fixture = "engine/dogs.realm"
  }

  private static let headerText = "header has invalid mnemonic"

  static let rows: [Row] = [
    Row(
      name: "empty", bytes: { _ in [] }, status: 2,
      text:
        "the file is empty (Read-only access to empty Realm file); copy it again, use a backup, "
        + "or let an app open it first"),
    Row(
      name: "too short", bytes: { Array($0.prefix(23)) }, status: 2,
      text: "not a Realm file (file is non-empty but too small (23 bytes) to be a valid Realm); check the path, "
        + "or copy it again"),
    Row(
      name: "odd size", bytes: { $0 + [0] }, status: 2,
      text:
        "the size of the file is wrong (file has an invalid size (4097)); copy it again from its source, use a backup, or "
        + "save the rest with 'recover'"),
    Row(
      name: "another kind of file", bytes: { _ in Array("{\"not\": \"a realm\", \"at\": \"all\"}".utf8) }, status: 2,
      text: "not a Realm file (\(headerText)); it is a text file; check the path"),
    Row(
      name: "neither a realm nor text", bytes: { _ in [UInt8](repeating: 0, count: 24) + Array("T-DC".utf8) },
      status: 2, text: "not a Realm file (\(headerText)); if it was a realm, 'recover' saves what is left"),
    Row(
      name: "a zip archive", bytes: { _ in Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 7, count: 60) }, status: 2,
      text: "not a Realm file (\(headerText)); it is a zip archive; unpack it first"),
    Row(
      name: "cut off", bytes: { Array($0.prefix(2048)) }, status: 2,
      text:
        "the file has been cut off, or its header is damaged (top ref is outside of the file (size: 2048, top_ref: 3400). The file has probably "
        + "been truncated); copy it again from its source, use a backup, or save the rest with 'recover'"),
    Row(
      name: "copy without its end", bytes: { Array($0.dropLast(8)) }, status: 2,
      text: "the file has been cut off (file is in streaming format but has an invalid footer cookie "
        + "(606320). The file is probably truncated); copy it again from its source, use a backup, or save the rest with 'recover'",
      fixture: "engine/all-types-copy.realm"),
    Row(
      name: "copy with nothing but a header", bytes: { Array($0.prefix(32)) }, status: 2,
      text:
        "the file has been cut off (file is in streaming format but too small (32 bytes) to be a valid Realm); copy "
        + "it again from its source, "
        + "use a backup, or save the rest with 'recover'", fixture: "engine/all-types-copy.realm"),
    Row(
      name: "root at an odd place", bytes: { replacing($0, at: liveSlot($0), with: 0x49) }, status: 2,
      text: "the root of the file is damaged (top ref is not aligned (top_ref: 3401)); "
        + "use a backup, or save the rest with 'recover'"),
    Row(
      name: "damaged root", bytes: { replacing($0, at: 3400 + 7, with: 8) }, status: 2,
      text: "the root of the file is damaged (Invalid top array size (ref: 3400, array size: 8)); "
        + "use a backup, or save the rest with 'recover'"),
    Row(
      name: "root that is no node", bytes: { replacing($0, at: 3400 + 4, with: 0xff) }, status: 2,
      text: "the root of the file is damaged (Invalid top array (top_ref: 3400)); "
        + "use a backup, or save the rest with 'recover'"),
    Row(
      name: "format 1", bytes: { replacing($0, at: 20 + Int($0[23] & 1), with: 1) }, status: 5,
      text:
        "unsupported file format version 1, from before Realm's first release (Database has an unsupported version (1) and "
        + "cannot be upgraded); no released engine reads it; realmctl reads formats 2 to 11 and 20 to 24"),
    Row(
      name: "format 12", bytes: { replacing($0, at: 20 + Int($0[23] & 1), with: 12) }, status: 5,
      text:
        "unsupported file format version 12, which no known Realm writes (Database has an unsupported version (12) and "
        + "cannot be upgraded); the file may be damaged: use a backup, or save the rest "
        + "with 'recover'"),
    Row(
      name: "format 25", bytes: { replacing($0, at: 20 + Int($0[23] & 1), with: 25) }, status: 5,
      text:
        "unsupported file format version 25, newer than this realmctl supports (Database has an unsupported version (25) "
        + "and cannot be upgraded); use a newer realmctl"),
    Row(
      name: "encrypted, no key", bytes: { $0 }, status: 4,
      text:
        "not a Realm file, or encrypted (\(headerText)); give its key with --key-file",
      fixture: "engine/all-types-encrypted.realm"),
    Row(
      name: "encrypted, wrong key", bytes: { $0 }, status: 4,
      text:
        "wrong encryption key, or the file is damaged (Realm file decryption failed: page 0 in file of size 1069056 "
        + "failed the HMAC check); check the key",
      options: ["--key-file", "wrong.key"], fixture: "engine/all-types-encrypted.realm"),
    Row(
      name: "plain, but a key", bytes: { $0 }, status: 4,
      text: "the file is not encrypted (Attempt to open unencrypted file with encryption key); omit the key",
      options: ["--key-file", "right.key"]),
    Row(
      name: "plain copy, but a key", bytes: { $0 }, status: 4,
      text: "the file is not encrypted (Attempt to open unencrypted file with encryption key); omit the key",
      options: ["--key-file", "right.key"], fixture: "engine/all-types-copy.realm"),
  ]

  /// Where the header keeps the live snapshot's root.
  private static func liveSlot(_ bytes: [UInt8]) -> Int { bytes[23] & 1 == 0 ? 0 : 8 }

  private static func replacing(_ bytes: [UInt8], at offset: Int, with byte: UInt8) -> [UInt8] {
    var bytes = bytes
    bytes[offset] = byte
    return bytes
  }

  @Test(arguments: rows, ["open", "export"])
  func everyBadFileGetsItsMessageAndStatus(_ row: Row, command: String) throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try row.bytes(try Fixture.bytes(row.fixture)))
    try folder.write("wrong.key", [UInt8](repeating: 7, count: 64))
    try folder.write("right.key", Fixture.engineKey)
    let outcome = try folder.run([command, "a.realm"] + row.options)
    #expect(outcome.status == row.status)
    #expect(outcome.errors == "realmctl: a.realm: \(row.text)\n")
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: rows)
  func standardInputGetsTheSameMessage(_ row: Row) throws {
    let folder = try InputFolder()
    try folder.write("wrong.key", [UInt8](repeating: 7, count: 64))
    try folder.write("right.key", Fixture.engineKey)
    let outcome = try folder.run(["open", "-"] + row.options, input: try row.bytes(try Fixture.bytes(row.fixture)))
    #expect(outcome.status == row.status)
    let text = [
      "copy it again, use a backup, or let an app open it first", "check the path, or copy it again", "check the path",
    ].reduce(row.text) {
      $0.replacing($1, with: "pipe the bytes of a realm to it")
    }.replacing("it is a text file", with: "it is text")
    #expect(outcome.errors == "realmctl: standard input: \(text)\n")
  }

  /// A command for several files takes one key for those that are encrypted.
  @Test(
    arguments: [
      "diff a.realm b.realm", "schema diff a.realm b.realm", "hash a.realm b.realm",
      "plan new a.realm --schema b.realm --to-version 9", "plan check plan.yml a.realm",
    ])
  func aKeyForPlainFilesIsRefused(_ command: String) throws {
    let folder = try InputFolder()
    for name in ["a.realm", "b.realm"] { try folder.write(name, try Fixture.bytes("engine/dogs.realm")) }
    try folder.write("plan.yml", Array("plan: 1\nsteps:\n  - to: 9\n    do: []\n".utf8))
    try folder.write("right.key", Fixture.engineKey)
    let outcome = try folder.run(command.split(separator: " ").map(String.init) + ["--key-file", "right.key"])
    #expect(outcome.status == 4)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors.hasPrefix(
        "realmctl: a.realm: the file is not encrypted (Attempt to open unencrypted file with encryption key); omit the key\n"
      ),
      "\(outcome.errors)")
  }

  @Test func aMistakeInTheKeyIsNotOneInTheFile() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    try folder.write("wrong.key", [UInt8](repeating: 7, count: 64))
    let missing = try folder.run(["rm", "a.realm", "--yes", "--key-file", "none.key"])
    #expect(missing.status == 4)
    #expect(missing.errors == "realmctl: none.key: no such file or directory; check the path\n")
    let wrong = try folder.run(["rm", "a.realm", "--yes", "--key-file", "wrong.key"])
    #expect(wrong.status == 4)
    #expect(wrong.errors.contains(", so it was not deleted"))
    #expect(try Fixture.bytes(ofFile: folder.path("a.realm")) == Fixture.bytes("engine/all-types-encrypted.realm"))
  }

  @Test func aMissingFileIsNotFound() throws {
    let outcome = try InputFolder().run(["open", "a.realm"])
    #expect(outcome.status == 3)
    #expect(outcome.errors == "realmctl: a.realm: no such file or directory; check the path\n")
  }

  @Test func aFolderIsNoRealm() throws {
    let folder = try InputFolder()
    try FileManager.default.createDirectory(atPath: folder.path("a.realm"), withIntermediateDirectories: false)
    let outcome = try folder.run(["open", "a.realm"])
    #expect(outcome.status == 2)
    #expect(outcome.errors == "realmctl: a.realm: is a directory; name the file inside it\n")
  }

  @Test func aPipeIsRefusedBeforeItIsOpened() throws {
    let folder = try InputFolder()
    try #require(mkfifo(folder.path("a.realm"), 0o600) == 0)
    let outcome = try folder.run(["open", "a.realm"])
    #expect(outcome.status == 2)
    #expect(
      outcome.errors
        == "realmctl: a.realm: is a named pipe, not a regular file; name a regular file; commands that only read also take - for standard input\n"
    )
  }

  @Test func aDeviceIsRefused() throws {
    let outcome = try InputFolder().run(["export", "/dev/zero"])
    #expect(outcome.status == 2)
    #expect(outcome.errors == "realmctl: /dev/zero: is a character device, not a regular file; name a regular file\n")
  }

  @Test func aFileThatMayNotBeReadIsNamed() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    chmod(folder.path("a.realm"), 0)
    // The superuser may do everything: then another user runs a copy of the tool that everybody can reach.
    var tool = folder.tool
    if geteuid() == 0 {
      try FileManager.default.copyItem(atPath: Tool.binary, toPath: folder.path("realmctl"))
      tool.executable = folder.path("realmctl")
      tool.user = 65534
    }
    let outcome = try tool.run("open", "a.realm")
    #expect(outcome.status == 2)
    #expect(
      outcome.errors
        == "realmctl: a.realm: this user cannot read the file (Permission denied. Please use a path where your app has read "
        + "permissions); give this user read permission\n")
  }

  @Test(arguments: [
    ("a.realm.lock", "is the lock file of a realm"),
    ("a.realm.note", "is the notification pipe of a realm"),
    ("a.realm.log_a", "is a log file of a realm"),
    ("a.realm.tmp_compaction_space", "is the leftover of an interrupted compaction of a realm"),
    ("a.v23.backup.realm.part", "is a backup of a realm"),
  ])
  func aSideFileIsAnsweredWithItsRealm(name: String, text: String) throws {
    let folder = try InputFolder()
    try folder.write(name, [UInt8](repeating: 0, count: 4096))
    let outcome = try folder.run(["open", name])
    #expect(outcome.status == 2)
    #expect(outcome.errors == "realmctl: \(name): \(text), not the realm itself; use a.realm\n")
  }

  @Test func theManagementFolderIsAnsweredWithItsRealm() throws {
    let folder = try InputFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("a.realm.management"), withIntermediateDirectories: false)
    let outcome = try folder.run(["open", "a.realm.management"])
    #expect(outcome.status == 2)
    #expect(
      outcome.errors
        == "realmctl: a.realm.management: is the management folder of a realm, not the realm itself; use a.realm\n")
  }

  @Test func anErrorAsJSONIsOneObjectOnStandardError() throws {
    let outcome = try InputFolder().run(["open", "--json", "a.realm"])
    #expect(outcome.status == 3)
    #expect(
      outcome.errors
        == #"{"version":2,"error":{"code":"FileNotFound","exit":3,"message":"no such file or directory","path":"a.realm","#
        + #""hint":"check the path"}}"# + "\n")
    #expect(outcome.output.isEmpty)
  }

  @Test func aWrongOptionAsJSONIsOneObjectToo() throws {
    let outcome = try InputFolder().run(["export", "--json", "a.realm", "b.realm"])
    #expect(outcome.status == 64)
    #expect(
      outcome.errors
        == #"{"version":2,"error":{"code":"InvalidInput","exit":64,"message":"unexpected argument 'b.realm'","#
        + #""hint":"name classes with --only, and give a query with --where"}}"# + "\n")
  }
}

/// A folder with input that a run must leave as it is: bytes, times and names.
final class InputFolder {
  private let folder: TemporaryFolder
  var tool = Tool()

  init() throws {
    folder = try TemporaryFolder()
    tool.folder = folder.path
  }

  func path(_ name: String) -> String { folder.path(name) }

  func write(_ name: String, _ bytes: [UInt8]) throws { try folder.write(name, bytes) }

  /// Runs the tool in the folder, and checks that nothing in it has changed but what `creates` names.
  func run(
    _ arguments: [String], input: [UInt8] = [], creates: Set<String> = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Tool.Outcome {
    let before = try state()
    var tool = tool
    tool.input = input
    let outcome = try tool.run(arguments)
    let after = try state().filter { !creates.contains($0.key) }
    #expect(after == before.filter { !creates.contains($0.key) }, sourceLocation: sourceLocation)
    return outcome
  }

  private struct FileState: Equatable {
    var bytes: Data?
    var modified: [Int]
    var mode: mode_t
  }

  private func state() throws -> [String: FileState] {
    var states: [String: FileState] = [:]
    for name in try folder.names() {
      var status = stat()
      guard lstat(path(name), &status) == 0 else { throw Tool.Failure(call: "lstat") }
      let isFile = status.st_mode & S_IFMT == S_IFREG
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      states[name] = FileState(
        bytes: isFile ? try Data(contentsOf: URL(fileURLWithPath: path(name))) : nil,
        modified: [time.tv_sec, time.tv_nsec], mode: status.st_mode)
    }
    return states
  }
}
