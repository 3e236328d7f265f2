import RealmStorage
import RealmSystem

/// One walk over the objects of a class, on several threads, or a look at those that an index lists.
struct QueryExecution {
  private let query: Query
  private let options: QueryOptions

  init(_ query: Query, _ options: QueryOptions) { (self.query, self.options) = (query, options) }

  /// Batches that one thread looks at together: more if a batch takes less time than passing it on.
  private var batchesPerPiece: Int { query.condition.cost < 10 ? 64 : 16 }
  /// Objects that an index may name, as a part of all; beyond that a walk is faster.
  private static let candidateShare = 20

  /// Calls `body` with the keys of objects that match, in order, until it returns false.
  func forEachKey(_ body: ([ObjectKey]) throws -> Bool) throws -> DamageReport {
    if let candidates = candidates() { return try lookUp(candidates, body) }
    return try walk(
      { batch, rows, found in
        rows.forEach { found.keys.append(batch.key(at: $0)) }
      },
      { found in found.keys.isEmpty ? true : try body(found.keys) })
  }

  func count() throws -> (count: Int, damage: DamageReport) {
    var count = 0
    if let candidates = candidates() {
      let damage = try lookUp(candidates) {
        count += $0.count
        return true
      }
      return (count, damage)
    }
    let damage = try walk(
      { _, rows, found in found.count += rows.count },
      { found in
        count += found.count
        return true
      })
    return (count, damage)
  }

  // MARK: By keys

  private func candidates() -> [ObjectKey]? {
    if let chosen = query.chosen { return chosen }
    guard options.usesIndexes, let use = query.condition.indexUse else { return nil }
    let limit = 64 + ((try? query.table.objectCount()) ?? 0) / Self.candidateShare
    return use.candidates(in: query.table, of: query.snapshot, limit: limit)
  }

  private func lookUp(_ candidates: [ObjectKey], _ body: ([ObjectKey]) throws -> Bool) throws -> DamageReport {
    let evaluator = Evaluator(query.snapshot, query.slots, check: options.check)
    var found: [ObjectKey] = []
    var index = 0
    while index < candidates.count {
      if query.snapshot.holdsTooManyPages {
        evaluator.forgetPlaces()
        try query.snapshot.releasePages()
      }
      let place: (batch: ObjectBatch, row: Int)?
      do { place = try query.table.object(candidates[index]) } catch let error as StorageError {
        evaluator.noteMissingObjects(error, of: query.table)
        index += 1
        continue
      }
      // An index may list deleted objects.
      guard let place else {
        index += 1
        continue
      }
      var rows = RowMask()
      let first = index
      while index < candidates.count, let row = place.batch.row(of: candidates[index]) {
        rows.insert(row)
        index += 1
      }
      let matching = evaluator.answers(of: query.condition, place.batch, rows).rows
      for key in candidates[first..<index] {
        if let row = place.batch.row(of: key), matching.contains(row) { found.append(key) }
      }
      try evaluator.checkBounds()
      try options.visited?(index - first)
      if found.count >= 4096 {
        guard try body(found) else { return evaluator.takeDamage() }
        found.removeAll(keepingCapacity: true)
      }
    }
    if !found.isEmpty { _ = try body(found) }
    return evaluator.takeDamage()
  }

  // MARK: Over all objects

  /// What one thread has found in a piece.
  private struct Found {
    var keys: [ObjectKey] = []
    var count = 0
  }

  /// Consecutive batches.
  private struct Piece: Sendable {
    let number: Int
    let batches: [ObjectBatch]
  }

  /// - Parameters:
  ///   - collect: called on any thread with the rows of a batch that match.
  ///   - deliver: called in turn with what was found in a piece; returns whether to go on.
  private func walk(
    _ collect: @escaping @Sendable (ObjectBatch, RowMask, inout Found) -> Void, _ deliver: (Found) throws -> Bool
  ) throws -> DamageReport {
    let pieces = Pieces(query.table, batchesPerPiece: batchesPerPiece)
    let reports = Locked<[(number: Int, report: DamageReport)]>([])
    let releases = AtomicInt(0)
    let isDone = AtomicFlag()
    let (query, options, check) = (query, options, options.check)
    let pause = OrderedPipeline<Piece>.Pause(
      isNeeded: { query.snapshot.holdsTooManyPages },
      body: {
        try query.snapshot.releasePages()
        pieces.restorePlaces()
        releases.add(1)
      })
    try withoutActuallyEscaping(deliver) { deliver in
      // Delivery is in turn: only one thread at a time is in it.
      let delivery = Delivery(deliver)
      let pipeline = OrderedPipeline<Piece>(threadCount: options.threadCount, pause: pause) {
        isDone.isSet ? nil : pieces.next()
      }
      try pipeline.run {
        let evaluator = Evaluator(query.snapshot, query.slots, check: options.check)
        var releasesSeen = 0
        return { piece, awaitTurn in
          let released = releases.value
          if released != releasesSeen { evaluator.forgetPlaces() }
          releasesSeen = released
          var found = Found()
          var objectCount = 0
          for batch in piece.batches {
            if isDone.isSet { return }
            let rows = evaluator.answers(of: query.condition, batch, RowMask(first: batch.count)).rows
            try evaluator.checkBounds()
            try check?()
            objectCount += batch.count
            if !rows.isEmpty { collect(batch, rows, &found) }
          }
          let report = evaluator.takeDamage()
          if !report.isEmpty { reports.withLock { $0.append((piece.number, report)) } }
          try awaitTurn()
          guard !isDone.isSet else { return }
          try options.visited?(objectCount)
          if try !delivery.deliver(found) { isDone.set() }
        }
      }
    }
    var total = pieces.report
    for entry in reports.withLock({ $0 }).sorted(by: { $0.number < $1.number }) { total.merge(entry.report) }
    return total
  }

  /// Where what was found goes. Used by one thread at a time.
  private final class Delivery: @unchecked Sendable {
    private let body: (Found) throws -> Bool
    init(_ body: @escaping (Found) throws -> Bool) { self.body = body }
    func deliver(_ found: Found) throws -> Bool { try body(found) }
  }

  /// Cuts the walk over a table into pieces; used by one thread at a time.
  private final class Pieces: @unchecked Sendable {
    private let table: Table
    private var batches: ObjectBatches
    private let batchesPerPiece: Int
    private var number = 0
    private var objectCount = 0
    private var isOver = false
    /// What could not even be cut into pieces.
    private(set) var report = DamageReport()

    init(_ table: Table, batchesPerPiece: Int) {
      self.table = table
      self.batchesPerPiece = batchesPerPiece
      batches = table.batches()
    }

    func restorePlaces() {
      if let error = batches.restorePlaces() {
        report.add(Damage(table: table.schema.displayName, part: .objects, error: error))
      }
    }

    func next() -> Piece? {
      var taken: [ObjectBatch] = []
      while taken.count < batchesPerPiece, let step = batches.next() {
        switch step {
        case .batch(let batch):
          if batch.count > 0 { taken.append(batch) }
          objectCount += batch.count
        case .damaged(let error):
          report.add(Damage(table: table.schema.displayName, part: .objects, error: error))
        }
      }
      guard !taken.isEmpty else {
        noteMissingObjects()
        return nil
      }
      defer { number += 1 }
      return Piece(number: number, batches: taken)
    }

    /// The root of the table tells how many objects there should be.
    private func noteMissingObjects() {
      guard !isOver else { return }
      isOver = true
      guard !report.isEmpty, let expected = try? table.objectCount() else { return }
      report.addMissingObjects(max(0, expected - objectCount))
    }
  }
}
