import RealmPresentation
import RealmQuery
import RealmStorage
import RealmText

/// Columns by name and in any order, and key paths through links as columns.
extension ObjectsView {
  /// Asks for the name of a column; the focus follows while it is typed.
  func columnPrompt() -> Prompt {
    let before = columns
    let names = columns.columns.map(\.name)
    return Prompt(
      .column, label: "column: ", completions: { text, _ in .words(names, in: text, from: 0) },
      changed: { [self] text in
        columns = before
        if let place = columns.position(matching: text) { columns.moveFocus(to: place) }
        return []
      },
      cancelled: { [self] in
        columns = before
        return []
      },
      submitted: { [self] text in
        guard !text.isEmpty else { return [] }
        guard let place = columns.position(matching: text) else { return unknownColumn(text) }
        columns.reveal(place)
        return []
      })
  }

  func unknownColumn(_ name: String) -> [Effect] {
    guard !name.isEmpty else { return [.say(.warning("name a column; Tab lists them"))] }
    let question =
      name.hasSuffix(" asc")
      ? "omit asc"
      : name.contains(",") ? "name one column" : Similarity.question(about: name, among: columns.columns.map(\.name))
    return [.say(.warning("no column '\(name)'" + (question.map { "; " + $0 } ?? "")))]
  }

  /// Shows the given columns in this order, or lets the user choose among all of them.
  ///
  /// - Parameter list: names and key paths between commas; `*` in front of one keeps it at the left.
  func setColumns(_ list: String) -> [Effect] {
    guard !list.isEmpty else { return [.push(ColumnsView(context, self))] }
    var chosen = columns
    var places: [Int] = []
    var pin: Int?
    for word in list.split(separator: ",").map({ $0.drop { $0 == " " } }) {
      let isPinned = word.hasPrefix("*")
      let name = String(isPinned ? word.dropFirst() : word).trimmingBlanks()
      guard !name.isEmpty else { continue }
      do {
        let place = try place(of: name, in: &chosen)
        if !places.contains(place) { places.append(place) }
        if isPinned { pin = place }
      } catch {
        let words = list.split(separator: " ").map(String.init)
        guard words.count > 1, !list.contains(","), words.allSatisfy({ columns.position(named: $0) != nil }) else {
          return [.say(context.message(error))]
        }
        return [.say(.warning("separate names with commas: \(words.joined(separator: ","))"))]
      }
    }
    guard !places.isEmpty else { return [.say(.warning("name columns, as in :columns name,*age,city.name"))] }
    chosen.arrange(places, pinned: pin)
    takeColumns(chosen)
    return []
  }

  /// The position of a column; a key path that is not shown yet becomes one.
  private func place(of name: String, in columns: inout ObjectColumns) throws -> Int {
    if let place = columns.position(named: name) { return place }
    guard let table else { throw FilterError("no column '\(name)'", at: nil) }
    do {
      _ = try QueryColumns([name], of: table, in: context.snapshot, inverses: context.inverses)
    } catch let error as QueryError {
      throw FilterError(error, inPath: name)
    }
    return columns.add(path: name)
  }

  /// Shows the columns; key paths that mean nothing in the class are left out.
  func takeColumns(_ chosen: ObjectColumns) {
    columns = chosen
    preparePaths()
  }

  /// Makes key paths ready for the snapshot that is shown.
  func preparePaths() {
    pathReader = nil
    guard let table else { return }
    columns.dropPaths { path in
      (try? QueryColumns([path], of: table, in: context.snapshot, inverses: context.inverses)) == nil
    }
    let paths = columns.columns.compactMap(\.path)
    guard !paths.isEmpty,
      let ready = try? QueryColumns(paths, of: table, in: context.snapshot, inverses: context.inverses)
    else { return }
    pathReader = PathReader(paths: paths, reader: ready.reader())
  }

  /// Reads key paths of one object after another.
  final class PathReader {
    private let paths: [String]
    private let reader: QueryColumns.Reader
    private var last: (key: ObjectKey, values: [Value])?

    init(paths: [String], reader: QueryColumns.Reader) { (self.paths, self.reader) = (paths, reader) }

    /// - Throws: `QueryError` if a path reaches too many values.
    func value(of path: String, _ batch: ObjectBatch, _ row: Int) throws -> Value {
      let key = batch.key(at: row)
      if last?.key != key { last = (key, try reader.values(of: batch, row: row)) }
      guard let last, let place = paths.firstIndex(of: path), last.values.indices.contains(place) else { return .null }
      return last.values[place]
    }
  }

  /// The text of a key path's value.
  func append(path: String, of batch: ObjectBatch, _ row: Int, to text: inout CellText) {
    do {
      let value = try pathReader?.value(of: path, batch, row) ?? .null
      context.printer.append(owned: value, to: &text)
    } catch {
      text.append("too many values", .faint)
    }
  }

  // MARK: By the value of a cell

  /// Narrows the list to the objects with the value in the focused column, or to the others.
  func filterByValue(_ position: Int, isEqual: Bool) -> [Effect] {
    guard case .object(let batch, let row) = row(at: position) else { return explain(position) }
    let column = columns.focused
    return context.effects {
      guard let constant = try constant(of: column, batch, row) else {
        return [.say(.info("this value cannot be written as a filter; f takes others"))]
      }
      let name =
        column.path ?? column.property.map { RQL.written(batch.table.schema.properties[$0].name) } ?? ""
      return addFilter(name + (isEqual ? " == " : " != ") + constant, position)
    }
  }

  private func constant(of column: ObjectColumns.Column, _ batch: ObjectBatch, _ row: Int) throws -> String? {
    if let path = column.path {
      guard let value = try pathReader?.value(of: path, batch, row) else { return nil }
      return try context.written(owned: value)
    }
    guard let property = column.property else { return nil }
    return try RQL.written(batch.values(ofProperty: property).value(at: row), in: context.snapshot)
  }
}

extension String {
  /// Without blanks at its ends.
  func trimmingBlanks() -> String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}
