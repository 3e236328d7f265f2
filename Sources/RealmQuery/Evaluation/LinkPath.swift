import RealmStorage

/// The links of a key path, from a class to the class of its last objects.
struct LinkPath: Sendable {
  /// One link of a path.
  struct Step: Sendable {
    enum Kind: Hashable, Sendable {
      /// A property by its place in the class.
      case link(Int)
      case list(Int)
      case set(Int)
      case dictionary(Int)
      /// Links that come in, by their place among those of the class.
      case backlinks(Int)
    }

    /// Which of several links.
    enum Selector: Hashable, Sendable {
      case all
      case key(RealmString)
      case index(Int)
      case last
    }

    let kind: Kind
    var selector = Selector.all
    let source: Table
    let target: Table
    /// For values of the property.
    let columnSlot: Int
    /// For objects of the target.
    let tableSlot: Int
    /// As messages show it.
    let name: String

    var isCollection: Bool { if case .link = kind { false } else { true } }
    var isListOrSet: Bool {
      switch kind {
      case .list, .set: true
      default: false
      }
    }
    /// Whether one object can lead to several. Only a dictionary has keys, only a list has positions.
    fileprivate var leadsToMany: Bool {
      switch (kind, selector) {
      case (.link, _), (.dictionary, .key), (.list, .index), (.list, .last), (.set, .index), (.set, .last): false
      default: true
      }
    }
  }

  let base: Table
  var steps: [Step] = []

  var target: Table { steps.last?.target ?? base }

  /// Whether each object leads to one other at most.
  var isUnary: Bool { !steps.contains(where: \.isCollection) }

  /// Whether each object leads to one other at most, because one element is named of each collection on the way.
  var leadsToOne: Bool { !steps.contains(where: \.leadsToMany) }

  /// As messages show it.
  var text: String {
    steps.map { step in
      switch step.selector {
      case .all: step.name
      case .key(let key): "\(step.name)['\(key)']"
      case .index(let index): "\(step.name)[\(index == 0 ? "FIRST" : String(index))]"
      case .last: "\(step.name)[LAST]"
      }
    }.joined(separator: ".")
  }

  /// Whether many ways can lead to one object: as many as the lengths of several lists multiplied.
  private var hasManyWays: Bool { steps.count(where: \.leadsToMany) > 1 }

  /// The path in parts, each of which leads to one object in few ways.
  var partsWithOneWay: [LinkPath] {
    var parts = [LinkPath(base: base)]
    for step in steps {
      if step.leadsToMany, parts[parts.count - 1].steps.contains(where: \.leadsToMany) {
        parts.append(LinkPath(base: step.source))
      }
      parts[parts.count - 1].steps.append(step)
    }
    return parts
  }

  /// The path without its last link.
  var droppingLast: LinkPath {
    var path = self
    path.steps.removeLast()
    return path
  }

  // MARK: Following

  /// Calls `visit` with the key of each object that the path leads to, once for each way there, until it returns false.
  ///
  /// - Throws: `StorageError` if a link cannot be read, `QueryError` if there are too many ways.
  func forEachTarget(_ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ visit: (ObjectKey) throws -> Bool)
    throws
  {
    guard hasManyWays else {
      _ = try follow(0, evaluator, batch, row, visit)
      return
    }
    if evaluator.wantsDistinct { return try forEachDistinctTarget(evaluator, batch, row) { key, _ in try visit(key) } }
    _ = try evaluator.limitingWays { try follow(0, evaluator, batch, row, visit) }
  }

  /// As `forEachDistinctTarget`, for what counts each way.
  func forEachWeighedTarget(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ visit: (ObjectKey, _ ways: Int) throws -> Bool
  ) throws {
    try forEachDistinctTarget(evaluator, batch, row) { key, ways in
      guard ways <= RQL.countedWayLimit else { throw tooManyWays(RQL.countedWayLimit) }
      return try visit(key, ways)
    }
  }

  func tooManyWays(_ limit: Int) -> QueryError {
    QueryError(.invalidQuery, "'\(text)' links one object to others in more than \(limit) ways", at: nil)
  }

  /// As `forEachTarget`, but an object that many ways lead to comes once, with their number; the work is that of looking
  /// at each object once for each link of the path.
  func forEachDistinctTarget(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ visit: (ObjectKey, _ ways: Int) throws -> Bool
  ) throws {
    guard hasManyWays else { return try forEachTarget(evaluator, batch, row) { try visit($0, 1) } }
    var level: [ObjectKey] = []
    var ways: [ObjectKey: Int] = [:]
    for (index, step) in steps.enumerated() {
      var (found, nextWays): ([ObjectKey], [ObjectKey: Int]) = ([], [:])
      func add(_ batch: ObjectBatch, _ row: Int, _ count: Int) throws {
        _ = try forEachLink(of: step, evaluator, batch, row) { key in
          guard key.rawValue >= 0 else { return true }
          if nextWays[key] == nil { found.append(key) }
          nextWays[key] = count.clampedSum(nextWays[key] ?? 0)
          return true
        }
      }
      if index == 0 { try add(batch, row, 1) }
      for key in level {
        let place = try object(key, behind: steps[index - 1], evaluator)
        try add(place.batch, place.row, ways[key] ?? 1)
      }
      (level, ways) = (found, nextWays)
    }
    for key in level { guard try visit(key, ways[key] ?? 1) else { return } }
  }

  /// The one object of a unary path; nil if there is none.
  func onlyTarget(_ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int) throws -> ObjectKey? {
    var result: ObjectKey?
    try forEachTarget(evaluator, batch, row) { key in
      result = key
      return false
    }
    return result
  }

  /// Bytes that are read at least to find an object.
  static let lookupCost = 16

  /// The object with a key, of the class that the path leads to.
  func object(_ key: ObjectKey, _ evaluator: Evaluator) throws -> (batch: ObjectBatch, row: Int) {
    guard let last = steps.last else { throw target.danglingLink(to: key) }
    return try object(key, behind: last, evaluator)
  }

  private func object(
    _ key: ObjectKey, behind step: Step, _ evaluator: Evaluator
  ) throws -> (batch: ObjectBatch, row: Int) {
    try evaluator.walk.spend(Self.lookupCost)
    guard let found = try evaluator.find(step.tableSlot, step.target, key) else {
      throw step.target.danglingLink(to: key)
    }
    return found
  }

  /// - Returns: whether to go on.
  private func follow(
    _ index: Int, _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ visit: (ObjectKey) throws -> Bool
  ) throws -> Bool {
    try forEachLink(of: steps[index], evaluator, batch, row) { try descend(index, $0, evaluator, visit) }
  }

  /// Calls `visit` with the keys that the links of one step have, null and those to tombstones among them, until it
  /// returns false.
  ///
  /// - Returns: whether to go on.
  @inline(__always)
  private func forEachLink(
    of step: Step, _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ visit: (ObjectKey) throws -> Bool
  ) throws -> Bool {
    switch step.kind {
    case .link(let property):
      guard case .link(_, let key) = try evaluator.value(step.columnSlot, ofProperty: property, batch, row) else {
        return true
      }
      return try visit(key)
    case .list(let property), .set(let property):
      switch step.selector {
      case .all, .key:
        var goesOn = true
        try evaluator.forEachLink(step.columnSlot, ofProperty: property, batch, row) { key in
          goesOn = try visit(key)
          return goesOn
        }
        return goesOn
      case .index, .last:
        guard let list = try evaluator.value(step.columnSlot, ofProperty: property, batch, row).listView,
          let key = try element(of: list, step.selector, evaluator)
        else { return true }
        return try visit(key)
      }
    case .dictionary(let property):
      guard case .dictionary(let dictionary) = try evaluator.value(step.columnSlot, ofProperty: property, batch, row)
      else { return true }
      return try forEachLink(of: dictionary, step, evaluator, visit)
    case .backlinks(let place):
      let group = try evaluator.snapshot.backlinks(to: batch, row: row, index: place)
      var goesOn = true
      try group.forEachOrigin(evaluator.walk) { key in
        if goesOn { goesOn = try visit(key) }
      }
      return goesOn
    }
  }

  /// The link at one place of a list; nil if there is none.
  private func element(of list: ListView, _ selector: Step.Selector, _ evaluator: Evaluator) throws -> ObjectKey? {
    let count = try list.count(in: evaluator.snapshot)
    let position = if case .index(let wanted) = selector { wanted } else { count - 1 }
    guard position >= 0, position < count else { return nil }
    switch list.elements(at: position..<position + 1, in: evaluator.snapshot).first {
    case .value(.link(_, let key)): return key
    case .damaged(let error): throw error
    default: return nil
    }
  }

  private func forEachLink(
    of dictionary: DictionaryView, _ step: Step, _ evaluator: Evaluator, _ visit: (ObjectKey) throws -> Bool
  ) throws -> Bool {
    let target = step.target.key
    @inline(__always) func key(of value: ValueView) -> ObjectKey? {
      switch value {
      case .link(target, let key), .typedLink(target, let key): key
      default: nil
      }
    }
    if case .key(let name) = step.selector {
      let value = try name.utf8.withUnsafeBytes { try dictionary.value(of: $0, evaluator.walk) }
      return try value.flatMap(key(of:)).map(visit) ?? true
    }
    var goesOn = true
    try dictionary.forEach(evaluator.walk, damaged: { throw $0 }) { _, value in
      if goesOn, let key = key(of: value) { goesOn = try visit(key) }
    }
    return goesOn
  }

  private func descend(
    _ index: Int, _ key: ObjectKey, _ evaluator: Evaluator, _ visit: (ObjectKey) throws -> Bool
  ) throws -> Bool {
    guard key.rawValue >= 0 else { return true }
    try evaluator.spendWay(self)
    guard index + 1 < steps.count else { return try visit(key) }
    let place = try object(key, behind: steps[index], evaluator)
    return try follow(index + 1, evaluator, place.batch, place.row, visit)
  }
}

extension ValueView {
  /// A list or a set.
  var listView: ListView? {
    switch self {
    case .list(let list), .set(let list): list
    default: nil
    }
  }
}
