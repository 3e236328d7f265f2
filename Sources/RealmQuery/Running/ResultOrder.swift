import RealmStorage

/// Sorts and deduplicates what a query has found.
///
/// Keeps the keys of all objects found, or, where a limit follows a sort at once, of little more than that many.
struct ResultOrder {
  private let query: Query
  private let evaluator: Evaluator
  private let check: (@Sendable () throws -> Void)?
  private var keys: [ObjectKey] = []

  init(_ query: Query, _ options: QueryOptions) {
    self.query = query
    check = options.check
    evaluator = Evaluator(query.snapshot, query.slots, check: check)
  }

  var damage: DamageReport { evaluator.damage }

  /// Keys beyond a limit that are gathered before they are sorted and cut.
  private static let slack = 1 << 16

  /// Takes more of what was found, in the order of keys.
  mutating func add(_ found: [ObjectKey], _ steps: ArraySlice<ResultStep>) throws {
    keys += found
    guard case .sort(let order)? = steps.first, case .limit(let count)? = steps.dropFirst().first else { return }
    if keys.count > count.multiplied(atMost: 2), keys.count - count > Self.slack {
      keys = Array(try sorted(keys, order).prefix(count))
    }
  }

  /// The final result for the objects that were found.
  mutating func result(of steps: ArraySlice<ResultStep>) throws -> [ObjectKey] {
    let foundAny = !keys.isEmpty
    for step in steps {
      switch step {
      case .limit(let count): keys = Array(keys.prefix(count))
      case .failure(let error): if foundAny { throw error }
      case .sort(let order): keys = try sorted(keys, order)
      case .distinct(let order): keys = try distinct(keys, order)
      }
    }
    return keys
  }

  // MARK: Order

  private func sorted(_ keys: [ObjectKey], _ order: [(key: OrderKey, isAscending: Bool)]) throws -> [ObjectKey] {
    let table = try OrderTable(keys, order.map(\.key), query, evaluator, check)
    var indexes = Array(keys.indices)
    var ticks = Ticks(check)
    try indexes.sort { left, right in
      try ticks.next()
      for (column, key) in order.enumerated() {
        switch (table.isNullLink(left, column), table.isNullLink(right, column)) {
        case (true, true): continue
        // A path that ends at a null link comes last.
        case (true, false): return !key.isAscending
        case (false, true): return key.isAscending
        case (false, false):
          let order = ValueOrder.compare(table.value(left, column), table.value(right, column))
          if order != 0 { return key.isAscending ? order < 0 : order > 0 }
        }
      }
      return left < right
    }
    return indexes.map { keys[$0] }
  }

  /// The first object of each combination of values; those after a null link are dropped.
  private func distinct(_ keys: [ObjectKey], _ order: [OrderKey]) throws -> [ObjectKey] {
    let table = try OrderTable(keys, order, query, evaluator, check)
    let columns = order.indices
    var indexes = keys.indices.filter { index in !columns.contains { table.isNullLink(index, $0) } }
    func compare(_ left: Int, _ right: Int) -> Int {
      for column in columns {
        let order = ValueOrder.compare(table.value(left, column), table.value(right, column))
        if order != 0 { return order }
      }
      return 0
    }
    var ticks = Ticks(check)
    try indexes.sort { left, right in
      try ticks.next()
      let order = compare(left, right)
      return order == 0 ? left < right : order < 0
    }
    var kept: [Int] = []
    for index in indexes {
      if let last = kept.last, compare(last, index) == 0 { continue }
      kept.append(index)
    }
    return kept.sorted().map { keys[$0] }
  }
}

/// Steps of work, at some of which a check is made.
struct Ticks {
  private let check: (() throws -> Void)?
  private var count = 0

  init(_ check: (() throws -> Void)?) { self.check = check }

  /// - Throws: what the check throws.
  @inline(__always)
  mutating func next() throws {
    count &+= 1
    if count & 0xfff == 0 { try check?() }
  }
}

/// The values that objects are ordered by.
private struct OrderTable {
  private let columnCount: Int
  private var values: ContiguousArray<ValueView> = []
  /// Whether the path to the value ends at a null link.
  private var nullLinks: ContiguousArray<Bool> = []
  /// Copies of strings whose pages may be evicted.
  private let keeper = ValueKeeper()

  init(
    _ keys: [ObjectKey], _ order: [OrderKey], _ query: Query, _ evaluator: Evaluator, _ check: (() throws -> Void)?
  ) throws {
    columnCount = order.count
    values.reserveCapacity(keys.count.multiplied(atMost: columnCount))
    nullLinks.reserveCapacity(keys.count.multiplied(atMost: columnCount))
    var batch: ObjectBatch?
    var ticks = Ticks(check)
    for key in keys {
      try ticks.next()
      if query.snapshot.holdsTooManyPages {
        evaluator.forgetPlaces()
        batch = nil
        try query.snapshot.releasePages()
      }
      var row = batch?.row(of: key)
      if row == nil, let found = try? query.table.object(key) { (batch, row) = (found.batch, found.row) }
      for column in order {
        var value: ValueView? = .null
        if let batch, let row {
          do { value = try Self.value(column, batch, row, evaluator) } catch {
            evaluator.note(error, batch, row, property: RealmString(column.text))
          }
        }
        nullLinks.append(value == nil)
        values.append(query.snapshot.isReadInPages ? keep(value ?? .null, evaluator) : value ?? .null)
      }
    }
  }

  private func keep(_ value: ValueView, _ evaluator: Evaluator) -> ValueView {
    switch value {
    case .string, .data:
      guard let owned = try? Value(value, evaluator.walk) else { return .null }
      return keeper.view(of: owned)
    default: return value
    }
  }

  /// Nil if a link on the way is null.
  private static func value(
    _ order: OrderKey, _ batch: ObjectBatch, _ row: Int, _ evaluator: Evaluator
  ) throws -> ValueView? {
    var place = (batch: batch, row: row)
    if order.hasLinks {
      guard let key = try order.path.onlyTarget(evaluator, batch, row) else { return nil }
      place = try order.path.object(key, evaluator)
    }
    let value = try evaluator.value(order.slot, ofProperty: order.property, place.batch, place.row)
    guard let key = order.key else { return value }
    guard case .dictionary(let dictionary) = value else { return .null }
    return try key.utf8.withUnsafeBytes { try dictionary.value(of: $0, evaluator.walk) } ?? .null
  }

  func value(_ index: Int, _ column: Int) -> ValueView { values[index * columnCount + column] }
  func isNullLink(_ index: Int, _ column: Int) -> Bool { nullLinks[index * columnCount + column] }
}
