import BrowserSupport
import Foundation
import RealmExchange
import RealmPresentation
import RealmQuery
import RealmStorage
import TestSupport
import Testing

@testable import RealmBrowser

private let dogs = Fixture.path("engine/dogs.realm")

/// What leaves the browser: copies, lines for programs, command lines.
@Suite struct OutputTests {
  @Test func anObjectIsCopiedAsJSONAndSoIsWhatIsMarked() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter j Y"))
    #expect(driver.status.contains("sent to the terminal: the object as JSON"))
    let one = String(decoding: try #require(driver.screen.clipboard.last), as: UTF8.self)
    #expect(one.contains("\"name\":\"Fido\"") && one.filter { $0 == "\n" }.count == 1)
    driver.press(try KeyText.keys("Space Space Y"))
    let lines = String(decoding: try #require(driver.screen.clipboard.last), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("Fido"))
    driver.press(try KeyText.keys("g o Y"))
    #expect(String(decoding: try #require(driver.screen.clipboard.last), as: UTF8.self).contains("Rex"))
  }

  @Test func aColumnIsCopiedALineEach() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter l l : \"copy column\" Enter"))
    #expect(String(decoding: try #require(driver.screen.clipboard.last), as: UTF8.self).hasPrefix("Rex\nFido\n"))
    #expect(driver.status.contains("5 values of name"))
  }

  /// A program says whether it took everything; without a program, the content is in a file.
  @Test func whatIsTooLongForTheTerminalGoesToAProgramOrAFile() throws {
    let folder = try TemporaryFolder()
    let bytes = Array(String(repeating: "Zoë ", count: 50_000).utf8)
    let taken = folder.path("taken")
    let program = SystemClipboard.Program(line: "tee '\(taken)'", praise: "copied by tee")
    let failing = SystemClipboard.Program(line: "false", praise: "")
    let missing = SystemClipboard.Program(line: "no-such-program-here", praise: "")
    let working = SystemClipboard(programs: [missing, failing, program], folder: folder.path)
    #expect(try working.take(bytes).hasPrefix("copied by tee: 250,000 bytes"))
    #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: taken))) == bytes)
    let none = SystemClipboard(programs: [failing], folder: folder.path)
    let said = try none.take(bytes)
    let path = try #require(said.split(separator: " ").last.map(String.init))
    #expect(said.hasPrefix("no clipboard program took") && path.hasPrefix(folder.path))
    #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
  }

  @Test func programsGoWithTheEnvironment() {
    let all = SystemClipboard.programs { _ in "x" }.map(\.line)
    #expect(all == ["wl-copy", "xclip -selection clipboard", "tmux load-buffer -"])
    #expect(SystemClipboard.programs { _ in "" }.isEmpty)
  }

  @Test func linesArePipedToAProgram() throws {
    let driver = try Driver(dogs)
    driver.press(
      try KeyText.keys("Enter f \"name != 'Rex'\" Enter : \"columns name,favoriteToy.name\" Enter | \"jq\" Enter"))
    guard case .run(let program)? = driver.asked.last else {
      Issue.record("nothing is run: \(driver.asked)")
      return
    }
    var bytes: [UInt8] = []
    try program.produce { bytes += $0 }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(program.line == "jq" && lines.count == 4)
    #expect(lines.first == #"{"name":"Fido","favoriteToy.name":"Ball"}"#)
    // A value is copied unchanged.
    let values = try Driver(Fixture.path("engine/strings.realm"))
    values.press(try KeyText.keys("j j j Enter G o j Enter | \"less\" Enter"))
    guard case .run(let pager)? = values.asked.last else {
      Issue.record("nothing is run: \(values.asked)")
      return
    }
    var text: [UInt8] = []
    try pager.produce { text += $0 }
    #expect(!text.isEmpty)
  }

  @Test(arguments: [
    ("Enter", ["Dog"]),
    ("Enter f \"name != 'Rex'\" Enter l l s", ["Dog", "name != 'Rex' SORT(name ASC)"]),
    (
      "Enter f \"name != 'Rex'\" Enter f \"breed == null LIMIT(2)\" Enter",
      ["Dog", "(name != 'Rex') AND (breed == null) LIMIT(2)"]
    ),
    ("Enter l l s s", ["Dog", "TRUEPREDICATE SORT(name DESC)"]),
    ("Enter l l H", ["Dog", "--columns", "_id,breed,dateOfBirth,favoriteToy"]),
    ("Enter Space", ["Dog", "_id IN {oid(650000000000000000000000)}"]),
    (
      "j Enter j $ Enter",
      ["Dog", "@links.Person.dogs == obj(\"Person\", oid(640000000000000000000001))"]
    ),
  ])
  func theCommandLinePrintsTheSame(_ keys: String, _ expected: [String]) throws {
    let driver = try Driver(dogs, columns: 200)
    driver.press(try KeyText.keys(keys))
    let view = try #require(driver.browser.page.view as? ObjectsView)
    let table = try #require(view.table)
    #expect(try QueryLine(view, table).arguments == expected)
    // And it finds the same objects.
    let text = expected.count > 1 && expected[1] != "--columns" ? expected[1] : "TRUEPREDICATE"
    let found = try Query(text, of: table, in: driver.browser.context.snapshot).keys().keys
    let shown = (0..<view.rowCount).compactMap { view.row(at: $0).key }
    #expect(Set(found) == Set(view.marks.isEmpty ? shown : view.marks.keys))
  }

  @Test func theCommandLineIsShownOrItIsSaidWhyThereIsNone() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter f \"rex\" Enter : \"command\" Enter"))
    #expect(driver.status.contains("no command prints the same: 'rex' is searched for as text"))
    driver.press(try KeyText.keys("Esc + : \"command\" Enter"))
    #expect(
      driver.status.contains("no command") || driver.lines.contains { $0.contains("realmctl query dogs.realm Dog") })
    driver.press(try KeyText.keys("y"))
    #expect(driver.screen.clipboard.last.map { String(decoding: $0, as: UTF8.self).contains("realmctl query") } == true)
  }

  /// A list has its own order, and may contain an object twice.
  @Test func theCommandOfAListSaysWhatIsNotTheSame() throws {
    let driver = try Driver(dogs, columns: 120)
    driver.press(try KeyText.keys("j Enter l l l l Enter : \"command\" Enter"))
    #expect(driver.lines.contains { $0.contains("@links.Person.dogs") })
    #expect(driver.status.contains("each object once, in the order of the object keys"))
  }
}
