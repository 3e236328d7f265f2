/// The root of a snapshot (Docs/Format/1-container.md §3).
struct TopArray: Sendable {
  let ref: Ref
  let tableNames: Ref
  let tables: Ref
  /// Upper end of the space that nodes and free lists account for, in bytes.
  let logicalSize: UInt64
  let freePositions: Ref
  let freeLengths: Ref
  let freeVersions: Ref
  /// Transaction number; a missing one reads as 1.
  let version: UInt64
  let historyKind: HistoryKind
  let history: Ref
  let historySchemaVersion: UInt64
  let syncFileIdent: UInt64
  /// Number of slots: what engines of different ages wrote.
  let slotCount: Int

  /// - Throws: `StorageError.notARealm` where the checks of §3.2 fail.
  init(_ ref: Ref, in store: ByteStore) throws {
    let node: Node
    do { node = try Node(ref, in: store) } catch StorageError.corrupted {
      throw StorageError.notARealm(.topArray(ref: ref.rawValue))
    }
    guard node.flags & 0xd8 == 0x40 else { throw StorageError.notARealm(.topArray(ref: ref.rawValue)) }
    guard [3, 5, 7, 9, 10, 11, 12].contains(node.count) else {
      throw StorageError.notARealm(.topArraySize(ref: ref.rawValue, count: node.count))
    }
    // Even values are not refused: the tag bit of numbers is not checked by any engine (§3.3).
    func number(_ slot: Int) -> UInt64 { slot < node.count ? UInt64(bitPattern: node.uncheckedInt(slot)) >> 1 : 0 }
    func reference(_ slot: Int) throws -> Ref {
      guard slot < node.count else { return .null }
      let value = UInt64(bitPattern: node.uncheckedInt(slot))
      guard value % 8 == 0, value < UInt64(store.count) else {
        throw StorageError.notARealm(.topArray(ref: ref.rawValue))
      }
      return Ref(value)
    }
    self.ref = ref
    slotCount = node.count
    tableNames = try reference(0)
    tables = try reference(1)
    logicalSize = number(2)
    guard logicalSize <= UInt64(store.count) else {
      throw StorageError.notARealm(.logicalSize(logicalSize, actual: UInt64(store.count)))
    }
    guard !tableNames.isNull, !tables.isNull, max(tableNames, tables).rawValue <= logicalSize else {
      throw StorageError.notARealm(.topArray(ref: ref.rawValue))
    }
    freePositions = try reference(3)
    freeLengths = try reference(4)
    freeVersions = try reference(5)
    version = max(number(6), 1)
    historyKind = HistoryKind(code: number(7))
    history = try reference(8)
    historySchemaVersion = number(9)
    syncFileIdent = number(10)
  }
}

/// How much of a file is free (Docs/Format/1-container.md §4.1).
public struct FreeSpace: Sendable, Equatable {
  /// Entries of the free list.
  public var entryCount = 0
  /// Bytes in all entries.
  public var byteCount: UInt64 = 0

  init() {}

  /// - Throws: `StorageError.corrupted` where the list of lengths is damaged.
  init(of top: TopArray, in store: ByteStore) throws {
    guard !top.freeLengths.isNull else { return }
    let lengths = try Node(top.freeLengths, in: store)
    try lengths.requireBits("lengths of free space")
    entryCount = lengths.count
    for index in 0..<lengths.count {
      byteCount = byteCount &+ UInt64(bitPattern: lengths.uncheckedInt(index))
    }
    guard byteCount <= top.logicalSize else {
      throw StorageError.corrupted(top.freeLengths, .valueOutOfRange("bytes of free space"))
    }
  }
}
