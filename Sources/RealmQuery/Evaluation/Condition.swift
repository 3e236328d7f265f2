import RealmStorage

/// What must be true of an object, bound to its class.
///
/// Conditions are asked about the rows of a batch together. Like operands they never change once they are bound.
class Condition: @unchecked Sendable {
  /// The rows it holds for. Rows for which that cannot be known are noted in the evaluator, and may be among the result.
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
final class ConstantCondition: Condition, @unchecked Sendable {
  let holds: Bool
  init(_ holds: Bool) { self.holds = holds }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    holds ? among : RowMask()
  }

  override var isCheap: Bool { true }
  override var cost: Int { 0 }
  override var explanation: String { holds ? "all objects" : "no object" }
}

/// Conditions joined by `AND`.
final class AndCondition: Condition, @unchecked Sendable {
  private let conditions: [Condition]

  init(_ conditions: [Condition]) {
    // Stable, so that explanations follow the text where costs are the same.
    self.conditions = conditions.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
      .map(\.element)
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    var rows = among
    for condition in conditions {
      rows = condition.rows(evaluator, batch, rows).subtracting(evaluator.unreadable)
      if rows.isEmpty { break }
    }
    return rows
  }

  override var isCheap: Bool { conditions.allSatisfy(\.isCheap) }
  override var cost: Int { conditions.reduce(0) { $0 + $1.cost } }
  override var indexUse: IndexUse? {
    conditions.compactMap(\.indexUse).min { $0.rank < $1.rank }
  }
  override var explanation: String { conditions.map(\.explanation).joined(separator: ", then ") }
}

/// Conditions joined by `OR`.
final class OrCondition: Condition, @unchecked Sendable {
  private let conditions: [Condition]

  init(_ conditions: [Condition]) {
    self.conditions = conditions.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
      .map(\.element)
  }

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
    // One that holds is enough, whatever the others would be.
    evaluator.unreadable = before.union(bad.subtracting(rows))
    return rows
  }

  override var isCheap: Bool { conditions.allSatisfy(\.isCheap) }
  override var cost: Int { conditions.reduce(0) { $0 + $1.cost } }
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

/// A property of the object itself against constants, searched as a column.
final class ColumnCondition: Condition, @unchecked Sendable {
  private let property: Int
  private let name: RealmString
  private let test: LeafTest
  private let use: IndexUse?

  init(_ property: Int, _ name: RealmString, _ test: LeafTest, index: IndexUse? = nil) {
    (self.property, self.name, self.test, use) = (property, name, test, index)
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    do {
      let values = try batch.values(ofProperty: property)
      let found = values.rows(passing: test, among: among) { row, error in
        evaluator.note(error, batch, row, property: name)
      }
      return found ?? RowMask()
    } catch {
      evaluator.note(error, batch, among, property: name)
      return RowMask()
    }
  }

  override var isCheap: Bool { true }
  override var cost: Int {
    switch test {
    case .ints, .bools: 1
    case .floats, .doubles, .dates: 2
    case .bytes(let test):
      switch test.condition {
      case .matches, .differs, .order: 10
      case .anything, .nothing: 5
      }
    }
  }
  override var indexUse: IndexUse? { use }
  override var explanation: String { "scan of '\(name)'" }
}

/// A property of the object itself against one constant or several, value by value.
final class ValueCondition: Condition, @unchecked Sendable {
  private let property: Int
  private let name: RealmString
  private let test: ValueTest
  private let constants: ConstantOperand
  private let use: IndexUse?

  /// - Parameter constants: of several, one has to fit.
  init(
    _ property: Int, _ name: RealmString, _ test: ValueTest, _ constants: ConstantOperand, index: IndexUse? = nil
  ) {
    (self.property, self.name, self.test, self.constants, use) = (property, name, test, constants, index)
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    do {
      let values = try batch.values(ofProperty: property)
      let isSearch = test.comparator.isSearch
      var rows = RowMask()
      among.forEach { row in
        do {
          let value = try values.value(at: row)
          for constant in constants.views
          where isSearch ? test.holds(constant, value) : test.holds(value, constant) {
            rows.insert(row)
            break
          }
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

  override var isCheap: Bool { true }
  override var cost: Int { 20 + 5 * constants.views.count }
  override var indexUse: IndexUse? { use }
  override var explanation: String { "scan of '\(name)'" }
}

/// A property of the object itself against many values of a type that can be looked up.
final class MembershipCondition: Condition, @unchecked Sendable {
  private let property: Int
  private let name: RealmString
  private let ints: Set<Int64>
  private let others: Set<Value>
  private let matchesNull: Bool
  private let use: IndexUse?

  init(_ property: Int, _ name: RealmString, _ values: [Value], index: IndexUse?) {
    (self.property, self.name) = (property, name)
    ints = Set(values.compactMap(\.intValue))
    others = Set(values.filter { $0.intValue == nil && $0 != .null })
    matchesNull = values.contains(.null)
    use = index
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    do {
      let values = try batch.values(ofProperty: property)
      var rows = RowMask()
      among.forEach { row in
        do {
          if try contains(values.value(at: row)) { rows.insert(row) }
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

  private func contains(_ value: ValueView) throws -> Bool {
    switch value {
    case .null: matchesNull
    case .int(let number): ints.contains(number)
    case .string(let bytes): others.contains(.string(RealmString(utf8: try bytes.copied())))
    case .objectID(let id): others.contains(.objectID(id))
    case .uuid(let uuid): others.contains(.uuid(uuid))
    default: false
    }
  }

  override var isCheap: Bool { true }
  override var cost: Int { 60 }
  override var indexUse: IndexUse? { use }
  override var explanation: String { "scan of '\(name)' for \(ints.count + others.count) values" }
}

/// A link of the object itself against objects.
final class LinksToCondition: Condition, @unchecked Sendable {
  private let path: LinkPath
  private let property: Int
  private let keys: Set<ObjectKey>
  private let matchesNull: Bool
  private let isNegated: Bool

  /// - Parameters:
  ///   - path: of one link.
  ///   - keys: nil among them stands for null.
  init(_ path: LinkPath, _ property: Int, keys: [ObjectKey?], isNegated: Bool) {
    (self.path, self.property, self.isNegated) = (path, property, isNegated)
    self.keys = Set(keys.compactMap { $0 })
    matchesNull = keys.contains { $0 == nil }
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    guard path.isUnary else { return rowsOfLists(evaluator, batch, among) }
    do {
      let values = try batch.values(ofProperty: property)
      var rows = RowMask()
      withUnsafeTemporaryAllocation(of: Int64.self, capacity: RowMask.capacity) { links in
        guard values.readLinks(into: links) else { return }
        among.forEach { row in
          // Links to tombstones count as null.
          let isFound = links[row] < 0 ? matchesNull : keys.contains(ObjectKey(rawValue: links[row]))
          if isFound != isNegated { rows.insert(row) }
        }
      }
      return rows
    } catch {
      evaluator.note(error, batch, among, property: path.label ?? "")
      return RowMask()
    }
  }

  /// One element has to be among the objects, or one has to be none of them.
  private func rowsOfLists(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    var rows = RowMask()
    among.forEach { row in
      do {
        var isFound = false
        try path.forEachTarget(evaluator, batch, row) { key in
          isFound = keys.contains(key) != isNegated
          return !isFound
        }
        if isFound { rows.insert(row) }
      } catch {
        evaluator.note(error, batch, row, property: path.label ?? "")
      }
    }
    return rows
  }

  override var isCheap: Bool { path.isUnary }
  override var cost: Int { path.isUnary ? 8 : 200 }
  override var explanation: String { "scan of '\(path.label ?? "")'" }
}
