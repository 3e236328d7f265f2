import RealmStorage

/// Checks keys of objects beyond their order: new keys must be free, and old keys must be found
/// (Docs/Format/3-tables-and-objects.md §4.5, §4.6).
struct ObjectKeyCheck {
  let context: CheckContext
  let table: CheckedTable

  func run() {
    if table.kind == .embedded { checkSequence() }
    if !table.collisionMap.isNull { checkCollisions() }
    if let primaryKey = table.primaryKey, primaryKey.index.isNull { checkUniqueness(of: primaryKey) }
  }

  // MARK: Sequence

  /// The number that a key of this file was made of; nil for keys of other clients.
  private static func sequenceNumber(of key: ObjectKey) -> UInt64? {
    let bits = UInt64(bitPattern: key.rawValue)
    let low = bits & 0xff
    let isOwn = bits >> 8 & 0xff == 0 && bits >> 40 == 0
    return isOwn ? low | (bits >> 8 & 0xffff_ff00) : nil
  }

  /// If objects are embedded, a clash with an existing key makes their creation fail.
  private func checkSequence() {
    for entry in table.objects.entries {
      let keys = RowKeys(entry, in: context.store)
      for row in 0..<keys.count {
        guard let number = Self.sequenceNumber(of: keys[row]), number >= table.objectSequence else { continue }
        var place = table.place(.objects, ref: entry.ref)
        place.object = keys[row]
        return context.log.add(.objectSequence, .counts(table.objectSequence, found: number), at: place)
      }
    }
  }

  // MARK: Collisions

  /// Three lists of one length, ordered by the first two, of objects that exist.
  private func checkCollisions() {
    guard let map = try? Node(table.collisionMap, in: context.store) else { return }
    let isMap = map.has(.refs) && map.count == 3
    let lists = (0..<3).compactMap { isMap ? context.node(map.slot($0).child, .integers, otherwise: { _ in }) : nil }
    guard lists.count == 3, lists[1].count == lists[0].count, lists[2].count == lists[0].count,
      context.spend(elements: lists[0].count, at: map.ref)
    else {
      return report(.collisionShape, map.ref)
    }
    var last: (high: UInt64, low: UInt64)?
    for index in 0..<lists[0].count {
      let next = (UInt64(bitPattern: lists[1].uncheckedInt(index)), UInt64(bitPattern: lists[0].uncheckedInt(index)))
      if let last, next <= last { report(.collisionOrder, map.ref, position: index) }
      last = next
      let key = ObjectKey(rawValue: lists[2].uncheckedInt(index))
      let unresolved = ObjectKey(rawValue: -2 &- key.rawValue)
      let exists =
        table.objects.find(key, in: context.store) != nil || table.tombstones.find(unresolved, in: context.store) != nil
      if !exists { report(.collisionKey, map.ref, position: index) }
    }
  }

  private func report(_ kind: FindingKind, _ ref: Ref, position: Int? = nil) {
    context.log.add(
      kind, after: context.log.damages.table(table.name), at: table.place(.collisions, ref: ref, position: position))
  }

  // MARK: Uniqueness

  /// Formats before 22 have no index on some primary keys, whose lists would show duplicates.
  private func checkUniqueness(of column: CheckedColumn) {
    let values = ColumnValues(context, table, column)
    var hashes: [(hash: Int, ordinal: Int)] = []
    objects: for number in table.objects.entries.indices {
      let entry = table.objects.entries[number]
      for row in 0..<entry.count {
        guard let value = values.value(number, row) else { continue }
        // So many different values need more bytes than the file has: there are duplicates among these.
        guard hashes.count <= context.store.count, context.spend(bytes: value.byteCount, at: entry.ref) else {
          break objects
        }
        let data = IndexData(value)
        hashes.append((data.hash, entry.firstOrdinal + row))
      }
    }
    hashes.sort { $0 < $1 }
    for (left, right) in zip(hashes, hashes.dropFirst()) where left.hash == right.hash {
      guard let a = values.value(left.ordinal, in: table.objects),
        let b = values.value(right.ordinal, in: table.objects),
        ValueOrder.compare(a, b) == 0, let (entry, row) = table.objects.locate(right.ordinal)
      else { continue }
      context.log.add(
        .primaryKeyDuplicate,
        at: Finding.Place(
          part: .objects, table: table.name, column: .property(column.name),
          object: table.objects.entries[entry].key(at: row, in: context.store)))
    }
  }
}

extension ValueView {
  fileprivate var byteCount: Int {
    switch self {
    case .string(let bytes), .data(let bytes): bytes.count
    default: 0
    }
  }
}

extension IndexData {
  /// Equal for equal data; the same in every run.
  fileprivate var hash: Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ word: UInt64) { hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15 ^ hash >> 29 }
    switch self {
    case .null: add(1)
    case .inline(let low, let high, _):
      add(low)
      add(high)
    case .bytes(let bytes): for byte in bytes { add(UInt64(byte)) }
    }
    return Int(truncatingIfNeeded: hash)
  }
}
