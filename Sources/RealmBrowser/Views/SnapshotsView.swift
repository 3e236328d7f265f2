import RealmStorage
import RealmText

/// A snapshot that is in a file, as `history` lists it.
package struct ListedSnapshot: Sendable {
  package let choice: SnapshotChoice
  package let version: UInt64
  /// The position of its root; nil for a file without content.
  package let topRef: UInt64?
  package let byteCount: UInt64
  /// Nil if they cannot be counted.
  package let objectCount: Int?
  /// The reason why it exists, such as `previous`.
  package let state: String
  /// The differences to the next older one.
  package let changes: String
  package let isDamaged: Bool

  package init(
    _ choice: SnapshotChoice, version: UInt64, topRef: UInt64?, byteCount: UInt64, objectCount: Int?, state: String,
    changes: String, isDamaged: Bool
  ) {
    self.choice = choice
    (self.version, self.topRef, self.byteCount, self.objectCount) = (version, topRef, byteCount, objectCount)
    (self.state, self.changes, self.isDamaged) = (state, changes, isDamaged)
  }
}

/// The snapshots in the file, newest first; Enter shows one.
final class SnapshotsView: BrowserView {
  let kind = ViewKinds.snapshots
  let crumb = "snapshots"

  private let context: ViewContext
  private let list: BrowserOptions.SnapshotLister
  private let choose: (ListedSnapshot) -> [Effect]
  private var listing: BackgroundTask<[ListedSnapshot]>?
  private var snapshots: [ListedSnapshot]?
  private var table: ListTable
  private var width = 80

  /// - Parameter choose: shows a snapshot in place of this view.
  init(
    _ context: ViewContext, _ list: @escaping BrowserOptions.SnapshotLister,
    choose: @escaping (ListedSnapshot) -> [Effect]
  ) {
    (self.context, self.list, self.choose) = (context, list, choose)
    table = ListTable([], context.typography)
    start()
  }

  private func start() {
    let (list, realm) = (list, context.realm)
    let task = BackgroundTask<[ListedSnapshot]>("comparing", total: 0) { progress, _ in try list(realm, progress) }
    listing = task
    task.start(on: context.executor)
  }

  var rowCount: Int { snapshots?.count ?? 0 }
  var emptyText: String { work != nil ? "" : "not listed" }

  private func isShown(_ snapshot: ListedSnapshot) -> Bool {
    snapshot.version == context.snapshot.version && snapshot.topRef == context.snapshot.topRef
  }

  // MARK: Drawing

  private func makeTable() {
    table = ListTable(
      [
        ListTable.Column(title: "version", alignment: .right, rank: 9),
        ListTable.Column(title: "root", alignment: .right, rank: 6),
        ListTable.Column(title: "size", alignment: .right, rank: 5),
        ListTable.Column(title: "objects", alignment: .right, rank: 7),
        ListTable.Column(title: "state", rank: 8),
        ListTable.Column(title: "changes", rank: 4, isFlexible: true),
      ], context.typography)
    for snapshot in snapshots ?? [] { table.append(cells(snapshot)) }
    table.layOut(width: width)
  }

  private func cells(_ snapshot: ListedSnapshot) -> [CellText] {
    var state = context.text(snapshot.state)
    if isShown(snapshot) { state.append(", shown", Style(.title)) }
    return [
      context.text("\(snapshot.version)"), context.text(snapshot.topRef.map { "\($0)" } ?? ""),
      context.text(ByteCount.short(snapshot.byteCount)),
      context.text(snapshot.objectCount.map { CountText.grouped($0) } ?? "?"), state,
      context.text(snapshot.changes, Style(snapshot.isDamaged ? .damaged : .plain)),
    ]
  }

  func layOut(in area: ScreenSize, visible: Range<Int>) {
    guard area.columns != width else { return }
    width = area.columns
    table.layOut(width: width)
  }

  func header() -> [[Cell]] { rowCount == 0 ? [] : [table.header()] }
  func line(_ row: Int, isCursor: Bool) -> [Cell] { table.line(row, isCursor ? .focus : .none) }

  func status(_ row: Int) -> CellText {
    guard let snapshots, snapshots.indices.contains(row) else { return context.text() }
    if isShown(snapshots[row]) { return context.text("this snapshot is shown", .faint) }
    guard row > 0 else { return context.text("the newest", .faint) }
    return context.text(
      "Enter shows it" + (snapshots[row].topRef.map { "; :diff \($0) compares with it" } ?? ""), .faint)
  }

  // MARK: Requests

  func perform(_ request: Request, at row: Int) -> [Effect]? {
    guard let snapshots, snapshots.indices.contains(row) else { return nil }
    let snapshot = snapshots[row]
    switch request {
    case .open: return choose(snapshot)
    case .copy:
      let text = "\(snapshot.topRef ?? 0)"
      return [.copy(Array(text.utf8), what: "root \(text)")]
    default: return nil
    }
  }

  func collect(at row: Int) -> [Effect] {
    guard let task = listing else { return [] }
    return task.collect(context) {
      listing = nil
    } finished: { result in
      snapshots = result
      makeTable()
      return result.firstIndex(where: isShown).map { [.move(to: $0)] } ?? []
    }
  }

  var work: WorkStatus? { listing?.status }

  func stopWork() {
    listing?.progress.stop()
    listing = nil
  }

  func refresh(keeping row: Int) -> Int? { row }

  func reload(keeping row: Int) -> Int? {
    stopWork()
    start()
    return row
  }
}
