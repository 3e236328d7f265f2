import TestSupport
import Testing

@testable import RealmBrowser
@testable import RealmStorage

@Suite struct DamageTests {
  /// Opens `dogs` with the leaf of one column of class Dog made unreadable.
  private func damagedDogs() throws -> (driver: Driver, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    var bytes = try Fixture.bytes("engine/dogs.realm")
    // The strings of `breed` begin here; 0xff is not a header.
    for place in 1996..<2000 { bytes[place] = 0xff }
    let path = try folder.write("damaged.realm", bytes)
    return (try Driver(path, columns: 160), folder)
  }

  @Test func aDamagedColumnSaysSoInItsPlaceAndTheRestIsThere() throws {
    let (driver, folder) = try damagedDogs()
    try leavingUntouched(folder.path("damaged.realm")) { _ in
      driver.press(try KeyText.keys("Enter"))
      let rows = driver.lines[3...7]
      #expect(rows.allSatisfy { $0.contains("damaged: ") })
      #expect(rows.contains { $0.contains("Fido") && $0.contains("2017-10-22") })
      driver.press(try KeyText.keys("o"))
      #expect(driver.lines.contains { $0.contains("breed") && $0.contains("damaged: a node") })
      #expect(driver.lines.contains { $0.contains("favoriteToy") && $0.contains("Ball") })
    }
  }

  @Test func searchesAndSortsSayWhatTheyCouldNotRead() throws {
    let (driver, _) = try damagedDogs()
    driver.press(try KeyText.keys("Enter / \"no such text\" Enter"))
    #expect(driver.status.contains("not found; 5 values could not be read"))
    #expect(driver.status.contains("could not be read, first Dog.breed of #0"))
    driver.press(try KeyText.keys("f \"fido\" Enter"))
    #expect(driver.status.contains("could not be read"))
    #expect(driver.cursorLine.contains("Fido"))
    driver.press(try KeyText.keys("Esc Esc : \"sort breed\" Enter"))
    #expect(driver.status.contains("5 values could not be read"))
    #expect(driver.browser.page.view.rowCount == 5)
    driver.press(try KeyText.keys(": \"frequency breed\" Enter"))
    #expect(driver.status.contains("5 values could not be read"))
  }

  @Test func aDamagedTableIsListedWithTheReason() throws {
    let folder = try TemporaryFolder()
    let snapshot = try OpenableFixture.named("dogs").opened()
    var bytes = try Fixture.bytes("engine/dogs.realm")
    let toy = try #require(snapshot.table(displayName: "Toy"))
    // The reference to the table's description leads nowhere.
    let place = Int(toy.root.rawValue) + 8
    for byte in 0..<2 { bytes[place + byte] = 0xf8 }
    let driver = try Driver(try folder.write("damaged.realm", bytes))
    let line = try #require(driver.lines.first { $0.contains("Toy") })
    #expect(line.contains("damaged"))
    driver.press(try KeyText.keys("G Enter"))
    #expect(driver.path == " damaged.realm")
    #expect(!driver.status.isEmpty)
  }
}
