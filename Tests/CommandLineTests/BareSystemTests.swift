import Foundation
import TestSupport
import Testing

#if os(Linux)
  /// Every command but `browse` in a system with nothing but the binary and its files: no `/proc`, no `/dev`, no
  /// `/tmp`.
  @Suite(.enabled(if: BareSystem.chroot != nil, "only root can change the root folder")) struct BareSystemTests {
    @Test(
      "every command works without /proc",
      arguments: [
        ["--version"], ["--help"], ["help", "open"], ["open", "/a.realm"], ["open", "/a.realm", "--json"],
        ["check", "/a.realm"], ["schema", "dump", "/a.realm", "-o", "/schema.json", "--format", "json"],
        ["schema", "diff", "/a.realm", "/a.realm"], ["export", "/a.realm"],
        ["export", "/a.realm", "--format", "csv", "-o", "/csv"], ["query", "/a.realm", "Dog", "name != 'x'"],
        ["stats", "/a.realm"], ["history", "/a.realm"], ["hash", "/a.realm"], ["diff", "/a.realm", "/a.realm"],
        ["compact", "/a.realm"], ["write-copy", "/a.realm", "/b.realm"], ["bundle", "/a.realm", "--seed", "/c.realm"],
        ["downgrade", "/a.realm", "--file-format", "23", "-o", "/d.realm"], ["upgrade", "/a.realm", "-o", "/e.realm"],
        ["migrate", "/a.realm", "--rename", "Dog=Pet", "--to-version", "99"],
        ["plan", "new", "/a.realm", "--schema", "/a.realm", "--to-version", "99"],
        ["recover", "/a.realm", "-o", "/f.realm"],
      ])
    func commands(words: [String]) throws {
      let system = try BareSystem()
      try system.folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
      let outcome = try system.run(words)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors == "")
      #expect(!outcome.output.isEmpty || words.first == "diff" || words.first == "schema")
      for name in try system.folder.names() where name.hasSuffix(".realm") {
        _ = try LeftRealm(system.folder.path(name))
      }
    }

    @Test("the browser says that it needs a terminal") func browser() throws {
      let system = try BareSystem()
      try system.folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
      let outcome = try system.run(["browse", "/a.realm"])
      #expect(outcome.status == 2)
      #expect(outcome.errors.hasPrefix("realmctl: 'browse' needs a terminal"))
    }

    @Test(
      "a stack of 64 KiB is enough",
      arguments: [
        ["open", "/a.realm"], ["update", "/a.realm", "Dog", "--all", "--set", "name=x"],
        ["migrate", "/a.realm", "--rename", "Dog=Pet", "--to-version", "99"], ["sql", "/a.realm", "SELECT 1"],
        ["export", "/a.realm", "--format", "csv", "-o", "/csv"],
      ])
    func smallStack(words: [String]) throws {
      let system = try BareSystem()
      try system.folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
      let outcome = try system.run(words, stack: 64)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("programs that are started do not see what the runtime needed without /proc") func environment() throws {
      let system = try BareSystem()
      try system.folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
      try system.add("/usr/bin/env")
      let plan = """
        plan: 1
        steps:
          - to: 99
            do:
              - transform: { class: Dog, exec: [/usr/bin/env] }
        """
      try system.folder.write("plan.yml", Array(plan.utf8))
      // What `env` prints is not a valid answer; the message shows its first line.
      let outcome = try system.run(["migrate", "/a.realm", "--plan", "/plan.yml", "--to-version", "99", "--allow-exec"])
      #expect(outcome.status != 0)
      #expect(!outcome.errors.contains("SWIFT_ROOT"))
    }
  }

  /// A folder that is the whole system for a run: the binary, and the libraries it needs where it is not static.
  struct BareSystem {
    static let chroot: String? =
      getuid() == 0 ? ["/usr/sbin/chroot", "/usr/bin/chroot"].first { access($0, X_OK) == 0 } : nil

    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try add(Tool.binary, as: "/realmctl")
    }

    /// Adds a program with its libraries.
    func add(_ program: String, as name: String? = nil) throws {
      try copy(program, to: name ?? program)
      for library in try Self.libraries(of: program) where access(folder.path(library), F_OK) != 0 {
        try copy(library, to: library)
      }
    }

    private func copy(_ path: String, to name: String) throws {
      let target = folder.path + name
      try FileManager.default.createDirectory(
        atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      let source = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      // The same bytes; a copy only where the folder is on another file system.
      if Foundation.link(source, target) != 0 { try FileManager.default.copyItem(atPath: source, toPath: target) }
    }

    /// What `ldd` says: nothing for a static program.
    private static func libraries(of program: String) throws -> [String] {
      let outcome = try Tool("/usr/bin/ldd", environment: ["PATH": "/usr/bin:/bin"]).run(program)
      return outcome.outputText.split(separator: "\n").compactMap { line in
        line.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("/") }.map(String.init)
      }
    }

    /// - Parameter stack: the limit of the stack in KiB; nil for that of the tests.
    func run(_ words: [String], stack: Int? = nil) throws -> Tool.Outcome {
      var tool = Tool("/bin/sh", environment: ["LD_LIBRARY_PATH": Self.libraryFolders])
      tool.folder = "/"
      let limit = stack.map { "ulimit -s \($0) && " } ?? ""
      return try tool.run(["-c", limit + "exec \"$0\" \"$@\"", Self.chroot ?? "", folder.path, "/realmctl"] + words)
    }

    /// Where the libraries of Swift are: the path in the binary counts from its own place, which is another here.
    private static let libraryFolders: String = {
      let paths = (try? libraries(of: Tool.binary)) ?? []
      return Set(paths.map { ($0 as NSString).deletingLastPathComponent }).sorted().joined(separator: ":")
    }()
  }
#endif
