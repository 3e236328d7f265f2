import LeaveRealm
import RealmInspection
import RealmStorage

/// Copies what can be saved of a damaged realm to another store.
///
/// `LeaveRealm` reads a damaged realm as well, object by object, as long as its list of classes is there. This searches the
/// whole file: lost headers, zeroed pages and a missing end do not keep the rest from being read. What is missing is taken
/// from older states that are still in the file, and no value is invented. The realm itself is only read.
///
/// ```swift
/// let rescue = try LeaveRealmRescue(of: path, key: key) { try target.checkpoint() }
/// print(rescue.account)
/// for saved in rescue.account.classes {
///   try rescue.run.copy(saved.name) { objects, checkpoint in
///     try target.transaction {
///       for object in objects { try target.insert(object) }
///       try target.setCheckpoint(checkpoint.text)
///     }
///   }
/// }
/// ```
public struct LeaveRealmRescue {
  /// The run, as of any other realm. Its account counts what was saved; `account` has what was not.
  public let run: LeaveRealm
  /// What was saved, and what was lost.
  public let account: RescuedContent

  /// Saves what there is into a private realm, which the run reads.
  ///
  /// - Parameters:
  ///   - path: of the realm. Any format from 2 to 24, plain or encrypted.
  ///   - key: of an encrypted realm; what is saved is encrypted with it as well.
  ///   - includesDoubtful: whether values are saved that something contradicts, or nothing confirms.
  ///   - temporaryFolder: see `LeaveRealm`.
  ///   - lockFile: see `LeaveRealm`.
  ///   - waitingMilliseconds: see `LeaveRealm`.
  ///   - checkpoint: see `LeaveRealm`. A checkpoint counts as long as not a byte of the file changes, and belongs to runs
  ///     with the same `includesDoubtful`, not to those of `LeaveRealm`.
  /// - Throws: `LeaveError`: as `LeaveRealm`; `damaged` if not even a class was found; `changing` if the file is
  ///   written to meanwhile.
  public init(
    of path: String, key: EncryptionKey? = nil, includesDoubtful: Bool = false, temporaryFolder: String? = nil,
    lockFile: String? = nil, waitingMilliseconds: UInt64 = 0, resuming checkpoint: () throws -> String?
  ) throws(LeaveError) {
    let policy = includesDoubtful ? RescueOptions.Policy.all : .trusted
    var saved = RescueAccount()
    run = try LeaveRealm(
      from: path, lockFile: lockFile, waitingMilliseconds: waitingMilliseconds, resuming: checkpoint
    ) {
      try Self.save(path, key, policy, in: temporaryFolder, &saved)
    }
    account = RescuedContent(saved)
  }

  private static func save(
    _ path: String, _ key: EncryptionKey?, _ policy: RescueOptions.Policy, in folder: String?,
    _ account: inout RescueAccount
  ) throws -> LeaveSource {
    let state = try state(of: path, policy)
    var options = RescueOptions()
    (options.policy, options.key) = (policy, key)
    // The folder is empty, and so may be removed by others, until the output is there: searching comes first.
    let rescue = RealmRescue(try RescueCatalog(RescueBytes.open(.path(path), key: key)), options)
    let (folder, output) = try CloneFolder.use(in: folder) { folder in
      (folder, try rescue.makeOutput(at: folder.path + "/rescued", replacing: .never, inputs: [path]))
    }
    // It can be removed once the file has lost its name, with `output`.
    defer {
      output.abandon()
      withExtendedLifetime(folder) {}
    }
    account = try rescue.write(to: output).account
    guard let name = output.temporaryPath, try Self.state(of: path, policy) == state else {
      throw OutputError.changedMeanwhile(path: path)
    }
    let realm = try Realm(path, ByteStore.open(.path(name), key: key))
    return LeaveSource(realm: realm, state: state) { try Self.state(of: path, policy) }
  }

  private static func state(of path: String, _ policy: RescueOptions.Policy) throws -> String {
    LeaveSource.state(try StreamDigest(ofFileAt: path), mark: policy.rawValue)
  }
}

/// What was saved of a damaged realm, and what was lost, as far as it is known.
public struct RescuedContent: Sendable, CustomStringConvertible {
  /// One class of what was saved.
  public struct Class: Sendable, CustomStringConvertible {
    /// The name, without `class_`; an invented one if it was lost.
    public let name: String
    /// Objects that were saved.
    public let savedCount: Int
    /// Those of them that only an older state has.
    public let olderCount: Int
    /// Objects that were lost; nil if their number is unknown.
    public let lostCount: Int?
    /// Values that were lost, and are now null or the default of their type, and links that are null or left out.
    public let lostValueCount: Int
    /// Values of an older state, or that something contradicts.
    public let uncertainValueCount: Int
    /// Properties of which nothing was saved.
    public let lostProperties: [String]
    /// Whether everything is there, as it was.
    public let isComplete: Bool

    /// One line: the counts.
    public var description: String {
      var parts = ["\(savedCount) saved", "\(lostCount.map(String.init) ?? "an unknown number") lost"]
      if olderCount > 0 { parts.append("\(olderCount) from an older state") }
      if lostValueCount > 0 { parts.append("\(lostValueCount) values lost") }
      if uncertainValueCount > 0 { parts.append("\(uncertainValueCount) values uncertain") }
      if !lostProperties.isEmpty { parts.append("lost: \(lostProperties.joined(separator: ", "))") }
      return "\(name): " + parts.joined(separator: "; ")
    }
  }

  /// The classes, in the order of the saved realm.
  public let classes: [Class]
  /// Names of classes and internal tables of which nothing was saved, as far as they are known.
  public let lostTables: [String]
  /// Whether everything is there, as it was. False also if more may be missing than is counted, because the lists of what
  /// there was are damaged.
  public let isComplete: Bool

  init(_ account: RescueAccount) {
    classes = account.classes.filter(\.isClass).map { saved in
      Class(
        name: saved.name.description, savedCount: saved.savedObjects, olderCount: saved.olderObjects,
        lostCount: saved.lostObjects, lostValueCount: saved.lostValues + saved.lostLinks,
        uncertainValueCount: saved.olderValues + saved.doubtfulValues,
        lostProperties: saved.lostProperties.map(\.description), isComplete: saved.isComplete)
    }
    lostTables = account.lostTables.map(\.description)
    isComplete = account.isComplete
  }

  /// A line for each class, and one for tables that are lost.
  public var description: String {
    (classes.map(\.description) + (lostTables.isEmpty ? [] : ["lost tables: \(lostTables.joined(separator: ", "))"]))
      .joined(separator: "\n")
  }
}
