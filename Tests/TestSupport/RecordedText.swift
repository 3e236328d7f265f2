import Foundation

/// A text that is kept next to the tests, so that it can be compared as a whole, and changes of it can be reviewed.
///
/// With `REALMCTL_RECORD` set, the file is rewritten and the test fails, so that no run both records and passes.
package struct RecordedText {
  private let file: URL

  /// - Parameters:
  ///   - name: of the file, in `folder`.
  ///   - folder: next to the test's own file.
  package init(_ name: String, in folder: String, of test: StaticString) {
    file = URL(fileURLWithPath: "\(test)").deletingLastPathComponent().appendingPathComponent(folder)
      .appendingPathComponent(name)
  }

  /// What is wrong with a text; nil if it is the recorded one.
  package func problem(with bytes: [UInt8]) throws -> String? {
    if ProcessInfo.processInfo.environment["REALMCTL_RECORD"] != nil {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
      return "\(file.lastPathComponent) was recorded, not tested; look at the change and run without REALMCTL_RECORD"
    }
    let expected = [UInt8](try Data(contentsOf: file))
    return expected == bytes ? nil : "\(file.lastPathComponent), \(Self.firstDifference(bytes, expected))"
  }

  private static func firstDifference(_ text: [UInt8], _ expected: [UInt8]) -> String {
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let wanted = String(decoding: expected, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let index = zip(lines, wanted).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lines.count, wanted.count)
    // The keys before a screen identify it in a session.
    let step = lines[..<index].last { $0.hasPrefix("= ") } ?? ""
    let (found, hoped) = (index < lines.count ? lines[index] : "", index < wanted.count ? wanted[index] : "")
    return "line \(index + 1), after \(step):\nfound    \(found)\nexpected \(hoped)"
  }
}
