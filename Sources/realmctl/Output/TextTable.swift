/// Columns of text for people to read.
struct TextTable {
  struct Column {
    enum Alignment { case left, right }

    var title: String
    var alignment: Alignment

    static func left(_ title: String) -> Column { Column(title: title, alignment: .left) }
    static func right(_ title: String) -> Column { Column(title: title, alignment: .right) }
  }

  var columns: [Column]
  /// Each with one cell per column.
  var rows: [[String]]

  /// The table, titles first. Columns without any text are left out; no line ends with spaces.
  func lines(_ pen: Pen) -> [String] {
    let shown = columns.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    let widths = shown.map { column in
      rows.reduce(columns[column].title.count) { max($0, $1[column].count) }
    }
    func line(_ cells: [String]) -> String {
      var line = ""
      for (column, width) in zip(shown, widths) {
        if !line.isEmpty || column != shown.first { line += "  " }
        let padding = String(repeating: " ", count: max(0, width - cells[column].count))
        line += columns[column].alignment == .left ? cells[column] + padding : padding + cells[column]
      }
      while line.last == " " { line.removeLast() }
      return line
    }
    return [pen.bold(line(columns.map(\.title)))] + rows.map(line)
  }
}
