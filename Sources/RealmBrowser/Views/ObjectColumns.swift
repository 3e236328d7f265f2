import RealmPresentation
import RealmQuery
import RealmStorage

/// The columns of a table of objects: the object key, the primary key, then the other properties; or key paths, if they
/// were requested.
///
/// When columns scroll, the primary key or the chosen column stays, or otherwise the object key: without it, nobody
/// would know which object a row is.
struct ObjectColumns {
  struct Column {
    /// Index of the property; nil for the object key and key paths.
    let property: Int?
    /// The key path that is shown in place of a property.
    var path: String?
    let name: String
    let type: String
    let isRightAligned: Bool
    /// 0 until values have been seen.
    var width = 0
    /// The width that the widest value seen would need.
    var wanted = 0
    /// Whether the user chose the width.
    var isSettled = false
    var isHidden = false
    let isPrimaryKey: Bool
    /// Whether it stays at the left; at most one does.
    var isPinned = false
  }

  private(set) var columns: [Column]
  /// The position in `columns` of the column that keys act on.
  private(set) var focus = 0
  /// The position of the first column shown after the key.
  private var first = 1
  /// Columns shown with the widths they have on the screen, from left to right.
  private(set) var layout: [(index: Int, width: Int)] = []

  static let leastWidth = 3
  private static let mostWidth = 200
  /// Columns do not become wider than this by themselves.
  private static let usualMost = 32
  /// The number of blanks between columns: one if room is short.
  private(set) var gap = 2

  init(_ schema: TableSchema) {
    let key = Column(property: nil, name: "#", type: "key", isRightAligned: true, isPrimaryKey: false)
    columns = [key]
    let primaryKey = schema.primaryKeyIndex
    let others = schema.properties.indices.filter { $0 != primaryKey }
    for index in (primaryKey.map { [$0] } ?? []) + others {
      let property = schema.properties[index]
      columns.append(
        Column(
          property: index, name: property.name.description, type: property.shorthand,
          isRightAligned: property.isNumeric, isPrimaryKey: index == primaryKey, isPinned: index == primaryKey))
    }
  }

  var focused: Column { columns[focus] }
  /// Columns that are shown, by position.
  private var shown: [Int] { columns.indices.filter { !columns[$0].isHidden } }
  var hiddenCount: Int { columns.count(where: \.isHidden) }

  /// The position of the first column with a name.
  func position(named name: String) -> Int? { columns.firstIndex { $0.name == name } }

  /// The position of the column with a part of its name: its beginning, or otherwise any part of it.
  func position(matching text: String) -> Int? {
    let wanted = text.lowercased()
    guard !wanted.isEmpty else { return nil }
    let names = columns.map { $0.name.lowercased() }
    return position(named: text) ?? names.firstIndex { $0.hasPrefix(wanted) }
      ?? names.firstIndex { $0.contains(wanted) }
  }

  /// The columns shown as key paths, without the object key; nil if they are all properties in their order.
  var chosenNames: [String]? {
    let chosen = columns.dropFirst()
    let own = chosen.compactMap(\.property)
    let primaryKey = chosen.first { $0.isPrimaryKey }?.property
    let ordinary = (primaryKey.map { [$0] } ?? []) + own.sorted().filter { $0 != primaryKey }
    guard chosen.contains(where: { $0.isHidden || $0.path != nil }) || own != ordinary else { return nil }
    return chosen.filter { !$0.isHidden }.map { $0.path ?? RQL.written(RealmString($0.name)) }
  }

  // MARK: Focus

  mutating func moveFocus(by step: Int) {
    let shown = shown
    guard let place = shown.firstIndex(of: focus) else { return focus = 0 }
    focus = shown[min(max(place + step, 0), shown.count - 1)]
  }

  mutating func moveFocus(to position: Int) {
    guard columns.indices.contains(position), !columns[position].isHidden else { return }
    focus = position
  }

  /// Puts the focus on a column, and shows it again if it was hidden.
  mutating func reveal(_ position: Int) {
    guard columns.indices.contains(position) else { return }
    columns[position].isHidden = false
    focus = position
  }

  // MARK: Looks

  /// Hides the focused column. The key stays.
  mutating func hideFocused() -> Bool {
    guard focus > 0 else { return false }
    columns[focus].isHidden = true
    let place = shown.last { $0 < focus } ?? 0
    focus = shown.first { $0 > focus } ?? place
    return true
  }

  mutating func setHidden(_ position: Int, _ isHidden: Bool) {
    guard position > 0, columns.indices.contains(position) else { return }
    columns[position].isHidden = isHidden
    if isHidden, focus == position { focus = shown.last { $0 < focus } ?? 0 }
  }

  // MARK: Order

  /// Swaps two columns; the object key keeps its place.
  ///
  /// - Returns: false if no such column exists.
  mutating func swap(_ left: Int, _ right: Int) -> Bool {
    guard left > 0, right > 0, columns.indices.contains(left), columns.indices.contains(right) else { return false }
    columns.swapAt(left, right)
    if focus == left { focus = right } else if focus == right { focus = left }
    return true
  }

  /// Keeps another column at the left instead of the current one.
  mutating func pin(_ position: Int) {
    guard position > 0, columns.indices.contains(position) else { return }
    let focused = columns[focus].name
    for index in columns.indices { columns[index].isPinned = index == position }
    columns.insert(columns.remove(at: position), at: 1)
    columns[1].isHidden = false
    focus = self.position(named: focused) ?? 0
  }

  /// Adds a key path as the last column.
  ///
  /// - Returns: its position.
  mutating func add(path: String) -> Int {
    columns.append(
      Column(property: nil, path: path, name: path, type: "path", isRightAligned: false, isPrimaryKey: false))
    return columns.count - 1
  }

  /// Removes columns whose key path no longer has a meaning.
  mutating func dropPaths(where isLost: (String) -> Bool) {
    let focused = columns[focus].name
    columns.removeAll { $0.path.map(isLost) ?? false }
    focus = position(named: focused) ?? 0
  }

  /// Shows some columns in an order, and hides the others.
  mutating func arrange(_ positions: [Int], pinned: Int?) {
    let chosen = positions.filter { $0 > 0 && columns.indices.contains($0) }
    let others = columns.indices.dropFirst().filter { !chosen.contains($0) }
    for index in chosen { columns[index].isHidden = false }
    for index in others { columns[index].isHidden = true }
    let pin = pinned.map { columns[$0].name }
    columns = [columns[0]] + chosen.map { columns[$0] } + others.map { columns[$0] }
    focus = min(1, columns.count - 1)
    if let place = pin.flatMap({ position(named: $0) }) { self.pin(place) }
  }

  mutating func showAll() { for index in columns.indices { columns[index].isHidden = false } }

  mutating func setWidth(of position: Int, to width: Int) {
    columns[position].width = min(max(width, Self.leastWidth), Self.mostWidth)
    columns[position].isSettled = true
  }

  /// Takes over the order of columns, key paths, hidden columns and widths, by name.
  mutating func takeOver(_ old: ObjectColumns) {
    var rest = columns
    var ordered: [Column] = []
    for before in old.columns {
      if before.path != nil {
        ordered.append(before)
      } else if let index = rest.firstIndex(where: {
        $0.name == before.name && ($0.property == nil) == (before.property == nil)
      }) {
        var column = rest.remove(at: index)
        (column.isHidden, column.isPinned) = (before.isHidden, before.isPinned)
        (column.width, column.isSettled) = (before.width, before.isSettled)
        ordered.append(column)
      }
    }
    columns = ordered + rest
    let pins = columns.indices.filter { columns[$0].isPinned }
    for index in pins.dropFirst() { columns[index].isPinned = false }
    focus = position(named: old.focused.name) ?? 0
  }

  // MARK: Layout

  /// Sets the widths of columns by the visible values. They grow with longer values up to the usual width, and never
  /// shrink while the user looks at them.
  ///
  /// - Parameter needed: the width that a column's visible values need, at most the number given.
  mutating func measure(_ needed: (Int, Int) -> Int) {
    for index in shown where columns[index].width == 0 {
      // The sign for the order, and the one for the primary key.
      let title = columns[index].name.unicodeScalars.count + (columns[index].isPrimaryKey ? 2 : 1)
      let least = max(title, columns[index].type.unicodeScalars.count, Self.leastWidth)
      columns[index].wanted = needed(index, Self.mostWidth)
      columns[index].width = min(max(least, columns[index].wanted), Self.usualMost)
    }
    for (index, _) in layout where !columns[index].isSettled {
      columns[index].width = max(columns[index].width, needed(index, Self.usualMost))
      columns[index].wanted = max(columns[index].wanted, columns[index].width)
    }
  }

  /// Chooses the columns for a screen so that the focused one is on it.
  mutating func layOut(width: Int) {
    gap = width < 60 ? 1 : 2
    let others = Array(shown.dropFirst())
    let start = others.first ?? 1
    guard focus > 0, let place = others.firstIndex(of: focus), focus != pinned else {
      first = start
      layout = fitting(from: first, width)
      return
    }
    if focus < first || columns[min(first, columns.count - 1)].isHidden { first = focus }
    // Too far right: drop columns at the left until the focused one fits.
    while first < focus, !isWhole(focus, in: fitting(from: first, width)) {
      first = others.first { $0 > first } ?? focus
    }
    // There may now be room at the left.
    while let before = others[..<place].last(where: { $0 < first }), isWhole(focus, in: fitting(from: before, width)) {
      first = before
    }
    layout = fitting(from: first, width)
  }

  /// The column that stays when the others scroll.
  private var pinned: Int { columns.firstIndex { $0.isPinned && !$0.isHidden } ?? 0 }

  /// The columns from one on: after the object key if all are visible, otherwise after the one that stays.
  private func fitting(from first: Int, _ width: Int) -> [(index: Int, width: Int)] {
    let others = shown.dropFirst()
    guard first > others.first ?? 1 else { return fitting(0, others, width) }
    return fitting(pinned, others.filter { $0 >= first && $0 != pinned }[...], width)
  }

  /// - Parameter head: the column at the left. It leaves half of the screen to the others, or takes all of it if it is
  ///   alone.
  private func fitting(_ head: Int, _ others: ArraySlice<Int>, _ width: Int) -> [(index: Int, width: Int)] {
    let most = others.isEmpty || head == 0 ? width - 1 : (width - 1) / 2
    var result = [(index: head, width: min(columns[head].width, max(most, 1)))]
    var room = width - 1 - result[0].width - gap
    for index in others {
      guard room >= Self.leastWidth else { return result }
      result.append((index, min(columns[index].width, room)))
      room -= columns[index].width + gap
    }
    share(room + gap, among: &result)
    return result
  }

  /// All columns are visible: the remaining room goes to those that were cut, the same amount to each, so that one long
  /// string does not take it all.
  private func share(_ room: Int, among layout: inout [(index: Int, width: Int)]) {
    var room = room
    let lacking = layout.indices.map { (place: $0, width: columns[layout[$0].index].wanted - layout[$0].width) }
      .filter { $0.width > 0 && !columns[layout[$0.place].index].isSettled }
      .sorted { ($0.width, $0.place) < ($1.width, $1.place) }
    for (served, lack) in lacking.enumerated() where room > 0 {
      let more = min(lack.width, room / (lacking.count - served))
      layout[lack.place].width += more
      room -= more
    }
  }

  private func isWhole(_ index: Int, in layout: [(index: Int, width: Int)]) -> Bool {
    guard let entry = layout.first(where: { $0.index == index }) else { return false }
    return entry.width >= columns[index].width || layout.count <= 2
  }

  // MARK: Lines

  /// A line of cells in the columns that are shown.
  ///
  /// - Parameter head: what comes before them.
  func line(after head: [Cell], width: Int, _ text: (Int) -> CellText) -> [Cell] {
    var cells = head
    for (index, width) in layout {
      cells += text(index).fitted(to: width, columns[index].isRightAligned ? .right : .left)
      cells += Array(repeating: .blank(), count: gap)
    }
    if cells.count < width { cells += Array(repeating: .blank(), count: width - cells.count) }
    return Array(cells.prefix(width))
  }

  /// Highlights the line of the cursor a little, and its focused cell a lot.
  ///
  /// - Parameter start: where the first column begins.
  func emphasize(_ line: inout [Cell], from start: Int, _ cursor: Unicode.Scalar) {
    for index in line.indices { line[index].style.emphasis = .row }
    var column = start
    for (index, width) in layout {
      if index == focus {
        for cell in column..<min(column + width, line.count) { line[cell].style.emphasis = .focus }
      }
      column += width + gap
    }
    line[0] = Cell(cursor, line[0].style)
  }

  /// Moves the focus as a key asks.
  ///
  /// - Returns: false for a request that is not a movement through columns.
  mutating func move(_ request: Request) -> Bool {
    switch request {
    case .left: moveFocus(by: -1)
    case .right: moveFocus(by: 1)
    case .firstColumn: moveFocus(to: 0)
    case .lastColumn: focus = shown.last ?? 0
    default: return false
    }
    return true
  }

  /// Whether columns are out of sight to the left and to the right.
  var hasMore: (left: Bool, right: Bool) {
    guard let last = layout.last else { return (false, false) }
    // The object key gives way to the primary key only where columns are out of sight.
    let isLeft = layout[0].index > 0 || (layout.count > 1 && shown.contains { $0 > 0 && $0 < layout[1].index })
    return (isLeft, shown.contains { $0 > last.index } || last.width < columns[last.index].width)
  }
}
