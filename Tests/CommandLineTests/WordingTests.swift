import ArgumentParser
import Foundation
import RealmHelp
import TestSupport
import Testing

@testable import RealmBrowser
@testable import realmctl

/// The banned words of "Words that users read" in `Docs/Style.md` occur nowhere in text for users.
@Suite struct WordingTests {
  /// What is not said, and what is said instead.
  static let banned: [(pattern: String, instead: String)] = [
    (#"\b[Mm]end(s|ed|ing)?\b"#, "fix"), (#"\b[Aa]new\b"#, "again, new"), (#"\b[Hh]eed(s|ed)?\b"#, "follow"),
    (#"\b[Bb]esides?\b"#, "also; next to"),
    (#"\b(is|are|was|were|be) no (?!longer\b|more than\b)"#, "is not a"),
    (#"\bbrought\b"#, "convert"), (#"\b[Hh]ad\b"#, "has, was"), (#"\bwhere it is told\b"#, "if"),
    (#"\b[Ww]here (there|nothing|none|no|one|FILE|somebody|such) "#, "if, when"),
    (#"\bwhat is\b[^.\n]*\bwhat is\b"#, "a noun"), (#"\bexclude each other\b"#, "cannot be used together"),
    (#"\bmeans? something\b"#, "needs"), (#"\bany more\b"#, "no longer"),
    (#"\b1 (indexes|errors|objects)\b"#, "1 index"),
    (#"(?<!\()\btexts\b"#, "strings, text"),
    (#"\b(holds|held|cannot hold|can hold)\b"#, "has, contains, stores; is true"),
    (#"\b[Ss]t(ands|ood) (for|at|above|below|before|behind|between|in|next|there)\b"#, "is, means"),
    (#"\btold (by|apart)\b"#, "determined from, detected"), (#"\bleads? (to|nowhere)\b"#, "links to, points to"),
    (#", too([.,;:|)]|$)"#, "also"), (#"\b(brings?|bring) [^.]{0,40} to (a|the) (newer|higher|format)"#, "convert"),
    (#"\bfrom 0 on\b"#, "0 or greater"), (#"\b(unsound|not sound|corrupted? realm)\b"#, "damaged"),
    (#"\bmade up\b"#, "invented"), (#"\bsays what becomes of\b"#, "use, set"),
    (#"[a-z]\.; "#, "; without the full stop"),
    (#"\bconsequences?\b"#, "follow-on finding"), (#"\bearlier (snapshot|state|version)s?\b"#, "older snapshot"),
    (#"\bnot there any\b"#, "no longer exists"), (#"\bdo(es)? no harm\b"#, "is ignored, is harmless"),
    (#"\bWhat (a|an|the) [^.|]{0,30} stands\b"#, "means"),
    (#"\b[Ss]um(s|med)? up\b"#, "summarize, total"), (#"\b[Ww]hat becomes of\b"#, "how … change, what to do with"),
    (#"\b(anybody|nobody)'s\b"#, "other"), (#"\bpassed over\b"#, "ignored"),
    (#"\bunderstood as\b"#, "read as, valid"), (#"\bnothing was put back\b"#, "restored"),
    (#"\ba (key|rule)s? of redaction\b"#, "redaction key"),
    (#"\bas usual again\b"#, "restored"), (#"\bhands it to\b"#, "pipes"), (#"\bis nothing that\b"#, "cannot"),
    (#"\b\w*([Cc]olour|[Hh]onour|[Bb]ehaviour|[Nn]eighbour|[Ff]avour)\w*"#, "American spelling"),
    (#"\b\w+(labelled|totalled|gnis(e|es|ed|ing)|alis(e|es|ed|ing|ation))\b"#, "American spelling"),
    (#"\b(exists|exist) already\b"#, "already exists"), (#"\bis not valid at character\b"#, "is not a valid …"),
    (#"\ba number of at least\b"#, "of 0 or greater"),
    (#"--[a-z-]+ needs an? [a-z ]+ and\b"#, "takes FORM, such as EXAMPLE, not 'TYPED'"),
    (#"\bnothing of it\b"#, "not"), (#"\b(go|went|goes) with (others|them)\b"#, "deleted with"),
  ]

  /// Those that are also wrong in a reference; a document that describes bytes may be terse.
  static let bannedInReference = [
    #"\b[Mm]end"#, #"\b[Aa]new\b"#, #"\b[Hh]eed"#, #"(?<![Tt]here )\b(is|are|was|were|be) no (?!longer\b|more\b)"#,
    #"\bleads? (to|nowhere)\b"#,
  ]

  private static let expressions = Result {
    try banned.map { (expression: try NSRegularExpression(pattern: $0.pattern), instead: $0.instead) }
  }

  /// The banned words in a text, each with what surrounds it.
  static func findings(in text: String) throws -> [String] {
    try expressions.get().flatMap { expression, instead in
      let whole = text as NSString
      return expression.matches(in: text, range: NSRange(location: 0, length: whole.length)).map { match in
        let start = max(0, match.range.location - 30)
        let end = min(whole.length, NSMaxRange(match.range) + 30)
        let around = whole.substring(with: NSRange(location: start, length: end - start))
        return "\(around.replacing("\n", with: " ")) [\(instead)]"
      }
    }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Tool.projectFolder.appendingPathComponent(path), encoding: .utf8)
  }

  private static func files(in folder: String, ending: String) throws -> [String] {
    let root = Tool.projectFolder.appendingPathComponent(folder)
    return try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted().filter { $0.hasSuffix(ending) }
      .map { folder + "/" + $0 }
  }

  @Test("the test finds them") func selfTest() throws {
    let texts = [
      "mend the file", "written anew", "this is no key", "brought to format 24", "if it had one", "besides this",
      "where there is one", "ids are told by the index", "numbers, too.", "it leads to this",
      "the format cannot hold it",
      "different texts", "Warned.; use this", "3 consequences", "what is read and what is written",
      "Where no app has one", "class 'A' exists already", "--type needs a property and its type",
      "1 indexes", "it sums up a class", "what becomes of links", "anybody's database",
    ]
    for text in texts { #expect(try !Self.findings(in: text).isEmpty, "\(text)") }
    for text in [
      "a recommended fix", "is no longer there", "no class 'A'", "what is wrong", "where the backup goes", "too many",
      "understands",
    ] {
      #expect(try Self.findings(in: text).isEmpty, "\(text)")
    }
  }

  @Test(arguments: ManualTests.commands) func help(_ command: ManualTests.Command) throws {
    #expect(try Self.findings(in: command.type.helpMessage()) == [])
  }

  @Test func manualAndDocuments() throws {
    // These two name the words. The file format has a style of its own, that of a reference.
    let others: Set = ["Docs/Style.md", "Docs/Glossary.md"]
    let documents =
      try ["README.md", "CHANGELOG.md", "Fixtures/README.md", "Benchmarks/README.md"]
      + Self.files(in: "man", ending: "")
      + Self.files(in: "Docs", ending: ".md").filter { !others.contains($0) && !$0.hasPrefix("Docs/Format/") }
    #expect(documents.count > 30)
    for document in documents { #expect(try Self.findings(in: Self.text(document)) == [], "\(document)") }
  }

  @Test func fileFormat() throws {
    let documents = try Self.files(in: "Docs/Format", ending: ".md")
    #expect(documents.count == 5)
    for document in documents {
      let text = try Self.text(document)
      for pattern in Self.bannedInReference {
        let expression = try NSRegularExpression(pattern: pattern)
        let range = expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text))?.range
        #expect(range == nil, "\(document): \(pattern)")
      }
    }
  }

  /// The literals of a Swift source that are sentences: more than one word.
  private static func literals(of source: String) -> [String] {
    var texts: [String] = []
    var isBlock = false
    for line in source.split(separator: "\n") {
      let code = line.drop { $0 == " " }
      if code.hasPrefix("//") { continue }
      let marks = code.components(separatedBy: "\"\"\"").count - 1
      if isBlock || marks > 0 {
        texts.append(String(code))
        if marks % 2 == 1 { isBlock.toggle() }
      } else {
        // What stands between two quotation marks; an interpolation may cut a text into several.
        let parts = code.replacing("\\\"", with: "'").split(separator: "\"", omittingEmptySubsequences: false)
        texts += parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      }
    }
    return texts.filter { $0.contains(" ") }
  }

  @Test(arguments: [
    "realmctl", "RealmTools", "RealmStorage", "RealmText", "RealmBrowser", "RealmExchange", "RealmMigration",
    "RealmQuery",
    "ManualPages",
  ])
  func messages(target: String) throws {
    let sources = try Self.files(in: "Sources/" + target, ending: ".swift")
    var count = 0
    for source in sources {
      let literals = Self.literals(of: try Self.text(source))
      count += literals.count
      for literal in literals { #expect(try Self.findings(in: literal) == [], "\(source)") }
    }
    #expect(count > 20)
  }

  @Test("an option's help is short, and does not repeat the default", arguments: ManualTests.commands)
  func optionsAreShort(_ command: ManualTests.Command) throws {
    let arguments = try CommandDescription(help: command.type._dumpHelp()).arguments
    #expect(!arguments.isEmpty)
    for argument in arguments {
      let help = argument.abstract
      #expect(help.hasSuffix(".") && help.count <= 60, "\(help)")
      #expect(!help.contains("unless given") && !help.contains("default:"), "\(help)")
    }
    // The terminal wraps paragraphs; lines that are not to be broken fit.
    for line in command.type.configuration.discussion.split(separator: "\n") where line.hasPrefix(" ") {
      #expect(line.count <= 80, "\(line)")
    }
  }

  @Test("an option says what happens without it, and whether it may be repeated", arguments: ManualTests.leaves)
  func defaults(_ command: ManualTests.Command) throws {
    for argument in try CommandDescription(help: command.type._dumpHelp()).arguments where argument.kind == .option {
      let help = argument.abstract + (argument.discussion ?? "")
      let saysDefault = argument.defaultValue != nil || help.contains("by default") || help.contains("Default: ")
      #expect(argument.values.isEmpty || saysDefault, "\(argument.names)")
      if argument.isRepeating { #expect(help.contains("repeatable"), "\(argument.names)") }
    }
  }

  /// Options whose meaning depends on the command, although their name does not.
  private static let ofTheirCommand: Set = [
    "--all", "--allow-data-loss", "--columns", "--create", "--dates", "--dry-run", "--expect", "--file-format",
    "--force",
    "--format", "--internal", "--limit", "--no-keys", "--no-verify", "--output", "--schema", "--schema-version",
    "--set",
    "--show", "--to-version", "--top", "--verify", "--where", "--yes",
  ]

  @Test("an option has one help, whatever the command") func oneHelpForAnOption() throws {
    var helps: [String: Set<String>] = [:]
    for command in ManualTests.leaves {
      for argument in try CommandDescription(help: command.type._dumpHelp()).arguments {
        guard let name = argument.names.last(where: { $0.hasPrefix("--") }) else { continue }
        helps[name, default: []].insert("<\(argument.valueName)> \(argument.abstract)")
      }
    }
    #expect(helps.count > 100)
    for (name, texts) in helps { #expect((texts.count > 1) == Self.ofTheirCommand.contains(name), "\(name): \(texts)") }
  }

  @Test("sizes are in KiB, MiB and GiB") func units() throws {
    let size = /[0-9] ?[kKMGT]B\b/
    for command in ManualTests.commands { #expect(!command.type.helpMessage().contains(size), "\(command)") }
    let documents =
      try ["README.md", "CHANGELOG.md"] + Self.files(in: "man", ending: "")
      + Self.files(in: "Docs", ending: ".md").filter { !$0.hasPrefix("Docs/Format/") }
    for document in documents {
      let text = try Self.text(document)
      #expect(!text.contains(size), "\(document)")
    }
  }

  @Test("the keys in the help of browse are those of the browser") func keysOfBrowse() {
    let lines =
      BrowseCommand.configuration.discussion.components(separatedBy: "Keys:\n").last?
      .components(separatedBy: "\n\n")[0].split(separator: "\n").dropFirst() ?? []
    let named = lines.flatMap { line in
      line.drop { $0 == " " }.components(separatedBy: "   ")[0].components(separatedBy: ", ")
    }
    let general = Bindings.table.filter {
      $0.group != .moving && $0.views != .columns && !$0.keys.contains(.control("l"))
    }
    let known = Set(general.flatMap(\.keys).map { $0.name(.unicode) })
    for name in named { #expect(known.contains(name.trimmingCharacters(in: .whitespaces)), "\(name)") }
    for binding in general {
      let names = binding.keys.map { $0.name(.unicode) }
      let isControl = names.allSatisfy { $0.hasPrefix("^") }
      #expect(isControl || names.contains(where: named.contains), "\(names)")
    }
  }
}
