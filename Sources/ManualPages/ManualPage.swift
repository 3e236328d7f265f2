import RealmHelp

/// One page of the manual. The same definitions give the same bytes; the date is that of the version.
struct ManualPage {
  /// `realmctl-schema-dump`
  let name: String
  private(set) var text = ""

  init(name: String, release: Release) {
    self.name = name
    line(
      ".TH \(Roff.quoted(name.uppercased())) 1 \(Roff.quoted(release.date)) \(Roff.quoted(release.version)) "
        + Roff.quoted("realmctl manual"))
    // Names of commands and options are not broken, and sentences are one space apart, as inside a line.
    line(".nh\n.ad l\n.ss 12 0")
  }

  /// The page of the whole program: what it is, and every command.
  ///
  /// - Parameter messages: the members of errors, warnings and notes in JSON.
  static func overview(of root: CommandDescription, release: Release, messages: JSONMembers?) -> ManualPage {
    var page = ManualPage(name: root.commandName, release: release)
    page.writeName(root)
    page.section("Synopsis")
    for form in [" COMMAND FILE [options]", " help [COMMAND|TOPIC]", " --version [--json]"] {
      page.line(".HP 4\n" + Roff.bold(root.commandName) + Roff.escaped(form))
    }
    let discussion = Discussion(root.discussion)
    page.section("Description")
    page.write(discussion.sections[0].blocks)
    page.section("Commands")
    for command in RelatedPages.inGroups(root.leaves) {
      if let group = RelatedPages.groups[command.fullName] { page.line(".SS " + Roff.quoted(group)) }
      page.line(".TP\n" + Self.reference(pageName(of: command)))
      page.line(Roff.escaped(command.abstract))
    }
    page.writeArguments(root)
    for section in discussion.sections.dropFirst() {
      page.section(section.title ?? "")
      page.write(section.blocks, indent: section.title == Discussion.examples ? nil : 4)
      if section.title == Discussion.exitStatus {
        page.line(".PP\nThe page of each command says which of these it can return, and when.")
      }
    }
    page.writeKeyForms()
    page.writeEnvironment()
    if let messages {
      page.writeMembers(
        messages, "With " + Roff.bold("--json") + ", each error, warning and note is one JSON object on a line. It")
    }
    page.writeSeeAlso(RelatedPages.documents)
    return page
  }

  /// The page of one command.
  ///
  /// - Parameter answer: the members of what it prints with `--json`; nil if that is not JSON.
  static func page(
    of command: CommandDescription, root: CommandDescription, release: Release, answer: JSONMembers?
  ) -> ManualPage {
    var page = ManualPage(name: pageName(of: command), release: release)
    page.writeName(command)
    page.section("Synopsis")
    for form in Synopsis(command).forms { page.line(".HP 4\n" + form) }
    let discussion = Discussion(command.discussion)
    page.section("Description")
    page.write(discussion.sections[0].blocks)
    page.writeArguments(command)
    for section in discussion.sections.dropFirst() {
      page.section(section.title ?? "")
      page.write(section.blocks, indent: section.title == Discussion.examples ? nil : 4)
    }
    if let answer {
      let options = Roff.bold("--json") + (answer.isAboutFiles ? " and " + Roff.bold("-o") : "")
      page.writeMembers(answer, introductions[page.name] ?? "With \(options), the result is JSON. It")
    } else if page.name == "realmctl-sql" {
      page.section("JSON output")
      page.line(
        ".PP\nWith " + Roff.bold("--json")
          + ", each row is a JSON object on a line of its own, with the columns as keys.\n"
          + Roff.bold(".tables") + " and " + Roff.bold(".schema") + " print text.")
    }
    page.writeSeeAlso(RelatedPages.pages(of: page.name, root.commandName))
    return page
  }

  /// For commands that print something else than one object.
  private static let introductions = [
    "realmctl-query": "With " + Roff.bold("--json") + ", one JSON object is printed per line: objects as by\n"
      + Roff.bold("export --format ndjson") + ", groups with " + Roff.bold("--group-by") + ", and object keys with\n"
      + Roff.bold("--keys") + ". With\n" + Roff.bold("--count") + ", "
      + Roff.bold("--exists") + " or "
      + Roff.bold("--explain") + ", the result is one JSON object. It",
    "realmctl-diff": "With " + Roff.bold("--json") + ", one JSON object is printed per line. It",
  ]

  private static func pageName(of command: CommandDescription) -> String {
    command.fullName.split(separator: " ").joined(separator: "-")
  }

  private static func reference(_ page: String, _ section: Int = 1) -> String { Roff.bold(page) + "(\(section))" }

  // MARK: - Parts

  private mutating func writeName(_ command: CommandDescription) {
    section("Name")
    var abstract = command.abstract
    if abstract.hasSuffix(".") { abstract.removeLast() }
    line(Roff.escaped(name) + " \\- " + Roff.escaped(abstract.prefix(1).lowercased() + abstract.dropFirst()))
  }

  /// Arguments, then options, in the sections that the help has: the command's own come first, `--help` last.
  private mutating func writeArguments(_ command: CommandDescription) {
    let arguments = command.arguments.filter { $0.shouldDisplay && $0.sectionTitle == nil }
    let options = arguments.filter { $0.kind != .positional }
    section("Options")
    write(arguments.filter { $0.kind == .positional })
    write(options.filter { !$0.isHelp })
    let titled = command.arguments.filter { $0.shouldDisplay && $0.sectionTitle != nil }
    let titles = titled.reduce(into: [String]()) { titles, argument in
      if let title = argument.sectionTitle, titles.last != title { titles.append(title) }
    }
    for title in titles {
      line(".SS " + Roff.quoted(title))
      write(titled.filter { $0.sectionTitle == title })
    }
    write(options.filter(\.isHelp))
  }

  /// Several arguments. A flag and its inversion, which the parser describes with the same words, get one entry: below the
  /// inversion alone these would say the opposite of what it does.
  private mutating func write(_ arguments: [ArgumentDescription]) {
    var isInversion = false
    for (argument, next) in zip(arguments, arguments.dropFirst().map(Optional.some) + [nil]) {
      if isInversion {
        isInversion = false
        continue
      }
      isInversion = next?.isInversion(of: argument) ?? false
      write(argument, inversion: isInversion ? next : nil)
    }
  }

  private mutating func write(_ argument: ArgumentDescription, inversion: ArgumentDescription?) {
    line(".TP")
    let value = argument.valueName
    let names = (argument.names + (inversion?.names ?? [])).sorted { $0.count < $1.count }
      .map(Roff.bold)
    switch argument.kind {
    case .positional: line(Roff.italic(value.uppercased()))
    case .flag: line(names.joined(separator: ", "))
    case .option: line(names.joined(separator: ", ") + " " + Roff.italic(value.uppercased()))
    }
    line(Roff.escaped(argument.abstract))
    let values = argument.values
    let isDescribed = values.contains { $0.meaning != nil }
    if !values.isEmpty, !isDescribed {
      line("Values: " + values.map { Roff.bold($0.name) }.joined(separator: ", ") + ".")
    }
    if argument.names.contains("--key-file") { line(Self.reference("realmctl") + " describes these forms.") }
    if let defaultValue = argument.defaultValue { line("The default is " + Roff.bold(defaultValue) + ".") }
    if let discussion = argument.discussion { line(Roff.escaped(discussion)) }
    guard isDescribed else { return }
    line(".RS")
    for value in values {
      line(".TP\n" + Roff.bold(value.name))
      line(Roff.escaped(value.meaning ?? ""))
    }
    line(".RE")
  }

  /// The keys that several documents have by their names, the others with their meanings in a few words.
  private mutating func writeMembers(_ members: JSONMembers, _ introduction: String) {
    section("JSON output")
    let shared = members.members.filter { $0.isShared && !$0.isNested }.map { Roff.bold($0.name) }
    let own = members.members.filter { $0.level <= Self.mostLevels && !$0.isKnown }
    line(
      ".PP\n" + introduction + (shared.count == 1 ? " has the key " : " has the keys ")
        + shared.joined(separator: ",\n") + ",")
    line("which " + Self.reference("realmctl-json", 5) + " describes" + (own.isEmpty ? "." : ", and these:"))
    guard !own.isEmpty else { return }
    writeTable(
      own.map { member in
        let parts = members.members.filter { $0.isKnown && $0.parent == member.name }.map(\.key)
        let list = parts.count > Self.mostParts ? "many of the keys above" : parts.joined(separator: ", ")
        return (term: member.name, meaning: member.shortMeaning + (parts.isEmpty ? "" : "; with " + list))
      })
    guard members.members.contains(where: { $0.level > Self.mostLevels && !$0.isKnown }) else { return }
    line(".PP\n" + Self.reference("realmctl-json", 5) + " also describes what is nested deeper.")
  }

  /// Keys that are named after the one they belong to.
  private static let mostParts = 10

  /// Of members inside each other.
  private static let mostLevels = 3

  /// Words and what they mean side by side, without space between the rows.
  private mutating func writeTable(_ rows: [(term: String, meaning: String)]) {
    let width = rows.map(\.term.count).filter { $0 <= Self.mostTerm }.max() ?? Self.mostTerm
    line(".PP\n.PD 0")
    for row in rows {
      line(".TP \(width + 2)\n" + Roff.bold(row.term))
      line(Roff.escaped(row.meaning))
    }
    line(".PD")
  }

  /// Longer words have a line of their own.
  private static let mostTerm = 24

  /// The forms of encryption keys.
  private mutating func writeKeyForms() {
    section("Encryption keys")
    line(
      ".PP\nA key is 64 bytes long. A key file or standard input may contain these bytes themselves, or text; an environment"
    )
    line("variable and the prompt take text. Text has one of these forms:")
    for (form, example) in [
      ("128 hex digits", "such as 000102...; also as 0x0001..., 00:01:02... or <00010203 04050607 ...>"),
      ("Base64", "88 characters, or 86 without padding"),
      ("64 numbers", "such as [0, 1, 2, ...]: 0 to 255, -128 to 127, or 0x00 to 0xff; with any brackets, or none"),
    ] {
      line(".TP\n" + Roff.bold(form))
      line(Roff.escaped(example))
    }
    line(".PP\nA key is never an argument: every process can read arguments.")
  }

  private mutating func writeEnvironment() {
    section("Environment")
    writeTable([
      ("NO_COLOR", "If set and not empty, output has no color unless --color always is given."),
      ("TERM", "If it is dumb, output has no color unless --color always is given."),
      ("LC_ALL, LC_CTYPE, LANG", "If they name a locale other than UTF-8, such as C, browse shows only ASCII."),
      ("COLUMNS", "Width of the help; if not set, that of the terminal."),
      ("TMPDIR", "Folder for temporary files; if not set, /tmp for browse, /var/tmp for everything else."),
      (
        "REALMCTL_MEMORY",
        "Memory for the links, values and index entries of new realms before they can be sorted and written, such as 512MiB; "
          + "256MiB if not set. What needs more goes to encrypted temporary files; keys and indexes of mixed properties stay in memory."
      ),
      ("VISUAL, EDITOR", "Editor that browse opens for long values; vi if neither is set."),
      ("XDG_CONFIG_HOME", "Folder in which browse keeps its settings, as realmctl/browse; ~/.config if not set."),
    ])
  }

  private mutating func writeSeeAlso(_ pages: [String]) {
    section("See also")
    line(Roff.references(pages))
  }

  /// - Parameter indent: of lines below other text; nil in a section that has nothing else.
  private mutating func write(_ blocks: [Discussion.Block], indent: Int? = 4) {
    for block in blocks {
      switch block {
      case .paragraph(let lines):
        line(".PP")
        for text in lines { line(Roff.escaped(text)) }
      case .lines(let lines):
        line(".PP\n" + (indent.map { ".RS \($0)\n" } ?? "") + ".nf")
        for text in lines { line(Roff.escaped(text)) }
        line(".fi" + (indent == nil ? "" : "\n.RE"))
      case .list(let items):
        writeTable(items.map { (term: $0.term, meaning: $0.meaning) })
      }
    }
  }

  // MARK: - Lines

  private mutating func section(_ title: String) { line(".SH " + Roff.quoted(title.uppercased())) }

  private mutating func line(_ line: String) { text += line + "\n" }
}
