import RealmStorage
import RealmText

/// Writes the objects of a snapshot as text, on as many threads as asked for, in bounded memory.
package struct Exporter {
  let snapshot: Snapshot
  let options: ExportOptions
  let sink: any TextSink

  package init(_ snapshot: Snapshot, options: ExportOptions, sink: any TextSink) {
    (self.snapshot, self.options, self.sink) = (snapshot, options, sink)
  }

  /// Writes everything. The tabular formats write one table at a time.
  ///
  /// - Returns: what could not be read and is missing in the text.
  /// - Throws: what `sink` throws.
  package func run() throws -> DamageReport {
    if let relation = options.relation {
      return try RelationalLineExport(snapshot: snapshot, options: options, relation: relation, sink: sink).run()
    }
    let sink = options.isPretty ? PrettySink(sink) : sink
    let makeWriter = options.format.makeWriter(options, in: snapshot.schema)
    return try ExportRun(snapshot: snapshot, options: options, sink: sink, makeWriter: makeWriter).run()
  }
}

/// The text around the objects in one document shape.
protocol ExportDocument: Sendable {
  func open(_ text: TextBuffer)
  func open(_ table: Table, isFirst: Bool, _ text: TextBuffer)
  /// Between two objects, and before the first: `isFirst` of its table, `isFirstOfAll` of the document.
  func separateObject(isFirst: Bool, isFirstOfAll: Bool, _ text: TextBuffer)
  /// The beginning that all objects of a table share, made once.
  func appendHead(ofObjectsIn table: Table, to text: TextBuffer)
  /// The text between that and the object itself.
  func openObject(_ key: ObjectKey, _ text: TextBuffer)
  func closeObject(_ text: TextBuffer)
  func close(_ table: Table, _ text: TextBuffer)
  func close(_ text: TextBuffer)
  /// Whether objects of classes without a primary key begin with their object key.
  var showsObjectKeys: Bool { get }
}

extension ExportDocument {
  func appendHead(ofObjectsIn table: Table, to text: TextBuffer) {}
  func openObject(_ key: ObjectKey, _ text: TextBuffer) {}
}
