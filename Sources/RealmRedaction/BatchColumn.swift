import RealmStorage

/// The values of a property of the objects of a batch. Single values other than links are decoded all at once, which is
/// several times as fast.
final class BatchColumn {
  /// The place of the batch.
  let place: UInt64
  private let values: PropertyValues
  /// A value for each row, if they are decoded. A pointer, because an array would be retained for each of them.
  private let decoded: UnsafeMutableBufferPointer<ValueView>?

  /// - Throws: `StorageError` if values cannot be read.
  init(_ batch: ObjectBatch, property index: Int, decodesAll: Bool = true) throws {
    place = batch.place
    values = try batch.values(ofProperty: index)
    guard decodesAll, batch.table.schema.properties[index].isPlain else {
      decoded = nil
      return
    }
    let decoded = UnsafeMutableBufferPointer<ValueView>.allocate(capacity: values.count)
    decoded.initialize(repeating: .null)
    self.decoded = decoded
    var failure: StorageError?
    values.decode(into: decoded) { _, error in failure = failure ?? error }
    if let failure { throw failure }
  }

  deinit { decoded?.deallocate() }

  /// The value in a row, links to placeholders with their keys.
  @inline(__always)
  func value(at row: Int) throws -> ValueView {
    if let decoded { return decoded[row] }
    return try values.valueShowingTombstones(at: row)
  }
}

extension Property {
  /// Whether its values are single values other than links.
  var isPlain: Bool {
    guard collection == nil else { return false }
    switch type {
    case .object, .linkingObjects, .mixed: return false
    default: return true
    }
  }
}
