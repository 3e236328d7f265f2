/// A walk over objects, one after another.
///
/// Cursors that are copied share their place.
public struct RealmCursor {
  private let place: CursorPlace

  init(_ objects: RealmObjects, _ shape: ObjectShape) { place = CursorPlace(objects, shape) }

  /// The next object.
  ///
  /// - Returns: nil at the end.
  /// - Throws: why an object, or a part of the file with objects, cannot be read; the next call goes on after it. After
  ///   an error of the kind `changed` the walk is over.
  public mutating func next() throws(RealmError) -> RealmObject? { try place.next() }

  /// The key of the object that `next` has returned, or could not read; nil before the first call, at the end, and for a
  /// part of the file whose objects are not known.
  public var key: ObjectKey? { place.key }
}

/// Where a walk is, and the objects that it has read ahead.
private final class CursorPlace {
  private let objects: RealmObjects
  private let shape: ObjectShape
  /// What was read and not returned, in reverse order.
  private var steps: ContiguousArray<Step> = []
  private(set) var key: ObjectKey?

  /// For all objects: nil before the first.
  private var batches: ObjectBatches?
  private var walk: CollectionWalk?
  private var decoded: DecodedRows?
  private var batch: ObjectBatch?
  /// The next row of the batch.
  private var row = 0
  /// The value of `SharedSnapshot.use` for which the places above are valid.
  private var releases = 0
  /// For chosen objects: the position of the next one.
  private var position = 0
  private var isOver = false

  private enum Step {
    case object(RealmObject)
    case failure(ObjectKey?, any Error)
  }

  /// Objects that are read at once, and bytes of values after which no more are.
  private static let (mostSteps, mostBytes) = (256, 1 << 20)

  init(_ objects: RealmObjects, _ shape: ObjectShape) { (self.objects, self.shape) = (objects, shape) }

  func next() throws(RealmError) -> RealmObject? {
    while true {
      switch steps.popLast() {
      case .object(let object)?:
        key = object.key
        return object
      case .failure(let key, let error)?:
        self.key = key
        throw RealmError(path: objects.realm.path, error)
      case nil:
        key = nil
        guard !isOver else { return nil }
        try readAhead()
      }
    }
  }

  private func readAhead() throws(RealmError) {
    do {
      try objects.realm.shared.use { snapshot, releases in
        if let keys = objects.keys {
          try read(keys, snapshot)
        } else {
          try read(snapshot, releases)
        }
      }
    } catch {
      // Nothing of it counts, and the place is lost.
      steps.removeAll()
      isOver = true
      throw RealmError(path: objects.realm.path, error)
    }
    steps.reverse()
  }

  // MARK: All objects

  private func read(_ snapshot: Snapshot, _ releases: Int) throws {
    if batches == nil {
      (batches, walk) = (objects.table.batches(), snapshot.collectionWalk())
    } else if releases != self.releases {
      // A batch in hand is found again by the key of its next object.
      let next = batch.flatMap { row < $0.count ? $0.key(at: row) : nil }
      batch = nil
      if let error = batches?.restorePlaces() { throw error }
      if let next, let found = try objects.table.object(next) { (batch, row) = (found.batch, found.row) }
    }
    self.releases = releases
    var bytes = 0
    while steps.isEmpty, !isOver {
      if batch == nil {
        switch batches?.next() {
        case nil: isOver = true
        case .damaged(let error)?: steps.append(.failure(nil, error))
        case .batch(let next)?: (batch, row) = (next, 0)
        }
      }
      guard let batch else { continue }
      let decoded = self.decoded ?? DecodedRows(columnCount: shape.columns.count)
      self.decoded = decoded
      var reader = RowReader(shape, in: snapshot, walk, decodingInto: decoded)
      reader.begin(batch)
      while row < batch.count, bytes < Self.mostBytes {
        append(batch, row, &reader, &bytes)
        row += 1
      }
      if row >= batch.count { self.batch = nil }
    }
  }

  private func append(_ batch: ObjectBatch, _ row: Int, _ reader: inout RowReader, _ bytes: inout Int) {
    let key = batch.key(at: row)
    do {
      let values = try reader.values(of: batch, row: row)
      for value in values { bytes += value.longByteCount }
      steps.append(.object(RealmObject(realm: objects.realm, shape: shape, key: key, values: values)))
    } catch {
      steps.append(.failure(key, error))
    }
  }

  // MARK: Chosen objects

  private func read(_ keys: [ObjectKey], _ snapshot: Snapshot) throws {
    // A chosen object may come any number of times.
    var reader = RowReader(shape, in: snapshot)
    var (found, bytes): (ObjectBatch?, Int) = (nil, 0)
    while position < keys.count, steps.count < Self.mostSteps, bytes < Self.mostBytes {
      let key = keys[position]
      position += 1
      do {
        var row = found?.row(of: key)
        if row == nil {
          guard let place = try objects.table.object(key) else { throw objects.table.danglingLink(to: key) }
          reader = RowReader(shape, in: snapshot)
          reader.begin(place.batch)
          (found, row) = (place.batch, place.row)
        }
        if let found, let row { append(found, row, &reader, &bytes) }
      } catch {
        steps.append(.failure(key, error))
      }
    }
    isOver = position >= keys.count
  }
}

extension Value {
  /// The bytes of memory that a value takes which can be long, about.
  fileprivate var longByteCount: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let bytes): bytes.count
    case .list(let elements), .set(let elements): elements.reduce(0) { $0 + 32 + $1.longByteCount }
    case .dictionary(let entries): entries.reduce(0) { $0 + 64 + $1.key.utf8.count + $1.value.longByteCount }
    default: 0
    }
  }
}
