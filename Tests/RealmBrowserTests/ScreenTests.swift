import BrowserSupport
import RealmStorage
import TestSupport
import Testing

@testable import RealmBrowser

/// Keys pressed one after another, and the screen after each step.
struct Scenario: Sendable, CustomTestStringConvertible {
  let name: String
  let fixture: String
  var isASCII = false
  /// Keys of each step; the first screen comes before them.
  let steps: [String]

  var testDescription: String { name }

  /// What each view does with its keys. The screens are in `Screens`, one file for each scenario and size.
  static let all: [Scenario] = [
    Scenario(
      name: "classes", fixture: "corners",
      steps: [
        "j", "k", "Down Down", "Up", "G", "g", "End", "Home", "PgDn", "PgUp", "^D", "^U", "^F", "^B", ".", ".", "f",
        "\"hu\"", "Esc", "f \"hu\" Enter", "Esc", "/ \"key\" Enter", "n", "N", "Esc", "y", "S", "q", "?", "q", "x",
        ": \"op\" Tab", "\" Hub\" Enter", "C", ": \"no such\" Enter",
      ]),
    Scenario(
      name: "objects", fixture: "dogs",
      steps: [
        "j Enter", "l", "h", "Right Right", "Left", "$", "^", "Tab", "Shift-Tab", "0", "j", "G", "g", "l l H", "U",
        "> >", "< < < <", "+", "Esc", "-", "Esc", "_", "s", "s", "s", "/ \"bo\" Enter", "n", "N", "Esc",
        "f \"name: o\" Enter",
        "f Backspace Esc", "f \"zzz\" Enter", "Esc",
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
        "S", "Space", "Space", "h", "l", "j j", "/ \"embedded\" Enter Esc", "Enter", "*", "*", "y", "G", ".", "Enter",
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
    Scenario(
      name: "filters", fixture: "dogs",
      steps: [
        // Completion: of a property, of an operator, of a class, back and forth.
        "Enter f", "Tab", "Tab", "Shift-Tab", "^U \"na\" Tab", "Space Tab", "Tab Tab", "Esc", "f \"@links.\" Tab",
        "Tab",
        "Tab", "Esc",
        // What is wrong, while it is typed.
        "f \"na\"", "\"me\"", "\" =\"", "\" = 'R'\"", "Esc", "f \"breeed == 1\"", "Left Left", "Enter", "Esc",
        "f \"(name == 'Rex' AND (breed != 'x' OR (dateOfBirth > 2001-01-01 AND nam == 'y')))\"", "Esc",
        // Further and further, and back.
        "f \"name CONTAINS[c] 'e'\" Enter", "f \"favoriteToy.name == 'Ball'\" Enter",
        "f \"breed: coll\" Enter", "f \"zzz\" Enter", "Esc", "Esc", "s", "f Up Up", "Enter", ": \"filter\" Enter",
        "f \"TRUEPREDICATE SORT(name DESC) LIMIT(2)\" Enter", "f \"name != 'Rex'\" Enter", "q Enter",
        ": \"filter fav\" Tab", "\".\" Tab", "Enter", "Esc", "C j Enter j $ Enter",
        "f \"@links.Person.dogs.@count > 1\" Enter",
      ]),
    Scenario(
      name: "find", fixture: "dogs",
      steps: [
        ": \"find re\" Enter", "j", "Enter", "q", "y", "G", "S", "q", "/ \"rex\" Enter", "Esc", "q",
        ": \"find 650000000000000000000001\" Enter", "Enter", "q q", ": \"find #1\" Enter", "j Enter", "q q",
        ": \"find 01234567-89AB-CDEF-0123-456789ABCDEF\" Enter", "q", ": \"find nowhere\" Enter", "?", "q", "R", "q",
        ": \"find\" Enter",
      ]),
    Scenario(name: "empty", fixture: "no-tables", steps: ["j", "Enter", "S", "m", "?", "q q", "/ \"a\" Enter", "f"]),
    Scenario(
      name: "help", fixture: "dogs",
      steps: ["?", "j", "PgDn", "G", "g", "/ \"command\" Enter", "n", "?", "F1", "Backspace"]),
  ]
}

/// What the screen shows on the way through each view.
@Suite struct ScreenTests {
  @Test(arguments: Scenario.all, ExpectedScreens.sizes)
  func theScreensAreAsExpected(_ scenario: Scenario, _ size: ScreenSize) throws {
    try ExpectedScreens.expect(try screens(of: scenario, size), named: scenario.name, size)
  }

  private func screens(of scenario: Scenario, _ size: ScreenSize) throws -> String {
    let fixture = OpenableFixture.named(scenario.fixture)
    return try leavingUntouched(fixture.path) { path in
      let driver = try Driver(
        path, key: fixture.encryptionKey(), columns: size.columns, rows: size.rows, isASCII: scenario.isASCII)
      var text = "= \(scenario.fixture)\n" + ScreenText.text(driver.screen.grid, caret: driver.screen.caret)
      for step in scenario.steps {
        let asked = driver.asked.count
        driver.press(try KeyText.keys(step))
        text += "\n= \(step)\n" + ScreenText.text(driver.screen.grid, caret: driver.screen.caret)
        text += ScreenText.outcome(of: driver, from: asked)
      }
      return text
    }
  }
}
