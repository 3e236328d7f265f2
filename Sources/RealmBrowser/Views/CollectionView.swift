import RealmPresentation
import RealmQuery
import RealmStorage
import RealmSystem

/// The elements of a list or set, or the entries of a dictionary. Only the visible ones are read.
final class CollectionView: BrowserView {
  let kind = ViewKinds.collection
  let crumb: String

  private let context: ViewContext
  private let address: ValueAddress
  /// Nil if the collection cannot be read.
  private var elements: Elements?
  private var problem: StorageError?
  private var arrangement = ElementArrangement()
  /// Positions of the elements that are shown; nil for all in their own order.
  private var shown: [Int]?
  /// The arrangement of `shown`, which is restored if the next one is stopped or fails.
  private var settled: (arrangement: ElementArrangement, shown: [Int]?) = (ElementArrangement(), nil)
  private var arranging: BackgroundTask<Arranged>?
  /// The element on which the cursor will be once the rows have been found.
  private var keptPosition: Int?
  private var area = ScreenSize(columns: 80, rows: 20)
  private var labelWidth = 4
  private var searching: (task: BackgroundTask<Int?>, start: Int, direction: SearchDirection)?

  private typealias Row = Elements.Row

  private typealias Arranged = (positions: [Int], damaged: Int)

  /// - Parameter subject: shows only the elements with this value.
  init(_ context: ViewContext, _ address: ValueAddress, crumb: String, subject: DistinctValue? = nil) {
    self.context = context
    self.address = address
    self.crumb = crumb
    _ = open()
    guard subject != nil else { return }
    (arrangement.subject, settled.arrangement.subject) = (subject, subject)
    (shown, settled.shown) = ([], [])
    arrange(keeping: nil)
  }

  var rowCount: Int { problem == nil ? shown?.count ?? elements?.count ?? 0 : 1 }

  var emptyText: String {
    if work != nil { return "" }
    return arrangement.isPlain ? "no elements" : "nothing matches"
  }

  /// - Returns: false if there is no longer a collection at the address.
  private func open() -> Bool {
    (elements, problem) = (nil, nil)
    do {
      elements = try Elements(of: address, in: context.realm)
    } catch let error as StorageError {
      problem = error
      return true
    } catch {
      return false
    }
    return elements != nil
  }

  /// The place in the collection of the element of a row.
  private func position(_ index: Int) -> Int { shown.map { $0.indices.contains(index) ? $0[index] : -1 } ?? index }

  private func row(_ index: Int) -> Row? {
    if let problem { return index == 0 ? .damaged(problem) : nil }
    return elements?.row(at: position(index))
  }

  private var isDictionary: Bool { elements?.isDictionary ?? false }

  /// Whether the elements can be of any type.
  private var isMixed: Bool { property?.type == .mixed }

  private var property: Property? {
    context.realm.table(named: address.object.table)?.schema.property(named: address.property)
  }

  // MARK: Drawing

  func layOut(in area: ScreenSize, visible: Range<Int>) {
    self.area = area
    guard isDictionary else {
      labelWidth = max(String(max((elements?.count ?? 0) - 1, 0)).utf8.count, 1)
      return
    }
    let range = visible.isEmpty ? 0..<min(area.rows, rowCount) : visible.clamped(to: 0..<rowCount)
    let widest = range.reduce(3) { most, index in max(most, row(index).map { label(of: $0, 0).width } ?? 0) }
    // The column grows while the user scrolls, and never shrinks.
    labelWidth = min(max(widest, labelWidth), max(area.columns / 3, 8))
  }

  func header() -> [[Cell]] {
    var names = [Cell.blank()]
    names += context.text(isDictionary ? "key" : "#", Style(.heading)).fitted(
      to: labelWidth, isDictionary ? .left : .right)
    if showsType { names += context.text("  type", Style(.heading)).fitted(to: Self.typeWidth) }
    var title = "  value"
    if let order = arrangement.order {
      title += order == .descending ? context.typography.descending : context.typography.ascending
    }
    names += context.text(title, Style(.heading)).cells
    if names.count < area.columns { names += Array(repeating: .blank(), count: area.columns - names.count) }
    return (filterLine.map { [$0] } ?? []) + [Array(names.prefix(area.columns))]
  }

  private var filterLine: [Cell]? {
    context.filterLine(arrangement.filters.map(\.text))?.fittedAtEnd(to: area.columns)
  }

  /// Whether the collection has a change that is not written.
  private var isChanged: Bool { context.changes?.isChanged(address.property, of: address.object) == true }

  private static let typeWidth = 12
  private var showsType: Bool { isMixed && area.columns >= 60 }

  private func label(of row: Row, _ index: Int) -> CellText {
    var text = context.printer.text(limit: 200)
    if case .entry(let key, _) = row {
      context.printer.append(key: key, to: &text)
    } else if !isDictionary, problem == nil {
      text.append(String(index), Style(.key))
    }
    return text
  }

  func line(_ index: Int, isCursor: Bool) -> [Cell] {
    guard let row = row(index) else { return [] }
    var cells = [Cell.blank()]
    cells += label(of: row, position(index)).fitted(to: labelWidth, isDictionary ? .left : .right)
    if showsType {
      cells += context.text("  " + (row.value?.typeText ?? ""), Style(.type)).fitted(to: Self.typeWidth)
    }
    cells += [.blank(), .blank()]
    var shown = text(of: row, limit: area.columns)
    if isChanged { shown.setRole(.changed) }
    cells += shown.fitted(to: max(area.columns - cells.count, 0))
    if isCursor { cells.focus(context.typography) }
    return Array(cells.prefix(area.columns))
  }

  private func text(of row: Row, limit: Int) -> CellText {
    var text = context.printer.text(limit: limit)
    switch row {
    case .element(let element): context.printer.append(element, isMixed: isMixed, to: &text)
    case .entry(_, let value): context.printer.append(value, isMixed: isMixed, to: &text)
    case .damaged(let error): context.printer.append(error, to: &text)
    }
    return text
  }

  func status(_ index: Int) -> CellText {
    guard let row = row(index) else { return context.text() }
    if case .damaged(let error) = row { return context.printer.print(error, limit: 4096) }
    var text = context.text()
    text.append(address.property.description, Style(.heading))
    text.append(" " + (property?.shorthand ?? "") + "  ", Style(.type))
    if isDictionary {
      text.append(label(of: row, index))
      text.append(": ", .faint)
    }
    text.append(self.text(of: row, limit: 4096))
    return text
  }

  // MARK: Requests

  func tableInQuestion(at row: Int) -> RealmString? { address.object.table }

  func editPlace(at index: Int) -> EditPlace? {
    context.realm.editPlace(at: row(index).map { innerAddress(index, $0) } ?? address)
  }

  func hint(for request: Request, at index: Int) -> Hint {
    guard let row = row(index), let value = row.value else {
      let needsRow: [Request] = [.open, .backlinks, .copy, .sort, .frequency]
      return needsRow.contains(request) ? .none : .standard
    }
    switch request {
    case .open:
      if value.link != nil { return .text("follow") }
      return value.isCollection ? .text("open") : value.blob == nil ? .none : .text("show all")
    case .backlinks: return value.link == nil ? .none : .standard
    default: return .standard
    }
  }

  func perform(_ request: Request, at index: Int) -> [Effect]? {
    switch request {
    case .open: return open(index)
    case .backlinks: return openBacklinks(index)
    case .jump:
      let what = isDictionary ? "key" : "position"
      return [.ask(Prompt(.jump, label: "jump to \(what): ") { [self] in jump(to: $0) })]
    case .filter: return [.ask(filterPrompt(index))]
    case .onlyValue: return filterByValue(index, isEqual: true)
    case .withoutValue: return filterByValue(index, isEqual: false)
    case .sort: return sortFurther(index)
    case .frequency: return openFrequency()
    case .copy:
      guard let row = row(index), let value = row.value else { return [.say(.info("nothing to copy"))] }
      return context.copy(value)
    default: return nil
    }
  }

  func perform(_ command: ViewCommand, at index: Int) -> [Effect]? {
    switch command {
    case .row(let number): return goTo(row: number)
    case .jump(let text): return jump(to: text)
    case .filter(let text): return text.isEmpty ? dropAllFilters(index) : addFilter(text, index)
    case .frequency(""): return openFrequency()
    case .sort("", let isDescending), .sort("value", let isDescending):
      return setOrder(isDescending ? .descending : .ascending)
    default: return nil
    }
  }

  private func jump(to text: String) -> [Effect] {
    if text.isEmpty { return [] }
    guard isDictionary else {
      guard let position = Int(text) else { return [.say(.warning("'\(text)' is not a position"))] }
      return jump(toPosition: position, called: "position \(position)")
    }
    guard let position = elements?.position(of: RealmString(text)) else {
      return [.say(.warning("no key '\(text)'"))]
    }
    return jump(toPosition: position, called: "key '\(text)'")
  }

  private func jump(toPosition position: Int, called name: String) -> [Effect] {
    let count = elements?.count ?? 0
    guard position >= 0, position < count else {
      return [.say(.warning("no position \(position); the last is \(count - 1)"))]
    }
    guard let shown else { return [.move(to: position)] }
    guard let row = shown.firstIndex(of: position) else { return [.say(.info("the filter hides \(name)"))] }
    return [.move(to: row)]
  }

  // MARK: Filter, order, frequency

  private func filterPrompt(_ index: Int, _ text: String = "") -> Prompt {
    Prompt(
      .elementFilter, label: arrangement.filters.isEmpty ? "filter: " : "filter further: ", text: text,
      check: { [self] in note(of: $0) }
    ) { [self] text in
      // Text that has no meaning is returned to be corrected, with a mark below the mistake.
      note(of: text).kind == .meaning ? addFilter(text, index) : [.ask(filterPrompt(index, text))]
    }
  }

  private func filter(_ text: String) throws(FilterError) -> ElementFilter {
    guard let property else { throw FilterError("the property no longer exists", at: nil) }
    return try ElementFilter(text, of: property, isDictionary: isDictionary)
  }

  private func note(of text: String) -> PromptNote {
    guard !text.isEmpty else { return PromptNote(text: "") }
    do throws(FilterError) { return PromptNote(text: try filter(text).meaning) } catch {
      return PromptNote(error, in: text)
    }
  }

  private func addFilter(_ text: String, _ index: Int) -> [Effect] {
    guard !text.isEmpty else { return [] }
    return context.effects {
      arrangement.filters.append(try filter(text))
      return arrange(keeping: index)
    }
  }

  private func filterByValue(_ index: Int, isEqual: Bool) -> [Effect] {
    guard let value = row(index)?.value else { return [.say(.info("this row has no value"))] }
    guard let text = (try? RQL.written(value, in: context.snapshot)) ?? nil, value.link == nil else {
      return [.say(.info("no filter finds this value; F counts values and finds them"))]
    }
    return addFilter((isEqual ? "== " : "!= ") + text, index)
  }

  private func dropAllFilters(_ index: Int) -> [Effect] {
    guard !arrangement.filters.isEmpty else { return [] }
    arrangement.filters = []
    return arrange(keeping: index)
  }

  func dropFilter(at index: Int) -> [Effect]? {
    guard arrangement.filters.popLast() != nil else { return nil }
    return arrange(keeping: index)
  }

  private func sortFurther(_ index: Int) -> [Effect] {
    switch arrangement.order {
    case nil: return setOrder(.ascending)
    case .ascending: return setOrder(.descending)
    case .descending:
      arrangement.order = nil
      return arrange(keeping: index) + [.say(.info("no longer sorted"))]
    }
  }

  private func setOrder(_ order: ElementArrangement.Order) -> [Effect] {
    arrangement.order = order
    let text = "sorted by value, \(order == .ascending ? "smallest" : "largest") first"
    return arrange(keeping: nil) + [.say(.info(text)), .move(to: 0)]
  }

  private func openFrequency() -> [Effect] {
    guard problem == nil, rowCount > 0 else { return [.say(.info("no elements"))] }
    return [.push(FrequencyView(context, .elements(address, positions: shown), of: address.property))]
  }

  /// Finds the rows again, the cursor staying on its element.
  @discardableResult
  private func arrange(keeping index: Int?) -> [Effect] {
    arranging.stop()
    keptPosition = index.map { position($0) }
    guard !arrangement.isPlain, let count = elements?.count, let property else {
      shown = nil
      settled = (arrangement, shown)
      return takeKeptRow()
    }
    let (arrangement, address, realm) = (arrangement, address, context.realm)
    arranging = context.start(arrangement.order == nil ? "filtering" : "sorting", total: count) { progress, _ in
      try arrangement.positions(of: address, property, in: realm, progress)
    }
    return collectRows()
  }

  private func takeKeptRow() -> [Effect] {
    defer { keptPosition = nil }
    guard let kept = keptPosition else { return [] }
    return [.move(to: shown.map { $0.firstIndex(of: kept) ?? 0 } ?? max(kept, 0))]
  }

  private func collectRows() -> [Effect] {
    guard let task = arranging else { return [] }
    switch task.state {
    case .running: return []
    case .finished(let found):
      arranging = nil
      shown = found.positions
      settled = (arrangement, shown)
      let place = takeKeptRow()
      if found.positions.isEmpty, !arrangement.filters.isEmpty {
        return [.say(.info("nothing matches; Esc removes the last filter"))]
      }
      guard found.damaged > 0 else { return place }
      return place + [.say(.warning(CountText.counted(found.damaged, "element") + " could not be read"))]
    case .stopped:
      arranging = nil
      return []
    case .failed(let error):
      arranging = nil
      (arrangement, shown) = settled
      return [.say(context.message(error))]
    }
  }

  private func innerAddress(_ index: Int, _ row: Row) -> ValueAddress {
    if case .entry(let key, _) = row {
      return address.appending(.key(RealmString(utf8: (try? key.copied()) ?? [])))
    }
    return address.appending(.position(position(index)))
  }

  private func open(_ index: Int) -> [Effect] {
    guard let row = row(index) else { return [] }
    if case .damaged(let error) = row { return [.say(context.message(error))] }
    guard let value = row.value else { return [.say(.info("the object is not in this file"))] }
    let inner = innerAddress(index, row)
    if let effects = context.open(value, at: inner) { return effects }
    guard value.blob != nil else { return [.say(.info("this is the whole value"))] }
    return [.push(ValuePager(context, inner, crumb: label(of: row, position(index)).string))]
  }

  private func openBacklinks(_ index: Int) -> [Effect] {
    guard let row = row(index), let link = row.value?.link, let table = context.snapshot.table(link.table) else {
      return [.say(.info("only objects have backlinks; this row is not a link"))]
    }
    let object = ObjectAddress(table: table.schema.name, key: link.key)
    let crumb = label(of: row, position(index)).string + context.typography.pathSeparator + "backlinks"
    return [.push(BacklinksView(context, object, crumb: crumb))]
  }

  // MARK: Search

  func find(_ pattern: TextPattern, from start: Int, _ direction: SearchDirection) -> SearchOutcome {
    let count = rowCount
    guard count > 0, problem == nil else { return .notFound }
    stopSearch()
    let (address, realm, shown) = (address, context.realm, shown)
    let task = context.start("searching for \(pattern.text)", total: count) { progress, _ in
      let rows = (0..<count).map { (start + (direction == .forwards ? $0 : count - $0)) % count }
      let positions = shown.map { shown in rows.map { shown[$0] } } ?? rows
      return try CollectionSearch.run(pattern, address, at: positions, in: realm, progress).map { rows[$0] }
    }
    searching = (task, start, direction)
    return .working
  }

  func collect(at row: Int) -> [Effect] {
    let found = collectRows()
    guard let (task, start, direction) = searching else { return found }
    return found
      + task.collect(context) {
        searching = nil
      } finished: {
        Message.ofSearch(from: start, to: $0, direction)
      }
  }

  var work: WorkStatus? { searching?.task.status ?? arranging?.status }

  private func stopSearch() {
    searching?.task.progress.stop()
    searching = nil
  }

  func stopWork() {
    stopSearch()
    guard arranging != nil else { return }
    arranging.stop()
    (arrangement, shown) = settled
  }

  func refresh(keeping row: Int) -> Int? { open() ? clamped(row) : nil }

  func reload(keeping row: Int) -> Int? {
    stopSearch()
    let kept = position(row)
    guard open() else { return nil }
    guard !arrangement.isPlain, problem == nil else { return clamped(row) }
    let count = elements?.count ?? 0
    shown = shown?.filter { $0 < count }
    arrange(keeping: nil)
    if arranging != nil { keptPosition = kept }
    return shown?.firstIndex(of: kept) ?? clamped(row)
  }
}

/// A search through the elements of a collection.
private enum CollectionSearch {
  /// - Parameter positions: the elements in the order in which they are looked at.
  /// - Returns: the index of the first one that matches.
  static func run(
    _ pattern: TextPattern, _ address: ValueAddress, at positions: [Int], in realm: BrowsedRealm,
    _ progress: TaskProgress
  ) throws -> Int? {
    var walk = try ElementsWalk(address, in: realm, progress)
    var state: (snapshot: Snapshot, matcher: ValueMatcher)?
    var index = -1
    let isFound = try EarlyEnd.ends {
      try walk.forEach(positions) { _, row, snapshot in
        index += 1
        if state?.snapshot !== snapshot { state = (snapshot, ValueMatcher(pattern, snapshot, progress)) }
        guard let value = row.value, let matcher = state?.matcher else { return }
        do {
          if case .entry(let key, _) = row, try matcher.matches(.string(key)) { throw EarlyEnd() }
          if try matcher.matches(value) { throw EarlyEnd() }
        } catch is StorageError {
          return
        }
      }
    }
    return isFound ? index : nil
  }
}
