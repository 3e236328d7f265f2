import RealmStorage
import RealmText

/// The content that cells of objects refer to: the bytes of strings and data, and the elements of collections.
///
/// Elements refer to the same `StagedValues`; the elements of one collection are stored side by side.
final class StagedValues {
  private let bytes = TextBuffer(capacity: 1 << 12)
  private(set) var elements: [StagedCell] = []
  /// Elements of collections that are still being read.
  private var open: [StagedCell] = []

  func removeAll() {
    bytes.removeAll()
    elements.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
  }

  // MARK: Adding

  var byteCount: Int { bytes.count }

  /// Forgets the bytes that were added last; no cell may refer to them.
  func truncateBytes(to count: Int) { bytes.truncate(to: count) }

  func text(_ text: UnsafeRawBufferPointer, kind: StagedCell.Kind = .string) -> StagedCell {
    let start = bytes.count
    bytes.append(bytes: text)
    return StagedCell(kind: kind, first: UInt64(start), second: UInt64(text.count))
  }

  /// A value other than a link, with everything in it.
  func cell(of value: Value) -> StagedCell {
    switch value {
    case .null, .link, .typedLink: return .null
    case .int(let number): return .int(number)
    case .bool(let flag): return .bool(flag)
    case .float(let number): return .float(number)
    case .double(let number): return .double(number)
    case .string(let string): return string.utf8.withUnsafeBytes { text($0) }
    case .data(let data): return data.withUnsafeBytes { text($0, kind: .data) }
    case .date(let date): return .date(date)
    case .decimal(let decimal): return .decimal(decimal)
    case .objectID(let id): return .objectID(id)
    case .uuid(let uuid): return .uuid(uuid)
    case .list(let values): return collection(.list, values)
    case .set(let values): return collection(.set, values)
    case .dictionary(let entries):
      let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      return collection(.dictionary, sorted.flatMap { [.string($0.key), $0.value] })
    }
  }

  private func collection(_ kind: StagedCell.Kind, _ values: [Value]) -> StagedCell {
    let cells = values.map(cell)
    let mark = beginCollection()
    for cell in cells { append(cell) }
    return endCollection(kind, from: mark)
  }

  /// Where the elements of the next collection begin.
  func beginCollection() -> Int { open.count }

  func append(_ element: StagedCell) { open.append(element) }

  /// Ends the collection that was begun last.
  func endCollection(_ kind: StagedCell.Kind, from mark: Int) -> StagedCell {
    let start = elements.count
    let added = open.count - mark
    for index in mark..<open.count { elements.append(open[index]) }
    open.removeLast(added)
    return StagedCell(kind: kind, first: UInt64(start), second: UInt64(kind == .dictionary ? added / 2 : added))
  }

  /// Ends a dictionary and sorts its entries by key.
  ///
  /// - Returns: nil if a key occurs twice.
  func endDictionary(from mark: Int) -> StagedCell? {
    let entries = stride(from: mark, to: open.count, by: 2).map { (open[$0], open[$0 + 1]) }
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { compare($0.0, $1.0) < 0 }
    if !isSorted {
      let sorted = entries.sorted { compare($0.0, $1.0) < 0 }
      for (left, right) in zip(sorted, sorted.dropFirst()) where compare(left.0, right.0) == 0 { return nil }
      open.replaceSubrange(mark..., with: sorted.flatMap { [$0.0, $0.1] })
    }
    return endCollection(.dictionary, from: mark)
  }

  /// The first key that occurs a second time in a dictionary that has one, and the number of that entry, from 0.
  func repeatedKey(from mark: Int) -> (number: Int, key: RealmString) {
    var seen: Set<RealmString> = []
    for (number, index) in stride(from: mark, to: open.count, by: 2).enumerated() {
      let cell = open[index]
      let key = bytes.withBytes {
        RealmString(UnsafeRawBufferPointer(rebasing: $0[cell.start..<cell.start + cell.count]))
      }
      if !seen.insert(key).inserted { return (number, key) }
    }
    return (0, "")
  }

  private func compare(_ left: StagedCell, _ right: StagedCell) -> Int {
    bytes.withBytes { all in
      let left = all[left.start..<left.start + left.count]
      let right = all[right.start..<right.start + right.count]
      return left.lexicographicallyPrecedes(right) ? -1 : left.elementsEqual(right) ? 0 : 1
    }
  }

  // MARK: Reading

  /// The bytes of a string or data value; they move when more is added.
  @inline(__always)
  func blob(_ cell: StagedCell) -> BlobView {
    bytes.withBytes { BlobView(UnsafeRawBufferPointer(rebasing: $0[cell.start..<cell.start + cell.count])) }
  }

  // MARK: Moving

  /// Takes over everything that other values refer to, and returns what moves their cells here.
  func take(_ other: StagedValues) -> StagedMove {
    let move = StagedMove(bytes: UInt64(bytes.count), elements: UInt64(elements.count))
    other.bytes.withBytes { bytes.append(bytes: $0) }
    for element in other.elements { elements.append(move(element)) }
    return move
  }
}

/// How far places move when values are appended to others.
struct StagedMove {
  let bytes: UInt64
  let elements: UInt64

  @inline(__always)
  func callAsFunction(_ cell: StagedCell) -> StagedCell {
    var moved = cell
    switch cell.kind {
    case .string, .data: moved.first += bytes
    case .list, .set, .dictionary: moved.first += elements
    default: break
    }
    return moved
  }
}
