import RealmStorage
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
    #expect(driver.cursorLine.contains("640000000000000000000001"))
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

  @Test func qClosesAViewAndInTheFirstOneQuits() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter o q q"))
    #expect(driver.path == " dogs.realm")
    #expect(driver.browser.ending == nil)
    driver.press(.character("q"))
    #expect(driver.browser.ending == .quit)
  }

  @Test func QQuitsFromAnywhere() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter o Q"))
    #expect(driver.browser.ending == .quit)
  }

  @Test(arguments: [Key.escape, .backspace])
  func aKeyThatGoesBackNeverQuits(_ key: Key) throws {
    let driver = try Driver(dogs)
    driver.press(.enter, .character("o"), key)
    #expect(driver.path == " dogs.realm › Dog")
    driver.press(key)
    #expect(driver.path == " dogs.realm")
    driver.press(key, key, key)
    #expect(driver.browser.ending == nil)
    #expect(driver.status.contains("this is the first view; q quits"))
  }

  @Test func escapeCancelsOneThingAtATimeBeforeItGoesBack() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter f \"o\" Enter / \"fido\" Enter"))
    driver.press(.escape)
    #expect(driver.browser.pattern == nil)
    #expect(driver.filters == " filter: o")
    driver.press(.escape)
    #expect(driver.filters.isEmpty)
    #expect(driver.path.contains("Dog"))
    driver.press(.escape)
    #expect(driver.path == " dogs.realm")
  }

  @Test func controlCTwiceLeaves() throws {
    let driver = try Driver(dogs)
    driver.press(.control("c"))
    #expect(driver.status.contains("press ^C again, or Q, to quit"))
    driver.press(.down, .control("c"))
    #expect(driver.browser.ending == nil)
    driver.press(.control("c"))
    #expect(driver.browser.ending == .interrupted)
  }
}
