import Foundation
import TestSupport
import Testing

/// Errors decide, words only tell: no code looks into the text of a message.
@Suite struct MessageUseTests {
  /// Files that read what another program says, which has no other form, or how many lines a text has.
  private static let readers: Set = [
    // SQLite
    "Sources/RealmExchange/SQL/SQLSession.swift",
    // A list, which has a line for each of its parts, is not continued with a clause.
    "Sources/realmctl/Process/PlanSource.swift",
  ]

  /// What holds text for users, by name.
  private static let text =
    #"\b(?:\w*[mM]essage|\w*[pP]roblem|\w*[aA]dvice|\w*[dD]etail|\w*[fF]act|\w*[rR]eason|"#
    + #"(?:error|failure|violation|fault|problem|cause|mistake)\.description)\b"#

  private static let uses: [String] = [
    text + #"\)?[?!]?\.(?:hasPrefix|hasSuffix|contains|firstMatch|wholeMatch|prefixMatch|firstRange|ranges)\b"#
      + #"(?!\(where: \\)"#,
    text + #"\)?[?!]?\s*[!=]=\s*(?:"|[\w.(): ]*\b(?:description|\w*[mM]essage|\w*[aA]dvice|\w*Text)\b)"#,
    #"\.contains\([\w.]*"# + text + #"\)"#,
    // Its own errors would lose what they are in the parser's.
    #"\bthrow ValidationError\b"#,
  ]

  private static func isUse(_ line: some StringProtocol) -> Bool {
    uses.contains { line.range(of: $0, options: .regularExpression) != nil }
  }

  @Test func noMessageIsLookedInto() throws {
    let sources = Tool.projectFolder.appendingPathComponent("Sources")
    var found: Set<String> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
      let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      if lines.contains(where: Self.isUse) { found.insert("Sources/" + path) }
    }
    #expect(found == Self.readers)
  }

  @Test func theTestFindsThem() {
    for line in [
      #"if diagnostic.advice?.contains("'recover'") == true {"#, #"guard message.hasPrefix("Missing ") else {"#,
      "problem == KeyProblem.wrong(fileSize: 0).description", "[a, b].map(\\.description).contains(problem)",
      #"["is not"].contains(where: error.fact.hasSuffix)"#,
      #"if message == "incomplete input" {"#, "error.description.firstMatch(of: /x/)",
    ] {
      #expect(Self.isUse(line), "\(line)")
    }
    for line in [
      "guard error.problem == .missing else {", #"if text.contains(".") {"#, "var message: String { problem + advice }",
      #"name.description.contains("(")"#, "if problem == nil {",
    ] {
      #expect(!Self.isUse(line), "\(line)")
    }
  }
}
