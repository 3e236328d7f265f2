/// The longer text of a command, in the form its help has: paragraphs, and headings with indented lines below.
struct Discussion {
  enum Block: Equatable {
    case paragraph([String])
    /// Lines to be shown as they are, e.g. examples.
    case lines([String])
    /// Words and what they mean.
    case list([Item])
  }

  struct Item: Equatable {
    var term: String
    var meaning: String
  }

  struct Section: Equatable {
    /// Nil for what comes before the first heading.
    var title: String?
    var blocks: [Block]
  }

  /// The title of the section of example calls.
  static let examples = "Examples"

  /// The title of the section that lists the statuses a command ends with.
  static let exitStatus = "Exit status"

  private(set) var sections: [Section] = [Section(title: nil, blocks: [])]

  init(_ text: String) {
    for paragraph in text.split(separator: "\n\n") {
      add(paragraph.split(separator: "\n").map(String.init))
    }
  }

  private mutating func add(_ lines: [String]) {
    let introduction = lines.prefix { !$0.hasPrefix(" ") }
    let rest = lines.dropFirst(introduction.count)
    // A line that continues the one above keeps its indent.
    let indent = rest.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    let indented = rest.map { String($0.dropFirst(indent)) }
    if introduction.count == 1, let title = introduction.first, title.hasSuffix(":"), !indented.isEmpty,
      !title.contains(" ") || title == Self.exitStatus + ":"
    {
      sections.append(Section(title: String(title.dropLast()), blocks: []))
    } else if !introduction.isEmpty {
      append(.paragraph(Array(introduction)))
    }
    guard !indented.isEmpty else { return }
    let items = indented.compactMap(Item.init(line:))
    append(items.count == indented.count ? .list(items) : .lines(indented))
  }

  private mutating func append(_ block: Block) {
    sections[sections.count - 1].blocks.append(block)
  }
}

extension Discussion.Item {
  /// `term  meaning`, with two spaces or more between them.
  init?(line: String) {
    guard !line.hasPrefix(" "), let gap = line.firstRange(of: "  ") else { return nil }
    term = String(line[..<gap.lowerBound])
    meaning = String(line[gap.upperBound...].drop { $0 == " " })
  }
}
