import Libc
import RealmSystem

/// Asks for a secret at the terminal without showing what is typed.
package enum TerminalPrompt {
  /// Longer lines are cut off; terminals themselves take no more than 4,095 bytes.
  private static let longestLine = 4096
  private static let calls = SystemFileCalls()
  private static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let stoppingSignals = [SIGTSTP, SIGTTIN, SIGTTOU]

  /// Asks, and asks again after the program was stopped and continued.
  ///
  /// Before a signal ends or stops the program, the terminal is restored. If the program survives the signal, the
  /// question counts as interrupted.
  ///
  /// - Returns: the line, without its end; nil where there is no terminal.
  /// - Throws: `SystemCallError`.
  package static func ask(_ prompt: String, terminal path: String = "/dev/tty") throws -> SecretBytes? {
    let flags = O_RDWR | O_CLOEXEC | O_NOCTTY
    guard let terminal = try? calls.opened(path, flags: flags) else { return nil }
    defer { calls.close(terminal) }
    while true {
      let answer = try SecretBytes(capacity: longestLine)
      switch try readLine(prompt, terminal, into: answer) {
      case .noTerminal: return nil
      case .complete: return answer
      case .interrupted(let signal) where stoppingSignals.contains(signal): continue
      case .interrupted: throw SystemCallError(name: "read", number: EINTR)
      }
    }
  }

  private enum Outcome {
    case complete
    case noTerminal
    case interrupted(Int32)
  }

  private static func readLine(_ prompt: String, _ terminal: Int32, into answer: SecretBytes) throws -> Outcome {
    let signals = try SignalPipe(endingSignals + stoppingSignals)
    let outcome: Outcome
    var others: Set<Int32> = []
    do {
      defer { signals.restoreHandlers() }
      var before = termios()
      guard tcgetattr(terminal, &before) == 0 else { return .noTerminal }
      var silent = before
      silent.c_lflag &= ~tcflag_t(ECHO)
      guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else {
        throw SystemCallError(name: "tcsetattr", number: errno)
      }
      defer { tcsetattr(terminal, TCSAFLUSH, &before) }
      try Array(prompt.utf8).withUnsafeBytes { try calls.writeFully(terminal, $0) }
      outcome = try readLine(terminal, signals, &others, into: answer)
      try Array("\n".utf8).withUnsafeBytes { try calls.writeFully(terminal, $0) }
    }
    for signal in others { kill(getpid(), signal) }
    // Ctrl-C only cancels a question of the browser.
    guard case .interrupted(let signal) = outcome, signal != SIGINT || !signals.isInner else { return outcome }
    if stoppingSignals.contains(signal) { stop(by: signal) } else { kill(getpid(), signal) }
    return outcome
  }

  /// Stops the program; the browser around the question has already left its screen.
  private static func stop(by signal: Int32) {
    var (standard, before) = (sigaction(), sigaction())
    sigaction(signal, &standard, &before)
    kill(getpid(), signal)
    sigaction(signal, &before, nil)
  }

  /// - Parameter others: gets the signals that others wait for, such as a resized window, which end no question.
  private static func readLine(
    _ terminal: Int32, _ signals: SignalPipe, _ others: inout Set<Int32>, into answer: SecretBytes
  ) throws(SystemCallError) -> Outcome {
    while true {
      if case .signal(let signal) = try signals.wait(for: terminal) {
        if (endingSignals + stoppingSignals).contains(signal) { return .interrupted(signal) }
        others.insert(signal)
        continue
      }
      var byte: UInt8 = 0
      let count: Int
      do throws(SystemCallError) {
        count = try withUnsafeMutableBytes(of: &byte) { room throws(SystemCallError) in
          try calls.read(terminal, into: room)
        }
      } catch {
        // The pipe tells which signal it was; in the background, reading again would only raise it again.
        guard error.isInterruption else { throw error }
        continue
      }
      if count == 0 || byte == UInt8(ascii: "\n") { return .complete }
      _ = answer.append(byte)
    }
  }
}
