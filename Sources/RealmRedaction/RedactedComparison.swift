import RealmExchange
import RealmStorage
import RealmSystem

/// Compares a redacted copy with what the rules make of its source, value by value.
final class RedactedComparison: @unchecked Sendable {
  let source: Snapshot
  let copy: Snapshot
  let selection: RebuildSelection
  let redaction: Redaction
  let keys: [TableKey: DerivedKeys]
  /// What was found in the copy and may be part of a value that belongs there.
  private let found: BytePatterns
  private let compares: Bool
  private let format: TargetFormat

  private struct Results {
    /// Matches in names.
    var names: Set<UInt64> = []
    /// Matches in values, by table and property.
    var values: [TableKey: [Int: Set<UInt64>]] = [:]
    var rules: [TableKey: [Int: (objects: Int, changed: Int)]] = [:]
    /// Of the primary keys of the current table, if they change.
    var primaryKeys: [UInt64] = []
    var nullKeyCount = 0
  }

  private let results = Locked(Results())

  init(
    _ source: Snapshot, _ copy: Snapshot, _ selection: RebuildSelection, _ redaction: Redaction,
    _ keys: [TableKey: DerivedKeys], found: BytePatterns, compares: Bool, format: TargetFormat
  ) {
    (self.source, self.copy, self.selection, self.redaction) = (source, copy, selection, redaction)
    (self.keys, self.found, self.compares, self.format) = (keys, found, compares, format)
  }

  /// The fingerprints of matches that are part of a value that belongs there, or of a name.
  var explained: Set<UInt64> {
    results.withLock { results in
      results.values.values.reduce(into: results.names) { all, table in
        for property in table.values { all.formUnion(property) }
      }
    }
  }

  /// The fingerprints of matches that are part of no value that belongs there.
  var unexplained: Set<UInt64> { Set(found.whole.all).subtracting(explained) }

  /// - Throws: `RedactionError`; `StorageError`.
  func run(threadCount: Int) throws -> RedactionAccount {
    guard source.tables.allSatisfy({ !$0.schema.isClass || !selection.tables.contains($0.key) || isThere($0) }) else {
      throw RedactionError.differs(className: "schema", property: nil)
    }
    explainNames()
    for table in source.tables where selection.tables.contains(table.key) {
      guard let twin = copy.table(table.key) else { continue }
      if compares {
        let expected = try selection.objects[table.key]?.count ?? table.objectCount()
        let hasVersion = table.schema.name == "metadata"
        guard try hasVersion || twin.objectCount() == expected else { throw differs(table, nil) }
      }
      guard table.schema.isClass || found.count > 0 else { continue }
      try compare(table, twin, threadCount)
      try requireDifferentKeys(table)
    }
    return account
  }

  private func isThere(_ table: Table) -> Bool {
    guard let twin = copy.table(table.key) else { return false }
    let expected = redaction.renamed(selection.schema(of: table.schema, table.key, in: format))
    return Self.withoutIndexes(twin.schema) == Self.withoutIndexes(expected) || !compares
  }

  /// Formats differ in the indexes that primary keys have; the checker looks at those that are there.
  private static func withoutIndexes(_ schema: TableSchema) -> TableSchema {
    var schema = schema
    for index in schema.properties.indices { schema.properties[index].index = .none }
    return schema
  }

  private func differs(_ table: Table, _ property: Property?) -> RedactionError {
    .differs(className: table.schema.displayName, property: property?.name)
  }

  /// Names of classes and properties, and those in the file's own tables, are in the copy by right.
  private func explainNames() {
    guard found.count > 0 else { return }
    let kept = source.tables.filter { selection.tables.contains($0.key) }
    for table in kept {
      let schema = redaction.renamed(selection.schema(of: table.schema, table.key, in: format))
      for name in [schema.name] + schema.properties.map(\.name) { name.utf8.withUnsafeBytes(explain) }
    }
    for name in ["metadata", "class_metadata", "version", "pk"] { Array(name.utf8).withUnsafeBytes(explain) }
  }

  private func explain(_ bytes: UnsafeRawBufferPointer) {
    found.scan(bytes) { _, fingerprint in _ = results.withLock { $0.names.insert(fingerprint) } }
  }

  // MARK: Objects

  private func compare(_ table: Table, _ twin: Table, _ threadCount: Int) throws {
    let pieces = try ContentPieces(table, by: nil)
    let (source, copy) = (source, copy)
    let pause = OrderedPipeline<ContentPieces.Piece>.Pause(
      isNeeded: { source.holdsTooManyPages || copy.holdsTooManyPages },
      body: {
        try source.releasePages()
        try copy.releasePages()
        try pieces.restorePlaces()
      })
    let isSmall = try table.objectCount() < 2000
    let pipeline = OrderedPipeline(threadCount: isSmall ? 1 : threadCount, pause: pause) { try pieces.next() }
    try pipeline.run {
      let worker = ComparisonWorker(
        self.source, self.copy, self.selection, self.redaction, self.keys, self.found, compares: self.compares)
      return { piece, _ in
        guard case .batches(let batches) = piece.content else { return }
        for batch in batches { try worker.compare(batch, with: twin) }
        self.results.withLock { results in
          worker.moveResults(&results.values[table.key, default: [:]], &results.rules, table)
          worker.moveKeys(&results.primaryKeys, &results.nullKeyCount)
        }
      }
    }
  }

  /// Hashes of different keys are different, as good as certainly; here it is seen.
  private func requireDifferentKeys(_ table: Table) throws {
    let (keys, nullCount) = results.withLock { results in
      defer { (results.primaryKeys, results.nullKeyCount) = ([], 0) }
      return (results.primaryKeys, results.nullKeyCount)
    }
    guard nullCount <= 1, FingerprintSet.areDifferent(keys) else {
      throw RedactionError.equalPrimaryKeys(className: redaction.renamed(table.schema).displayName)
    }
  }

  // MARK: Account

  private var account: RedactionAccount {
    let (names, values, counts) = results.withLock { ($0.names, $0.values, $0.rules) }
    var account = RedactionAccount()
    if !names.isEmpty {
      account.remainders.append(.init(className: nil, property: nil, action: .keep, count: names.count))
    }
    for table in source.tables where selection.tables.contains(table.key) {
      for (index, property) in table.schema.properties.enumerated() {
        if let found = values[table.key]?[index], !found.isEmpty {
          let rule = redaction.rule(ofProperty: index, of: table)
          account.remainders.append(
            .init(
              className: table.schema.displayName, property: property.name, action: rule?.action ?? .keep,
              keepsSome: rule.map { $0.objects != nil || $0.keepsKeys } ?? false, count: found.count))
        }
        guard let rule = redaction.rule(ofProperty: index, of: table) else { continue }
        let count = counts[table.key]?[index] ?? (0, 0)
        account.rules.append(
          RedactionAccount.Rule(
            className: table.schema.displayName, property: property.name, action: rule.action,
            objectCount: count.objects, changedCount: count.changed))
      }
    }
    return account
  }
}

/// Compares the objects of batches, on one thread.
private final class ComparisonWorker {
  private let source: Snapshot
  private let copy: Snapshot
  private let selection: RebuildSelection
  private let redaction: Redaction
  private let keys: [TableKey: DerivedKeys]
  private let found: BytePatterns
  private let compares: Bool
  private let sourceWalk: CollectionWalk
  private let copyWalk: CollectionWalk

  private let searches: Bool
  private let renumbers: Bool

  /// The matches, by the property that they are part of.
  private var explained: [Int: Set<UInt64>] = [:]
  private var explainedNow: Set<UInt64> = []
  private var counts: [Int: (objects: Int, changed: Int)] = [:]
  private var redactors: [TableKey: [ValueRedactor?]] = [:]
  private var primaryKeys: [UInt64] = []
  private var nullKeyCount = 0

  // Of the value at hand.
  private var redactor: ValueRedactor?
  private var object = noKey
  /// Whether a part of it has become another one.
  private var hasChanged = false
  /// Provides what replaces the values of one property of a batch.
  private let arena = ByteArena()

  init(
    _ source: Snapshot, _ copy: Snapshot, _ selection: RebuildSelection, _ redaction: Redaction,
    _ keys: [TableKey: DerivedKeys], _ found: BytePatterns, compares: Bool
  ) {
    (self.source, self.copy, self.selection, self.redaction) = (source, copy, selection, redaction)
    (self.keys, self.found, self.compares) = (keys, found, compares)
    (searches, renumbers) = (found.count > 0, !keys.isEmpty)
    var walk = source.collectionWalk(passes: 3)
    walk.showsTombstones = true
    sourceWalk = walk
    walk = copy.collectionWalk(passes: 3)
    walk.showsTombstones = true
    copyWalk = walk
  }

  func moveResults(
    _ explained: inout [Int: Set<UInt64>], _ rules: inout [TableKey: [Int: (objects: Int, changed: Int)]],
    _ table: Table
  ) {
    for (index, found) in self.explained { explained[index, default: []].formUnion(found) }
    self.explained = [:]
    for (index, count) in counts {
      let sum = rules[table.key]?[index] ?? (0, 0)
      rules[table.key, default: [:]][index] = (sum.objects + count.objects, sum.changed + count.changed)
    }
    counts = [:]
  }

  func moveKeys(_ keys: inout [UInt64], _ nullCount: inout Int) {
    keys += primaryKeys
    nullCount += nullKeyCount
    primaryKeys.removeAll(keepingCapacity: true)
    nullKeyCount = 0
  }

  func compare(_ batch: ObjectBatch, with twin: Table) throws {
    let table = batch.table
    let wanted = selection.objects[table.key]
    let rows = (0..<batch.count).filter { wanted?.contains(batch.key(at: $0)) ?? true }
    guard !rows.isEmpty else { return }
    let leftOut = selection.leftOutProperties[table.key] ?? []
    let properties = table.schema.properties.indices.filter { !leftOut.contains($0) }
    let isWhole = rows.count == batch.count
    // Objects that are renumbered lie in another order.
    let aligned = try compares && isWhole && keys[table.key] == nil ? batchLike(batch, in: twin) : nil
    let places = try compares && aligned == nil ? rows.map { try place(of: batch.key(at: $0), table, in: twin) } : []
    let primaryKey = selection.primaryKeyIndex(of: table)
    for (position, index) in properties.enumerated() {
      let property = table.schema.properties[index]
      let rule = redaction.rule(ofProperty: index, of: table)
      redactor = redactor(index, of: table)
      if redactor == nil, !compares, !property.canHoldBytes { continue }
      let values = try BatchColumn(batch, property: index, decodesAll: isWhole)
      var others = try aligned.map { try BatchColumn($0, property: position) }
      var count = (objects: 0, changed: 0)
      for (number, row) in rows.enumerated() {
        object = batch.key(at: row)
        hasChanged = false
        let value = try values.value(at: row)
        var copied: ValueView?
        if compares {
          if aligned != nil {
            copied = try others?.value(at: row)
          } else {
            let (other, otherRow) = places[number]
            if others?.place != other.place {
              others = try BatchColumn(other, property: position, decodesAll: keys[table.key] == nil && isWhole)
            }
            copied = try others?.value(at: otherRow)
          }
        }
        guard try check(value, copied, isProperty: property.collection != nil) else {
          throw RedactionError.differs(className: table.schema.displayName, property: property.name)
        }
        guard let rule else { continue }
        if rule.isFor(object) {
          count.objects += 1
          if hasChanged { count.changed += 1 }
        }
        if index == primaryKey, let copied { try addKey(copied) }
      }
      arena.removeAll()
      if !explainedNow.isEmpty {
        explained[index, default: []].formUnion(explainedNow)
        explainedNow.removeAll(keepingCapacity: true)
      }
      if rule != nil {
        let sum = counts[index] ?? (0, 0)
        counts[index] = (sum.objects + count.objects, sum.changed + count.changed)
      }
    }
  }

  private func addKey(_ value: ValueView) throws {
    switch value {
    case .null: nullKeyCount += 1
    case .int(let number): primaryKeys.append(UInt64(bitPattern: number))
    default: try value.forEachBytes(copyWalk) { primaryKeys.append(BytePatterns.fingerprint($0)) }
    }
  }

  private var last: ObjectBatch?
  /// A key that no object has.
  private static let noKey = ObjectKey(rawValue: -1)

  /// A batch of the copy with the same objects in the same rows.
  private func batchLike(_ batch: ObjectBatch, in twin: Table) throws -> ObjectBatch? {
    guard batch.count > 0, let (other, row) = try twin.object(batch.key(at: 0)), row == 0, other.count == batch.count,
      (0..<batch.count).allSatisfy({ other.key(at: $0) == batch.key(at: $0) })
    else { return nil }
    return other
  }

  private func place(of key: ObjectKey, _ table: Table, in twin: Table) throws -> (ObjectBatch, Int) {
    let key = keys[table.key].map { $0[key] ?? Self.noKey } ?? key
    if let last, last.table === twin, let row = last.row(of: key) { return (last, row) }
    guard let (batch, row) = try twin.object(key) else {
      throw RedactionError.differs(className: table.schema.displayName, property: nil)
    }
    last = batch
    return (batch, row)
  }

  private func redactor(_ index: Int, of table: Table) -> ValueRedactor? {
    if redactors[table.key] == nil {
      redactors[table.key] = table.schema.properties.indices.map { index in
        redaction.rule(ofProperty: index, of: table).map { redaction.redactor($0, of: table) }
      }
    }
    return redactors[table.key]?[index]
  }

  // MARK: Values

  /// Whether a value of the copy is the expected one; true if there is none to compare with.
  private func check(
    _ value: ValueView, _ copied: ValueView?, isProperty: Bool = false, depth: Int = 0
  ) throws -> Bool {
    guard depth <= 200 else { throw StorageError.corrupted(.null, .tooDeep) }
    if !isProperty, selection.loses(nested: value) { return copied.map { ValueView.null.isSame(as: $0) } ?? true }
    switch value {
    case .list(let list):
      var others: [ValueView]?
      if let copied {
        guard case .list(let other) = copied else { return false }
        var elements: [ValueView] = []
        try other.forEach(copyWalk, damaged: { throw $0 }) { elements.append($0) }
        others = elements
      }
      var (isEqual, position) = (true, 0)
      try list.forEach(sourceWalk, damaged: { throw $0 }) { element in
        if selection.drops(element: element) { return }
        if case .link = element, case .null = try self.value(element) { return }
        let other = others.map { position < $0.count ? $0[position] : nil }
        position += 1
        if let other, other == nil { isEqual = false }
        if try !check(element, other ?? nil, depth: depth + 1) { isEqual = false }
      }
      return isEqual && others.map { $0.count == position } ?? true
    case .set(let set): return try check(set, copied)
    case .dictionary(let dictionary): return try check(dictionary, copied, depth: depth)
    default:
      let expectedValue = try self.value(value)
      return copied.map { expectedValue.isSame(as: $0) } ?? true
    }
  }

  private func check(_ set: ListView, _ copied: ValueView?) throws -> Bool {
    var values: [ValueView] = []
    var (hasLost, hasNull) = (false, false)
    try set.forEachOfSet(sourceWalk, damaged: { throw $0 }) { element in
      if selection.drops(element: element) { return }
      let mapped = try value(element)
      if case .link = element, case .null = mapped { return }
      // All links to objects that are left out become the same null.
      if selection.loses(element), case .null = mapped { return hasLost = true }
      if case .null = mapped { hasNull = true }
      values.append(mapped)
    }
    if hasLost, !hasNull { values.append(.null) }
    guard let copied else { return true }
    guard case .set(let other) = copied else { return false }
    var others: [ValueView] = []
    try other.forEachOfSet(copyWalk, damaged: { throw $0 }) { others.append($0) }
    // A set that stays as it is can have two NaN.
    let wanted = redactor == nil ? Self.sorted(values) : ValueOrder.sortedSet(values, of: .mixed)
    guard wanted.count == others.count || !selection.keepsDataLikeTexts else { return false }
    return zip(wanted, Self.sorted(others)).allSatisfy { ValueOrder.compare($0, $1) == 0 }
  }

  private static func sorted(_ values: [ValueView]) -> [ValueView] {
    values.sorted { ValueOrder.compare($0, $1) < 0 }
  }

  private func check(
    _ dictionary: DictionaryView, _ copied: ValueView?, depth: Int
  ) throws -> Bool {
    var others: [RealmString: ValueView]?
    if let copied {
      guard case .dictionary(let other) = copied else { return false }
      var entries: [RealmString: ValueView] = [:]
      try other.forEach(copyWalk, damaged: { throw $0 }) { entries[RealmString(utf8: try $0.copied())] = $1 }
      others = entries
    }
    var (isEqual, count) = (true, 0)
    try dictionary.forEach(sourceWalk, damaged: { throw $0 }) { key, value in
      let mapped = try redactor?.key(key, of: object, in: arena) ?? key
      if !ValueView.string(mapped).isSame(as: .string(key)) { hasChanged = true }
      explain(mapped)
      count += 1
      var other: ValueView?
      if let others {
        other = others[RealmString(utf8: try mapped.copied())]
        if other == nil { isEqual = false }
      }
      if try !check(value, other, depth: depth + 1) { isEqual = false }
    }
    return isEqual && others.map { $0.count == count } ?? true
  }

  /// The expected replacement of a value that is not a collection.
  private func value(_ value: ValueView) throws -> ValueView {
    let kept = selection.loses(value) ? .null : renumbers ? renamed(value) : value
    guard let redactor else {
      if searches { try kept.forEachBytes(copyWalk) { explain($0) } }
      return kept
    }
    let result = try redactor.value(kept, of: object, in: arena)
    if !hasChanged, !result.isSame(as: kept) { hasChanged = true }
    if searches { try result.forEachBytes(copyWalk) { explain($0) } }
    return result
  }

  private func renamed(_ value: ValueView) -> ValueView {
    func key(_ key: ObjectKey, _ table: TableKey) -> ObjectKey { keys[table].map { $0[key] ?? Self.noKey } ?? key }
    switch value {
    case .link(let table, let object): return .link(table, key(object, table))
    case .typedLink(let table, let object): return .typedLink(table, key(object, table))
    default: return value
    }
  }

  private func explain(_ text: BlobView) {
    guard searches else { return }
    if let bytes = text.contiguous { explain(bytes) }
  }

  private func explain(_ bytes: UnsafeRawBufferPointer) {
    found.scan(bytes) { _, fingerprint in explainedNow.insert(fingerprint) }
  }
}

extension ValueView {
  /// Whether two values, which are not collections, are equal to the last bit.
  func isSame(as other: ValueView) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.int(let a), .int(let b)): a == b
    case (.bool(let a), .bool(let b)): a == b
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.string(let a), .string(let b)), (.data(let a), .data(let b)): a.hasSameBytes(as: b)
    case (.date(let a), .date(let b)): a == b
    case (.decimal(let a), .decimal(let b)): a == b
    case (.objectID(let a), .objectID(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.link(let tableA, let a), .link(let tableB, let b)),
      (.typedLink(let tableA, let a), .typedLink(let tableB, let b)):
      tableA == tableB && a == b
    default: false
    }
  }
}

extension BlobView {
  fileprivate func hasSameBytes(as other: BlobView) -> Bool {
    guard count == other.count else { return false }
    if let a = contiguous, let b = other.contiguous { return a.hasSameBytes(as: b) }
    guard let a = try? copied(), let b = try? other.copied() else { return false }
    return a == b
  }
}
