import RealmStorage

/// Values in columns, as lines of text to print on a terminal, which are as wide as the values in the first rows need.
///
/// ```swift
/// let table = ValueTable(snapshot, [TextTable.Column("name")], width: 80, describe: { "\($0)" })
/// table.append([.success(value)])
/// for line in table.takeLines(isComplete: true) { print(line) }
/// ```
package final class ValueTable {
  private var table: TextTable
  private let printer: ValuePrinter
  private let width: Int?
  private var cellCount = 0

  /// The first rows, whose widths decide about those of the columns, and the maximum number of characters in them.
  private static let measuredRows = 1000
  private static let measuredCells = 1 << 20
  /// Characters of a cell that is shown whole.
  private static let mostCharacters = 1 << 20

  /// - Parameters:
  ///   - width: columns of the window; nil to show all values whole.
  ///   - describe: describes a damaged part; nil for no more than that it is damaged.
  package init(
    _ snapshot: Snapshot, _ columns: [TextTable.Column], width: Int?, describe: @escaping (StorageError) -> String?
  ) {
    self.width = width
    table = TextTable(columns)
    printer = ValuePrinter(snapshot, .unicode, width == nil ? .whole : .line, describe: describe)
  }

  /// The number of columns for which a window of this width has no room; 0 until there are rows.
  package var hiddenColumnCount: Int { table.hiddenColumnCount }

  /// Adds a row with a cell for each column. The values are not needed afterwards.
  package func append(_ cells: [Result<ValueView, StorageError>]) {
    let limit = width ?? Self.mostCharacters
    add(
      zip(table.columns, cells).map { column, cell in
        switch cell {
        case .success(let value): printer.print(value, isMixed: column.isMixed, limit: limit)
        case .failure(let error): printer.print(error, limit: limit)
        }
      })
  }

  /// Adds a row of values that are owned.
  package func append(_ values: [Value]) {
    add(zip(table.columns, values).map { printer.print(owned: $1, isMixed: $0.isMixed, limit: width ?? .max) })
  }

  /// Adds a row of literal texts.
  package func append(texts: [String]) { add(texts.map { CellText($0, .plain, .unicode, limit: width ?? .max) }) }

  private func add(_ row: [CellText]) {
    cellCount += row.reduce(0) { $0 + $1.width }
    table.append(row)
  }

  /// The lines that can be shown so far, the titles first.
  ///
  /// - Parameter isComplete: whether there are no more rows. Before that, no line is returned until the widths are
  ///   known.
  package func takeLines(isComplete: Bool) -> [String] {
    var lines: [String] = []
    if !table.isLaidOut {
      guard isComplete || table.rows.count >= Self.measuredRows || cellCount >= Self.measuredCells else { return [] }
      table.fit(width, shrinking: .widest)
      lines.append(table.titleText)
    }
    return lines + table.takeRows().map(table.text)
  }

  /// A value as shown in a cell, for a cell with several.
  ///
  /// - Parameters:
  ///   - isMixed: whether strings are quoted.
  ///   - limit: the number of columns it may take.
  package func text(of value: Value, isMixed: Bool, limit: Int) -> String {
    let text = printer.print(owned: value, isMixed: isMixed, limit: limit)
    return String(String.UnicodeScalarView(text.fitted(to: text.width).flatMap(\.scalars)))
  }
}

extension TextTable.Column {
  /// A column for any values, with its title.
  package static func values(_ title: String, isRightAligned: Bool = false) -> TextTable.Column {
    TextTable.Column(title, isRightAligned ? .right : .left, leastWidth: 6)
  }

  /// A column for the values of a property.
  package init(_ property: Property) {
    self.init(
      property.name.description, property.isNumeric ? .right : .left, leastWidth: 6,
      isMixed: property.type == .mixed && property.collection == nil,
      isID: [.objectID, .uuid].contains(property.type) && property.collection == nil)
  }
}
