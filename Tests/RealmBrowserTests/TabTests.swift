import BrowserSupport
import RealmExchange
import RealmInspection
import RealmPresentation
import TestSupport
import Testing

@testable import RealmBrowser
@testable import RealmStorage

private let dogs = Fixture.path("engine/dogs.realm")
private let person = Fixture.path("engine/person-v1.realm")

/// Like an app: a commit that renames dogs, removes a toy and adds one.
private func commit(_ path: String) throws {
  let transaction = try WriteTransaction(RealmFile(exclusive: path, key: nil))
  let dogs = try transaction.table("class_Dog")
  let keys = (0..<5).map { ObjectKey(rawValue: $0) }
  try dogs.set("name", of: keys[1], to: "Brutus")
  try dogs.set("breed", of: keys[1], to: "Poodle")
  try dogs.set("name", of: keys[3], to: "Rover")
  try dogs.delete(keys[4])
  try transaction.commit()
}

private func changedDogs(_ folder: TemporaryFolder) throws -> String {
  let path = try folder.write("dogs.realm", Fixture.bytes("engine/dogs.realm"))
  try commit(path)
  return path
}

/// Several files side by side.
@Suite struct TabTests {
  private func driver(_ configure: (inout BrowserOptions) -> Void = { _ in }) throws -> Driver {
    let driver = try Driver(dogs, columns: 100, configure: configure)
    let (realm, options) = try Driver.opened(person, configure)
    driver.browser.open(realm, options: options)
    driver.browser.show(tab: 0)
    driver.send(.wake)
    return driver
  }

  @Test func filesAreShownInTabs() throws {
    let driver = try driver()
    #expect(driver.lines[0].hasPrefix(" 1 dogs.realm  2 person-v1.realm") && driver.lines[1].hasPrefix(" dogs.realm"))
    driver.press(try KeyText.keys("j Enter j g t"))
    #expect(driver.lines[1].hasPrefix(" person-v1.realm") && driver.browser.pages.count == 1)
    driver.press(try KeyText.keys("Enter g T"))
    // The place before, with the row that `g` would have left.
    #expect(driver.lines[1].contains("dogs.realm › Person") && driver.cursorLine.contains("Bob"))
    driver.press(.character("g"))
    #expect(driver.cursorLine.contains("Alice"))
    driver.send(.mouse(.click, ScreenPosition(column: 18, row: 0)))
    #expect(driver.lines[1].hasPrefix(" person-v1.realm"))
    driver.send(.mouse(.click, ScreenPosition(column: 5, row: 1)))
    #expect(driver.browser.pages.count == 1)
    driver.press(try KeyText.keys(": \"close\" Enter"))
    #expect(driver.lines[0].hasPrefix(" dogs.realm › Person") && driver.status.contains("closed person-v1.realm"))
    driver.press(try KeyText.keys(": \"close\" Enter"))
    #expect(driver.status.contains("this is the only file"))
    // With one file these are two keys.
    driver.press(try KeyText.keys("g t"))
    #expect(driver.status.contains("3 objects marked"))
  }

  @Test func settingsGoForAllTabs() throws {
    let driver = try driver()
    driver.press(try KeyText.keys(": \"key X help\" Enter : \"dates relative\" Enter g t X"))
    #expect(driver.browser.page.view.kind == .help && driver.browser.context.dates == .relative)
  }

  @Test func openTakesAClassOrAFile() throws {
    let driver = try Driver(dogs, columns: 100) { options in
      options.openFile = { path, asksForKey in
        if path == "secret.realm", !asksForKey { throw BrowserProblem.needsKey }
        guard path.contains("person") || asksForKey else { throw BrowserProblem("'\(path)': no such file") }
        let (realm, options) = try Driver.opened(person)
        return BrowserOptions.OpenedFile(realm: realm, options: options)
      }
    }
    driver.press(try KeyText.keys(": \"open Toy\" Enter"))
    #expect(driver.path.hasSuffix("› Toy"))
    driver.press(try KeyText.keys(": \"open nothing.realm\" Enter"))
    #expect(driver.status.contains("'nothing.realm': no such file"))
    driver.press(try KeyText.keys(": \"open Tyo\" Enter"))
    #expect(driver.status.contains("no class and no file 'Tyo'; did you mean 'Toy'?"))
    driver.press(try KeyText.keys(": \"open person.realm\" Enter"))
    #expect(driver.browser.tabs.count == 2 && driver.browser.currentTab == 1)
    driver.press(try KeyText.keys("g T : \"open secret.realm\" Enter"))
    #expect(driver.asked.last == .askForKey("secret.realm"))
    let open = try #require(driver.browser.options.openFile)
    driver.browser.finishOpening(Result { try open("secret.realm", true) })
    driver.send(.wake)
    #expect(driver.browser.tabs.count == 3)
  }

  @Test func namesOfFilesWithBlanksAtTheirEndsAreQuoted() throws {
    let folder = try TemporaryFolder()
    for name in ["a.realm", " b.realm", "c.realm "] { _ = try folder.write(name, [1]) }
    let start = folder.path("")
    let names = FileNames.completions(of: start)
    #expect(names == [start + " b.realm", start + "a.realm", "\"\(start)c.realm \""])
    #expect(FileNames.completions(of: "\"" + start + "c") == ["\"\(start)c.realm \""])
    #expect(names.map(FileNames.path) == [start + " b.realm", start + "a.realm", start + "c.realm "])
    #expect(FileNames.path("\" b.realm\"") == " b.realm" && FileNames.path("\"") == "\"")
  }

  @Test func anotherSnapshotIsShownAndNamed() throws {
    let folder = try TemporaryFolder()
    let driver = try Driver(try changedDogs(folder), columns: 120)
    driver.press(try KeyText.keys("Enter j"))
    #expect(driver.cursorLine.contains("Brutus") && driver.browser.page.view.rowCount == 4)
    driver.press(try KeyText.keys(": \"snapshot previous\" Enter"))
    #expect(driver.path.contains("(previous snapshot, version ") && driver.cursorLine.contains("Fido"))
    #expect(driver.browser.page.view.rowCount == 5)
    driver.press(try KeyText.keys(": \"command\" Enter"))
    #expect(driver.lines.contains { $0.contains("realmctl query dogs.realm Dog --snapshot previous") })
    driver.press(try KeyText.keys("q : \"snapshot 5\" Enter"))
    #expect(driver.cursorLine.contains("Fido"))
    driver.press(try KeyText.keys(": \"snapshot yesterday\" Enter"))
    #expect(driver.status.contains(":snapshot takes live, previous or a byte offset, not 'yesterday'"))
    driver.press(try KeyText.keys(": \"snapshot live\" Enter"))
    #expect(!driver.path.contains("snapshot") && driver.cursorLine.contains("Brutus"))
  }
}

/// The list of snapshots, and names of files.
@Suite struct SnapshotListTests {
  @Test func snapshotsAreListedAndShown() throws {
    let folder = try TemporaryFolder()
    let driver = try Driver(try changedDogs(folder), columns: 120)
    driver.press(try KeyText.keys("Enter : \"snapshot\" Enter"))
    #expect(driver.path.hasSuffix("› snapshots") && driver.browser.page.view.rowCount == 2)
    #expect(driver.cursorLine.contains("live, shown") && driver.status.contains("this snapshot is shown"))
    driver.press(try KeyText.keys("Enter"))
    #expect(!driver.path.contains("snapshot") && driver.browser.page.view.rowCount == 4)
    driver.press(try KeyText.keys(": \"snapshot\" Enter j"))
    #expect(driver.cursorLine.contains("previous") && driver.status.contains(":diff "))
    driver.press(.enter)
    #expect(driver.path.contains("(previous snapshot, version ") && driver.browser.page.view.rowCount == 5)
    // The cursor is on the one that is shown.
    driver.press(try KeyText.keys(": \"snapshot\" Enter"))
    #expect(driver.cursorLine.contains("previous, shown"))
    driver.press(try KeyText.keys("g Enter"))
    #expect(!driver.path.contains("snapshot") && driver.browser.page.view.rowCount == 4)
  }

  @Test func aSnapshotThatIsGoneIsNotTakenForAnother() throws {
    let folder = try TemporaryFolder()
    let path = try changedDogs(folder)
    let driver = try Driver(path, columns: 120)
    driver.press(try KeyText.keys("Enter : \"snapshot\" Enter j"))
    try Realm.write(at: path) { try $0.object("Dog", key: ObjectKey(rawValue: 0))?.set("name", to: "Max") }
    // The first key finds that the file has changed.
    driver.press(.enter, .enter)
    #expect(driver.status.contains("is no longer in the file"))
    #expect(driver.path.hasSuffix("› snapshots"))
    // The list is read again, and what it shows opens.
    driver.press(try KeyText.keys("R G Enter"))
    #expect(driver.path.contains("(previous snapshot, version "))
    #expect(try Realm.check(path, key: nil).errors == 0)
  }

  @Test func namesOfFilesAreCompleted() throws {
    let folder = try TemporaryFolder()
    try folder.write("alpha.realm", [])
    try folder.write("alpha.realm.lock", [])
    try folder.write("alps.csv", [])
    try folder.write(".hidden", [])
    let driver = try Driver(dogs, columns: 160)
    driver.press(try KeyText.keys(": \"open \(folder.path)/alpha\" Tab"))
    #expect(driver.browser.prompt?.string == "open \(folder.path)/alpha.realm")
    driver.press(try KeyText.keys("Esc : \"write \(folder.path)/al\" Tab Tab"))
    #expect(driver.browser.prompt?.string == "write \(folder.path)/alps.csv")
    driver.press(try KeyText.keys("Esc : \"diff \(folder.path)/\" Tab Tab Tab"))
    #expect(driver.browser.prompt?.string == "diff \(folder.path)/alpha.realm")
    driver.press(try KeyText.keys("Esc : \"open \(folder.path)/.h\" Tab Esc"))
    // A class comes first.
    driver.press(try KeyText.keys(": \"open To\" Tab"))
    #expect(driver.browser.prompt?.string == "open Toy")
    driver.press(try KeyText.keys("Esc : \"open /nowhere/at/all/x\" Tab"))
    #expect(driver.browser.prompt?.string == "open /nowhere/at/all/x")
  }

  @Test func anOpenWithoutAnythingSuggestsNothing() throws {
    let driver = try Driver(dogs, columns: 120)
    driver.press(try KeyText.keys(": \"open\" Enter"))
    #expect(driver.status.contains("name a class or a file"))
    driver.press(try KeyText.keys(": \"open -\" Enter"))
    #expect(driver.status.contains("no class and no file '-'") && !driver.status.contains("did you mean"))
  }
}

/// What differs between two files, or two snapshots of one.
@Suite struct DiffViewTests {
  @Test func twoTabsAreCompared() throws {
    let folder = try TemporaryFolder()
    let driver = try Driver(dogs, columns: 120)
    let (realm, options) = try Driver.opened(try changedDogs(folder))
    driver.browser.open(realm, options: options)
    driver.press(try KeyText.keys(": \"diff\" Enter"))
    #expect(driver.browser.page.view.kind == .diff)
    #expect(driver.lines.contains { $0.contains("Dog") && $0.contains(" 2 ") && $0.contains(" 1 ") })
    // Whose lists of dogs have lost one.
    #expect(driver.lines.contains { $0.contains("Person") })
    driver.press(.enter)
    #expect(driver.lines[1].hasSuffix("› Dog"))
    let signs = driver.lines.compactMap { line in line.dropFirst().first.map(String.init) }
    for (sign, count) in [("<", 2), (">", 2), ("-", 1)] {
      #expect(signs.count { $0 == sign } == count, "\(driver.lines)")
    }
    let row = try #require(driver.lines.firstIndex { $0.contains("Brutus") })
    let marked = driver.screen.grid.row(row).filter { $0.style.role == .match }
    #expect(String(String.UnicodeScalarView(marked.map(\.base))).contains("Brutus"))
    #expect(String(String.UnicodeScalarView(marked.map(\.base))).contains("Poodle"))
  }

  @Test func oneGoesFromChangeToChange() throws {
    let folder = try TemporaryFolder()
    let driver = try Driver(try changedDogs(folder), columns: 120)
    driver.press(try KeyText.keys(": \"diff\" Enter"))
    #expect(driver.path.contains("changes from version "))
    driver.press(try KeyText.keys("Enter"))
    let view = try #require(driver.browser.page.view as? ClassDiffView)
    #expect(view.rowCount == 5)
    var places: [String] = []
    for _ in 0..<6 {
      driver.press(try KeyText.keys("] c"))
      places.append(driver.status)
    }
    #expect(places[0].contains("name") && places[0].contains("Brutus"), "\(places)")
    #expect(places[1].contains("breed") && places[2].contains("Rover") && places[3].contains("removed"))
    #expect(places[5].contains("this is the last change"))
    driver.press(try KeyText.keys("[ c [ c"))
    #expect(driver.status.contains("breed") && driver.status.contains("Poodle"))
    driver.press(try KeyText.keys("y"))
    #expect(driver.screen.clipboard.last.map { String(decoding: $0, as: UTF8.self) } == "Poodle")
    driver.press(.enter)
    #expect(driver.browser.page.view.kind == .object && driver.path.contains("Brutus (version "))
    driver.press(try KeyText.keys("q k Enter"))
    #expect(driver.lines.contains { $0.contains("Fido") })
    // A reload leaves the comparison as it is.
    driver.press(try KeyText.keys("q R"))
    #expect(driver.browser.page.view.rowCount == 5)
  }

  @Test func theSameContentSaysSo() throws {
    let driver = try Driver(dogs, columns: 120)
    let (realm, options) = try Driver.opened(dogs)
    driver.browser.open(realm, options: options)
    driver.press(try KeyText.keys(": \"diff 1\" Enter"))
    #expect(driver.status.contains("the same content: 10 objects") && driver.lines[1].contains("dogs.realm (tab 1)"))
    driver.press(try KeyText.keys("q : \"diff 2\" Enter"))
    #expect(driver.status.contains("this is tab 2"))
  }

  @Test func whatCannotBeReadIsNotTheSame() throws {
    let folder = try TemporaryFolder()
    var bytes = try Fixture.bytes("engine/fragmented.realm")
    bytes.replaceSubrange(124_784..<125_040, with: repeatElement(0, count: 256))
    let driver = try Driver(Fixture.path("engine/fragmented.realm"), columns: 120)
    let (realm, options) = try Driver.opened(try folder.write("damaged.realm", bytes))
    driver.browser.open(realm, options: options)
    driver.press(try KeyText.keys(": \"diff\" Enter"))
    #expect(driver.status.contains("the file is damaged"), "\(driver.status)")
    #expect(
      driver.lines.contains { $0.contains("not compared") } && !driver.lines.contains { $0.contains("same content") })
  }

  @Test func changesOfTheSchemaComeFirst() throws {
    let driver = try Driver(dogs, columns: 120)
    let (realm, options) = try Driver.opened(person)
    driver.browser.open(realm, options: options)
    driver.press(try KeyText.keys(": \"diff\" Enter"))
    #expect(driver.lines[3].contains("schema: "), "\(driver.lines)")
    driver.press(.enter)
    #expect(driver.status.contains("a change of the schema"))
  }
}
