import RealmInspection
import RealmStorage

/// The result of a check.
package struct CheckResult {
  package let findings: [Finding]
  package let summary: CheckSummary

  package init(of bytes: [UInt8], limit: Int = 100, threadCount: Int = 1) throws {
    try self.init(of: ByteStore(copying: bytes), limit: limit, threadCount: threadCount)
  }

  package init(of store: ByteStore, limit: Int = 100, threadCount: Int = 1) throws {
    var findings: [Finding] = []
    var options = Checker.Options(mostFindingsPerKind: limit)
    options.threadCount = threadCount
    summary = try Checker(store, options: options).run { findings.append($0) }
    self.findings = findings
  }

  /// The findings that count: all except notes.
  package var faults: [String] { findings.filter { $0.severity != .note }.map(\.line) }
}

extension Finding {
  /// Kind and sentence, for failing tests.
  package var line: String { "\(severity.rawValue) \(kind.rawValue): \(message)" }
}
