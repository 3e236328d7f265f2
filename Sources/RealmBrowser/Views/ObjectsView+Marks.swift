import RealmPresentation
import RealmStorage

/// Marking objects, to do something with several of them.
extension ObjectsView {
  /// The marks of the class, shared by all views of its objects.
  var marks: RowMarks {
    get { table.flatMap { context.marks[$0.schema.name] } ?? RowMarks() }
    set { if let table { context.marks[table.schema.name] = newValue } }
  }

  func isMarked(_ row: ObjectRow) -> Bool { row.key.map(marks.contains) ?? false }

  func selection(at position: Int) -> ObjectSelection? {
    guard let table else { return nil }
    return ObjectSelection(
      table: table.schema.name, source: shownSource, marks: marks.isEmpty ? nil : marks, columns: columns.chosenNames)
  }

  func rowSelection(at position: Int) -> ObjectSelection? {
    guard marks.isEmpty else { return selection(at: position) }
    guard let table, let key = row(at: position).key else { return nil }
    return ObjectSelection(
      table: table.schema.name, source: .keys(table: table.schema.name, [key]), marks: nil, columns: nil)
  }

  /// Marks the object, or removes its mark, and moves to the next row.
  func toggleMark(_ position: Int) -> [Effect] {
    guard let key = row(at: position).key else { return explain(position) }
    marks.toggle(key)
    return position + 1 < rowCount ? [.move(to: position + 1)] : []
  }

  /// Marks all objects that are shown.
  func markAll() -> [Effect] {
    guard rowCount > 0 else { return [.say(.info("no objects to mark"))] }
    let (source, realm) = (shownSource, context.realm)
    marking?.progress.stop()
    marking = context.start("marking", total: rowCount) { progress, _ in
      if case .keys(_, let keys) = source { return RowMarks(keys) }
      var keys: [ObjectKey] = []
      var walk = try ShownRowWalk(source, in: realm, progress)
      try walk.forEach { group in keys += group.rows.map { group.key(at: $0) } }
      return RowMarks(Array(Set(keys)))
    }
    return collectMarks()
  }

  func collectMarks() -> [Effect] {
    guard let task = marking else { return [] }
    return task.collect(context) {
      marking = nil
    } finished: { found in
      marks.formUnion(found)
      return [.say(.info(markText + "; T removes the marks"))]
    }
  }

  func unmarkAll() -> [Effect] {
    guard !marks.isEmpty else { return [.say(.info("nothing is marked; Space marks a row, t all"))] }
    marks = RowMarks()
    return [.say(.info("no longer marked"))]
  }

  /// `1 object marked`
  var markText: String { CountText.counted(marks.count, "object") + " marked" }

  /// Narrows the list to the objects that are marked now.
  func filterByMarks(_ position: Int) -> [Effect] {
    guard !marks.isEmpty else { return [.say(.info("nothing is marked; Space marks a row, t all"))] }
    setArrangement { $0.filters.append(ObjectFilter(marks)) }
    return showAll(keeping: position)
  }
}
