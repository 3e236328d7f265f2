import Foundation
import Testing

/// A text that is kept beside the tests and compared as a whole.
///
/// With `REALMCTL_RECORD` set, the file is written anew and the test fails, so that no run both records and passes.
struct ExpectedText {
  private let url: URL

  /// `name` is the file's name in `Schema/Expected`.
  init(_ name: String) {
    url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Expected")
      .appendingPathComponent(name)
  }

  func compare(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws {
    if ProcessInfo.processInfo.environment["REALMCTL_RECORD"] != nil {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url)
      Issue.record("recorded \(url.lastPathComponent)", sourceLocation: sourceLocation)
      return
    }
    let expected = [UInt8](try Data(contentsOf: url))
    #expect(
      expected == bytes, "\(url.lastPathComponent):\n\(String(decoding: bytes, as: UTF8.self))",
      sourceLocation: sourceLocation)
  }
}
