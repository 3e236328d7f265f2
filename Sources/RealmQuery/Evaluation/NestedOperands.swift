import RealmStorage

/// The rest of a key path inside a dictionary or a Mixed value.
struct NestedPath: Sendable {
  /// A step of it.
  enum Element: Hashable, Sendable {
    case key(RealmString)
    case index(Int)
    case last
    case all

    /// As messages show it.
    var text: String {
      switch self {
      case .key(let key): "['\(key)']"
      case .index(let index): index == 0 ? "[FIRST]" : "[\(index)]"
      case .last: "[LAST]"
      case .all: "[*]"
      }
    }
  }

  let elements: [Element]
  /// Whether keys of a dictionary were taken, so that the values are a list.
  private(set) var foundKeys = false

  init(_ elements: [Element]) { self.elements = elements }

  /// Whether the path can lead to several values.
  var hasAll: Bool { elements.contains(.all) }

  /// Whether the path leads to one value at most.
  var leadsToOne: Bool { !hasAll && !elements.contains(.key("@keys")) }

  /// Adds a group of values for each collection or object that the last step is taken from.
  ///
  /// - Throws: `StorageError` if something cannot be read.
  mutating func collect(
    from value: ValueView, _ evaluator: Evaluator, into groups: inout [ContiguousArray<ValueView>]
  ) throws {
    try collect(0, value, evaluator, &groups)
  }

  private mutating func collect(
    _ index: Int, _ value: ValueView, _ evaluator: Evaluator, _ groups: inout [ContiguousArray<ValueView>]
  ) throws {
    let isEnd = index == elements.count - 1
    if isEnd { groups.append([]) }
    switch (value, elements[index]) {
    case (.dictionary(let dictionary), .key(let key)):
      guard try dictionary.count(in: evaluator.snapshot) > 0 else { return }
      if let found = try key.utf8.withUnsafeBytes({ try dictionary.value(of: $0, evaluator.walk) }) {
        return try take(found.withTypedLink, index, isEnd, evaluator, &groups)
      }
      if key == "@keys", isEnd {
        foundKeys = true
        var keys: ContiguousArray<ValueView> = []
        try dictionary.forEach(evaluator.walk, damaged: { throw $0 }) { key, _ in keys.append(.string(key)) }
        groups[groups.count - 1] = keys
      } else if isEnd {
        groups[groups.count - 1].append(.null)
      }
    case (.dictionary(let dictionary), .all):
      var values: ContiguousArray<ValueView> = []
      try dictionary.forEach(evaluator.walk, damaged: { throw $0 }) { _, value in values.append(value.withTypedLink) }
      for value in values { try take(value, index, isEnd, evaluator, &groups) }
    case (.list(let list), .all):
      var values: ContiguousArray<ValueView> = []
      try list.forEach(evaluator.walk, damaged: { throw $0 }) { values.append($0) }
      for value in values { try take(value, index, isEnd, evaluator, &groups) }
    case (.list(let list), .index), (.list(let list), .last):
      let count = try list.count(in: evaluator.snapshot)
      let position = if case .index(let position) = elements[index] { position } else { count - 1 }
      guard position >= 0, position < count else { return }
      switch list.elements(at: position..<position + 1, in: evaluator.snapshot).first {
      case .value(let value): try take(value, index, isEnd, evaluator, &groups)
      case .damaged(let error): throw error
      default: return
      }
    case (.typedLink(let table, let key), .key(let name)), (.link(let table, let key), .key(let name)):
      guard let table = evaluator.snapshot.table(table), key.rawValue >= 0 else { return }
      guard let found = try table.object(key) else { throw table.danglingLink(to: key) }
      guard let property = table.schema.properties.firstIndex(where: { $0.name == name }) else { return }
      let value = try found.batch.values(ofProperty: property).value(at: found.row)
      try take(isEnd ? value : value.withTypedLink, index, isEnd, evaluator, &groups)
    default: return
    }
  }

  private mutating func take(
    _ value: ValueView, _ index: Int, _ isEnd: Bool, _ evaluator: Evaluator,
    _ groups: inout [ContiguousArray<ValueView>]
  ) throws {
    if isEnd {
      groups[groups.count - 1].append(value)
    } else {
      try collect(index + 1, value, evaluator, &groups)
    }
  }
}

extension ValueView {
  /// Dictionaries name the tables of their links, as Mixed values do.
  var withTypedLink: ValueView { if case .link(let table, let key) = self { .typedLink(table, key) } else { self } }
}

/// What is inside a Mixed property.
final class MixedPathOperand: Operand, @unchecked Sendable {
  private let inner: PropertyOperand
  private let path: NestedPath
  private let groupSlot: Int

  init(_ inner: PropertyOperand, _ path: NestedPath, groupSlot: Int) {
    (self.inner, self.path, self.groupSlot) = (inner, path, groupSlot)
    super.init(type: .mixed)
  }

  override var quantifier: Quantifier? { inner.quantifier }
  override var hasManyValues: Bool { inner.hasManyValues }
  override var hasOneValue: Bool { inner.hasOneValue && path.leadsToOne }
  override var text: String { inner.text + path.elements.map(\.text).joined() }
  override var label: RealmString { inner.label }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    try evaluator.groupScratch(groupSlot).next(&index, into: buffer) { groups in
      var path = path
      var own = GroupIndex()
      try inner.evaluate(evaluator, batch, row, &own, into: buffer)
      for value in buffer.values { try path.collect(from: value, evaluator, into: &groups) }
    }
  }
}

/// The values of a dictionary, or one of them, or what is inside.
final class DictionaryOperand: SourceOperand, @unchecked Sendable {
  private let path: NestedPath
  /// Whether it is all values of the dictionary.
  let isWhole: Bool

  /// - Parameter path: empty for all values.
  init(_ source: CollectionSource, _ path: [NestedPath.Element]) {
    isWhole = path.isEmpty
    self.path = NestedPath(path.isEmpty ? [.all] : path)
    super.init(source, type: .mixed)
  }

  override var hasManyValues: Bool { true }
  override var hasOneValue: Bool { source.path.leadsToOne && path.leadsToOne }
  override var text: String { source.text + path.elements.map(\.text).joined() }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    let scratch = evaluator.groupScratch(source.groupSlot)
    try scratch.next(&index, into: buffer) { groups in
      var path = path
      let (collections, areMany) = try source.collections(evaluator, batch, row)
      for collection in collections {
        if case .dictionary(let dictionary) = collection, !dictionary.isNull || areMany || !source.path.steps.isEmpty {
          try path.collect(from: collection, evaluator, into: &groups)
        }
      }
      scratch.areLists = path.hasAll || path.foundKeys || areMany
    }
  }
}

/// `dictionary.@keys`.
final class DictionaryKeysOperand: SourceOperand, @unchecked Sendable {
  init(_ source: CollectionSource) { super.init(source, type: .string) }

  override var text: String { source.text + ".@keys" }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    let collection = try evaluator.groupScratch(source.groupSlot).next(&index) {
      var collections = try source.collections(evaluator, batch, row).values
      // A null link leads to no dictionary.
      if !source.path.steps.isEmpty { collections.removeAll { $0.isNull } }
      return collections
    }
    guard case .dictionary(let dictionary)? = collection else { return buffer.setEmptyList() }
    // In the reference, one that never had an entry counts as null, not as an empty list.
    if dictionary.isNull, source.path.steps.isEmpty { return buffer.setSingle(.null) }
    buffer.setEmptyList()
    try dictionary.forEach(evaluator.walk, damaged: { throw $0 }) { key, _ in buffer.values.append(.string(key)) }
  }
}
