import RealmStorage

/// The differences between two realms, class by class.
final class DiffView: BrowserView {
  let kind = ViewKinds.diff
  let crumb: String

  private let context: ViewContext
  private let compared: ComparedRealms
  private var comparing: BackgroundTask<RealmChanges>?
  private var rows: [Row] = []
  /// Whether both were read to the end.
  private var isComplete = false
  private var table: ListTable
  private var width = 80

  private enum Row {
    case schema(String)
    case ofClass(RealmChanges.ClassChanges)
  }

  /// - Parameter compare: compares them; reads both at the same time.
  init(_ context: ViewContext, _ compared: ComparedRealms, _ compare: @escaping BrowserOptions.Comparer) {
    (self.context, self.compared) = (context, compared)
    crumb = "changes from \(compared.oldName) to \(compared.newName)"
    table = ListTable([], context.typography)
    let (old, new) = (compared.old.realm, compared.new.realm)
    let total = [old, new].reduce(0) { sum, realm in
      sum + realm.snapshot.tables.reduce(0) { $0 + ((try? $1.objectCount()) ?? 0) }
    }
    let task = BackgroundTask<RealmChanges>("comparing", total: total) { progress, _ in
      // Other threads read both, so that they share no pages with the screen.
      try compare(old.withoutPages(), new.withoutPages(), progress)
    }
    comparing = task
    task.start(on: context.executor)
  }

  var rowCount: Int { rows.count }
  var emptyText: String { work != nil ? "" : isComplete ? "the same content" : "not compared" }

  private func take(_ changes: RealmChanges) -> [Effect] {
    isComplete = true
    rows = changes.schema.map { .schema($0) } + changes.classes.filter { !$0.changes.isEmpty }.map { .ofClass($0) }
    table = ListTable(
      [
        ListTable.Column(title: "class", rank: 9, isFlexible: true),
        ListTable.Column(title: "changed", alignment: .right, rank: 8),
        ListTable.Column(title: "added", alignment: .right, rank: 7),
        ListTable.Column(title: "removed", alignment: .right, rank: 6),
        ListTable.Column(title: "the same", alignment: .right, rank: 5),
        ListTable.Column(title: "", rank: 1, isFlexible: true),
      ], context.typography)
    for row in rows { table.append(cells(row)) }
    table.layOut(width: width)
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

  func layOut(in area: ScreenSize, visible: Range<Int>) {
    guard area.columns != width else { return }
    width = area.columns
    table.layOut(width: width)
  }

  func header() -> [[Cell]] { rows.isEmpty ? [] : [table.header()] }

  func line(_ row: Int, isCursor: Bool) -> [Cell] {
    guard rows.indices.contains(row) else { return [] }
    guard case .schema = rows[row], let text = cells(rows[row]).first else {
      return table.line(row, isCursor ? .focus : .none)
    }
    var line = context.text(isCursor ? String(context.typography.cursor) : " ", limit: width)
    line.append(text)
    if isCursor { line.emphasize(.focus) }
    return line.fitted(to: width, fill: Style(.plain, isCursor ? .focus : .none))
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
      let text = table.count > row ? cells(rows[row])[0].string : ""
      return [.copy(Array(text.utf8), what: text)]
    default: return nil
    }
  }

  func collect(at row: Int) -> [Effect] {
    guard let task = comparing else { return [] }
    return task.collect(context) {
      comparing = nil
    } finished: { changes in
      take(changes)
    }
  }

  var work: WorkStatus? { comparing?.status }

  func stopWork() {
    comparing?.progress.stop()
    comparing = nil
  }

  // The compared states do not change.
  func refresh(keeping row: Int) -> Int? { row }
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
