import BrowserSupport
import RealmPresentation

@testable import RealmBrowser

/// A screen as text for files: each row after a bar; below rows with the focus, a match or damage, a line of marks.
/// Consecutive empty rows are counted.
enum ScreenText {
  static func text(_ grid: CellGrid, caret: ScreenPosition?) -> String {
    var text = ""
    var blank = 0
    func flush() {
      if blank > 0 { text += blank == 1 ? "|\n" : "| (\(blank) blank rows)\n" }
      blank = 0
    }
    for row in 0..<grid.size.rows {
      let marks = marks(grid, row, caret)
      let line = grid.text(ofRow: row)
      if line.isEmpty, marks.isEmpty {
        blank += 1
        continue
      }
      flush()
      text += "|" + line + "\n"
      if !marks.isEmpty { text += " " + marks + "\n" }
    }
    flush()
    return text
  }

  /// The rows that differ from an earlier screen, each with its number, and their marks.
  static func changes(from before: CellGrid, to screen: MemoryScreen) -> String {
    var text = ""
    for row in 0..<screen.grid.size.rows {
      let hasCaret = screen.caret?.row == row
      guard hasCaret || !before.row(row).elementsEqual(screen.grid.row(row)) else { continue }
      let number = row < 10 ? " \(row)" : "\(row)"
      text += number + "|" + screen.grid.text(ofRow: row) + "\n"
      let marks = marks(screen.grid, row, screen.caret)
      if !marks.isEmpty { text += "   " + marks + "\n" }
    }
    return text.isEmpty ? "nothing changes\n" : text
  }

  /// What the browser has requested apart from being drawn, and whether it has ended.
  ///
  /// - Parameter asked: how many requests came before.
  static func outcome(of driver: Driver, from asked: Int) -> String {
    var text = ""
    for request in driver.asked[asked...] {
      switch request {
      case .copy(let bytes): text += "copied: \(String(decoding: bytes.prefix(60), as: UTF8.self))\n"
      case .run(let program): text += "runs: \(program.line)\n"
      case .repaint: text += "painted anew\n"
      case .suspend: text += "stopped\n"
      case .edit(let bytes, _): text += "edited: \(String(decoding: bytes.prefix(60), as: UTF8.self))\n"
      case .askForKey(let path): text += "key of: \(path)\n"
      case .colors(let looks): text += "colors: \(looks.count)\n"
      case .mouse(let isOn): text += "mouse: \(isOn)\n"
      }
    }
    if let ending = driver.browser.ending { text += "left: \(ending)\n" }
    return text
  }

  /// `^` the focus, `-` the row of the cursor next to it, `*` what a search found, `!` damage, `_` where text is typed.
  private static func marks(_ grid: CellGrid, _ row: Int, _ caret: ScreenPosition?) -> String {
    var marks = grid.row(row).map { cell -> Character in
      switch (cell.style.role, cell.style.emphasis) {
      case (.match, _): "*"
      case (.damaged, _): "!"
      case (_, .focus): "^"
      case (_, .row): "-"
      default: " "
      }
    }
    if let caret, caret.row == row, marks.indices.contains(caret.column) { marks[caret.column] = "_" }
    while marks.last == " " { marks.removeLast() }
    return String(marks)
  }
}
