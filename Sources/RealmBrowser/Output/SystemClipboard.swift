import Libc
import RealmPresentation
import RealmStorage
import RealmTerminal
import RealmText

/// The clipboard for what is too long to be sent through the terminal: a program that takes it, otherwise a file.
package struct SystemClipboard: Sendable {
  /// A program, and what is said when it has taken everything.
  struct Program: Sendable {
    let line: String
    let praise: String
  }

  let programs: [Program]
  /// Where a file is made if no program takes it.
  let folder: String

  /// How long to wait for a program that takes nothing.
  private static let seconds = 10.0

  init(programs: [Program], folder: String) { (self.programs, self.folder) = (programs, folder) }

  package init() {
    self.init(
      programs: Self.programs { Environment.value($0) ?? "" }, folder: Environment.nonEmptyValue("TMPDIR") ?? "/tmp")
  }

  /// The programs for an environment.
  static func programs(_ variable: (String) -> String) -> [Program] {
    var programs: [Program] = []
    if !variable("WAYLAND_DISPLAY").isEmpty { programs.append(Program(line: "wl-copy", praise: "copied by wl-copy")) }
    if !variable("DISPLAY").isEmpty {
      programs.append(Program(line: "xclip -selection clipboard", praise: "copied by xclip"))
    }
    #if canImport(Darwin)
      programs.append(Program(line: "pbcopy", praise: "copied by pbcopy"))
    #endif
    if !variable("TMUX").isEmpty {
      programs.append(
        Program(line: "tmux load-buffer -", praise: "copied into tmux's own buffer, which prefix ] pastes"))
    }
    return programs
  }

  /// Hands bytes to the first program that takes them, or writes them to a file that only the user can read.
  ///
  /// - Returns: what was done with them.
  /// - Throws: `OutputError`.
  package func take(_ bytes: [UInt8]) throws -> String {
    let size = CountText.counted(bytes.count, "byte")
    for program in programs {
      do {
        try hand(bytes, to: program)
        return program.praise + ": " + size
      } catch is ExternalCommand.Failure {
        // The next program may work.
      }
    }
    let path = try write(bytes)
    return "no clipboard program took \(size), so they were written to \(path)"
  }

  private func hand(_ bytes: [UInt8], to program: Program) throws {
    // Its output is discarded: a program that continues in order to serve the clipboard would keep it open. The shell's
    // own output stays open until the program has ended.
    let command = try ExternalCommand(["/bin/sh", "-c", "\(program.line) >/dev/null 2>&1; exit $?"])
    var rest = bytes[...]
    try command.run(within: .seconds(Self.seconds)) { outgoing in
      outgoing += rest.prefix(1 << 16)
      rest = rest.dropFirst(1 << 16)
      return !rest.isEmpty
    } line: { _ in
    }
  }

  private func write(_ bytes: [UInt8]) throws -> String {
    var number = 1
    while true {
      let path = folder + "/realmctl-copy-\(number)"
      number += 1
      if SafeOutput.isNameTaken(path) { continue }
      let file = try SafeOutput(at: path, replacing: .never, isDurable: false)
      try file.makePrivate()
      try bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws in try file.write(bytes) }
      try file.close()
      _ = try file.publish()
      return path
    }
  }
}
