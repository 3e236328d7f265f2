import RealmStorage

/// Operands of collections of values.
class SourceOperand: Operand, @unchecked Sendable {
  let source: CollectionSource

  init(_ source: CollectionSource, type: ValueType) {
    self.source = source
    super.init(type: type)
  }

  override var quantifier: Quantifier? { source.quantifier }
  override var label: RealmString { source.label }
}

/// A list or set of values, or one element of it.
final class CollectionOperand: SourceOperand, @unchecked Sendable {
  /// Which element.
  enum Element: Hashable, Sendable {
    /// All of them, as with `[*]`.
    case all
    case index(Int)
    case last
  }

  /// Nil for all, without `[*]`.
  private let element: Element?
  /// Behind the element, in lists of Mixed.
  private let rest: [NestedPath.Element]

  init(_ source: CollectionSource, element: Element?, rest: [NestedPath.Element] = []) {
    (self.element, self.rest) = (element, rest)
    super.init(source, type: ValueType(source.property.type))
  }

  /// Whether it is all elements.
  var isWhole: Bool { (element == nil || element == .all) && rest.isEmpty }

  override var hasManyValues: Bool { true }
  override var hasOneValue: Bool {
    guard let element, element != .all else { return false }
    return source.path.leadsToOne && NestedPath(rest).leadsToOne
  }
  override var text: String {
    switch element {
    case nil: source.text
    case .all: source.property.type == .mixed ? "\(source.text)[*]" : source.text
    case .index(let index): "\(source.text)[\(index == 0 ? "FIRST" : String(index))]"
    case .last: "\(source.text)[LAST]"
    }
  }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    let scratch = evaluator.groupScratch(source.groupSlot)
    guard rest.isEmpty else {
      return try scratch.next(&index, into: buffer) { groups in
        var path = NestedPath(rest)
        for collection in try source.collections(evaluator, batch, row).values {
          try elements(of: collection, evaluator, into: buffer)
          for value in buffer.values { try path.collect(from: value, evaluator, into: &groups) }
        }
      }
    }
    let collection = try scratch.next(&index) { try source.collections(evaluator, batch, row).values }
    try elements(of: collection ?? .null, evaluator, into: buffer)
  }

  private func elements(of value: ValueView, _ evaluator: Evaluator, into buffer: ValueBuffer) throws {
    buffer.setEmptyList()
    guard let list = value.listView, !list.isNull else { return }
    guard let element, element != .all else {
      let visit: (ValueView) -> Void = { buffer.values.append($0) }
      if case .set = value {
        try list.forEachOfSet(evaluator.walk, damaged: { throw $0 }, visit: visit)
      } else {
        try list.forEach(evaluator.walk, damaged: { throw $0 }, visit: visit)
      }
      return
    }
    let count = try list.count(in: evaluator.snapshot)
    guard count > 0 else { return }
    let position =
      switch element {
      case .index(let index): index
      case .last, .all: count - 1
      }
    guard position < count else { return buffer.values.append(.null) }
    switch list.elements(at: position..<position + 1, in: evaluator.snapshot).first {
    case .value(let value): buffer.values.append(value)
    case .damaged(let error): throw error
    default: buffer.values.append(.null)
    }
  }
}

/// A property that is a collection, of the object or of those it leads to.
struct CollectionSource: Sendable {
  let path: LinkPath
  let propertyIndex: Int
  let columnSlot: Int
  let groupSlot: Int
  let quantifier: Quantifier?

  var property: Property { path.target.schema.properties[propertyIndex] }
  var text: String { quantifier.prefix + path.text(followedBy: property.name) }
  var label: RealmString { path.label ?? property.name }

  /// The collections, and whether they are those of several objects. Null stands for one that a null link leads to.
  func collections(_ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int) throws -> (
    values: ContiguousArray<ValueView>, areMany: Bool
  ) {
    if path.steps.isEmpty { return ([try evaluator.value(columnSlot, ofProperty: propertyIndex, batch, row)], false) }
    if path.isUnary {
      guard let key = try path.onlyTarget(evaluator, batch, row) else { return ([.null], false) }
      return ([try collection(of: key, evaluator)], false)
    }
    var values: ContiguousArray<ValueView> = []
    try path.forEachTarget(evaluator, batch, row) { key in
      values.append(try collection(of: key, evaluator))
      return true
    }
    return (values, true)
  }

  /// One value for each of the collections.
  func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, into buffer: ValueBuffer,
    _ result: (ValueView) throws -> ValueView
  ) throws {
    let (collections, areMany) = try collections(evaluator, batch, row)
    buffer.setEmptyList()
    buffer.isList = areMany
    for collection in collections { buffer.values.append(try result(collection)) }
  }

  private func collection(of key: ObjectKey, _ evaluator: Evaluator) throws -> ValueView {
    let place = try path.object(key, evaluator)
    return try evaluator.value(columnSlot, ofProperty: propertyIndex, place.batch, place.row)
  }
}

/// `.@count` of collections of values.
final class CollectionCountOperand: SourceOperand, @unchecked Sendable {
  init(_ source: CollectionSource) { super.init(source, type: .int) }

  override var quantifier: Quantifier? { nil }
  override var hasOneValue: Bool { source.path.leadsToOne }
  override var text: String { source.text + ".@size" }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    try source.evaluate(evaluator, batch, row, into: buffer) { .int(try $0.elementCount(evaluator)) }
  }
}

extension ValueView {
  /// How many elements a collection has; 0 for everything else.
  func elementCount(_ evaluator: Evaluator) throws -> Int64 {
    switch self {
    case .list(let list), .set(let list): Int64(try list.count(in: evaluator.snapshot))
    case .dictionary(let dictionary): Int64(try dictionary.count(in: evaluator.snapshot))
    default: 0
    }
  }
}

/// `list.length`: bytes of each text or data in lists.
final class ElementLengthOperand: SourceOperand, @unchecked Sendable {
  init(_ source: CollectionSource) { super.init(source, type: .int) }

  override var hasManyValues: Bool { true }
  override var text: String { source.text + ".length" }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    let (collections, _) = try source.collections(evaluator, batch, row)
    let isMixed = source.property.type == .mixed
    buffer.setEmptyList()
    for collection in collections {
      guard let list = collection.listView else { continue }
      try list.forEach(evaluator.walk, damaged: { throw $0 }) { value in
        switch value {
        case .string(let bytes), .data(let bytes): buffer.values.append(.int(Int64(bytes.count)))
        default: if !isMixed { buffer.values.append(.int(0)) }
        }
      }
    }
  }
}

/// An operand that is one number for each object, and computed for those of a batch together.
protocol CountingOperand: Operand {
  /// Adds the numbers of some objects to `counts`. Rows for which that cannot be known are noted in the evaluator.
  func addCounts(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask, to counts: UnsafeMutableBufferPointer<Int64>)
  /// About how many nanoseconds that takes for each object.
  var countingCost: Int { get }
  /// Whether the numbers are those of links that are stored with the objects.
  var countsStored: Bool { get }
}

extension CountingOperand {
  /// Adds the numbers of links that come in through properties.
  fileprivate func addBacklinkCounts(
    through places: some Sequence<Int>, _ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask,
    to counts: UnsafeMutableBufferPointer<Int64>
  ) {
    var rest = among
    for place in places {
      var bad = RowMask()
      evaluator.snapshot.addBacklinkCounts(of: batch, index: place, to: counts, among: rest) { row, error in
        evaluator.note(error, batch, row, property: label)
        bad.insert(row)
      }
      rest = rest.subtracting(bad)
    }
  }
}

/// `.@count` of links.
final class LinkCountOperand: Operand, CountingOperand, @unchecked Sendable {
  /// To the objects whose links are counted.
  let path: LinkPath
  /// What is counted if the path has several links: the targets of the last one, for each object before it.
  private let last: LinkPath.Step?

  init(_ path: LinkPath) {
    if path.steps.count > 1 {
      self.path = path.droppingLast
      last = path.steps.last
    } else {
      self.path = path
      last = nil
    }
    super.init(type: .int)
  }

  /// The collection property whose elements are counted, where it is of the object itself.
  var directCollection: Int? {
    guard last == nil, path.steps.count == 1, path.steps[0].selector == .all else { return nil }
    return switch path.steps[0].kind {
    case .list(let property), .set(let property): property
    default: nil
    }
  }

  /// The incoming links that are counted, where they are those of the object itself.
  private var directBacklinks: Int? {
    guard last == nil, let only = path.steps.first, path.steps.count == 1, case .backlinks(let place) = only.kind,
      only.selector == .all
    else { return nil }
    return place
  }
  var countsStored: Bool { directBacklinks != nil }

  var countingCost: Int { 40 }

  func addCounts(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask, to counts: UnsafeMutableBufferPointer<Int64>
  ) {
    addBacklinkCounts(through: CollectionOfOne(directBacklinks ?? 0), evaluator, batch, among, to: counts)
  }

  override var hasOneValue: Bool { last == nil || path.leadsToOne }
  override var text: String { path.text + (last.map { "." + $0.name } ?? "") + ".@count" }
  override var label: RealmString { path.label ?? "" }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    guard let last else {
      if let place = directBacklinks {
        return buffer.setSingle(.int(Int64(try evaluator.snapshot.backlinks(to: batch, row: row, index: place).count)))
      }
      var count: Int64 = 0
      try path.forEachTarget(evaluator, batch, row) { _ in
        count += 1
        return true
      }
      return buffer.setSingle(.int(count))
    }
    buffer.setEmptyList()
    try path.forEachTarget(evaluator, batch, row) { key in
      let place = try path.object(key, evaluator)
      buffer.values.append(.int(try count(of: last, evaluator, place.batch, place.row)))
      return true
    }
  }

  private func count(_ evaluator: Evaluator, _ step: LinkPath.Step, _ value: ValueView) throws -> Int64 {
    if case .link = value { return 1 }
    return try value.elementCount(evaluator)
  }

  private func count(of step: LinkPath.Step, _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int) throws -> Int64 {
    switch step.kind {
    case .link(let property), .list(let property), .set(let property), .dictionary(let property):
      try count(evaluator, step, evaluator.value(step.columnSlot, ofProperty: property, batch, row))
    case .backlinks(let place):
      Int64(try evaluator.snapshot.backlinks(to: batch, row: row, index: place).count)
    }
  }
}

/// `@links.@count`: incoming links of every kind.
final class BacklinkCountOperand: Operand, CountingOperand, @unchecked Sendable {
  private let path: LinkPath
  /// Properties that can link to objects at the end of the path.
  private let linkCount: Int

  init(_ path: LinkPath, in snapshot: Snapshot) {
    self.path = path
    linkCount = snapshot.incomingLinks(to: path.target).count
    super.init(type: .int)
  }

  override var isAlwaysSingle: Bool { true }
  override var text: String { (path.steps.isEmpty ? "" : path.text + ".") + "@links.@count" }
  override var label: RealmString { path.label ?? "@links" }

  var countsStored: Bool { path.steps.isEmpty }

  var countingCost: Int { 100 }

  func addCounts(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask, to counts: UnsafeMutableBufferPointer<Int64>
  ) {
    addBacklinkCounts(through: 0..<linkCount, evaluator, batch, among, to: counts)
  }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    var count = 0
    func add(_ batch: ObjectBatch, _ row: Int, _ ways: Int) throws {
      for group in evaluator.snapshot.backlinks(to: batch, row: row) {
        count = count.clampedSum(try group.get().count.multiplied(atMost: ways))
      }
    }
    if path.steps.isEmpty {
      try add(batch, row, 1)
    } else {
      try path.forEachWeighedTarget(evaluator, batch, row) { key, ways in
        let place = try path.object(key, evaluator)
        try add(place.batch, place.row, ways)
        return true
      }
    }
    buffer.setSingle(.int(Int64(count)))
  }
}

/// `SUBQUERY(path, $x, condition).@count`.
final class SubqueryCountOperand: Operand, CountingOperand, @unchecked Sendable {
  private let path: LinkPath
  private let condition: Condition
  private let answerSlot: Int

  init(_ path: LinkPath, _ condition: Condition, answerSlot: Int) {
    (self.path, self.condition, self.answerSlot) = (path, condition, answerSlot)
    super.init(type: .int)
  }

  override var isAlwaysSingle: Bool { true }
  override var text: String { "SUBQUERY(\(path.text), $x, ).@count" }
  override var label: RealmString { path.label ?? "" }

  var countingCost: Int { 500 }
  var countsStored: Bool { false }

  func addCounts(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask, to counts: UnsafeMutableBufferPointer<Int64>
  ) {
    let label = label
    guard path.steps.count == 1, path.steps[0].selector == .all, path.steps[0].isListOrSet,
      let property = path.steps[0].property
    else {
      among.forEach { row in
        do { counts[row] += try count(evaluator, batch, row) } catch {
          evaluator.note(error, batch, row, property: label)
        }
      }
      return
    }
    let (cache, target) = (evaluator.answerCache(answerSlot, of: path.target), path.target)
    do {
      try batch.values(ofProperty: property).forEachLink(among: among, evaluator.walk) { row, error in
        evaluator.note(error, batch, row, property: label)
      } _: { row, key in
        guard let holds = try cache.answer(condition, target, key, evaluator) else {
          throw target.danglingLink(to: key)
        }
        if holds { counts[row] += 1 }
        return true
      }
    } catch { among.forEach { evaluator.note(error, batch, $0, property: label) } }
  }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    buffer.setSingle(.int(try count(evaluator, batch, row)))
  }

  private func count(_ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int) throws -> Int64 {
    var count = 0
    let (cache, target) = (evaluator.answerCache(answerSlot, of: path.target), path.target)
    try path.forEachWeighedTarget(evaluator, batch, row) { key, ways in
      guard let holds = try cache.answer(condition, target, key, evaluator) else {
        throw target.danglingLink(to: key)
      }
      if holds { count = count.clampedSum(ways) }
      return true
    }
    return Int64(count)
  }
}

/// A function of each value of another operand.
class MappedOperand: Operand, @unchecked Sendable {
  fileprivate let inner: Operand

  fileprivate init(_ inner: Operand, type: ValueType) {
    self.inner = inner
    super.init(type: type)
  }

  override var hasOneValue: Bool { inner.hasOneValue }
  override var label: RealmString { inner.label }

  fileprivate func result(of value: ValueView, _ evaluator: Evaluator) throws -> ValueView { value }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    try inner.evaluate(evaluator, batch, row, &index, into: buffer)
    for position in buffer.values.indices {
      buffer.values[position] = try result(of: buffer.values[position], evaluator)
    }
  }
}

/// `.@size` and `.@count` of texts, data and Mixed values.
final class SizeOperand: MappedOperand, @unchecked Sendable {
  private let dialect: Dialect

  init(_ inner: Operand, _ dialect: Dialect) {
    self.dialect = dialect
    super.init(inner, type: .int)
  }

  /// What is measured, where it is a property of texts or data.
  var bytesProperty: PropertyOperand? {
    inner.type == .string || inner.type == .data ? inner as? PropertyOperand : nil
  }

  /// The reference forgets it.
  override var quantifier: Quantifier? { dialect == .reference ? nil : inner.quantifier }
  override var text: String { inner.text + ".@size" }

  override fileprivate func result(of value: ValueView, _ evaluator: Evaluator) throws -> ValueView {
    switch value {
    case .string(let bytes), .data(let bytes): .int(Int64(bytes.count))
    case .list, .set, .dictionary: .int(try value.elementCount(evaluator))
    default: .null
    }
  }
}

/// `.@type`.
final class TypeOperand: MappedOperand, @unchecked Sendable {
  init(_ inner: Operand) { super.init(inner, type: .typeOfValue) }

  override var quantifier: Quantifier? { inner.quantifier }
  override var text: String { inner.text + ".@type" }

  override fileprivate func result(of value: ValueView, _ evaluator: Evaluator) -> ValueView {
    .int(TypeSet(value).rawValue)
  }
}
