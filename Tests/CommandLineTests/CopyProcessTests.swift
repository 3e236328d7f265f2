import CProcess
import Foundation
import TestSupport
import Testing

/// How writing a realm behaves as a process: signals, pipes, terminals, other processes.
@Suite struct CopyProcessTests {
  @Test func aSignalLeavesNoHalfWrittenSeed() throws {
    let folder = try TemporaryFolder()
    try folder.write("schema.json", Array(#"[{"name":"A","properties":{"n":"int"}}]"#.utf8))
    try folder.write("old.realm", Array("old".utf8))
    for name in ["new.realm", "old.realm"] {
      let pipe = try PipeEnds()
      // The seed is there under a temporary name while the data is still being read from the pipe.
      let arguments = ["--schema", folder.path("schema.json"), "--data", "-", "--seed", folder.path(name), "--force"]
      let process = try Tool().start(["bundle"] + arguments, input: pipe.readEnd, output: 1, errors: 2)
      let temporary = ".\(name).realmctl-\(process.identifier)-0"
      while try !folder.names().contains(temporary) { sched_yield() }
      kill(process.identifier, SIGINT)
      #expect(try process.wait() == .status(130))
      #expect(try folder.names() == ["old.realm", "schema.json"])
    }
    #expect(try Fixture.bytes(ofFile: folder.path("old.realm")) == Array("old".utf8))
  }

  @Test func aCommitDuringAStreamIsNoticed() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", try Fixture.bytes("engine/strings.realm"))
    let (pipe, errors) = (try PipeEnds(), try PipeEnds())
    let process = try Tool().start(["write-copy", path, "-"], input: 0, output: pipe.writeEnd, errors: errors.writeEnd)
    pipe.closeWriting()
    errors.closeWriting()
    _ = try pipe.readByte()
    // Any change in the header is one of a commit.
    let file = open(path, O_WRONLY)
    try #require(pwrite(file, [1], 1, 22) == 1)
    close(file)
    _ = try pipe.readToEnd()
    #expect(try process.wait() == .status(6))
    #expect(
      String(decoding: try errors.readToEnd(), as: UTF8.self)
        == "realmctl: \(path): the file changed while it was read; try again when the app that has it open is idle\n")
  }

  @Test func aClosedPipeEndsQuietly() throws {
    let (pipe, errors) = (try PipeEnds(), try PipeEnds())
    let arguments = ["write-copy", Fixture.path("engine/strings.realm"), "-"]
    let process = try Tool().start(arguments, input: 0, output: pipe.writeEnd, errors: errors.writeEnd)
    pipe.closeWriting()
    errors.closeWriting()
    _ = try pipe.readByte()
    pipe.closeReading()
    #expect(try process.wait() == .status(0))
    #expect(try errors.readToEnd().isEmpty)
  }

  @Test func aTerminalGetsNoRealm() throws {
    let terminal = try Terminal()
    let arguments = ["bundle", Fixture.path("engine/dogs.realm"), "--seed", "-"]
    let process = try Tool().start(arguments, input: 0, output: terminal.program, errors: terminal.program)
    #expect(try process.wait() == .status(64))
    #expect(try terminal.shown().contains("refusing to write a realm to a terminal"))
  }

  @Test func aRealmThatAnAppHasOpenIsNotReplaced() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    try folder.write("b.realm", try Fixture.bytes("engine/todo.realm"))
    try folder.write("b.realm.lock", [])
    let lock = open(folder.path("b.realm.lock"), O_RDWR)
    try #require(flock(lock, LOCK_SH | LOCK_NB) == 0)
    for arguments in [["write-copy", "a.realm", "b.realm"], ["bundle", "a.realm", "--seed", "b.realm"]] {
      for options in [["--force"], ["--force", "--dry-run"]] {
        let outcome = try folder.run(arguments + options)
        #expect(outcome.status == 6)
        #expect(outcome.errors.hasPrefix("realmctl: b.realm: the file is in use by another process"))
      }
    }
    close(lock)
    let outcome = try folder.run(
      ["write-copy", "a.realm", "b.realm", "--force"], creates: ["b.realm", "b.realm.lock"])
    #expect(outcome.status == 0)
    #expect(try LeftRealm(folder.path("b.realm")).classNames == ["Dog", "Person", "Toy"])
  }
}
