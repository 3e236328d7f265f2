import BrowserSupport
import Foundation
import RealmPresentation
import TestSupport
import Testing

@testable import RealmBrowser

/// One view somewhere in a realm, in which every key that applies to it is pressed.
private struct Place: Sendable, CustomTestStringConvertible {
  let name: String
  let kind: ViewKinds
  let fixture: String
  /// Keys that lead there, to the middle of the rows.
  let way: String

  var testDescription: String { name }

  static let all: [Place] = [
    Place(name: "classes", kind: .classes, fixture: "corners", way: "j j j j"),
    Place(name: "objects", kind: .objects, fixture: "corners", way: ": \"open Spoke\" Enter : \"1000\" Enter l"),
    Place(
      name: "object", kind: .object, fixture: "all-types",
      way: "Enter j j j o : \"search linkList\" Enter Esc Space j"),
    Place(
      name: "collection", kind: .collection, fixture: "nested-mixed",
      way: "Enter J \"13\" Enter l l l Enter J \"5\" Enter"),
    Place(name: "backlinks", kind: .backlinks, fixture: "corners", way: "/ \"hub\" Enter Esc Enter b j"),
    Place(name: "schema", kind: .schema, fixture: "all-types", way: "S : \"search embedded\" Enter Esc j"),
    Place(name: "link-map", kind: .linkMap, fixture: "all-types", way: ": \"map\" Enter j j j"),
    Place(name: "frequency", kind: .frequency, fixture: "fragmented", way: "Enter l F j j j"),
    Place(name: "value", kind: .value, fixture: "strings", way: "j j j Enter G o j Enter PgDn"),
    Place(name: "found", kind: .found, fixture: "corners", way: ": \"find 1\" Enter j j j"),
    Place(name: "columns", kind: .columns, fixture: "dogs", way: "Enter : \"columns\" Enter j"),
    Place(name: "summary", kind: .summary, fixture: "fragmented", way: "I j"),
    Place(name: "histogram", kind: .histogram, fixture: "fragmented", way: "Enter l i j"),
    Place(name: "diff", kind: .diff, fixture: "dogs", way: ": \"diff\" Enter j"),
    Place(name: "snapshots", kind: .snapshots, fixture: "fragmented", way: ": \"snapshot\" Enter j"),
    Place(name: "class-diff", kind: .classDiff, fixture: "fragmented", way: ": \"diff\" Enter Enter j j"),
    Place(name: "help", kind: .help, fixture: "dogs", way: "Enter ? j j"),
  ]
}

/// Each key of the table of keys, pressed in each view to which it applies: the files say which rows of the screen
/// change, and what else happens. What larger and smaller screens look like, `ScreenTests` says.
@Suite struct KeyScreenTests {
  @Test(arguments: Place.all)
  private func everyKeyDoesInEveryViewWhatIsExpected(_ place: Place) throws {
    let size = ExpectedScreens.sizes[0]
    let fixture = OpenableFixture.named(place.fixture)
    try leavingUntouched(fixture.path) { path in
      let way = try KeyText.keys(place.way)
      let start = try Driver(path, key: fixture.encryptionKey(), columns: size.columns, rows: size.rows)
      start.press(way)
      #expect(start.browser.page.view.kind == place.kind)
      var text = "= \(place.way)\n" + ScreenText.text(start.screen.grid, caret: start.screen.caret)
      for binding in Bindings.bindings(in: place.kind) {
        var first: (key: Key, changes: String)?
        for key in binding.keys {
          let driver = try Driver(path, key: fixture.encryptionKey(), columns: size.columns, rows: size.rows)
          driver.press(way)
          let asked = driver.asked.count
          driver.press(key)
          let changes =
            ScreenText.changes(from: start.screen.grid, to: driver.screen) + ScreenText.outcome(of: driver, from: asked)
          let isSame = first.map { $0.changes == changes } ?? false
          text += "\n= \(key.name(.unicode))\n"
          text += isSame ? "as \(first?.key.name(.unicode) ?? "")\n" : changes
          first = first ?? (key, changes)
        }
      }
      try ExpectedScreens.expect(text, named: "keys-\(place.name)", size)
    }
  }

  @Test func thereIsAPlaceForEveryView() {
    let kinds = Place.all.map(\.kind)
    // The list of changes only exists while editing: `EditingKeyTests`.
    #expect(kinds.reduce(.changes) { $0.union($1) } == ViewKinds.all)
    #expect(kinds.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
  }
}
