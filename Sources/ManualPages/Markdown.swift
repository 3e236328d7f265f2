/// A document of the project, as far as its pages use Markdown.
struct Markdown {
  enum Block {
    /// Below the title of the document, which is left out: 2 or 3.
    case heading(level: Int, String)
    /// Lines that stay as they are, and the words after the fence.
    case code([String], info: String)
    /// Cells of rows, the heading first; without the line below it.
    case table([[String]])
    /// Items of a list, with their numbers if it has any.
    case list([(mark: String, text: String)])
    /// Lines as the source breaks them.
    case paragraph([String])
  }

  private(set) var blocks: [Block] = []

  init(_ source: String) {
    // The sample is installed; the folders of the project are not.
    var rest = source.replacing("Fixtures/engine/", with: "").split(separator: "\n", omittingEmptySubsequences: false)[
      ...]
    var hasTitle = false
    while let line = rest.popFirst() {
      if line.isEmpty { continue }
      if line.hasPrefix("# ") {
        // Of a second document.
        if hasTitle { blocks.append(.heading(level: 2, String(line.dropFirst(2)))) }
        hasTitle = true
        continue
      }
      if line.hasPrefix("## ") || line.hasPrefix("### ") {
        let level = line.prefix { $0 == "#" }.count
        blocks.append(.heading(level: level, String(line.dropFirst(level + 1))))
      } else if line.hasPrefix("```") {
        var code: [String] = []
        while let next = rest.popFirst(), !next.hasPrefix("```") { code.append(String(next)) }
        blocks.append(.code(code, info: String(line.dropFirst(3))))
      } else if line.hasPrefix("|") {
        var rows = [line]
        while rest.first?.hasPrefix("|") == true { rows.append(rest.removeFirst()) }
        blocks.append(.table((rows.prefix(1) + rows.dropFirst(2)).map(Self.cells)))
      } else if let first = Self.item(line) {
        var items = [first]
        while let next = rest.first, !next.isEmpty, !next.hasPrefix("```") {
          rest.removeFirst()
          if let item = Self.item(next) {
            items.append(item)
          } else {
            items[items.count - 1].text += " " + next.drop { $0 == " " }
          }
        }
        blocks.append(.list(items))
      } else {
        var lines = [String(line)]
        while let next = rest.first, !next.isEmpty, !next.hasPrefix("```"), !next.hasPrefix("|"), Self.item(next) == nil
        {
          lines.append(String(rest.removeFirst()))
        }
        // Where else a page can be read does not concern who reads it there.
        if !lines[0].contains("is also `") { blocks.append(.paragraph(lines)) }
      }
    }
  }

  /// The cells of a row; a bar after a backslash is part of a cell.
  private static func cells(_ row: Substring) -> [String] {
    var cells = [""]
    var isEscaped = false
    for character in row.dropFirst() {
      if character == "|", !isEscaped {
        cells.append("")
      } else if character == "\\", !isEscaped {
        isEscaped = true
        continue
      } else {
        if isEscaped, character != "|" { cells[cells.count - 1].append("\\") }
        cells[cells.count - 1].append(character)
      }
      isEscaped = false
    }
    return cells.dropLast().map { $0.trimming(while: \.isWhitespace) }
  }

  /// Headings that a reader does not need to see.
  private static let plainHeadings: Set<String> = ["", "Type", "Meaning", "Result", "Value", "Example"]

  /// Whether cells after the first could not be understood without their headings.
  static func needsHeadings(_ rows: [[String]]) -> Bool {
    guard let headings = rows.first, headings.count > 2 else { return false }
    return headings.dropFirst().contains { !plainHeadings.contains($0) }
  }

  /// The rows of a table without its headings. If there are several after the first, those that say something stand before
  /// their cells: `Engine: octal, 25. realmctl: 31.`
  static func labeled(_ rows: [[String]]) -> [[String]] {
    guard let headings = rows.first, needsHeadings(rows) else { return Array(rows.dropFirst()) }
    return rows.dropFirst().map { cells in
      let labeled = zip(headings, cells).dropFirst().compactMap { heading, cell -> String? in
        guard !cell.isEmpty else { return nil }
        return (plainHeadings.contains(heading) ? "" : heading + ": ") + cell
          + (cell.hasSuffix(".") || cell.hasSuffix("…`") ? "" : ".")
      }
      return [cells.first ?? "", labeled.joined(separator: " ")]
    }
  }

  /// Lines of code for a page. What a command prints is broken at spaces where it is wider; commands are written to fit.
  static func shown(_ code: [String], _ info: String, width: Int) -> [String] {
    guard info == "console" else { return code }
    return code.flatMap { line -> [String] in
      guard line.count > width, !line.hasPrefix("$ "), !line.hasPrefix("> ") else { return [line] }
      return line.split(separator: " ", omittingEmptySubsequences: false).reduce(into: []) { lines, word in
        if let last = lines.last, last.count + 1 + word.count <= width {
          lines[lines.count - 1] += " " + word
        } else {
          lines.append(String(word))
        }
      }
    }
  }

  /// The parts of a text in turn: plain, code, plain and so on. Code that has back quotes itself is between two of them.
  static func parts(_ text: some StringProtocol) -> [String] {
    let outer = String(text).split(separator: "``", maxSplits: .max, omittingEmptySubsequences: false)
    return outer.enumerated().flatMap { part in
      part.offset % 2 == 0
        ? part.element.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        : [part.element.trimming { $0 == " " }]
    }
  }

  /// `* item` or `1. item`
  private static func item(_ line: Substring) -> (mark: String, text: String)? {
    if line.hasPrefix("* ") || line.hasPrefix("- ") { return ("*", String(line.dropFirst(2))) }
    let number = line.prefix { $0.isNumber }
    guard !number.isEmpty, line.dropFirst(number.count).hasPrefix(". ") else { return nil }
    return (number + ".", String(line.dropFirst(number.count + 2)))
  }

  /// Text with links as their words.
  static func withoutLinks(_ text: some StringProtocol) -> String {
    String(text).replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.1) }
  }
}

extension StringProtocol {
  func trimming(while isOuter: (Character) -> Bool) -> String {
    let start = drop(while: isOuter)
    return String(start.reversed().drop(while: isOuter).reversed())
  }
}
