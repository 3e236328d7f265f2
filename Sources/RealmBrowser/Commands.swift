import RealmStorage

/// What can be typed behind `:`.
enum Commands {
  /// One command, for the help and for completion.
  struct Command: Sendable {
    let name: String
    let arguments: String
    let help: String
    /// What an argument can be.
    var completions: @Sendable (Browser) -> [String] = { _ in [] }
    /// Whether the argument is what a filter takes.
    var takesFilter = false
    let run: @Sendable (String, Browser) -> [Effect]

    var usage: String { ":" + name + (arguments.isEmpty ? "" : " " + arguments) }
  }

  static var help: [Command] { [row] + table }

  /// Runs a line. What it means is said where it means nothing.
  static func run(_ line: String, in browser: Browser) -> [Effect] {
    let (name, argument) = split(line)
    guard !name.isEmpty else { return [] }
    if let number = Int(name) { return browser.command(.row(number)) }
    if let command = table.first(where: { $0.name == name }) { return command.run(argument, browser) }
    let candidates = table.filter { $0.name.hasPrefix(name) }
    if candidates.count == 1, let command = candidates.first { return command.run(argument, browser) }
    let known =
      candidates.isEmpty
      ? "unknown command '\(name)'; ? lists the commands"
      : "ambiguous: "
        + candidates.map(\.name).joined(separator: ", ")
    return [.say(.warning(known))]
  }

  /// - Parameter caret: characters before the caret.
  static func completions(of line: String, at caret: Int, in browser: Browser) -> PromptCompletions {
    guard let blank = line.firstIndex(of: " ") else {
      return .words(table.map(\.name), in: line, from: 0)
    }
    let (name, argument) = split(line)
    guard let command = table.first(where: { $0.name == name }) else { return .none }
    let start = line.distance(from: line.startIndex, to: line[blank...].firstIndex { $0 != " " } ?? line.endIndex)
    guard command.takesFilter else { return .words(command.completions(browser), in: line, from: start) }
    return browser.page.view.filterCompletions(of: argument, at: max(caret - start, 0)).shifted(by: start)
  }

  /// The first word, and what is behind it without blanks at either end.
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

  private static let table: [Command] = [
    Command(
      name: "open", arguments: "CLASS", help: "show the objects of a class", completions: { $0.classNames },
      run: { name, browser in browser.openClass(name) }),
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
      name: "filter", arguments: "QUERY", help: "show only matches, of a query or text; without one show everything",
      takesFilter: true, run: { $1.command(.filter($0)) }),
    Command(name: "marked", arguments: "", help: "show only what is marked") { $1.command(.marked) },
    Command(name: "find", arguments: "TEXT", help: "look for text, a key, a UUID or #object key in all classes") {
      $1.find($0)
    },
    Command(
      name: "sort", arguments: "COLUMN [desc]", help: "sort by a column", completions: { $0.columnNames },
      run: { argument, browser in browser.command(sorting(argument)) }),
    Command(
      name: "frequency", arguments: "[COLUMN]", help: "count the values of a column",
      completions: { $0.columnNames }, run: { $1.command(.frequency(column: $0)) }),
    Command(
      name: "hide", arguments: "COLUMN", help: "hide a column", completions: { $0.columnNames },
      run: { $1.command(.hide(column: $0)) }),
    Command(
      name: "width", arguments: "COLUMNS", help: "set the width of this column",
      run: { argument, browser in
        guard let width = Int(argument) else { return [.say(.warning("width takes a number"))] }
        return browser.command(.width(width))
      }),
    Command(name: "search", arguments: "TEXT", help: "search for text") { $1.search(for: $0) },
    Command(name: "help", arguments: "", help: "show the keys of this view") { _, browser in
      [.push(HelpView(browser.context, for: browser.page.view.kind))]
    },
    Command(name: "reload", arguments: "", help: "reload the file") { _, browser in
      browser.reload()
      return []
    },
    Command(
      name: "mouse", arguments: "[on|off]", help: "turn the mouse on or off", completions: { _ in ["on", "off"] },
      run: { argument, browser in
        browser.setMouse(argument.isEmpty ? !browser.isMouseOn : argument == "on")
        return []
      }),
    Command(name: "quit", arguments: "", help: "quit") { _, browser in
      browser.quit()
      return []
    },
    Command(name: "q", arguments: "", help: "quit") { _, browser in
      browser.quit()
      return []
    },
  ]

  private static func sorting(_ argument: String) -> ViewCommand {
    guard argument.hasSuffix(" desc") else { return .sort(column: argument, isDescending: false) }
    return .sort(column: String(argument.dropLast(5)), isDescending: true)
  }
}

extension Browser {
  /// Hands a command to the view on top.
  fileprivate func command(_ command: ViewCommand) -> [Effect] {
    page.view.perform(command, at: page.row) ?? [.say(.info("this command has no effect in this view"))]
  }

  fileprivate var classNames: [String] {
    context.snapshot.tables.map { $0.schema.displayName.description }.sorted()
  }

  fileprivate var columnNames: [String] { page.view.columnNames }

  fileprivate func openClass(_ name: String) -> [Effect] {
    guard let table = context.snapshot.table(displayName: RealmString(name)) else { return [unknownClass(name)] }
    return [.push(ObjectsView(context, .table(table.schema.name), crumb: table.schema.displayName.description))]
  }

  fileprivate func openSchema(_ name: String) -> [Effect] {
    if name.isEmpty { return [.push(SchemaView(context, at: nil))] }
    guard let table = context.snapshot.table(displayName: RealmString(name)) else { return [unknownClass(name)] }
    return [.push(SchemaView(context, at: table.schema.name))]
  }

  fileprivate func find(_ text: String) -> [Effect] {
    guard let wanted = FoundValues.Wanted(text) else {
      return [.say(.warning("find takes text, a key or #object key"))]
    }
    return [.push(FindView(context, wanted))]
  }

  private func unknownClass(_ name: String) -> Effect { .say(.warning("no class '\(name)'")) }
}
