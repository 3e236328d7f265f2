import Foundation
import TestSupport
import Testing

@testable import RealmBrowser

/// The screens in `Docs/Commands/browse.md` are those of the browser as it is.
@Suite struct DocumentScreenTests {
  /// The blocks that show a screen, without empty lines.
  private static func screens() throws -> [[String]] {
    let project = URL(filePath: Fixture.path("engine/dogs.realm")).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: project.appending(path: "Docs/Commands/browse.md"), encoding: .utf8)
    return page.components(separatedBy: "```\n").filter { $0.hasPrefix(" dogs.realm") }.map(lines)
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      var line = String(line)
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
    .filter { !$0.isEmpty }
  }

  @Test(arguments: [(0, ""), (1, "j Enter"), (2, "j Enter j $ Enter Enter")])
  func theDocumentShowsWhatIsThere(_ number: Int, _ keys: String) throws {
    let screens = try Self.screens()
    try #require(screens.count == 3)
    let driver = try Driver(Fixture.path("engine/dogs.realm"))
    driver.press(try KeyText.keys(keys))
    #expect(Self.lines(driver.lines.joined(separator: "\n")) == screens[number])
  }
}
