/// The objects of a batch that are copied, with values that are mapped already.
final class MappedBatch {
  let batch: ObjectBatch
  /// Those of the objects that are copied.
  let rows: [Int]
  private var columns: [Int: MappedColumn] = [:]
  /// Has the bytes of the values.
  private let arena = ByteArena()

  init(_ batch: ObjectBatch, _ rows: [Int]) { (self.batch, self.rows) = (batch, rows) }

  private struct MappedColumn {
    /// The values of all objects, one after another.
    let values: [ValueView]
    /// Where the elements of each list end; nil for single values.
    let ends: [Int]?
  }

  /// Maps the values of a property, unless they can be links, or are in a collection whose order changes.
  ///
  /// - Parameter position: that of the column.
  /// - Throws: `StorageError` if values cannot be read.
  func map(_ position: Int, property index: Int, by mapping: MappedValues) throws {
    let property = batch.table.schema.properties[index]
    switch (property.collection, property.type) {
    case (_, .mixed), (_, .object), (_, .linkingObjects), (.set, _), (.dictionary, _): return
    case (.list, _): columns[position] = try lists(of: batch.values(ofProperty: index), mapping)
    case (nil, _): columns[position] = try singleValues(of: batch.values(ofProperty: index), mapping)
    }
  }

  private func singleValues(of values: PropertyValues, _ mapping: MappedValues) throws -> MappedColumn {
    let isWhole = rows.count == batch.count
    var failure: StorageError?
    var result = try [ValueView](unsafeUninitializedCapacity: rows.count) { buffer, count in
      buffer.initialize(repeating: .null)
      count = buffer.count
      if isWhole {
        values.decode(into: UnsafeMutableBufferPointer(rebasing: buffer[..<count])) { failure = failure ?? $1 }
      } else {
        for (index, row) in rows.enumerated() { buffer[index] = try values.value(at: row) }
      }
    }
    if let failure { throw failure }
    for index in result.indices {
      result[index] = try mapping.mapping.value(result[index], of: batch.key(at: rows[index]), in: arena)
    }
    return MappedColumn(values: result, ends: nil)
  }

  private func lists(of values: PropertyValues, _ mapping: MappedValues) throws -> MappedColumn {
    var result: [ValueView] = []
    var ends: [Int] = []
    for row in rows {
      if case .list(let list) = try values.value(at: row) {
        try list.forEach(mapping.walk, damaged: { throw $0 }) { element in
          result.append(try mapping.mapping.value(element, of: batch.key(at: row), in: arena))
        }
      }
      ends.append(result.count)
    }
    return MappedColumn(values: result, ends: ends)
  }

  /// Appends the values of some objects to a column.
  ///
  /// - Returns: false if they are not mapped yet.
  func append(_ position: Int, _ range: Range<Int>, to column: ColumnBuilder) throws -> Bool {
    guard let mapped = columns[position] else { return false }
    guard let ends = mapped.ends else {
      try mapped.values.withUnsafeBufferPointer { try column.append(UnsafeBufferPointer(rebasing: $0[range])) }
      return true
    }
    for row in range {
      try column.begin(.list)
      for index in (row == 0 ? 0 : ends[row - 1])..<ends[row] { try column.append(mapped.values[index]) }
      try column.end()
    }
    return true
  }
}
