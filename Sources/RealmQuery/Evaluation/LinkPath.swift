import RealmStorage

/// The links that a key path goes along, from a class to the class of its last objects.
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
  }

  let base: Table
  var steps: [Step] = []

  var target: Table { steps.last?.target ?? base }

  /// Whether each object leads to one other at most.
  var isUnary: Bool { !steps.contains(where: \.isCollection) }

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

  /// The path without its last link.
  var droppingLast: LinkPath {
    var path = self
    path.steps.removeLast()
    return path
  }

  // MARK: Following

  /// Calls `visit` with the key of each object that the path leads to, until it returns false.
  ///
  /// - Throws: `StorageError` where a link cannot be read.
  func forEachTarget(_ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ visit: (ObjectKey) throws -> Bool)
    throws
  {
    _ = try follow(0, evaluator, batch, row, visit)
  }

  /// The one object of a unary path; nil where there is none.
  func onlyTarget(_ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int) throws -> ObjectKey? {
    var result: ObjectKey?
    try forEachTarget(evaluator, batch, row) { key in
      result = key
      return false
    }
    return result
  }

  /// The object with a key, of the class that the path leads to.
  func object(_ key: ObjectKey, _ evaluator: Evaluator) throws -> (batch: ObjectBatch, row: Int) {
    guard let last = steps.last, let found = try evaluator.find(last.tableSlot, last.target, key) else {
      throw target.danglingLink(to: key)
    }
    return found
  }

  /// - Returns: whether to go on.
  private func follow(
    _ index: Int, _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ visit: (ObjectKey) throws -> Bool
  ) throws -> Bool {
    let step = steps[index]
    switch step.kind {
    case .link(let property):
      guard case .link(_, let key) = try evaluator.value(step.columnSlot, ofProperty: property, batch, row) else {
        return true
      }
      return try descend(index, key, evaluator, visit)
    case .list(let property), .set(let property):
      switch step.selector {
      case .all, .key:
        var goesOn = true
        try evaluator.forEachLink(step.columnSlot, ofProperty: property, batch, row) { key in
          goesOn = try descend(index, key, evaluator, visit)
          return goesOn
        }
        return goesOn
      case .index, .last:
        guard let list = try evaluator.value(step.columnSlot, ofProperty: property, batch, row).listView,
          let key = try element(of: list, step.selector, evaluator)
        else { return true }
        return try descend(index, key, evaluator, visit)
      }
    case .dictionary(let property):
      guard case .dictionary(let dictionary) = try evaluator.value(step.columnSlot, ofProperty: property, batch, row)
      else { return true }
      return try followDictionary(index, dictionary, step, evaluator, visit)
    case .backlinks(let place):
      let group = try evaluator.snapshot.backlinks(to: batch, row: row, index: place)
      var goesOn = true
      try group.forEachOrigin(evaluator.walk) { key in
        if goesOn { goesOn = try descend(index, key, evaluator, visit) }
      }
      return goesOn
    }
  }

  /// The link at one place of a list; nil where there is none.
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

  private func followDictionary(
    _ index: Int, _ dictionary: DictionaryView, _ step: Step, _ evaluator: Evaluator,
    _ visit: (ObjectKey) throws -> Bool
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
      return try value.flatMap(key(of:)).map { try descend(index, $0, evaluator, visit) } ?? true
    }
    var goesOn = true
    try dictionary.forEach(evaluator.walk, damaged: { throw $0 }) { _, value in
      if goesOn, let key = key(of: value) { goesOn = try descend(index, key, evaluator, visit) }
    }
    return goesOn
  }

  private func descend(
    _ index: Int, _ key: ObjectKey, _ evaluator: Evaluator, _ visit: (ObjectKey) throws -> Bool
  ) throws -> Bool {
    guard key.rawValue >= 0 else { return true }
    guard index + 1 < steps.count else { return try visit(key) }
    guard let found = try evaluator.find(steps[index].tableSlot, steps[index].target, key) else {
      throw steps[index].target.danglingLink(to: key)
    }
    return try follow(index + 1, evaluator, found.batch, found.row, visit)
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
