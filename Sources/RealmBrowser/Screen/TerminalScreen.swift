import CNcurses
import Libc
import RealmPresentation
import RealmStorage
import RealmSystem
import RealmTerminal
import RealmText

/// The terminal.
///
/// While an instance is open, the terminal belongs to it. `close`, the end of the instance, and any signal or fault
/// that ends the process restore the terminal.
package final class TerminalScreen: Screen {
  package private(set) var size: ScreenSize
  package let isASCII: Bool
  private let input: KeyInput
  private var keys: KeyParser
  /// When the sequence that has begun is given up.
  private var givingUp: ContinuousClock.Instant?
  /// The signals that the screen must know about, and the means by which other threads wake it.
  let signals: SignalPipe
  private var colors: Palette

  /// Why there is no terminal to use.
  package enum Failure: Error, Hashable, Sendable {
    /// Output is redirected, or there is no terminal at all.
    case noTerminal
    /// The terminal cannot place its cursor; its type.
    case dumb(type: String)
    /// The system has no description of the terminal; its type.
    case unknown(type: String)
    case failed
  }

  /// Checks whether there is a terminal at all, before anything else is done.
  package static func requireTerminal() throws(Failure) {
    guard isatty(STDOUT_FILENO) == 1 else { throw .noTerminal }
    let type = terminalType
    if type.isEmpty || type == "dumb" { throw .dumb(type: type) }
  }

  private static let handledSignals = [SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT]

  private static var terminalType: String { Environment.value("TERM") ?? "" }

  /// Takes over the terminal of standard output. Keys come from standard input, or from the controlling terminal if
  /// standard input is something else.
  ///
  /// - Parameter usesColor: false shows everything with bold and reversed text.
  package init(usesColor: Bool) throws(Failure) {
    guard isatty(STDOUT_FILENO) == 1 else { throw .noTerminal }
    guard let input = isatty(STDIN_FILENO) == 1 ? KeyInput.standard : KeyInput(opening: "/dev/tty") else {
      throw .noTerminal
    }
    self.input = input
    // They are unblocked because some programs start others with blocked signals, and a change of the size would go
    // unnoticed.
    guard let signals = try? SignalPipe(Self.handledSignals, restartsCalls: true, unblocks: true) else {
      throw .failed
    }
    self.signals = signals
    let type = Self.terminalType
    let outcome = cncurses_open(input.descriptor, STDOUT_FILENO, usesColor)
    guard outcome == CNCURSES_OPENED else {
      input.close()
      switch outcome {
      case CNCURSES_DUMB_TERMINAL: throw .dumb(type: type)
      case CNCURSES_UNKNOWN_TERMINAL: throw .unknown(type: type)
      default: throw .failed
      }
    }
    isASCII = !cncurses_is_unicode()
    keys = KeyParser(Self.describedKeys())
    colors = Palette(colorCount: Int(cncurses_color_count()))
    size = ScreenSize(columns: 0, rows: 0)
    fit()
  }

  deinit { close() }

  /// Gives the terminal back as it was.
  package func close() {
    cncurses_close()
    signals.restoreHandlers()
    input.close()
  }

  /// Takes over the size that the terminal has now.
  func fit() {
    var (rows, columns): (Int32, Int32) = (0, 0)
    cncurses_fit(&rows, &columns)
    size = ScreenSize(columns: Int(columns), rows: Int(rows))
  }

  // MARK: - Screen

  package func show(_ grid: CellGrid, caret: ScreenPosition?) {
    var line: [cncurses_cell] = []
    for row in 0..<grid.size.rows {
      line.removeAll(keepingCapacity: true)
      for cell in grid.row(row) {
        let look = colors.look(of: cell.style)
        line.append(
          cncurses_cell(
            base: cell.base.value, marks: (cell.firstMark.value, cell.secondMark.value), attributes: look.attributes,
            pair: look.pair))
      }
      cncurses_put(Int32(row), line, Int32(line.count))
    }
    cncurses_show(Int32(caret?.row ?? -1), Int32(caret?.column ?? -1))
  }

  package func invalidate() { cncurses_invalidate() }

  package func setMouse(_ isOn: Bool) { cncurses_set_mouse(isOn) }

  /// Whether the terminal reports the mouse.
  package var hasMouse: Bool { cncurses_has_mouse() }

  /// Shows roles in the colors of the user.
  func setColors(_ looks: [Role: RoleLook]) {
    colors = Palette(colorCount: Int(cncurses_color_count()), looks)
    cncurses_invalidate()
  }

  /// Uses the sequence `OSC 52`, which also reaches the terminal through ssh and, if it allows that, tmux.
  package func copyToClipboard(_ bytes: [UInt8]) {
    let text = bytes.withUnsafeBytes { ClipboardRequest.sequence(for: $0) }
    // If the terminal is gone, the next wait reports it.
    text.withUnsafeBytes { try? SystemFileCalls().writeFully(STDOUT_FILENO, $0) }
  }

  /// Stops the process as Control-Z does; returns when it is continued.
  func stop() {
    cncurses_stop()
    fit()
  }

  /// Lets a program use the terminal, and takes it back when the user has seen the output.
  ///
  /// - Returns: a message about the program; nil if there is none.
  func run(_ program: ProgramRun) -> Message? {
    cncurses_lend()
    defer {
      cncurses_take_over()
      fit()
    }
    let outcome: Message?
    do {
      let status = try TerminalProgram.run(shell: program.line, writing: program.produce)
      outcome = status == 0 ? nil : .warning("the program ended with status \(status)")
    } catch let problem as BrowserProblem {
      outcome = .warning(problem.text)
    } catch {
      outcome = .warning("'\(program.line)': \(error)")
    }
    say("\n[Enter goes back to the browser] ")
    waitForLine()
    return outcome
  }

  private func say(_ text: String) {
    Array(text.utf8).withUnsafeBytes { try? SystemFileCalls().writeFully(STDOUT_FILENO, $0) }
  }

  /// While it is lent, the terminal passes on whole lines.
  private func waitForLine() {
    var byte: UInt8 = 0
    while true {
      let count = read(input.descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 || byte == UInt8(ascii: "\n") { return }
    }
  }

  /// Takes over the terminal again after the process was stopped and continued from outside.
  func takeOver() {
    cncurses_take_over()
    fit()
  }

  /// Gives the terminal back while another program has it.
  func lending<Result>(_ body: () -> Result) -> Result {
    cncurses_lend()
    let result = body()
    takeOver()
    return result
  }

  // MARK: - Events

  /// What ended a wait.
  enum Wakeup {
    case events([Event])
    case signal(Int32)
    case timeout
    /// The terminal is gone.
    case hangup
  }

  /// The milliseconds until what has begun is given up.
  private var restOfPatience: Int32 {
    guard let givingUp else { return .max }
    let rest = ContinuousClock.now.duration(to: givingUp) / .milliseconds(1)
    return min(max(Int32(clamping: rest.rounded(.up)), 0), 60_000)
  }

  /// Waits for keys, signals and `signals.wake`.
  func wait(milliseconds: Int32) -> Wakeup {
    switch try? signals.wait(for: input.descriptor, milliseconds: min(milliseconds, restOfPatience)) {
    case .ready: break
    case .signal(let number): return .signal(number)
    case .woken: return .events([.wake])
    case .timeout, nil:
      guard givingUp != nil, restOfPatience == 0 else { return .timeout }
      givingUp = nil
      return .events(keys.giveUp())
    }
    guard let bytes = input.read() else { return .hangup }
    let now = ContinuousClock.now
    let events = keys.events(of: bytes, at: now)
    givingUp = keys.patience.map { now + .milliseconds($0) }
    return .events(events)
  }

  /// What the description of the terminal says that its keys send.
  private static func describedKeys() -> [[UInt8]: Key] {
    let names: [(name: String, key: Key)] =
      [
        ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("kpp", .pageUp), ("knp", .pageDown),
        ("khome", .home), ("kfnd", .home), ("kend", .end), ("kslt", .end), ("kdch1", .delete), ("kich1", .insert),
        ("kent", .enter), ("kcbt", .backTab), ("kbs", .backspace),
      ] + (1...12).map { ("kf\($0)", .function($0)) }
    let sequences = names.compactMap { name, key in
      cncurses_key_sequence(name).map { (Array(String(cString: $0).utf8), key) }
    }
    return Dictionary(sequences) { $1 }
  }
}

/// The sequence that asks a terminal to fill its clipboard.
enum ClipboardRequest {
  static func sequence(for bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let text = TextBuffer(capacity: bytes.count / 3 * 4 + 16)
    text.append("\u{1b}]52;c;")
    text.appendBase64(bytes)
    text.append(byte: 7)
    return text.copiedBytes
  }
}
