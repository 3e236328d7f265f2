import RealmExchange
import RealmInspection
import RealmOpening
import RealmStorage

/// The snapshots that are still in a file, and what changed from one to the next.
package struct RealmHistory: Sendable {
  /// Why a snapshot is still there.
  package enum State: String, Sendable {
    /// The newest that was committed.
    case live
    /// The other slot of the header names it; a commit will overwrite it.
    case previous
    /// A process reads it or keeps it, according to the lock file.
    case inUse
  }

  /// The differences between a snapshot and the one before it in the list.
  package struct Changes: Hashable, Sendable {
    package var schema = 0
    package var removed = 0
    package var added = 0
    package var changed = 0
  }

  package struct Entry: Sendable {
    package let state: State
    package let version: UInt64
    /// Where its root is in the file; nil for a file without content.
    package let topRef: UInt64?
    package let fileFormat: UInt8
    /// Upper end of the space that it accounts for, in bytes.
    package let logicalSize: UInt64
    package let schemaVersion: UInt64?
    /// Objects of all classes, embedded ones included; nil if they cannot be counted.
    package let objectCount: Int?
    /// According to the lock file; nil if unknown.
    package let readerCount: Int?
    /// Since the next older snapshot of the list; nil for the oldest, and if one of the two cannot be read completely.
    package var changes: Changes?
    /// Why it cannot be read completely; nil if no damage is known.
    package var damage: String?
  }

  /// The newest first.
  package private(set) var entries: [Entry] = []
  package let kind: HistoryKind
  package let schemaVersion: UInt64
  /// Changes in the history of the live snapshot; nil if there is no history, or they cannot be counted.
  package let length: Int?
  package let syncFileIdent: UInt64

  /// - Parameters:
  ///   - inUse: what the lock file says; nil if unknown.
  ///   - onProgress: called from time to time, on any thread. If it throws, the work ends.
  /// - Throws: `StorageError` if pages of a file cannot be read again; what `onProgress` throws. A snapshot that is
  ///   damaged is part of the result.
  package init(
    _ realm: OpenedRealm, inUse: [VersionsInUse.Entry]?, onProgress: @escaping @Sendable () throws -> Void = {}
  ) throws {
    let live = realm.snapshot
    (kind, schemaVersion, length) = (live.historyKind, live.historySchemaVersion, live.historyLength)
    syncFileIdent = live.syncFileIdent
    var snapshots = [(State.live, live)]
    var seen: Set<UInt64?> = [live.topRef]
    func add(_ state: State, _ choice: SnapshotChoice, version: UInt64? = nil) throws {
      // Both sides of a comparison are read at the same time, so that pages are not shared.
      let bytes = try realm.bytes.withoutPages()
      guard
        let snapshot = try? Snapshot(of: bytes.store, wasDecrypted: bytes.isEncrypted, choosing: choice),
        version == nil || snapshot.version == version, seen.insert(snapshot.topRef).inserted
      else { return }
      snapshots.append((state, snapshot))
    }
    try add(.previous, .previous)
    for entry in inUse ?? [] where entry.topRef > 0 && entry.readerCount > 0 {
      try add(.inUse, .at(topRef: entry.topRef), version: entry.version)
    }
    snapshots.sort { $0.1.version > $1.1.version }
    entries = snapshots.map { Entry($0, $1, inUse: inUse) }
    for newer in entries.indices.dropLast() {
      do {
        entries[newer].changes = try Self.changes(from: snapshots[newer + 1].1, to: snapshots[newer].1, onProgress)
      } catch InputError.input(let side, let error) {
        guard let damage = error as? StorageError else { throw error }
        let isOld = side == 0
        entries[isOld ? newer + 1 : newer].damage = damage.description
        // The older one is read first; what is damaged there may be a part of both.
        guard isOld, entries[newer].damage == nil else { continue }
        let check = try SourceCheck(of: snapshots[newer].1)
        entries[newer].damage = check.findings.first { $0.severity == .error }?.message
      }
    }
  }

  private static func changes(
    from old: Snapshot, to new: Snapshot, _ onProgress: @escaping @Sendable () throws -> Void
  ) throws -> Changes {
    let difference = try RealmDifference(from: old, to: new) { _ in try onProgress() }
    var changes = Changes(schema: difference.schema.changes.count { $0.text != nil })
    for pair in difference.pairs() {
      for change in try difference.compare(pair).changes {
        switch change {
        case .removed: changes.removed += 1
        case .added: changes.added += 1
        case .changed: changes.changed += 1
        }
      }
    }
    return changes
  }
}

extension RealmHistory.Entry {
  fileprivate init(_ state: RealmHistory.State, _ snapshot: Snapshot, inUse: [VersionsInUse.Entry]?) {
    (self.state, version, topRef) = (state, snapshot.version, snapshot.topRef)
    (fileFormat, logicalSize) = (snapshot.header.format, snapshot.logicalSize)
    schemaVersion = snapshot.schema.version
    objectCount =
      snapshot.damagedTables.isEmpty
      ? try? snapshot.tables.filter(\.schema.isClass).reduce(0) { $0 + (try $1.objectCount()) } : nil
    let number = snapshot.version
    readerCount = inUse.map { $0.reduce(0) { $1.version == number ? $0 + $1.readerCount : $0 } }
    damage = snapshot.damagedTables.first.map { "\($0.error)" }
  }
}
