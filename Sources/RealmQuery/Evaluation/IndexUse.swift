import RealmStorage

/// What a search index can be asked so that only few objects have to be looked at. What it finds is checked on the
/// objects' values, so that no index decides about a result.
indirect enum IndexUse: Sendable {
  /// The objects whose property has one of some values.
  case values(property: Int, name: RealmString, isPrimaryKey: Bool, [Value])
  /// The objects whose text has a word.
  case word(property: Int, name: RealmString, [UInt8])
  case union([IndexUse])

  /// The lower, the fewer objects it will find.
  var rank: Int {
    switch self {
    case .values(_, _, let isPrimaryKey, let values): isPrimaryKey ? values.count : 1000 + values.count
    case .word: 100_000
    case .union(let uses): 1_000_000 + uses.reduce(0) { $0 + $1.rank }
    }
  }

  /// What `--explain` says of it.
  var explanation: String {
    switch self {
    case .values(_, let name, let isPrimaryKey, let values):
      "\(isPrimaryKey ? "primary key" : "search index") of '\(name)'"
        + (values.count == 1 ? "" : " for \(values.count) values")
    case .word(_, let name, _): "full-text index of '\(name)'"
    case .union(let uses): uses.map(\.explanation).joined(separator: " and ")
    }
  }

  /// The objects to look at, in the order of their keys.
  ///
  /// - Returns: nil where there are too many, or the index is damaged.
  func candidates(in table: Table, limit: Int) -> [ObjectKey]? {
    guard var keys = unsortedCandidates(in: table, limit: limit) else { return nil }
    keys.sort()
    var distinct: [ObjectKey] = []
    distinct.reserveCapacity(keys.count)
    for key in keys where distinct.last != key { distinct.append(key) }
    return distinct
  }

  private func unsortedCandidates(in table: Table, limit: Int) -> [ObjectKey]? {
    switch self {
    case .values(let property, _, _, let values):
      var keys: [ObjectKey] = []
      for value in values {
        guard let found = try? table.indexCandidates(ofProperty: property, for: value, limit: limit) else { return nil }
        keys += found
        guard keys.count <= limit else { return nil }
      }
      return keys
    case .word(let property, _, let word):
      return try? table.indexCandidates(ofProperty: property, for: .data(word), limit: limit)
    case .union(let uses):
      var keys: [ObjectKey] = []
      for use in uses {
        guard let found = use.unsortedCandidates(in: table, limit: limit) else { return nil }
        keys += found
        guard keys.count <= limit else { return nil }
      }
      return keys
    }
  }
}
