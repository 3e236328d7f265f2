import Foundation
import RealmInspection
import RealmStorage
import TestSupport
import Testing

private let binary = Tool.binary

private let dogs = Fixture.path("engine/dogs.realm")

/// The row with the cursor.
private func cursorRow(_ screen: [String]) -> String { screen.first { $0.hasPrefix("▌") } ?? "" }

/// The real program in a real terminal.
@Suite(.serialized) struct BrowserTerminalTests {
  @Test func linksAreFollowedAndTheWayBackIsFound() throws {
    try leavingUntouched(dogs) { path in
      let terminal = try Tmux([binary, "browse", path])
      try terminal.wait(for: "864 B")
      #expect(try terminal.modes().hasPrefix("1 0"))

      try terminal.press("j", "Enter")
      try terminal.wait(for: "dogs.realm › Person")
      try terminal.press("j", "l", "l", "l", "l")
      let people = try terminal.wait(for: "the list of dogs") { $0.contains { $0.contains("Enter open") } }
      #expect(cursorRow(people).contains("640000000000000000000001"))
      try terminal.press("Enter")
      try terminal.wait(for: "Person › Bob › dogs")
      try terminal.press("Right", "Right", "Right", "Right", "Right")
      let list = try terminal.wait(for: "Enter follow")
      #expect(cursorRow(list).contains("650000000000000000000001"))
      try terminal.press("Enter")
      try terminal.wait(for: "Bob › dogs › Fido › favoriteToy › Ball")

      // Back three times, each time to the previous place.
      try terminal.press("q")
      #expect(try terminal.wait(for: "Enter follow") == list)
      try terminal.press("BSpace")
      #expect(try terminal.wait(for: "Enter open") == people)
      try terminal.press("q")
      #expect(cursorRow(try terminal.wait(for: "Enter objects")).contains("Person"))

      // From a toy to what links to it.
      try terminal.press("G", "Enter")
      try terminal.wait(for: "dogs.realm › Toy")
      try terminal.press("b")
      try terminal.wait(for: "What links to Toy") { cursorRow($0).contains("Dog.favoriteToy") }
      try terminal.press("Enter")
      try terminal.wait(for: "backlinks › Dog.favoriteToy")
      try terminal.press("Q")
      #expect(try terminal.waitForEnd() == 0)
      #expect(try terminal.modes() == Tmux.ordinaryModes)
    }
  }

  @Test func searchHelpAndResizing() throws {
    let terminal = try Tmux([binary, "browse", dogs, "Dog"])
    try terminal.wait(for: "dogs.realm › Dog")
    try terminal.press("/")
    try terminal.type("laika")
    try terminal.wait(for: "/laika")
    try terminal.press("Enter")
    try terminal.wait(for: "the dog that was searched for") { cursorRow($0).contains("Laika") }
    try terminal.press("?")
    try terminal.wait(for: "show what links to the object")
    try terminal.press("q")
    try terminal.wait(for: "Enter object")

    try terminal.resize(50, 12)
    try terminal.wait(for: "a screen of the new size") { $0.count <= 13 && $0.contains { $0.contains("q back") } }
    try terminal.resize(30, 8)
    try terminal.wait(for: "30×8, needed 40×10.")
    try terminal.resize(120, 30)
    // The screen may be read while it is being drawn.
    try terminal.wait(for: "the other columns, and the cursor where it was") {
      $0.contains { $0.contains("dateOfBirth") } && cursorRow($0).contains("Laika")
    }
    try terminal.press("q", "q")
    #expect(try terminal.waitForEnd() == 0)
  }

  @Test func filtersAreTypedWithHelpAndAFindLeadsToTheObject() throws {
    try leavingUntouched(dogs) { path in
      let terminal = try Tmux([binary, "browse", path, "Dog"])
      try terminal.wait(for: "dogs.realm › Dog")
      try terminal.press("f")
      try terminal.type("favoriteToy.n")
      try terminal.press("Tab")
      try terminal.type(" = = 'Ball'")
      try terminal.wait(for: "syntax error, unexpected ==")
      try terminal.press("C-u")
      try terminal.type("favoriteToy.name == 'Ball'\n")
      try terminal.wait(for: "filter: favoriteToy.name == 'Ball'") { $0.contains { $0.hasSuffix("1 of 2") } }
      try terminal.press("f")
      try terminal.type("coll\n")
      try terminal.wait(for: "[coll]") { cursorRow($0).contains("Fido") }
      try terminal.press("Escape")
      try terminal.wait(for: "of 2")
      try terminal.type(":find 01234567-89ab\n")
      try terminal.wait(for: "of 3") { cursorRow($0).contains("Toy") || cursorRow($0).contains("Dog") }
      try terminal.press("G", "Enter")
      try terminal.wait(for: "object key")
      try terminal.press("q")
      try terminal.wait(for: "3 of 3")
      try terminal.press("Q")
      #expect(try terminal.waitForEnd() == 0)
    }
  }

  @Test func whatIsCopiedIsOnTheClipboard() throws {
    let terminal = try Tmux([binary, "browse", dogs, "Dog"])
    try terminal.wait(for: "dogs.realm › Dog")
    try terminal.press("l", "l", "y")
    try terminal.wait(for: "sent to the terminal: 3 bytes")
    #expect(try terminal.clipboard() == "Rex")
  }

  /// A file is what `export` writes; a program gets the terminal, and returns it.
  @Test func whatIsShownIsWrittenAndHandedToPrograms() throws {
    let folder = try TemporaryFolder()
    let terminal = try Tmux([binary, "browse", dogs, "Dog"], columns: 160)
    try terminal.wait(for: "dogs.realm › Dog")
    let path = folder.path("dogs.ndjson")
    try terminal.type(":write \(path)\n")
    try terminal.wait(for: "wrote 5 objects")
    let exported = try Tool(binary).run("export", dogs, "--only", "Dog", "--format", "ndjson")
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(exported.outputText.utf8))
    try terminal.type(":write \(path)\n")
    try terminal.wait(for: "exists; :write! replaces it")
    try terminal.type("f")
    try terminal.type("name != 'Rex'\n")
    try terminal.wait(for: "1 of 4")
    try terminal.type("|sort -r\n")
    try terminal.wait(for: "[Enter goes back to the browser]")
    try terminal.press("Enter")
    try terminal.wait(for: "1 of 4")
    // Control-C ends the program, not the browser.
    try terminal.type("|echo begun; exec sleep 600\n")
    try terminal.wait(for: "the program's own line") { $0.contains("begun") }
    try terminal.press("C-c")
    // The line of the program before is still there.
    try terminal.wait(for: "[Enter goes back to the browser] again") { lines in
      lines.count { $0.contains("[Enter goes back to the browser]") } > 1
    }
    try terminal.press("Enter")
    try terminal.wait(for: "the program ended with status 130")
    try terminal.press("Q")
    #expect(try terminal.waitForEnd() == 0)
    #expect(try terminal.modes() == Tmux.ordinaryModes)
  }

  @Test func pastedTextAndKeysWithAltReachThePrompt() throws {
    let terminal = try Tmux([binary, "browse", dogs, "Dog"])
    try terminal.wait(for: "dogs.realm › Dog")
    try terminal.type("\u{1b}[200~Q\u{1b}[201~")
    try terminal.wait(for: "pasting works only in a prompt")
    try terminal.type("/")
    try terminal.type("\u{1b}[200~one\ntwo\u{1b}[201~")
    try terminal.wait(for: "/one two")
    try terminal.press("M-b", "X")
    try terminal.wait(for: "/one Xtwo")
    try terminal.type("\u{1b}[1;5DY")
    try terminal.wait(for: "/one YXtwo")
  }

  /// What the terminal sends does not depend on what its description lists.
  @Test(
    "keys that a description does not list are no other keys",
    arguments: ["screen-256color", "screen", "linux", "vt100"])
  func sequencesThatAreNotDescribed(_ type: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("dogs.realm", try Fixture.bytes("engine/dogs.realm"))
    let terminal = try Tmux(
      [binary, "browse", path, "Person", "--edit", "--no-backup"], columns: 120, environment: ["TERM": type])
    try terminal.wait(for: "dogs.realm [edit]")
    // Focus, CSI-u, the clipboard, and an answer about colors.
    try terminal.type("\u{1b}[I\u{1b}[O\u{1b}[68;2u\u{1b}]52;c;RERE\u{7}\u{1b}]11;rgb:dddd/dddd/dddd\u{1b}\\")
    try terminal.press("l", "l", "e")
    try terminal.wait(for: "name (string): Alice")
    // Shift-Left, Alt-Left, Ctrl-Left with Shift, then the arrows of both forms.
    try terminal.type("\u{1b}[1;2D\u{1b}[1;6DZ")
    try terminal.wait(for: "name (string): AlicZe")
    try terminal.type("\u{1b}OD\u{1b}[DX")
    try terminal.wait(for: "name (string): AliXcZe")
    try terminal.press("Enter")
    try terminal.wait(for: "[1 change]")
    try terminal.press("Q")
    try terminal.wait(for: "1 change not written")
    try terminal.press("d", "Enter")
    // Terminals with one screen keep what was on it.
    try terminal.wait(for: "status 0")
    #expect(try terminal.modes() == Tmux.ordinaryModes)
    #expect(try Fixture.bytes(ofFile: path) == Fixture.bytes("engine/dogs.realm"))
  }

  @Test func theShellFindsItsTerminalAsItWas() throws {
    let terminal = try Tmux(["/bin/sh", "-i"], environment: ["PS1": "ready> "])
    try terminal.wait(for: "ready>")
    try terminal.type("stty -g; echo before\n")
    let before = try terminal.wait(for: "before and a prompt") { $0.contains("before") }
    let settings = try #require(before.first { $0.contains(":") && !$0.contains("stty") })
    try terminal.type("'\(binary)' browse '\(dogs)'; echo status $?\n")
    try terminal.wait(for: "Enter objects")
    try terminal.press("q")
    try terminal.wait(for: "status 0")
    try terminal.type("clear; stty -g\n")
    try terminal.wait(for: "the settings of before") { $0.contains(settings) }
    #expect(try terminal.modes() == Tmux.ordinaryModes)
  }

  @Test func aRealmInUseIsWrittenOnceItIsFree() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("dogs.realm", try Fixture.bytes("engine/dogs.realm"))
    let terminal = try Tmux([binary, "browse", path, "Person", "--edit", "--no-backup"], columns: 120)
    try terminal.wait(for: "dogs.realm [edit] › Person")
    try terminal.press("l", "l", "e", "C-u")
    try terminal.type("Max")
    try terminal.press("Enter")
    try terminal.wait(for: "[1 change]")
    let access = try ExclusiveAccess(toRealm: path)
    try terminal.type(":w")
    try terminal.press("Enter")
    // No option helps here.
    let screen = try terminal.wait(for: "close it there, then :w")
    #expect(screen.contains { $0.contains("[1 change]") })
    #expect(!screen.contains { $0.contains("--wait") })
    access.release()
    try terminal.type(":w")
    try terminal.press("Enter")
    try terminal.wait(for: "1 change written")
    try terminal.press("Q")
    #expect(try terminal.waitForEnd() == 0)
    #expect(try Realm.check(path).errors == 0)
  }

  /// Options that the command line would advise cannot be given any more.
  @Test func whatStandsInTheWayOfABackupIsSaidWithoutOptions() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("dogs.realm", try Fixture.bytes("engine/dogs.realm"))
    let backups = folder.path("backups")
    try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: false)
    let kept = backups + "/kept.realm"
    let terminal = try Tmux([binary, "browse", path, "Person", "--edit", "--backup", kept], columns: 160)
    try terminal.wait(for: "dogs.realm [edit] › Person")
    try terminal.press("l", "l", "e", "C-u")
    try terminal.type("Max")
    try terminal.press("Enter")
    try terminal.wait(for: "[1 change]")
    try FileManager.default.removeItem(atPath: backups)
    try terminal.type(":w")
    try terminal.press("Enter")
    let screen = try terminal.wait(for: "create it first, then :w")
    #expect(screen.contains { $0.contains("[1 change]") } && !screen.contains { $0.contains("--") })
    try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: false)
    try terminal.type(":w")
    try terminal.press("Enter")
    try terminal.wait(for: "1 change written")
    try terminal.press("Q")
    #expect(try terminal.waitForEnd() == 0)
    #expect(try Realm.check(path).errors == 0)
    #expect(try Fixture.bytes(ofFile: kept) == Fixture.bytes("engine/dogs.realm"))
  }

  @Test func controlZStopsAndFgComesBack() throws {
    let terminal = try Tmux(["/bin/sh", "-i"], environment: ["PS1": "ready> "])
    try terminal.wait(for: "ready>")
    try terminal.type("'\(binary)' browse '\(dogs)' Dog; echo status $?\n")
    try terminal.wait(for: "dogs.realm › Dog")
    try terminal.press("j", "j")
    try terminal.wait(for: "3 of 5")
    try terminal.press("C-z")
    try terminal.wait(for: "a prompt") { $0.contains { $0.contains("Stopped") } }
    #expect(try terminal.modes() == Tmux.ordinaryModes)
    try terminal.resize(100, 20)
    try terminal.type("fg; echo status $?\n")
    let screen = try terminal.wait(for: "3 of 5")
    #expect(screen.contains { $0.contains("favoriteToy") })
    try terminal.press("Q")
    try terminal.wait(for: "status 0")
    #expect(try terminal.modes() == Tmux.ordinaryModes)
  }

  @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)] as [(Int32, Int32)])
  func aSignalEndsItInOrder(_ number: Int32, _ status: Int32) throws {
    let terminal = try Tmux([binary, "browse", dogs])
    try terminal.wait(for: "Enter objects")
    #expect(kill(try terminal.process(), number) == 0)
    #expect(try terminal.waitForEnd() == status)
    #expect(try terminal.modes() == Tmux.ordinaryModes)
  }

  @Test(arguments: [SIGSEGV, SIGILL, SIGABRT, SIGBUS])
  func aCrashLeavesTheTerminalAsItWas(_ number: Int32) throws {
    let terminal = try Tmux(["/bin/sh", "-i"], environment: ["PS1": "ready> ", "SWIFT_BACKTRACE": "enable=no"])
    try terminal.wait(for: "ready>")
    try terminal.type("stty -g; echo before\n")
    let before = try terminal.wait(for: "before and a prompt") { $0.contains("before") }
    let settings = try #require(before.first { $0.contains(":") && !$0.contains("stty") })
    try terminal.type("'\(binary)' browse '\(dogs)'; echo status $?\n")
    try terminal.wait(for: "Enter objects")
    #expect(kill(try terminal.process(depth: 1), number) == 0)
    try terminal.wait(for: "status \(128 + number)")
    #expect(try terminal.modes() == Tmux.ordinaryModes)
    try terminal.type("clear; stty -g\n")
    try terminal.wait(for: "the settings of before") { $0.contains(settings) }
  }

  @Test func aFileThatIsCutShortAndCopiedOverIsReadAgainOnAKey() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/deep-tree.realm"))
    let terminal = try Tmux([binary, "browse", path])
    try terminal.wait(for: "Enter objects")
    #expect(truncate(path, 4096) == 0)
    try terminal.press("Enter", "G")
    try terminal.wait(for: "the file has changed and is shorter now; R reloads it")
    // Noticed without a key, and while the terminal is left alone.
    let copied = try Tool("/bin/cp").run(Fixture.path("engine/dogs.realm"), path)
    #expect(copied.status == 0)
    try terminal.press("R")
    try terminal.wait(for: "864 B")
    try terminal.press("Enter")
    try terminal.wait(for: "Lassie")
    let again = try Tool("/bin/cp").run(Fixture.path("engine/strings.realm"), path)
    #expect(again.status == 0)
    try terminal.wait(for: "the file has changed; R reloads it")
    try terminal.press("Q")
    #expect(try terminal.waitForEnd() == 0)
    #expect(try terminal.modes() == Tmux.ordinaryModes)
  }

  @Test func standardInputIsBrowsedWithKeysFromTheTerminal() throws {
    let terminal = try Tmux(["/bin/sh", "-c", "'\(binary)' browse - < '\(dogs)'"])
    try terminal.wait(for: "standard input")
    try terminal.press("Enter")
    try terminal.wait(for: "standard input › Dog")
    try terminal.press("R")
    try terminal.wait(for: "standard input cannot be reloaded")
    try terminal.press("Q")
    #expect(try terminal.waitForEnd() == 0)
  }

  private static let engineKey = Fixture.engineKey.map { String(format: "%02x", $0) }.joined()

  /// The key of the first file is also used for others, wherever it came from; for a file with another key, the browser
  /// asks for it.
  @Test func furtherEncryptedFilesAreOpened() throws {
    let secret = Fixture.path("engine/all-types-encrypted.realm")
    let other = Fixture.path("engine/all-types-copy-encrypted.realm")
    let terminal = try Tmux(
      [binary, "browse", secret, other, "--key-env", "SECRET"], environment: ["SECRET": Self.engineKey])
    try terminal.wait(for: "2 all-types-copy-encrypted.realm")
    try terminal.type(":open \(secret)\n")
    try terminal.wait(for: "3 all-types-enc")
    try terminal.press("Q")
    #expect(try terminal.waitForEnd() == 0)

    let typed = try Tmux([binary, "browse", dogs, "--key-prompt"])
    try typed.wait(for: "Encryption key of")
    // Not even a plain file is opened with a key that it does not need.
    try typed.type(Self.engineKey + "\n")
    try typed.wait(for: "status 4")

    let asked = try Tmux([binary, "browse", secret, "--key-prompt"])
    try asked.wait(for: "Encryption key of")
    try asked.type(Self.engineKey + "\n")
    try asked.wait(for: "559.9 KiB")
    // It is known now.
    try asked.type(":open \(other)\n")
    try asked.wait(for: "2 all-types-copy-encrypted.realm")
    try asked.press("Q")
    #expect(try asked.waitForEnd() == 0)
  }

  @Test func theKeyOfAFurtherFileIsAskedForWithTheScreenGivenBack() throws {
    let secret = Fixture.path("engine/all-types-encrypted.realm")
    let folder = try TemporaryFolder()
    try folder.write("wrong.key", [UInt8](repeating: 7, count: 64))
    let terminal = try Tmux([binary, "browse", dogs, "--key-file", folder.path("wrong.key")])
    try terminal.wait(for: "status 4")

    let second = try Tmux([binary, "browse", dogs, dogs, "--key-prompt"])
    try second.wait(for: "2 dogs.realm")
    try second.type(":open \(secret)\n")
    try second.wait(for: "Encryption key of")
    try second.press("C-c")
    try second.wait(for: "no key was typed")
    try second.type(":open \(secret)\n")
    // The first is still there when the browser's screen has gone.
    try second.wait(for: "the prompt again") { $0.count { $0.hasPrefix("Encryption key of") } == 2 }
    try second.type(Self.engineKey + "\n")
    try second.wait(for: "3 all-types-encrypted.realm")
    try second.press("Q")
    #expect(try second.waitForEnd() == 0)
    #expect(try second.modes() == Tmux.ordinaryModes)
  }

  @Test func aQuestionForAKeyOutlivesANewSizeAndPassesSignalsOn() throws {
    let secret = Fixture.path("engine/all-types-encrypted.realm")
    let terminal = try Tmux([binary, "browse", dogs])
    try terminal.wait(for: "Enter objects")
    try terminal.type(":open \(secret)\n")
    try terminal.wait(for: "Encryption key of")
    let half = Self.engineKey.index(Self.engineKey.startIndex, offsetBy: 30)
    try terminal.type(String(Self.engineKey[..<half]))
    try terminal.resize(90, 20)
    try terminal.type(Self.engineKey[half...] + "\n")
    try terminal.wait(for: "2 all-types-encrypted.realm")
    // The new size is known afterwards.
    try terminal.wait(for: "20 rows") { $0.filter { !$0.isEmpty }.count <= 20 && $0.contains { $0.contains("? help") } }
    kill(try terminal.process(), SIGTERM)
    #expect(try terminal.waitForEnd() == 143)

    let asked = try Tmux([binary, "browse", dogs])
    try asked.wait(for: "Enter objects")
    try asked.type(":open \(secret)\n")
    try asked.wait(for: "Encryption key of")
    kill(try asked.process(), SIGTERM)
    #expect(try asked.waitForEnd() == 143)
  }

  @Test func theWheelAndTheMouse() throws {
    let terminal = try Tmux([binary, "browse", dogs, "Dog"])
    try terminal.wait(for: "dogs.realm › Dog")
    #expect(try terminal.fact("#{mouse_any_flag}") == "1")
    // A button pressed and released in column 5 of row 7, both counted from 1, as mode 1000 reports it.
    try terminal.type("\u{1b}[M %'\u{1b}[M#%'")
    try terminal.wait(for: "4 of 5")
    try terminal.press("Q")
    #expect(try terminal.waitForEnd() == 0)
    #expect(try terminal.modes() == Tmux.ordinaryModes)
  }

  @Test func settingsAreKeptForTheNextTime() throws {
    let folder = try TemporaryFolder()
    let environment = ["XDG_CONFIG_HOME": folder.path("config")]
    let first = try Tmux([binary, "browse", dogs, "Dog"], environment: environment)
    try first.wait(for: "dogs.realm › Dog")
    try first.type(":mouse off\n")
    try first.wait(for: "mouse off")
    try first.type(":key X frequency\n")
    try first.wait(for: "X: frequency")
    try first.type(":save\n")
    try first.wait(for: "settings saved to ")
    try first.press("Q")
    #expect(try first.waitForEnd() == 0)
    let text = try String(contentsOfFile: folder.path("config/realmctl/browse"), encoding: .utf8)
    #expect(text.contains("mouse off\ndates utc\nkey X frequency\n"))

    let second = try Tmux([binary, "browse", dogs, "Dog"], environment: environment)
    try second.wait(for: "dogs.realm › Dog")
    #expect(try second.fact("#{mouse_any_flag}") == "0")
    try second.press("l", "l", "X")
    try second.wait(for: "frequency of name")
    try second.press("Q")
    #expect(try second.waitForEnd() == 0)
  }

  @Test func colorsFollowTheConvention() throws {
    let colored = try Tmux([binary, "browse", dogs])
    try colored.wait(for: "Enter objects")
    #expect(try colored.styledScreen().contains("\u{1b}[36m") || colored.styledScreen().contains(";36m"))
    let plain = try Tmux([binary, "browse", dogs], environment: ["NO_COLOR": "1"])
    try plain.wait(for: "Enter objects")
    let screen = try plain.styledScreen()
    #expect(screen.contains("\u{1b}[7m") || screen.contains(";7m"))
    for color in 30...37 { #expect(!screen.contains("\(color)m")) }
  }

  @Test func aTerminalWithoutUnicodeGetsASCII() throws {
    let terminal = try Tmux(
      [binary, "browse", Fixture.path("engine/all-types.realm"), "AllTypes"], environment: ["LC_ALL": "C"])
    try terminal.wait(for: "all-types.realm > AllTypes")
    try terminal.press("o", "*")
    let screen = try terminal.wait(for: "Enter show all") { $0.contains { $0.hasPrefix(">") } }
    #expect(screen.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
  }

  @Test(
    "without a description of the terminal and without a locale, it is all there",
    arguments: ["xterm-kitty", "foot", "alacritty", "wezterm", "tmux-none", "screen-none", "linux-none", "vt100-none"])
  func noDescriptions(_ type: String) throws {
    let environment = ["TERMINFO_DIRS": "/nonexistent", "LOCPATH": "/nonexistent", "LC_ALL": ""]
    let terminal = try Tmux(
      ["/usr/bin/env", "TERM=" + type, binary, "browse", Fixture.path("engine/nested-mixed.realm"), "Doc"],
      columns: 100, environment: environment)
    let screen = try terminal.wait(for: "a whole screen") {
      $0.contains { $0.contains("nested-mixed.realm › Doc") } && $0.contains { $0.contains("q back") }
    }
    let usual = try Tmux([binary, "browse", Fixture.path("engine/nested-mixed.realm"), "Doc"], columns: 100)
    #expect(try usual.wait(for: "the same") { $0 == screen } == screen)
    #expect(try terminal.styledScreen().contains("36m") == (type != "vt100-none"))
    try terminal.press("Down", "End", "Home", "F1", "q", "Q")
    #expect(try terminal.waitForEnd() == 0)
    #expect(try terminal.modes() == Tmux.ordinaryModes)
  }

  @Test(arguments: [
    ("dumb", "the terminal 'dumb' cannot position the cursor"), ("", "TERM is not set"),
    ("no-such-terminal", "unknown terminal type 'no-such-terminal'"),
  ])
  func aTerminalThatCannotShowItIsAnswered(_ type: String, _ message: String) throws {
    let terminal = try Tmux(
      ["/bin/sh", "-c", "TERM='\(type)' '\(binary)' browse '\(dogs)' 2>&1"], columns: 100)
    #expect(try terminal.waitForEnd() == 2)
    let text = try terminal.screen().joined()
    #expect(text.hasPrefix("realmctl: ") && text.contains(message))
    #expect(try terminal.modes() == Tmux.ordinaryModes)
  }

  @Test func withoutATerminalItSaysSo() throws {
    let outcome = try Tool(binary, environment: ["TERM": "xterm-256color"]).run("browse", dogs)
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("realmctl: 'browse' needs a terminal"))
    #expect(outcome.errors.contains("export"))
  }

  @Test func wideCharactersAndMarksStandInTheirColumns() throws {
    let terminal = try Tmux([binary, "browse", Fixture.path("engine/nested-mixed.realm"), "Doc"], columns: 100)
    // The hint line comes last.
    let screen = try terminal.wait(for: "a whole screen") {
      $0.contains { $0.contains("nested-mixed.realm › Doc") } && $0.contains { $0.contains("q back") }
    }
    // The column after the names begins at the same place, whatever the names contain.
    let header = try #require(screen.first { $0.contains("anyList") })
    let column = width(of: header.prefix(while: { $0 != "y" }).dropLast(2))
    for row in screen[3..<20] {
      #expect(character(in: row, at: column - 1) == " ", "\(row)")
      #expect(character(in: row, at: column) != " ", "\(row)")
    }
  }

  private func width(of text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + (isWide($1) ? 2 : 1) }
  }

  private func character(in row: String, at column: Int) -> Character? {
    var place = 0
    for scalar in row.unicodeScalars {
      if place == column { return Character(scalar) }
      place += isWide(scalar) ? 2 : 1
    }
    return nil
  }

  private func isWide(_ scalar: Unicode.Scalar) -> Bool {
    (0x1100...0x115f).contains(scalar.value) || (0x2e80...0xa4cf).contains(scalar.value)
      || (0x1f300...0x1faff).contains(scalar.value)
  }
}
