import RealmStorage
import RealmText

/// What a writer works out once per table: the text in front of each property's value.
final class TablePlan {
  let table: Table
  /// `,"name":` of all properties, one after another.
  private let labels: TextBuffer
  let properties: [PlannedProperty]

  struct PlannedProperty {
    /// Where its label starts and ends.
    fileprivate let labelStart: Int
    fileprivate let labelEnd: Int
    /// Whether it is not written at all.
    let isLeftOut: Bool
    /// Where its values stand: the type of a Mixed one is open.
    let position: ValuePosition
  }

  init<Form: ValueForm>(_ table: Table, form: Form, isLeftOut: (Property) -> Bool) {
    self.table = table
    let labels = TextBuffer(capacity: 256)
    properties = table.schema.properties.map { property in
      let start = labels.count
      labels.append(byte: UInt8(ascii: ","))
      form.append(propertyName: property.name, to: labels)
      labels.append(byte: UInt8(ascii: ":"))
      return PlannedProperty(
        labelStart: start, labelEnd: labels.count, isLeftOut: isLeftOut(property),
        position: property.type == .mixed ? .mixed : .property)
    }
    labels.reserve(TextBuffer.readAhead)
    self.labels = labels
  }

  /// Appends the text in front of a value, with or without the comma.
  @inline(__always)
  func appendLabel(of property: PlannedProperty, isFirst: Bool, to text: TextBuffer) {
    let start = property.labelStart + (isFirst ? 1 : 0)
    labels.withBytes {
      guard let bytes = $0.baseAddress else { return }
      text.append(padded: bytes + start, count: property.labelEnd - start)
    }
  }
}

/// The values of a batch, read column by column and written row by row.
final class DecodedBatch {
  private var cells: UnsafeMutableBufferPointer<ValueView> = .init(start: nil, count: 0)
  private var rowCount = 0
  /// Whether only the rows that were asked for are here, one behind the other.
  private(set) var isSparse = false
  /// Columns and cells that cannot be read; empty in a sound file.
  private var missingColumns: Set<Int> = []
  private var missingCells: Set<Int> = []

  /// Decoding a leaf as a whole costs about as much as reading one in so many of its values.
  private static let sparseShare = 4

  deinit { cells.deallocate() }

  /// Reads a batch.
  ///
  /// - Parameters:
  ///   - rows: those that are wanted; nil for all. Where they are few, only they are read.
  ///   - damaged: called for each column (row nil) and each value that cannot be read.
  func read(
    _ batch: ObjectBatch, rows: [Int]? = nil,
    damaged: (_ property: Int, _ row: Int?, _ error: StorageError) -> Void
  ) {
    let columnCount = batch.table.schema.properties.count
    let sparse = rows.flatMap { $0.count * Self.sparseShare < batch.count ? $0 : nil }
    isSparse = sparse != nil
    rowCount = sparse?.count ?? batch.count
    if cells.count < columnCount * rowCount {
      cells.deallocate()
      cells = .allocate(capacity: columnCount * rowCount)
      cells.initialize(repeating: .null)
    }
    if !missingColumns.isEmpty { missingColumns = [] }
    if !missingCells.isEmpty { missingCells = [] }
    for column in 0..<columnCount {
      let start = column * rowCount
      let target = UnsafeMutableBufferPointer(rebasing: cells[start..<start + rowCount])
      do {
        let values = try batch.values(ofProperty: column)
        guard let sparse else {
          values.decode(into: target) { row, error in
            missingCells.insert(start + row)
            damaged(column, row, error)
          }
          continue
        }
        for (index, row) in sparse.enumerated() {
          do { target[index] = try values.value(at: row) } catch let error as StorageError {
            missingCells.insert(start + index)
            damaged(column, row, error)
          }
        }
      } catch {
        missingColumns.insert(column)
        if let error = error as? StorageError { damaged(column, nil, error) }
      }
    }
  }

  /// A value; nil where it could not be read.
  @inline(__always)
  func value(ofProperty column: Int, row: Int) -> ValueView? {
    let cell = column * rowCount + row
    if !missingColumns.isEmpty, missingColumns.contains(column) { return nil }
    if !missingCells.isEmpty, missingCells.contains(cell) { return nil }
    return cells[cell]
  }
}
