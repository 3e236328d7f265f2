import CProcess
import Foundation

/// Another program that runs alongside a test and communicates with it.
package final class ChildProcess {
  package let processID: pid_t
  /// What the test writes to and reads from: the ends of two pipes, or the same terminal twice.
  private let (input, output): (Int32, Int32)
  private let errors: Int32?
  /// The program's side of its terminal, kept open so that its settings can be read.
  private let terminal: Int32?
  private var isInputOpen = true
  private let deadline: Deadline

  /// Starts an executable of this package (`StorageProbe`, `realmctl`), which the build puts next to the tests, with
  /// pipes for its standard streams.
  ///
  /// - Parameter environment: variables in addition to those of the tests.
  package init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    let pipes = try (0..<3).map { _ in try Self.openPipe() }
    defer { for end in [pipes[0].readEnd, pipes[1].writeEnd, pipes[2].writeEnd] { close(end) } }
    processID = try Self.start(
      name, arguments, environment, (pipes[0].readEnd, pipes[1].writeEnd, pipes[2].writeEnd), leadsSession: false)
    (input, output, errors) = (pipes[0].writeEnd, pipes[1].readEnd, pipes[2].readEnd)
    terminal = nil
    deadline = Deadline(killing: processID)
  }

  /// Starts an executable of this package as the leader of a session at a terminal of its own.
  package init(atTerminal name: String, _ arguments: [String]) throws {
    var (screen, program): (Int32, Int32) = (-1, -1)
    guard cprocess_open_terminal(&screen, &program) else { throw Self.failure }
    processID = try Self.start(name, arguments, [:], (program, program, program), leadsSession: true)
    (input, output, errors, terminal) = (screen, screen, nil, program)
    deadline = Deadline(killing: processID)
  }

  deinit {
    if isInputOpen { close(input) }
    if output != input { close(output) }
    for descriptor in [errors, terminal] { descriptor.map { _ = close($0) } }
  }

  // MARK: Talking

  /// Writes to the program's standard input; at a terminal, types.
  package func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes a text to the program's standard input; at a terminal, types it.
  package func type(_ text: String) { write(Array(text.utf8)) }

  /// Reads what the program writes until it ends with a text; returns all of it.
  package func read(until text: String) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !String(decoding: bytes, as: UTF8.self).hasSuffix(text), isReadable, Foundation.read(output, &byte, 1) == 1 {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits for something to read; a terminal that is kept open here has no end.
  private var isReadable: Bool {
    var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, Int32(Deadline.seconds) * 1000) > 0
  }

  /// Whether the program's terminal shows what is typed.
  package var echoes: Bool {
    var settings = termios()
    tcgetattr(terminal ?? -1, &settings)
    return settings.c_lflag & tcflag_t(ECHO) != 0
  }

  // MARK: The end

  /// How a process ended, and the output that is left to read.
  package struct Ending: Equatable, Sendable {
    package var status: Int32?
    package var signal: Int32?
    package var output: String
    package var errors: String

    package init(status: Int32? = nil, signal: Int32? = nil, output: String = "", errors: String = "") {
      (self.status, self.signal, self.output, self.errors) = (status, signal, output, errors)
    }
  }

  /// Ends the program's standard input, if that is a pipe, and waits. For programs whose errors fit a pipe (64 KiB).
  package func wait() -> Ending {
    var ending = Ending()
    if terminal == nil {
      close(input)
      isInputOpen = false
      ending.output = Self.readAll(output)
      ending.errors = Self.readAll(errors ?? -1)
    }
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0, errno == EINTR {}
    deadline.cancel()
    if status & 0x7f == 0 { ending.status = status >> 8 & 0xff } else { ending.signal = status & 0x7f }
    return ending
  }

  private static func readAll(_ descriptor: Int32) -> String {
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    return String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
  }

  // MARK: The start

  private static func start(
    _ name: String, _ arguments: [String], _ environment: [String: String],
    _ streams: (input: Int32, output: Int32, errors: Int32), leadsSession: Bool
  ) throws -> pid_t {
    let folder = Tool.builtProducts.path
    var tool = Tool(folder + "/" + name, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
    tool.folder = folder
    let process = tool.fork(
      arguments, input: streams.input, output: streams.output, errors: streams.errors, leadsSession: leadsSession)
    guard process > 0 else { throw failure }
    return process
  }

  private static func openPipe() throws -> (readEnd: Int32, writeEnd: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw failure }
    return (ends[0], ends[1])
  }

  private static var failure: POSIXError { POSIXError(.init(rawValue: errno) ?? .EIO) }
}
