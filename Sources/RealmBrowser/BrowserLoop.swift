import Libc
import RealmStorage
import RealmTerminal

/// Connects the browser and the terminal: waits for keys, passes them on, shows the result.
package final class BrowserLoop {
  private let terminal: TerminalScreen

  /// How often the file is checked while nothing happens.
  private static let idleMilliseconds: Int32 = 2000
  /// How often the progress of work is shown.
  private static let workMilliseconds: Int32 = 100

  package init(_ terminal: TerminalScreen) { self.terminal = terminal }

  /// Runs work in the background.
  package var executor: any Executor {
    let signals = terminal.signals
    return ThreadExecutor { signals.wake() }
  }

  /// Runs until the user leaves the browser.
  ///
  /// - Returns: why it ended, and the signal if that was the reason.
  package func run(_ browser: Browser) -> (ending: Browser.Ending, signal: Int32?) {
    var signal: Int32?
    browser.resize(to: terminal.size)
    serve(browser)
    show(browser)
    while browser.ending == nil {
      let timeout = browser.isWorking ? Self.workMilliseconds : Self.idleMilliseconds
      switch terminal.wait(milliseconds: timeout) {
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
      case .run(let program):
        browser.say(terminal.run(program))
        fit(browser)
        terminal.invalidate()
      case .askForKey(let path):
        if let openFile = browser.options.openFile {
          let outcome = terminal.lending { Result { try openFile(path, true) } }
          fit(browser)
          browser.finishOpening(outcome)
        }
      case .repaint: terminal.invalidate()
      case .mouse(let isOn): terminal.setMouse(isOn)
      case .colors(let looks): terminal.setColors(looks)
      case .suspend:
        terminal.stop()
        fit(browser)
      case .edit(let text, let isJSON):
        let outcome = terminal.lending { TextEditor.edit(text, isJSON: isJSON) }
        fit(browser)
        browser.finishEditor(outcome)
      }
    }
  }
}
