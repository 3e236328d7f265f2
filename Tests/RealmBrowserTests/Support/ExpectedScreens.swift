import Foundation
import Testing

@testable import RealmBrowser

/// The screens that are expected stand in files, so that a change of one can be looked at.
///
/// With the environment variable `REALMCTL_WRITE_SCREENS` set, the files are written instead of compared, and the tests
/// fail, so that what was only recorded cannot pass for tested.
enum ExpectedScreens {
  static let sizes = [
    ScreenSize(columns: 80, rows: 24), ScreenSize(columns: 40, rows: 10), ScreenSize(columns: 200, rows: 60),
  ]

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Screens")

  static func expect(_ text: String, named name: String, _ size: ScreenSize) throws {
    let file = folder.appendingPathComponent("\(name)-\(size.columns)x\(size.rows).txt")
    if ProcessInfo.processInfo.environment["REALMCTL_WRITE_SCREENS"] != nil {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      Issue.record(
        "\(file.lastPathComponent) was recorded, not tested; look at the change and run the tests without REALMCTL_WRITE_SCREENS"
      )
      return
    }
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let isAsExpected = text == expected
    #expect(isAsExpected, "\(file.lastPathComponent), \(firstDifference(text, expected))")
  }

  private static func firstDifference(_ text: String, _ expected: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let index = zip(lines, wanted).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lines.count, wanted.count)
    let step = lines[..<index].last { $0.hasPrefix("= ") } ?? ""
    let (found, hoped) = (index < lines.count ? lines[index] : "", index < wanted.count ? wanted[index] : "")
    return "line \(index + 1), after \(step):\nfound    \(found)\nexpected \(hoped)"
  }
}
