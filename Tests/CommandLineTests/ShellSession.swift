import Foundation
import TestSupport

@testable import realmctl

/// A shell that has loaded the completion script of the tool, on a terminal of its own: a key is pressed, and the shell
/// prints what it would offer.
final class ShellSession {
  enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// Where it is; nil if it is not installed.
    var path: String? {
      ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + rawValue }
        .first(where: FileManager.default.isExecutableFile)
    }
  }

  let shell: Shell
  private let terminal: Terminal
  private let process: Tool.Running
  private var count = 0

  /// - Parameter folder: where the shell is, and what its files are put into.
  init(_ shell: Shell, in folder: TemporaryFolder) throws {
    self.shell = shell
    let names = Set(try folder.names())
    if !names.contains("bin") {
      try folder.makeFolder("bin")
      try FileManager.default.createSymbolicLink(atPath: folder.path("bin/realmctl"), withDestinationPath: Tool.binary)
    }
    let script = try Tool().run("--generate-completion-script", shell.rawValue)
    try folder.write("_realmctl", script.output)
    try folder.write(shell == .zsh ? ".zshrc" : "rc", Array(Self.setup(shell).utf8))
    var tool = Tool()
    tool.executable = shell.path ?? ""
    tool.folder = folder.path
    tool.environment = [
      "PATH": folder.path("bin") + ":/usr/bin:/bin", "HOME": folder.path, "ZDOTDIR": folder.path, "TERM": "xterm",
      "LC_ALL": "C.UTF-8",
    ]
    terminal = try Terminal()
    let arguments: [Shell: [String]] = [
      .bash: ["--noprofile", "--rcfile", "rc", "-i"], .zsh: ["-d", "-i"],
      .fish: ["--no-config", "-i", "-C", "source rc"],
    ]
    process = try tool.start(
      arguments[shell] ?? [], input: terminal.program, output: terminal.program, errors: terminal.program,
      leadsSession: true)
    _ = try terminal.waitFor("== ready ==")
  }

  deinit { kill(process.identifier, SIGKILL) }

  /// What the shell offers at the end of a line, sorted: each word as it is meant, without its quotes.
  func candidates(for line: String) throws -> [String] {
    try terminal.type(line + "\t" + (shell == .bash ? "\u{7}" : ""))
    let text = try terminal.waitFor("== end \(count) ==").replacing("\r\n", with: "\n")
    let begin = text.range(of: "== begin \(count) ==\n")?.upperBound ?? text.endIndex
    let offered = text[begin...].components(separatedBy: "== end \(count) ==")[0]
    count += 1
    let lines = Set(offered.split(separator: "\n").map(String.init))
    switch shell {
    case .fish: return lines.sorted()
    case .zsh: return lines.map { TypedWord.meaning(of: $0, home: nil) }.sorted()
    case .bash: break
    }
    // The line with all that is offered in the place of the word.
    let typed = line.lastIndex(of: " ").map { line[...$0] } ?? ""
    return Self.words(offered.dropFirst(typed.count)).filter { line != typed + $0 || line == typed }.sorted()
  }

  /// The words of a line, quotes and backslashes taken away.
  private static func words(_ line: some StringProtocol) -> [String] {
    var words: [String] = []
    var word = ""
    var isEscaped = false
    for character in line.split(separator: "\n").joined() + " " {
      if character == " ", !isEscaped {
        if !word.isEmpty { words.append(TypedWord.meaning(of: word, home: nil)) }
        word = ""
      } else {
        word.append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return words
  }

  /// What a shell runs when it starts: it loads the script, and binds a key to something that prints what is offered.
  private static func setup(_ shell: Shell) -> String {
    switch shell {
    case .bash:
      // `insert-completions` puts all that is offered into the line, quoted as it would be.
      #"""
      PS1='== ready =='
      source ./_realmctl
      count=0
      show() { printf '== begin %s ==\n%s\n== end %s ==' $count "$READLINE_LINE" $count; READLINE_LINE=; count=$((count + 1)); }
      bind '"\t": insert-completions'
      bind -x '"\C-g": show'
      """#
    case .zsh:
      #"""
      PROMPT='== ready =='
      unsetopt prompt_cr prompt_sp
      autoload -Uz compinit
      compinit -u -D
      source ./_realmctl
      count=0
      show() {
        compadd() {
          local -a matching
          builtin compadd -A matching "$@"
          print -rl -- $matching >> $TTY
          builtin compadd "$@"
        }
        print -r -- "== begin $count ==" > $TTY
        _main_complete
        print -rn -- "== end $count ==" > $TTY
        unfunction compadd
        compstate[insert]=
        compstate[list]=
        count=$((count + 1))
      }
      zle -C show complete-word show
      clear-line() { zle show; zle kill-whole-line; }
      zle -N clear-line
      bindkey '^I' clear-line
      """#
    case .fish:
      #"""
      function fish_prompt; echo -n '== ready =='; end
      source ./_realmctl
      set -g count 0
      function show
        echo "== begin $count =="
        complete -C (commandline -cp) | string replace -r '\t.*' ''
        echo "== end $count =="
        set -g count (math $count + 1)
        commandline ''
      end
      bind \t show
      """#
    }
  }
}
