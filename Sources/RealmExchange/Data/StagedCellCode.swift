import RealmStorage
import RealmText

/// Writes cells with everything that they refer to as bytes, which `StagedCellReader` reads.
final class StagedCellWriter {
  private let bytes = TextBuffer(capacity: 1 << 12)

  /// Lends the bytes of some cells.
  func withBytes<Result>(
    of cells: [StagedCell], _ values: StagedValues, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    bytes.removeAll()
    for cell in cells { append(cell, values) }
    return try bytes.withBytes(body)
  }

  private func append(_ cell: StagedCell, _ values: StagedValues) {
    bytes.append(byte: cell.kind.rawValue)
    switch cell.kind {
    case .missing, .null: break
    case .link, .pendingLink:
      append(UInt64(cell.small))
      append(Varint.folded(Int64(bitPattern: cell.first)))
      append(cell.second)
    case .list, .set, .dictionary:
      append(cell.second)
      for index in cell.start..<cell.start + cell.elementCount { append(values.elements[index], values) }
    case .string, .data:
      append(cell.second)
      if let text = values.blob(cell).contiguous { bytes.append(bytes: text) }
    case .int, .bool, .float, .double, .date, .decimal, .objectID, .uuid:
      append(UInt64(cell.small))
      append(cell.first)
      append(cell.second)
    }
  }

  private func append(_ number: UInt64) {
    withUnsafeTemporaryAllocation(byteCount: Varint.mostBytes, alignment: 8) { room in
      guard let start = room.baseAddress else { return }
      bytes.append(bytes: UnsafeRawBufferPointer(start: start, count: Varint.store(number, to: start) - start))
    }
  }
}

/// Reads cells from what a `StagedCellWriter` has written in this process.
struct StagedCellReader {
  private let values: StagedValues
  private let end: UnsafeRawPointer?
  private var place: UnsafeRawPointer?

  /// - Parameter values: get what the cells refer to.
  init(_ bytes: UnsafeRawBufferPointer, into values: StagedValues) {
    self.values = values
    place = bytes.baseAddress
    end = bytes.baseAddress.map { $0 + bytes.count }
  }

  /// The next cell.
  mutating func next() -> StagedCell {
    guard let start = place, place != end, let kind = StagedCell.Kind(rawValue: start.load(as: UInt8.self)) else {
      return .null
    }
    place = start + 1
    switch kind {
    case .missing, .null: return StagedCell(kind: kind)
    case .link, .pendingLink:
      return StagedCell(
        kind: kind, small: UInt32(truncatingIfNeeded: number()), first: UInt64(bitPattern: Varint.unfolded(number())),
        second: number())
    case .list, .set, .dictionary:
      let count = Int(number())
      let mark = values.beginCollection()
      for _ in 0..<(kind == .dictionary ? count * 2 : count) { values.append(next()) }
      return values.endCollection(kind, from: mark)
    case .string, .data:
      let count = Int(number())
      defer { place = place.map { $0 + count } }
      return values.text(UnsafeRawBufferPointer(start: place, count: count), kind: kind)
    case .int, .bool, .float, .double, .date, .decimal, .objectID, .uuid:
      return StagedCell(kind: kind, small: UInt32(truncatingIfNeeded: number()), first: number(), second: number())
    }
  }

  private mutating func number() -> UInt64 {
    guard var source = place else { return 0 }
    defer { place = source }
    return Varint.load(&source)
  }
}
