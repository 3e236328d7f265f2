import RealmPresentation
import RealmQuery
import RealmStorage
import RealmText

/// What keys and commands do in a table of objects.
extension ObjectsView {
  func hint(for request: Request, at position: Int) -> Hint {
    guard let rows, rows.count > 0 else {
      return [.open, .openObject, .backlinks, .sort, .frequency, .jump, .search, .copy].contains(request)
        ? .none : .standard
    }
    switch request {
    case .open: return .text(picked == nil ? whatEnterDoes(at: position) : "pick")
    // If Enter opens the object, a second key for it would only take room.
    case .openObject: return whatEnterDoes(at: position) == "object" ? .none : .standard
    case .frequency: return columns.focused.property == nil ? .none : .standard
    default: return .standard
    }
  }

  private func whatEnterDoes(at position: Int) -> String {
    guard let value = value(at: position) else { return "object" }
    if let link = value.link {
      return context.snapshot.table(link.table)?.schema.kind == .embedded ? "object" : "follow"
    }
    return value.isCollection ? "open" : "object"
  }

  /// The value in the focused column; nil in the column of keys, and if there is none.
  private func value(at position: Int) -> ValueView? {
    guard let property = columns.focused.property, case .object(let batch, let row) = row(at: position) else {
      return nil
    }
    return try? batch.values(ofProperty: property).value(at: row)
  }

  func perform(_ request: Request, at position: Int) -> [Effect]? {
    if columns.move(request) { return [] }
    switch request {
    case .open:
      if let picked, let key = row(at: position).key { return [.back] + picked(key) }
      return open(position)
    case .openObject: return openObject(position)
    case .backlinks: return openBacklinks(position)
    case .sort: return sortByFocused(position)
    case .filter: return [.ask(filterPrompt(position))]
    case .frequency: return openFrequency()
    case .jump: return [.ask(jumpPrompt())]
    case .hideColumn: return hideColumn()
    case .showColumns:
      columns.showAll()
      return [.say(.info("all columns are shown"))]
    case .narrower: columns.setWidth(of: columns.focus, to: columns.focused.width - 2)
    case .wider: columns.setWidth(of: columns.focus, to: columns.focused.width + 2)
    case .fitColumn: fitColumn(position)
    case .copy: return copy(position)
    case .classSummary: return openSummary(position)
    case .columnSummary: return openColumnSummary(position)
    case .goToColumn: return [.ask(columnPrompt())]
    case .onlyValue: return filterByValue(position, isEqual: true)
    case .withoutValue: return filterByValue(position, isEqual: false)
    case .mark: return toggleMark(position)
    case .markAll: return markAll()
    case .unmarkAll: return unmarkAll()
    default: return nil
    }
    return []
  }

  // MARK: Going to places

  private func open(_ position: Int) -> [Effect] {
    guard case .object(let batch, let row) = row(at: position) else { return explain(position) }
    guard let property = columns.focused.property, let table, let value = value(at: position) else {
      return openObject(position)
    }
    let address = ValueAddress(object: batch.address(at: row), property: table.schema.properties[property].name)
    let prefix = context.crumb(of: batch, row) + context.typography.pathSeparator
    return context.open(value, at: address, crumbPrefix: prefix) ?? openObject(position)
  }

  private func openObject(_ position: Int) -> [Effect] {
    guard case .object(let batch, let row) = row(at: position) else { return explain(position) }
    let view = ObjectView(context, of: batch, row)
    view.siblings = self
    view.siblingPosition = position
    if let property = columns.focused.property { view.focusProperty = property }
    return [.push(view)]
  }

  private func openBacklinks(_ position: Int) -> [Effect] {
    guard case .object(let batch, let row) = row(at: position) else { return explain(position) }
    let crumb = context.crumb(of: batch, row) + context.typography.pathSeparator + "backlinks"
    return [.push(BacklinksView(context, batch.address(at: row), crumb: crumb))]
  }

  func explain(_ position: Int) -> [Effect] {
    switch row(at: position) {
    case .damaged(let error): [.say(context.message(error))]
    case .absent(let reason): [.say(.info(rowCount == 0 ? "no objects" : "this row is \(reason)"))]
    case .object: []
    }
  }

  private func openFrequency() -> [Effect] {
    guard let property = columns.focused.property, let table else {
      let isPath = columns.focused.path != nil
      return [
        .say(
          .info(
            (isPath ? "values of paths are not counted" : "all object keys are different") + "; choose another column"))
      ]
    }
    let name = table.schema.properties[property].name
    return [.push(FrequencyView(context, .column(shownSource, table: table.schema.name), of: name))]
  }

  private func openSummary(_ position: Int) -> [Effect] {
    selection(at: position).map { [.push(SummaryView(context, $0))] } ?? []
  }

  private func openColumnSummary(_ position: Int) -> [Effect] {
    guard let property = columns.focused.property, let selection = selection(at: position) else {
      return [.say(.info("move to a property first"))]
    }
    return [.push(HistogramView(context, selection, property: property, name: columns.focused.name))]
  }

  /// The rows in the order they are shown in.
  var shownSource: RowsSource {
    guard let keyed = rows as? any ObjectRowsWithKeys, let table else { return source }
    return .keys(table: table.schema.name, keyed.keys)
  }

  // MARK: Order and filter

  private func sortByFocused(_ position: Int) -> [Effect] {
    if let path = columns.focused.path { return [.say(.info("to sort by a path, filter by SORT(\(path) ASC)"))] }
    guard let property = columns.focused.property else {
      return setSort(nil, isDescending: false, position, saying: ownOrderText)
    }
    let name = columns.focused.name
    if arrangement.sortProperty != property {
      return setSort(property, isDescending: false, position, saying: "sorted by \(name), smallest first")
    }
    if !arrangement.isDescending {
      return setSort(property, isDescending: true, position, saying: "sorted by \(name), largest first")
    }
    return setSort(nil, isDescending: false, position, saying: "no longer sorted")
  }

  /// The order without any other.
  private var ownOrderText: String {
    switch source {
    case .table: "in object key order"
    case .links: "in the order of the list"
    case .keys, .backlinks: "no longer sorted"
    }
  }

  private func setSort(_ property: Int?, isDescending: Bool, _ position: Int, saying text: String) -> [Effect] {
    setArrangement {
      $0.sortProperty = property
      $0.isDescending = isDescending
    }
    guard property != nil else { return showAll(keeping: position) + [.say(.info(text))] }
    // After sorting, the user wants to see what comes first.
    return showAll(keeping: nil) + [.move(to: 0)]
  }

  private func filterPrompt(_ position: Int, _ text: String = "") -> Prompt {
    Prompt(
      .filter, label: arrangement.filters.isEmpty ? "filter: " : "filter further: ", text: text,
      completions: { [self] in filterCompletions(of: $0, at: $1) }, check: { [self] in note(of: $0) }
    ) { [self] text in
      // Text that has no meaning is returned to be corrected, with a mark below the mistake.
      note(of: text).kind == .meaning ? addFilter(text, position) : [.ask(filterPrompt(position, text))]
    }
  }

  private func note(of text: String) -> PromptNote {
    guard let table, !text.isEmpty else { return PromptNote(text: "") }
    do throws(FilterError) {
      let filter = try ObjectFilter(
        text, of: table, in: context.snapshot, inverses: context.inverses)
      return PromptNote(text: filter.meaning)
    } catch {
      return PromptNote(error, in: text)
    }
  }

  func filterCompletions(of text: String, at caret: Int) -> PromptCompletions {
    guard let table, table.schema.isClass else { return .none }
    let offset = text.prefix(caret).utf8.count
    let found = RQL.completions(
      in: text, at: offset, schema: context.snapshot.schema, className: table.schema.displayName)
    let range = text.characterOffset(ofByte: found.range.start)..<text.characterOffset(ofByte: found.range.end)
    let values = found.values.map { valueCandidates($0) } ?? []
    let words = found.candidates.filter { word in !values.contains { $0.text == word.text } }
    return PromptCompletions(
      range: range,
      candidates: values
        + words.map {
          let detail = $0.kind == .className ? "class" : $0.property?.shorthand ?? ""
          return PromptCompletions.Candidate(text: $0.text, detail: detail)
        })
  }

  /// The number of objects whose values are offered, and the number of values offered.
  private static let mostAsked = 2000
  private static let mostOffered = 50

  /// The most frequent values among the first objects of a class.
  private func valueCandidates(_ source: Completions.ValueSource) -> [PromptCompletions.Candidate] {
    guard let table = context.snapshot.table(displayName: source.className),
      let index = table.schema.properties.firstIndex(where: { $0.name == source.property })
    else { return [] }
    let summarizer = ColumnSummarizer(.property(index), of: table, SummaryOptions(top: Self.mostAsked))
    var batches = table.batches()
    var asked = 0
    while asked < Self.mostAsked, let step = batches.next() {
      guard case .batch(let batch) = step else { continue }
      asked += batch.count
      try? summarizer.add(batch, rows: RowMask(first: batch.count), in: context.snapshot)
    }
    guard let summary = try? summarizer.summary(in: context.snapshot) else { return [] }
    let keeper = ValueKeeper()
    let texts = summary.frequencies.compactMap { frequency -> PromptCompletions.Candidate? in
      let view = keeper.view(of: frequency.value)
      guard let text = (try? RQL.written(view, in: context.snapshot)) ?? nil,
        text.drop(while: { $0 == "\"" }).lowercased().hasPrefix(source.typed)
      else { return nil }
      return PromptCompletions.Candidate(text: text, detail: CountText.counted(frequency.count.value, "time"))
    }
    return withExtendedLifetime(keeper) { Array(texts.prefix(Self.mostOffered)) }
  }

  /// Narrows the list further.
  func addFilter(_ text: String, _ position: Int) -> [Effect] {
    guard let table = base?.table, !text.isEmpty else { return [] }
    return context.effects {
      let filter = try ObjectFilter(
        text, of: table, in: context.snapshot, inverses: context.inverses)
      setArrangement { $0.filters.append(filter) }
      return showAll(keeping: position)
    }
  }

  private func dropAllFilters(_ position: Int) -> [Effect] {
    guard !arrangement.filters.isEmpty else { return [] }
    setArrangement { $0.filters = [] }
    return showAll(keeping: position)
  }

  func perform(_ command: ViewCommand, at position: Int) -> [Effect]? {
    switch command {
    case .filter(let text): return text.isEmpty ? dropAllFilters(position) : addFilter(text, position)
    case .jump(let text): return jump(to: text)
    case .row(let number): return goTo(row: number)
    case .marked: return filterByMarks(position)
    case .columns(let list): return setColumns(list)
    case .sort(let name, let isDescending):
      guard let column = columns.position(named: name) else { return unknownColumn(name) }
      columns.moveFocus(to: column)
      if let path = columns.focused.path { return [.say(.info("to sort by a path, filter by SORT(\(path) ASC)"))] }
      return setSort(
        columns.columns[column].property, isDescending: isDescending, position,
        saying: "sorted by \(name), \(isDescending ? "largest" : "smallest") first")
    case .hide(let name):
      guard let column = columns.position(named: name) else { return unknownColumn(name) }
      columns.moveFocus(to: column)
      return hideColumn()
    case .width(let width):
      columns.setWidth(of: columns.focus, to: width)
      return []
    case .frequency(let name):
      if !name.isEmpty {
        guard let column = columns.position(named: name) else { return unknownColumn(name) }
        columns.moveFocus(to: column)
      }
      return openFrequency()
    }
  }

  // MARK: Columns

  private func hideColumn() -> [Effect] {
    columns.hideFocused()
      ? [.say(.info("hidden; U shows all columns"))] : [.say(.info("the key column cannot be hidden"))]
  }

  private func fitColumn(_ position: Int) {
    let range = max(0, position - 100)..<min(rowCount, position + 100)
    let needed = widest(columns.focus, in: range, atMost: 200)
    columns.setWidth(of: columns.focus, to: max(needed, columns.focused.name.unicodeScalars.count + 1))
  }

  // MARK: Jumping

  private func jumpPrompt() -> Prompt {
    let key = table?.schema.primaryKey.map { "\($0.name), #object key" } ?? "object key"
    return Prompt(.jump, label: "jump to (\(key) or row:123) ") { [self] in jump(to: $0) }
  }

  private func jump(to text: String) -> [Effect] {
    guard let table, !text.isEmpty else { return [] }
    if text.hasPrefix("row:") { return goTo(row: Int(text.dropFirst(4)) ?? 0) }
    if text.hasPrefix("#") { return jump(toKey: String(text.dropFirst())) }
    guard let property = table.schema.primaryKeyIndex else { return jump(toKey: text) }
    let predicate = EqualTextPredicate(text, property: property)
    return find(predicate, property, .primaryKey(text))
  }

  private func jump(toKey text: String) -> [Effect] {
    guard let number = Int64(text) else { return [.say(.warning("'\(text)' is not an object key"))] }
    let key = ObjectKey(rawValue: number)
    if let position = rows?.position(of: key, near: 0) { return [.move(to: position)] }
    return find(KeyPredicate(key: key), nil, .key(key))
  }

  // MARK: Copying

  private func copy(_ position: Int) -> [Effect] {
    guard case .object(let batch, let row) = row(at: position) else { return explain(position) }
    if let path = columns.focused.path { return copy(path: path, batch, row) }
    guard columns.focused.property != nil else {
      let text = String(batch.key(at: row).rawValue)
      return [.copy(Array(text.utf8), what: "object key \(text)")]
    }
    guard let value = value(at: position) else { return [.say(.warning("the value cannot be read"))] }
    return context.copy(value)
  }

  private func copy(path: String, _ batch: ObjectBatch, _ row: Int) -> [Effect] {
    context.effects { context.copy(owned: try pathReader?.value(of: path, batch, row) ?? .null) }
  }
}

extension PromptNote {
  /// What is wrong with a filter.
  init(_ error: FilterError, in text: String) {
    let mark = error.range.map { range in
      text.characterOffset(ofByte: range.lowerBound)..<text.characterOffset(ofByte: range.upperBound)
    }
    self.init(text: error.text, kind: error.isUnfinished ? .unfinished : .error, mark: mark)
  }
}

extension String {
  /// The number of characters before a place in the UTF-8.
  fileprivate func characterOffset(ofByte offset: Int) -> Int {
    String(decoding: utf8.prefix(offset), as: UTF8.self).count
  }
}
