import RealmStorage

/// Where finished text goes, in order.
package protocol TextSink: AnyObject, Sendable {
  /// - Throws: what ends the whole export.
  func write(_ bytes: UnsafeRawBufferPointer) throws
  /// So many more objects are complete. For those who show progress; called in turn with `write`.
  func finished(objects: Int)
}

extension TextSink {
  package func finished(objects: Int) {}
}
