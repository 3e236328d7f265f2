import RealmPresentation
import RealmStorage

/// The differences between two realms, class by class.
final class DiffView: TableView, WorkingView {
  let kind = ViewKinds.diff
  let crumb: String

  let context: ViewContext
  private let compared: ComparedRealms
  var task: BackgroundTask<RealmChanges>?
  private var rows: [Row] = []
  /// Whether both were read to the end.
  private var isComplete = false
  var table = TextTable()

  private enum Row {
    case schema(String)
    case ofClass(RealmChanges.ClassChanges)
  }

  /// - Parameter compare: compares them; reads both at the same time.
  init(_ context: ViewContext, _ compared: ComparedRealms, _ compare: @escaping BrowserOptions.Comparer) {
    (self.context, self.compared) = (context, compared)
    crumb = "changes from \(compared.oldName) to \(compared.newName)"
    let (old, new) = (compared.old.realm, compared.new.realm)
    let total = [old, new].reduce(0) { sum, realm in
      sum + realm.snapshot.tables.reduce(0) { $0 + ((try? $1.objectCount()) ?? 0) }
    }
    task = context.start("comparing", total: total) { progress, _ in
      // Other threads read both, so that they share no pages with the screen.
      try compare(old.withoutPages(), new.withoutPages(), progress)
    }
  }

  var rowCount: Int { rows.count }
  var emptyText: String { work != nil ? "" : isComplete ? "the same content" : "not compared" }

  func take(_ changes: RealmChanges) -> [Effect] {
    isComplete = true
    rows = changes.schema.map { .schema($0) } + changes.classes.filter { !$0.changes.isEmpty }.map { .ofClass($0) }
    fill(
      [
        .flexible("class", rank: 9), .right("changed", rank: 8), .right("added", rank: 7), .right("removed", rank: 6),
        .right("the same", rank: 5), .flexible("", rank: 1),
      ], rows.map(cells))
    let same = changes.classes.reduce(0) { $0 + $1.equalCount }
    guard rows.isEmpty else { return [] }
    return [.say(.info("the same content: \(CountText.counted(same, "object"))"))]
  }

  private func cells(_ row: Row) -> [CellText] {
    switch row {
    case .schema(let text): return [context.text("schema: " + text, Style(.changed))]
    case .ofClass(let found):
      let counts = found.counts
      func text(_ count: Int) -> CellText { context.text(count == 0 ? "" : CountText.grouped(count), Style(.changed)) }
      return [
        context.text(found.name.description), text(counts.changed), text(counts.added), text(counts.removed),
        context.text(CountText.grouped(found.equalCount), .faint), context.text(found.remark, .faint),
      ]
    }
  }

  func header() -> [[Cell]] { rows.isEmpty ? [] : [table.header()] }

  func line(_ row: Int, isCursor: Bool) -> [Cell] {
    guard rows.indices.contains(row) else { return [] }
    guard case .schema = rows[row], let text = cells(rows[row]).first else {
      return table.line(row, isCursor: isCursor)
    }
    var whole = context.text(" ", limit: table.width)
    whole.append(text)
    return context.line(whole, width: table.width, isCursor: isCursor)
  }

  func status(_ row: Int) -> CellText {
    context.text("older: \(compared.oldName), newer: \(compared.newName)", .faint)
  }

  func perform(_ request: Request, at row: Int) -> [Effect]? {
    guard rows.indices.contains(row) else { return nil }
    switch request {
    case .open:
      guard case .ofClass(let found) = rows[row] else { return [.say(.info("a change of the schema; S shows it"))] }
      return [.push(ClassDiffView(context, compared, found))]
    case .nextChange: return [.move(to: min(row + 1, rows.count - 1))]
    case .previousChange: return [.move(to: max(row - 1, 0))]
    case .copy:
      let text = table.rows.count > row ? cells(rows[row])[0].string : ""
      return [.copy(Array(text.utf8), what: text)]
    default: return nil
    }
  }

  // The compared states do not change.
  func reload(keeping row: Int) -> Int? { row }
}

extension RealmChanges.ClassChanges {
  fileprivate var counts: (changed: Int, added: Int, removed: Int) {
    changes.reduce(into: (0, 0, 0)) { counts, change in
      switch change {
      case .changed: counts.0 += 1
      case .added: counts.1 += 1
      case .removed: counts.2 += 1
      }
    }
  }

  fileprivate var remark: String {
    switch (isInOld, isInNew) {
    case (false, _): "new class"
    case (_, false): "class removed"
    default: ""
    }
  }
}
