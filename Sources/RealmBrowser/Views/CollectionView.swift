import RealmStorage

/// The elements of a list or set, or the entries of a dictionary. Only those to be seen are read.
final class CollectionView: BrowserView {
  let kind = ViewKinds.collection
  let crumb: String

  private let context: ViewContext
  private let address: ValueAddress
  private var content = Content.nothing
  private var count = 0
  private var problem: StorageError?
  private var area = ScreenSize(columns: 80, rows: 20)
  private var labelWidth = 4
  private var searching: (task: BackgroundTask<Int?>, start: Int, direction: SearchDirection)?

  private enum Content {
    case elements(ListView)
    case entries(DictionaryPositions)
    case nothing
  }

  /// One row, read.
  private enum Row {
    case element(ElementView)
    case entry(key: BlobView, value: ValueView)
    case damaged(StorageError)
  }

  init(_ context: ViewContext, _ address: ValueAddress, crumb: String) {
    self.context = context
    self.address = address
    self.crumb = crumb
    _ = open()
  }

  var rowCount: Int { count }
  var emptyText: String { "no elements" }

  /// - Returns: false where there is no collection at the address any more.
  private func open() -> Bool {
    (content, count, problem) = (.nothing, 0, nil)
    do {
      guard let value = try context.realm.value(at: address) else { return false }
      switch value {
      case .list(let list), .set(let list):
        count = try list.count(in: context.snapshot)
        content = .elements(list)
      case .dictionary(let dictionary):
        let positions = try DictionaryPositions(of: dictionary, in: context.snapshot)
        count = positions.count
        content = .entries(positions)
      default: return false
      }
    } catch let error as StorageError {
      problem = error
      count = 1
    } catch {
      return false
    }
    return true
  }

  private func rows(_ range: Range<Int>) -> [Row] {
    if let problem { return range.map { _ in .damaged(problem) } }
    switch content {
    case .elements(let list): return list.elements(at: range, in: context.snapshot).map { .element($0) }
    case .entries(let positions):
      return positions.entries(at: range, in: context.snapshot).map { entry in
        switch entry {
        case .entry(let key, let value): .entry(key: key, value: value)
        case .damaged(let error): .damaged(error)
        }
      }
    case .nothing: return []
    }
  }

  private func row(_ index: Int) -> Row? { index < count ? rows(index..<index + 1).first : nil }

  /// Whether the elements can be of any type.
  private var isMixed: Bool { property?.type == .mixed }

  private var property: Property? {
    context.realm.table(named: address.object.table)?.schema.property(named: address.property)
  }

  // MARK: Drawing

  func layOut(in area: ScreenSize, visible: Range<Int>) {
    self.area = area
    guard case .entries = content else {
      labelWidth = max(String(max(count - 1, 0)).utf8.count, 1)
      return
    }
    let range = visible.isEmpty ? 0..<min(area.rows, count) : visible.clamped(to: 0..<count)
    let widest = rows(range).reduce(3) { max($0, label(of: $1, 0).width) }
    // The column grows while one scrolls, and never shrinks under one's eyes.
    labelWidth = min(max(widest, labelWidth), max(area.columns / 3, 8))
  }

  func header() -> [[Cell]] {
    var names = [Cell.blank()]
    let isDictionary = if case .entries = content { true } else { false }
    names += context.text(isDictionary ? "key" : "#", Style(.heading)).fitted(
      to: labelWidth, isDictionary ? .left : .right)
    if showsType { names += context.text("  type", Style(.heading)).fitted(to: Self.typeWidth) }
    names += context.text("  value", Style(.heading)).cells
    if names.count < area.columns { names += Array(repeating: .blank(), count: area.columns - names.count) }
    return [Array(names.prefix(area.columns))]
  }

  /// Whether the collection is one that is changed and not written.
  private var isChanged: Bool { context.changes?.isChanged(address.property, of: address.object) == true }

  private static let typeWidth = 12
  private var showsType: Bool { isMixed && area.columns >= 60 }

  private func label(of row: Row, _ index: Int) -> CellText {
    var text = context.printer.text(limit: 200)
    if case .entry(let key, _) = row {
      context.printer.append(key: key, to: &text)
    } else if case .elements = content {
      text.append(String(index), Style(.key))
    }
    return text
  }

  func line(_ index: Int, isCursor: Bool) -> [Cell] {
    guard let row = row(index) else { return [] }
    var cells = [Cell.blank()]
    let isElement = if case .elements = content { true } else { false }
    cells += label(of: row, index).fitted(to: labelWidth, isElement ? .right : .left)
    if showsType {
      cells += context.text("  " + (value(of: row)?.typeText ?? ""), Style(.type)).fitted(to: Self.typeWidth)
    }
    cells += [.blank(), .blank()]
    var shown = text(of: row, limit: area.columns)
    if isChanged { shown.setRole(.changed) }
    cells += shown.fitted(to: max(area.columns - cells.count, 0))
    if isCursor {
      for place in cells.indices { cells[place].style.emphasis = .focus }
      cells[0] = Cell(context.typography.cursor, cells[0].style)
    }
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

  private func value(of row: Row) -> ValueView? {
    switch row {
    case .element(.value(let value)), .entry(_, let value): value
    default: nil
    }
  }

  func status(_ index: Int) -> CellText {
    guard let row = row(index) else { return context.text() }
    if case .damaged(let error) = row { return context.printer.print(error, limit: 4096) }
    var text = context.text()
    text.append(address.property.description, Style(.heading))
    text.append(" " + (property?.typeText ?? "") + "  ", Style(.type))
    if case .entries = content {
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
    guard let row = row(index), let value = value(of: row) else {
      return [.open, .backlinks, .copy].contains(request) ? .none : .standard
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
      let what = if case .entries = content { "key" } else { "position" }
      return [.ask(Prompt(.jump, label: "jump to \(what): ") { [self] in jump(to: $0) })]
    case .copy:
      guard let row = row(index), let value = value(of: row) else { return [.say(.info("there is nothing to copy"))] }
      return context.copy(value)
    default: return nil
    }
  }

  func perform(_ command: ViewCommand, at index: Int) -> [Effect]? {
    switch command {
    case .row(let number): jumpTo(row: number - 1)
    case .jump(let text): jump(to: text)
    default: nil
    }
  }

  private func jump(to text: String) -> [Effect] {
    if text.isEmpty { return [] }
    if case .entries(let positions) = content {
      guard let position = positions.position(of: RealmString(text), in: context.snapshot) else {
        return [.say(.warning("no key '\(text)'"))]
      }
      return [.move(to: position)]
    }
    guard let position = Int(text) else { return [.say(.warning("'\(text)' is not a position"))] }
    return jumpTo(row: position)
  }

  private func jumpTo(row: Int) -> [Effect] {
    guard row >= 0, row < count else {
      return [.say(.warning("no position \(row); the last is \(count - 1)"))]
    }
    return [.move(to: row)]
  }

  private func innerAddress(_ index: Int, _ row: Row) -> ValueAddress {
    if case .entry(let key, _) = row {
      return address.appending(.key(RealmString(utf8: (try? key.copied()) ?? [])))
    }
    return address.appending(.position(index))
  }

  private func open(_ index: Int) -> [Effect] {
    guard let row = row(index) else { return [] }
    if case .damaged(let error) = row { return [.say(context.message(error))] }
    guard let value = value(of: row) else { return [.say(.info("the object is not in this file"))] }
    let inner = innerAddress(index, row)
    if let effects = context.open(value, at: inner) { return effects }
    guard value.blob != nil else { return [.say(.info("this is the whole value"))] }
    return [.push(ValuePager(context, inner, crumb: label(of: row, index).string))]
  }

  private func openBacklinks(_ index: Int) -> [Effect] {
    guard let row = row(index), let link = value(of: row)?.link, let table = context.snapshot.table(link.table) else {
      return [.say(.info("only objects have backlinks; this row is not a link"))]
    }
    let object = ObjectAddress(table: table.schema.name, key: link.key)
    let crumb = label(of: row, index).string + context.typography.pathSeparator + "backlinks"
    return [.push(BacklinksView(context, object, crumb: crumb))]
  }

  // MARK: Search

  func find(_ pattern: TextPattern, from start: Int, _ direction: SearchDirection) -> SearchOutcome {
    guard count > 0, problem == nil else { return .notFound }
    stopWork()
    let (address, realm, count) = (address, context.realm, count)
    let task = BackgroundTask<Int?>("searching for \(pattern.text)", total: count) { progress, _ in
      let search = CollectionSearch(pattern: pattern, address: address, realm: realm, count: count)
      return try search.run(from: start, direction, progress)
    }
    searching = (task, start, direction)
    task.start(on: context.executor)
    return .working
  }

  func collect(at row: Int) -> [Effect] {
    guard let (task, start, direction) = searching else { return [] }
    return task.collect(context) {
      searching = nil
    } finished: {
      Message.ofSearch(from: start, to: $0, direction)
    }
  }

  var work: WorkStatus? { searching?.task.status }

  func stopWork() {
    searching?.task.progress.stop()
    searching = nil
  }

  func refresh(keeping row: Int) -> Int? { open() ? min(row, max(count - 1, 0)) : nil }

  func reload(keeping row: Int) -> Int? {
    stopWork()
    return refresh(keeping: row)
  }
}

/// A search through the elements of a collection.
private struct CollectionSearch {
  let pattern: TextPattern
  let address: ValueAddress
  let realm: BrowsedRealm
  let count: Int

  /// Elements that are read together.
  private static let stride = 512

  func run(from start: Int, _ direction: SearchDirection, _ progress: TaskProgress) throws -> Int? {
    guard let value = try realm.value(at: address) else { return nil }
    let dictionary: DictionaryPositions? =
      if case .dictionary(let dictionary) = value { try DictionaryPositions(of: dictionary, in: realm.snapshot) } else {
        nil
      }
    let parts =
      direction == .forwards ? [start..<count, 0..<start] : [0..<min(start + 1, count), min(start + 1, count)..<count]
    for part in parts {
      var rest = part
      while !rest.isEmpty {
        let piece = direction == .forwards ? rest.prefix(Self.stride) : rest.suffix(Self.stride)
        let found = try matches(in: piece, value, dictionary, progress)
        if let place = direction == .forwards ? found.first : found.last { return place }
        rest = direction == .forwards ? piece.endIndex..<rest.upperBound : rest.lowerBound..<piece.startIndex
        try progress.advance(by: piece.count)
      }
    }
    return nil
  }

  private func matches(
    in range: Range<Int>, _ value: ValueView, _ dictionary: DictionaryPositions?, _ progress: TaskProgress
  ) throws -> [Int] {
    let matcher = ValueMatcher(pattern, realm.snapshot, progress)
    let isFound: ([ValueView]) throws -> Bool = { values in
      do {
        return try values.contains { try matcher.matches($0) }
      } catch is StorageError {
        return false
      }
    }
    if let dictionary {
      let entries = dictionary.entries(at: range, in: realm.snapshot)
      return try zip(range, entries).filter { _, entry in
        guard case .entry(let key, let value) = entry else { return false }
        return try isFound([.string(key), value])
      }.map(\.0)
    }
    guard let list = value.listOrSet else { return [] }
    return try zip(range, list.elements(at: range, in: realm.snapshot)).filter { _, element in
      guard case .value(let value) = element else { return false }
      return try isFound([value])
    }.map(\.0)
  }
}
