import RealmStorage

/// The state of one thread that evaluates a query: places in the file that it has found, and what it could not read.
///
/// Expressions and conditions are shared by all threads and immutable; each has slots here instead.
final class Evaluator {
  let snapshot: Snapshot
  private(set) var walk: CollectionWalk
  private let counts: SlotCounts
  private var columns: [ColumnCache]
  private var objects: [ObjectCache]
  /// By their slots, made when they are needed.
  private var answers: [AnswerCache?]
  private var groups: [GroupScratch]
  private var spareBuffers: [ValueBuffer] = []

  /// Rows of the current batch whose answer depends on something that cannot be read.
  var unreadable = RowMask()
  /// The last reason for it.
  private(set) var lastError: StorageError?
  private(set) var damage = DamageReport()
  /// A bound that was reached, or an interruption, so that the query has no answer.
  private(set) var failure: (any Error)?
  /// The same, of the work on the file's nodes.
  private var limit: StorageError?
  /// Whether values that come more than once may come once, because the question is whether any or all of them fit.
  private(set) var wantsDistinct = false
  /// Links that may still be followed for the current path.
  private var wayCount = Int.max

  /// - Parameter check: called now and then, also while one object is looked at. What it throws ends the query.
  init(_ snapshot: Snapshot, _ counts: SlotCounts, check: (@Sendable () throws -> Void)? = nil) {
    (self.snapshot, self.counts) = (snapshot, counts)
    walk = snapshot.collectionWalk(for: .query, check: check)
    columns = (0..<counts.columns).map { _ in ColumnCache() }
    objects = (0..<counts.tables).map { _ in ObjectCache() }
    answers = Array(repeating: nil, count: counts.answers)
    groups = (0..<counts.groups).map { _ in GroupScratch() }
  }

  /// Forgets all places in the file, whose bytes are about to be released.
  func forgetPlaces() {
    columns.forEach { $0.removeAll() }
    objects.forEach { $0.removeAll() }
    answers.forEach { $0?.removeAll() }
    groups.forEach { $0.removeAll() }
    spareBuffers.removeAll()
  }

  func takeDamage() -> DamageReport {
    defer { damage = DamageReport() }
    return damage
  }

  // MARK: Reading

  /// The value of a property.
  func value(_ slot: Int, ofProperty property: Int, _ batch: ObjectBatch, _ row: Int) throws -> ValueView {
    try columns[slot].value(ofProperty: property, batch, row)
  }

  /// Calls `visit` with the keys that a list or set of links leads to, until it returns false.
  func forEachLink(
    _ slot: Int, ofProperty property: Int, _ batch: ObjectBatch, _ row: Int, _ visit: (ObjectKey) throws -> Bool
  ) throws {
    try columns[slot].forEachLink(ofProperty: property, batch, row, walk, visit)
  }

  /// The object with a key; nil if there is none.
  func find(_ slot: Int, _ table: Table, _ key: ObjectKey) throws -> (batch: ObjectBatch, row: Int)? {
    try objects[slot].find(table, key)
  }

  /// - Parameter table: of the objects that are asked about.
  func answerCache(_ slot: Int, of table: Table) -> AnswerCache {
    if let cache = answers[slot] { return cache }
    let cache = AnswerCache(sharedBy: counts.answers, objectCount: (try? table.objectCount()) ?? 0)
    answers[slot] = cache
    return cache
  }
  func groupScratch(_ slot: Int) -> GroupScratch { groups[slot] }

  /// Calls `body` with a buffer nobody else uses.
  func withBuffer<Result>(_ body: (ValueBuffer) throws -> Result) rethrows -> Result {
    let buffer = spareBuffers.popLast() ?? ValueBuffer()
    buffer.setSingle(.null)
    defer { spareBuffers.append(buffer) }
    return try body(buffer)
  }

  // MARK: Bounds

  /// Runs `body`, which may treat repeated values as one.
  func distinctly<Result>(_ isDistinct: Bool, _ body: () throws -> Result) rethrows -> Result {
    let before = wantsDistinct
    wantsDistinct = isDistinct
    defer { wantsDistinct = before }
    return try body()
  }

  /// Runs `body`, which may follow as many links as the limit for one object.
  func limitingWays<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = wayCount
    wayCount = RQL.wayLimit
    defer { wayCount = before }
    return try body()
  }

  @inline(__always)
  func spendWay(_ path: LinkPath) throws {
    wayCount &-= 1
    if wayCount < 0 { throw path.tooManyWays(RQL.wayLimit) }
  }

  /// - Throws: `QueryError` or `StorageError.limitReached` if a bound was reached, or what interrupted the work: the answers
  ///   are not known then.
  func checkBounds() throws {
    if let failure { throw failure }
    if let limit { throw limit }
  }

  // MARK: Rows of a batch

  /// The rows that pass; those for which that cannot be known are noted as damage of a property.
  @inline(__always)
  func rows(
    _ batch: ObjectBatch, _ among: RowMask, _ name: @autoclosure () -> RealmString, where passes: (Int) throws -> Bool
  ) -> RowMask {
    var rows = RowMask()
    among.forEach { row in
      do {
        if try passes(row) { rows.insert(row) }
      } catch {
        note(error, batch, row, property: name())
      }
    }
    return rows
  }

  /// The rows whose values pass a test of leaves; those that cannot be read are noted.
  func rows(
    _ batch: ObjectBatch, _ among: RowMask, _ name: RealmString, of values: PropertyValues, passing test: LeafTest
  ) -> RowMask {
    values.rows(passing: test, among: among) { row, error in note(error, batch, row, property: name) } ?? RowMask()
  }

  /// The result of `body` for the values of a property; no rows, and a note, if they are damaged as a whole.
  @inline(__always)
  func column(
    _ batch: ObjectBatch, _ among: RowMask, _ property: Int, _ name: @autoclosure () -> RealmString,
    _ body: (PropertyValues) -> RowMask
  ) -> RowMask {
    do { return body(try batch.values(ofProperty: property)) } catch {
      note(error, batch, among, property: name())
      return RowMask()
    }
  }

  // MARK: Damage

  /// Notes that the answer for a row cannot be known.
  func note(_ error: any Error, _ batch: ObjectBatch, _ row: Int, property: RealmString) {
    if !(error is StorageError) { failure = failure ?? error }
    guard failure == nil else { return unreadable.insert(row) }
    let error = error as? StorageError ?? .corrupted(Ref.null, .missingNode)
    unreadable.insert(row)
    remember(error)
    damage.add(
      Damage(
        table: batch.table.schema.displayName, part: .value(property: property, object: batch.key(at: row)),
        error: error
      ))
  }

  /// Notes that the answers for all rows asked about cannot be known.
  func note(_ error: any Error, _ batch: ObjectBatch, _ rows: RowMask, property: RealmString) {
    guard !rows.isEmpty else { return }
    if !(error is StorageError) { failure = failure ?? error }
    let error = error as? StorageError ?? .corrupted(Ref.null, .missingNode)
    unreadable = unreadable.union(rows)
    remember(error)
    var first: Int?
    rows.forEach { if first == nil { first = $0 } }
    damage.add(
      Damage(
        table: batch.table.schema.displayName,
        part: .values(property: property, first: batch.key(at: first ?? 0), count: rows.count), error: error))
  }

  private func remember(_ error: StorageError) {
    lastError = error
    if case .limitReached = error { limit = error }
  }

  func noteMissingObjects(_ error: StorageError, of table: Table) {
    damage.add(Damage(table: table.schema.displayName, part: .objects, error: error))
  }

  /// Evaluates a condition for one object of another batch than the current one.
  ///
  /// - Throws: `StorageError` if the answer cannot be known.
  func holds(_ condition: Condition, _ batch: ObjectBatch, _ row: Int) throws -> Bool {
    let (rows, bad) = answers(of: condition, batch, RowMask(row: row))
    if bad.contains(row) { throw lastError ?? .corrupted(Ref.null, .missingNode) }
    return rows.contains(row)
  }

  /// The rows of another batch for which a condition is true, and those for which it cannot be known.
  func answers(of condition: Condition, _ batch: ObjectBatch, _ rows: RowMask) -> (rows: RowMask, unreadable: RowMask) {
    let outer = unreadable
    unreadable = RowMask()
    let found = condition.rows(self, batch, rows)
    let bad = unreadable
    unreadable = outer
    return (found.subtracting(bad), bad)
  }
}

/// How many places of each kind a query needs in an `Evaluator`.
struct SlotCounts: Sendable {
  private var columnSlots: [ColumnName: Int] = [:]
  private var tableSlots: [TableKey: Int] = [:]
  private(set) var columns = 0
  private(set) var tables = 0
  private(set) var answers = 0
  private(set) var groups = 0

  private struct ColumnName: Hashable {
    let table: TableKey
    /// Nil for all incoming links.
    let property: Int?
  }

  /// For a way over one link in its slots 0.
  static let forOneLink = {
    var counts = SlotCounts()
    (counts.columns, counts.tables) = (1, 1)
    return counts
  }()

  /// All that read a property share a place, so that a query takes no more of them the longer it is.
  mutating func column(_ table: Table, _ property: Int?) -> Int {
    let name = ColumnName(table: table.key, property: property)
    if let known = columnSlots[name] { return known }
    columnSlots[name] = columns
    columns += 1
    return columns - 1
  }

  /// All that look for objects of a class share a place.
  mutating func table(_ table: Table) -> Int {
    if let known = tableSlots[table.key] { return known }
    tableSlots[table.key] = tables
    tables += 1
    return tables - 1
  }

  mutating func nextAnswer() -> Int {
    defer { answers += 1 }
    return answers
  }

  mutating func nextGroup() -> Int {
    defer { groups += 1 }
    return groups
  }
}

/// The values of one property for batches that were looked at lately.
final class ColumnCache {
  private struct Entry {
    var place: UInt64 = 0
    var values: PropertyValues?
  }

  private static let size = 64
  private var entries: UnsafeMutablePointer<Entry>

  init() {
    entries = .allocate(capacity: Self.size)
    entries.initialize(repeating: Entry(), count: Self.size)
  }

  deinit { entries.deallocate() }

  func removeAll() { entries.update(repeating: Entry(), count: Self.size) }

  func value(ofProperty property: Int, _ batch: ObjectBatch, _ row: Int) throws -> ValueView {
    try entry(ofProperty: property, batch).pointee.values.unsafelyUnwrapped.value(at: row)
  }

  func forEachLink(
    ofProperty property: Int, _ batch: ObjectBatch, _ row: Int, _ walk: CollectionWalk,
    _ visit: (ObjectKey) throws -> Bool
  ) throws {
    // The entry may be another batch's before the walk is over.
    let values = try entry(ofProperty: property, batch).pointee.values.unsafelyUnwrapped
    _ = try values.forEachLink(at: row, walk, visit)
  }

  /// The entry with the values of a batch.
  @inline(__always)
  private func entry(ofProperty property: Int, _ batch: ObjectBatch) throws -> UnsafeMutablePointer<Entry> {
    let place = batch.place
    let entry = entries + Int(truncatingIfNeeded: (place >> 3 ^ place >> 9) & UInt64(Self.size - 1))
    if entry.pointee.place != place || entry.pointee.values == nil {
      entry.pointee.values = try batch.values(ofProperty: property)
      entry.pointee.place = place
    }
    return entry
  }
}

/// Batches of one table that objects were found in lately.
final class ObjectCache {
  private static let size = 256
  private var entries: [ObjectBatch?] = Array(repeating: nil, count: size)

  func removeAll() { entries = Array(repeating: nil, count: Self.size) }

  func find(_ table: Table, _ key: ObjectKey) throws -> (batch: ObjectBatch, row: Int)? {
    let index = Int(truncatingIfNeeded: key.rawValue >> 8) & (Self.size - 1)
    if let batch = entries[index], let row = batch.row(of: key) { return (batch, row) }
    guard let found = try table.object(key) else { return nil }
    entries[index] = found.batch
    return found
  }
}

/// The groups of values that an expression has collected for the current object.
final class GroupScratch {
  private var groups: [ContiguousArray<ValueView>] = []
  /// Whether the groups are lists, also where they have one value.
  var areLists = true

  func removeAll() { groups.removeAll() }

  /// Returns one group after another; the first call collects all.
  func next(
    _ index: inout GroupIndex, into buffer: ValueBuffer,
    _ collect: (inout [ContiguousArray<ValueView>]) throws -> Void
  ) rethrows {
    if index.isFirst {
      groups.removeAll(keepingCapacity: true)
      areLists = true
      var collected = groups
      groups = []
      try collect(&collected)
      groups = collected
      guard index.begin(groups.count) else { return buffer.setEmptyList() }
    }
    buffer.values = groups[index.takeNext()]
    buffer.isList = areLists || buffer.values.isEmpty
  }

  /// Returns one value after another; the first call collects all.
  ///
  /// - Returns: nil if there is none.
  func next(_ index: inout GroupIndex, _ collect: () throws -> ContiguousArray<ValueView>) rethrows -> ValueView? {
    if index.isFirst {
      groups = [try collect()]
      guard index.begin(groups[0].count) else { return nil }
    }
    return groups[0][index.takeNext()]
  }
}
