import Foundation
import TestSupport

/// A real terminal to run the program in: a tmux server of its own, with one window that only the test sees.
final class Tmux {
  /// Holds the server's socket.
  private let folder: TemporaryFolder
  private static let executable: String? = {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/tmux" }.first(where: FileManager.default.isExecutableFile)
  }()

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// What the test waits for never appeared; what the screen shows instead.
  struct Missing: Error, CustomStringConvertible {
    let wanted: String
    let screen: String
    var description: String { "never seen: \(wanted)\n\(screen)" }
  }

  /// - Parameters:
  ///   - command: what runs in the window; the window stays when it has ended.
  ///   - environment: all that the program gets, apart from what tmux adds.
  init(
    _ command: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws {
    folder = try TemporaryFolder()
    var variables = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"]
    variables.merge(environment) { $1 }
    let settings = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    // Options are set before the program starts.
    try tmux("-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "cat")
    try tmux("set-option", "-g", "set-clipboard", "on")
    try tmux("set-option", "-g", "escape-time", "0")
    try tmux("set-option", "-g", "status", "off")
    try tmux("set-option", "-g", "default-terminal", "tmux-256color")
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    // The shell says how the program ended, and keeps the window, even if Control-C has ended what the program ran.
    let script = "trap : INT; \"$@\"; echo \"status $?\"; exec cat"
    try tmux(
      ["respawn-pane", "-k", "env", "-i", "TERM=tmux-256color"] + settings + ["/bin/sh", "-c", script, "sh"] + command)
  }

  deinit { _ = try? tmux("kill-server") }

  // MARK: Commands

  @discardableResult
  private func tmux(_ arguments: String...) throws -> String { try tmux(arguments) }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    guard let executable = Self.executable else {
      throw Failure(description: "tmux is missing; `make test` installs it")
    }
    let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]
    let outcome = try Tool(executable, environment: environment).run(["-u", "-S", folder.path("s")] + arguments)
    guard outcome.status == 0 else { throw Failure(description: "tmux \(arguments): \(outcome.errors)") }
    return outcome.outputText
  }

  /// Presses keys by tmux's names, such as `Enter`, `C-z`, `j`.
  func press(_ keys: String...) throws {
    for key in keys { try tmux("send-keys", "--", key) }
  }

  /// Types text.
  func type(_ text: String) throws { try tmux("send-keys", "-l", "--", text) }

  func resize(_ columns: Int, _ rows: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  // MARK: Looking

  /// The rows of the screen.
  func screen() throws -> [String] {
    try tmux("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The screen with the sequences that color it.
  func styledScreen() throws -> String { try tmux("capture-pane", "-e", "-p") }

  /// What the program has put on the clipboard.
  func clipboard() throws -> String { try tmux("show-buffer") }

  /// A fact about the window, in tmux's format language.
  func fact(_ format: String) throws -> String {
    try tmux("display-message", "-p", format).trimmingCharacters(in: .newlines)
  }

  /// How often to look before something counts as missing. Each look is a process, which takes a few milliseconds.
  private static let mostLooks = 3000

  /// Waits until the screen meets a condition.
  @discardableResult
  func wait(for wanted: String, _ condition: ([String]) -> Bool) throws -> [String] {
    var screen: [String] = []
    for _ in 0..<Self.mostLooks {
      screen = try self.screen()
      if condition(screen) { return screen }
    }
    throw Missing(wanted: wanted, screen: screen.joined(separator: "\n"))
  }

  /// Waits until a text is visible.
  @discardableResult
  func wait(for text: String) throws -> [String] { try wait(for: text) { $0.contains { $0.contains(text) } } }

  /// Waits until the program has ended, and returns its status.
  func waitForEnd() throws -> Int32 {
    let screen = try wait(for: "status ") { $0.contains { $0.hasPrefix("status ") } }
    let line = screen.first { $0.hasPrefix("status ") } ?? ""
    return Int32(line.dropFirst("status ".count)) ?? -1
  }

  /// The modes of the terminal that a full-screen program changes and has to change back: the other screen, the cursor,
  /// the keypad, the mouse.
  func modes() throws -> String {
    try fact("#{alternate_on} #{cursor_flag} #{keypad_cursor_flag} #{keypad_flag} #{mouse_any_flag}")
  }

  static let ordinaryModes = "0 1 0 0 0"

  /// The program that was started, as long as it runs; `depth` 1 for what a shell in the window has started.
  func process(depth: Int = 0) throws -> pid_t {
    var process = pid_t(try fact("#{pane_pid}")) ?? -1
    for _ in 0...depth {
      #if os(Linux)
        let text = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
      #else
        let text = try Tool("/usr/bin/pgrep").run("-P", "\(process)").outputText
      #endif
      guard let child = text.split(whereSeparator: \.isWhitespace).first.flatMap({ pid_t($0) }) else {
        throw Failure(description: "process \(process) has no child")
      }
      process = child
    }
    return process
  }
}
