import Foundation
import RealmExchange
import TestSupport
import Testing

@testable import RealmStorage

/// Other files with the name of a lock file, for every command that takes a lock.
@Suite("lock files") struct LockFileTests {
  /// A command that locks `app.realm`.
  struct Command: Sendable, CustomTestStringConvertible {
    let arguments: String
    /// The kind of `app.realm`.
    var fixture = "person-v1"
    /// Whether `app.realm` is changed, or replaced in place, and not just overwritten with something else.
    var isInPlace = true
    /// Whether the file is written as it lies there, in a transaction.
    var isTransaction = false
    var testDescription: String { arguments }
    var words: [String] { arguments.split(separator: " ").map(String.init) }
  }

  static let commands = [
    Command(arguments: "compact app.realm", fixture: "fragmented"),
    Command(arguments: "compact app.realm --upgrade", fixture: "../old"),
    Command(arguments: "upgrade app.realm", fixture: "../old"),
    Command(arguments: "migrate app.realm --schema model.json --to-version 2", isTransaction: true),
    Command(arguments: "open app.realm --schema model.json --schema-version 2", isTransaction: true),
    Command(arguments: "open app.realm --compact-if total>0", fixture: "fragmented"),
    Command(
      arguments: "open app.realm --schema model.json --schema-version 2 --delete-if-migration-needed --yes"),
    Command(arguments: "write-copy source.realm app.realm --force", isInPlace: false),
    Command(arguments: "bundle source.realm --seed app.realm --force", isInPlace: false),
    Command(arguments: "compact source.realm -o app.realm --force", isInPlace: false),
    Command(arguments: "downgrade app.realm --file-format 23"),
  ]

  private func folder(for command: Command) throws -> InputFolder {
    let folder = try InputFolder()
    if command.fixture == "../old" {
      let tree = try NodeTree(Fixture.bytes("engine/person-v1.realm"))
      tree.format = 23
      try folder.write("app.realm", tree.written(.normal))
    } else {
      try folder.write("app.realm", Fixture.bytes("engine/\(command.fixture).realm"))
    }
    try folder.write("source.realm", Fixture.bytes("engine/dogs.realm"))
    try folder.write("model.json", Array(ModelText.person(#""age":"int","email":"string?""#).utf8))
    return folder
  }

  // MARK: What is none

  /// Something that is not a lock file.
  enum Plant: CaseIterable, Sendable {
    case link, linkToNothing, linkToRealm, otherName, otherNameOfRealm, text, database, zeros, folder, pipe

    /// Puts it under the name of the lock file.
    func add(to folder: InputFolder) throws {
      let (lock, victim) = (folder.path("app.realm.lock"), folder.path("victim"))
      try folder.write("victim", Array("all my work\n".utf8))
      switch self {
      case .link: try #require(symlink("victim", lock) == 0)
      case .linkToNothing: try #require(symlink("nothing", lock) == 0)
      case .linkToRealm: try #require(symlink("app.realm", lock) == 0)
      case .otherName: try #require(Foundation.link(victim, lock) == 0)
      case .otherNameOfRealm: try #require(Foundation.link(folder.path("app.realm"), lock) == 0)
      case .text: try folder.write("app.realm.lock", Array(String(repeating: "line\n", count: 400).utf8))
      case .database: try folder.write("app.realm.lock", Fixture.bytes("engine/dogs.realm"))
      // The head of many a disk image.
      case .zeros: try folder.write("app.realm.lock", [UInt8](repeating: 0, count: 32768) + Array("CD001".utf8))
      case .folder: try #require(mkdir(lock, 0o755) == 0)
      case .pipe: try #require(mkfifo(lock, 0o644) == 0)
      }
    }

    var text: String {
      switch self {
      case .link, .linkToNothing, .linkToRealm: "is a symbolic link, not the realm's lock file"
      case .otherNameOfRealm: "is another name of the realm itself, not its lock file"
      case .otherName, .text, .database, .zeros: "is not a realm's lock file"
      case .folder, .pipe: "is not a regular file; expected a lock file"
      }
    }
  }

  @Test("what is not a lock file is left alone, and so is the realm", arguments: commands)
  func plants(_ command: Command) throws {
    for plant in Plant.allCases {
      let folder = try folder(for: command)
      try plant.add(to: folder)
      let runs = command.isInPlace ? [command.words, command.words + ["--dry-run"]] : [command.words]
      for words in runs where !(words.first == "open" && words.last == "--dry-run") {
        // The guard of the folder compares all names and all bytes.
        let outcome = try folder.run(words)
        #expect(outcome.status == 2, "\(plant), \(words): \(outcome.errors)")
        #expect(
          outcome.errors.hasPrefix("realmctl: app.realm.lock: \(plant.text), so nothing was changed"),
          "\(plant), \(words): \(outcome.errors)")
      }
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder.path("app.realm.lock"))
      #expect((target != nil) == plant.text.contains("symbolic link"))
    }
  }

  // MARK: What is one

  @Test("a lock file that no app uses any more is emptied, whichever engine has left it", arguments: commands)
  func staleLockFiles(_ command: Command) throws {
    for image in [[]] + LockFileImage.all {
      let folder = try folder(for: command)
      try folder.write("app.realm.lock", image)
      let outcome = try folder.tool.run(command.words + (command.arguments.hasPrefix("migrate") ? ["--no-backup"] : []))
      #expect(outcome.status == 0, "\(image.count): \(outcome.errors)")
      #expect(try Fixture.bytes(ofFile: folder.path("app.realm.lock")).isEmpty)
      _ = try LeftRealm(folder.path("app.realm"))
    }
  }

  @Test("a lock that an app holds keeps everybody out", arguments: commands)
  func heldLocks(_ command: Command) throws {
    let folder = try folder(for: command)
    try folder.write("app.realm.lock", LockFileImage.linux)
    let app = open(folder.path("app.realm.lock"), O_RDWR)
    try #require(app >= 0 && flock(app, LOCK_SH | LOCK_NB) == 0)
    defer { close(app) }
    let outcome = try folder.run(command.words)
    // An app's launch goes on without compacting.
    guard !command.arguments.contains("--compact-if") else { return #expect(outcome.status == 0) }
    #expect(outcome.status == 6, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("realmctl: app.realm: the file is in use by another process"))
  }

  @Test("a realm that is being written by another of its names is left alone", arguments: commands)
  func otherNames(_ command: Command) throws {
    guard command.isTransaction else { return try replacedNames(command) }
    let folder = try folder(for: command)
    try #require(link(folder.path("app.realm"), folder.path("other.realm")) == 0)
    let writer = open(folder.path("other.realm"), O_RDWR)
    try #require(writer >= 0 && flock(writer, LOCK_EX | LOCK_NB) == 0)
    let outcome = try folder.run(command.words)
    #expect(outcome.status == 6, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("realmctl: app.realm: the file is in use by another process"))
    flock(writer, LOCK_UN)
    close(writer)
    let later = try folder.tool.run(command.words)
    #expect(later.status == 0)
    #expect(later.errors.contains("app.realm: the file has other names (hard links)"))
    #expect(
      try Fixture.bytes(ofFile: folder.path("other.realm")) == LeftRealm(folder.path("app.realm")).bytes)
  }

  /// A file that is replaced leaves its other names as they were, and says so.
  private func replacedNames(_ command: Command) throws {
    let folder = try folder(for: command)
    try #require(link(folder.path("app.realm"), folder.path("other.realm")) == 0)
    let before = try Fixture.bytes(ofFile: folder.path("app.realm"))
    let outcome = try folder.tool.run(command.words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("the replaced file has other names (hard links), which keep the old content"),
      "\(outcome.errors)")
    #expect(try Fixture.bytes(ofFile: folder.path("other.realm")) == before)
    _ = try LeftRealm(folder.path("app.realm"))
  }

  // MARK: What a refused run leaves

  /// Runs that are refused when they have the lock.
  static let refusals: [(command: Command, plant: @Sendable (InputFolder) throws -> Void)] = [
    (Command(arguments: "compact app.realm"), { folder in try folder.write("app.realm", try damaged()) }),
    (Command(arguments: "compact app.realm --upgrade --backup missing/b.realm", fixture: "../old"), { _ in }),
    (Command(arguments: "upgrade app.realm --backup missing/b.realm", fixture: "../old"), { _ in }),
    (Command(arguments: "downgrade app.realm --file-format 23 --backup missing/b.realm"), { _ in }),
    (
      Command(arguments: "migrate app.realm --schema model.json --to-version 2"),
      { folder in try folder.write("app.realm", try FalseFreeList.realm()) }
    ),
    (
      Command(arguments: "open app.realm --schema model.json --schema-version 2"),
      { folder in try folder.write("app.realm", try FalseFreeList.realm()) }
    ),
    (
      Command(arguments: "migrate app.realm --schema model.json --to-version 2 --backup missing/b.realm"), { _ in }
    ),
  ]

  private static func damaged() throws -> [UInt8] {
    let tree = try NodeTree(Fixture.bytes("engine/person-v1.realm"))
    try tree.table("class_Person").cluster().elements[1] = .raw(1 << 40)
    return tree.written(.normal)
  }

  @Test("a run that is refused leaves no lock file", arguments: refusals.indices)
  func refusedRuns(_ index: Int) throws {
    let (command, plant) = Self.refusals[index]
    let folder = try folder(for: command)
    try plant(folder)
    #expect(try folder.run(command.words).status == 2)
    #expect(try folder.names() == ["app.realm", "model.json", "source.realm"])
  }

  /// As with a realm of a group: others may write it, but not in the owner's name.
  @Test("a run of another user leaves no lock file that the owner could not use") func otherUsers() throws {
    let command = Self.commands[3]
    let folder = try folder(for: command)
    try #require(chmod(folder.path("."), 0o777) == 0 && chmod(folder.path("app.realm"), 0o666) == 0)
    // Only an administrator can run it as somebody else.
    let isOther = getuid() == 0
    if isOther { folder.tool.user = 65534 }
    let outcome = try folder.tool.run(command.words + ["--no-backup"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try folder.names().contains("app.realm.lock") != isOther)
    _ = try LeftRealm(folder.path("app.realm"))
  }
}

/// A realm whose list of free space is wrong.
enum FalseFreeList {
  /// `person-v1`, with the first names said to be free.
  static func realm() throws -> [UInt8] {
    let tree = try NodeTree(Fixture.bytes("engine/person-v1.realm"))
    let two: (Range<Int64>) -> [NodeTree.FreeEntry] = { range in
      [.init(range.lowerBound, 8), .init(range.lowerBound + 8..<range.upperBound)]
    }
    tree.freeEntries = two
    let sound = tree.written(.normal)
    let snapshot = NodeEditor(sound)
    // Tables, the first table of a class, clusters, first names.
    let tables = snapshot.node(1)
    let slot = try #require(tree.tableNames.firstIndex(of: "class_Person"))
    let clusters = Int(snapshot.element(Int(snapshot.element(tables, slot)), 2))
    let names = snapshot.element(clusters, 1)
    tree.freeEntries = { range in [.init(names, 16), .init(range)] }
    return tree.written(.normal)
  }
}

@Suite("a list of free space that is wrong") struct FalseFreeListTests {
  @Test(
    "stops every change in place, and a compaction puts it right",
    arguments: [
      "migrate app.realm --schema model.json --to-version 2", "open app.realm --schema model.json --schema-version 2",
    ])
  func refused(_ command: String) throws {
    let folder = try InputFolder()
    try folder.write("app.realm", FalseFreeList.realm())
    try folder.write("model.json", Array(ModelText.person(#""age":"int","email":"string?""#).utf8))
    let words = command.split(separator: " ").map(String.init)
    let check = try folder.run(["check", "app.realm"])
    #expect(check.status == 1)
    #expect(check.outputText.contains("free"))
    for words in [words] + (command.hasPrefix("migrate") ? [words + ["--dry-run"]] : []) {
      let outcome = try folder.run(words)
      #expect(outcome.status == 2)
      #expect(
        outcome.errors.hasPrefix("realmctl: app.realm: the list of free space is wrong and writing would destroy data")
      )
      #expect(outcome.errors.contains("run 'check'; if it finds no other damage, 'compact' makes a new list"))
    }
    var damaged = try Fixture.bytes("engine/dogs.realm")
    let top = try #require(OpenedRealm(ByteStore.open(.path(Fixture.path("engine/dogs.realm")), key: nil)).snapshot.top)
    damaged[Int(top.freePositions.rawValue) + 8] = 28
    try folder.write("damaged.realm", damaged)
    let small = try folder.run(["delete", "damaged.realm", "Toy", "--all", "--yes", "--no-backup"])
    #expect(small.status == 2)
    #expect(small.errors.contains("free list"))
    let allowed = try folder.run(["delete", "damaged.realm", "Toy", "--all", "--yes", "--no-backup", "--allow-damage"])
    #expect(
      allowed.errors.hasPrefix("realmctl: damaged.realm: the list of free space is damaged, so nothing was changed"))
    // Without the proof the change is made; the user is responsible for the result.
    try folder.write("copy.realm", FalseFreeList.realm())
    let unproved = words.map { $0 == "app.realm" ? "copy.realm" : $0 } + ["--no-verify"]
    #expect(try !folder.tool.run(unproved).errors.contains("the list of free space is wrong"))
    let people = try folder.run(["export", "app.realm", "--only", "Person"]).outputText
    #expect(try folder.tool.run("compact", "app.realm").status == 0)
    _ = try LeftRealm(folder.path("app.realm"))
    #expect(try folder.run(["export", "app.realm", "--only", "Person"]).outputText == people)
    #expect(try folder.tool.run(words).status == 0)
    _ = try LeftRealm(folder.path("app.realm"))
  }

  @Test("a list that contradicts itself is no obstacle for a compaction") func damagedList() throws {
    let folder = try InputFolder()
    let tree = try NodeTree(Fixture.bytes("engine/person-v1.realm"))
    tree.freeEntries = { [.init($0.lowerBound, 1 << 40)] }
    try folder.write("app.realm", tree.written(.normal))
    try folder.write("model.json", Array(ModelText.person(#""age":"int","email":"string?""#).utf8))
    let migrate = ["migrate", "app.realm", "--schema", "model.json", "--to-version", "2"]
    let outcome = try folder.run(migrate)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("the list of free space is damaged"))
    #expect(try folder.tool.run("compact", "app.realm").status == 0)
    #expect(try folder.tool.run(migrate).status == 0)
    _ = try LeftRealm(folder.path("app.realm"))
  }
}

@Suite("a history that is not known") struct UnknownHistoryTests {
  @Test(
    "is kept by nobody who does not know how",
    arguments: [
      "migrate app.realm --schema model.json --to-version 2", "open app.realm --schema model.json --schema-version 2",
      "migrate app.realm --schema model.json --to-version 2 -o new.realm", "compact app.realm",
      "compact app.realm --dry-run", "compact app.realm -o new.realm", "open app.realm --compact-if total>0",
    ])
  func refused(_ command: String) throws {
    let cases: [(Int64, Int64, String)] = [
      (2, 2, "Unexpected future history schema version 2, current schema 1"),
      (7, 1, "has history type 'Unknown', but is being opened in local history mode."),
      (1, 1, "has history type 'Local out of Realm', but is being opened in local history mode."),
    ]
    for (kind, schema, text) in cases {
      let folder = try Self.folder(kind, schema)
      let outcome = try folder.run(command.split(separator: " ").map(String.init))
      #expect(outcome.status == 2, "\(outcome.errors)")
      #expect(outcome.errors.contains(text), "\(outcome.errors)")
      #expect(!outcome.errors.contains("Device Sync"))
    }
  }

  @Test("is left out by copies that have none") func copied() throws {
    for (kind, schema) in [(2, 2), (7, 1), (3, 13)] as [(Int64, Int64)] {
      let folder = try Self.folder(kind, schema)
      #expect(try folder.run(["write-copy", "app.realm", "new.realm"], creates: ["new.realm"]).status == 0)
      _ = try LeftRealm(folder.path("new.realm"))
    }
  }

  private static func folder(_ kind: Int64, _ schema: Int64) throws -> InputFolder {
    let folder = try InputFolder()
    let tree = try NodeTree(Fixture.bytes("engine/person-v1.realm"))
    (tree.root.elements[7], tree.root.elements[9]) = (.tagged(kind), .tagged(schema))
    try folder.write("app.realm", tree.written(.normal))
    try folder.write("model.json", Array(ModelText.person(#""age":"int","email":"string?""#).utf8))
    return folder
  }
}
