/// A manual page made of documents of the project: headings, paragraphs, tables, lists and blocks of lines of Markdown.
struct DocumentPage {
  /// `realmctl-schema`
  let name: String
  let section: Int
  /// The text after the name in the list of pages.
  let summary: String
  let version: String
  /// `2026-01-31`; empty for none.
  let date: String
  /// Markdown.
  let source: String
  /// Other pages, with their sections: `realmctl-migrate(1)`.
  let related: [String]

  var text: String {
    var lines = [
      ".TH \(Roff.quoted(name.uppercased())) \(section) \(Roff.quoted(date)) \(Roff.quoted(version)) \"realmctl manual\"",
      ".nh", ".ad l", ".ss 12 0", ".SH \"NAME\"", "\(Roff.escaped(name)) \\- \(Roff.escaped(summary))",
      ".SH \"DESCRIPTION\"",
    ]
    for block in Markdown(source).blocks {
      switch block {
      case .heading(let level, let text):
        let title = text.replacing("`", with: "")
        lines.append((level == 2 ? ".SH " : ".SS ") + Roff.quoted(level == 2 ? title.uppercased() : title))
      case .code(let code, let info):
        let shown = Markdown.shown(code, info, width: Self.codeWidth).map(Roff.escaped)
        lines += [".PP", ".RS \(Self.codeIndent)", ".nf"] + shown + [".fi", ".RE"]
      case .table(let rows): lines += Markdown.labeled(rows).flatMap(Self.row)
      case .list(let items):
        lines += items.flatMap { [$0.mark == "*" ? ".IP \\(bu 2" : ".IP \($0.mark) 4", Self.inline($0.text)] }
      case .paragraph(let paragraph): lines += [".PP", Self.inline(paragraph.joined(separator: "\n"))]
      }
    }
    lines += [".SH \"SEE ALSO\"", Roff.references(related)]
    return lines.joined(separator: "\n") + "\n"
  }

  /// How far code is indented.
  private static let codeIndent = 2

  /// What a terminal of 80 columns has left for code, whose text is indented by 7.
  private static let codeWidth = 71

  /// A tagged paragraph.
  private static func row(_ cells: [String]) -> [String] {
    [".TP", inline(cells.first ?? ""), inline(cells.dropFirst().filter { !$0.isEmpty }.joined(separator: "; "))]
  }

  /// Code in bold; links by their text; no other marks.
  private static func inline(_ text: some StringProtocol) -> String {
    Markdown.parts(Markdown.withoutLinks(text)).enumerated().map { part in
      part.offset % 2 == 0
        ? Roff.escaped(part.element.replacing("**", with: "")) : Roff.bold(part.element)
    }
    .joined()
  }
}
