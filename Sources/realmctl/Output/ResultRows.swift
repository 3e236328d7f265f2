import RealmExchange
import RealmPresentation
import RealmStorage
import RealmText

/// Where the rows of a result go.
struct ResultTarget {
  let snapshot: Snapshot
  let sink: OutputSink
  let console: Console
  /// Of the realm, for messages.
  let path: String
  let isStandardOutput: Bool
  /// The options that show columns for which there is no room.
  let moreColumns: String
}

/// Rows in the requested format.
enum ResultRows {
  case printed(PrintedTable)
  case written(RowWriter)

  /// - Parameters:
  ///   - numeric: columns whose values are aligned to the right in a table.
  ///   - className: what the rows are about, for messages.
  init(
    _ names: [String], numeric: Set<Int>, of className: RealmString, format: QueryFormat,
    isSafeForSpreadsheets: Bool = false, _ target: ResultTarget
  ) {
    switch format {
    case .table:
      self = .printed(
        PrintedTable(
          names.enumerated().map { .values($0.element, isRightAligned: numeric.contains($0.offset)) }, target))
    case .text(let format):
      self = .written(
        RowWriter(
          names, of: className, format: format, isSafeForSpreadsheets: isSafeForSpreadsheets, in: target.snapshot,
          to: target.sink))
    }
  }

  func append(_ values: [Value]) throws {
    switch self {
    case .printed(let table): try table.append(values)
    case .written(let writer): try writer.append(values)
    }
  }

  /// - Parameter noun: what the rows are.
  func finish(_ noun: String) throws -> DamageReport {
    switch self {
    case .printed(let table):
      try table.finish(noun)
      return DamageReport()
    case .written(let writer): return try writer.finish()
    }
  }
}

/// A table for people that is printed row by row.
final class PrintedTable {
  private let table: ValueTable
  private let sink: OutputSink
  private let isQuiet: Bool
  private let pen: ANSIStyle
  private let moreColumns: String
  private var isFirst = true
  private var rowCount = 0

  init(_ columns: [TextTable.Column], _ target: ResultTarget) {
    let style = target.console.style
    let isWindow = target.isStandardOutput && StandardOutput.isTerminal
    table = ValueTable(
      target.snapshot, columns, width: style.volume == .verbose || !isWindow ? nil : StandardOutput.width ?? 80
    ) { error in
      guard case .corrupted(let corruption) = error else { return Diagnostic(error, path: target.path).problem }
      return "\(corruption.reason)"
    }
    (sink, isQuiet, moreColumns) = (target.sink, style.volume == .quiet, target.moreColumns)
    pen = ANSIStyle(isColored: isWindow && style.color.isColored(fileDescriptor: 1))
  }

  func append(_ cells: [Result<ValueView, StorageError>]) throws {
    rowCount += 1
    table.append(cells)
    try show(isComplete: false)
  }

  func append(_ values: [Value]) throws {
    rowCount += 1
    table.append(values)
    try show(isComplete: false)
  }

  /// - Parameter noun: what the rows are.
  func finish(_ noun: String) throws {
    try show(isComplete: true)
    guard !isQuiet else { return }
    let hidden = table.hiddenColumnCount
    let more = hidden == 0 ? "" : "; \(hidden.counted("more column")) with \(moreColumns)"
    try sink.write(pen.dim("(\(rowCount.counted(noun))\(more))") + "\n")
  }

  private func show(isComplete: Bool) throws {
    for line in table.takeLines(isComplete: isComplete) {
      try sink.write((isFirst ? pen.bold(line) : line) + "\n")
      isFirst = false
    }
  }
}

extension OutputSink {
  /// Writes a text.
  func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
  }
}

extension QueryFormat {
  /// The default format of a result: a table for people, otherwise one JSON object per line.
  static func usual(for destination: OutputDestination, on console: Console) -> QueryFormat {
    let isForPeople = destination == .standardOutput && StandardOutput.isTerminal && !console.style.isJSON
    return isForPeople ? .table : .text(.ndjson)
  }
}
