import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmBrowser

/// Keys pressed one after another, and what is to be seen after each step.
struct Scenario: Sendable, CustomTestStringConvertible {
  let name: String
  let fixture: String
  var isASCII = false
  /// Keys of each step; the first screen comes before them.
  let steps: [String]

  var testDescription: String { name }

  /// What each view does on its keys. The screens stand in `Screens`, one file for each scenario and size.
  static let all: [Scenario] = [
    Scenario(
      name: "classes", fixture: "corners",
      steps: [
        "j", "k", "Down Down", "Up", "G", "g", "End", "Home", "PgDn", "PgUp", "^D", "^U", "^F", "^B", "I", "I", "f",
        "\"hu\"", "Esc", "f \"hu\" Enter", "Esc", "/ \"key\" Enter", "n", "N", "Esc", "y", "S", "q", "?", "q", "x",
        ": \"op\" Tab", "\" Hub\" Enter", "C", ": \"no such\" Enter",
      ]),
    Scenario(
      name: "objects", fixture: "dogs",
      steps: [
        "j Enter", "l", "h", "Right Right", "Left", "$", "^", "Tab", "Shift-Tab", "0", "j", "G", "g", "l l -", "+",
        "> >", "< < < <", "=", "_", "s", "s", "s", "/ \"bo\" Enter", "n", "N", "Esc", "f \"name: o\" Enter",
        "f Backspace Backspace Backspace Backspace Backspace Backspace Backspace Enter", "f \"zzz\" Enter", "Esc",
        "J \"#2\" Enter", "J \"640000000000000000000001\" Enter", "J \"row:1\" Enter", "J \"nothing\" Enter", "^ y",
        "l l y", "F", "Enter", "q q", "b", "q", "$ Enter", "q", "o", "q", ": \"3\" Enter",
        ": \"sort birthdate desc\" Enter", ": \"hide name\" Enter", ": \"width 12\" Enter", "S", "q", "?",
      ]),
    Scenario(
      name: "object", fixture: "all-types",
      steps: [
        "Enter j j j o", "j j j Space", "Space", "l", "l", "j", "h", "h", "*", "G", "g", "*", "/ \"data\" Enter", "n",
        "Space", "Enter", "q", "y", "]", "]", "[", "^N", "^P", "/ \"linkall\" Enter Esc", "G", "Enter", "q", "b", "q",
        "S", "q", "?",
      ]),
    Scenario(
      name: "links", fixture: "dogs",
      steps: [
        "j Enter", "j $ Enter", "j Enter", "G k k k k k", "/ \"favor\" Enter Esc", "Enter", "G", "Enter", "q", "q", "q",
        "q", "q", "q",
      ]),
    Scenario(
      name: "collections", fixture: "nested-mixed",
      steps: [
        "Enter J \"13\" Enter l l l Enter", "j", "g Enter", "q", "G", "PgUp", "/ \"null\" Enter", "n", "n", "N",
        "Esc J \"5\" Enter", "b", "Enter", "q", "J \"999\" Enter", "y", "S", "q", "?", "q", "q", "l Enter",
        "J \"k\" Enter", "q", "l q",
      ]),
    Scenario(
      name: "backlinks", fixture: "corners",
      steps: [
        "/ \"hub\" Enter Esc Enter", "b", "j", "Enter", "G", "b", "q", "q", "G", "Enter", "y", "S", "q", "?",
      ]),
    Scenario(
      name: "schema", fixture: "all-types",
      steps: [
        "S", "Space", "Space", "h", "l", "j j", "/ \"embedded\" Enter Esc", "Enter", "*", "*", "y", "G", "I", "Enter",
        "q", "m", "j", "y", "Enter", "q", "/ \"mixed\" Enter", "n", "Esc", "?", "q", "S", "?",
      ]),
    Scenario(
      name: "frequency", fixture: "deep-tree",
      steps: [
        "Enter l F", "j", "G", "g", "/ \"9\" Enter", "Esc", "Enter", "f \"1\" Enter", "Esc", "s", "q", "y", "?",
      ]),
    Scenario(
      name: "value", fixture: "strings",
      steps: [
        "j j j Enter G o", "j Enter", "j", "G", "g", "x", "PgDn", "x", "w", "l l", "h", "w", "/ \"aa\" Enter", "n", "n",
        "J \"3\" Enter", "J \"99999\" Enter", ": \"2\" Enter", "y", "S", "q", "?", "q", "q", "j j Enter", "x", "w", "x",
      ]),
    Scenario(
      name: "ascii", fixture: "all-types", isASCII: true,
      steps: ["Enter j j j", "/ \"stringcol\" Enter Esc o", "/ \"stringcol\" Enter Esc", "*", "S", "m", "?"]),
    Scenario(name: "empty", fixture: "no-tables", steps: ["j", "Enter", "S", "m", "?", "q q", "/ \"a\" Enter", "f"]),
    Scenario(
      name: "help", fixture: "dogs",
      steps: ["?", "j", "PgDn", "G", "g", "/ \"command\" Enter", "n", "?", "F1", "Backspace"]),
  ]
}

private let sizes = [
  ScreenSize(columns: 80, rows: 24), ScreenSize(columns: 40, rows: 10), ScreenSize(columns: 200, rows: 60),
]

/// The screens that are expected stand in files, so that a change of one can be looked at. With the environment variable
/// `REALMCTL_WRITE_SCREENS` set, the files are written instead of compared.
@Suite struct ScreenTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Screens")

  @Test(arguments: Scenario.all, sizes)
  func theScreensAreAsExpected(_ scenario: Scenario, _ size: ScreenSize) throws {
    let text = try screens(of: scenario, size)
    let file = Self.folder.appendingPathComponent("\(scenario.name)-\(size.columns)x\(size.rows).txt")
    if ProcessInfo.processInfo.environment["REALMCTL_WRITE_SCREENS"] != nil {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      return
    }
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(text == expected, "\(Self.firstDifference(text, expected))")
  }

  private func screens(of scenario: Scenario, _ size: ScreenSize) throws -> String {
    let fixture = OpenableFixture.named(scenario.fixture)
    return try leavingUntouched(fixture.path) { path in
      let driver = try Driver(
        path, key: fixture.encryptionKey(), columns: size.columns, rows: size.rows, isASCII: scenario.isASCII)
      var text = "= \(scenario.fixture)\n" + ScreenText.text(driver.screen.grid, caret: driver.screen.caret)
      for step in scenario.steps {
        let copied = driver.screen.clipboard.count
        driver.press(try KeyText.keys(step))
        text += "\n= \(step)\n" + ScreenText.text(driver.screen.grid, caret: driver.screen.caret)
        for bytes in driver.screen.clipboard[copied...] {
          text += "copied: \(String(decoding: bytes.prefix(60), as: UTF8.self))\n"
        }
      }
      return text
    }
  }

  private static func firstDifference(_ text: String, _ expected: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let index = zip(lines, wanted).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lines.count, wanted.count)
    let step = lines[..<index].last { $0.hasPrefix("= ") } ?? ""
    let (found, hoped) = (index < lines.count ? lines[index] : "", index < wanted.count ? wanted[index] : "")
    return "line \(index + 1), after \(step):\nfound    \(found)\nexpected \(hoped)"
  }

  /// Every line of the table of keys is pressed somewhere in the scenarios of the views it goes for.
  @Test func everyKeyIsPressedInSomeScenario() throws {
    var pressed: Set<Key> = []
    for scenario in Scenario.all {
      for step in scenario.steps { pressed.formUnion(try KeyText.keys(step)) }
    }
    // These leave the browser or the terminal, or read the file again; tests of their own press them.
    let elsewhere: Set<Key> = [
      .character("Q"), .control("z"), .control("c"), .control("l"), .character("R"), .function(5),
    ]
    for binding in Bindings.table {
      for key in binding.keys where !elsewhere.contains(key) {
        #expect(pressed.contains(key), "\(key.name(.unicode)) is never pressed")
      }
    }
  }
}
