import BrowserSupport
import RealmPresentation
import RealmQuery
import RealmStorage
import TestSupport
import Testing

@testable import RealmBrowser

private let dogs = Fixture.path("engine/dogs.realm")

@Suite struct ColumnTests {
  private func view(_ driver: Driver) throws -> ObjectsView {
    try #require(driver.browser.page.view as? ObjectsView)
  }

  @Test func aColumnIsReachedByAPartOfItsName() throws {
    let driver = try Driver(dogs, columns: 120)
    driver.press(try KeyText.keys("Enter c \"fav\""))
    #expect(try view(driver).columns.focused.name == "favoriteToy")
    driver.press(try KeyText.keys("Esc"))
    #expect(try view(driver).columns.focused.name == "#")
    driver.press(try KeyText.keys("c \"birth\" Enter"))
    #expect(try view(driver).columns.focused.name == "dateOfBirth")
    driver.press(try KeyText.keys(": \"sort nmae\" Enter"))
    #expect(driver.status.contains("no column 'nmae'; did you mean 'name'?"))
  }

  @Test func columnsAreChosenOrderedAndPinned() throws {
    let driver = try Driver(dogs, columns: 120)
    driver.press(try KeyText.keys("Enter : \"columns favoriteToy.name,*name\" Enter"))
    #expect(driver.lines[1].split(separator: " ") == ["#", "name", "favoriteToy.name"])
    #expect(driver.lines.contains { $0.contains("Fido") && $0.contains("Ball") })
    // They are kept when the user leaves the class, and when the file is read again.
    driver.press(try KeyText.keys("q Enter R"))
    #expect(driver.lines[1].split(separator: " ") == ["#", "name", "favoriteToy.name"])
    driver.press(try KeyText.keys("c \"toy\" Enter y"))
    #expect(driver.screen.clipboard.last == Array("Ball".utf8))
    driver.press(try KeyText.keys("s"))
    #expect(driver.status.contains("SORT(favoriteToy.name ASC)"))
    for command in ["sort", "hide"] {
      driver.press(try KeyText.keys(": \"\(command)\" Enter"))
      #expect(driver.status.contains("name a column"))
    }
    for nothing in [",", "*", " , *"] {
      driver.press(try KeyText.keys(": \"columns \(nothing)\" Enter"))
      #expect(driver.status.contains("name columns, as in :columns name,*age"))
      #expect(driver.lines[1].split(separator: " ") == ["#", "name", "favoriteToy.name"])
    }
    driver.press(try KeyText.keys(": \"columns nonsense\" Enter"))
    #expect(driver.status.contains("'Dog' has no property 'nonsense'"))
    driver.press(try KeyText.keys(": \"columns\" Enter"))
    #expect(driver.path.hasSuffix("columns") && driver.lines.contains { $0.contains("[x] name") })
    // The third row is a hidden property: it becomes visible, and moves to the front.
    driver.press(try KeyText.keys("j j Space"))
    #expect(driver.status.contains("3 of 6 columns shown"))
    driver.press(try KeyText.keys("k K p Enter"))
    #expect(driver.lines[1].split(separator: " ").count == 4)
    driver.press(try KeyText.keys("U"))
    #expect(try view(driver).columns.hiddenCount == 0)
  }

  /// For each value of each class of each format: as many objects as the class has with this value, and the others.
  @Test(arguments: OpenableFixture.all)
  func aCellsValueIsAFilter(_ fixture: OpenableFixture) throws {
    let snapshot = try fixture.opened()
    for table in snapshot.tables.prefix(6) where table.schema.isClass {
      var batches = table.batches()
      guard case .batch(let batch)? = batches.next() else { continue }
      for (index, property) in table.schema.properties.enumerated().prefix(30) {
        guard property.collection == nil, let values = try? batch.values(ofProperty: index) else { continue }
        for row in 0..<min(batch.count, 3) {
          guard let value = try? values.value(at: row), let text = try RQL.written(value, in: snapshot) else {
            continue
          }
          let name = RQL.written(property.name)
          let keys = try Query("\(name) == \(text)", of: table, in: snapshot).keys().keys
          #expect(keys.contains(batch.key(at: row)), "\(table.schema.name).\(name) == \(text)")
          let others = try Query("\(name) != \(text)", of: table, in: snapshot).keys().keys
          #expect(!others.contains(batch.key(at: row)))
        }
      }
    }
  }

  @Test func plusAndMinusFilterByTheCell() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter l l j +"))
    #expect(driver.filters == " filter: name == \"Fido\"" && driver.browser.page.view.rowCount == 1)
    driver.press(try KeyText.keys("Esc -"))
    #expect(driver.filters == " filter: name != \"Fido\"" && driver.browser.page.view.rowCount == 4)
    driver.press(try KeyText.keys("Esc $ ="))
    #expect(driver.filters.contains("favoriteToy == obj(\"Toy\", uuid("))
  }
}

/// Cases that were wrong before.
@Suite struct MendedTests {
  @Test func anEmptyClassIsEmpty() throws {
    let driver = try Driver(dogs, columns: 120)
    driver.press(try KeyText.keys("Enter f \"FALSEPREDICATE\" Enter Enter"))
    #expect(!driver.lines.contains { $0.contains("missing") })
    for fixture in OpenableFixture.all {
      let snapshot = try fixture.opened()
      for table in snapshot.tables where table.schema.isClass && (try? table.objectCount()) == 0 {
        let driver = try Driver(fixture.path, key: fixture.encryptionKey(), columns: 120)
        driver.press(try KeyText.keys(": \"open \(table.schema.displayName)\" Enter"))
        for key in try KeyText.keys("Enter o b y Y Space t + J F") {
          driver.press(key)
          #expect(!driver.lines.contains { $0.contains("is missing") || $0.contains("damaged") }, "\(driver.lines)")
          if driver.browser.prompt != nil { driver.press(.escape) }
        }
      }
    }
  }

  @Test func keysPressedWhileAFilterRunsAreKept() throws {
    let executor = HeldExecutor()
    let driver = try Driver(dogs, executor: executor)
    driver.press(try KeyText.keys("Enter f \"name != 'x'\" Enter j j"))
    #expect(driver.browser.page.row == 2)
    executor.runAll()
    driver.send(.wake)
    #expect(driver.browser.page.view.rowCount == 5 && driver.browser.page.row == 2)
  }

  @Test func aFilterKeepsTheObjectUnderTheCursorOrStartsAtTheTop() throws {
    let driver = try Driver(Fixture.path("engine/deep-tree.realm"))
    driver.press(try KeyText.keys("Enter G"))
    let view = try #require(driver.browser.page.view as? ObjectsView)
    let key = view.row(at: driver.browser.page.row).key
    driver.press(try KeyText.keys("f \"TRUEPREDICATE\" Enter"))
    #expect(view.row(at: driver.browser.page.row).key == key)
    driver.press(try KeyText.keys("Esc k + - +"))
    driver.press(try KeyText.keys("Esc Esc Esc Esc G f \"TRUEPREDICATE LIMIT(20)\" Enter"))
    #expect(driver.browser.page.row == 0)
  }

  @Test func listsSayTheirOwnOrder() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("j Enter j $ Enter s"))
    #expect(driver.status.contains("in the order of the list"))
  }

  @Test func nothingOfAnEmojiIsCut() {
    for text in ["👨\u{200d}👩", "👍\u{1f3fd}", "e\u{301}\u{302}\u{303}\u{304}"] {
      let cells = CellText(text, .plain, .unicode).cells
      var seen = String.UnicodeScalarView()
      for cell in cells where !cell.isWideTail {
        seen.append(contentsOf: cell.scalars)
      }
      let shown = String(seen)
      for scalar in text.unicodeScalars {
        let escape = "\\u{" + String(scalar.value, radix: 16) + "}"
        #expect(
          shown.unicodeScalars.contains(scalar) || Array(shown.utf8).contains(Array(escape.utf8)),
          "\(escape) of \(text)")
      }
      var breaks = LineBreaks(width: 80)
      Array(text.utf8).withUnsafeBytes { breaks.find(.max, in: $0) }
      #expect(breaks.starts.count == 1)
      var narrow = LineBreaks(width: cells.count - 1)
      Array(text.utf8).withUnsafeBytes { narrow.find(.max, in: $0) }
      #expect(narrow.starts.count == 2, "\(text)")
    }
  }
}
