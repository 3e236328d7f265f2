import RealmStorage

/// What a launch does apart from what its configuration says.
public struct LaunchOptions: Sendable {
  /// Where the result goes, which leaves the realm as it is; nil to change the realm.
  public var destination: Destination?
  /// What the caller reads for this launch, such as the files of key and schema: no output takes their place.
  public var inputs: [String] = []
  /// Whether everything is done except writing.
  public var dryRun = false
  /// How long to wait for a realm that is in use, and whether a backup is kept.
  public var access = InPlaceAccess(backup: .none)
  /// Which changes of a realm need a backup first.
  public var backupRule = BackupRule.whereNothingGoesBack
  /// Threads in addition to the caller's, for rebuilds.
  public var threadLimit = 0
  /// Whether the checker looks at the realm before it is changed, the free space of a file that is changed in place is
  /// proved to be free, and a file that is written as a whole is read again and compared.
  public var verifies = true
  /// Whether a change of objects in place verifies only what it writes: this is read again, and nothing is written to
  /// space that the file lists as free. Takes the same time for a file of any size.
  public var verifiesChangesOnly = false
  /// Whether a realm with findings is left alone. Has no effect unless `verifies` is set.
  public var requiresSoundSource = false
  /// Whether a changed realm is written without its free space, which still contains what was removed. Another file
  /// always is.
  public var compacts = false
  /// Whether a realm that this user may not write to is refused even if there is nothing to do, as the SDKs refuse it
  /// unless `readOnly` is set.
  public var requiresWritableFile = false
  /// Called with the progress of the work.
  public var progress: WorkProgress?

  /// As an app's launch, with checks.
  public init() {}

  /// A new file.
  public struct Destination: Sendable {
    /// The file; `-` for standard output.
    public var path: String
    /// Whether an existing file is replaced.
    public var isReplaced: Bool
    /// Encrypts the file; nil writes it plain.
    public var key: EncryptionKey?
    /// Whether nobody but its owner may use a new file; else it has the permissions of the realm.
    public var isPrivate: Bool

    var isStandardOutput: Bool { path == "-" }

    /// A file to write to.
    public init(path: String, isReplaced: Bool, key: EncryptionKey?, isPrivate: Bool = false) {
      (self.path, self.isReplaced, self.key, self.isPrivate) = (path, isReplaced, key, isPrivate)
    }
  }
}

/// Which changes of a realm need a backup first.
public enum BackupRule: Hashable, Sendable {
  /// All.
  case always
  /// Those that an app's launch could not undo: another file format, another schema, values that are lost, a realm that is
  /// deleted.
  case whereNothingGoesBack
}

/// What a launch did, or would do.
public struct LaunchOutcome: Sendable {
  /// What was done, in order.
  public var events: [OpeningEvent] = []
  /// What was done to the schema; nil if none was given.
  public var migration: MigrationOutcome?
  /// The copy that was made of the realm before it changed.
  public var backup: RealmBackup?
  /// Whether the file was compacted, or why not; nil if this was not asked for.
  public var compaction: LaunchCompaction?
  /// The result of rebuilding or copying the file.
  public var copy: WholeCopyReport?
  /// What the checker found in the realm before it was changed; nil if it was not checked.
  public var source: SourceCheck?
  /// What is wrong with the realm's free space, which a small change left alone.
  package var spaceFault: SpaceFault?
  /// Whether values that the migration removed are still in the file's free space.
  public var leavesRemovedValues = false
  /// The realm, where it is in memory only.
  package var memory: OpenedBytes?
  /// False if a new file may be gone after a power cut, because its folder could not be synced.
  public var isDurable = true
  /// Names of the file other than the one that it was opened by: an app that has it open by one of them was not seen,
  /// and if the file was replaced they keep the old one.
  public var otherNameCount: UInt64 = 0
  /// Whether the file is a new one, which has taken the place of the old one.
  public var replacesFile = false

  /// Nothing done yet.
  public init() {}

  /// The file format before an upgrade; nil without one.
  public var upgradedFrom: UInt8? {
    for case .upgradeFormat(let format) in events { return format }
    return nil
  }

  /// Whether a file was created or changed, or would be.
  public var changesFile: Bool { !events.isEmpty || compaction?.isDone == true }
}

/// The outcome of compacting on launch.
public enum LaunchCompaction: Hashable, Sendable {
  /// The configuration did not want it.
  case notWanted(SpaceUse)
  /// Another process has the realm open, which is not an error, as for an app.
  case inUse(SpaceUse)
  /// Bytes on disk before and after.
  case done(before: UInt64, after: UInt64)

  var isDone: Bool {
    if case .done = self { true } else { false }
  }
}
