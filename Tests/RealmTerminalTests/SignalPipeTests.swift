import Foundation
import RealmSystem
import Testing

@testable import RealmTerminal

/// Signals and pipes of this process: one test at a time.
@Suite(.serialized) struct SignalPipeTests {
  @Test func `signals, wakes and bytes are told apart`() throws {
    let signals = try SignalPipe([SIGUSR1])
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(try signals.wait(for: ends[0], milliseconds: 0) == .timeout)
    // Another thread may be the one that is interrupted, a moment later.
    kill(getpid(), SIGUSR1)
    #expect(try signals.wait(for: ends[0]) == .signal(SIGUSR1))
    #expect(write(ends[1], "x", 1) == 1)
    signals.wake()
    // What comes through the pipe takes precedence.
    #expect(try signals.wait(for: ends[0]) == .woken)
    #expect(try signals.wait(for: ends[0]) == .ready)
  }

  @Test func `signals go back to whom they belonged`() throws {
    let before = signal(SIGUSR1, SIG_IGN)
    defer { signal(SIGUSR1, before) }
    let signals = try SignalPipe([SIGUSR1, SIGUSR2])
    // What is ignored stays ignored. Sent to this thread, because the first one may block all signals: this one would then
    // wait for a thread that takes it, and end the process if it is no longer ignored by then.
    pthread_kill(pthread_self(), SIGUSR1)
    #expect(try signals.wait(for: -1, milliseconds: 0) == .timeout)
    kill(getpid(), SIGUSR2)
    #expect(try signals.wait(for: -1) == .signal(SIGUSR2))
    signals.restoreHandlers()
    var action = sigaction()
    #expect(sigaction(SIGUSR2, nil, &action) == 0)
    #if !canImport(Darwin)
      #expect(
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_DFL, to: Int.self))
    #endif
  }

  @Test func `a slow reader of a stream that does not block gets all bytes`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (readEnd, writeEnd) = (ends[0], ends[1])
    #expect(fcntl(writeEnd, F_SETFL, O_NONBLOCK) == 0)
    #expect(fcntl(readEnd, F_SETFL, O_NONBLOCK) == 0)
    let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 >> 8 ^ $0) }
    let reader = ThreadResult { () throws(any Error) in
      defer { close(readEnd) }
      var (read, piece): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 5000))
      while case let count = try piece.withUnsafeMutableBytes({ try SystemFileCalls().readNext(readEnd, into: $0) }),
        count > 0
      { read += piece[..<count] }
      return read
    }
    try bytes.withUnsafeBytes { try SystemFileCalls().writeFully(writeEnd, $0) }
    close(writeEnd)
    #expect(try reader.get() == bytes)
    // Asked again, it answers the same.
    #expect(try reader.get() == bytes)
  }

  @Test func `a result that no thread works on is found once, when it is asked for`() {
    let count = Counter()
    let result = ThreadResult(onThread: false) { count.next() }
    #expect(count.value == 0)
    #expect(result.get() == 1)
    #expect(result.get() == 1)
  }
}

private final class Counter: @unchecked Sendable {
  private(set) var value = 0

  func next() -> Int {
    value += 1
    return value
  }
}
