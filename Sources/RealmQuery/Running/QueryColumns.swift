import RealmStorage

/// Key paths as columns: for each object a value for each of them.
///
/// ```swift
/// let columns = try QueryColumns(["name", "boss.name", "dogs.@count"], of: table, in: snapshot)
/// let reader = columns.reader()
/// let values = try reader.values(of: batch, row: row)
/// ```
package struct QueryColumns: Sendable {
  package let table: Table
  private let snapshot: Snapshot
  private let operands: [Operand]
  private let slots: SlotCounts
  /// As they were written.
  package let names: [String]

  /// - Parameter paths: as `RQL.parseKeyPath` reads them.
  /// - Throws: `QueryError`; its range is one of the path that is wrong.
  package init(
    _ paths: [String], of table: Table, in snapshot: Snapshot, dialect: Dialect = .standard,
    inverses: InverseNames = InverseNames()
  ) throws {
    let binder = Binder(snapshot, table, [], dialect, inverses)
    operands = try paths.map { try binder.operand(RQL.parseKeyPath($0, dialect: dialect)) }
    names = paths
    slots = binder.slots
    (self.table, self.snapshot) = (table, snapshot)
  }

  /// Whether a column can have several values for an object, which come as a list.
  package func isList(_ column: Int) -> Bool { !operands[column].hasOneValue }

  /// What the values of a column are, as far as it is known.
  func valueType(_ column: Int) -> ValueType {
    switch operands[column] {
    case let dictionary as DictionaryOperand where dictionary.isWhole: ValueType(dictionary.source.property.type)
    case let aggregate as CollectionAggregateOperand: aggregate.resultType
    case let operand: operand.type
    }
  }

  /// For one thread.
  ///
  /// - Parameter check: called now and then, also while one object is looked at. What it throws ends the work.
  package func reader(check: (@Sendable () throws -> Void)? = nil) -> Reader {
    Reader(operands, Evaluator(snapshot, slots, check: check))
  }

  /// Reads values; an instance belongs to one thread.
  package final class Reader {
    private let operands: [Operand]
    private let evaluator: Evaluator
    private let buffer = ValueBuffer()

    init(_ operands: [Operand], _ evaluator: Evaluator) { (self.operands, self.evaluator) = (operands, evaluator) }

    /// The values of all columns for one object, null in place of those that cannot be read; lists for paths that lead
    /// to several values, and for collections.
    ///
    /// - Parameter count: columns at the beginning whose repeated values may come once.
    /// - Throws: `QueryError` if a path leads to too many values.
    package func values(of batch: ObjectBatch, row: Int, distinct count: Int = 0) throws -> [Value] {
      let values = operands.enumerated().map { index, operand -> Value in
        do {
          let found = try evaluator.distinctly(index < count) { try value(operand, batch, row) }
          if index < count, case .list(let keys) = found, let links = operand as? LinkOperand,
            try links.hasNullEntry(evaluator, batch, row)
          {
            return .list(keys + [.null])
          }
          return found
        } catch {
          evaluator.note(error, batch, row, property: operand.label)
          return .null
        }
      }
      try evaluator.checkBounds()
      return values
    }

    private func value(_ operand: Operand, _ batch: ObjectBatch, _ row: Int) throws -> Value {
      var index = GroupIndex()
      var all: [Value] = []
      var isList = false
      repeat {
        try operand.evaluate(evaluator, batch, row, &index, into: buffer)
        for view in buffer.values {
          if operand.type == .typeOfValue, case .int(let bits) = view {
            all.append(.string(RealmString(TypeSet(rawValue: bits).text)))
          } else {
            all.append(try Value(view, evaluator.walk))
          }
        }
        isList = isList || buffer.isList
      } while index.hasMore
      if operand.hasOneValue { return all.first ?? .null }
      // In conditions, a dictionary that never had an entry is null.
      if operand is DictionaryKeysOperand, !isList { return .list([]) }
      return isList ? .list(all) : all.first ?? .null
    }

    /// What could not be read since the last call.
    package func takeDamage() -> DamageReport { evaluator.takeDamage() }

    /// Forgets all places in the file, whose bytes are about to be released.
    package func forgetPlaces() { evaluator.forgetPlaces() }
  }
}
