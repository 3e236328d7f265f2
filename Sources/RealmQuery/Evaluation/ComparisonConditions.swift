import RealmStorage

/// Two expressions against each other, object by object.
final class ComparisonCondition: Condition, @unchecked Sendable {
  private let left: Operand
  private let right: Operand
  private let comparison: QuantifiedComparison
  /// Whether a repeated value changes nothing: it does if lists are compared element by element, or if the reference
  /// counts values.
  private let wantsDistinct: Bool

  init(_ left: Operand, _ right: Operand, _ test: ValueTest) {
    (self.left, self.right) = (left, right)
    comparison = QuantifiedComparison(test: test, left: left.quantifier, right: right.quantifier)
    let hasSingle = left.isAlwaysSingle || right.isAlwaysSingle
    let isQuantified = left.quantifier != nil || right.quantifier != nil
    wantsDistinct = hasSingle || (isQuantified && test.dialect == .standard)
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    evaluator.withBuffer { leftBuffer in
      evaluator.withBuffer { rightBuffer in
        evaluator.distinctly(wantsDistinct) {
          evaluator.rows(batch, among, left.constant == nil ? left.label : right.label) { row in
            try holds(evaluator, batch, row, leftBuffer, rightBuffer)
          }
        }
      }
    }
  }

  private func holds(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ leftBuffer: ValueBuffer, _ rightBuffer: ValueBuffer
  ) throws -> Bool {
    var rightIndex = GroupIndex()
    repeat {
      try right.evaluate(evaluator, batch, row, &rightIndex, into: rightBuffer)
      var leftIndex = GroupIndex()
      repeat {
        try left.evaluate(evaluator, batch, row, &leftIndex, into: leftBuffer)
        if try comparison.holds(leftBuffer, rightBuffer, evaluator.walk) { return true }
      } while leftIndex.hasMore
    } while rightIndex.hasMore
    return false
  }

  override var cost: Int { 500 }
  override var explanation: String {
    "comparison of \(left.text.isEmpty ? "''" : left.text) with \(right.text.isEmpty ? "''" : right.text)"
  }
}

/// A condition on the objects that links lead to. What is asked about an object is asked once.
final class LinkedCondition: Condition, @unchecked Sendable {
  private let path: LinkPath
  /// The property of the first link, where the path has no other.
  private let onlyLink: Int?
  /// The same for a list or set.
  private let onlyList: Int?
  private let condition: Condition
  private let quantifier: Quantifier
  /// The answer for a to-one path that ends in null.
  private let holdsOfNull: Bool
  private let answerSlot: Int

  init(_ path: LinkPath, _ condition: Condition, _ quantifier: Quantifier, holdsOfNull: Bool, answerSlot: Int) {
    (self.path, self.condition, self.quantifier) = (path, condition, quantifier)
    (self.holdsOfNull, self.answerSlot) = (holdsOfNull, answerSlot)
    let only = path.steps.count == 1 && path.steps[0].selector == .all ? path.steps[0].kind : nil
    switch only {
    case .link(let property): (onlyLink, onlyList) = (property, nil)
    case .list(let property), .set(let property): (onlyLink, onlyList) = (nil, property)
    default: (onlyLink, onlyList) = (nil, nil)
    }
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    if let onlyLink { return rows(ofLink: onlyLink, evaluator, batch, among) }
    if let onlyList { return rows(ofList: onlyList, evaluator, batch, among) }
    return evaluator.rows(batch, among, path.label ?? "") { row in try holds(evaluator, batch, row) }
  }

  private func rows(
    ofLink property: Int, _ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask
  ) -> RowMask {
    let (cache, target) = (evaluator.answerCache(answerSlot, of: path.target), path.target)
    return evaluator.column(batch, among, property, path.label ?? "") { values in
      withUnsafeTemporaryAllocation(of: Int64.self, capacity: RowMask.capacity) { links in
        guard values.readLinks(into: links) else { return RowMask() }
        return evaluator.rows(batch, among, path.label ?? "") { row in
          guard links[row] >= 0 else { return holdsOfNull }
          return try answer(cache, target, ObjectKey(rawValue: links[row]), evaluator)
        }
      }
    }
  }

  private func rows(
    ofList property: Int, _ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask
  ) -> RowMask {
    let (cache, target) = (evaluator.answerCache(answerSlot, of: path.target), path.target)
    return evaluator.column(batch, among, property, path.label ?? "") { values in
      var (decided, bad) = (RowMask(), RowMask())
      values.forEachLink(among: among, evaluator.walk) { row, error in
        evaluator.note(error, batch, row, property: path.label ?? "")
        bad.insert(row)
      } _: { row, key in
        // An element that decides ends the walk.
        guard try answer(cache, target, key, evaluator) != (quantifier == .all) else { return true }
        decided.insert(row)
        return false
      }
      return (quantifier == .any ? decided : among.subtracting(decided)).subtracting(bad)
    }
  }

  @inline(__always)
  private func answer(_ cache: AnswerCache, _ target: Table, _ key: ObjectKey, _ evaluator: Evaluator) throws -> Bool {
    guard let answer = try cache.answer(condition, target, key, evaluator) else {
      throw target.danglingLink(to: key)
    }
    return answer
  }

  private func holds(_ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int) throws -> Bool {
    let (cache, target) = (evaluator.answerCache(answerSlot, of: path.target), path.target)
    if path.isUnary {
      guard let key = try path.onlyTarget(evaluator, batch, row) else { return holdsOfNull }
      return try answer(cache, target, key, evaluator)
    }
    // Nothing but an element that decides ends the walk.
    var isDecided = false
    try path.forEachTarget(evaluator, batch, row) { key in
      isDecided = try answer(cache, target, key, evaluator) != (quantifier == .all)
      return !isDecided
    }
    return quantifier == .any ? isDecided : !isDecided
  }

  override var cost: Int { onlyLink != nil ? 15 : 150 }
  /// Only where each object that fits has a link to one that the index finds.
  override var indexUse: IndexUse? {
    guard quantifier == .any, !holdsOfNull else { return nil }
    return condition.indexUse.map { .linked(path, $0) }
  }
  override var explanation: String { "links '\(path.text)' to objects (\(condition.explanation))" }
}

/// The elements of a list or set of the object itself against a constant.
final class ElementsCondition: Condition, @unchecked Sendable {
  private let property: Int
  private let name: RealmString
  private let test: LeafTest
  private let quantifier: Quantifier
  /// For collections whose leaves cannot be searched as a whole.
  private let fallback: ComparisonCondition

  init(
    _ property: Int, _ name: RealmString, _ test: LeafTest, _ quantifier: Quantifier, fallback: ComparisonCondition
  ) {
    (self.property, self.name, self.test) = (property, name, test)
    (self.quantifier, self.fallback) = (quantifier, fallback)
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    evaluator.column(batch, among, property, name) { values in
      let (any, all, rest) = values.elements(passing: test, among: among, evaluator.walk) { row, error in
        evaluator.note(error, batch, row, property: name)
      }
      let rows =
        switch quantifier {
        case .any: any
        case .all: all
        case .none: among.subtracting(any).subtracting(rest).subtracting(evaluator.unreadable)
        }
      return rest.isEmpty ? rows : rows.union(fallback.rows(evaluator, batch, rest))
    }
  }

  override var cost: Int { 150 }
  override var explanation: String { "scan of the elements of '\(name)'" }
}

/// How many of something an object has.
final class CountedCondition: Condition, @unchecked Sendable {
  private let counted: any CountingOperand
  private let test: IntTest
  private let text: String

  /// - Parameter explanation: what it says of itself.
  init(_ counted: any CountingOperand, _ test: IntTest, explanation: String) {
    (self.counted, self.test, text) = (counted, test, explanation)
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: RowMask.capacity) { counts in
      among.forEach { counts[$0] = 0 }
      counted.addCounts(evaluator, batch, among, to: counts)
      var rows = RowMask()
      among.subtracting(evaluator.unreadable).forEach { row in
        if (counts[row] >= test.lower && counts[row] <= test.upper) == test.isInside { rows.insert(row) }
      }
      return rows
    }
  }

  override var isCheap: Bool { counted.countsStored }
  override var cost: Int { counted.countingCost }
  override var explanation: String { text }
}

/// How many elements a collection of the object itself has.
final class CountCondition: Condition, @unchecked Sendable {
  private let property: Int
  private let name: RealmString
  private let test: IntTest

  init(_ property: Int, _ name: RealmString, _ test: IntTest) {
    (self.property, self.name, self.test) = (property, name, test)
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    evaluator.column(batch, among, property, name) { values in
      withUnsafeTemporaryAllocation(of: Int64.self, capacity: RowMask.capacity) { counts in
        let areCounted = values.readCounts(
          into: counts, among: among, damaged: { row, error in evaluator.note(error, batch, row, property: name) })
        guard areCounted else { return RowMask() }
        var rows = RowMask()
        among.subtracting(evaluator.unreadable).forEach { row in
          if (counts[row] >= test.lower && counts[row] <= test.upper) == test.isInside { rows.insert(row) }
        }
        return rows
      }
    }
  }

  override var isCheap: Bool { true }
  override var cost: Int { 30 }
  override var explanation: String { "scan of the sizes of '\(name)'" }
}

/// `TEXT`: words of a text that has a full-text index.
final class WordsCondition: Condition, @unchecked Sendable {
  private let property: Int
  private let name: RealmString
  private let words: SearchWords
  private let use: IndexUse?

  init(_ property: Int, _ name: RealmString, _ words: SearchWords, index: IndexUse?) {
    (self.property, self.name, self.words, use) = (property, name, words, index)
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    evaluator.column(batch, among, property, name) { values in
      evaluator.rows(batch, among, name) { row in
        guard case .string(let text) = try values.value(at: row) else { return words.matches([]) }
        let found =
          try text.contiguous.map { TextTokens.words(in: $0) }
          ?? text.copied().withUnsafeBytes { TextTokens.words(in: $0) }
        return words.matches(found)
      }
    }
  }

  override var cost: Int { 1000 }
  override var indexUse: IndexUse? { use }
  override var explanation: String { "words of '\(name)'" }
}
