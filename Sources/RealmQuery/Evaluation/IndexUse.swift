import RealmStorage

/// A lookup in a search index that leaves only few objects to look at. What it finds is checked against the objects'
/// values, so an index never decides the result.
indirect enum IndexUse: Sendable {
  /// The objects whose property has one of some values.
  case values(property: Int, name: RealmString, isPrimaryKey: Bool, [Value])
  /// The objects whose string has a word.
  case word(property: Int, name: RealmString, [UInt8])
  /// Objects that are known by themselves.
  case objects([ObjectKey])
  /// The objects whose links lead to what another use finds in the class at the end of a path.
  case linked(LinkPath, IndexUse)
  case union([IndexUse])

  /// The lower, the fewer objects it finds.
  var rank: Int {
    switch self {
    case .values(_, _, let isPrimaryKey, let values): isPrimaryKey ? values.count : 1000 + values.count
    case .objects(let keys): keys.count
    case .linked(_, let use): 10_000 + use.rank
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
    case .objects(let keys): keys.count == 1 ? "the object" : "\(keys.count) objects"
    case .linked(let path, let use): "\(use.explanation), and what links to it by '\(path.text)'"
    case .union(let uses): uses.map(\.explanation).joined(separator: " and ")
    }
  }

  /// The objects to look at, in the order of their keys.
  ///
  /// - Returns: nil if there are too many, or the index is damaged.
  func candidates(in table: Table, of snapshot: Snapshot, limit: Int) -> [ObjectKey]? {
    let search = CandidateSearch(snapshot: snapshot, limit: limit)
    return try? search.candidates(self, in: table)?.sortedDistinct
  }
}

/// One look at indexes, and at the links behind them.
private struct CandidateSearch {
  let snapshot: Snapshot
  /// The largest number of objects that is worthwhile, at any place of the way.
  let limit: Int

  /// The objects that a use finds, in any order; nil if there are too many.
  ///
  /// - Throws: `StorageError` if an index, or a link, is damaged.
  func candidates(_ use: IndexUse, in table: Table) throws -> [ObjectKey]? {
    switch use {
    case .values(let property, _, _, let values):
      return try union(values) { try table.indexCandidates(ofProperty: property, for: $0, limit: limit) }
    case .word(let property, _, let word):
      return try table.indexCandidates(ofProperty: property, for: .data(word), limit: limit)
    case .objects(let keys): return keys
    case .union(let uses): return try union(uses) { try candidates($0, in: table) }
    case .linked(let path, let use):
      guard var keys = try candidates(use, in: path.target) else { return nil }
      for step in path.steps.reversed() {
        guard let origins = try origins(of: keys.sortedDistinct, through: step) else { return nil }
        keys = origins
      }
      return keys
    }
  }

  private func union<Part>(_ parts: [Part], _ find: (Part) throws -> [ObjectKey]?) rethrows -> [ObjectKey]? {
    var keys: [ObjectKey] = []
    for part in parts {
      guard let found = try find(part) else { return nil }
      keys += found
      guard keys.count <= limit else { return nil }
    }
    return keys
  }

  /// The objects from which a step leads to some others, in any order; nil if there are too many or no such links.
  private func origins(of targets: [ObjectKey], through step: LinkPath.Step) throws -> [ObjectKey]? {
    guard let way = step.reversed(in: snapshot) else { return nil }
    let path = LinkPath(base: way.source, steps: [way])
    let evaluator = Evaluator(snapshot, .forOneLink)
    var keys: [ObjectKey] = []
    for target in targets {
      if snapshot.holdsTooManyPages {
        evaluator.forgetPlaces()
        try snapshot.releasePages()
      }
      // An index may list deleted objects.
      guard let found = try evaluator.find(0, way.source, target) else { continue }
      try path.forEachTarget(evaluator, found.batch, found.row) { key in
        keys.append(key)
        return keys.count <= limit
      }
      guard keys.count <= limit else { return nil }
    }
    return keys
  }
}

extension LinkPath.Step {
  /// The same links from their other end, whichever element of a list the step takes.
  fileprivate func reversed(in snapshot: Snapshot) -> LinkPath.Step? {
    let kind: Kind
    switch self.kind {
    case .link(let property), .list(let property), .set(let property), .dictionary(let property):
      guard let place = snapshot.incomingLinkIndex(to: target, origin: source, property: property) else { return nil }
      kind = .backlinks(place)
    case .backlinks(let place):
      guard let property = snapshot.incomingLinks(to: source)[place].propertyIndex else { return nil }
      let schema = target.schema.properties[property]
      // Mixed values keep links in places of their own.
      guard schema.type == .object else { return nil }
      switch schema.collection {
      case nil: kind = .link(property)
      case .list: kind = .list(property)
      case .set: kind = .set(property)
      case .dictionary: kind = .dictionary(property)
      }
    }
    return LinkPath.Step(kind: kind, source: target, target: source, columnSlot: 0, tableSlot: 0, name: name)
  }
}

extension [ObjectKey] {
  fileprivate var sortedDistinct: [ObjectKey] {
    let keys = sorted()
    var distinct: [ObjectKey] = []
    distinct.reserveCapacity(keys.count)
    for key in keys where distinct.last != key { distinct.append(key) }
    return distinct
  }
}
