import Libc

/// Brings browser and terminal together: waits for keys, hands them on, shows what comes of it.
package final class BrowserLoop {
  private let terminal: TerminalScreen
  private let wakePipe: WakePipe

  /// How often the file is looked at while nothing happens.
  private static let idleMilliseconds: Int32 = 2000
  /// How often the progress of work is shown.
  private static let workMilliseconds: Int32 = 100

  /// - Throws: `TerminalScreen.Failure.failed` where the system has no pipe left.
  package init(_ terminal: TerminalScreen) throws(TerminalScreen.Failure) {
    self.terminal = terminal
    guard let pipe = WakePipe() else { throw .failed }
    wakePipe = pipe
  }

  /// Runs work off the key loop.
  package var executor: any Executor {
    let pipe = wakePipe
    return ThreadExecutor { pipe.wake() }
  }

  /// Runs until the browser is left.
  ///
  /// - Returns: why it was left, and the signal where one was the reason.
  package func run(_ browser: Browser) -> (ending: Browser.Ending, signal: Int32?) {
    var signal: Int32?
    browser.resize(to: terminal.size)
    show(browser)
    while browser.ending == nil {
      let timeout = browser.isWorking ? Self.workMilliseconds : Self.idleMilliseconds
      switch terminal.wait(for: wakePipe.readEnd, milliseconds: timeout) {
      case .timeout:
        if !browser.isWorking, !browser.noticeChange() { continue }
        browser.handle(.wake)
      case .events(let events):
        if events.isEmpty { continue }
        for event in events where browser.ending == nil {
          browser.handle(event)
          serve(browser)
        }
      case .signal(let number): if answer(number, browser) { signal = number }
      case .hangup:
        signal = SIGHUP
        browser.handle(.terminate)
      }
      if browser.ending == nil { show(browser) }
    }
    browser.stopAllWork()
    return (browser.ending ?? .quit, signal)
  }

  private func show(_ browser: Browser) { terminal.show(browser.draw(), caret: browser.caret) }

  /// - Returns: whether the signal ends the program.
  private func answer(_ number: Int32, _ browser: Browser) -> Bool {
    switch number {
    case SIGWINCH: fit(browser)
    case SIGTSTP:
      terminal.stop()
      fit(browser)
    case SIGCONT:
      terminal.takeOver()
      fit(browser)
    default:
      browser.handle(.terminate)
      return true
    }
    return false
  }

  private func fit(_ browser: Browser) {
    terminal.fit()
    browser.resize(to: terminal.size)
  }

  /// Does what only the owner of the terminal can do.
  private func serve(_ browser: Browser) {
    for request in browser.takeScreenRequests() {
      switch request {
      case .copy(let bytes): terminal.copyToClipboard(bytes)
      case .repaint: terminal.invalidate()
      case .mouse(let isOn): terminal.setMouse(isOn)
      case .suspend:
        terminal.stop()
        fit(browser)
      }
    }
  }
}

/// A pipe through which other threads wake the loop.
private final class WakePipe: Sendable {
  let readEnd: Int32
  private let writeEnd: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  func wake() {
    var byte: UInt8 = 1
    _ = write(writeEnd, &byte, 1)
  }
}
