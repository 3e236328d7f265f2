import CNcurses
import Libc
import RealmStorage
import RealmText

/// The terminal.
///
/// While an instance is open, the terminal belongs to it. `close`, the end of the instance, and any signal or fault
/// that ends the process restore the terminal.
package final class TerminalScreen: Screen {
  package private(set) var size: ScreenSize
  package let isASCII: Bool
  private let input: KeyInput
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
    // This comes before ncurses starts, which leaves signals alone that already have a handler. They are unblocked
    // because some programs start others with blocked signals, and a change of the size would go unnoticed.
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
            base: cell.base.value, marks: (cell.marks.0.value, cell.marks.1.value), attributes: look.attributes,
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

  /// Waits for keys, signals and `signals.wake`.
  func wait(milliseconds: Int32) -> Wakeup {
    switch try? signals.wait(for: input.descriptor, milliseconds: milliseconds) {
    case .ready: break
    case .signal(let number): return .signal(number)
    case .woken: return .events([.wake])
    case .timeout, nil: return .timeout
    }
    var events: [Event] = []
    while true {
      let key = cncurses_read_key()
      if key.kind == CNCURSES_NO_KEY { break }
      if key.kind == CNCURSES_END_OF_INPUT { return .hangup }
      if let event = event(key) { events.append(event) }
    }
    return .events(Self.joiningAlt(events))
  }

  /// The text pasted so far; nil outside a paste.
  private var pasted: String?
  /// A paste that does not end is cut off.
  private static let mostPasted = 1 << 20

  private func event(_ key: cncurses_key) -> Event? {
    switch key.kind {
    case CNCURSES_PASTE_BEGIN: pasted = ""
    case CNCURSES_PASTE_END:
      defer { pasted = nil }
      return pasted.map { .paste($0) }
    case CNCURSES_CHARACTER where pasted != nil:
      if let scalar = Unicode.Scalar(key.value), let count = pasted?.utf8.count, count < Self.mostPasted {
        pasted?.unicodeScalars.append(scalar)
      }
    default: return pasted == nil ? Self.event(key) : nil
    }
    return nil
  }

  /// For Alt, terminals send Escape before a letter; both arrive at the same time.
  private static func joiningAlt(_ events: [Event]) -> [Event] {
    var joined: [Event] = []
    for event in events {
      if case .key(.character(let letter)) = event, ["b", "f", "d"].contains(letter), joined.last == .key(.escape) {
        joined[joined.count - 1] = .key(.alt(letter))
      } else {
        joined.append(event)
      }
    }
    return joined
  }

  private static func event(_ key: cncurses_key) -> Event? {
    let place = ScreenPosition(column: Int(key.column), row: Int(key.row))
    switch key.kind {
    case CNCURSES_CHARACTER: return character(key.value).map { .key($0) }
    case CNCURSES_UP: return .key(.up)
    case CNCURSES_DOWN: return .key(.down)
    case CNCURSES_LEFT: return .key(.left)
    case CNCURSES_RIGHT: return .key(.right)
    case CNCURSES_PAGE_UP: return .key(.pageUp)
    case CNCURSES_PAGE_DOWN: return .key(.pageDown)
    case CNCURSES_HOME: return .key(.home)
    case CNCURSES_END: return .key(.end)
    case CNCURSES_BACKSPACE: return .key(.backspace)
    case CNCURSES_DELETE: return .key(.delete)
    case CNCURSES_INSERT: return .key(.insert)
    case CNCURSES_ENTER: return .key(.enter)
    case CNCURSES_BACK_TAB: return .key(.backTab)
    case CNCURSES_ALT_LEFT: return .key(.altLeft)
    case CNCURSES_ALT_RIGHT: return .key(.altRight)
    case CNCURSES_CONTROL_LEFT: return .key(.controlLeft)
    case CNCURSES_CONTROL_RIGHT: return .key(.controlRight)
    case CNCURSES_FUNCTION: return .key(.function(Int(key.value)))
    case CNCURSES_CLICK: return .mouse(.click, place)
    case CNCURSES_DOUBLE_CLICK: return .mouse(.doubleClick, place)
    case CNCURSES_WHEEL_UP: return .mouse(.wheelUp, place)
    case CNCURSES_WHEEL_DOWN: return .mouse(.wheelDown, place)
    default: return nil
    }
  }

  private static func character(_ value: UInt32) -> Key? {
    switch value {
    case 0x0a, 0x0d: .enter
    case 0x09: .tab
    case 0x1b: .escape
    case 0x7f, 0x08: .backspace
    case 1...26: Unicode.Scalar(value + 0x60).map { .control($0) }
    case 0..<0x20: nil
    default: Unicode.Scalar(value).map { .character($0) }
    }
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
