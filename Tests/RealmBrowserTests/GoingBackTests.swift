import TestSupport
import Testing

@testable import RealmBrowser

private let dogs = Fixture.path("engine/dogs.realm")

@Suite struct GoingBackTests {
  @Test func positionsComeBackOneByOne() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("j Enter j l l l l Enter j Enter j"))
    #expect(driver.path.contains("Person › Bob › dogs › Laika"))
    let object = driver.cursorLine
    driver.press(.enter, .character("q"))
    #expect(driver.cursorLine == object)
    driver.press(.character("q"))
    #expect(driver.cursorLine.contains("Laika"))
    driver.press(.backspace)
    #expect(driver.cursorLine.contains("Bob"))
    driver.press(.character("q"))
    #expect(driver.cursorLine.contains("Person"))
    #expect(driver.browser.ending == nil)
    driver.press(.character("q"))
    #expect(driver.browser.ending == .quit)
  }

  @Test func theNextObjectTakesTheTableBelowAlong() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter o ] ] q"))
    #expect(driver.cursorLine.hasPrefix("▌  2"))
    driver.press(try KeyText.keys("o [ [ ["))
    #expect(driver.status.contains("this is the first object"))
  }

  @Test func theBrowserCanBeginWithAClass() throws {
    let driver = try Driver(dogs) { $0.initialClass = "Dog" }
    #expect(driver.path == " dogs.realm › Dog")
    driver.press(.character("q"))
    #expect(driver.cursorLine.contains("Dog"))
  }

  @Test func qClosesQLeavesAndEscapeLeavesNothingButTheTransient() throws {
    let driver = try Driver(dogs)
    driver.press(.enter, .escape)
    #expect(driver.path.contains("Dog"))
    #expect(driver.status.contains("q goes back, Q leaves the browser"))
    driver.press(.enter, .enter, .character("Q"))
    #expect(driver.browser.ending == .quit)
  }

  @Test func controlCTwiceLeaves() throws {
    let driver = try Driver(dogs)
    driver.press(.control("c"))
    #expect(driver.status.contains("once more, or Q, leaves the browser"))
    driver.press(.down, .control("c"))
    #expect(driver.browser.ending == nil)
    driver.press(.control("c"))
    #expect(driver.browser.ending == .interrupted)
  }
}
