import RealmStorage

/// What must be true of an object, bound to its class.
///
/// Conditions are asked about the rows of a batch together. Like operands they never change once they are bound.
class Condition: @unchecked Sendable {
  /// The rows for which it is true. Rows for which that cannot be known are noted in the evaluator, and may be in the
  /// result.
  ///
  /// - Parameter among: the rows that matter.
  func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask { RowMask() }

  /// Whether all rows of a batch cost little more than one.
  var isCheap: Bool { false }
  /// For putting the cheap ones first: about how many nanoseconds a row costs.
  var cost: Int { 1000 }
  /// How a search index can help, if at all.
  var indexUse: IndexUse? { nil }
  /// What `--explain` says of it.
  var explanation: String { "" }
}

/// `TRUEPREDICATE`, `FALSEPREDICATE`.
class ConstantCondition: Condition, @unchecked Sendable {
  let holds: Bool
  init(_ holds: Bool) { self.holds = holds }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    holds ? among : RowMask()
  }

  override var isCheap: Bool { true }
  override var cost: Int { 0 }
  override var explanation: String { holds ? "all objects" : "no object" }
}

/// A condition that the reference forgets: the query means the same without it, and alone it is true for all objects.
final class OmittedCondition: ConstantCondition, @unchecked Sendable {
  init() { super.init(true) }
}

/// Conditions that are asked one after another.
class JoinedCondition: Condition, @unchecked Sendable {
  /// The cheap ones first.
  fileprivate let conditions: [Condition]

  init(_ conditions: [Condition]) {
    // Stable, so that explanations follow the text where costs are the same.
    self.conditions = conditions.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
      .map(\.element)
  }

  override var isCheap: Bool { conditions.allSatisfy(\.isCheap) }
  override var cost: Int { conditions.reduce(0) { $0 + $1.cost } }
}

/// Conditions joined by `AND`.
final class AndCondition: JoinedCondition, @unchecked Sendable {
  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    var rows = among
    for condition in conditions {
      rows = condition.rows(evaluator, batch, rows).subtracting(evaluator.unreadable)
      if rows.isEmpty { break }
    }
    return rows
  }

  override var indexUse: IndexUse? {
    conditions.compactMap(\.indexUse).min { $0.rank < $1.rank }
  }
  override var explanation: String { conditions.map(\.explanation).joined(separator: ", then ") }
}

/// Conditions joined by `OR`.
final class OrCondition: JoinedCondition, @unchecked Sendable {
  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    let before = evaluator.unreadable
    var rows = RowMask()
    var bad = RowMask()
    var rest = among
    for condition in conditions where !rest.isEmpty {
      evaluator.unreadable = before
      let found = condition.rows(evaluator, batch, rest)
      let unknown = evaluator.unreadable.subtracting(before)
      bad = bad.union(unknown)
      rows = rows.union(found.subtracting(unknown))
      rest = rest.subtracting(rows)
    }
    // One that is true is enough, whatever the others would be.
    evaluator.unreadable = before.union(bad.subtracting(rows))
    return rows
  }

  override var indexUse: IndexUse? {
    let uses = conditions.map(\.indexUse)
    guard !uses.contains(where: { $0 == nil }) else { return nil }
    return .union(uses.compactMap { $0 })
  }
  override var explanation: String { "any of (" + conditions.map(\.explanation).joined(separator: "; ") + ")" }
}

/// `NOT`.
final class NotCondition: Condition, @unchecked Sendable {
  private let condition: Condition
  init(_ condition: Condition) { self.condition = condition }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    among.subtracting(condition.rows(evaluator, batch, among))
  }

  override var isCheap: Bool { condition.isCheap }
  override var cost: Int { condition.cost }
  override var explanation: String { "not (" + condition.explanation + ")" }
}
