import Libc
import Synchronization

/// Asks for a secret at the terminal without showing what is typed.
enum TerminalPrompt {
  /// Longer lines are cut off; terminals themselves take no more than 4,095 bytes.
  private static let longestLine = 4096

  /// Asks, and asks again after the program was stopped and continued.
  ///
  /// A signal that ends or stops the program finds the terminal as it was before; then the signal takes its course. If
  /// the program survives it, the question counts as interrupted.
  ///
  /// - Returns: the line, without its end.
  /// - Throws: `KeyProblem.noTerminal`, `StorageError.file(.systemCall)`.
  static func ask(_ prompt: String, terminal path: String = "/dev/tty") throws -> SecretBytes {
    let terminal = path.withSystemPath { open($0.pointer, O_RDWR | O_CLOEXEC | O_NOCTTY) }
    guard terminal >= 0 else { throw StorageError.key(.noTerminal) }
    defer { close(terminal) }
    while true {
      let answer = try SecretBytes(capacity: longestLine)
      switch try readLine(prompt, terminal, into: answer) {
      case .complete: return answer
      case .interrupted(SIGTSTP), .interrupted(SIGTTIN), .interrupted(SIGTTOU): continue
      case .interrupted: throw StorageError.file(.systemCall(name: "read", errorNumber: EINTR))
      }
    }
  }

  private enum Outcome {
    case complete
    case interrupted(Int32)
  }

  private static func readLine(_ prompt: String, _ terminal: Int32, into answer: SecretBytes) throws -> Outcome {
    let signals = try SignalPipe()
    let outcome: Outcome
    do {
      defer { signals.restoreHandlers() }
      var before = termios()
      guard tcgetattr(terminal, &before) == 0 else { throw StorageError.key(.noTerminal) }
      var silent = before
      silent.c_lflag &= ~tcflag_t(ECHO)
      guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { throw failure("tcsetattr") }
      defer { tcsetattr(terminal, TCSAFLUSH, &before) }
      try write(prompt, to: terminal)
      outcome = try readLine(terminal, signals, into: answer)
      try write("\n", to: terminal)
    }
    if case .interrupted(let signal) = outcome { kill(getpid(), signal) }
    return outcome
  }

  private static func readLine(_ terminal: Int32, _ signals: SignalPipe, into answer: SecretBytes) throws -> Outcome {
    while true {
      var requests = [
        pollfd(fd: signals.readEnd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: terminal, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&requests, nfds_t(requests.count), -1) >= 0 else {
        if errno == EINTR { continue }
        throw failure("poll")
      }
      if requests[0].revents != 0 { return .interrupted(signals.next()) }
      var byte: UInt8 = 0
      let count = read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read") }
      if count == 0 || byte == UInt8(ascii: "\n") { return .complete }
      _ = answer.append(byte)
    }
  }

  private static func write(_ text: String, to terminal: Int32) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Libc.write(terminal, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("write") }
      rest = rest.dropFirst(count)
    }
  }

  private static func failure(_ call: String) -> StorageError {
    .file(.systemCall(name: call, errorNumber: errno))
  }
}

/// Turns the signals that end or stop a program into bytes of a pipe, for as long as the terminal is not as it was.
///
/// A pipe, because a signal may be delivered to any thread and then interrupts no call of this one.
private final class SignalPipe {
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU]

  let readEnd: Int32
  private let writeEnd: Int32
  private var handlers: [(Int32, sigaction)] = []

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw StorageError.file(.systemCall(name: "pipe", errorNumber: errno)) }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signalPipe.store(writeEnd, ordering: .sequentiallyConsistent)
    for signal in Self.signals { install(signal) }
  }

  deinit {
    restoreHandlers()
    signalPipe.store(-1, ordering: .sequentiallyConsistent)
    close(readEnd)
    close(writeEnd)
  }

  func restoreHandlers() {
    for (signal, handler) in handlers {
      var handler = handler
      sigaction(signal, &handler, nil)
    }
    handlers = []
  }

  /// The first signal that came.
  func next() -> Int32 {
    var byte: UInt8 = 0
    return read(readEnd, &byte, 1) == 1 ? Int32(byte) : SIGINT
  }

  private func install(_ signal: Int32) {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = noteSignal
    #else
      action.__sigaction_handler.sa_handler = noteSignal
    #endif
    sigemptyset(&action.sa_mask)
    var before = sigaction()
    guard sigaction(signal, nil, &before) == 0, !before.isIgnored else { return }
    guard sigaction(signal, &action, nil) == 0 else { return }
    handlers.append((signal, before))
  }
}

extension sigaction {
  /// What is ignored stays ignored, such as SIGINT and SIGHUP under `nohup` and in the background of a shell.
  fileprivate var isIgnored: Bool {
    #if canImport(Darwin)
      unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    #else
      unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    #endif
  }
}

/// Where the handler writes; -1 where nobody asks. One question is asked at a time.
private let signalPipe = Atomic<Int32>(-1)

private func noteSignal(_ signal: Int32) {
  let end = signalPipe.load(ordering: .sequentiallyConsistent)
  guard end >= 0 else { return }
  let savedError = errno
  var byte = UInt8(truncatingIfNeeded: signal)
  _ = write(end, &byte, 1)
  errno = savedError
}
