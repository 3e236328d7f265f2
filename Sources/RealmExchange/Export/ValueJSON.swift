import RealmStorage
import RealmText

/// One value as JSON, in the form of `export --format json`.
package struct ValueJSON: Sendable {
  /// The text, in UTF-8.
  package let text: [UInt8]
  /// Parts that are not in the text, because they cannot be read.
  package let missingParts: Int

  /// - Throws: `StorageError` if the value itself cannot be read, `BuildError.valueTooLong` if it takes more than some
  ///   2 MiB.
  package init(of value: ValueView, in snapshot: Snapshot) throws {
    try self.init(of: value, at: .property, in: snapshot)
  }

  /// The same for a Mixed value; links are written with their class.
  package init(ofMixed value: ValueView, in snapshot: Snapshot) throws {
    try self.init(of: value, at: .mixed, in: snapshot)
  }

  /// The same for a value that is owned, however long the text gets.
  package init(owned value: Value, in snapshot: Snapshot) throws {
    let context = ExportContext(
      snapshot: snapshot, options: ExportOptions(format: .json, tables: []), walk: snapshot.collectionWalk(),
      embedded: EmbeddedBudget(fileSize: snapshot.byteCount))
    let buffer = TextBuffer(capacity: 64)
    let writer = ObjectWriter(form: ReadableForm(), context: context, text: buffer) { _ in }
    try writer.write(owned: value)
    text = buffer.withBytes { Array($0) }
    missingParts = writer.takeReport().count
  }

  /// The same for a Mixed value, in the form of `export --format typed`, which gives the type of each part.
  package init(typed value: ValueView, in snapshot: Snapshot) throws {
    try self.init(of: value, at: .mixed, in: snapshot, TypedForm(), .typed)
  }

  private init(of value: ValueView, at position: ValuePosition, in snapshot: Snapshot) throws {
    try self.init(of: value, at: position, in: snapshot, ReadableForm(), .json)
  }

  private init(
    of value: ValueView, at position: ValuePosition, in snapshot: Snapshot, _ form: some ValueForm,
    _ format: ExportFormat
  ) throws {
    let context = ExportContext(
      snapshot: snapshot, options: ExportOptions(format: format, tables: []), walk: snapshot.collectionWalk(),
      embedded: EmbeddedBudget(fileSize: snapshot.byteCount))
    let buffer = TextBuffer(capacity: 1024)
    let writer = ObjectWriter(form: form, context: context, text: buffer) {
      throw BuildError.valueTooLong(byteCount: $0.count, limit: ExportLimits.spill)
    }
    try writer.write(value, at: position)
    text = buffer.withBytes { Array($0) }
    missingParts = writer.takeReport().count
  }
}
