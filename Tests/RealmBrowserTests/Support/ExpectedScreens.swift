import TestSupport
import Testing

@testable import RealmBrowser

/// The expected screens are in files.
enum ExpectedScreens {
  static let sizes = [
    ScreenSize(columns: 80, rows: 24), ScreenSize(columns: 40, rows: 10), ScreenSize(columns: 200, rows: 60),
  ]

  static func expect(_ text: String, named name: String, _ size: ScreenSize) throws {
    let recorded = RecordedText("\(name)-\(size.columns)x\(size.rows).txt", in: "../Screens", of: #filePath)
    #expect(try recorded.problem(with: Array(text.utf8)) == nil)
  }
}
