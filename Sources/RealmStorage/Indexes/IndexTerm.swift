/// What a search index stores of one value, or of one of its words, as owned bytes (Docs/Format/3-tables-and-objects.md
/// §6.2); the owned form of `IndexData`.
struct IndexTerm: Hashable {
  /// Nil for null.
  let bytes: [UInt8]?

  init(bytes: [UInt8]?) { self.bytes = bytes }

  /// The data of a single value.
  init(_ value: Value) { bytes = value.withIndexData { $0.copied } }

  var count: Int { bytes?.count ?? 0 }

  /// The chunk at an offset that is a multiple of four (§6.3).
  func chunk(at offset: Int) -> Int32 { bytes?.withUnsafeBytes { IndexData.chunk(of: $0, at: offset) } ?? 0 }

  /// Whether nothing follows the chunk at an offset (§6.7).
  func ends(at offset: Int) -> Bool { offset + IndexData.chunkSize >= count }

  /// Whether both have the same chunks up to and including the one at an offset.
  func isSame(as other: IndexTerm, to offset: Int) -> Bool {
    stride(from: 0, through: offset, by: IndexData.chunkSize).allSatisfy { chunk(at: $0) == other.chunk(at: $0) }
  }

  /// The terms of an object in an index: one for a value, one for each word or element.
  ///
  /// - Throws: `BuildError.indexedTextTooLong` for an element of a list.
  static func terms(of value: Value, _ content: IndexCollector.Content) throws -> Set<IndexTerm> {
    switch content {
    case .values, .mixedValues: return [IndexTerm(value)]
    case .words:
      guard case .string(let text) = value else { return [] }
      return Set(text.utf8.withUnsafeBytes { TextWords.words(in: $0) }.map { IndexTerm(bytes: $0) })
    case .elements:
      guard case .list(let elements) = value else { return [] }
      return try Set(
        elements.map { element in
          guard case .string(let text) = element else { return IndexTerm(bytes: nil) }
          guard text.utf8.count <= BuildError.longestIndexedText else {
            throw BuildError.indexedTextTooLong(byteCount: text.utf8.count)
          }
          return IndexTerm(bytes: text.utf8)
        })
    }
  }
}

extension IndexTerm: Comparable {
  static func < (left: IndexTerm, right: IndexTerm) -> Bool {
    guard let bytes = left.bytes else { return right.bytes != nil }
    return right.bytes.map { bytes.lexicographicallyPrecedes($0) } ?? false
  }
}

extension Value {
  /// Calls `body` with what an index stores of a single value.
  package func withIndexData<Result>(_ body: (IndexData) throws -> Result) rethrows -> Result {
    try forIndex.withView { try body(IndexData($0)) }
  }

  /// The order of values in a list of an index (§6.5).
  func indexOrder(_ other: Value) -> Int {
    forIndex.withView { left in other.forIndex.withView { ValueOrder.compare(left, $0) } }
  }

  /// A link to a tombstone counts as null (§6.2).
  private var forIndex: Value {
    if case .typedLink(_, let key) = self, key.isUnresolved { .null } else { self }
  }
}

extension IndexData {
  /// The bytes; nil for null.
  fileprivate var copied: [UInt8]? {
    switch self {
    case .null: nil
    case .bytes(let bytes): Array(bytes)
    case .inline(let low, let high, let count):
      Array((0..<count).map { Self.byte(at: $0, low, high) })
    }
  }

  private static func byte(at index: Int, _ low: UInt64, _ high: UInt64) -> UInt8 {
    let (word, place) = index < 8 ? (low, index) : (high, index - 8)
    return UInt8(truncatingIfNeeded: word >> UInt64(place * 8))
  }
}
