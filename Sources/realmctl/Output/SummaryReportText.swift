import RealmPresentation
import RealmQuery
import RealmStorage
import RealmText

/// `summarize` for people: a table for each class, and on demand how numbers are distributed.
struct SummaryReportText {
  let snapshot: Snapshot
  let summaries: [SummarizedClass]
  /// Whether there are classes that cannot be read.
  let lacksClasses: Bool
  let showsBins: Bool
  /// Of the window; nil to show all values whole.
  let width: Int?
  let pen: ANSIStyle
  let isQuiet: Bool

  func text() -> String {
    guard !summaries.isEmpty || isQuiet else {
      return lacksClasses ? "no class can be read\n" : "the realm has no classes\n"
    }
    return summaries.map { one in
      var lines = table(of: one)
      if showsBins {
        for (column, summary) in zip(one.columns, one.summary.columns) {
          if let histogram = summary.histogram { lines += [""] + bins(histogram, column) }
        }
      }
      if !isQuiet || summaries.count > 1 { lines.insert(title(one), at: 0) }
      return lines.map { $0 + "\n" }.joined()
    }.joined(separator: "\n")
  }

  private func title(_ one: SummarizedClass) -> String {
    "\(PrintableText.escaping(one.name)): \(one.summary.objectCount.counted("object"))"
  }

  /// Columns that a value among the most frequent may take.
  private static let frequentWidth = 24
  /// The same for the smallest and the largest.
  private static let valueWidth = 40

  private func table(of one: SummarizedClass) -> [String] {
    let values = ValueTable(snapshot, [], width: Self.frequentWidth) { _ in nil }
    let hasSizes = one.summary.columns.contains { $0.sizes != nil }
    let hasDamage = one.summary.columns.contains { $0.damaged > 0 }
    // Numbers and titles are never cut; where there is no room for them all, the mean goes first, then the limits.
    var titles: [TextTable.Column] = [
      .init("PROPERTY", leastWidth: 16), .init("TYPE", leastWidth: 12), .right("VALUES"), .right("NULL"),
    ]
    if hasDamage { titles.append(.right("DAMAGED")) }
    if hasSizes { titles.append(.left("SIZE")) }
    titles += [
      .right("DISTINCT"), .init("SMALLEST", rank: -1, leastWidth: 11), .init("LARGEST", rank: -1, leastWidth: 11),
      .init("AVERAGE", rank: -2, leastWidth: 11), .init("MOST FREQUENT", leastWidth: 16),
    ]
    let table = ValueTable(snapshot, titles, width: width) { _ in nil }
    for (column, summary) in zip(one.columns, one.summary.columns) {
      var cells = [column.name, column.type ?? "", String(summary.values), Self.percent(summary)]
      if hasDamage { cells.append(summary.damaged > 0 ? String(summary.damaged) : "") }
      if hasSizes { cells.append(Self.sizes(summary)) }
      cells.append((summary.distinct.isEstimate ? "~" : "") + String(summary.distinct.value))
      for value in [summary.least, summary.greatest, summary.mean] {
        let text = values.text(of: value, isMixed: column.isMixed, limit: Self.valueWidth)
        cells.append(value == .null ? "" : shown(text, value))
      }
      cells.append(frequent(summary, values))
      table.append(texts: cells)
    }
    var lines = table.takeLines(isComplete: true)
    if let first = lines.first { lines[0] = pen.bold(first) }
    if table.hiddenColumnCount > 0, !isQuiet {
      lines.append(pen.dim("(\(table.hiddenColumnCount.counted("more column")) with --verbose)"))
    }
    return lines
  }

  /// A value for a window: of ids, the parts that are most likely to differ.
  private func shown(_ text: String, _ value: Value) -> String {
    switch value {
    case .objectID, .uuid: width == nil ? text : "\(text.prefix(4))…\(text.suffix(6))"
    default: text
    }
  }

  /// Values with their frequencies. If each occurs once, none is more frequent than another.
  private func frequent(_ summary: ColumnSummary, _ values: ValueTable) -> String {
    if let first = summary.frequencies.first, first.count.value == 1, summary.values + summary.nulls > 1 {
      return summary.distinct.isEstimate ? "" : "all different"
    }
    // Of many values, those that occur once are no more frequent than others.
    let count = summary.distinct.value + (summary.nulls > 0 ? 1 : 0)
    let hasMore = count > summary.frequencies.count && !summary.distinct.isEstimate
    let repeated = hasMore ? summary.frequencies.filter { $0.count.value > 1 } : summary.frequencies
    let rest = repeated.count < summary.frequencies.count ? ", others once" : ""
    return repeated.map { frequency in
      let text = values.text(of: frequency.value, isMixed: true, limit: Self.frequentWidth)
      return "\(text) (\(frequency.count.isEstimate ? "~" : "")\(frequency.count.value))"
    }.joined(separator: ", ") + rest
  }

  /// With one digit after the point; empty without nulls.
  private static func percent(_ summary: ColumnSummary) -> String {
    guard summary.nulls > 0 else { return "" }
    let total = summary.nulls + summary.values
    // Neither 0 nor 100 % unless that is exact.
    let tenths = Int(clamping: (Double(summary.nulls) * 1000 / Double(total)).rounded())
    let shown = summary.values == 0 ? 1000 : min(max(tenths, 1), 999)
    return "\(shown / 10).\(shown % 10)%"
  }

  private static func sizes(_ summary: ColumnSummary) -> String {
    guard let sizes = summary.sizes else { return "" }
    return sizes.least == sizes.greatest ? "\(sizes.least)" : "\(sizes.least)–\(sizes.greatest)"
  }

  // MARK: Bins

  private func bins(_ histogram: Histogram, _ column: SummarizedClass.Column) -> [String] {
    let values = ValueTable(snapshot, [], width: Self.valueWidth) { _ in nil }
    let most = max(histogram.bins.map(\.count).max() ?? 0, 1)
    let rows = histogram.bins.map { bin in
      [
        values.text(of: bin.lower, isMixed: false, limit: Self.valueWidth),
        values.text(of: bin.upper, isMixed: false, limit: Self.valueWidth), String(bin.count),
        bar(bin.count, of: most),
      ]
    }
    let columns: [TextTable.Column] = [
      .right("FROM"), .right("BELOW"), .right(histogram.isEstimate ? "~COUNT" : "COUNT"), .left(""),
    ]
    var lines = [PrintableText.escaping(column.name)] + TextTable.lines(columns, rows, pen)
    if histogram.outside > 0 { lines.append("\(histogram.outside.counted("value")) outside these ranges") }
    return lines
  }

  private static let barWidth = 40

  private func bar(_ count: Int, of most: Int) -> String {
    let length = Int(clamping: Double(count) / Double(most) * Double(Self.barWidth))
    return count == 0 ? "" : String(repeating: "█", count: max(1, length))
  }
}
