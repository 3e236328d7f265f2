/// The slots of the root of a snapshot (Docs/Format/1-container.md §3.1).
package enum TopSlot: Int, StructureSlot {
  case tableNames, tables, logicalSize, freePositions, freeLengths, freeVersions, version, historyType, history,
    historySchema, syncFileIdent, evacuation

  package var content: SlotContent {
    switch self {
    case .tableNames, .tables: .ref
    case .freePositions, .freeLengths, .freeVersions, .history: .refOrZero
    case .logicalSize: .number
    // A grown array is padded with plain zeros.
    case .version, .historyType, .historySchema, .syncFileIdent: .numberOrZero
    case .evacuation: .anything
    }
  }
}

/// The root of a snapshot as it is.
package struct RawTop: RawStructure {
  package typealias Slot = TopSlot
  package let slots: RawSlots

  /// How many slots engines of different ages wrote (§3.2).
  package static let slotCounts = [3, 5, 7, 9, 10, 11, 12]

  /// - Throws: `StorageError.corrupted` if there is no node of references.
  package init(_ ref: Ref, in store: ByteStore) throws { slots = try RawSlots(ref, in: store, "the root") }

  /// - Parameter node: one of references.
  package init(_ node: Node) { slots = RawSlots(node) }

  // No engine checks the tag of numbers (§3.3).
  package var logicalSize: UInt64 { self[.logicalSize].tagged }
  package var storedVersion: UInt64 { self[.version].tagged }
  /// Transaction number; 0 and a missing one read as 1.
  package var version: UInt64 { max(storedVersion, 1) }
  package var historyKind: HistoryKind { HistoryKind(code: self[.historyType].tagged) }
  package var historySchemaVersion: UInt64 { self[.historySchema].tagged }
}

/// The root of a snapshot (Docs/Format/1-container.md §3): raw slots that passed the checks of engines.
package struct TopArray: Sendable {
  package let raw: RawTop

  /// - Throws: `StorageError.notARealm` if the checks of §3.2 fail.
  package init(_ ref: Ref, in store: ByteStore) throws {
    let invalid = StorageError.notARealm(.topArray(ref: ref.rawValue))
    do { raw = try RawTop(ref, in: store) } catch StorageError.corrupted { throw invalid }
    guard raw.flags & 0x80 == 0 else { throw invalid }
    guard RawTop.slotCounts.contains(raw.count) else {
      throw StorageError.notARealm(.topArraySize(ref: ref.rawValue, count: raw.count))
    }
    func isPossible(_ slot: TopSlot) -> Bool {
      let ref = raw[slot].ref.rawValue
      return ref % 8 == 0 && ref < UInt64(store.count)
    }
    guard isPossible(.tableNames), isPossible(.tables) else { throw invalid }
    guard raw.logicalSize <= UInt64(store.count) else {
      throw StorageError.notARealm(.logicalSize(raw.logicalSize, actual: UInt64(store.count)))
    }
    guard !tableNames.isNull, !tables.isNull, max(tableNames, tables).rawValue <= logicalSize,
      [.freePositions, .freeLengths, .freeVersions, .history].allSatisfy(isPossible)
    else { throw invalid }
  }

  package var ref: Ref { raw.ref }
  /// Number of slots: what engines of different ages wrote.
  package var slotCount: Int { raw.count }
  package var tableNames: Ref { raw[.tableNames].ref }
  package var tables: Ref { raw[.tables].ref }
  /// Upper end of the space that nodes and free lists account for, in bytes.
  package var logicalSize: UInt64 { raw.logicalSize }
  package var freePositions: Ref { raw[.freePositions].ref }
  package var freeLengths: Ref { raw[.freeLengths].ref }
  package var freeVersions: Ref { raw[.freeVersions].ref }
  /// Transaction number; a missing one reads as 1.
  var version: UInt64 { raw.version }
  package var historyKind: HistoryKind { raw.historyKind }
  package var history: Ref { raw[.history].ref }
  var historySchemaVersion: UInt64 { raw.historySchemaVersion }
  var syncFileIdent: UInt64 { raw[.syncFileIdent].tagged }
}

/// What a realm's top array refers to (Docs/Format/1-container.md §3.1).
package struct RealmRoots: Hashable, Sendable {
  package var tableNames: Ref
  package var tables: Ref
  /// Null if no history is written.
  package var history: Ref

  package init(tableNames: Ref, tables: Ref, history: Ref = .null) {
    self.tableNames = tableNames
    self.tables = tables
    self.history = history
  }
}
