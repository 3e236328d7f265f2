import RealmPresentation
import RealmStorage
import TestSupport
import Testing

@testable import RealmBrowser

@Suite struct SortTests {
  /// What a column shows from top to bottom.
  private func column(_ name: String, of fixture: String, _ table: String, descending: Bool = false) throws -> [String]
  {
    let driver = try Driver(Fixture.path("engine/\(fixture).realm"), columns: 200, rows: 60) {
      $0.initialClass = RealmString(table)
    }
    driver.press(try KeyText.keys(": \"sort \(name)\(descending ? " desc" : "")\" Enter"))
    let view = try #require(driver.browser.page.view as? ObjectsView)
    let index = try #require(view.columns.position(named: name))
    return (0..<view.rowCount).map { view.text(of: view.row(at: $0), column: index, limit: 4096).string }
  }

  @Test(arguments: [("len", false), ("len", true)])
  func integersAreSortedAsNumbers(_ name: String, _ descending: Bool) throws {
    let values = try column(name, of: "strings", "S", descending: descending).compactMap { Int($0) }
    #expect(values.count == 72)
    #expect(values == values.sorted(by: descending ? { $0 > $1 } : { $0 < $1 }))
  }

  @Test func textsAreSortedByTheirBytesHoweverLong() throws {
    let snapshot = try OpenableFixture.named("strings").opened()
    let driver = try Driver(Fixture.path("engine/strings.realm")) { $0.initialClass = "S" }
    driver.press(try KeyText.keys(": \"sort s\" Enter"))
    let view = try #require(driver.browser.page.view as? ObjectsView)
    let property = try #require(snapshot.table(displayName: "S")?.schema.properties.firstIndex { $0.name == "s" })
    let texts = try (0..<view.rowCount).map { position -> [UInt8] in
      guard case .object(let batch, let row) = view.row(at: position),
        case .string(let text) = try batch.values(ofProperty: property).value(at: row)
      else { return [] }
      return Array(try text.copied().prefix(1024))
    }
    #expect(texts.count == 72)
    #expect(zip(texts, texts.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
  }

  @Test(arguments: ["doubleCol", "optDouble", "floatCol", "decimal128Col", "dateCol", "optDate", "uuidCol", "mixedCol"])
  func sortingDownIsSortingUpTurnedAround(_ name: String) throws {
    let up = try column(name, of: "all-types", "AllTypes")
    let down = try column(name, of: "all-types", "AllTypes", descending: true)
    #expect(up.count == 12)
    // Equal values keep their order either way, so that only the values can be compared.
    #expect(up == down.reversed())
  }

  @Test func nullsComeFirst() throws {
    let values = try column("optInt", of: "all-types", "AllTypes")
    let nulls = values.count { $0 == "null" }
    #expect(nulls > 0 && values.prefix(nulls).allSatisfy { $0 == "null" })
    let numbers = values.dropFirst(nulls).compactMap { Int($0) }
    #expect(numbers.count == values.count - nulls && numbers == numbers.sorted())
  }
}
