/// A document as `realmctl help` prints it: plain text for a terminal.
struct Chapter {
  /// Markdown.
  let source: String
  /// The names of commands, many of which are also ordinary words: `check`. None in a text where they mean something else.
  let commands: Set<String>
  /// Whether single words of code are names of keys or values, which would read as words of the sentence without quotes.
  let quotesNames: Bool

  /// What a terminal of 80 columns shows without a broken line.
  static let width = 78

  /// The same for code, which is indented by 4 and may reach the last column.
  private static let codeWidth = 76

  var text: String {
    var lines: [String] = []
    for block in Markdown(source).blocks {
      if !lines.isEmpty { lines.append("") }
      switch block {
      case .heading(let level, let text):
        let title = text.replacing("`", with: "")
        lines.append(level == 2 ? title.uppercased() : title)
      case .code(let code, let info):
        lines += Markdown.shown(code, info, width: Self.codeWidth).map { $0.isEmpty ? "" : "    " + $0 }
      case .table(let rows): lines += columns(rows) ?? table(Markdown.labeled(rows))
      case .list(let items):
        for item in items {
          let indent = String(repeating: " ", count: item.mark.count + 1)
          lines += Self.wrapped(inline(item.text), first: item.mark + " ", next: indent)
        }
      case .paragraph(let paragraph): lines += Self.wrapped(inline(paragraph.joined(separator: " ")))
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Three columns or more below their heading, of which the last may have several lines; nil if they are fewer, too wide
  /// for a terminal, or if the heading says nothing.
  private func columns(_ rows: [[String]]) -> [String]? {
    let rows = rows.map { $0.dropLast().map(Self.plain) + $0.suffix(1).map(inline) }
    guard let count = rows.first?.count, count > 2, Markdown.needsHeadings(rows) else { return nil }
    let widths = (0..<count - 1).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    let indent = widths.reduce(2) { $0 + $1 + 2 }
    let longest = rows.compactMap(\.last?.count).max() ?? 0
    guard indent + min(longest, Self.leastLastColumn) <= Self.width else { return nil }
    return rows.flatMap { cells -> [String] in
      let first = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count + 2) }.joined()
      return Self.wrapped(cells.last ?? "", first: "  " + first, next: String(repeating: " ", count: indent))
    }
  }

  /// A last column with less room would have too many lines.
  private static let leastLastColumn = 34

  /// The first cells, followed by the others, or with these below if the first ones are long.
  private func table(_ rows: [[String]]) -> [String] {
    let cells = rows.map { ($0.first.map(term) ?? "", $0.dropFirst().map(inline).filter { !$0.isEmpty }) }
    let longest = cells.map(\.0.count).filter { $0 <= Self.mostTerm }.max() ?? 0
    let indent = String(repeating: " ", count: longest + 4)
    return cells.flatMap { term, others -> [String] in
      let meaning = others.joined(separator: "; ")
      guard term.count <= longest else {
        return Self.wrapped(term, first: "  ", next: "    ") + Self.wrapped(meaning, first: indent, next: indent)
      }
      let first = "  " + term + String(repeating: " ", count: longest - term.count + 2)
      return Self.wrapped(meaning, first: first, next: indent)
    }
  }

  /// A cell that is a sentence has the quotes of one; words of code alone, and the names that a page explains, have none.
  private func term(_ cell: String) -> String {
    if quotesNames { return Self.plain(cell) }
    let isSentence = Self.parts(cell).enumerated().contains {
      $0.offset % 2 == 0 && $0.element.contains(where: \.isLetter)
    }
    return isSentence ? inline(cell) : Self.plain(cell)
  }

  /// Longer first cells have a line of their own.
  private static let mostTerm = 26

  private static func wrapped(_ text: String, first: String = "", next: String = "") -> [String] {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        (line, isEmpty) = (next, true)
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [String(line.reversed().drop { $0 == " " }.reversed())]
  }

  /// Marks of code, links and emphasis go.
  private static func plain(_ text: String) -> String { parts(text).joined() }

  /// The same, with quotes around commands and names, which would otherwise read as words of the sentence.
  private func inline(_ text: String) -> String {
    Self.parts(text).enumerated().map { number, part in
      number % 2 == 1 && (isCommand(part) || isName(part)) && !part.contains("'") ? "'" + part + "'" : part
    }
    .joined()
  }

  private func isCommand(_ code: String) -> Bool {
    let first = String(code.prefix { $0 != " " })
    return first == code
      ? commands.contains(code) || code == "realmctl" : Self.programs.contains(first) || code.contains(/\ --?[a-z]/)
  }

  /// Programs that the documents call.
  private static let programs: Set<String> = [
    "realmctl", "adb", "kill", "lsof", "make", "openssl", "pbpaste", "security", "xxd",
  ]

  /// Words such as `schema dump` and `open FILE`, and a single one if that is the name of a key, class or type.
  private func isName(_ code: String) -> Bool {
    if ["true", "false", "null"].contains(code) { return false }
    return code.wholeMatch(of: /[a-z]+( [a-z]+)* ([a-z]+|[A-Z]+)/) != nil
      || quotesNames && code != code.uppercased()
        && code.wholeMatch(of: /([A-Z]+ |[a-z_]+: )?[A-Za-z_][A-Za-z0-9_-]*(\?|\[\]|<>|\{\})*/) != nil
  }

  private static func parts(_ text: String) -> [String] {
    Markdown.parts(Markdown.withoutLinks(text).replacing("**", with: ""))
  }
}
