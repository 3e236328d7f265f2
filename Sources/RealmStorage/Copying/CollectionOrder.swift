/// Sorts the elements of sets and the entries of dictionaries for a file format, from the order of format 24
/// (Docs/Format/4-file-versions.md §3.8).
struct CollectionOrder {
  private let format: TargetFormat

  init(_ format: TargetFormat) { self.format = format }

  /// - Parameters:
  ///   - elements: in the order of format 24. Only texts and data change places, and they lie together.
  ///   - isMixed: whether they are Mixed values.
  func sorted(_ elements: [ValueView], isMixed: Bool) -> [ValueView] {
    guard format.textOrder != .unsignedBytes, let first = elements.firstIndex(where: \.isText) else { return elements }
    let end = elements[first...].firstIndex { !$0.isText } ?? elements.endIndex
    func precedes(_ left: ValueView, _ right: ValueView) -> Bool {
      ValueOrder.compare(left, right, ofSetIn: format.textOrder, isMixed: isMixed) < 0
    }
    guard isMixed, format.textOrder == .signedBytes(mixesTextsWithData: true) else {
      return elements[..<first] + elements[first..<end].sorted(by: precedes) + elements[end...]
    }
    // Strings are compared with each other in another way than with data, so an order may be missing in which an engine
    // finds all of them. Each data value is placed where a binary search among the strings ends, as if it was inserted
    // last.
    let texts = elements[first..<end].filter { if case .string = $0 { true } else { false } }.sorted(by: precedes)
    let data = elements[first..<end].filter { if case .data = $0 { true } else { false } }
    var places: [[ValueView]] = Array(repeating: [], count: texts.count + 1)
    for value in data { places[firstIndex(in: texts.indices) { !precedes(texts[$0], value) }].append(value) }
    var sorted = Array(elements[..<first])
    for (place, values) in places.enumerated() {
      sorted += values
      if place < texts.count { sorted.append(texts[place]) }
    }
    return sorted + elements[end...]
  }

  /// - Parameter entries: in any order.
  func sorted(_ entries: [(key: BlobView, value: ValueView)]) -> [(key: BlobView, value: ValueView)] {
    guard format.hasSortedDictionaries else {
      let hashes = entries.map { HashedDictionary.hash(of: $0.key) }
      return entries.indices.sorted { hashes[$0] < hashes[$1] }.map { entries[$0] }
    }
    return entries.sorted {
      ValueOrder.compare(.string($0.key), .string($1.key), ofSetIn: format.textOrder, isMixed: false) < 0
    }
  }
}

extension ValueView {
  fileprivate var isText: Bool {
    switch self {
    case .string, .data: true
    default: false
    }
  }
}
