import RealmStorage

/// The values of a property of the objects of a batch: single values that are no links are decoded all at once, which is
/// several times as fast.
struct BatchColumn {
  /// That of the batch.
  let place: UInt64
  private let values: PropertyValues
  private let decoded: [ValueView]?

  /// - Throws: `StorageError` where values cannot be read.
  init(_ batch: ObjectBatch, property index: Int, decodesAll: Bool = true) throws {
    place = batch.place
    let values = try batch.values(ofProperty: index)
    self.values = values
    guard decodesAll, batch.table.schema.properties[index].isPlain else {
      decoded = nil
      return
    }
    var failure: StorageError?
    decoded = [ValueView](unsafeUninitializedCapacity: values.count) { buffer, count in
      buffer.initialize(repeating: .null)
      count = buffer.count
      values.decode(into: buffer) { _, error in failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// The value in a row, links to placeholders with their keys.
  @inline(__always)
  func value(at row: Int) throws -> ValueView {
    try decoded?[row] ?? values.valueShowingTombstones(at: row)
  }
}

extension Property {
  /// Whether its values are single ones, and no links.
  fileprivate var isPlain: Bool {
    guard collection == nil else { return false }
    switch type {
    case .object, .linkingObjects, .mixed: return false
    default: return true
    }
  }
}
