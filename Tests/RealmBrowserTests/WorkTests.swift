import BrowserSupport
import Foundation
import TestSupport
import Testing

@testable import RealmBrowser

private let dogs = Fixture.path("engine/dogs.realm")

@Suite struct WorkTests {
  private func driver(_ executor: HeldExecutor, _ name: String = "deep-tree") throws -> Driver {
    try Driver(Fixture.path("engine/\(name).realm"), executor: executor)
  }

  @Test func sizesFillInAsTheyAreFound() throws {
    let executor = HeldExecutor()
    let driver = try driver(executor, "dogs")
    #expect(driver.lines[2].contains("…"))
    #expect(driver.browser.isWorking)
    executor.runAll()
    driver.send(.wake)
    #expect(driver.lines[2].contains("864 B"))
    #expect(!driver.browser.isWorking)
  }

  @Test func aSortShowsThatItIsAtWorkAndStopsOnEscape() throws {
    let executor = HeldExecutor()
    let driver = try driver(executor)
    driver.press(try KeyText.keys("Enter l"))
    executor.runAll()
    let before = driver.lines[3...20]
    driver.type("s")
    #expect(driver.status.contains("sorting by"))
    #expect(driver.status.contains("0%; Esc stops it"))
    driver.press(.down, .up)
    #expect(driver.status.contains("sorting by"))
    driver.press(.escape)
    #expect(driver.status.contains("stopped"))
    executor.runAll()
    driver.send(.wake)
    #expect(driver.lines[3...20] == before)
    #expect(!driver.lines[1].contains("↑"))
  }

  @Test func aSortThatIsDoneShowsItsRows() throws {
    let executor = HeldExecutor()
    let driver = try driver(executor, "dogs")
    driver.press(try KeyText.keys("Enter l l s s"))
    executor.runAll()
    driver.send(.wake)
    #expect(driver.lines[1].contains("name↓"))
    let names = driver.lines[3...7].map { $0.split(separator: " ")[$0.hasPrefix("▌") ? 3 : 2] }
    #expect(names == names.sorted(by: >))
  }

  @Test func aSearchCanBeStoppedAndFindsNothingAfterwards() throws {
    let executor = HeldExecutor()
    let driver = try driver(executor)
    driver.press(try KeyText.keys("Enter / \"9\" Enter"))
    #expect(driver.status.contains("searching for 9"))
    driver.press(.escape)
    #expect(driver.status.contains("stopped"))
    executor.runAll()
    driver.send(.wake)
    #expect(driver.cursorLine.hasPrefix("▌"))
    #expect(driver.browser.page.row == 0)
  }

  @Test func controlCStopsWorkBeforeItLeaves() throws {
    let executor = HeldExecutor()
    let driver = try driver(executor)
    driver.press(try KeyText.keys("Enter l s"))
    driver.press(.control("c"))
    #expect(driver.status.contains("stopped"))
    #expect(driver.browser.ending == nil)
  }

  @Test func aFilterKeepsTheObjectUnderTheCursor() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter j j f \"a\" Enter"))
    let kept = driver.cursorLine
    #expect(driver.filters == " filter: a")
    driver.press(.escape)
    #expect(driver.cursorLine == kept)
  }

  @Test func aFilterThatMeansNothingSaysSo() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter f \"age > 5\" Enter"))
    #expect(driver.hints.hasPrefix(" 'Dog' has no property 'age'; the properties are: _id, name"))
    #expect(driver.browser.page.view.rowCount == 5)
    // What was typed is still there, to be corrected.
    driver.press(try KeyText.keys("^U \"name >\" Enter"))
    #expect(driver.hints.contains("not yet a query"))
    driver.press(try KeyText.keys("\" 'M'\" Enter"))
    #expect(driver.filters == " filter: name > 'M'")
    #expect(driver.browser.page.view.rowCount == 2)
  }

  @Test func workRunsOnThreadsAndWakesTheLoop() throws {
    let woken = DispatchSemaphore(value: 0)
    let executor = ThreadExecutor { woken.signal() }
    let driver = try Driver(Fixture.path("engine/deep-tree.realm"), executor: executor)
    try #require(woken.wait(timeout: .now() + .seconds(Deadline.seconds)) == .success)
    driver.press(try KeyText.keys("Enter l s"))
    try #require(woken.wait(timeout: .now() + .seconds(Deadline.seconds)) == .success)
    driver.send(.wake)
    #expect(driver.lines[1].contains("↑"))
    #expect(driver.browser.page.view.work == nil)
  }
}
