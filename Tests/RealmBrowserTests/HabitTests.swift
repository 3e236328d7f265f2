import BrowserSupport
import RealmPresentation
import TestSupport
import Testing

@testable import RealmBrowser

private let dogs = Fixture.path("engine/dogs.realm")

/// Keys do what people are used to.
@Suite struct HabitTests {
  @Test(arguments: ["j j j Enter G o j Enter", "?"])
  func inPagersSpacePagesAndEnterMovesALine(_ way: String) throws {
    let driver = try Driver(Fixture.path("engine/strings.realm"), columns: 40, rows: 10)
    driver.press(try KeyText.keys(way))
    #expect(ViewKinds.pagers.contains(driver.browser.page.view.kind))
    let height = driver.browser.page.viewport.height
    driver.press(.character(" "))
    #expect(driver.browser.page.viewport.top == height)
    driver.press(.enter)
    #expect(driver.browser.page.viewport.top == height + 1)
  }

  @Test(arguments: [
    // A link: the primary key of its object.
    ("Enter j $ y", "01234567-89ab-cdef-0123-456789abcdef"),
    ("Enter j o G k k y", "01234567-89ab-cdef-0123-456789abcdef"),
    // A list: JSON.
    ("j Enter j $ y", "[\"650000000000000000000001\",\"650000000000000000000004\"]"),
    // A string, a date, an id, an object key: unchanged.
    ("Enter l l y", "Rex"), ("Enter l y", "650000000000000000000000"), ("Enter j y", "1"),
    // Names without their marks.
    ("S y", "Dog"), ("S j y", "_id"), (": \"schema Toy\" Enter G y", "Dog.favoriteToy"),
    ("Enter l l F y", "Fido"),
  ])
  func whatIsCopiedIsTheValue(_ keys: String, _ text: String) throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys(keys))
    #expect(driver.screen.clipboard.map { String(decoding: $0, as: UTF8.self) } == [text])
  }

  @Test func embeddedObjectsAreCopiedAsJSON() throws {
    let driver = try Driver(Fixture.path("engine/all-types.realm"))
    driver.press(try KeyText.keys("Enter j j j o / \"embedded \" Enter y"))
    let text = String(decoding: try #require(driver.screen.clipboard.last), as: UTF8.self)
    #expect(text.hasPrefix("{\"name\":\"") && text.hasSuffix("}"))
    #expect(text.contains("\"child\":{"))
  }

  @Test func theStarUnfoldsEverythingAndFoldsItAgain() throws {
    let driver = try Driver(Fixture.path("engine/all-types.realm"), columns: 120, rows: 60)
    driver.press(try KeyText.keys("Enter j j j o"))
    let isFolded = { (driver: Driver) in
      (0..<driver.browser.page.view.rowCount).contains { row in
        driver.browser.page.view.line(row, isCursor: false).contains { $0.base == "▸" }
      }
    }
    #expect(isFolded(driver))
    driver.press(.character("*"))
    #expect(!isFolded(driver))
    driver.press(.character("*"))
    #expect(isFolded(driver))
  }

  @Test func howAClassIsShownOutlivesLeavingIt() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter l l l H f \"e\" Enter h s j l"))
    let before = driver.lines.dropLast(2)
    #expect(before.contains { $0.contains("name↑") && !$0.contains("breed") })
    driver.press(try KeyText.keys("q j Enter q k Enter"))
    #expect(driver.lines.dropLast(2) == before)
    // Reading the file again meanwhile does not change this.
    driver.press(try KeyText.keys("q R Enter"))
    #expect(driver.lines.dropLast(2) == before)
    #expect(driver.filters == " filter: e")
    driver.press(.escape)
    #expect(driver.browser.page.view.rowCount == 5)
  }

  @Test(arguments: [("all-types", "*_id"), ("person-v1", "#")])
  func theKeyStaysWhenColumnsScroll(_ fixture: String, _ key: String) throws {
    let driver = try Driver(Fixture.path("engine/\(fixture).realm"), columns: 40, rows: 10)
    driver.press(try KeyText.keys("Enter l : \"width 30\" Enter l : \"width 30\" Enter $"))
    let header = driver.lines[1]
    #expect(header.hasPrefix("‹"))
    #expect(header.dropFirst().drop { $0 == " " }.hasPrefix(key))
    driver.press(.character("0"))
    #expect(driver.lines[1].dropFirst().drop { $0 == " " }.hasPrefix("#"))
  }
}
