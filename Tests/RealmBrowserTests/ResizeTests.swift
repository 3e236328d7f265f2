import TestSupport
import Testing

@testable import RealmBrowser

@Suite struct ResizeTests {
  @Test func theCursorOfAnObjectStaysOnItsPropertyWhileTextsAreBrokenAnew() throws {
    let driver = try Driver(Fixture.path("engine/all-types.realm"), columns: 200, rows: 24)
    driver.press(try KeyText.keys("Enter j j j o : \"search linkList\" Enter Esc"))
    for columns in [60, 45, 120, 80, 200] {
      driver.resize(columns, 24)
      #expect(driver.cursorLine.contains("linkList"), "\(columns) columns")
    }
  }

  @Test func aTextStaysWhereItIsBeingRead() throws {
    let driver = try Driver(Fixture.path("engine/strings.realm"), columns: 120, rows: 20)
    driver.press(try KeyText.keys("j j j Enter G o j Enter PgDn"))
    let beginning = driver.lines[2].prefix(20)
    for columns in [47, 80, 61, 120] {
      driver.resize(columns, 20)
      #expect(driver.lines[2].contains(beginning.drop { $0 == " " }.prefix(8)), "\(columns) columns")
    }
  }

  @Test func bytesAndTextShowTheSamePlace() throws {
    let driver = try Driver(Fixture.path("engine/strings.realm"))
    driver.press(try KeyText.keys("j j j Enter G o j Enter J \"40\" Enter"))
    let text = driver.lines[2]
    driver.press(.character("x"))
    #expect(!driver.lines[2].contains("0000  "))
    driver.press(.character("x"))
    #expect(driver.lines[2] == text)
  }

  @Test func aFilteredListKeepsItsCursorInSight() throws {
    let driver = try Driver(Fixture.path("engine/corners.realm"), columns: 80, rows: 40)
    driver.press(try KeyText.keys(": \"open Spoke\" Enter : \"1030\" Enter"))
    let row = driver.cursorLine
    for rows in [10, 24, 60, 12] {
      driver.resize(80, rows)
      #expect(driver.cursorLine == row, "\(rows) rows")
    }
  }
}
