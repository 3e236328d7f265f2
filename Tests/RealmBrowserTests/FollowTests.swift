import BrowserSupport
import Foundation
import RealmPresentation
import RealmText
import TestSupport
import Testing

@testable import RealmBrowser
@testable import RealmPresentation
@testable import RealmStorage

private let dogs = Fixture.path("engine/dogs.realm")

/// Following a file, showing more of it at once, going forward, dates, JSON.
@Suite struct FollowTests {
  @Test func whatAnAppCommitsIsShownAtOnceAndStandsOut() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    let driver = try Driver(path, columns: 120)
    driver.press(try KeyText.keys("Enter j : \"watch\" Enter"))
    #expect(driver.path.contains("(following)") && driver.status.contains("following the file"))
    try rename(path, from: "Fido", to: "Brutus")
    driver.send(.wake)
    #expect(driver.cursorLine.contains("Brutus"), "\(driver.lines)")
    #expect(!driver.status.contains("has changed"))
    let row = try #require(driver.lines.firstIndex { $0.contains("Brutus") })
    #expect(driver.screen.grid.row(row).contains { $0.style.role == .match })
    // The rows of a filter are never those that it hides.
    driver.press(try KeyText.keys("f \"name == 'Brutus'\" Enter"))
    try rename(path, from: "Brutus", to: "Fido")
    driver.send(.wake)
    #expect(driver.browser.page.view.rowCount == 0)
    driver.press(try KeyText.keys(": \"watch maybe\" Enter"))
    #expect(driver.status.contains(":watch takes on or off, not"))
    driver.press(try KeyText.keys(": \"watch off\" Enter"))
    try rename(path, from: "Fido", to: "Rover")
    driver.send(.wake)
    #expect(driver.status.contains("the file has changed") && !driver.path.contains("following"))
  }

  /// Like an app.
  private func rename(_ path: String, from old: String, to new: String) throws {
    let transaction = try WriteTransaction(RealmFile(exclusive: path, key: nil))
    let table = try transaction.table("class_Dog")
    let key = try #require(
      try (0..<5).map { ObjectKey(rawValue: $0) }.first { try table.value("name", of: $0) == .string(RealmString(old)) }
    )
    try table.set("name", of: key, to: .string(RealmString(new)))
    try transaction.commit()
  }

  @Test func oneGoesForwardToWhatWasLeft() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter j o q q ) )"))
    #expect(driver.path.contains("Dog › Fido"))
    driver.press(.character(")"))
    #expect(driver.status.contains("no view to go forward to"))
    driver.press(.altLeft, .altLeft, .altRight)
    #expect(driver.path.hasSuffix("› Dog"))
    driver.press(try KeyText.keys("q j Enter )"))
    #expect(driver.path.contains("Person"))
  }

  @Test func theObjectIsShownBesideTheTable() throws {
    let driver = try Driver(dogs, columns: 140)
    driver.press(try KeyText.keys("Enter v"))
    #expect(driver.lines.contains { $0.contains("│") && $0.contains("object key 0") })
    driver.press(.down)
    #expect(driver.lines.contains { $0.contains("│") && $0.contains("object key 1") })
    #expect(driver.lines.contains { $0.contains("│") && $0.contains("Person.dogs") })
    driver.press(.character("v"))
    #expect(!driver.lines.contains { $0.contains("│") })
    driver.resize(80, 24)
    driver.press(.character("v"))
    #expect(driver.status.contains("if the screen has 100 columns"))
  }

  @Test func datesAreShownAsOneLikes() throws {
    let driver = try Driver(dogs, columns: 140)
    driver.press(try KeyText.keys("Enter : \"dates relative\" Enter"))
    #expect(driver.lines.contains { $0.contains("years ago") })
    driver.press(try KeyText.keys(": \"dates local\" Enter"))
    #expect(driver.lines.contains { $0.contains("+") && $0.contains(":") })
    driver.press(try KeyText.keys(": \"dates utc\" Enter"))
    #expect(driver.lines.contains { $0.contains("T02:40:00.123456789Z") })
    driver.press(try KeyText.keys(": \"dates never\" Enter"))
    #expect(driver.status.contains("utc, local or relative"))
  }

  @Test(arguments: [
    (-10, "10 seconds ago"), (3600, "in 1 hour"), (0, "now"), (-86_400 * 3, "3 days ago"),
    (-31_556_952 * 2, "2 years ago"),
  ])
  func theDistanceIsTold(_ seconds: Int64, _ expected: String) {
    #expect(DateForm.relative(1_000_000 + seconds, now: 1_000_000) == expected)
    #expect(DateForm.relative(.min, now: 1_000_000) == "long ago")
    #expect(DateForm.relative(.max, now: -1_000_000) == "far ahead")
    for edge in [Timestamp(seconds: .min, nanoseconds: 0), Timestamp(seconds: .max, nanoseconds: 0)] {
      for form in DateForm.allCases { _ = form.text(edge) }
    }
  }

  @Test(arguments: [
    (#"{"a":[1,true],"b":{}}"#, "{\n  \"a\": [\n    1,\n    true\n  ],\n  \"b\": {}\n}"), (#"[ ]"#, "[]"),
    (#"{"a":}"#, nil), (#"[1,2"#, nil), ("12", nil), (#"{"a":"\"}"}"#, "{\n  \"a\": \"\\\"}\"\n}"), ("[+1]", nil),
    ("[1] x", nil), (String(repeating: "[", count: 5000), nil),
  ])
  func jsonIsIndented(_ text: String, _ expected: String?) {
    #expect(PrettyJSON.lines(of: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test func picturesAndPropertyListsAreRecognized() {
    let png: [UInt8] =
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 2, 128, 0, 0, 1, 224]
    #expect(ContentKind.name(of: png, .unicode) == "PNG picture, 640×480")
    let gif = Array("GIF89a".utf8) + [0x10, 0, 0x20, 0]
    #expect(ContentKind.name(of: gif, .ascii) == "GIF picture, 16x32")
    let jpeg: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8, 0, 100, 0, 200, 3, 0, 0, 0, 0]
    #expect(ContentKind.name(of: jpeg, .unicode) == "JPEG picture, 200×100")
    #expect(ContentKind.name(of: Array("bplist00".utf8), .unicode) == "binary property list")
    for length in 0...png.count { _ = ContentKind.name(of: Array(png.prefix(length)), .unicode) }
    for length in 0...jpeg.count { _ = ContentKind.name(of: Array(jpeg.prefix(length)), .unicode) }
    #expect(ContentKind.name(of: Array("hello".utf8), .unicode) == nil)
  }

  @Test func listsShowThePositionOfEachElement() throws {
    let driver = try Driver(dogs, columns: 120)
    driver.press(try KeyText.keys("j Enter $ Enter"))
    #expect(driver.lines.contains { $0.contains("[0] ") } && driver.lines.contains { $0.contains("[1] ") })
  }
}

@Suite struct SummaryTests {
  @Test func everyPropertyIsSummedUp() throws {
    let driver = try Driver(dogs, columns: 160)
    driver.press(try KeyText.keys("I"))
    #expect(driver.path.hasSuffix("summary of Dog"))
    let line = try #require(driver.lines.first { $0.contains(" name ") && $0.contains("string") })
    #expect(line.contains("Fido") || line.contains("Lassie"))
    #expect(driver.lines[1].contains("null") && driver.lines[1].contains("distinct"))
    driver.press(try KeyText.keys("j j Enter"))
    #expect(driver.path.contains("summary of"))
    driver.press(.enter)
    #expect(driver.browser.page.view.kind == .objects && driver.browser.page.view.rowCount > 0)
  }

  /// Only what is shown is counted, not the whole class; and Enter leads to as many objects as a row counts.
  @Test func aHistogramLeadsToItsObjects() throws {
    let driver = try Driver(Fixture.path("engine/deep-tree.realm"), columns: 120)
    driver.press(try KeyText.keys("Enter l i"))
    #expect(driver.browser.page.view.kind == .histogram && driver.browser.page.view.rowCount > 1)
    #expect(driver.lines.contains { $0.contains("█") })
    let row = driver.cursorLine.split(separator: "  ").map { String($0).trimmingBlanks() }
    driver.press(.enter)
    let count = CountText.grouped(driver.browser.page.view.rowCount)
    #expect(row.contains(count), "\(row) \(count)")
  }

  /// Each bar shows its own objects, regardless of what the previous one has shown; the class itself is as the user
  /// left it.
  @Test func barsAreNotTakenForTheClass() throws {
    let driver = try Driver(dogs, columns: 120)
    driver.press(try KeyText.keys("Enter l l i Enter"))
    #expect(driver.filters.contains("name == \"Fido\""))
    driver.press(try KeyText.keys("q j Enter"))
    #expect(driver.filters.contains("name == \"Laika\"") && driver.cursorLine.contains("Laika"))
    driver.press(try KeyText.keys("q q"))
    #expect(driver.filters.isEmpty && driver.browser.page.view.rowCount == 5)
    // Going back to the class does not show the filter of a bar either.
    driver.press(try KeyText.keys("q Enter"))
    #expect(driver.filters.isEmpty && driver.browser.page.view.rowCount == 5)
  }

  /// The path says what the objects have in common, not what a filter showed that is gone.
  @Test func aBarGivesItsNameToItsObjectsOnly() throws {
    let driver = try Driver(Fixture.path("engine/deep-tree.realm"), columns: 120)
    driver.press(try KeyText.keys("Enter l i"))
    let table = driver.path
    driver.press(.enter)
    let (bar, count) = (driver.path, driver.browser.page.view.rowCount)
    driver.press(.escape)
    #expect(driver.browser.page.view.rowCount > count)
    #expect(driver.path.hasPrefix(table) && driver.path != bar)
    #expect(!driver.path.contains("below"))
  }

  @Test func barsOfMarkedObjectsShowNoOthers() throws {
    let driver = try Driver(dogs, columns: 120)
    // Rex and Lassie, whose breed is null as Laika's is.
    driver.press(try KeyText.keys("Enter Space j Space l l l i"))
    #expect(driver.cursorLine.contains("null") && driver.cursorLine.contains(" 2 "))
    driver.press(.enter)
    #expect(driver.browser.page.view.rowCount == 2 && !driver.lines.contains { $0.contains("Laika") })
  }

  @Test func theClassIsNamedWhereNothingElseNamesIt() throws {
    let driver = try Driver(dogs, columns: 120)
    driver.press(try KeyText.keys("j I"))
    #expect(driver.path.hasSuffix("summary of Person"))
  }

  /// Each row of each property of each class, in files of many kinds, leads to as many objects or elements as it
  /// counts.
  @Test(arguments: ["all-types", "corners", "deep-tree"])
  func everyBarLeadsToItsObjects(_ name: String) throws {
    let fixture = OpenableFixture.named(name)
    for table in try fixture.opened().tables where table.schema.isClass {
      let driver = try Driver(fixture.path, columns: 160, rows: 60)
      driver.type(":open \(table.schema.displayName)")
      driver.press(.enter)
      let view = try #require(driver.browser.page.view as? ObjectsView)
      for (index, property) in table.schema.properties.enumerated() where !property.isComputed && view.rowCount > 0 {
        view.columns.moveFocus(to: try #require(view.columns.columns.firstIndex { $0.property == index }))
        driver.press(.character("i"))
        let histogram = try #require(driver.browser.page.view as? HistogramView)
        // A few of the most frequent, the last bins, and null.
        for row in 0..<histogram.rowCount where row < 4 || row + 4 > histogram.rowCount {
          driver.browser.page.viewport.move(to: row)
          driver.press(.enter)
          guard let shown = driver.browser.page.view as? ObjectsView else {
            #expect(histogram.isBeyondFilters(row), "\(property.name) \(driver.status)")
            continue
          }
          let count = histogram.count(row)
          let isRight = property.collection == nil ? shown.rowCount == count : shown.rowCount <= count
          #expect(isRight, "\(table.schema.displayName).\(property.name) \(count): \(driver.lines.prefix(5))")
          driver.press(.character("q"))
        }
        driver.press(.character("q"))
      }
    }
  }

  @Test func whatIsNotListedIsCounted() throws {
    let driver = try Driver(Fixture.path("engine/deep-tree.realm"), columns: 120)
    driver.press(try KeyText.keys("Enter l i G"))
    let histogram = try #require(driver.browser.page.view as? HistogramView)
    let total = (0..<histogram.rowCount).reduce(0) { $0 + histogram.count($1) }
    driver.press(try KeyText.keys("q"))
    #expect(total == driver.browser.page.view.rowCount)
  }

  @Test(arguments: [
    (1, 3, "33.3%"), (0, 5, "0.0%"), (1, 100_000, "<0.1%"), (99_999, 100_000, "99.9%"), (7, 7, "100.0%"),
  ])
  func sharesAreNeitherNothingNorAllWhereTheyAreNot(_ part: Int, _ whole: Int, _ expected: String) {
    #expect(CountText.share(part, of: whole) == expected)
  }

  /// Work that was stopped says so, even after the message is gone.
  @Test(arguments: [
    ("I", "not counted"), ("Enter l l F", "not counted"), ("Enter l l i", "not counted"),
    (": \"find zzz\" Enter", "not searched to the end"), (": \"snapshot\" Enter", "not listed"),
  ])
  func whatWasStoppedIsNotEmpty(_ keys: String, _ expected: String) throws {
    let driver = try Driver(dogs, columns: 120, executor: HeldExecutor())
    driver.press(try KeyText.keys(keys))
    #expect(!driver.lines.contains { $0.contains(expected) })
    driver.press(try KeyText.keys("Esc"))
    driver.send(.wake)
    #expect(driver.lines.contains { $0.contains(expected) }, "\(driver.lines)")
  }
}

/// Habits from shells and other programs.
@Suite struct ReadlineTests {
  @Test(arguments: [
    ("one two.three", [Key.alt("b")], "one two.|three"), ("one two", [.altLeft, .controlLeft], "|one two"),
    ("one two", [.home, .alt("f")], "one| two"), ("one two", [.home, .controlRight, .controlRight], "one two|"),
    ("one two", [.home, .alt("d")], "| two"),
  ])
  func wordsAreMovedOver(_ text: String, _ keys: [Key], _ expected: String) {
    let prompt = Prompt(.command, label: ":", text: text) { _ in [] }
    for key in keys { _ = prompt.press(key) }
    #expect(String(prompt.text[..<prompt.caret]) + "|" + String(prompt.text[prompt.caret...]) == expected)
  }

  @Test func aDraftComesBackFromTheHistory() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("/ \"rex\" Enter / \"dra\" Up"))
    #expect(driver.hints == " /rex")
    driver.press(.down)
    #expect(driver.hints == " /dra")
  }

  @Test func pastedTextIsTextAndNoKeys() throws {
    let driver = try Driver(dogs)
    driver.send(.paste("Q\nq"))
    #expect(driver.browser.ending == nil && driver.status.contains("pasting works only in a prompt"))
    driver.press(.enter, .character("f"))
    driver.send(.paste("name == \n'Rex'"))
    driver.press(.enter)
    #expect(driver.browser.page.view.rowCount == 1)
    driver.press(.character("/"))
    driver.press(.character("e"))
    driver.send(.paste("\u{301}x👩\u{200d}👧"))
    #expect(driver.browser.prompt?.string == "e\u{301}x👩\u{200d}👧")
    #expect(driver.browser.prompt?.caret == driver.browser.prompt?.text.count)
  }

  @Test func clicksChooseColumnsSortAndGoBack() throws {
    let driver = try Driver(dogs, columns: 120)
    driver.press(.enter)
    let header = driver.lines[1]
    let start = try #require(header.range(of: "name")).lowerBound
    let column = header.distance(from: header.startIndex, to: start)
    driver.send(.mouse(.click, ScreenPosition(column: column, row: 4)))
    let view = try #require(driver.browser.page.view as? ObjectsView)
    #expect(view.columns.focused.name == "name" && driver.browser.page.row == 1)
    driver.send(.mouse(.click, ScreenPosition(column: column, row: 1)))
    #expect(driver.lines[1].contains("name↑"))
    driver.press(.character("o"))
    driver.send(.mouse(.click, ScreenPosition(column: 15, row: 0)))
    #expect(driver.path.hasSuffix("› Dog"))
    driver.send(.mouse(.click, ScreenPosition(column: 2, row: 0)))
    #expect(driver.browser.pages.count == 1)
  }

  @Test func nearMissesGetASuggestion() throws {
    let driver = try Driver(dogs, columns: 120)
    driver.press(try KeyText.keys(": \"shcema\" Enter"))
    #expect(driver.status.contains("did you mean 'schema'?"))
    driver.press(try KeyText.keys(": \"open Dgo\" Enter"))
    #expect(driver.status.contains("no class and no file 'Dgo'; did you mean 'Dog'?"))
  }
}
