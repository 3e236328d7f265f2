import RealmPresentation
import RealmQuery
import RealmStorage

/// Something to tell the user in one line.
struct Message: Equatable {
  var text: String
  var isWarning = false

  static func info(_ text: String) -> Message { Message(text: text) }
  /// The end of a search that found nothing.
  static func failure(_ text: String, _ damage: DamageTally) -> Message {
    damage.text.map { .warning(text + "; " + $0) } ?? .info(text)
  }

  /// The message of a search that wrapped around an end; nil for one that did not.
  static func wrapped(from start: Int, to found: Int, _ direction: SearchDirection) -> Message? {
    switch direction {
    case .forwards: found < start ? .info("search continued from the top") : nil
    case .backwards: found > start ? .info("search continued from the end") : nil
    }
  }

  /// The result of a search that has ended.
  static func ofSearch(from start: Int, to found: Int?, _ direction: SearchDirection) -> [Effect] {
    guard let found else { return [.say(.info("not found"))] }
    return [.move(to: found)] + (wrapped(from: start, to: found, direction).map { [.say($0)] } ?? [])
  }

  static func warning(_ text: String) -> Message { Message(text: text, isWarning: true) }
}

extension BackgroundTask {
  /// What a view does when work has ended.
  ///
  /// - Parameter end: called first; not called while the work continues.
  func collect(
    _ context: ViewContext, end: () -> Void, finished: (Output) -> [Effect]
  ) -> [Effect] {
    let state = state
    if case .running = state { return [] }
    end()
    return switch state {
    case .running, .stopped: []
    case .finished(let output): finished(output)
    case .failed(let error): [.say(context.message(error))]
    }
  }
}

/// What a view wants to happen, apart from its own changes.
enum Effect {
  case push(any BrowserView)
  /// Close this view and show another one in its place.
  case replace(any BrowserView)
  case back
  case say(Message)
  case ask(Prompt)
  /// Put bytes on the clipboard, with a description such as `12 bytes`.
  case copy([UInt8], what: String)
  /// Put the cursor on a row.
  case move(to: Int)
  /// Make a row the first visible one, in a view without a cursor.
  case scroll(to: Int)
  /// Make a change, and show the result.
  case stage(StagedEdit)
  /// Put the cursor of the view below on a row, for the way back.
  case moveBelow(to: Int)

  /// A word that a command after `:` does not take, in the sentence that refuses values of options.
  static func refused(_ command: String, takes: String, _ word: String) -> Effect {
    .say(.warning(":\(command) takes \(takes)" + (word.isEmpty ? "" : ", not '\(word)'")))
  }
}

/// What the hint line says about a key in some view and row.
enum Hint: Equatable {
  /// The text in the table of keys.
  case standard
  case text(String)
  /// The key does nothing here.
  case none
}

/// The result of a search in a view.
enum SearchOutcome {
  case found(row: Int)
  case notFound
  /// It continues in the background; `collect` returns the result.
  case working
}

/// Which way to go through rows.
enum SearchDirection: Hashable, Sendable {
  case forwards, backwards
}

/// One view: data, and the operations on it. The browser keeps the cursor and scroll position, keys, prompts and the
/// stack of views.
///
/// A view is a number of rows. It draws any one of them, and knows nothing about keys or terminals.
protocol BrowserView: AnyObject {
  var kind: ViewKinds { get }
  /// The view's part of the path at the top.
  var crumb: String { get }
  var rowCount: Int { get }
  /// The text that is shown if there are no rows.
  var emptyText: String { get }
  /// Whether there is a row that keys act on; otherwise keys scroll.
  var showsCursor: Bool { get }

  /// Called after every event with the room for header and rows, and with the rows that were visible before.
  func layOut(in area: ScreenSize, visible: Range<Int>)
  /// Adapts the view to another number of columns, if this breaks lines at other places.
  ///
  /// - Parameter row: where the cursor was, or in views without a cursor the first visible row.
  /// - Returns: the row that now shows the same.
  func reflow(to area: ScreenSize, keeping row: Int) -> Int
  /// Lines above the rows, each as wide as the area.
  func header() -> [[Cell]]
  /// The line of a row, as wide as the area.
  func line(_ row: Int, isCursor: Bool) -> [Cell]
  /// The message about a row, below the rows.
  func status(_ row: Int) -> CellText
  /// The text at the right end of the status line; nil for the number of the row.
  func position(_ row: Int) -> String?

  func hint(for request: Request, at row: Int) -> Hint
  /// Does what a key asks for; nil if the view does not know the request.
  func perform(_ request: Request, at row: Int) -> [Effect]?
  /// Does what a command asks for; nil if the view does not know the command.
  func perform(_ command: ViewCommand, at row: Int) -> [Effect]?
  /// Columns, for completing commands.
  var columnNames: [String] { get }
  /// What can be at a place of a filter, in characters.
  func filterCompletions(of text: String, at caret: Int) -> PromptCompletions
  /// The full name of the table that a row is about, for showing its schema.
  func tableInQuestion(at row: Int) -> RealmString?

  /// What the keys for editing act on; nil if there is nothing to edit.
  func editPlace(at row: Int) -> EditPlace?

  func find(_ pattern: TextPattern, from row: Int, _ direction: SearchDirection) -> SearchOutcome

  /// The objects that are shown, or the marked ones among them, for copying and writing; nil in views of anything else.
  func selection(at row: Int) -> ObjectSelection?
  /// The object of a row, or the marked ones; nil if there is none.
  func rowSelection(at row: Int) -> ObjectSelection?
  /// The input for a program; nil if it is the objects that are shown.
  func pipedValue(at row: Int) -> ValueAddress?

  /// Takes over what work in the background has found since the last call.
  func collect(at row: Int) -> [Effect]
  /// Work in the background that is worth mentioning; nil if there is none.
  var work: WorkStatus? { get }
  /// Whether there is any work in the background.
  var isBusy: Bool { get }
  func stopWork()
  /// Removes what Esc removes after work and searches: the filter, or the last one of several.
  func dropFilter(at row: Int) -> [Effect]?

  /// Finds its place in the realm that the context has now.
  ///
  /// - Parameter row: where the cursor was.
  /// - Returns: where it is now; nil if what the view shows no longer exists.
  func reload(keeping row: Int) -> Int?
  /// Continues in another copy of the same state, which the context has now: results remain valid, but pointers into
  /// the old copy do not.
  ///
  /// - Returns: where the cursor is now; nil if it can no longer be read.
  func refresh(keeping row: Int) -> Int?
  /// Records what some rows show, so that changes by a reload can be highlighted.
  func rememberValues(in rows: Range<Int>)
  /// Ends the highlighting of changes.
  func forgetChanges()
  /// Does what a click on a line asks for; nil if it has no particular meaning.
  ///
  /// - Parameter headerLine: the line of the header, from 0, if it is one.
  func click(column: Int, headerLine: Int, isHeader: Bool, at row: Int) -> [Effect]?
  /// Called before the view is closed.
  func close(at row: Int)
}

/// What the status line says about work in the background.
struct WorkStatus: Equatable {
  var title: String
  /// 0 to 100; nil if unknown.
  var percent: Int?
}

extension BackgroundTask {
  var status: WorkStatus? {
    guard isRunning else { return nil }
    let percent = progress.total > 0 ? min(99, progress.done * 100 / progress.total) : nil
    return WorkStatus(title: title, percent: percent)
  }
}

extension BrowserView {
  var emptyText: String { "nothing" }
  var showsCursor: Bool { true }
  func reflow(to area: ScreenSize, keeping row: Int) -> Int { row }
  func header() -> [[Cell]] { [] }
  func status(_ row: Int) -> CellText { CellText(.unicode, limit: 0) }
  func position(_ row: Int) -> String? { nil }
  func hint(for request: Request, at row: Int) -> Hint { .standard }
  func perform(_ command: ViewCommand, at row: Int) -> [Effect]? { nil }
  var columnNames: [String] { [] }
  func filterCompletions(of text: String, at caret: Int) -> PromptCompletions { .none }
  func tableInQuestion(at row: Int) -> RealmString? { nil }
  func editPlace(at row: Int) -> EditPlace? { nil }
  func selection(at row: Int) -> ObjectSelection? { nil }
  func rowSelection(at row: Int) -> ObjectSelection? { nil }
  func pipedValue(at row: Int) -> ValueAddress? { nil }
  func collect(at row: Int) -> [Effect] { [] }
  var work: WorkStatus? { nil }
  var isBusy: Bool { work != nil }
  func stopWork() {}
  func dropFilter(at row: Int) -> [Effect]? { nil }
  func refresh(keeping row: Int) -> Int? { reload(keeping: row) }
  func close(at row: Int) {}
  func rememberValues(in rows: Range<Int>) {}
  func forgetChanges() {}
  func click(column: Int, headerLine: Int, isHeader: Bool, at row: Int) -> [Effect]? { nil }

  /// Searches the lines as they are drawn, from `row` to the end and from the beginning back to `row`.
  func findInLines(_ pattern: TextPattern, from row: Int, _ direction: SearchDirection) -> SearchOutcome {
    let count = rowCount
    let searcher = pattern.searcher()
    for step in 0..<count {
      let candidate = direction == .forwards ? (row + step) % count : (row - step + count * 2) % count
      if !searcher.ranges(in: line(candidate, isCursor: false)).isEmpty { return .found(row: candidate) }
    }
    return .notFound
  }

  func find(_ pattern: TextPattern, from row: Int, _ direction: SearchDirection) -> SearchOutcome {
    findInLines(pattern, from: row, direction)
  }

  /// The nearest row that there is.
  func clamped(_ row: Int) -> Int { min(row, max(rowCount - 1, 0)) }

  /// Puts the cursor on a row by its number, from 1.
  func goTo(row number: Int) -> [Effect] {
    guard number >= 1, number <= rowCount else {
      return [.say(.warning("no row \(number); the last is \(CountText.grouped(rowCount))"))]
    }
    return [.move(to: number - 1)]
  }
}

/// What a command asks a view to do.
enum ViewCommand: Equatable {
  case sort(column: String, isDescending: Bool)
  case hide(column: String)
  case width(Int)
  case filter(String)
  case frequency(column: String)
  case jump(String)
  case row(Int)
  case marked
  case columns(String)
}

/// What all views of one browser share.
final class ViewContext {
  private(set) var realm: BrowsedRealm
  let typography: Typography
  let executor: any Executor
  let describe: (StorageError) -> String
  let writeJSON: BrowserOptions.JSONWriter
  let write: BrowserOptions.Writer?
  /// Names that filters may use for the inverses of links.
  let inverses: InverseNames
  private(set) var printer: ValuePrinter

  private let options: BrowserOptions

  init(_ realm: BrowsedRealm, _ options: BrowserOptions, typography: Typography, executor: any Executor) {
    self.realm = realm
    self.options = options
    self.typography = typography
    self.executor = executor
    describe = options.describe
    writeJSON = options.writeJSON
    write = options.write
    inverses = options.inverses
    canEdit = options.editing != nil
    printer = ValuePrinter(realm.snapshot, typography, describe: options.describe)
  }

  /// A context for another realm, with the same settings.
  func sibling(_ realm: BrowsedRealm, _ options: BrowserOptions? = nil) -> ViewContext {
    let other = ViewContext(realm, options ?? self.options, typography: typography, executor: executor)
    (other.keymap, other.dates) = (keymap, dates)
    return other
  }

  var snapshot: Snapshot { realm.snapshot }

  /// Whether the file has changed since it was read, so that a part that cannot be read need not be damaged.
  var isStale = false { didSet { printer.isStale = isStale } }
  /// Whether editing can be turned on.
  let canEdit: Bool
  /// The changes that are not written; nil if editing is off.
  var changes: StagedChanges?
  /// Why editing could not be turned on, and what to do; nil unless it was tried.
  var editingRefusal: String?
  /// What to say where only editing would have an effect.
  var editingIsOff: String { editingRefusal ?? "editing is off; :edit turns it on" }
  /// Whether editing continues when the newest snapshot is shown again.
  var editsWhenLive = false
  /// How tables of objects looked when they were left, so that they are shown in the same way again.
  var keptTables: [RealmString: KeptTable] = [:]
  /// The objects that are marked, by the full name of their table.
  var marks: [RealmString: RowMarks] = [:]

  func replaceRealm(_ realm: BrowsedRealm) {
    self.realm = realm
    makePrinter()
  }

  /// What keys mean.
  var keymap = Keymap()

  /// How dates are shown.
  var dates = DateForm.utc { didSet { makePrinter() } }

  private func makePrinter() {
    printer = ValuePrinter(realm.snapshot, typography, dates: dates, describe: describe)
    printer.isStale = isStale
  }

  /// Forgets the marks of objects that no longer exist.
  func dropLostMarks() {
    for (name, kept) in marks {
      guard let table = realm.table(named: name) else {
        marks[name] = nil
        continue
      }
      var kept = kept
      kept.keep { ((try? table.object($0)) ?? nil) != nil }
      marks[name] = kept
    }
  }

  /// The active filters; nil if there are none.
  func filterLine(_ filters: [String]) -> CellText? {
    guard !filters.isEmpty else { return nil }
    var text = text(filters.count == 1 ? " filter: " : " filters: ", Style(.count))
    for filter in filters {
      text.append(filters.count == 1 ? filter : "[" + filter + "]", Style(.count))
      if filters.count > 1 { text.append(" ") }
    }
    return text
  }

  /// Starts work in the background.
  func start<Output>(
    _ title: String, total: Int, _ work: @escaping @Sendable (TaskProgress, (Output) -> Void) throws -> Output
  ) -> BackgroundTask<Output> {
    let task = BackgroundTask(title, total: total, work: work)
    task.start(on: executor)
    return task
  }

  /// What to do, or to say why that is impossible.
  func effects(_ body: () throws -> [Effect]) -> [Effect] {
    do { return try body() } catch { return [.say(message(error))] }
  }

  func text(_ text: String = "", _ style: Style = .plain, limit: Int = 4096) -> CellText {
    CellText(text, style, typography, limit: limit)
  }

  /// A text as the line of a row.
  func line(_ text: CellText, width: Int, isCursor: Bool) -> [Cell] {
    var cells = text.fitted(to: width)
    if isCursor { cells.focus(typography) }
    return cells
  }

  /// Why something could not be done.
  func message(_ error: any Error) -> Message {
    switch error {
    case is StorageError where isStale: .warning("this can no longer be read: the file has changed; R reloads it")
    case let error as StorageError: .warning(describe(error))
    case let error as FilterError: .warning(error.text)
    case let problem as BrowserProblem: .warning(problem.text)
    case BuildError.wrongType: .warning("the property cannot have such a value")
    default: .warning("\(error)")
    }
  }
}
