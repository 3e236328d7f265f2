import RealmStorage

/// What a run did, per class.
///
/// Three witnesses count the objects of a class: the number that the file stores, the walk over its objects, and the
/// checkpoints that were stored with them. Only if they agree does the account say that everything was read.
public struct LeaveAccount: Sendable, CustomStringConvertible {
  /// One class of the realm, or one internal table that was copied.
  public struct Class: Sendable {
    /// The name, without `class_`.
    public let name: String
    /// Whether its objects are parts of others, which have them in them.
    public let isEmbedded: Bool
    /// Objects as the file stores their number; nil if it cannot be read.
    public internal(set) var storedCount: Int?
    /// Objects that the walk of this run came by, those included that earlier runs have copied; nil if the class was not
    /// copied in this run.
    public internal(set) var walkedCount: Int?
    /// Objects that were read, according to the checkpoints of this run and of earlier ones.
    public internal(set) var readCount = 0
    /// Those of them that are in the target: their checkpoint was stored.
    public var writtenCount: Int { readCount - skippedCount }
    /// Those of them that are not in the target.
    public internal(set) var skippedCount = 0
    /// The first 20 of these.
    public internal(set) var skipped: [LeaveSkip] = []
    /// Properties that nobody asked for.
    public internal(set) var unread: [String] = []
    /// Names that were asked for, and that the class lacks; their values were null.
    public internal(set) var missing: [String] = []
    /// Parts of the class that cannot be read, the first 20.
    public internal(set) var damage: [RealmError] = []
    /// Whether the client said that it does without this class.
    public internal(set) var isLeftOut = false
    /// The result of `LeaveRealm.verify`; nil if the class was not verified in this run.
    public internal(set) var verification: LeaveVerification?

    init(name: String, isEmbedded: Bool) { (self.name, self.isEmbedded) = (name, isEmbedded) }

    /// Whether all witnesses agree that each object was read, or skipped and named. Of a class that was not copied: whether
    /// it has no objects of its own.
    public var isComplete: Bool {
      guard damage.isEmpty, let storedCount else { return false }
      guard let walkedCount else { return isEmbedded || storedCount == 0 }
      return storedCount == walkedCount && walkedCount == readCount
    }
  }

  /// In the order of the file.
  public let classes: [Class]

  init(classes: [Class]) { self.classes = classes }

  /// Whether each class is complete, or is left out and undamaged.
  public var isComplete: Bool { classes.allSatisfy { $0.isComplete || $0.isLeftOut && $0.damage.isEmpty } }

  /// Objects that are not in the target, whether they could not be read or the client did not want them.
  public var skippedCount: Int { classes.reduce(0) { $0 + $1.skippedCount } }

  /// The class of that name; nil if there is none.
  public subscript(_ name: String) -> Class? { classes.first { $0.name == name } }

  /// A line for each class.
  public var description: String { classes.map(\.description).joined(separator: "\n") }
}

extension LeaveAccount.Class: CustomStringConvertible {
  /// One line: the counts, and what is not as it should be.
  public var description: String {
    var parts: [String] = []
    if walkedCount == nil {
      let count = storedCount.map { "\($0) objects" } ?? "unknown number of objects"
      parts.append(isLeftOut ? "left out, \(count)" : isEmbedded ? "part of others, \(count)" : "not copied, \(count)")
    } else {
      parts.append("\(writtenCount) written")
      if skippedCount > 0 { parts.append("\(skippedCount) skipped") }
      if !isComplete {
        parts.append("\(readCount) read of \(storedCount.map(String.init) ?? "an unknown number")")
      }
    }
    if !unread.isEmpty { parts.append("not read: \(unread.joined(separator: ", "))") }
    if !missing.isEmpty { parts.append("missing: \(missing.joined(separator: ", "))") }
    if !damage.isEmpty { parts.append("\(damage.count) damaged parts") }
    return "\(name): " + parts.joined(separator: "; ")
  }
}
