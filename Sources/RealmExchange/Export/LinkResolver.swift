import RealmStorage

/// Finds the targets of links, and caches the batches found last: links often point close to the target of the one
/// before.
///
/// Memory is limited by the number of slots, whatever the size of the target table. A resolver belongs to one thread.
final class LinkResolver {
  /// A batch. Its table keeps the slot from being used for a batch of another table.
  private struct Slot {
    let batch: ObjectBatch
    /// The primary keys as integers if they are, as in most classes; otherwise as values.
    let integerKeys: IntegerValues?
    let primaryKeys: PropertyValues?
  }

  /// For 16,777,216 objects whose keys follow one another.
  private static let slotCount = 1 << 16
  /// The tables whose batches are in the slots; nil for an empty slot. Made for the first link: there are resolvers for
  /// single values, most of which have none.
  private var tables: UnsafeMutablePointer<TableKey?>?
  /// Plain values, so that an empty slot needs no clean-up. What is not used is never touched.
  private var slots: UnsafeMutablePointer<Slot>?

  deinit {
    tables?.deallocate()
    slots?.deallocate()
  }

  /// The batch and row of the target of a link.
  ///
  /// - Throws: `danglingLink` if it does not exist.
  func find(_ key: ObjectKey, in table: Table) throws -> (batch: ObjectBatch, row: Int) {
    let (slot, row) = try slot(of: key, in: table)
    return (slot.pointee.batch, row)
  }

  /// The primary key of the target of a link.
  ///
  /// - Throws: `danglingLink` if it does not exist, or the error that keeps its key from being read.
  func primaryKey(of key: ObjectKey, in table: Table) throws -> ValueView {
    let (slot, row) = try slot(of: key, in: table)
    if let integers = slot.pointee.integerKeys { return .int(try integers.value(at: row)) }
    return try slot.pointee.primaryKeys?.value(at: row) ?? .null
  }

  @inline(__always)
  private func slot(of key: ObjectKey, in table: Table) throws -> (UnsafeMutablePointer<Slot>, row: Int) {
    let place = place(of: key, in: table)
    if let tables, let slots, tables[place] == table.key, let row = slots[place].batch.row(of: key) {
      return (slots + place, row)
    }
    return try load(key, in: table, into: place)
  }

  /// Objects of one batch share all but the low eight bits of their keys (Docs/Format/3-tables-and-objects.md §4.5).
  @inline(__always)
  private func place(of key: ObjectKey, in table: Table) -> Int {
    Int(truncatingIfNeeded: key.rawValue >> 8 ^ Int64(table.key.rawValue) << 5) & (Self.slotCount - 1)
  }

  @inline(never)
  private func load(
    _ key: ObjectKey, in table: Table, into place: Int
  ) throws -> (UnsafeMutablePointer<Slot>, row: Int) {
    guard let (batch, row) = try table.object(key) else { throw table.danglingLink(to: key) }
    let primaryKeys = try table.schema.primaryKeyIndex.map { try batch.values(ofProperty: $0) }
    let (tables, slots) = allocated()
    slots[place] = Slot(batch: batch, integerKeys: primaryKeys?.integers, primaryKeys: primaryKeys)
    tables[place] = table.key
    return (slots + place, row)
  }

  private func allocated() -> (UnsafeMutablePointer<TableKey?>, UnsafeMutablePointer<Slot>) {
    if let tables, let slots { return (tables, slots) }
    assert(_isPOD(Slot.self), "what is in a slot has to be released")
    let (tables, slots) = (
      UnsafeMutablePointer<TableKey?>.allocate(capacity: Self.slotCount),
      UnsafeMutablePointer<Slot>.allocate(capacity: Self.slotCount)
    )
    tables.initialize(repeating: nil, count: Self.slotCount)
    (self.tables, self.slots) = (tables, slots)
    return (tables, slots)
  }

  /// Forgets everything, before the bytes below are released.
  func forgetAll() { tables?.update(repeating: nil, count: Self.slotCount) }
}
