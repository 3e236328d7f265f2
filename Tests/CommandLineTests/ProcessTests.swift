import CProcess
import Foundation
import TestSupport
import Testing

@testable import realmctl

/// How a run behaves as a process: pipes, signals, terminals.
@Suite struct ProcessTests {
  // MARK: - Pipes

  @Test func aClosedPipeEndsQuietly() throws {
    let pipe = try PipeEnds()
    let errors = try PipeEnds()
    pipe.closeReading()
    let process = try Tool().start(
      ["export", Fixture.path("engine/deep-tree.realm")], input: 0, output: pipe.writeEnd, errors: errors.writeEnd)
    #expect(try process.wait() == .status(0))
    errors.closeWriting()
    #expect(try errors.readToEnd().isEmpty)
  }

  @Test func helpIntoAClosedPipeEndsQuietlyToo() throws {
    let pipe = try PipeEnds()
    pipe.closeReading()
    let process = try Tool().start(["--help"], input: 0, output: pipe.writeEnd, errors: 2)
    #expect(try process.wait() == .status(0))
  }

  // MARK: - Signals

  @Test(arguments: [SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131] as [Int32: Int32])
  func aSignalEndsTheRunWithItsStatus(signal: Int32, status: Int32) throws {
    let pipe = try PipeEnds()
    let process = try Tool().start(
      ["export", Fixture.path("engine/deep-tree.realm")], input: 0, output: pipe.writeEnd, errors: 2)
    // The first byte shows that it is at work; then the pipe is full and it waits for us.
    _ = try pipe.readByte()
    kill(process.identifier, signal)
    #expect(try process.wait() == .status(status))
  }

  @Test func aSignalLeavesNoHalfWrittenFile() throws {
    let folder = try TemporaryFolder()
    let pipe = try PipeEnds()
    // The output is there under a temporary name while the realm is still being read from the pipe.
    let process = try Tool().start(
      ["export", "-", "-o", folder.path("b.json")], input: pipe.readEnd, output: 1, errors: 2)
    while try folder.names().isEmpty { sched_yield() }
    #expect(try folder.names() == [".b.json.realmctl-\(process.identifier)-0"])
    kill(process.identifier, SIGINT)
    #expect(try process.wait() == .status(130))
    #expect(try folder.names().isEmpty)
  }

  @Test func aFileThatIsCutShortWhileItIsReadEndsInOneLine() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", try Fixture.bytes("engine/deep-tree.realm"))
    let (pipe, errors) = (try PipeEnds(), try PipeEnds())
    let process = try Tool().start(["export", path], input: 0, output: pipe.writeEnd, errors: errors.writeEnd)
    pipe.closeWriting()
    errors.closeWriting()
    // It is at work, and cannot go far before somebody reads.
    _ = try pipe.readByte()
    try #require(truncate(path, 4096) == 0)
    _ = try pipe.readToEnd()
    #expect(try process.wait() == .status(2))
    #expect(
      String(decoding: try errors.readToEnd(), as: UTF8.self)
        == "realmctl: \(path): the file was cut short, or its disk failed, while it was read; "
        + "copy it again from its source, or check the disk\n")
  }

  @Test(
    "a file that is cut short while it is changed ends in one line that says so",
    arguments: [
      ["compact", "%"], ["migrate", "%", "--convert", "Item.n=string", "--to-version", "99", "--no-backup"],
      ["downgrade", "%", "--file-format", "23", "--no-backup"],
    ])
  func cutShortWhileChanged(words: [String]) throws {
    let folder = try TemporaryFolder()
    let original = try Fixture.bytes("engine/deep-tree.realm")
    for attempt in 0..<12 {
      let path = try folder.write("a.realm", original)
      let errors = try PipeEnds()
      let process = try Tool().start(
        words.map { $0 == "%" ? path : $0 }, input: 0, output: errors.writeEnd, errors: errors.writeEnd)
      errors.closeWriting()
      // Wherever it is by then, it ends with a status and a line.
      for _ in 0..<attempt * 2000 { sched_yield() }
      _ = truncate(path, [0, 24, 4096, 300_000][attempt % 4])
      let text = String(decoding: try errors.readToEnd(), as: UTF8.self)
      let end = try process.wait()
      guard case .status(let status) = end else {
        Issue.record("\(end): \(text)")
        continue
      }
      #expect([0, 2, 6, 7].contains(status), "\(text)")
      if status == 6 {
        #expect(
          text.hasSuffix("while it was changed; run 'check'\n") || text.contains("the file changed while it was read"),
          "\(text)")
      }
    }
  }

  @Test("diff names the one of two files that is cut short", arguments: [0, 1])
  func cutShortOfTwo(number: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = try Fixture.bytes("engine/deep-tree.realm")
    let paths = [try folder.write("a.realm", bytes), try folder.write("b.realm", bytes)]
    // What is different fills the pipe, so that the run waits with both files open.
    let tool = Tool()
    let change = ["migrate", paths[1], "--convert", "Item.n=string", "--to-version", "99", "--init", "--no-backup"]
    _ = try tool.run(change)
    let (pipe, errors) = (try PipeEnds(), try PipeEnds())
    let process = try tool.start(["diff"] + paths, input: 0, output: pipe.writeEnd, errors: errors.writeEnd)
    pipe.closeWriting()
    errors.closeWriting()
    _ = try pipe.readByte()
    try #require(truncate(paths[number], 4096) == 0)
    _ = try pipe.readToEnd()
    #expect(try process.wait() == .status(2))
    #expect(
      String(decoding: try errors.readToEnd(), as: UTF8.self)
        == "realmctl: \(paths[number]): the file was cut short, or its disk failed, while it was read; "
        + "copy it again from its source, or check the disk\n")
  }

  @Test(
    "progress is shown where it can be seen and does not come between results",
    arguments: [
      (.terminal, true, false, false), (.terminal, false, false, true), (.file, true, false, true),
      (.file, false, false, true), (.pipe, true, false, false), (.pipe, false, false, false), (.pipe, true, true, true),
      (.pipe, false, true, true), (.terminal, true, true, false),
    ] as [(StandardOutput.Kind, Bool, Bool, Bool)])
  func progressPlaces(output: StandardOutput.Kind, takesData: Bool, isAskedFor: Bool, isShown: Bool) {
    var style = MessageStyle(showsProgressInPipelines: isAskedFor)
    #expect(style.showsProgress(alongside: output, takingData: takesData) == isShown)
    style.volume = .quiet
    #expect(!style.showsProgress(alongside: output, takingData: takesData))
    style = MessageStyle(isJSON: true)
    #expect(!style.showsProgress(alongside: output, takingData: takesData))
  }

  @Test func aCommitMeanwhileIsNoticed() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", try Fixture.bytes("engine/deep-tree.realm"))
    let (pipe, errors) = (try PipeEnds(), try PipeEnds())
    let process = try Tool().start(["export", path], input: 0, output: pipe.writeEnd, errors: errors.writeEnd)
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

  // MARK: - Terminals

  private static let escape = "\u{1b}["

  @Test(arguments: [
    ([:], [], true),
    (["NO_COLOR": "1"], [], false),
    (["NO_COLOR": ""], [], true),
    (["NO_COLOR": "1"], ["--color", "always"], true),
    ([:], ["--color", "never"], false),
    (["TERM": "dumb"], [], false),
  ])
  func aTerminalGetsColorUnlessToldOtherwise(
    environment: [String: String], options: [String], isColored: Bool
  ) throws {
    var tool = Tool()
    tool.environment = environment
    let terminal = try Terminal()
    let process = try tool.start(
      ["open", Fixture.path("engine/dogs.realm")] + options, input: terminal.program, output: terminal.program,
      errors: terminal.program)
    #expect(try process.wait() == .status(0))
    #expect(try terminal.shown().contains(Self.escape) == isColored)
  }

  @Test("CSV keeps the characters of values, but a terminal does not obey them", arguments: ["query", "sql", "export"])
  func tabularText(_ command: String) throws {
    let folder = try TemporaryFolder()
    var tool = Tool()
    tool.folder = folder.path
    _ = try folder.write("P.json", Array(#"{"P":[{"s":"\u001b]0;owned\u0007ü","t":"a\nb"}]}"#.utf8))
    #expect(try tool.run("import", "p.realm", "P.json", "--create", "--create-classes").status == 0)
    let words =
      switch command {
      case "query": ["query", "p.realm", "P", "--columns", "s,t", "--format", "csv"]
      case "sql": ["sql", "p.realm", "SELECT s, t FROM P", "--format", "csv"]
      default: ["export", "p.realm", "--only", "P", "--format", "csv"]
      }
    let piped = try tool.run(words)
    #expect(piped.outputText.contains("\u{1b}]0;owned\u{7}ü,\"a\nb\"\n"), "\(piped.errors)")
    let terminal = try Terminal()
    let process = try tool.start(words, input: terminal.program, output: terminal.program, errors: terminal.program)
    #expect(try process.wait() == .status(0))
    let shown = try terminal.shown()
    #expect(shown.contains(#"\u{1b}]0;owned\u{7}ü,"a"#) && !shown.contains("\u{1b}]"), "\(shown)")
  }

  @Test func aPipeGetsNoColor() throws {
    let outcome = try Tool().run("open", Fixture.path("engine/dogs.realm"))
    #expect(!outcome.outputText.contains(Self.escape))
  }

  @Test func aKeyIsAskedForAndNotShown() throws {
    let terminal = try Terminal()
    let output = try PipeEnds()
    let key = Fixture.engineKey.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let process = try Tool().start(
      ["open", "--key-prompt", Fixture.path("engine/all-types-encrypted.realm")], input: terminal.program,
      output: output.writeEnd, errors: output.writeEnd, leadsSession: true)
    let prompt = try terminal.waitFor("all-types-encrypted.realm: ")
    #expect(prompt.hasPrefix("Encryption key of "))
    try terminal.type(key + "\n")
    #expect(try process.wait() == .status(0))
    output.closeWriting()
    #expect(String(decoding: try output.readToEnd(), as: UTF8.self).contains("encrypted: yes\n"))
    #expect(try !terminal.shown().contains(key.prefix(8)))
  }

  @Test func withoutATerminalNobodyCanBeAsked() throws {
    let null = open("/dev/null", O_RDWR)
    defer { close(null) }
    let errors = try PipeEnds()
    let process = try Tool().start(
      ["open", "--key-prompt", Fixture.path("engine/dogs.realm")], input: null, output: null,
      errors: errors.writeEnd, leadsSession: true)
    #expect(try process.wait() == .status(4))
    errors.closeWriting()
    #expect(
      String(decoding: try errors.readToEnd(), as: UTF8.self)
        == "realmctl: the key cannot be asked for without a terminal; use --key-file or --key-env\n")
  }
}

/// A pipe of the tests' own.
final class PipeEnds {
  private(set) var readEnd: Int32
  private(set) var writeEnd: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Tool.Failure(call: "pipe") }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    closeReading()
    closeWriting()
  }

  func closeReading() {
    if readEnd >= 0 { close(readEnd) }
    readEnd = -1
  }

  func closeWriting() {
    if writeEnd >= 0 { close(writeEnd) }
    writeEnd = -1
  }

  func readByte() throws -> UInt8 {
    var byte: UInt8 = 0
    guard read(readEnd, &byte, 1) == 1 else { throw Tool.Failure(call: "read") }
    return byte
  }

  func readToEnd() throws -> [UInt8] {
    [UInt8](try FileHandle(fileDescriptor: readEnd).readToEnd() ?? Data())
  }
}

/// A pseudo-terminal: the tests hold the side of the keyboard and the screen.
final class Terminal {
  /// The side of a program.
  let program: Int32
  private let screen: Int32
  private var text = ""

  init() throws {
    var (screen, program) = (Int32(-1), Int32(-1))
    guard cprocess_open_terminal(&screen, &program) else { throw Tool.Failure(call: "posix_openpt") }
    (self.screen, self.program) = (screen, program)
    for end in [screen, program] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(program)
    close(screen)
  }

  func type(_ keys: String) throws {
    try FileHandle(fileDescriptor: screen).write(contentsOf: Data(keys.utf8))
  }

  /// Reads what is shown until it contains `expected`.
  func waitFor(_ expected: String) throws -> String {
    while !text.contains(expected) { try readSome() }
    return text
  }

  /// All that has been shown. The process must have ended.
  func shown() throws -> String {
    var request = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
    while poll(&request, 1, 0) > 0, request.revents & Int16(POLLIN) != 0 { try readSome() }
    return text
  }

  private func readSome() throws {
    // This process keeps both sides open, so what the other one wrote can be read after it has ended.
    var request = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, Int32(Deadline.seconds) * 1000) > 0 else { throw Tool.Failure(call: "poll") }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(screen, &bytes, bytes.count)
    guard count > 0 else { throw Tool.Failure(call: "read") }
    text += String(decoding: bytes[..<count], as: UTF8.self)
  }
}
