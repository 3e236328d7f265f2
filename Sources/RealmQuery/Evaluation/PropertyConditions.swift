import RealmStorage
import RealmText

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
    evaluator.column(batch, among, property, name) { values in
      evaluator.rows(batch, among, name, of: values, passing: test)
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
      case .length, .anything, .nothing: 5
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
    evaluator.column(batch, among, property, name) { values in
      let isSearch = test.comparator.isSearch
      return evaluator.rows(batch, among, name) { row in
        let value = try values.value(at: row)
        for constant in constants.views where isSearch ? test.holds(constant, value) : test.holds(value, constant) {
          return true
        }
        return false
      }
    }
  }

  override var isCheap: Bool { true }
  override var cost: Int { 20 + 5 * constants.views.count }
  override var indexUse: IndexUse? { use }
  override var explanation: String { "scan of '\(name)'" }
}

/// A property of the object itself against values of a type that can be looked up.
final class MembershipCondition: Condition, @unchecked Sendable {
  private let property: Int
  private let name: RealmString
  /// What a column is searched for, one after another; empty if values are looked up.
  private let tests: [LeafTest]
  private let values: Set<Value>
  private let use: IndexUse?

  /// More tests than that cost more than looking up each value.
  private static let mostTests = 16

  /// - Parameter values: of one type, or null; at least one.
  init(_ property: Int, _ name: RealmString, _ values: [Value], index: IndexUse?) {
    (self.property, self.name, self.values, use) = (property, name, Set(values), index)
    let tests = Self.tests(for: self.values)
    self.tests = tests.count <= Self.mostTests ? tests : []
  }

  /// Tests of which one passes for each of the values, and for nothing else; empty for types without such tests.
  private static func tests(for values: Set<Value>) -> [LeafTest] {
    let matchesNull = values.contains(.null)
    let ints = values.compactMap(\.intValue).sorted()
    if let first = ints.first {
      var ranges = [first...first]
      for number in ints.dropFirst() {
        if let last = ranges.last, last.upperBound == number &- 1 {
          ranges[ranges.count - 1] = last.lowerBound...number
        } else {
          ranges.append(number...number)
        }
      }
      return ranges.map { .ints(IntTest($0, isInside: true, matchesNull: matchesNull)) }
    }
    return values.compactMap { value in
      guard case .string(let text) = value else { return nil }
      let pattern = BytesPattern(text.utf8, .equal, isFolded: false)
      return .bytes(BytesTest(.matches(pattern), matchesNull: matchesNull))
    }
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    evaluator.column(batch, among, property, name) { column in
      guard !tests.isEmpty else {
        return evaluator.rows(batch, among, name) { row in try contains(column.value(at: row)) }
      }
      var (rows, rest) = (RowMask(), among)
      for test in tests where !rest.isEmpty {
        rows = rows.union(evaluator.rows(batch, rest, name, of: column, passing: test))
        // What cannot be read is noted once.
        rest = rest.subtracting(rows).subtracting(evaluator.unreadable)
      }
      return rows
    }
  }

  private func contains(_ value: ValueView) throws -> Bool {
    switch value {
    case .null: values.contains(.null)
    case .int(let number): values.contains(.int(number))
    case .string(let bytes): values.contains(.string(RealmString(utf8: try bytes.copied())))
    case .objectID(let id): values.contains(.objectID(id))
    case .uuid(let uuid): values.contains(.uuid(uuid))
    default: false
    }
  }

  override var isCheap: Bool { true }
  override var cost: Int { tests.isEmpty ? 60 : 5 * tests.count }
  override var indexUse: IndexUse? { use }
  override var explanation: String {
    "scan of '\(name)' for \(values.count.counted("value"))"
  }
}

/// A link of the object itself against objects.
final class LinksToCondition: Condition, @unchecked Sendable {
  private let path: LinkPath
  private let property: Int
  private let keys: Set<ObjectKey>
  private let matchesNull: Bool
  private let isNegated: Bool
  private let dialect: Dialect

  /// - Parameters:
  ///   - path: of one link.
  ///   - keys: nil among them means null.
  init(_ path: LinkPath, _ property: Int, keys: [ObjectKey?], isNegated: Bool, _ dialect: Dialect) {
    (self.path, self.property, self.isNegated, self.dialect) = (path, property, isNegated, dialect)
    self.keys = Set(keys.compactMap { $0 })
    matchesNull = keys.contains { $0 == nil }
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    guard path.isUnary else { return rowsOfLists(evaluator, batch, among) }
    return evaluator.column(batch, among, property, path.label ?? "") { values in
      withUnsafeTemporaryAllocation(of: Int64.self, capacity: RowMask.capacity) { links in
        guard values.readLinks(into: links) else { return RowMask() }
        var rows = RowMask()
        among.forEach { row in
          let key = links[row]
          // A link to a tombstone counts as null, but not in the reference.
          let isNull = key == -1 || (key < 0 && dialect == .standard)
          let isFound = isNull ? matchesNull : keys.contains(ObjectKey(rawValue: key))
          if isFound != isNegated { rows.insert(row) }
        }
        return rows
      }
    }
  }

  /// One element must be among the objects, or one must not be.
  private func rowsOfLists(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    evaluator.rows(batch, among, path.label ?? "") { row in
      var isFound = false
      try path.forEachTarget(evaluator, batch, row) { key in
        isFound = keys.contains(key) != isNegated
        return !isFound
      }
      // An entry that is null differs from every object.
      if !isFound, isNegated, case .dictionary = path.steps[0].kind,
        case .dictionary(let entries) = try evaluator.value(path.steps[0].columnSlot, ofProperty: property, batch, row)
      {
        try entries.forEach(evaluator.walk, damaged: { throw $0 }) { _, value in if value.isNull { isFound = true } }
      }
      return isFound
    }
  }

  override var isCheap: Bool { path.isUnary }
  override var cost: Int { path.isUnary ? 8 : 200 }
  override var indexUse: IndexUse? { isNegated || matchesNull ? nil : .linked(path, .objects(Array(keys))) }
  override var explanation: String { "scan of '\(path.label ?? "")'" }
}

/// Incoming links against an object as the reference does it: it takes what is stored for the key of a link.
final class StoredBacklinkCondition: Condition, @unchecked Sendable {
  private let place: Int
  private let name: RealmString
  private let element: Int64
  private let isNegated: Bool

  init(_ place: Int, _ name: RealmString, _ key: ObjectKey?, isNegated: Bool) {
    (self.place, self.name, self.isNegated) = (place, name, isNegated)
    element = (key?.rawValue ?? -1) &+ 1
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    evaluator.rows(batch, among, name) { row in
      let group = try evaluator.snapshot.backlinks(to: batch, row: row, index: place)
      return (group.storedElement == element) != isNegated
    }
  }
}
