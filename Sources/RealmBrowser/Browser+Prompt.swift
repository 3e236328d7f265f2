import RealmPresentation

/// The prompt: a line at the bottom, with the candidates of Tab above it. A prompt that checks its text has two more
/// lines below it: marks under the mistake, and the reason.
extension Browser {
  /// The number of rows of the prompt, in addition to the two for status and hints.
  var promptRows: Int { prompt?.hasNote == true ? 1 : 0 }

  private var promptRow: Int { size.rows - 1 - (prompt?.hasNote == true ? 2 : 0) }

  /// Where text is being typed.
  package var caret: ScreenPosition? {
    guard let prompt, !isTooSmall else { return nil }
    return ScreenPosition(column: layout(of: prompt).caret, row: promptRow)
  }

  func draw(_ prompt: Prompt, _ grid: inout CellGrid) {
    let layout = layout(of: prompt)
    grid.put(layout.line, at: ScreenPosition(column: 0, row: promptRow))
    if let note = prompt.note { draw(note, prompt, layout, &grid) }
    if let (list, index) = prompt.completing { draw(list, index, layout, &grid) }
  }

  /// The prompt's line, scrolled so that it shows the caret.
  private struct Layout {
    var line: [Cell]
    /// Its column.
    var caret: Int
    /// The width of the label in columns.
    var label: Int
    /// The number of columns of the text that are out of sight at the left.
    var scrolled: Int
  }

  private func layout(of prompt: Prompt) -> Layout {
    let label = context.text(" " + prompt.label, Style(.hintKey))
    let before = context.text(String(prompt.text[..<prompt.caret]), limit: 1 << 16)
    let after = context.text(String(prompt.text[prompt.caret...]), limit: 1 << 16)
    let room = max(size.columns - label.width - 1, 1)
    let shown = before.width > room ? before.fittedAtEnd(to: room) : before.cells
    return Layout(
      line: label.cells + shown + after.cells, caret: min(label.width + shown.count, size.columns - 1),
      label: label.width, scrolled: before.width - shown.count)
  }

  /// The column of a character of the text; the nearest one on the screen for those that are not.
  private func column(of index: Int, in prompt: Prompt, _ layout: Layout) -> Int {
    let width = context.text(String(prompt.text[..<min(index, prompt.text.count)]), limit: 1 << 16).width
    return min(max(layout.label + width - layout.scrolled, layout.label), size.columns - 1)
  }

  private func draw(_ note: PromptNote, _ prompt: Prompt, _ layout: Layout, _ grid: inout CellGrid) {
    let style: Style
    switch note.kind {
    case .meaning: style = .faint
    case .unfinished: style = Style(.message)
    case .error: style = Style(.warning)
    }
    if let mark = note.mark {
      let start = column(of: mark.lowerBound, in: prompt, layout)
      let end = max(column(of: mark.upperBound, in: prompt, layout), start + 1)
      let sign = "^" + String(repeating: "~", count: end - start - 1)
      grid.put(context.text(sign, style).cells, at: ScreenPosition(column: start, row: size.rows - 2))
    }
    // Why Enter did nothing, where there is no text that a note could be about.
    let refusal = message.flatMap { $0.isWarning ? $0.text : nil }
    let text = prompt.text.isEmpty ? refusal ?? prompt.advice(context.typography) : note.text
    grid.put(
      context.text(" " + text, style).fitted(to: size.columns), at: ScreenPosition(column: 0, row: size.rows - 1))
  }

  private static let mostCandidates = 8

  /// The candidates near the one that is in the text, shown above the status line or the prompt.
  private func draw(_ list: PromptCompletions, _ index: Int, _ layout: Layout, _ grid: inout CellGrid) {
    let bottom = promptRow - (prompt?.hasNote == true ? 0 : 1)
    let count = list.candidates.count
    // The path and a line of the view stay visible.
    let height = min(count, Self.mostCandidates, bottom - 2)
    guard height > 0 else { return }
    let first = min(max(index - height / 2, 0), count - height)
    let widest = list.candidates.map { context.text($0.text).width }.max() ?? 0
    let width = min(widest, size.columns - 4)
    for (place, candidate) in list.candidates[first..<first + height].enumerated() {
      let isChosen = first + place == index
      var line = [isChosen ? Cell(context.typography.cursor) : .blank()]
      line += context.text(candidate.text).fitted(to: width) + [.blank(), .blank()]
      let number = isChosen ? "\(index + 1) of \(count) " : ""
      let room = size.columns - line.count - number.utf8.count
      line += context.text(candidate.detail, Style(.type)).fitted(to: max(room, 0))
      line += context.text(number, .faint).cells
      if isChosen { for cell in line.indices { line[cell].style.emphasis = .focus } }
      grid.put(line, at: ScreenPosition(column: 0, row: bottom - height + place))
    }
  }
}
