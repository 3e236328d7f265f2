import RealmQuery
import RealmStorage

/// The strings of a property that a redaction leaves as they are, keys of dictionaries included.
package struct KeptStrings: Hashable, Sendable {
  package let className: RealmString
  package let property: RealmString
  /// Whether a rule names the property; otherwise `default` keeps it.
  package let isNamed: Bool
  package let distinctCount: Int
  package let isEstimate: Bool
  /// The length of the longest one, in bytes.
  package let longest: Int
}

extension Redaction {
  /// What is kept of each property with strings, in the order of the realm. Other properties that can have strings, such
  /// as mixed ones, are listed if they have some.
  ///
  /// - Parameter selection: what is copied; nil for everything.
  /// - Throws: `StorageError`.
  package func keptStrings(of selection: RebuildSelection? = nil) throws -> [KeptStrings] {
    var kept: [KeptStrings] = []
    for table in snapshot.tables where bound[table.key] != nil && selection?.tables.contains(table.key) ?? true {
      let named = rules.classes.first { $0.name == table.schema.displayName }?.properties.map(\.name) ?? []
      let leftOut = selection?.leftOutProperties[table.key] ?? []
      for (index, property) in table.schema.properties.enumerated() where !leftOut.contains(index) {
        let rule = rule(ofProperty: index, of: table)
        guard property.canHoldStrings, rule == nil || rule?.objects != nil || rule?.keepsKeys == true else { continue }
        let found = try strings(index, of: table, rule, among: selection?.objects[table.key])
        let count = found.distinct.count
        guard count.value > 0 || property.type == .string && rule == nil else { continue }
        kept.append(
          KeptStrings(
            className: table.schema.displayName, property: property.name, isNamed: named.contains(property.name),
            distinctCount: count.value, isEstimate: count.isEstimate, longest: found.longest))
      }
    }
    return kept
  }

  private func strings(
    _ index: Int, of table: Table, _ rule: BoundRule?, among wanted: ObjectKeySet?
  ) throws -> (distinct: DistinctTexts, longest: Int) {
    var (distinct, longest) = (DistinctTexts(), 0)
    let walk = snapshot.collectionWalk()
    try table.forEachBatch(in: snapshot) { batch in
      let values = try batch.values(ofProperty: index)
      for row in 0..<batch.count where wanted?.contains(batch.key(at: row)) ?? true {
        let isKept = !(rule?.isFor(batch.key(at: row)) ?? false)
        guard isKept || rule?.keepsKeys == true else { continue }
        try values.value(at: row).forEachString(walk, values: isKept) { text in
          longest = max(longest, text.count)
          distinct.add(text)
        }
      }
    }
    return (distinct, longest)
  }
}

extension Property {
  /// Whether strings can be among the values, or keys.
  fileprivate var canHoldStrings: Bool { type == .string || type == .mixed || collection == .dictionary }
}

extension ValueView {
  /// Calls `body` with the bytes of each string in a value, and of each key of a dictionary.
  ///
  /// - Parameter values: false for keys only.
  /// - Throws: `StorageError` if a part cannot be read.
  fileprivate func forEachString(
    _ walk: CollectionWalk, values: Bool, depth: Int = 0, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard depth <= 200 else { throw StorageError.corrupted(.null, .tooDeep) }
    switch self {
    case .string(let text): if values { try RedactedScalars.withBytes(of: text, body) }
    case .list(let list), .set(let list):
      try list.forEach(walk, damaged: { throw $0 }) { element in
        try element.forEachString(walk, values: values, depth: depth + 1, body)
      }
    case .dictionary(let dictionary):
      try dictionary.forEach(walk, damaged: { throw $0 }) { key, value in
        try RedactedScalars.withBytes(of: key, body)
        try value.forEachString(walk, values: values, depth: depth + 1, body)
      }
    default: break
    }
  }
}
