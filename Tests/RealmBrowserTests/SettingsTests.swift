import BrowserSupport
import RealmPresentation
import RealmStorage
import RealmSystem
import RealmText
import TestSupport
import Testing

@testable import RealmBrowser

private let dogs = Fixture.path("engine/dogs.realm")

/// What the user has chosen: keys, colors, mouse, dates.
@Suite struct SettingsTests {
  private func driver(_ text: String, hasMouse: Bool = false, saved: Saved = Saved()) throws -> Driver {
    try Driver(dogs, columns: 120) { options in
      options.hasMouse = hasMouse
      options.settings = .init(path: "~/browse", text: text) { text in saved.text.withLock { $0 = text } }
    }
  }

  private final class Saved: Sendable {
    let text = Locked<String?>(nil)
  }

  @Test func theMouseIsOnWhereThereIsOneAndCanBeTurnedOff() throws {
    let driver = try driver("", hasMouse: true)
    driver.send(.wake)
    #expect(driver.screen.isMouseOn && !driver.status.contains("mouse"))
    driver.press(try KeyText.keys(": \"mouse off\" Enter"))
    #expect(!driver.screen.isMouseOn)
    driver.press(try KeyText.keys(": \"mouse sideways\" Enter"))
    #expect(driver.status.contains("takes on or off, not"))
    #expect(try !self.driver("").browser.isMouseOn)
    #expect(try !self.driver("mouse off\n", hasMouse: true).browser.isMouseOn)
  }

  @Test func keysAreChosenAndShownInTheHelp() throws {
    let driver = try driver("# mine\nkey X open-object\nkey F2 :frequency name\nkey s none\n  key ^T mark\n")
    driver.press(try KeyText.keys("Enter"))
    driver.press(.control("t"))
    #expect(driver.lines.contains { $0.hasPrefix("•") })
    driver.press(.character("s"))
    #expect(driver.status.contains("s has no effect"))
    driver.press(.function(2))
    #expect(driver.path.hasSuffix("frequency of name"))
    driver.press(.character("q"), .character("?"))
    let help = (0..<driver.browser.page.view.rowCount).map { row in
      String(String.UnicodeScalarView(driver.browser.page.view.line(row, isCursor: false).map(\.base)))
    }
    #expect(help.contains { $0.contains("X o") && $0.contains("open the object") })
    #expect(help.contains { $0.contains("F2") && $0.contains(":frequency name") })
    #expect(!help.contains { $0.hasPrefix("  s ") })
    driver.press(.character("q"), .character("X"))
    #expect(driver.browser.page.view.kind == .object)
    driver.press(try KeyText.keys("q : \"key X\" Enter X"))
    #expect(driver.status.contains("X has no effect"))
  }

  @Test(arguments: [
    ("key X opne-object", "did you mean 'open-object'?"), ("key Xyz mark", "'Xyz' is not a key"),
    ("key : mark", ": cannot be given another action"), ("color mtach red", "did you mean 'match'?"),
    ("color match rde", "did you mean 'red'?"), ("color", "name what to color"), ("key", "name a key"),
    ("dates lcoal", "utc, local or relative"),
  ])
  func whatMeansNothingGetsASuggestion(_ line: String, _ answer: String) throws {
    let typed = try driver("")
    typed.press(.character(":"))
    typed.type(line)
    typed.press(.enter)
    #expect(typed.status.contains(answer), "\(typed.status)")
    let saved = try driver("\n" + line)
    #expect(saved.status.contains("~/browse line 2: ") && saved.status.contains(answer), "\(saved.status)")
  }

  @Test func aFileOfSettingsRunsNoOtherCommands() throws {
    let driver = try driver("quit\nwrite! x.csv")
    #expect(driver.browser.ending == nil && driver.status.contains("line 1: 'quit' is not a setting"))
  }

  @Test func whatIsSavedIsTakenUpAgain() throws {
    let saved = Saved()
    let text =
      "mouse on\ndates local\nkey F2 :find a b\nkey Space none\nkey X find-next\ncolor match white on 200 bold\n"
    let driver = try driver(text, saved: saved)
    driver.press(try KeyText.keys(": \"save\" Enter"))
    #expect(driver.status.contains("settings saved to ~/browse"))
    let lines = try #require(saved.text.withLock { $0 })
    #expect(lines.split(separator: "\n").dropFirst() == text.split(separator: "\n")[...])
    let again = try self.driver(lines, saved: saved)
    // They are those of all files that are open.
    let (realm, options) = try Driver.opened(OpenableFixture.named("corners").path)
    again.browser.open(realm, options: options)
    again.press(try KeyText.keys(": \"save\" Enter"))
    #expect(saved.text.withLock { $0 } == lines)
  }

  @Test func colorsGoToTheScreen() throws {
    let driver = try driver("")
    driver.press(try KeyText.keys(": \"color match black on yellow underline\" Enter"))
    guard case .colors(let looks)? = driver.asked.last else { Issue.record("no colors"); return }
    #expect(looks[.match]?.background == .number(3) && looks[.match]?.attributes == [.underline])
    driver.press(try KeyText.keys(": \"color match\" Enter"))
    #expect(driver.asked.last == .colors([:]))
  }

  @Test func everyKeyCanBeNamed() {
    for binding in Bindings.table + Bindings.editing {
      for key in binding.keys { #expect(Key(named: key.name(.ascii)) == key, "\(key)") }
    }
    #expect(Key(named: "Ctrl-A") == .control("a") && Key(named: "") == nil && Key(named: "^") == .character("^"))
    #expect(Request.openObject.name == "open-object" && Request.byName.count == Request.allCases.count)
    for role in Role.allCases { #expect(Role.named(role.name) == role) }
  }
}
