import TestSupport
import Testing

@testable import RealmInspection
@testable import RealmStorage

/// Realms that engines themselves leave in odd states; they are only in the corpus.
@Test(arguments: Fixture.all(in: "odd"))
func `what engines leave behind is no error`(_ path: String) throws {
  try leavingUntouched(path) { path in
    let result = try CheckResult(of: Fixture.bytes(ofFile: path))
    #expect(result.findings.filter { $0.severity == .error }.map(\.line) == [])
    for finding in result.findings where finding.severity == .warning {
      #expect(finding.kind == .indexStaleLink)
      #expect(finding.message.contains("--rebuild"))
    }
  }
}
