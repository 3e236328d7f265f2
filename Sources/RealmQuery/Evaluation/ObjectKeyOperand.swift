import RealmStorage

/// The key of the object itself, or of those that links lead to: `_key`, as `export` writes it. No engine has it.
final class ObjectKeyOperand: Operand, @unchecked Sendable {
  let path: LinkPath
  private let pathQuantifier: Quantifier?

  init(_ path: LinkPath, quantifier: Quantifier?) {
    self.path = path
    pathQuantifier = quantifier
    super.init(type: .int)
  }

  override var quantifier: Quantifier? { pathQuantifier }
  override var hasManyValues: Bool { !path.isUnary }
  override var isAlwaysSingle: Bool { path.isUnary }
  override var hasOneValue: Bool { path.leadsToOne }
  override var text: String { pathQuantifier.prefix + path.text(followedBy: path.target.schema.objectKeyMember) }
  override var label: RealmString { path.label ?? path.target.schema.objectKeyMember }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    if path.steps.isEmpty {
      buffer.setSingle(.int(batch.key(at: row).rawValue))
    } else if path.isUnary {
      buffer.setSingle(try path.onlyTarget(evaluator, batch, row).map { .int($0.rawValue) } ?? .null)
    } else {
      buffer.setEmptyList()
      try path.forEachTarget(evaluator, batch, row) { key in
        buffer.values.append(.int(key.rawValue))
        return true
      }
    }
  }
}

/// Object keys that equal one of some numbers: the objects are looked up.
final class ObjectKeyCondition: Condition, @unchecked Sendable {
  private let comparison: Condition
  private let use: IndexUse

  /// - Parameters:
  ///   - comparison: the same, object by object.
  ///   - numbers: keys of the class at the end of the path.
  init(_ comparison: Condition, _ path: LinkPath, _ numbers: [Int64]) {
    self.comparison = comparison
    let objects = IndexUse.objects(numbers.filter { $0 >= 0 }.map { ObjectKey(rawValue: $0) })
    use = path.steps.isEmpty ? objects : .linked(path, objects)
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    comparison.rows(evaluator, batch, among)
  }

  override var cost: Int { comparison.cost }
  override var indexUse: IndexUse? { use }
  override var explanation: String { comparison.explanation }
}
