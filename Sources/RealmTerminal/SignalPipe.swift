import Libc
import RealmSystem

/// Turns signals into bytes of a pipe, for code that waits at the terminal, until `restoreHandlers`.
///
/// A pipe, because a signal may be delivered to any thread and then interrupts no call of this one. Other threads also
/// use it to wake the waiting one.
package final class SignalPipe: @unchecked Sendable {
  /// What ended a wait.
  package enum Wakeup: Hashable, Sendable {
    /// There is something to read.
    case ready
    case signal(Int32)
    /// Another thread called `wake`.
    case woken
    case timeout
  }

  /// Whether an outer caller waits for signals as well, as the browser does around a question.
  var isInner: Bool { endBefore >= 0 }

  private let readEnd: Int32
  private let writeEnd: Int32
  private var handlers: [(signal: Int32, before: sigaction)] = []
  private var maskBefore: sigset_t?
  /// The pipe that signals went to before this one, to which they go again afterwards.
  private let endBefore: Int32

  /// - Parameters:
  ///   - restartsCalls: whether system calls continue after a signal interrupts them.
  ///   - unblocks: whether to unblock signals that the parent process has blocked.
  /// - Throws: if the system has no pipe left.
  package init(_ signals: [Int32], restartsCalls: Bool = false, unblocks: Bool = false) throws(SystemCallError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemCallError(name: "pipe", number: errno) }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    endBefore = Int32(truncatingIfNeeded: signalPipe.exchange(Int(writeEnd)))
    for signal in signals { install(signal, flags: restartsCalls ? SA_RESTART : 0) }
    guard unblocks else { return }
    var handled = sigset_t()
    var mask = sigset_t()
    sigemptyset(&handled)
    for handler in handlers { sigaddset(&handled, handler.signal) }
    pthread_sigmask(SIG_UNBLOCK, &handled, &mask)
    maskBefore = mask
  }

  deinit {
    restoreHandlers()
    close(readEnd)
    close(writeEnd)
  }

  /// Waits for something to read from a descriptor, a signal, or `wake`.
  ///
  /// - Parameter milliseconds: how long at most; -1 for ever.
  package func wait(for descriptor: Int32, milliseconds: Int32 = -1) throws(SystemCallError) -> Wakeup {
    var requests = [readEnd, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard try SystemFileCalls().poll(&requests, milliseconds: milliseconds) > 0 else { return .timeout }
    var byte: UInt8 = 0
    // One at a time: later ones end the next wait.
    guard requests[0].revents != 0, read(readEnd, &byte, 1) == 1 else { return .ready }
    return byte == 0 ? .woken : .signal(Int32(byte))
  }

  /// Ends the wait of another thread.
  package func wake() { send(0, to: writeEnd) }

  /// Restores all previous signal handlers.
  package func restoreHandlers() {
    if var mask = maskBefore { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    maskBefore = nil
    for (signal, handler) in handlers {
      var handler = handler
      sigaction(signal, &handler, nil)
    }
    handlers = []
    // Another question may have been asked meanwhile.
    signalPipe.replace(Int(writeEnd), by: Int(endBefore))
  }

  private func install(_ signal: Int32, flags: Int32) {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = noteSignal
    #else
      action.__sigaction_handler.sa_handler = noteSignal
    #endif
    sigemptyset(&action.sa_mask)
    action.sa_flags = flags
    var before = sigaction()
    // The size of the terminal is still wanted.
    guard sigaction(signal, nil, &before) == 0, !before.isIgnored || signal == SIGWINCH else { return }
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

/// Where the handler writes; -1 if nobody waits. One pipe is in use at a time: that of a question takes precedence over
/// the browser's.
private let signalPipe = AtomicInt(-1)

private func noteSignal(_ signal: Int32) {
  let end = Int32(truncatingIfNeeded: signalPipe.value)
  if end >= 0 { send(UInt8(truncatingIfNeeded: signal), to: end) }
}

/// Safe in a signal handler. A full pipe has enough to wake the reader.
private func send(_ byte: UInt8, to end: Int32) {
  let savedError = errno
  var byte = byte
  _ = write(end, &byte, 1)
  errno = savedError
}
