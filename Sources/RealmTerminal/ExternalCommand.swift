import CSystem
import Libc
import RealmSystem

/// A program that runs alongside this process: lines go to it and come from it, neither waiting for the other.
///
/// There is no shell. The program has a process group of its own; all of it ends when this process is ended by a signal,
/// and when `run` throws.
package final class ExternalCommand {
  /// What went wrong with the program itself.
  package enum Failure: Error, Hashable, Sendable {
    /// It could not be started.
    case notStarted(errorNumber: Int32)
    /// It did not end in time.
    case timeout
    /// It stopped reading before it had read everything.
    case inputClosed
    case lineTooLong(limit: Int)
    /// It ended with a status other than 0.
    case status(Int32)
    /// A signal ended it.
    case signal(Int32)
    case systemCall(SystemCallError)
  }

  /// Bytes of one line at most.
  package static let longestLine = 64 << 20
  private static let chunkSize = 1 << 16

  private let calls = SystemFileCalls()
  private let process: pid_t
  private var input: Int32
  private let output: Int32
  private var isReaped = false
  /// Not written yet, from `sent` on.
  private var outgoing: [UInt8] = []
  private var sent = 0
  /// Where bytes are read to.
  private var chunk = [UInt8](repeating: 0, count: chunkSize)
  /// Bytes that were read and are not a whole line yet.
  private var incoming: [UInt8] = []
  /// No line ends before this place.
  private var searched = 0

  /// Starts a program.
  ///
  /// - Parameter command: the program, found along PATH, and its arguments; not empty.
  /// - Throws: `Failure.notStarted`.
  package init(_ command: [String]) throws(Failure) {
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { word in
      let bytes = SystemText.bytes(of: word).map { CChar(bitPattern: $0) } + [0]
      return bytes.withUnsafeBufferPointer { $0.baseAddress.flatMap { strdup($0) } }
    }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var (process, input, output) = (pid_t(0), Int32(-1), Int32(-1))
    let failure = csystem_command_start(&arguments, &process, &input, &output)
    guard failure == 0 else { throw .notStarted(errorNumber: failure) }
    (self.process, self.input, self.output) = (process, input, output)
  }

  deinit {
    closeInput()
    close(output)
    guard !isReaped else { return }
    csystem_command_kill(process)
    _ = try? reap()
    csystem_command_guard(0)
  }

  /// Sends what `next` gives and passes on the lines that come back, until both and the program have ended.
  ///
  /// - Parameters:
  ///   - limit: how long the program may take.
  ///   - next: appends the next lines to send, each with its line end; false if there are no more.
  ///   - line: gets each line without its end.
  /// - Throws: `Failure`; what `next` and `line` throw.
  package func run(
    within limit: Duration, next: (inout [UInt8]) throws -> Bool, line: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    do { try exchange(limit, next, line) } catch let error as SystemCallError { throw Failure.systemCall(error) }
  }

  private func exchange(
    _ limit: Duration, _ next: (inout [UInt8]) throws -> Bool, _ line: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    let end = SteadyClock.nanoseconds(after: limit.components.seconds, limit.components.attoseconds / 1_000_000_000)
    var (hasMore, isOpen) = (true, true)
    while isOpen {
      while hasMore, outgoing.count - sent < Self.chunkSize {
        if sent > 0 {
          outgoing.removeFirst(sent)
          sent = 0
        }
        hasMore = try next(&outgoing)
      }
      if !hasMore, sent == outgoing.count { closeInput() }
      let left = end - SteadyClock.nanoseconds
      guard left > 0 else { throw Failure.timeout }
      // A descriptor of -1 is ignored.
      var ends = [
        pollfd(fd: input, events: Int16(POLLOUT), revents: 0), pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      ]
      let milliseconds = Int32(clamping: min(left / 1_000_000_000, 3600) * 1000 + 100)
      _ = try calls.poll(&ends, milliseconds: milliseconds)
      if ends[0].revents != 0 { try send() }
      if ends[1].revents != 0 { isOpen = try receive(line) }
    }
    if !incoming.isEmpty { try line(incoming[...]) }
    guard input < 0 else { throw Failure.inputClosed }
    try finish(before: end)
  }

  private func send() throws {
    do throws(SystemCallError) {
      sent += try calls.uninterrupted { () throws(SystemCallError) in
        let count = outgoing[sent...].withUnsafeBytes { csystem_command_write(input, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw SystemCallError(name: "write", number: errno) }
        return count
      }
    } catch {
      if error.wouldBlock { return }
      guard error.number == EPIPE else { throw error }
      // The exit status may show why it stopped reading.
      try finish(before: SteadyClock.nanoseconds(after: 5))
      throw Failure.inputClosed
    }
  }

  /// - Returns: false at the end.
  private func receive(_ line: (ArraySlice<UInt8>) throws -> Void) throws -> Bool {
    let old = incoming.count
    do {
      let count = try chunk.withUnsafeMutableBytes { room in
        try calls.uninterrupted { () throws(SystemCallError) in try calls.read(output, into: room) }
      }
      guard count > 0 else { return false }
      incoming += chunk[..<count]
    } catch let error as SystemCallError where error.wouldBlock {
      return true
    }
    var start = 0
    searched = old
    while let end = incoming[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      try line(incoming[start..<end])
      (start, searched) = (end + 1, end + 1)
    }
    if start > 0 { incoming.removeFirst(start) }
    guard incoming.count <= Self.longestLine else { throw Failure.lineTooLong(limit: Self.longestLine) }
    return true
  }

  private func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Waits for the program's end.
  private func finish(before end: Int64) throws {
    var reaped = try reap(WNOHANG)
    while reaped == nil {
      guard SteadyClock.nanoseconds < end else { throw Failure.timeout }
      calls.pause(milliseconds: 2)
      reaped = try reap(WNOHANG)
    }
    isReaped = true
    csystem_command_guard(0)
    let status = reaped ?? 0
    let signal = status & 0x7f
    guard signal == 0 else { throw Failure.signal(signal) }
    guard status >> 8 & 0xff == 0 else { throw Failure.status(status >> 8 & 0xff) }
  }

  /// - Returns: how the program ended; nil if it goes on, and `options` is not to wait for it.
  private func reap(_ options: Int32 = 0) throws(SystemCallError) -> Int32? {
    try calls.uninterrupted { () throws(SystemCallError) in
      var status: Int32 = 0
      let found = waitpid(process, &status, options)
      guard found >= 0 else { throw SystemCallError(name: "waitpid", number: errno) }
      return found == process ? status : nil
    }
  }
}

extension ExternalCommand.Failure: CustomStringConvertible {
  /// What is wrong, in lower case, to follow the name of the program.
  package var description: String {
    switch self {
    case .notStarted(let number): "could not be started: \(SystemCallError.text(number))"
    case .timeout: "did not end in time"
    case .inputClosed: "stopped reading before the end"
    case .lineTooLong(let limit): "wrote a line of more than \(limit >> 20) MiB"
    case .status(let status): "ended with status \(status)"
    case .signal(let number): "was ended by signal \(number)"
    case .systemCall(let error): "\(error.name) failed: \(SystemCallError.text(error.number))"
    }
  }
}
