import BrowserSupport
import TestSupport
import Testing

@testable import RealmBrowser

private let dogs = Fixture.path("engine/dogs.realm")

@Suite struct TerminalConcernsTests {
  @Test func aScreenThatIsTooSmallSaysSoAndComesBack() throws {
    let driver = try Driver(dogs)
    driver.press(.enter)
    let before = driver.lines
    driver.resize(39, 10)
    #expect(driver.lines.contains { $0.contains("39×10, needed 40×10.") })
    driver.press(.down, .enter, .character("s"))
    driver.resize(40, 9)
    #expect(driver.lines.contains { $0.contains("The screen is too small") })
    driver.resize(80, 24)
    #expect(driver.lines == before)
    driver.resize(5, 2)
    driver.press(.character("Q"))
    #expect(driver.browser.ending == .quit)
  }

  @Test func everySizeFromTheSmallestOnIsFilledWithoutOverflow() throws {
    let driver = try Driver(Fixture.path("engine/all-types.realm"))
    driver.press(try KeyText.keys("Enter j j j"))
    for columns in stride(from: 0, through: 130, by: 3) {
      for rows in [0, 1, 3, 9, 10, 11, 30] {
        driver.resize(columns, rows)
        #expect(driver.screen.grid.size == driver.screen.size)
      }
    }
  }

  @Test func controlZAndControlLAreForTheOwnerOfTheTerminal() throws {
    let driver = try Driver(dogs)
    driver.press(.control("z"), .control("l"))
    #expect(driver.asked == [.suspend, .repaint])
  }

  @Test func theMouseSelectsRowsAndOpens() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys(": \"mouse on\" Enter"))
    #expect(driver.screen.isMouseOn)
    driver.send(.mouse(.click, ScreenPosition(column: 5, row: 4)))
    #expect(driver.cursorLine.contains("Toy"))
    driver.send(.mouse(.doubleClick, ScreenPosition(column: 5, row: 3)))
    #expect(driver.path.contains("Person"))
    driver.send(.mouse(.wheelDown, ScreenPosition(column: 0, row: 0)))
    #expect(driver.cursorLine.contains("Carol"))
    driver.send(.mouse(.click, ScreenPosition(column: 5, row: 22)))
    #expect(driver.cursorLine.contains("Carol"))
    driver.press(try KeyText.keys(": \"mouse off\" Enter"))
    #expect(!driver.screen.isMouseOn)
  }

  @Test func theClipboardRequestIsBase64InASequence() {
    let sequence = Array("Zoë".utf8).withUnsafeBytes { ClipboardRequest.sequence(for: $0) }
    #expect(String(decoding: sequence, as: UTF8.self) == "\u{1b}]52;c;Wm/Dqw==\u{07}")
  }

  @Test func aRequestToStopEndsTheBrowser() throws {
    let driver = try Driver(dogs)
    driver.send(.terminate)
    #expect(driver.browser.ending == .terminated)
  }
}
