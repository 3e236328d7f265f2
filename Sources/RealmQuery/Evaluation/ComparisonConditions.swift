import RealmStorage

/// Two expressions against each other, object by object.
final class ComparisonCondition: Condition, @unchecked Sendable {
  private let left: Operand
  private let right: Operand
  private let comparison: QuantifiedComparison

  init(_ left: Operand, _ right: Operand, _ test: ValueTest) {
    (self.left, self.right) = (left, right)
    comparison = QuantifiedComparison(test: test, left: left.quantifier, right: right.quantifier)
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    evaluator.withBuffer { leftBuffer in
      evaluator.withBuffer { rightBuffer in
        var rows = RowMask()
        among.forEach { row in
          do {
            if try holds(evaluator, batch, row, leftBuffer, rightBuffer) { rows.insert(row) }
          } catch {
            evaluator.note(error, batch, row, property: left.constant == nil ? left.label : right.label)
          }
        }
        return rows
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
        if comparison.holds(leftBuffer, rightBuffer) { return true }
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
  private let condition: Condition
  private let quantifier: Quantifier
  /// What holds of a to-one path that leads nowhere.
  private let holdsOfNull: Bool
  private let answerSlot: Int

  init(_ path: LinkPath, _ condition: Condition, _ quantifier: Quantifier, holdsOfNull: Bool, answerSlot: Int) {
    (self.path, self.condition, self.quantifier) = (path, condition, quantifier)
    (self.holdsOfNull, self.answerSlot) = (holdsOfNull, answerSlot)
    if path.steps.count == 1, case .link(let property) = path.steps[0].kind { onlyLink = property } else { onlyLink = nil }
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    if let onlyLink { return rows(ofLink: onlyLink, evaluator, batch, among) }
    var rows = RowMask()
    among.forEach { row in
      do {
        if try holds(evaluator, batch, row) { rows.insert(row) }
      } catch {
        evaluator.note(error, batch, row, property: path.label ?? "")
      }
    }
    return rows
  }

  private func rows(
    ofLink property: Int, _ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask
  ) -> RowMask {
    do {
      let values = try batch.values(ofProperty: property)
      let (cache, target) = (evaluator.answerCache(answerSlot), path.target)
      var rows = RowMask()
      withUnsafeTemporaryAllocation(of: Int64.self, capacity: RowMask.capacity) { links in
        guard values.readLinks(into: links) else { return }
        among.forEach { row in
          guard links[row] >= 0 else {
            if holdsOfNull { rows.insert(row) }
            return
          }
          do {
            if try answer(cache, target, ObjectKey(rawValue: links[row]), evaluator) { rows.insert(row) }
          } catch {
            evaluator.note(error, batch, row, property: path.label ?? "")
          }
        }
      }
      return rows
    } catch {
      evaluator.note(error, batch, among, property: path.label ?? "")
      return RowMask()
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
    let (cache, target) = (evaluator.answerCache(answerSlot), path.target)
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
  override var explanation: String { "links '\(path.text)' to objects (\(condition.explanation))" }
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
    do {
      let values = try batch.values(ofProperty: property)
      var rows = RowMask()
      withUnsafeTemporaryAllocation(of: Int64.self, capacity: RowMask.capacity) { counts in
        guard
          values.readCounts(
            into: counts, among: among, damaged: { row, error in evaluator.note(error, batch, row, property: name) })
        else { return }
        among.subtracting(evaluator.unreadable).forEach { row in
          if (counts[row] >= test.lower && counts[row] <= test.upper) == test.isInside { rows.insert(row) }
        }
      }
      return rows
    } catch {
      evaluator.note(error, batch, among, property: name)
      return RowMask()
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
    do {
      let values = try batch.values(ofProperty: property)
      var rows = RowMask()
      among.forEach { row in
        do {
          guard case .string(let text) = try values.value(at: row) else {
            if words.matches([]) { rows.insert(row) }
            return
          }
          let found = try text.contiguous.map { TextTokens.words(in: $0) }
            ?? text.copied().withUnsafeBytes { TextTokens.words(in: $0) }
          if words.matches(found) { rows.insert(row) }
        } catch {
          evaluator.note(error, batch, row, property: name)
        }
      }
      return rows
    } catch {
      evaluator.note(error, batch, among, property: name)
      return RowMask()
    }
  }

  override var cost: Int { 1000 }
  override var indexUse: IndexUse? { use }
  override var explanation: String { "words of '\(name)'" }
}
