import BrowserSupport
import RealmPresentation
import RealmQuery
import RealmText
import TestSupport
import Testing

@testable import RealmBrowser
@testable import RealmStorage

private let dogs = Fixture.path("engine/dogs.realm")

@Suite struct FilterTests {
  // MARK: Queries

  /// In every format, encrypted or not: alone, which searches the whole class, and after another filter, which goes
  /// through its rows.
  @Test(arguments: OpenableFixture.all)
  func aFilterShowsWhatAQueryFinds(_ fixture: OpenableFixture) throws {
    let snapshot = try fixture.opened()
    let driver = try Driver(fixture.path, key: fixture.encryptionKey())
    let tables = snapshot.tables.filter { ((try? $0.objectCount()) ?? 0) > 0 && $0.schema.isClass }.prefix(2)
    for table in tables {
      driver.press(try KeyText.keys(": \"open \(table.schema.displayName)\" Enter"))
      for property in table.schema.properties.prefix(2) where property.type != .linkingObjects {
        let name = RQL.written(property.name)
        let text = property.collection == nil ? "\(name) != null LIMIT(40)" : "\(name).@count > 1 LIMIT(40)"
        let expected = try Query(text, of: table, in: snapshot).keys().keys
        for filters in [[text], ["TRUEPREDICATE", text], ["@links.@count >= 0 SORT(\(name) ASC)", text]] {
          // The list cannot be sorted by lists and dictionaries.
          guard (try? Query(filters[0], of: table, in: snapshot).keys()) != nil else { continue }
          for filter in filters {
            driver.type("f" + filter)
            driver.press(.enter)
          }
          let view = try #require(driver.browser.page.view as? ObjectsView, "\(driver.lines)")
          let keys = (0..<view.rowCount).compactMap { view.row(at: $0).key }
          if filters.count < 2 || filters[0] == "TRUEPREDICATE" {
            #expect(keys == expected, "\(table.schema.name) \(filters)")
          } else {
            #expect(keys.count == expected.count, "\(table.schema.name) \(filters)")
          }
          driver.press(filters.map { _ in .escape })
          #expect(driver.filters.isEmpty)
        }
      }
      driver.press(.character("q"))
    }
  }

  /// In filters, and in the view of an object.
  @Test func namesOfInversesAreKnown() throws {
    var model = Schema(tables: [TableSchema(name: "class_Dog", kind: .topLevel, properties: [])])
    model.tables[0].properties = [
      Property(name: "owners", type: .linkingObjects, target: "class_Person", originProperty: "dogs")
    ]
    let snapshot = try OpenableFixture.named("dogs").opened()
    let names = try InverseNames(model, in: snapshot.schema)
    let driver = try Driver(dogs, configure: { $0.inverses = names })
    driver.press(try KeyText.keys("Enter f \"ANY owners.name == 'Alice'\" Enter"))
    #expect(driver.browser.page.view.rowCount == 2)
    driver.press(try KeyText.keys("Enter"))
    #expect(driver.lines.contains { $0.contains("Person.dogs") && $0.contains("owners") }, "\(driver.lines)")
    let plain = try Driver(dogs)
    plain.press(try KeyText.keys("Enter f \"ANY owners.name == 'Alice'\" Enter"))
    #expect(plain.lines.contains { $0.contains("'Dog' has no property 'owners'") }, "\(plain.lines)")
  }

  @Test func anIndexAnswersAtOnceAndAStopIsHeard() throws {
    let executor = HeldExecutor()
    let driver = try Driver(dogs, executor: executor)
    driver.press(try KeyText.keys("Enter f \"name != 'x'\" Enter"))
    executor.runAll()
    driver.send(.wake)
    #expect(driver.browser.page.view.rowCount == 5)
    driver.press(try KeyText.keys("f \"name == 'Rex'\" Enter"))
    #expect(driver.status.contains("filtering 0%; Esc stops it"))
    driver.press(.escape)
    #expect(driver.status.contains("stopped") && driver.filters == " filter: name != 'x'")
    executor.runAll()
    driver.send(.wake)
    #expect(driver.browser.page.view.rowCount == 5)
  }

  @Test func whatAQueryCouldNotReadIsNamedAndCounted() throws {
    let folder = try TemporaryFolder()
    var bytes = try Fixture.bytes("engine/dogs.realm")
    // The strings of `breed` begin here; 0xff is not a header.
    for place in 1996..<2000 { bytes[place] = 0xff }
    let driver = try Driver(try folder.write("damaged.realm", bytes), columns: 160)
    driver.press(try KeyText.keys("Enter f \"name BEGINSWITH 'L'\" Enter"))
    #expect(!driver.status.contains("could not be read"))
    driver.press(try KeyText.keys("f \"breed == 'Collie' OR name == 'Laika'\" Enter"))
    #expect(driver.status.contains("could not be read, first Dog.breed of #2"), "\(driver.status)")
    driver.press(try KeyText.keys("Esc Esc f \"breed == 'Collie'\" Enter"))
    #expect(driver.status.contains("nothing matches; Esc shows all again; 5 values could not be read, first Dog.breed"))
    driver.press(try KeyText.keys(": \"find fido\" Enter"))
    #expect(driver.browser.page.view.rowCount == 1)
    #expect(driver.status.contains("5 values could not be read, first Dog.breed of #0"))
  }

  @Test func aFilterThatNoLongerMeansAnythingIsRemovedOnReloading() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/person-v1.realm"))
    let driver = try Driver(path, columns: 120)
    let view = { driver.browser.page.view as? ObjectsView }
    driver.press(try KeyText.keys("Enter"))
    let name = try #require(view()?.columnNames.first)
    driver.press(try KeyText.keys("f \"TRUEPREDICATE\" Enter f \"\(name) != null\" Enter"))
    #expect(view()?.arrangement.filters.count == 2)
    try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    driver.press(.character("R"))
    // Class Person of the other file has other properties.
    #expect(view()?.arrangement.filters.map(\.text) == ["TRUEPREDICATE"], "\(driver.lines)")
    #expect(driver.status.contains("filter removed"))
  }

  // MARK: Completion

  @Test(arguments: [
    ("nam", 3, "name"), ("name == 'x' AND br", 18, "name == 'x' AND breed"), ("br == 'x'", 2, "breed == 'x'"),
    ("fav.n", 3, "favoriteToy.n"), ("favoriteToy.n", 13, "favoriteToy.name"), ("'ü' == na", 9, "'ü' == name"),
    ("name beg", 8, "name BEGINSWITH"), ("name == ", 8, "name == \"Fido\""), ("name == la", 10, "name == \"Laika\""),
    ("favoriteToy.name != b", 21, "favoriteToy.name != \"Ball\""), ("@links.Person.d", 15, "@links.Person.dogs"),
    ("zzz", 3, "zzz"),
  ])
  func tabCompletesTheWordAtTheCaret(_ text: String, _ caret: Int, _ expected: String) throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter f"))
    driver.type(text)
    for _ in caret..<text.count { driver.press(.left) }
    driver.press(.tab)
    #expect(driver.browser.prompt?.string == expected)
  }

  /// A text with the maximum length of a paste is typed, and checked again after each character.
  @Test func aLongFilterIsReadWithEachKey() throws {
    let driver = try Driver(dogs, columns: 40, rows: 10)
    driver.press(try KeyText.keys("Enter f"))
    driver.type(String(repeating: "(name == 'Zoë 漢字' OR ", count: 40) + "nam == 1")
    #expect(driver.hints == " not yet a query; quote the text to sea…")
    driver.type(String(repeating: ")", count: 40))
    #expect(driver.hints == " 'Dog' has no property 'nam'; did you m…")
    driver.press(.home)
    #expect(driver.screen.caret?.column == 9)
  }
}

@Suite struct FindTests {
  /// In every format, the primary key of an object of each class leads to exactly that object.
  @Test(arguments: OpenableFixture.all)
  func anObjectIsFoundByItsPrimaryKey(_ fixture: OpenableFixture) throws {
    let snapshot = try fixture.opened()
    for table in snapshot.tables.prefix(4) where table.schema.isClass && ((try? table.objectCount()) ?? 0) > 0 {
      guard let property = table.schema.primaryKey, let index = table.schema.primaryKeyIndex else { continue }
      var batches = table.batches()
      guard case .batch(let batch)? = batches.next() else { continue }
      let row = batch.count - 1
      let value = try batch.values(ofProperty: index).value(at: row)
      let buffer = TextBuffer(capacity: 64)
      guard try buffer.appendPlain(value) else { continue }
      let text = buffer.text
      // Characters that cannot be typed in a line, and those with another meaning there.
      guard !text.isEmpty, !text.hasPrefix("#"), text.utf8.allSatisfy({ (0x21..<0x7f).contains($0) }) else { continue }
      let driver = try Driver(fixture.path, key: fixture.encryptionKey(), columns: 120)
      driver.type(":find " + text)
      driver.press(.enter)
      let places = try #require(driver.browser.page.view as? FindView).places
      // Objects of other classes may have the same key; all of them come before other places.
      let object = ObjectAddress(table: table.schema.name, key: batch.key(at: row))
      let hit = try #require(places.firstIndex { $0.object == object }, "\(text) in \(fixture)")
      #expect(places[hit].property == property.name)
      #expect(places[...hit].allSatisfy { $0.snippet == Snippet(of: Array(text.utf8)) })
      driver.type(":\(hit + 1)")
      driver.press(.enter)
      driver.press(.enter)
      #expect(driver.lines[1].contains("object key \(batch.key(at: row).rawValue)"))
    }
  }

  @Test func aFindIsStoppedAndKeepsWhatItFound() throws {
    let executor = HeldExecutor()
    let driver = try Driver(Fixture.path("engine/deep-tree.realm"), executor: executor)
    driver.press(try KeyText.keys(": \"find 9\" Enter"))
    #expect(driver.status.contains("looking for 9 0%; Esc stops it"))
    // Keys work meanwhile.
    driver.press(.down, .enter, .escape)
    #expect(driver.status.contains("stopped"))
    executor.runAll()
    driver.send(.wake)
    #expect(driver.browser.page.view.rowCount == 0)
    #expect(driver.path.contains("find 9"))
  }

  @Test func aFlightOfHitsIsBounded() throws {
    let driver = try Driver(Fixture.path("engine/deep-tree.realm"))
    driver.press(try KeyText.keys(": \"find 1\" Enter"))
    let view = try #require(driver.browser.page.view as? FindView)
    #expect(view.places.count <= FoundValues.mostPlaces)
    if view.places.count == FoundValues.mostPlaces {
      #expect(driver.status.contains("only the first 10,000 are listed"))
    }
  }

  @Test func whatStandsAroundAMatchIsShown() throws {
    let text = String(repeating: "é", count: 300) + " needle " + String(repeating: "ü", count: 900)
    let bytes = Array(text.utf8)
    let snippet = bytes.withUnsafeBytes { Snippet(of: $0, around: 601) }
    let shown = String(decoding: snippet.bytes, as: UTF8.self)
    #expect(snippet.isCutBefore && snippet.isCutBehind)
    #expect(shown.contains("é needle ü") && !shown.contains("\u{fffd}"))
    #expect(snippet.bytes.count <= 400)
    let short = Array("needle".utf8).withUnsafeBytes { Snippet(of: $0, around: 0) }
    #expect(!short.isCutBefore && !short.isCutBehind)
    for place in [0, 1, 5, 6, 1000] {
      _ = Array("\u{80}é".utf8).withUnsafeBytes { Snippet(of: $0, around: place) }
    }
  }

  /// Embedded objects are listed once, in their own class.
  @Test func embeddedObjectsAreFoundInTheirClass() throws {
    let driver = try Driver(Fixture.path("engine/all-types.realm"), columns: 120)
    driver.press(try KeyText.keys(": \"open Embedded\" Enter"))
    let view = try #require(driver.browser.page.view as? ObjectsView)
    guard case .object(let batch, let row) = view.row(at: 0) else { throw StorageError.corrupted(.null, .missingNode) }
    let name = try #require(batch.table.schema.properties.firstIndex { $0.type == .string })
    let value = try batch.values(ofProperty: name).value(at: row)
    let text = ValuePrinter(view.context.snapshot, .unicode) { "\($0)" }.print(value, limit: 200).string
    driver.press(.character(":"))
    driver.type("find \"\(text)\"")
    driver.press(.enter)
    let places = try #require((driver.browser.page.view as? FindView)?.places)
    #expect(!places.isEmpty && places.allSatisfy { $0.object.table == batch.table.schema.name })
  }
}
