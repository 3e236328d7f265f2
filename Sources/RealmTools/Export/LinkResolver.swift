import RealmStorage

/// Finds the objects that links lead to, remembering the batches found last: links tend to lead where others led.
///
/// Memory is bounded by the number of slots, whatever the size of the target. A resolver belongs to one thread.
final class LinkResolver {
  /// A class: a value read through a reference is not copied with all that is around it.
  private final class Slot {
    let table: TableKey
    let batch: ObjectBatch
    let primaryKeys: PropertyValues?

    init(table: TableKey, batch: ObjectBatch, primaryKeys: PropertyValues?) {
      (self.table, self.batch, self.primaryKeys) = (table, batch, primaryKeys)
    }
  }

  private static let slotCount = 1024
  private let slots = UnsafeMutablePointer<Slot?>.allocate(capacity: slotCount)

  init() { slots.initialize(repeating: nil, count: Self.slotCount) }

  deinit {
    slots.deinitialize(count: Self.slotCount)
    slots.deallocate()
  }

  /// The batch and row of the object a link leads to.
  ///
  /// - Throws: `danglingLink` where it does not exist.
  func find(_ key: ObjectKey, in table: Table) throws -> (batch: ObjectBatch, row: Int) {
    let (slot, row) = try slot(of: key, in: table)
    return (slot.batch, row)
  }

  /// The primary key of the object a link leads to.
  ///
  /// - Throws: `danglingLink` where the object does not exist, or what keeps its key from being read.
  func primaryKey(of key: ObjectKey, in table: Table) throws -> ValueView {
    let (slot, row) = try slot(of: key, in: table)
    return try slot.primaryKeys?.value(at: row) ?? .null
  }

  @inline(__always)
  private func slot(of key: ObjectKey, in table: Table) throws -> (Slot, Int) {
    let place = place(of: key, in: table)
    if let slot = slots[place], slot.table == table.key, let row = slot.batch.row(of: key) { return (slot, row) }
    return try load(key, in: table, into: place)
  }

  /// Objects of one batch share all but the low eight bits of their keys (Docs/Format/3-tables-and-objects.md §4.5).
  private func place(of key: ObjectKey, in table: Table) -> Int {
    Int(truncatingIfNeeded: key.rawValue >> 8 ^ Int64(table.key.rawValue) << 5) & (Self.slotCount - 1)
  }

  private func load(_ key: ObjectKey, in table: Table, into place: Int) throws -> (Slot, Int) {
    guard let (batch, row) = try table.object(key) else { throw table.danglingLink(to: key) }
    let primaryKeys = try table.schema.primaryKeyIndex.map { try batch.values(ofProperty: $0) }
    let slot = Slot(table: table.key, batch: batch, primaryKeys: primaryKeys)
    slots[place] = slot
    return (slot, row)
  }

  /// Forgets everything, before the bytes below are released.
  func forgetAll() { slots.update(repeating: nil, count: Self.slotCount) }
}
