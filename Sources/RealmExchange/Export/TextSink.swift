import RealmStorage

/// Where finished text goes, in order.
package protocol TextSink: AnyObject, Sendable {
  /// - Throws: what ends the whole export.
  func write(_ bytes: UnsafeRawBufferPointer) throws
  /// This many more objects are complete, for showing progress. Called in turn with `write`.
  func finished(objects: Int)
}

extension TextSink {
  package func finished(objects: Int) {}
}
