import RealmStorage

/// The strings and data that a redaction removes from a realm, determined from its source and the rules alone.
///
/// These are the values of properties with a rule, with the keys of dictionaries; all values of classes, internal
/// tables, properties and objects that are left out; and names. Some of them may still be in the copy, because other
/// values contain them.
struct RemovedValues {
  let source: Snapshot
  let selection: RebuildSelection
  let redaction: Redaction

  /// Number of byte strings to search for at once: their memory stays below 200 MiB.
  static let mostPatterns = 6_000_000

  /// Collects those with a fingerprint from a number on, as many as can be searched for at once.
  ///
  /// - Returns: them, and the last fingerprint up to which all are among them.
  /// - Throws: `StorageError`.
  func patterns(from start: UInt64, limit: Int = mostPatterns) throws -> (BytePatterns, end: UInt64) {
    let patterns = BytePatterns()
    var range = start...UInt64.max
    for name in redaction.removedNames { name.utf8.withUnsafeBytes { patterns.insert($0, among: range) } }
    // The values of `pk` in old formats are names of classes and properties.
    for table in source.tables
    where table.schema.isClass || !selection.tables.contains(table.key) && table.schema.name != "pk" {
      try gather(table, &range, limit, into: patterns)
    }
    return (patterns, range.upperBound)
  }

  private func gather(
    _ table: Table, _ range: inout ClosedRange<UInt64>, _ limit: Int, into patterns: BytePatterns
  ) throws {
    let walk = source.collectionWalk(passes: 2)
    let isTaken = selection.tables.contains(table.key)
    let wanted = selection.objects[table.key]
    let leftOut = selection.leftOutProperties[table.key] ?? []
    for index in table.schema.properties.indices where table.schema.properties[index].canHoldBytes {
      let rule = redaction.rule(ofProperty: index, of: table)
      let isKept = isTaken && !leftOut.contains(index)
      guard !isKept || rule != nil || wanted != nil else { continue }
      try table.forEachBatch(in: source) { batch in
        let values = try BatchColumn(batch, property: index, decodesAll: isKept && wanted == nil)
        for row in 0..<batch.count {
          let key = batch.key(at: row)
          let isThere = isKept && wanted?.contains(key) ?? true
          guard !isThere || rule?.isFor(key) ?? false else { continue }
          let hasKeys = !isThere || rule?.keepsKeys == false
          try values.value(at: row).forEachBytes(walk, keys: hasKeys) { bytes in
            patterns.insert(bytes, among: range)
          }
        }
        while patterns.count > limit {
          // Half of them, because fingerprints are evenly spread. The others follow later.
          range = range.lowerBound...(range.lowerBound + (range.upperBound - range.lowerBound) / 2)
          patterns.removeAll(above: range.upperBound)
        }
      }
    }
  }
}

extension Property {
  /// Whether texts, data or ids can be among the values, or keys.
  var canHoldBytes: Bool {
    switch type {
    case .string, .data, .mixed, .uuid, .objectID: true
    default: collection == .dictionary
    }
  }
}

extension ValueView {
  /// Calls `body` with the bytes of each string, data and id in a value, as stored in a file.
  ///
  /// - Parameter keys: whether to include those of dictionaries.
  /// - Throws: `StorageError` if a part cannot be read.
  func forEachBytes(
    _ walk: CollectionWalk, keys: Bool = true, depth: Int = 0, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard depth <= 200 else { throw StorageError.corrupted(.null, .tooDeep) }
    switch self {
    case .string(let blob), .data(let blob): try RedactedScalars.withBytes(of: blob, body)
    case .uuid(let id):
      try withUnsafeBytes(of: (id.head.bigEndian, id.tail.bigEndian)) { try body($0) }
    case .objectID(let id):
      try withUnsafeBytes(of: (id.head.bigEndian, id.tail.bigEndian)) {
        try body(UnsafeRawBufferPointer(rebasing: $0.prefix(12)))
      }
    case .list(let list), .set(let list):
      try list.forEach(walk, damaged: { throw $0 }) { element in
        try element.forEachBytes(walk, keys: keys, depth: depth + 1, body)
      }
    case .dictionary(let dictionary):
      try dictionary.forEach(walk, damaged: { throw $0 }) { key, value in
        if keys { try RedactedScalars.withBytes(of: key, body) }
        try value.forEachBytes(walk, keys: keys, depth: depth + 1, body)
      }
    default: break
    }
  }
}
