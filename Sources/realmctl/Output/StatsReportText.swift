import RealmInspection
import RealmOpening
import RealmPresentation
import RealmStorage
import RealmText
import RealmTools

/// `stats` for people: a table that adds up, what is free, and what can be done.
struct StatsReportText {
  let report: StatsReport
  let grouping: RealmStats.Grouping
  /// Maximum number of rows to show; the rest are one row.
  let rowCount: Int
  /// Columns of the terminal; nil if there is none, which also means no bars.
  let width: Int?

  private var space: FileSpace { report.stats.space }

  func text(_ pen: ANSIStyle, showsAdvice: Bool) -> String {
    let title = "\(PrintableText.escaping(report.name)): \(ByteCount.text(space.fileSize))"
    var lines = [pen.bold(title), ""]
    lines += table(pen)
    lines += ["", freeSpaceLine]
    if showsAdvice, !report.stats.advice.isEmpty {
      lines += [""] + report.stats.advice.map { pen.bold("advice:") + " " + PrintableText.escaping($0.text) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: Table

  private struct Row {
    let name: String
    let byteCount: UInt64
    var details: [String]
  }

  private var rows: [Row] {
    let details = self.details
    let groups = report.stats.groups(by: grouping)
    var rows = groups.prefix(rowCount).map { group in
      let name = SpaceName(kind: group.kind, table: group.table, property: group.property)
      let property = group.property.flatMap { property in group.table.map { Place(table: $0, property: property) } }
      return Row(
        name: PrintableText.escaping(name.description), byteCount: group.byteCount,
        details: property.flatMap { details[$0] } ?? ["", "", ""])
    }
    let rest = groups.dropFirst(rowCount)
    if !rest.isEmpty {
      rows.append(
        Row(
          name: rest.count.counted("other"),
          byteCount: rest.reduce(0) { $0 + $1.byteCount }, details: ["", "", ""]))
    }
    return rows
  }

  private struct Place: Hashable {
    let table: RealmString
    let property: RealmString
  }

  /// Average, largest value and its object, if a row is a property.
  private var details: [Place: [String]] {
    guard grouping == .property else { return [:] }
    return Dictionary(
      space.properties.map { property in
        let cells = [
          property.averageBytes.map { ByteCount.short($0) } ?? "",
          property.largest.map { ByteCount.short($0.byteCount) } ?? "",
          property.largest.map { String($0.object.rawValue) } ?? "",
        ]
        return (Place(table: property.table, property: property.property), cells)
      }
    ) { first, _ in first }
  }

  private func table(_ pen: ANSIStyle) -> [String] {
    let title =
      switch grouping {
      case .part: "PART"
      case .class: "CLASS"
      case .property: "PROPERTY"
      }
    let rows = rows
    let bars = bars(for: rows)
    var columns: [TextTable.Column] = [.right("BYTES"), .right("SHARE"), .left(title)]
    let hasDetails = grouping == .property
    if hasDetails { columns += [.right("AVERAGE"), .right("LARGEST"), .right("OBJECT KEY")] }
    columns.append(.left(""))
    let cells = zip(rows, bars).map { row, bar in
      [String(row.byteCount), share(row.byteCount), row.name] + (hasDetails ? row.details : []) + [bar]
    }
    return TextTable.lines(columns, cells, pen)
  }

  /// `12.3%`, in whole numbers: the same everywhere.
  private func share(_ bytes: UInt64) -> String {
    guard space.fileSize > 0 else { return "" }
    let tenths = (bytes.multipliedFullWidth(by: 1000))
    let share = space.fileSize.dividingFullWidth(tenths).quotient
    return "\(share / 10).\(share % 10)%"
  }

  /// A bar for each row, if there is room.
  private func bars(for rows: [Row]) -> [String] {
    guard let width else { return rows.map { _ in "" } }
    let names = rows.reduce(9) { max($0, CharacterWidth.of($1.name)) }
    let digits = String(rows.first?.byteCount ?? 0).count
    let taken = max(digits, 5) + 2 + 6 + 2 + names + 2 + (grouping == .property ? 36 : 0)
    let room = min(width - taken, Self.longestBar)
    guard room >= Self.shortestBar, let largest = rows.map(\.byteCount).max(), largest > 0 else {
      return rows.map { _ in "" }
    }
    return rows.map { row in
      let eighths = Int(clamping: Double(row.byteCount) / Double(largest) * Double(room * 8))
      let whole = String(repeating: "█", count: eighths / 8)
      let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
      return whole + rest
    }
  }

  private static let longestBar = 40
  private static let shortestBar = 5

  // MARK: Free space

  private var freeSpaceLine: String {
    let free = space.freeBlocks
    let blocks = free.count.counted("block")
    var line = "free: \(ByteCount.short(free.byteCount)) in \(blocks)"
    if free.count > 0 {
      line += ", largest \(ByteCount.short(free.largest)), \(ByteCount.short(free.atEnd)) at the end"
    }
    return line + "; compacted: about \(ByteCount.short(space.compactedSize))"
  }
}

extension SpaceAdvice {
  /// For programs.
  var kindName: String {
    switch self {
    case .compact: "compact"
    case .olderSnapshots: "olderSnapshots"
    case .history: "history"
    case .largeIndex: "largeIndex"
    case .mostOfTheFile: "mostOfTheFile"
    case .repeatedStrings: "repeatedStrings"
    }
  }

  var text: String {
    switch self {
    case .compact(let gain): return "'compact' would free about \(ByteCount.short(gain))"
    case .olderSnapshots(let bytes):
      return
        "older snapshots take \(ByteCount.short(bytes)); the next commit can use them unless something still reads them, such as a "
        + "frozen realm"
    case .history(let bytes):
      return "the history takes \(ByteCount.short(bytes)); an app shortens it with its next commit when nothing reads "
        + "an older snapshot"
    case .largeIndex(let table, let property, let index, let values):
      return "the index of \(SpaceName(table: table, property: property)) takes \(ByteCount.short(index)), its values "
        + "\(ByteCount.short(values)); remove it if no query needs it"
    case .mostOfTheFile(let table, let property, let bytes):
      return "\(SpaceName(table: table, property: property)) takes most of the file, \(ByteCount.short(bytes))"
    case .repeatedStrings(let table, let property, let distinct, let objects, let saved):
      let texts = distinct.counted("distinct string")
      return
        "\(SpaceName(table: table, property: property)) has \(texts) in \(objects) objects; use numbers, or links "
        + "to objects with the strings, and save about \(ByteCount.short(saved))"
    }
  }
}
