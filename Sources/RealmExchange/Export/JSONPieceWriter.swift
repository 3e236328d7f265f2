import RealmStorage
import RealmText

/// Writes pieces as JSON: values in a form, objects in a document.
final class JSONPieceWriter<Form: ValueForm, Document: ExportDocument> {
  private let writer: ObjectWriter<Form>
  private let document: Document
  /// The text that the objects of `headTable` begin with.
  private let head = TextBuffer(capacity: 256)
  private var headTable: TableKey?

  init(
    _ form: Form, _ document: Document, _ context: ExportContext, _ text: TextBuffer,
    _ spill: @escaping (TextBuffer) throws -> Void
  ) {
    writer = ObjectWriter(form: form, context: context, text: text, spill: spill)
    self.document = document
  }

  func takeReport() -> DamageReport { writer.takeReport() }

  func forgetPlaces() { writer.resolver.forgetAll() }

  func write(_ piece: ExportPiece) throws {
    let text = writer.text
    switch piece.content {
    case .openDocument: document.open(text)
    case .openTable(let table, let isFirst): document.open(table, isFirst: isFirst, text)
    case .closeTable(let table): document.close(table, text)
    case .closeDocument: document.close(text)
    case .objects(let objects, var isFirst, var isFirstOfAll):
      try objects.forEachBatch(damaged: writer.note) { batch, rows in
        let table = batch.table
        let showsKey = document.showsObjectKeys && table.schema.primaryKeyIndex == nil
        prepareHead(of: table)
        try writer.write(batch, rows: rows, showsKey: showsKey) { key in
          document.separateObject(isFirst: isFirst, isFirstOfAll: isFirstOfAll, text)
          isFirst = false
          isFirstOfAll = false
          if head.count > 0 { head.withBytes { text.append(bytes: $0) } }
          document.openObject(key, text)
        } after: {
          document.closeObject(text)
        }
      }
    }
  }

  private func prepareHead(of table: Table) {
    guard headTable != table.key else { return }
    head.removeAll()
    document.appendHead(ofObjectsIn: table, to: head)
    headTable = table.key
  }
}
