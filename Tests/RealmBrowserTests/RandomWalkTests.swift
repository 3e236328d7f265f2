import BrowserSupport
import Foundation
import RealmInspection
import RealmPresentation
import RealmText
import TestSupport
import Testing

@testable import RealmBrowser
@testable import RealmStorage

/// Numbers that look random and are the same each time.
private struct Dice {
  private var state: UInt64

  init(seed: String) {
    state = seed.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  mutating func roll(_ sides: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(truncatingIfNeeded: (state >> 33) % UInt64(sides))
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }
}

/// Random keys on every realm: nothing crashes, hangs, sends a control character or changes the file.
///
/// `REALMCTL_WALK_KEYS` sets how many keys each realm gets.
@Suite struct RandomWalkTests {
  private static let keyCount =
    ProcessInfo.processInfo.environment["REALMCTL_WALK_KEYS"].flatMap { Int($0) } ?? 60

  /// Keys that lead further are more likely than keys that lead back.
  private static let keys: [Key] = {
    let bound = Bindings.table.flatMap(\.keys).filter { ![.character("Q"), .control("c")].contains($0) }
    let likely: [Key] = [.enter, .down, .right, .character("j"), .character("l"), .character("o"), .character(" ")]
    return bound + Array(repeating: likely, count: 5).flatMap { $0 } + [.tab, .delete, .insert, .function(9)]
  }()

  private static let texts = [
    "a", "1", "Zoë", "null", "#3", "row:2", "name: a", "_id: 1", "open Person", "schema", "map", "sort name",
    "filter x", "filter _id != 1 SORT(_id DESC)", "find 1", "find a", "find #1", "find zoë", "_id > 0", "name ==",
    "name CONTAINS 'a' AND", "TRUEPREDICATE LIMIT(3)", "ANY @links.", "(((", "NOT name IN {", "`", "x == $0",
    "@links.@count > 0",
    "~a", "~^[a-c].*$", "~(", "> 5", "value != null", "find ~1$", "diff", "diff previous", "snapshot previous",
    "snapshot live", "snapshot", "key X mark", "key X", "color match red", "columns", "marked", "dates relative",
    "frequency", "hide name", "width 7", "width -1", "jump 4", "7", "99999999999999999999", "reload", "mouse",
    "nonsense",
    "\u{1b}", "漢字", "",
  ]

  @Test(arguments: OpenableFixture.all)
  func nothingBreaksHoweverKeysArePressed(_ fixture: OpenableFixture) throws {
    try leavingUntouched(fixture.path) { path in
      var dice = Dice(seed: fixture.name)
      var driver = try Driver(path, key: fixture.encryptionKey())
      let isSound = try Self.isSound(fixture)
      for _ in 0..<Self.keyCount {
        if driver.browser.ending != nil {
          driver = try Driver(path, key: fixture.encryptionKey(), isASCII: dice.roll(3) == 0)
        }
        try step(driver, &dice)
        if let problem = problem(driver, isSound: isSound) {
          Issue.record("\(problem) at \(driver.path)\n\(driver.lines.joined(separator: "\n"))")
          return
        }
      }
      leave(driver)
      #expect(driver.browser.ending == .quit)
    }
  }

  /// Whether the checker finds nothing, not even that a test build of the engine wrote the file, whose object keys no
  /// other build reads.
  private static func isSound(_ fixture: OpenableFixture) throws -> Bool {
    var count = 0
    _ = try Checker(ByteStore.open(.path(fixture.path), key: fixture.encryptionKey()).store).run { _ in count += 1 }
    return count == 0
  }

  private func step(_ driver: Driver, _ dice: inout Dice) throws {
    switch dice.roll(60) {
    case 0: driver.resize(20 + dice.roll(200), 5 + dice.roll(60))
    case 1: driver.resize(80, 24)
    case 2:
      let place = ScreenPosition(
        column: dice.roll(driver.screen.size.columns), row: dice.roll(driver.screen.size.rows))
      driver.send(.mouse(dice.pick([.click, .doubleClick, .wheelUp, .wheelDown]), place))
    case 3: driver.send(.wake)
    case 4:
      driver.type(dice.pick(["/", "f", "J", ":", ":filter "]))
      driver.type(dice.pick(Self.texts))
      for _ in 0..<dice.roll(4) { driver.press(dice.pick([.tab, .tab, .backTab, .left, .up, .control("w")])) }
      driver.press(dice.roll(4) == 0 ? .escape : .enter)
    default: driver.press(dice.pick(Self.keys))
    }
  }

  /// Words that only programmers understand.
  private static let rawErrors = [
    "Optional(", "TooLong", "StorageError", "QueryError", "RealmError", "BrowserProblem", "EarlyEnd", "Stopped()",
  ]

  /// What is wrong with the screen; nil if nothing is.
  private func problem(_ driver: Driver, isSound: Bool) -> String? {
    let grid = driver.screen.grid
    guard grid.size == driver.screen.size else { return "a grid of the wrong size" }
    for row in 0..<grid.size.rows {
      let cells = Array(grid.row(row))
      for (column, cell) in cells.enumerated() {
        if cell.isWideTail {
          guard column > 0, CharacterWidth.of(cells[column - 1].base) == 2 else { return "half a character" }
          continue
        }
        if CharacterWidth.isHidden(cell.base) { return "a control character" }
        if cell.style.role == .damaged, isSound { return "something damaged in a sound file" }
        let isWide = CharacterWidth.of(cell.base) == 2
        if isWide, column + 1 == cells.count || !cells[column + 1].isWideTail { return "a cut character" }
      }
    }
    if let line = driver.lines.first(where: { line in Self.rawErrors.contains(where: { line.contains($0) }) }) {
      return "a raw error: \(line)"
    }
    let page = driver.browser.page
    let count = page.view.rowCount
    if count > 0, !(0..<count).contains(page.row) { return "a cursor on row \(page.row) of \(count)" }
    if let caret = driver.screen.caret, caret.column >= grid.size.columns || caret.row >= grid.size.rows {
      return "a caret outside"
    }
    return nil
  }

  /// Ends the browser with the keys that anybody would try.
  private func leave(_ driver: Driver) {
    driver.resize(80, 24)
    driver.press(.escape, .escape, .escape, .character("Q"))
  }
}
