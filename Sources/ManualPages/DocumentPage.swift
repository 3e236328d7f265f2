/// A manual page made of a document of the project: headings, paragraphs, tables, lists and blocks of lines of Markdown.
struct DocumentPage {
  /// `realmctl-schema`
  let name: String
  let section: Int
  /// What stands behind the name in the list of pages.
  let summary: String
  let version: String
  /// Markdown.
  let source: String

  var text: String {
    var lines = [
      ".TH \(Roff.quoted(name.uppercased())) \(section) \"\" \(Roff.quoted(version)) \"realmctl manual\"",
      ".SH \"NAME\"", "\(Roff.escaped(name)) \\- \(Roff.escaped(summary))", ".SH \"DESCRIPTION\"",
    ]
    var rest = source.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = rest.popFirst() {
      if line.hasPrefix("# ") || line.isEmpty { continue }
      if line.hasPrefix("## ") {
        lines.append(".SH \(Roff.quoted(line.dropFirst(3).uppercased()))")
      } else if line.hasPrefix("```") {
        lines += [".PP", ".RS 4", ".nf"]
        while let code = rest.popFirst(), !code.hasPrefix("```") { lines.append(Roff.escaped(code)) }
        lines += [".fi", ".RE"]
      } else if line.hasPrefix("|") {
        var rows = [line]
        while let row = rest.first, row.hasPrefix("|") {
          rows.append(row)
          rest.removeFirst()
        }
        lines += Self.table(rows)
      } else {
        var paragraph = String(line)
        while let next = rest.first, !next.isEmpty, !next.hasPrefix("```"), !next.hasPrefix("|") {
          paragraph += "\n" + next
          rest.removeFirst()
        }
        lines += [".PP", Self.inline(paragraph)]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Rows as tagged paragraphs; the heading and the line below it are left out.
  private static func table(_ rows: [Substring]) -> [String] {
    rows.dropFirst(2).flatMap { row in
      let cells = row.split(separator: "|").map { $0.trimming(while: \.isWhitespace) }.filter { !$0.isEmpty }
      return [".TP", inline(cells.first ?? ""), inline(cells.dropFirst().joined(separator: "; "))]
    }
  }

  /// Code in bold; links by their text.
  private static func inline(_ text: some StringProtocol) -> String {
    let text = String(text).replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.1) }
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().map { $0.offset % 2 == 0 ? Roff.escaped($0.element) : Roff.bold(String($0.element)) }
      .joined()
  }
}

extension StringProtocol {
  fileprivate func trimming(while isOuter: (Character) -> Bool) -> String {
    let start = drop(while: isOuter)
    return String(start.reversed().drop(while: isOuter).reversed())
  }
}
