import RealmPresentation
import RealmStorage

/// The changes that are not written yet, in order: each with the value before and after, and with what else changes.
final class ChangesView: BrowserView {
  let kind = ViewKinds.changes
  let crumb = "changes"

  private let context: ViewContext
  private var area = ScreenSize(columns: 80, rows: 20)

  init(_ context: ViewContext) { self.context = context }

  private var entries: [StagedChanges.Entry] { context.changes?.entries ?? [] }

  /// Lines of a change: what is changed, the value before and after, and what else changes.
  private struct Line {
    var entry: Int
    var sign: Character
    var text: String
  }

  private var lines: [Line] {
    entries.enumerated().flatMap { index, entry -> [Line] in
      var lines = [Line(entry: index, sign: " ", text: context.title(of: entry.edit, label: entry.label))]
      switch entry.edit.change {
      case .create: lines.append(Line(entry: index, sign: "+", text: entry.after))
      case .delete: break
      case .set, .insert, .remove, .move:
        lines.append(Line(entry: index, sign: "-", text: entry.before))
        lines.append(Line(entry: index, sign: "+", text: entry.after))
      }
      let consequences = context.consequences(of: entry)
      if !consequences.isEmpty { lines.append(Line(entry: index, sign: "-", text: consequences)) }
      return lines
    }
  }

  var rowCount: Int { lines.count }
  var emptyText: String { "no changes" }

  func layOut(in area: ScreenSize, visible: Range<Int>) { self.area = area }

  func line(_ row: Int, isCursor: Bool) -> [Cell] {
    let lines = lines
    guard lines.indices.contains(row) else { return [] }
    let line = lines[row]
    var text = context.text(" ", limit: area.columns)
    if line.sign == " " {
      text.append("\(line.entry + 1)  ", Style(.count))
      text.append(line.text, Style(.heading))
    } else {
      text.append("   \(line.sign) ", Style(line.sign == "+" ? .changed : .warning))
      text.append(line.text)
    }
    return context.line(text, width: area.columns, isCursor: isCursor)
  }

  func status(_ row: Int) -> CellText {
    guard !entries.isEmpty else { return context.text("nothing to write", .faint) }
    return context.text(
      CountText.counted(entries.count, "change") + " not written; :w writes, u undoes the last one", .faint)
  }

  func hint(for request: Request, at row: Int) -> Hint {
    request == .open ? (rowCount > 0 ? .text("object") : .none) : .standard
  }

  func perform(_ request: Request, at row: Int) -> [Effect]? {
    guard request == .open else { return nil }
    let lines = lines
    guard lines.indices.contains(row) else { return [] }
    let entry = entries[lines[row].entry]
    guard let key = entry.edit.keys.first ?? entry.made.first?.key,
      let (batch, row) = (try? context.realm.object(at: ObjectAddress(table: entry.edit.table, key: key))) ?? nil
    else { return [.say(.info("the object no longer exists"))] }
    return [.push(ObjectView(context, of: batch, row))]
  }

  func reload(keeping row: Int) -> Int? { clamped(row) }
}
