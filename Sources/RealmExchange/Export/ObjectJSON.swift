import RealmStorage
import RealmText

/// Objects as JSON, one at a time, in a form of `export`.
package final class ObjectJSON {
  /// The forms that know no document around the objects.
  package enum Form: Sendable {
    /// As people read it.
    case readable
    /// Nothing is lost.
    case typed
  }

  private enum Writer {
    case readable(ObjectWriter<ReadableForm>)
    case typed(ObjectWriter<TypedForm>)
  }

  private let writer: Writer

  /// - Parameter text: what objects are appended to.
  package init(_ form: Form, of snapshot: Snapshot, to text: TextBuffer) {
    let context = ExportContext(
      snapshot: snapshot, options: ExportOptions(format: .json, tables: []), walk: snapshot.collectionWalk(),
      embedded: EmbeddedBudget(fileSize: snapshot.byteCount))
    writer =
      switch form {
      case .readable: .readable(ObjectWriter(form: ReadableForm(), context: context, text: text) { _ in })
      case .typed: .typed(ObjectWriter(form: TypedForm(), context: context, text: text) { _ in })
      }
  }

  /// Appends an object, `{…}`, without the parts that cannot be read.
  package func append(_ batch: ObjectBatch, row: Int) throws {
    switch writer {
    case .readable(let writer):
      writer.setTable(batch.table)
      try writer.writeInner(batch, row: row)
    case .typed(let writer):
      writer.setTable(batch.table)
      try writer.writeInner(batch, row: row)
    }
  }

  /// Forgets the keys of other objects that were looked up: their pages may have been released.
  package func forgetPlaces() {
    switch writer {
    case .readable(let writer): writer.resolver.forgetAll()
    case .typed(let writer): writer.resolver.forgetAll()
    }
  }
}
