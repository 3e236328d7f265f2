import BrowserSupport
import RealmPresentation
import RealmQuery
import RealmText
import TestSupport
import Testing

@testable import RealmBrowser
@testable import RealmStorage

private let dogs = Fixture.path("engine/dogs.realm")

/// Filters, order and frequencies inside collections.
@Suite struct ElementTests {
  /// The first object of a class whose collection has some different elements.
  private func driver(_ fixture: String, _ name: RealmString, _ property: RealmString) throws -> (Driver, [ValueView]) {
    let driver = try Driver(Fixture.path("engine/\(fixture).realm"), columns: 100, rows: 60)
    let table = try #require(driver.browser.context.snapshot.table(displayName: name))
    var best: (key: ObjectKey, count: Int)?
    for position in 0..<ObjectPositions(of: table).count {
      guard case .object(let batch, let row) = ObjectPositions(of: table).entry(at: position) else { continue }
      let address = ValueAddress(
        object: ObjectAddress(table: table.schema.name, key: batch.key(at: row)), property: property)
      let count = try Elements(of: address, in: driver.browser.context.realm)?.count ?? 0
      if count > best?.count ?? 1 { best = (batch.key(at: row), count) }
    }
    let key = try #require(best?.key)
    let address = ValueAddress(object: ObjectAddress(table: table.schema.name, key: key), property: property)
    driver.browser.apply([.push(CollectionView(driver.browser.context, address, crumb: "elements"))])
    driver.send(.wake)
    let elements = try #require(try Elements(of: address, in: driver.browser.context.realm))
    return (driver, (0..<elements.count).compactMap { elements.row(at: $0)?.value })
  }

  private func filtered(_ driver: Driver, _ text: String) -> Int {
    driver.press(.character("f"))
    driver.type(text)
    driver.press(.enter)
    return driver.browser.page.view.rowCount
  }

  @Test(arguments: [
    ("> 3", [4, 5]), (">= 3 AND value != 5", [3, 4]), ("value < 2 OR value == 5", [1, 5]), ("IN {2, 4, 9}", [2, 4]),
    ("BETWEEN {2, 3}", [2, 3]), ("3 < value", [4, 5]), ("NOT value == 1", [2, 3, 4, 5]), ("== null", []),
    ("numbers > 4", [5]), ("!= 2.0", [1, 3, 4, 5]), ("TRUEPREDICATE", [1, 2, 3, 4, 5]),
  ])
  func aConditionHoldsOfElements(_ text: String, _ expected: [Int64]) throws {
    let query = try ElementQuery(text, elements: .int, of: "numbers", isDictionary: false)
    #expect((1...5).filter { query.holds(key: nil, value: .int($0)) } == expected)
  }

  @Test(arguments: [
    ("> 'a'", "Unsupported comparison between type 'int' and type 'string'", 2),
    ("other > 1", "an element is called 'value'", 0), ("> 1 SORT(value ASC)", "elements have no SORT", 4),
    ("value > numbers", "elements are compared with constants only", 8),
  ])
  func whatMeansNothingSaysWhere(_ text: String, _ message: String, _ start: Int) throws {
    let error = try #require(throws: QueryError.self) {
      try ElementQuery(text, elements: .int, of: "numbers", isDictionary: false)
    }
    #expect(error.message.contains(message) && error.range?.start == start, "\(error)")
  }

  @Test func entriesOfDictionariesHaveKeys() throws {
    let query = try ElementQuery(
      "key BEGINSWITH 'a' AND value != null", elements: .mixed, of: "map", isDictionary: true)
    Array("abc".utf8).withUnsafeBytes { text in
      let key = ValueView.string(BlobView(text))
      #expect(query.holds(key: key, value: .int(1)) && !query.holds(key: key, value: .null))
      #expect(!query.holds(key: nil, value: .int(1)))
    }
  }

  @Test func elementsAreFilteredSortedAndCounted() throws {
    let (driver, values) = try driver("all-types", "AllTypes", "listInt")
    let numbers = values.compactMap { if case .int(let number) = $0 { number } else { nil } }
    let middle = numbers.sorted()[numbers.count / 2]
    #expect(filtered(driver, "> \(middle)") == numbers.count { $0 > middle })
    #expect(driver.filters == " filter: > \(middle)")
    driver.press(.character("s"))
    let shown = (0..<driver.browser.page.view.rowCount).map { row in
      String(String.UnicodeScalarView(driver.browser.page.view.line(row, isCursor: false).map(\.base)))
        .split(separator: " ").last.flatMap { Int64($0) } ?? 0
    }
    #expect(shown == numbers.filter { $0 > middle }.sorted())
    #expect(driver.lines.contains { $0.contains("value↑") })
    driver.press(.escape)
    #expect(driver.browser.page.view.rowCount == values.count)
    driver.press(.character("s"), .character("s"))
    #expect(driver.status.contains("no longer sorted"))
    driver.press(.character("F"))
    #expect(driver.browser.page.view.kind == .frequency)
    #expect(driver.status.contains("\(Set(numbers).count) different value"))
    let most = Dictionary(grouping: numbers) { $0 }.map(\.value.count).max() ?? 0
    driver.press(.enter)
    #expect(driver.browser.page.view.kind == .collection && driver.browser.page.view.rowCount == most)
    driver.press(try KeyText.keys("q s"))
    #expect(driver.status.contains("sorted by value"))
  }

  @Test func aValueBecomesAFilterAndJumpsSayWhatIsHidden() throws {
    let (driver, values) = try driver("all-types", "AllTypes", "listString")
    let texts = values.compactMap { value in
      if case .string(let text) = value { return (try? text.copied()).map { String(decoding: $0, as: UTF8.self) } }
      return nil
    }
    driver.press(.character("+"))
    #expect(driver.browser.page.view.rowCount == texts.count { $0 == texts[0] }, "\(driver.lines)")
    driver.press(.escape, .character("-"))
    #expect(driver.browser.page.view.rowCount == values.count - texts.count { $0 == texts[0] })
    driver.press(.character("J"))
    driver.type("0")
    driver.press(.enter)
    #expect(driver.status.contains("the filter hides position 0"))
    driver.press(.escape)
    #expect(filtered(driver, "~^$") == texts.count { $0.isEmpty } && driver.filters == " filter: ~^$")
  }

  @Test func aFilterThatIsNoneStaysInThePrompt() throws {
    let (driver, _) = try driver("all-types", "AllTypes", "listInt")
    _ = filtered(driver, "> 'a'")
    #expect(driver.browser.prompt != nil && driver.hints.contains("Unsupported comparison"))
    driver.press(.escape)
    _ = filtered(driver, "~(a")
    #expect(driver.hints.contains("not a regular expression"), "\(driver.hints)")
  }
}

/// Regular expressions, and links that are found by their labels.
@Suite struct ExpressionSearchTests {
  @Test(arguments: [
    ("~^re", "Rex", true), ("~^Re", "rex", false), ("~\\Sx$", "Rex", true), ("~\\Bex", "ex", false),
    ("~a|b", "xbx", true), ("~~", "a~b", true),
  ])
  func anExpressionMatches(_ pattern: String, _ text: String, _ isFound: Bool) throws {
    let pattern = try #require(try TextPattern(typed: pattern))
    #expect(pattern.isRegex)
    #expect(Array(text.utf8).withUnsafeBytes { pattern.searcher().matches($0) } == isFound)
  }

  @Test func whatIsNoneIsRefused() throws {
    #expect(throws: PatternError.self) { try TextPattern(typed: "~(") }
    #expect(try TextPattern(typed: "~") == nil)
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter / \"~(\" Enter"))
    #expect(driver.status.contains("not a regular expression"))
  }

  @Test func aSearchTakesAnExpression() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter / \"~^l.*a$\" Enter"))
    #expect(driver.cursorLine.contains("Laika"))
    let row = try #require(driver.lines.firstIndex { $0.contains("Laika") })
    driver.press(try KeyText.keys("/ \"~ai\" Enter"))
    let marked = driver.screen.grid.row(row).filter { $0.style.role == .match }
    #expect(String(String.UnicodeScalarView(marked.map(\.base))) == "ai")
  }

  @Test(arguments: ["~^Rex$", "name: ~^r.x$"])
  func aFilterTakesAnExpression(_ text: String) throws {
    let driver = try Driver(dogs)
    driver.press(.enter, .character("f"))
    driver.type(text)
    #expect(driver.hints.contains("a regular expression"))
    driver.press(.enter)
    #expect(driver.browser.page.view.rowCount == 1 && driver.cursorLine.contains("Rex"))
  }

  @Test func findTakesAnExpression() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys(": \"find ~^(rex|ball)$\" Enter"))
    #expect(driver.lines.contains { $0.contains("Rex") } && driver.lines.contains { $0.contains("Ball") })
  }

  /// The label of a link is on the screen, so it is found.
  @Test func namesOfLinkedObjectsAreFound() throws {
    let driver = try Driver(dogs, columns: 140)
    driver.press(try KeyText.keys("Enter / \"→ ball\" Enter"))
    #expect(driver.status.contains("not found"))
    driver.press(try KeyText.keys("/ \"ball 0123\" Enter"))
    #expect(driver.status.contains("favoriteToy") && driver.status.contains("Ball 01234567"), "\(driver.status)")
    driver.press(try KeyText.keys("q j Enter / \"laika\" Enter"))
    #expect(driver.cursorLine.contains("Laika") || driver.cursorLine.contains("Lai…"), "\(driver.lines)")
  }
}
