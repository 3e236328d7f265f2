import RealmStorage
import RealmText
import Synchronization

/// One export in one form and document shape.
struct ExportRun<Form: ValueForm, Document: ExportDocument> {
  let snapshot: Snapshot
  let options: ExportOptions
  let sink: any TextSink
  let form: Form
  let document: Document

  func run() throws -> DamageReport {
    let pieces = ExportPieces(options.tables)
    let walk = snapshot.collectionWalk()
    let embedded = EmbeddedBudget(fileSize: snapshot.byteCount)
    let reports = Mutex<[(number: Int, report: DamageReport)]>([])
    let pipeline = OrderedPipeline<ExportPiece>(threadCount: options.threadCount) { pieces.next() }
    let (form, document, sink, snapshot, options) = (form, document, sink, snapshot, options)
    try pipeline.run {
      let text = TextBuffer(capacity: ExportLimits.spill / 2)
      let awaitTurn = TurnBox()
      let writer = ObjectWriter(
        form: form, snapshot: snapshot, walk: walk, embedded: embedded, links: options.links, text: text
      ) { text in
        try awaitTurn.wait()
        try text.withBytes(sink.write)
        text.removeAll()
      }
      return { piece, wait in
        try withoutActuallyEscaping(wait) { wait in
          awaitTurn.wait = wait
          defer { awaitTurn.wait = {} }
          try Self.write(piece, with: writer, document)
          try wait()
        }
        try text.withBytes(sink.write)
        text.removeAll()
        let report = writer.takeReport()
        if !report.isEmpty { reports.withLock { $0.append((piece.number, report)) } }
      }
    }
    var total = pieces.report
    for entry in reports.withLock({ $0 }).sorted(by: { $0.number < $1.number }) { total.merge(entry.report) }
    return total
  }

  /// The turn of the piece a thread works on, for text that is handed on in the middle of it.
  private final class TurnBox {
    var wait: () throws -> Void = {}
  }

  private static func write(_ piece: ExportPiece, with writer: ObjectWriter<Form>, _ document: Document) throws {
    let text = writer.text
    switch piece.content {
    case .openDocument: document.open(text)
    case .openTable(let table, let isFirst): document.open(table, isFirst: isFirst, text)
    case .closeTable(let table): document.close(table, text)
    case .closeDocument: document.close(text)
    case .objects(let batches, let firstInTable, let firstInAll):
      var isFirst = firstInTable
      var isFirstOfAll = firstInAll
      for batch in batches {
        let table = batch.table
        let showsKey = document.showsObjectKeys && table.schema.primaryKey == nil
        try writer.write(batch, showsKey: showsKey) { key in
          document.openObject(table, key: key, isFirst: isFirst, isFirstOfAll: isFirstOfAll, text)
          isFirst = false
          isFirstOfAll = false
        } after: {
          document.closeObject(text)
        }
      }
    }
  }
}

/// A piece of work of an export.
struct ExportPiece: Sendable {
  enum Content: Sendable {
    case openDocument
    case openTable(Table, isFirst: Bool)
    case objects([ObjectBatch], isFirstInTable: Bool, isFirstOfAll: Bool)
    case closeTable(Table)
    case closeDocument
  }

  let number: Int
  let content: Content
}

/// Cuts an export into pieces, on demand; used by one thread at a time.
final class ExportPieces: @unchecked Sendable {
  private enum State {
    case document
    case table
    case objects(ObjectBatches, Table)
    case done
  }

  private let tables: [Table]
  private var tableIndex = 0
  private var state = State.document
  private var number = 0
  private var objectsInTable = 0
  private var objectsInAll = 0
  private var damagesInTable = 0
  /// What could not even be cut into pieces.
  private(set) var report = DamageReport()

  init(_ tables: [Table]) { self.tables = tables }

  func next() -> ExportPiece? {
    guard let content = nextContent() else { return nil }
    defer { number += 1 }
    return ExportPiece(number: number, content: content)
  }

  private func nextContent() -> ExportPiece.Content? {
    switch state {
    case .document:
      state = .table
      return .openDocument
    case .table:
      guard tableIndex < tables.count else {
        state = .done
        return .closeDocument
      }
      let table = tables[tableIndex]
      defer { tableIndex += 1 }
      state = .objects(table.batches(), table)
      (objectsInTable, damagesInTable) = (0, 0)
      return .openTable(table, isFirst: tableIndex == 0)
    case .objects(let batches, let table): return nextObjects(batches, of: table)
    case .done: return nil
    }
  }

  private func nextObjects(_ batches: ObjectBatches, of table: Table) -> ExportPiece.Content {
    var batches = batches
    var taken: [ObjectBatch] = []
    var count = 0
    let before = (objectsInTable, objectsInAll)
    while count < ExportLimits.objectsPerPiece, let step = batches.next() {
      switch step {
      case .batch(let batch):
        guard batch.count > 0 else { continue }
        taken.append(batch)
        count += batch.count
      case .damaged(let error):
        damagesInTable += 1
        report.add(Damage(table: table.schema.displayName, part: .objects, error: error))
      }
    }
    objectsInTable += count
    objectsInAll += count
    guard count > 0 else {
      state = .table
      noteMissingObjects(of: table)
      return .closeTable(table)
    }
    state = .objects(batches, table)
    return .objects(taken, isFirstInTable: before.0 == 0, isFirstOfAll: before.1 == 0)
  }

  /// The root of a table tells how many objects there should be.
  private func noteMissingObjects(of table: Table) {
    guard damagesInTable > 0, let expected = try? table.objectCount() else { return }
    report.addMissingObjects(max(0, expected - objectsInTable))
  }
}
