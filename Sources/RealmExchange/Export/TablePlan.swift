import RealmStorage
import RealmText

/// What a writer computes once per table: the text before each property's value.
final class TablePlan {
  let table: Table
  let objectKeyMember: RealmString
  /// `,"name":` of all properties, one after another.
  private let labels: TextBuffer
  /// Valid as long as the plan is alive: their labels are in its buffer.
  let properties: [PlannedProperty]

  struct PlannedProperty {
    fileprivate let label: UnsafeRawPointer
    fileprivate let labelLength: Int
    /// Whether it is not written at all.
    let isLeftOut: Bool
    /// The kind of place that its values are in: the type of a Mixed value is open.
    let position: ValuePosition

    /// Appends the text in front of a value, with or without the comma.
    @inline(__always)
    func appendLabel(isFirst: Bool, to text: TextBuffer) {
      let skipped = isFirst ? 1 : 0
      text.append(padded: label + skipped, count: labelLength - skipped)
    }
  }

  init<Form: ValueForm>(_ table: Table, form: Form, isLeftOut: (Property) -> Bool) {
    self.table = table
    objectKeyMember = table.schema.objectKeyMember
    let labels = TextBuffer(capacity: 256)
    let ends = table.schema.properties.map { property in
      labels.append(byte: UInt8(ascii: ","))
      form.append(propertyName: property.name, to: labels)
      labels.append(byte: UInt8(ascii: ":"))
      return labels.count
    }
    labels.reserve(TextBuffer.readAhead)
    self.labels = labels
    properties = labels.withBytes { bytes in
      guard let first = bytes.baseAddress else { return [] }
      return zip(table.schema.properties, zip([0] + ends, ends)).map { property, place in
        PlannedProperty(
          label: first + place.0, labelLength: place.1 - place.0, isLeftOut: isLeftOut(property),
          position: property.type == .mixed ? .mixed : .property)
      }
    }
  }
}

/// The values of a batch, read column by column and written row by row.
final class DecodedBatch {
  private var cells: UnsafeMutableBufferPointer<ValueView> = .init(start: nil, count: 0)
  private var rowCount = 0
  /// Whether only the requested rows are here, one after another.
  private(set) var isSparse = false
  /// Columns and cells that cannot be read; empty in a sound file.
  private var missingColumns: Set<Int> = []
  private var missingCells: Set<Int> = []
  private var isComplete = true

  /// Decoding a leaf as a whole costs about as much as reading one in so many of its values.
  private static let sparseShare = 4

  deinit { cells.deallocate() }

  /// Reads a batch.
  ///
  /// - Parameters:
  ///   - rows: the rows to read; nil for all. If there are few, only these are read.
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
    if !isComplete { (missingColumns, missingCells, isComplete) = ([], [], true) }
    for column in 0..<columnCount {
      let start = column * rowCount
      let target = UnsafeMutableBufferPointer(rebasing: cells[start..<start + rowCount])
      do {
        let values = try batch.values(ofProperty: column)
        guard let sparse else {
          values.decode(into: target) { row, error in
            missingCells.insert(start + row)
            isComplete = false
            damaged(column, row, error)
          }
          continue
        }
        for (index, row) in sparse.enumerated() {
          do { target[index] = try values.value(at: row) } catch let error as StorageError {
            missingCells.insert(start + index)
            isComplete = false
            damaged(column, row, error)
          }
        }
      } catch {
        missingColumns.insert(column)
        isComplete = false
        if let error = error as? StorageError { damaged(column, nil, error) }
      }
    }
  }

  /// A value; nil if it could not be read.
  @inline(__always)
  func value(ofProperty column: Int, row: Int) -> ValueView? {
    let cell = column * rowCount + row
    if !isComplete, missingColumns.contains(column) || missingCells.contains(cell) { return nil }
    return cells[cell]
  }
}
