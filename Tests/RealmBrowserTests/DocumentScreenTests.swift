import Foundation
import TestSupport
import Testing

@testable import RealmBrowser

/// The screens in `Docs/Commands/browse.md` are those that the browser shows.
@Suite struct DocumentScreenTests {
  /// The blocks that show a screen, without empty lines.
  private static func screens() throws -> [[String]] {
    let project = URL(filePath: Fixture.path("engine/dogs.realm")).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: project.appending(path: "Docs/Commands/browse.md"), encoding: .utf8)
    return page.components(separatedBy: "```\n").filter { $0.hasPrefix(" dogs.realm") || $0.hasPrefix(" filter: ") }
      .map(lines)
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      var line = String(line)
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
    .filter { !$0.isEmpty }
  }

  @Test(arguments: [
    (0, ""), (1, "j Enter"), (2, "j Enter j $ Enter Enter"), (3, "Enter f \"favoriteToy.nam == 'Ball'\""),
    (4, "Enter f \"dateOfBirth > 2017-09-01\" Enter f \"favoriteToy.name == 'Ball'\" Enter"),
    (5, ": \"find 650000000000000000000001\" Enter"),
  ])
  func theDocumentShowsWhatIsThere(_ number: Int, _ keys: String) throws {
    let screens = try Self.screens()
    try #require(screens.count == 6)
    let driver = try Driver(Fixture.path("engine/dogs.realm"))
    driver.press(try KeyText.keys(keys))
    let shown = Self.lines(driver.lines.joined(separator: "\n"))
    // Of a filter while it is typed, only its line and what is below it.
    #expect((screens[number][0].hasPrefix(" filter: ") ? shown.suffix(3) : shown[...]) == screens[number][...])
  }
}
