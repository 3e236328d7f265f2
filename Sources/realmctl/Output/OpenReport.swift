import RealmExchange
import RealmStorage
import RealmTools

/// The facts that `open` reports.
struct OpenReport: Equatable {
  struct Class: Equatable {
    var name: RealmString
    var kind: TableKind
    /// False for internal tables.
    var isClass: Bool
    /// Nil if the objects cannot be counted; `damage` says why.
    var objectCount: Int?
    var primaryKey: RealmString?
  }

  var path: String
  /// Bytes on disk.
  var size: UInt64
  var fileFormat: UInt8
  /// The first releases that write this format; none for a file that nothing was written to yet.
  var oldestSDKs: [OldestSDK]
  var form: Header.Form
  var isEncrypted: Bool
  var history: HistoryKind
  var snapshotVersion: UInt64
  /// Nil if no app has set one, or if it cannot be read.
  var schemaVersion: UInt64?
  var isSchemaVersionUnreadable: Bool
  /// Nil if the list of free space is damaged.
  var freeBytes: UInt64?
  var usedBytes: UInt64?
  var holders: LockHolders
  var versionsInUse: VersionsInUse
  var classes: [Class]
  /// Classes that are missing from those.
  var unreadableClassCount: Int
  /// Tables that are no classes, whether or not they are among the classes.
  var internalTableCount: Int
  /// The number of objects in them if the file has no classes and they are not shown.
  var hiddenObjectCount = 0
  /// What could not be read.
  var damage: [Diagnostic]

  init(_ realm: OpenedRealm, includesInternalTables: Bool, classes selection: ClassSelection = .all) {
    let snapshot = realm.snapshot
    path = realm.bytes.path
    size = realm.bytes.physicalSize
    fileFormat = snapshot.header.format
    oldestSDKs = OldestSDK.writing(fileFormat)
    form = snapshot.header.form
    isEncrypted = realm.bytes.isEncrypted
    history = snapshot.historyKind
    snapshotVersion = snapshot.version
    (schemaVersion, isSchemaVersionUnreadable) = (snapshot.schema.version, snapshot.isSchemaVersionUnreadable)
    holders = realm.holders
    versionsInUse = realm.bytes.identity == nil ? .known(count: 0, oldest: nil) : .of(realm: path, heldBy: holders)
    classes = []
    unreadableClassCount = realm.damagedTables(in: selection, includesInternal: false).count
    damage = realm.damagedTables(in: selection)
    let internalTables = snapshot.tables.filter { !$0.schema.isClass }
    internalTableCount = internalTables.count
    if !includesInternalTables, internalTableCount == snapshot.tables.count, snapshot.damagedTables.isEmpty {
      hiddenObjectCount = internalTables.reduce(0) { $0 &+ ((try? $1.objectCount()) ?? 0) }
    }
    do {
      let free = try snapshot.freeSpace().byteCount
      freeBytes = free
      usedBytes = snapshot.logicalSize - min(free, snapshot.logicalSize)
    } catch {
      damage.append(Diagnostic("the list of free space", because: error, path: path))
    }
    for table in snapshot.tables where table.schema.isClass || includesInternalTables {
      if selection.contains(table.schema.displayName) { add(table) }
    }
  }

  private mutating func add(_ table: Table) {
    let schema = table.schema
    var entry = Class(
      name: schema.displayName, kind: schema.kind, isClass: schema.isClass, primaryKey: schema.primaryKey?.name)
    do {
      entry.objectCount = try table.objectCount()
    } catch {
      damage.append(Diagnostic("class '\(entry.name)'", because: error, path: path))
    }
    classes.append(entry)
  }
}
