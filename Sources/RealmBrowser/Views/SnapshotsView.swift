import RealmPresentation
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
final class SnapshotsView: TableView, WorkingView {
  let kind = ViewKinds.snapshots
  let crumb = "snapshots"

  let context: ViewContext
  private let list: BrowserOptions.SnapshotLister
  private let choose: (ListedSnapshot) -> [Effect]
  var task: BackgroundTask<[ListedSnapshot]>?
  private var snapshots: [ListedSnapshot]?
  var table = TextTable()

  /// - Parameter choose: shows a snapshot in place of this view.
  init(
    _ context: ViewContext, _ list: @escaping BrowserOptions.SnapshotLister,
    choose: @escaping (ListedSnapshot) -> [Effect]
  ) {
    (self.context, self.list, self.choose) = (context, list, choose)
    start()
  }

  private func start() {
    let (list, realm) = (list, context.realm)
    task = context.start("comparing", total: 0) { progress, _ in try list(realm, progress) }
  }

  var rowCount: Int { snapshots?.count ?? 0 }
  var emptyText: String { work != nil ? "" : "not listed" }

  private func isShown(_ snapshot: ListedSnapshot) -> Bool {
    snapshot.version == context.snapshot.version && snapshot.topRef == context.snapshot.topRef
  }

  // MARK: Drawing

  private func makeTable() {
    fill(
      [
        .right("version", rank: 9), .right("root", rank: 6), .right("size", rank: 5), .right("objects", rank: 7),
        .left("state", rank: 8), .flexible("changes", rank: 4),
      ], (snapshots ?? []).map(cells))
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

  func header() -> [[Cell]] { rowCount == 0 ? [] : [table.header()] }

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

  func take(_ result: [ListedSnapshot]) -> [Effect] {
    snapshots = result
    makeTable()
    return result.firstIndex(where: isShown).map { [.move(to: $0)] } ?? []
  }

  func reload(keeping row: Int) -> Int? {
    stopWork()
    start()
    return row
  }
}
