import Foundation
import TestSupport
import Testing

@testable import RealmBrowser

@Suite struct ReloadTests {
  private func copy(of name: String) throws -> (path: String, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    return (try folder.write("app.realm", Fixture.bytes("engine/\(name).realm")), folder)
  }

  private func replaceContents(_ path: String, with name: String) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.write(contentsOf: Fixture.bytes("engine/\(name).realm"))
    try file.close()
  }

  @Test func aFileThatChangesIsReportedAndReadAgainOnAKey() throws {
    let (path, folder) = try copy(of: "address-once")
    let driver = try Driver(path)
    let before = driver.lines[2...]
    try replaceContents(path, with: "address-twice")
    driver.press(.down)
    #expect(driver.status.contains("the file has changed; R reloads it"))
    driver.press(.down, .character("R"))
    #expect(driver.status.contains("reloaded"))
    #expect(driver.browser.tab.change == nil)
    #expect(driver.lines[2...] != before)
    withExtendedLifetime(folder) {}
  }

  @Test func thePlaceIsKeptWhereItStillExists() throws {
    let (path, folder) = try copy(of: "dogs")
    let driver = try Driver(path)
    driver.press(try KeyText.keys("j Enter j l l l l Enter j Enter j j"))
    let (place, row) = (driver.path, driver.cursorLine)
    driver.press(.character("R"))
    #expect(driver.path == place)
    #expect(driver.cursorLine == row)
    driver.press(try KeyText.keys("q q"))
    #expect(driver.cursorLine.contains("640000000000000000000001"))
    withExtendedLifetime(folder) {}
  }

  @Test func whatIsGoneIsLeft() throws {
    let (path, folder) = try copy(of: "dogs")
    let driver = try Driver(path)
    driver.press(try KeyText.keys("Enter o"))
    try replaceContents(path, with: "person-v1")
    driver.press(.down, .character("R"))
    #expect(driver.path == " app.realm")
    #expect(driver.status.contains("no longer exists"))
    #expect(driver.cursorLine.contains("Person"))
    withExtendedLifetime(folder) {}
  }

  @Test func aSortAndAFilterOutliveReading() throws {
    let (path, folder) = try copy(of: "dogs")
    let driver = try Driver(path)
    driver.press(try KeyText.keys("Enter f \"a\" Enter l l s -"))
    let lines = driver.lines[0...20]
    driver.press(.character("R"))
    #expect(driver.lines[0...20] == lines)
    withExtendedLifetime(folder) {}
  }

  /// A summary continues with the objects that were found, and says so.
  @Test(arguments: ["I", "l l i"]) func aSummaryOfFoundObjectsSaysWhatItIsOf(keys: String) throws {
    let (path, folder) = try copy(of: "dogs")
    let driver = try Driver(path, columns: 120)
    driver.press(try KeyText.keys("Enter f \"name CONTAINS 'a'\" Enter " + keys + " j k"))
    #expect(driver.status.contains("object") || driver.status.contains("value"))
    #expect(!driver.status.contains("before the reload"))
    driver.press(try KeyText.keys("R j k"))
    #expect(driver.status.contains("of the objects found before the reload"))
    driver.press(try KeyText.keys("C Enter f Enter " + keys + " R j k"))
    #expect(!driver.status.contains("before the reload"))
    withExtendedLifetime(folder) {}
  }

  @Test func anotherFileInItsPlaceIsReported() throws {
    let (path, folder) = try copy(of: "dogs")
    let driver = try Driver(path)
    try folder.write("new.realm", Fixture.bytes("engine/todo.realm"))
    #expect(rename(folder.path("new.realm"), path) == 0)
    driver.press(.down)
    #expect(driver.status.contains("the file has been replaced"))
    driver.press(.character("R"))
    #expect(driver.lines.contains { $0.contains("Task") || $0.contains("Item") || $0.contains("Todo") })
  }

  @Test func aFileThatIsGoneIsReportedAndStaysVisible() throws {
    let (path, folder) = try copy(of: "dogs")
    let driver = try Driver(path)
    try FileManager.default.removeItem(atPath: path)
    driver.press(.enter)
    #expect(driver.status.contains("the file has been removed"))
    #expect(driver.lines.contains { $0.contains("Fido") })
    driver.press(.character("R"))
    #expect(driver.status.contains("no such file"))
    #expect(driver.lines.contains { $0.contains("Fido") })
    withExtendedLifetime(folder) {}
  }

  @Test func whatIsSaidOfTheFileFollowsIt() throws {
    let (path, folder) = try copy(of: "dogs")
    let driver = try Driver(path)
    driver.press(.character("y"))
    #expect(driver.status.contains("sent to the terminal"))
    #expect(rename(path, folder.path("away.realm")) == 0)
    #expect(driver.browser.noticeChange())
    driver.send(.wake)
    #expect(driver.status.contains("the file has been removed"))
    #expect(rename(folder.path("away.realm"), path) == 0)
    #expect(driver.browser.noticeChange())
    driver.send(.wake)
    #expect(!driver.status.contains("gone"))
    #expect(driver.browser.tab.change == nil)
    driver.press(.character("R"))
    #expect(driver.status.contains("reloaded"))
    // The last message does not hide what happens next, and one change does not hide another.
    try replaceContents(path, with: "person-v1")
    #expect(driver.browser.noticeChange())
    driver.send(.wake)
    #expect(driver.status.contains("the file has changed; R reloads it"))
    try FileManager.default.removeItem(atPath: path)
    driver.send(.wake)
    #expect(driver.status.contains("the file has been removed"))
  }

  @Test func theDescriptorOutlivesTheName() throws {
    let (path, folder) = try copy(of: "deep-tree")
    let driver = try Driver(path)
    try FileManager.default.removeItem(atPath: path)
    driver.press(try KeyText.keys("Enter : \"filter 9\" Enter"))
    #expect(driver.browser.page.view.rowCount > 0)
    #expect(driver.status.contains("the file has been removed"))
    withExtendedLifetime(folder) {}
  }

  /// `cp new.realm open.realm` empties the file, then writes it from its beginning. At any point of this, the browser
  /// continues, says what happened, and reads the file again when a key asks for it.
  @Test(arguments: [0, 1, 24, 100, 4096, 5000, 8192, 100_000, 400_000])
  func aFileThatIsCopiedOverOrCutShortIsSurvived(_ length: Int) throws {
    let (path, folder) = try copy(of: "deep-tree")
    let other = Array(try Fixture.bytes("engine/strings.realm"))
    let driver = try Driver(path)
    driver.press(try KeyText.keys("Enter l"))
    for content in [nil, Array(other.prefix(length))] {
      // Written in place, as `cp` does.
      if let content {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: content)
        try file.close()
      } else {
        #expect(truncate(path, off_t(length)) == 0)
      }
      driver.press(
        try KeyText.keys("G g s / \"9\" Enter o * Backspace F Backspace f \"9\" Enter b Backspace S Backspace"))
      #expect(driver.browser.ending == nil)
      driver.send(.wake)
      driver.press(.down)
      #expect(driver.status.contains("R reloads it") || driver.status.contains("R retries"), "\(driver.status)")
    }
    try Data(other).write(to: URL(fileURLWithPath: path))
    driver.press(.character("R"))
    #expect(driver.status.contains("reloaded"))
    #expect(driver.browser.tab.change == nil)
    driver.press(try KeyText.keys(": \"open S\" Enter"))
    #expect(driver.browser.page.view.rowCount == 72)
    withExtendedLifetime(folder) {}
  }

  @Test func everyViewFindsItsPlaceAgain() throws {
    let (path, folder) = try copy(of: "all-types")
    for keys in [
      "", "Enter j j", "Enter j j j o j j Space j", "Enter l l l l j j j Enter j", "Enter b", "S j j", "S m j",
      "Enter l F j", "Enter j j j o / \"optData\" Enter Esc Enter j j", "? j",
    ] {
      let driver = try Driver(path)
      driver.press(try KeyText.keys(keys))
      let before = driver.lines.dropLast(2)
      driver.press(.character("R"))
      #expect(driver.lines.dropLast(2) == before, "after \(keys)")
    }
    withExtendedLifetime(folder) {}
  }
}

@Suite struct EncryptedTests {
  @Test func anEncryptedRealmShowsWhatItsPlainTwinShows() throws {
    let (plain, secret) = (OpenableFixture.named("all-types"), OpenableFixture.named("all-types-encrypted"))
    let left = try Driver(plain.path)
    let right = try Driver(secret.path, key: secret.encryptionKey())
    for keys in ["Enter", "j j j l l s", "o", "*", "PgDn", "G Enter", "q q", "f \"a\" Enter", "F", "q / \"1\" Enter"] {
      left.press(try KeyText.keys(keys))
      right.press(try KeyText.keys(keys))
      #expect(left.lines.dropFirst() == right.lines.dropFirst())
    }
    let status = try Driver(secret.path, key: secret.encryptionKey()).status
    #expect(status.contains("encrypted"))
  }
}
