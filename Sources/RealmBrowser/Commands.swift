import RealmPresentation
import RealmStorage
import RealmText

/// The commands that can be typed after `:`.
enum Commands {
  /// One command, for the help and for completion.
  struct Command: Sendable {
    let name: String
    let arguments: String
    let help: String
    /// The kind of an argument.
    var completions: @Sendable (Browser) -> [String] = { _ in [] }
    /// Whether the argument is a filter.
    var takesFilter = false
    /// Whether only the last of several words is completed.
    var completesLastWord = false
    /// Whether the argument may be the name of a file.
    var takesFile = false
    /// Nil if it has no effect in the view on top.
    let run: @Sendable (String, Browser) -> [Effect]?

    /// A command without an argument.
    static func action(_ name: String, _ help: String, _ act: @escaping @Sendable (Browser) -> Void) -> Command {
      Command(name: name, arguments: "", help: help) { _, browser in
        act(browser)
        return []
      }
    }

    var usage: String { ":" + name + (arguments.isEmpty ? "" : " " + arguments) }
  }

  static func help(isEditable: Bool) -> [Command] { [row] + (isEditable ? table : looking) }

  /// Runs a line. If it has no meaning, says how it should look.
  static func run(_ line: String, in browser: Browser) -> [Effect] {
    let (name, argument) = split(line)
    guard !name.isEmpty else { return [] }
    func effects(_ name: String, _ effects: [Effect]?) -> [Effect] {
      effects ?? [.say(.info(":\(name) has no effect in this view; ? lists the commands"))]
    }
    if let number = Int(name) { return effects(name, browser.command(.row(number))) }
    let candidates = table.filter { $0.name.hasPrefix(name) }
    if let command = table.first(where: { $0.name == name }) ?? (candidates.count == 1 ? candidates.first : nil) {
      return effects(command.name, command.run(argument, browser))
    }
    let question = otherNames[name] ?? Similarity.question(about: name, among: table.map(\.name))
    let known =
      candidates.isEmpty
      ? "unknown command '\(name)'; " + (question ?? "? lists the commands")
      : "ambiguous: "
        + candidates.map(\.name).joined(separator: ", ")
    return [.say(.warning(known))]
  }

  /// What to do for names that other programs have.
  private static let otherNames = [
    "exit": "did you mean 'quit'?", "x": "did you mean 'wq'?", "quit!": "did you mean 'q!'?",
    "export": "did you mean 'write'?", "unhide": "U shows all columns", "show": "U shows all columns",
    "where": "did you mean 'filter'?", "goto": "did you mean 'jump'?", "set": "e changes a value",
  ]

  /// - Parameter caret: characters before the caret.
  static func completions(of line: String, at caret: Int, in browser: Browser) -> PromptCompletions {
    guard let blank = line.firstIndex(of: " ") else {
      return .words(table.map(\.name), in: line, from: 0)
    }
    let (name, argument) = split(line)
    guard let command = table.first(where: { $0.name == name }) else { return .none }
    let start = line.distance(from: line.startIndex, to: line[blank...].firstIndex { $0 != " " } ?? line.endIndex)
    if command.completesLastWord, let last = line.lastIndex(of: " ") {
      let place = line.distance(from: line.startIndex, to: line.index(after: last))
      return place > start ? .words(command.completions(browser), in: line, from: place) : .none
    }
    if command.takesFile {
      let typed = String(line.dropFirst(start))
      let words = command.completions(browser).filter { $0.hasPrefix(typed) } + FileNames.completions(of: typed)
      return PromptCompletions(
        range: start..<start + typed.count, candidates: words.map { PromptCompletions.Candidate(text: $0) })
    }
    guard command.takesFilter else { return .words(command.completions(browser), in: line, from: start) }
    return browser.page.view.filterCompletions(of: argument, at: max(caret - start, 0)).shifted(by: start)
  }

  /// The first word, and the rest without blanks at either end.
  private static func split(_ line: String) -> (name: String, argument: String) {
    let trimmed = line.drop { $0 == " " }
    guard let blank = trimmed.firstIndex(of: " ") else { return (String(trimmed), "") }
    let rest = trimmed[blank...].drop { $0 == " " }
    let end = rest.lastIndex { $0 != " " }.map { rest.index(after: $0) } ?? rest.startIndex
    return (String(trimmed[..<blank]), String(rest[..<end]))
  }

  // MARK: The table

  private static let row = Command(
    name: "123", arguments: "", help: "go to row 123", run: { _, _ in [] })

  private static let table = looking + editing

  private static let looking: [Command] = [
    Command(
      name: "open", arguments: "CLASS|FILE", help: "show the objects of a class, or another file in a tab",
      completions: { $0.classNames }, takesFile: true, run: { name, browser in browser.openClassOrFile(name) }),
    Command(name: "close", arguments: "", help: "close this file, if several are open") { _, browser in
      browser.closeTab()
    },
    Command(
      name: "diff", arguments: "[TAB|FILE|previous|OFFSET]",
      help: "compare with another file, or with an older snapshot; alone, with the other tab or the previous snapshot",
      completions: { _ in ["previous"] }, takesFile: true, run: { $1.diff($0) }),
    Command(
      name: "snapshot", arguments: "[live|previous|OFFSET]",
      help: "show another snapshot of the file; alone, list them",
      completions: { _ in ["live", "previous"] }, run: { $1.showSnapshot($0) }),
    Command(
      name: "schema", arguments: "[CLASS]", help: "show the schema", completions: { $0.classNames },
      run: { name, browser in browser.openSchema(name) }),
    Command(
      name: "map", arguments: "", help: "show which class links to which",
      run: { _, browser in [.push(LinkMapView(browser.context))] }),
    Command(name: "jump", arguments: "KEY", help: "jump to a primary key, #object key, or row:123") {
      $1.command(.jump($0))
    },
    Command(
      name: "filter", arguments: "QUERY", help: "show only what matches a query or text; without one, show everything",
      takesFilter: true, run: { $1.command(.filter($0)) }),
    Command(name: "marked", arguments: "", help: "show only what is marked") { $1.command(.marked) },
    Command(name: "find", arguments: "TEXT", help: "look for text, ~regex, a key, a UUID or #object key in all classes")
    {
      $1.find($0)
    },
    Command(
      name: "sort", arguments: "COLUMN [desc]", help: "sort by a column", completions: { $0.columnNames },
      run: { argument, browser in browser.command(sorting(argument)) }),
    Command(
      name: "frequency", arguments: "[COLUMN]", help: "count the values of a column",
      completions: { $0.columnNames }, run: { $1.command(.frequency(column: $0)) }),
    Command(
      name: "columns", arguments: "[LIST]",
      help: "choose columns; or show those named, as in name,*age,city.name, where * keeps one at the left",
      completions: { $0.columnNames }, run: { $1.command(.columns($0)) }),
    Command(
      name: "hide", arguments: "COLUMN", help: "hide a column", completions: { $0.columnNames },
      run: { $1.command(.hide(column: $0)) }),
    Command(
      name: "write", arguments: "FILE", help: "write what is shown, or marked, as CSV, TSV, JSON, NDJSON or SQLite",
      takesFile: true, run: { $1.write(FileNames.path($0), replacing: false) }),
    Command(
      name: "write!", arguments: "FILE", help: "the same, and replace an existing file", takesFile: true,
      run: { $1.write(FileNames.path($0), replacing: true) }),
    Command(name: "command", arguments: "", help: "show the command line that prints the same") {
      $1.showCommandLine()
    },
    Command(
      name: "copy", arguments: "[column]", help: "copy the value, or those of this column in all rows",
      completions: { _ in ["column"] },
      run: { $0.isEmpty ? $1.page.view.perform(.copy, at: $1.page.row) ?? [] : $1.copyColumn($0) }),
    Command(
      name: "width", arguments: "NUMBER", help: "set the width of this column",
      run: { argument, browser in
        guard let width = Int(argument) else { return [.refused("width", takes: "a number", argument)] }
        return browser.command(.width(width))
      }),
    Command(name: "search", arguments: "TEXT", help: "search for text, or, after ~, for a regular expression") {
      $1.search(for: $0)
    },
    Command(name: "help", arguments: "", help: "show the keys of this view") { _, browser in
      [.push(HelpView(browser.context, for: browser.page.view.kind))]
    },
    .action("reload", "reload the file") { $0.reload() },
    Command(
      name: "watch", arguments: "[off]", help: "follow the file: show at once what apps commit",
      completions: { _ in ["on", "off"] },
      run: { word, browser in
        guard ["", "on", "off"].contains(word) else { return [.refused("watch", takes: "on or off", word)] }
        return browser.watch(word != "off")
      }),
    Command(
      name: "dates", arguments: "utc|local|relative", help: "how dates are shown",
      completions: { _ in DateForm.allCases.map(\.rawValue) }, run: { $1.showDates($0) }),
    Command(
      name: "mouse", arguments: "[on|off]", help: "turn the mouse on or off; Shift selects text while it is on",
      completions: { _ in ["on", "off"] }, run: { $1.setMouse($0) }),
    Command(
      name: "key", arguments: "KEY [ACTION|:COMMAND|none]",
      help: "give a key another action, as in :key X find-next; without one, restore the default",
      completions: { _ in Request.byName.keys.sorted() + ["none"] }, completesLastWord: true, run: { $1.setKey($0) }),
    Command(
      name: "color", arguments: "WHAT [COLOR] [on COLOR] [bold]",
      help: "color a part of the screen, as in :color match black on yellow; without a color, restore the default",
      completions: { _ in Role.allCases.map(\.name) }, run: { $1.setColor($0) }),
    Command(name: "save", arguments: "", help: "save keys, colors, mouse and dates for next time") {
      $1.saveSettings()
    },
    .action("quit", "quit") { $0.leaveBrowser() },
    .action("q", "quit") { $0.leaveBrowser() },
  ]

  private static func sorting(_ argument: String) -> ViewCommand {
    guard argument.hasSuffix(" desc") else { return .sort(column: argument, isDescending: false) }
    return .sort(column: String(argument.dropLast(5)), isDescending: true)
  }
}

extension Browser {
  /// Hands a command to the view on top.
  fileprivate func command(_ command: ViewCommand) -> [Effect]? { page.view.perform(command, at: page.row) }

  fileprivate var classNames: [String] {
    context.snapshot.tables.map { $0.schema.displayName.description }.sorted()
  }

  fileprivate var columnNames: [String] { page.view.columnNames }

  fileprivate func openClassOrFile(_ name: String) -> [Effect] {
    guard !name.isEmpty else { return [.say(.warning("name a class or a file, as in :open other.realm"))] }
    guard let table = context.snapshot.table(displayName: RealmString(name)) else {
      let isPath = name.contains("/") || name.contains(".") || SafeOutput.isNameTaken(FileNames.path(name))
      return isPath ? openFile(name) : [unknownClass(name, "no class and no file '\(name)'")]
    }
    return [.push(ObjectsView(context, .table(table.schema.name), crumb: table.schema.displayName.description))]
  }

  fileprivate func openSchema(_ name: String) -> [Effect] {
    if name.isEmpty { return [.push(SchemaView(context, at: nil))] }
    guard let table = context.snapshot.table(displayName: RealmString(name)) else { return [unknownClass(name)] }
    return [.push(SchemaView(context, at: table.schema.name))]
  }

  fileprivate func find(_ text: String) -> [Effect] {
    do throws(PatternError) {
      guard let wanted = try FoundValues.Wanted(text) else {
        return [.refused("find", takes: "text, a key or #object key", text)]
      }
      return [.push(FindView(context, wanted))]
    } catch {
      return [.say(.warning("not a regular expression: \(error)"))]
    }
  }

  private func unknownClass(_ name: String, _ problem: String? = nil) -> Effect {
    let question = Similarity.question(about: name, among: classNames)
    return .say(.warning((problem ?? "no class '\(name)'") + (question.map { "; " + $0 } ?? "")))
  }

  fileprivate func showDates(_ word: String) -> [Effect] {
    guard let form = DateForm(rawValue: word.isEmpty ? "utc" : word) else {
      return [.refused("dates", takes: "utc, local or relative", word)]
    }
    tab.preview = nil
    for tab in tabs {
      tab.context.dates = form
      for page in tab.pages { page.viewport.move(to: page.view.refresh(keeping: page.row) ?? page.row) }
    }
    return [.say(.info("dates: \(form.rawValue)"))]
  }
}
