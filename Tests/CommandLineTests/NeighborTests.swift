import Foundation
import RealmSystem
import TestSupport
import Testing

@testable import RealmStorage

/// Every command in hostile surroundings: closed streams, links, names that are not text, locks of other processes,
/// folders and devices that accept nothing.
@Suite struct NeighborTests {
  /// A byte that is not part of a character.
  private static let byte = SystemText.text(of: [0xe9])

  // MARK: - Streams

  @Test("no file gets the number of a closed stream", arguments: NeighborCommand.all)
  func closedStreams(_ command: NeighborCommand) throws {
    let quiet = try NeighborFolder()
    let undisturbed = try quiet.run(command)
    let expected = try quiet.content()
    for closed: Set<Int32> in [[0], [1], [2], [0, 1, 2]] {
      var folder = try NeighborFolder()
      folder.tool.closedStreams = closed
      let outcome = try folder.run(command)
      let isLost = closed.contains(1) && !undisturbed.output.isEmpty
      #expect(outcome.status == (isLost ? 2 : undisturbed.status), "closed: \(closed)")
      #expect(try folder.content() == expected, "closed: \(closed)")
      guard !closed.contains(2), isLost else { continue }
      #expect(
        outcome.errors.contains(
          /standard output: system error(, after files were changed)? \(write: Bad file descriptor\)/))
    }
    try quiet.checkRealms()
  }

  @Test("a report that cannot be written is not done", arguments: NeighborCommand.all)
  func fullStandardOutput(_ command: NeighborCommand) throws {
    let folder = try NeighborFolder()
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    let process = try folder.tool.start(command.words(folder.name), input: null, output: full, errors: null)
    // For equal schemas there is only the status, and no output.
    #expect(try process.wait() == .status(command.description.hasPrefix("schema diff") ? 0 : 2))
    try folder.checkRealms()
  }

  @Test("what is closed cannot be read") func closedInput() throws {
    var tool = Tool()
    tool.closedStreams = [0]
    let outcome = try tool.run("open", "-")
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("realmctl: standard input: system error (read: Bad file descriptor)"))
  }

  @Test("without a descriptor to spare no command prints its help", arguments: NeighborCommand.all)
  func noDescriptors(_ command: NeighborCommand) throws {
    var folder = try NeighborFolder()
    let before = try folder.content()
    folder.tool.descriptorLimit = 3
    let outcome = try folder.run(command)
    #expect(outcome.status != 0 && outcome.status != 64)
    #expect(!outcome.outputText.contains("USAGE"))
    #expect(try folder.content() == before)
  }

  @Test("with few descriptors a command does its work or leaves nothing", arguments: NeighborCommand.writing)
  func fewDescriptors(_ command: NeighborCommand) throws {
    for limit: Int32 in 4...6 {
      var folder = try NeighborFolder()
      let before = try folder.content()
      folder.tool.descriptorLimit = limit
      guard try folder.run(command).status != 0 else { continue }
      #expect(try folder.content() == before, "limit \(limit)")
      #expect(try folder.folder.names().count == before.count, "limit \(limit)")
    }
  }

  @Test("what others named like a leftover stays", arguments: NeighborCommand.writing)
  func falseLeftovers(_ command: NeighborCommand) throws {
    let folder = try NeighborFolder()
    let names = [".out", ".in.realm", ".old.realm", ".kept.realm"].map { $0 + ".realmctl-1-0" }
    for name in names {
      try folder.folder.makeFolder(name)
      try folder.write(name + "/thesis", [1])
    }
    #expect(try folder.run(command).status == 0)
    for name in names { #expect(try folder.files()[name + "/thesis"] == [1]) }
  }

  // MARK: - Names

  @Test("names are bytes", arguments: NeighborCommand.all)
  func names(_ command: NeighborCommand) throws {
    let plain = try NeighborFolder()
    let undisturbed = try plain.run(command)
    let folder = try NeighborFolder(suffix: Self.byte)
    // The names that a tool reads which takes them for text.
    let decoys = ["in", "old", "model", "out", "kept"].map { file in
      folder.name(file).unicodeScalars.map { SystemText.byte(of: $0) == nil ? String($0) : "\u{fffd}" }.joined()
    }
    for decoy in decoys { try folder.write(decoy, Array("decoy".utf8)) }
    let outcome = try folder.run(command, command.effect == .newFile ? ["--force"] : [])
    #expect(outcome.status == undisturbed.status, "\(outcome.errors)")
    var content = try folder.content()
    for decoy in decoys { #expect(content.removeValue(forKey: decoy) == Array("decoy".utf8)) }
    let expected = try plain.content().map { name, bytes in
      (
        name.contains("/")
          ? name.replacing("out/", with: folder.name("out") + "/")
          : name == "out" ? folder.name(name) : name.replacing(".", with: Self.byte + ".", maxReplacements: 1), bytes
      )
    }
    #expect(content == Dictionary(uniqueKeysWithValues: expected))
    let text = outcome.outputText + outcome.errors
    #expect(!text.contains("\u{fffd}"))
    if command.effect == .newFile || command.effect == .inPlace { #expect(text.contains(#"\xE9"#)) }
  }

  @Test("such a name in JSON is a text that shows its bytes")
  func namesInJSON() throws {
    let folder = try NeighborFolder(suffix: Self.byte)
    for command in ["open %in --json", "check %in --json", "write-copy %in %out --json", "open %missing --json"] {
      let outcome = try folder.run(NeighborCommand(command))
      let json = outcome.output.isEmpty ? Data(outcome.errors.utf8) : Data(outcome.output)
      let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
      let error = object["error"] as? [String: Any]
      let path = error.map { $0["path"] } ?? object["input"]
      #expect((path as? String)?.hasSuffix(#"\xE9.realm"#) == true, "\(command)")
    }
  }

  @Test("a name that begins with a mark stays in its folder") func marks() throws {
    let folder = try NeighborFolder()
    try folder.folder.makeFolder("sub")
    let outcome = try folder.tool.run("export", "in.realm", "-o", "sub/\u{301}x.json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try folder.content().keys.contains("sub/\u{301}x.json"))
    #expect(try folder.folder.names() == ["in.realm", "model.json", "old.realm", "rules.realm", "sub"])
  }

  // MARK: - Outputs

  /// What an output's name may be, and what happens to it.
  enum Occupant: CaseIterable {
    case link, danglingLink, linkToInput, hardLinkToInput, model, lockFile, held, fullDevice, protectedFolder
    case pipeOfAnother
  }

  @Test("an output is written where it was told to, or not at all", arguments: NeighborCommand.writingFiles)
  func outputs(_ command: NeighborCommand) throws {
    let quiet = try NeighborFolder()
    #expect(try quiet.run(command).status == 0)
    let written = try #require(try quiet.content()["out"])
    // Only root can make a pipe for another user.
    let occupants = Occupant.allCases.filter { getuid() == 0 || $0 != .pipeOfAnother }
    for occupant in occupants where occupant != .model || command.readsModel {
      try place(command, beside: occupant, expecting: written)
    }
  }

  private func place(_ command: NeighborCommand, beside occupant: Occupant, expecting written: [UInt8]) throws {
    var folder = try NeighborFolder()
    let input = folder.path(folder.name(command.input))
    var (name, status, replaced): (String, Int32, String?) = ("out", 2, nil)
    var held: Int32?
    defer { held.map { _ = close($0) } }
    switch occupant {
    case .link:
      try folder.write("target", Array("old".utf8))
      try #require(symlink("target", folder.path(name)) == 0)
      (status, replaced) = (0, "target")
    case .danglingLink:
      try #require(symlink("target", folder.path(name)) == 0)
      (status, replaced) = (0, "target")
    case .linkToInput: try #require(symlink(input, folder.path(name)) == 0)
    case .hardLinkToInput: try #require(link(input, folder.path(name)) == 0)
    case .model: name = "model.json"
    case .lockFile: name = "in.realm.lock"
    case .held:
      try folder.write(name, try Fixture.bytes("engine/dogs.realm"))
      held = try folder.hold(name)
      status = 6
    case .fullDevice: name = "/dev/full"
    case .pipeOfAnother:
      try #require(mkfifo(folder.path(name), 0o666) == 0)
      try #require(chown(folder.path(name), 1234, 1234) == 0 && chmod(folder.folder.path, 0o1777) == 0)
    case .protectedFolder:
      try #require(chmod(folder.folder.path, 0o555) == 0)
      if getuid() == 0 { folder.tool.user = 65534 }
    }
    let before = try folder.content()
    let outcome = try folder.tool.run(command.words { $0 == "out" ? name : folder.name($0) } + ["--force"])
    // To name an input as the output is wrong usage, where a realm is copied.
    let isRefusedInput =
      outcome.errors.contains("the output is one of the inputs")
      || outcome.errors.contains("the output would be a realm")
    #expect(
      outcome.status == (isRefusedInput && status == 2 ? outcome.status : status), "\(occupant): \(outcome.errors)")
    #expect(outcome.status != 0 || status == 0)
    var expected = before
    if let replaced { expected[replaced] = written }
    #expect(try folder.content() == expected, "\(occupant)")
    chmod(folder.folder.path, 0o755)
  }

  @Test("what is written is no more open than what was read", arguments: NeighborCommand.writing)
  func openness(_ command: NeighborCommand) throws {
    let folder = try NeighborFolder()
    for (name, mode) in [(folder.name(command.input), 0o600), (folder.name("model"), 0o644)] as [(String, mode_t)] {
      try #require(chmod(folder.path(name), mode) == 0)
    }
    let before = try folder.files()
    #expect(try folder.run(command).status == 0)
    for (name, bytes) in try folder.files() where before[name] != bytes && !name.hasSuffix(".lock") {
      #expect(try folder.permissions(name) == 0o600, "\(name)")
    }
    if command.effect == .newFolder { #expect(try folder.permissions("out") == 0o700) }
  }

  @Test("a decrypted copy is no more open than the key") func opennessOfDecrypted() throws {
    let folder = try NeighborFolder()
    try folder.write("secret.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    try folder.write("key", Fixture.engineKey)
    try #require(chmod(folder.path("key"), 0o600) == 0)
    let outcome = try folder.tool.run("write-copy", "secret.realm", "out.realm", "--key-file", "key", "--decrypt")
    #expect(outcome.status == 0)
    #expect(try folder.permissions("out.realm") == 0o600)
    #expect(
      try folder.tool.run("write-copy", "secret.realm", "same.realm", "--key-file", "key", "--out-key-same").status == 0
    )
    #expect(try folder.permissions("same.realm") & 0o077 != 0)
    // A file that takes the place of another has nothing of it, whoever owned that one.
    for words in [
      "write-copy secret.realm out.realm --decrypt", "bundle secret.realm --seed out.realm --decrypt",
      "export secret.realm -o out.json", "export secret.realm -o out.sqlite",
    ] {
      let name = words.split(separator: " ").map(String.init).first { $0.hasPrefix("out.") } ?? ""
      try? FileManager.default.removeItem(atPath: folder.path(name))
      try folder.write(name, Array("old".utf8))
      try #require(chmod(folder.path(name), 0o666) == 0)
      // Only root can give files away.
      if getuid() == 0 { try #require(chown(folder.path(name), 1234, 1234) == 0) }
      let outcome = try folder.tool.run(
        words.split(separator: " ").map(String.init) + ["--force", "--key-file", "key"])
      #expect(outcome.status == 0, "\(words): \(outcome.errors)")
      let status = try SystemFileCalls().status(ofPath: folder.path(name))
      #expect(status.mode == 0o600 && status.owner == geteuid(), "\(words)")
    }
  }

  // MARK: - Locks

  @Test("a realm that an app has open is read, and not changed", arguments: NeighborCommand.all)
  func heldRealm(_ command: NeighborCommand) throws {
    let quiet = try NeighborFolder()
    let undisturbed = try quiet.run(command)
    let folder = try NeighborFolder()
    let held = try folder.hold(folder.name(command.input))
    defer { close(held) }
    let before = try folder.content()
    let outcome = try folder.run(command)
    // Whether a realm can be deleted depends on who has it open.
    let isRefused = command.effect == .inPlace || command.description.hasPrefix("rm ")
    #expect(outcome.status == (isRefused ? 6 : undisturbed.status), "\(outcome.errors)")
    let after = try folder.content()
    if command.effect == .inPlace { #expect(after == before) }
    for (name, bytes) in before { #expect(after[name] == bytes) }
  }

  // MARK: - Standard streams as files

  @Test("standard output is not appended to what is read") func outputIsInput() throws {
    let folder = try NeighborFolder()
    let before = try folder.content()
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    let file = open(folder.path("in.realm"), O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { [null, file].forEach { close($0) } }
    for words in [["export", "in.realm"], ["open", "in.realm"], ["write-copy", "in.realm", "-"]] {
      let process = try folder.tool.start(words, input: null, output: file, errors: null)
      #expect(try process.wait() == .status(64))
      #expect(try folder.content() == before)
    }
  }

  @Test("standard input is not replaced by what is made of it") func inputIsOutput() throws {
    let folder = try NeighborFolder()
    let before = try folder.content()
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    let file = open(folder.path("in.realm"), O_RDONLY | O_CLOEXEC)
    defer { [null, file].forEach { close($0) } }
    for words in [["export", "-", "-o", "in.realm", "--force"], ["write-copy", "-", "in.realm", "--force"]] {
      let process = try folder.tool.start(words, input: file, output: null, errors: null)
      #expect(try [.status(2), .status(64)].contains(process.wait()))
      #expect(try folder.content() == before)
    }
  }

  @Test("input without an end is refused by its head", arguments: ["/dev/zero", "/dev/urandom"])
  func endlessInput(_ device: String) throws {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    let endless = open(device, O_RDONLY | O_CLOEXEC)
    defer { [null, endless].forEach { close($0) } }
    for words in [["open", "-"], ["schema", "diff", "-", Fixture.path("engine/dogs.realm")]] {
      let process = try Tool().start(words, input: endless, output: null, errors: null)
      #expect(try process.wait() == .status(4))
    }
  }

  // MARK: - Keys

  @Test("an argument that looks like a key is not repeated") func keysInMessages() throws {
    let hex = Fixture.engineKey.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let base64 = Data(Fixture.engineKey).base64EncodedString()
    let realm = Fixture.path("engine/dogs.realm")
    for key in [hex, base64] {
      for words in [
        ["open", realm, "--key-file", key], ["open", realm, "--key-env", key], ["open", realm, "--key=" + key],
        ["open", realm, key], [key], ["export", realm, "--only", key], ["open", key, "--json"],
        ["open", realm, "--key-file", "./" + key], ["open", realm, "--key-file=/tmp/" + key], ["open", "./" + key],
        ["open", realm, "--key-file", key + ".key"], ["open", "file:///nowhere/" + key + "/app.realm"],
        ["write-copy", realm, "nowhere/" + key + "/out.realm"],
      ] {
        let outcome = try Tool().run(words)
        #expect(outcome.status != 0)
        #expect(!outcome.errors.contains(key.prefix(20)) && !outcome.outputText.contains(key.prefix(20)), "\(words[0])")
        #expect(!outcome.errors.isEmpty)
      }
    }
  }

  @Test("one variable can give both keys") func oneVariable() throws {
    var folder = try NeighborFolder()
    try folder.write("secret.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    folder.tool.environment = ["KEY": Data(Fixture.engineKey).base64EncodedString()]
    let outcome = try folder.tool.run(
      "write-copy", "secret.realm", "out.realm", "--key-env", "KEY", "--out-key-env", "KEY")
    #expect(outcome.status == 0, "\(outcome.errors)")
    _ = try LeftRealm(folder.path("out.realm"), key: Fixture.engineKey)
  }
}
