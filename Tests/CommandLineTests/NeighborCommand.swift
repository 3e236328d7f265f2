import Foundation
import RealmInspection
import RealmSystem
import TestSupport
import Testing

@testable import RealmStorage

/// A command of the table of hostile neighbors, with names for its files.
struct NeighborCommand: Sendable, CustomStringConvertible {
  /// What it does to files apart from reading them.
  enum Effect: Sendable {
    case none, inPlace, newFile, newFolder
  }

  /// Words that begin with `%` are files: `%in`, `%old` (of format 23), `%model` (a schema), `%out`, `%kept`.
  let description: String
  let effect: Effect

  init(_ description: String, _ effect: Effect = .none) { (self.description, self.effect) = (description, effect) }

  /// A command that only reads a realm needs no row. The first file of `plan check` is a plan, that of `redact check` rules.
  static let all =
    rows
    + ManualTests.leaves.filter { ![["plan", "check"], ["redact", "check"]].contains($0.words) }.map {
      $0.words.joined(separator: " ") + " "
    }
    .filter { words in !rows.contains { $0.description.hasPrefix(words) } }
    .map { NeighborCommand($0 + "%in") }

  private static let rows = [
    NeighborCommand("open %in"), NeighborCommand("schema dump %in"), NeighborCommand("schema diff %in %model"),
    NeighborCommand("export %in"), NeighborCommand("diff %in --against previous"),
    NeighborCommand("query %in Dog"), NeighborCommand("sql %in SELECT(1)"),
    NeighborCommand("export %in --format sqlite -o %out", .newFile),
    NeighborCommand("plan new %in --schema %model --to-version 9"),
    NeighborCommand("redact check %rules %in"), NeighborCommand("write-copy %in %out --redact %rules", .newFile),
    NeighborCommand("schema infer %in"), NeighborCommand("schema infer %in -o %out", .newFile),
    NeighborCommand("import %in %in --mode delete", .inPlace),
    NeighborCommand("import %in %in --mode delete -o %out", .newFile),
    NeighborCommand("insert %in Toy _id=11111111-2222-3333-4444-555555555556", .inPlace),
    NeighborCommand("update %in Dog --all --set name=Max --no-backup", .inPlace),
    NeighborCommand("update %in Dog --all --set name=Max -o %out", .newFile),
    NeighborCommand("delete %in Dog name=='Rex' --backup %kept", .inPlace),
    NeighborCommand("rm %in --dry-run"),
    NeighborCommand("compact %in", .inPlace),
    NeighborCommand("compact %in --backup %kept", .inPlace),
    NeighborCommand("migrate %in --schema %model --to-version 9 --no-backup", .inPlace),
    NeighborCommand("upgrade %old --backup %kept", .inPlace),
    NeighborCommand("downgrade %in --file-format 23 --backup %kept", .inPlace),
    NeighborCommand("open %in --schema %model --schema-version 9", .inPlace),
    NeighborCommand("export %in -o %out", .newFile), NeighborCommand("schema dump %in -o %out", .newFile),
    NeighborCommand("compact %in -o %out", .newFile), NeighborCommand("write-copy %in %out", .newFile),
    NeighborCommand("recover %in -o %out", .newFile),
    NeighborCommand("bundle %in --seed %out", .newFile),
    NeighborCommand("write-copy %in %out --where Person:name=='Bob' --with-links", .newFile),
    NeighborCommand("bundle %in --seed %out --where Toy:name=='Ball' --allow-data-loss", .newFile),
    NeighborCommand("export %in --only Dog --where name=='Rex' -o %out", .newFile),
    NeighborCommand("migrate %in --schema %model --to-version 9 -o %out", .newFile),
    NeighborCommand("upgrade %old -o %out", .newFile),
    NeighborCommand("downgrade %in --file-format 22 -o %out", .newFile),
    NeighborCommand("write-copy %in %out --file-format 23", .newFile),
    NeighborCommand("export %in --format csv -o %out", .newFolder),
  ]

  static let writing = all.filter { $0.effect != .none }
  static let writingFiles = all.filter { $0.effect == .newFile }

  /// The realm that is read or changed.
  var input: String { description.contains("%old") ? "old" : "in" }
  var readsModel: Bool { description.contains("%model") }

  func words(_ name: (String) -> String) -> [String] {
    description.split(separator: " ").map { $0.hasPrefix("%") ? name(String($0.dropFirst())) : String($0) }
  }
}

/// A folder for one run, whose files may have names that are not text.
struct NeighborFolder {
  let folder: TemporaryFolder
  var suffix = ""
  var tool = Tool()

  /// - Parameter suffix: of all names.
  init(suffix: String = "") throws {
    (folder, self.suffix) = (try TemporaryFolder(), suffix)
    tool.folder = folder.path
    try write(name("in"), try Fixture.bytes("engine/dogs.realm"))
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    tree.format = 23
    try write(name("old"), tree.written(.normal))
    try write(name("model"), Self.model.get())
    try write(name("rules"), Array(#"{"default": "keep", "classes": {}}"#.utf8))
  }

  private static let model = Result {
    try Tool().run("schema", "dump", Fixture.path("engine/dogs.realm"), "--format", "json").output
  }

  /// An output has no extension, which would contradict what some commands write.
  func name(_ file: String) -> String {
    file + suffix + (["model": ".json", "out": ""][file] ?? ".realm")
  }

  func path(_ name: String) -> String { folder.path(name) }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    let calls = SystemFileCalls()
    let descriptor = try calls.open(path(name), .create(mode: 0o644))
    defer { calls.close(descriptor) }
    try bytes.withUnsafeBytes { try calls.writeFully(descriptor, $0, at: 0) }
  }

  func run(_ command: NeighborCommand, _ options: [String] = []) throws -> Tool.Outcome {
    try tool.run(command.words(name) + options)
  }

  /// What is in the folder, by name.
  func files() throws -> [String: [UInt8]] { try Self.content(of: path("."), "") }

  /// The same, to be compared: the name of a backup has the time of day in it.
  func content() throws -> [String: [UInt8]] {
    Dictionary(try files().map { ($0.key.replacing(/\d{8}T\d{6}Z/, with: "TIME"), $0.value) }) { first, _ in first }
  }

  private static func content(of folder: String, _ prefix: String) throws -> [String: [UInt8]] {
    let calls = SystemFileCalls()
    let list = try calls.open(folder, .folder)
    defer { calls.close(list) }
    var content: [String: [UInt8]] = [:]
    for name in try calls.names(in: list) {
      guard let descriptor = try? calls.open(name, in: list, .reading) else { continue }
      defer { calls.close(descriptor) }
      let status = try calls.status(of: descriptor)
      if status.kind == .directory {
        content.merge(try self.content(of: folder + "/" + name, prefix + name + "/")) { $1 }
        continue
      }
      var bytes = [UInt8](repeating: 0, count: Int(status.size))
      _ = try bytes.withUnsafeMutableBytes { try calls.readFully(descriptor, into: $0, at: 0) }
      content[prefix + name] = bytes
    }
    return content
  }

  /// Realms that a command has left are sound.
  func checkRealms() throws {
    for (name, bytes) in try files() where bytes.dropFirst(16).starts(with: Array("T-DB".utf8)) {
      let opened = try ByteStore.open(.path(path(name)), key: nil)
      var findings: [String] = []
      _ = try Checker(opened.store).run { if $0.severity == .error { findings.append($0.message) } }
      #expect(findings == [], "\(name)")
    }
  }

  /// Locks a realm like an app that has it open.
  func hold(_ name: String) throws -> Int32 {
    let descriptor = Foundation.open(path(name + ".lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    try #require(descriptor >= 0)
    try #require(flock(descriptor, LOCK_SH | LOCK_NB) == 0)
    return descriptor
  }

  func permissions(_ name: String) throws -> UInt32 { try SystemFileCalls().status(ofPath: path(name)).mode }
}
