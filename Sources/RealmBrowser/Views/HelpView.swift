import RealmPresentation

/// The keys of a view, from the table of keys, and the commands.
final class HelpView: BrowserView {
  let kind = ViewKinds.help
  let crumb = "help"
  let showsCursor = false

  private let context: ViewContext
  private let subject: ViewKinds
  private var lines: [CellText] = []
  private var width = 0

  init(_ context: ViewContext, for subject: ViewKinds) {
    self.context = context
    self.subject = subject
  }

  var rowCount: Int { lines.count }

  func layOut(in area: ScreenSize, visible: Range<Int>) {
    guard area.columns != width else { return }
    width = area.columns
    lines = makeLines()
  }

  private func makeLines() -> [CellText] {
    var lines: [CellText] = []
    let isEditing = context.changes != nil
    let bindings = context.keymap.bindings(in: subject, isEditing: isEditing)
    let names = bindings.map { $0.keys.map { $0.name(context.typography) }.joined(separator: " ") }
    let commands = Commands.help(isEditable: context.canEdit)
    let widest = (names + commands.map(\.usage)).map { context.text($0).width }.max() ?? 0
    let column = min(widest, max(width / 3, 12))
    for group in Binding.Group.allCases {
      let members = zip(names, bindings).filter { $0.1.group == group }
      guard !members.isEmpty else { continue }
      lines.append(context.text(" " + group.rawValue, Style(.heading)))
      for (name, binding) in members { lines += entry(name, binding.help, column) }
      lines.append(context.text())
    }
    lines.append(context.text(" Commands", Style(.heading)))
    for command in commands { lines += entry(command.usage, command.help, column) }
    lines.append(context.text())
    lines += notes
    return lines
  }

  /// A name and what it does, which may take several lines. A long name has one for itself.
  private func entry(_ name: String, _ help: String, _ column: Int) -> [CellText] {
    let isLong = context.text(name).width > column
    let left = context.text(name, Style(.hintKey)).fitted(to: isLong ? max(width - 2, 0) : column)
    let room = max(width - column - 4, 10)
    var alone = context.text("  ", limit: width)
    for cell in left { alone.append(cell.base, cell.style) }
    return (isLong ? [alone] : [])
      + Self.wrapped(help, room).enumerated().map { index, part in
        var line = context.text("  ", limit: width)
        if index == 0, !isLong {
          for cell in left { line.append(cell.base, cell.style) }
        } else {
          line.append(String(repeating: " ", count: column))
        }
        line.append("  " + part)
        return line
      }
  }

  private var notes: [CellText] {
    let texts = [
      "A filter is a query, as in age > 30 AND name BEGINSWITH 'A' (realmctl-rql(7)), or text: in all properties, "
        + "or property: text in one. Text ignores case unless it has a capital letter; quote it to search literally. "
        + "Each further filter narrows what the others show.",
      "\(context.typography.link) is a link to an object, shown by its primary key or #object key. [3] is a list and {3} "
        + "a set or dictionary of 3 elements. Strings are quoted if they could be mistaken for something else.",
      "Dates are in UTC, unless :dates says otherwise. "
        + (context.changes == nil
          ? "The file is never changed" + (context.canEdit ? ", unless :edit turns editing on." : ".")
          : "Changes are in memory until :w writes them."),
    ]
    return texts.flatMap { text in
      Self.wrapped(text, max(width - 2, 10)).map { context.text(" " + $0, .faint) } + [context.text()]
    }
  }

  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line]
  }

  func line(_ row: Int, isCursor: Bool) -> [Cell] {
    lines.indices.contains(row) ? lines[row].fitted(to: width) : []
  }

  func position(_ row: Int) -> String? {
    "line \(row + 1) of \(lines.count)"
  }

  func perform(_ request: Request, at row: Int) -> [Effect]? { request == .help ? [.back] : nil }
  func reload(keeping row: Int) -> Int? { row }
}
