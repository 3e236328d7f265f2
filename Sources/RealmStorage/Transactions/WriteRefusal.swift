/// Why a realm is not changed in place.
package enum WriteRefusal: Error, Hashable, Sendable {
  /// The format is below 24; the file would have to be upgraded first.
  case olderFormat(UInt8)
  /// A local commit to a synced file would put the state of its synchronization out of step
  /// (Docs/Format/1-container.md §3.7).
  case synced(HistoryKind)
  /// The history is of an unknown kind or layout.
  case unknownHistory(HistoryProblem)
  /// A test build of the engine made the file, with four entries per node: what is added would have more, under other keys
  /// (Docs/Format/4-file-versions.md §3.11).
  case testBuild
  /// Space that a transaction would write to is not free: the next write would destroy what is there. A copy of the
  /// realm does not use the list of free space, and has a correct one.
  case spaceInUse(SpaceFault)
  /// A transaction is under way already.
  case transactionOpen
  /// A write or a sync went wrong before: open the file again.
  case failedBefore
}

/// The last step of a commit failed, and it is unknown whether it took effect: the file has the old state or the new
/// one, whole.
package struct UnsettledCommit: Error {
  /// What went wrong.
  package let cause: any Error
  /// Whether it did take effect, and only reading the file afterwards failed: nothing is undone.
  package var isDone = false
}

/// Why a change is refused. The transaction can continue, unless stated otherwise.
package enum EditError: Error, Hashable, Sendable {
  case noSuchTable(RealmString)
  case noSuchProperty(table: RealmString, property: RealmString)
  case noSuchObject(table: RealmString, key: ObjectKey)
  /// There is an object with that primary key.
  case primaryKeyInUse(table: RealmString, Value)
  /// Two objects have the same primary key when the transaction is to be committed.
  case equalPrimaryKeys(table: RealmString)
  /// Objects of a table with a primary key are created with one, those of others without.
  case primaryKeyMismatch(table: RealmString)
  /// Embedded objects are created only through a property of their parent, and have no primary key.
  case embeddedObject(table: RealmString)
  /// Mixed values do not link to objects of embedded and asymmetric classes.
  case notLinkable(table: RealmString)
  /// The file has damage or leftovers that a transaction must not build on.
  case unsound(table: RealmString)
  /// A table that others link to is not removed.
  case isLinkTarget(table: RealmString)
  /// An index beyond the end of a list.
  case noSuchElement(index: Int, count: Int)
  /// A primary key changes only in a migration.
  case fixedPrimaryKey(table: RealmString)
  /// An object that was taken from another transaction.
  case otherTransaction(table: RealmString)
  /// Objects of a transaction are used on its thread.
  case otherThread
  /// The transaction has ended.
  case ended
}

extension WriteRefusal: RealmErrorCause {
  package var kind: RealmError.Kind {
    switch self {
    case .olderFormat, .unknownHistory, .synced, .testBuild: .format
    case .spaceInUse: .damaged
    case .transactionOpen, .failedBefore: .change
    }
  }

  /// What is wrong, in lower case and without the path.
  package var description: String {
    switch self {
    case .olderFormat(let format): "the file has format \(format), which cannot be changed in place"
    case .synced: "the file belongs to Device Sync"
    case .unknownHistory: "the file has a history of unknown kind"
    case .testBuild: "a test build of the engine wrote the file (four entries per node), so it cannot be changed"
    case .spaceInUse(let fault): "\(fault), so nothing was changed"
    case .transactionOpen: "a transaction is under way"
    case .failedBefore: "an earlier write failed: open the file again"
    }
  }
}

extension SpaceFault: CustomStringConvertible {
  /// What is wrong, in lower case and without the path.
  package var description: String {
    switch self {
    case .listed: "the list of free space is wrong and writing would destroy data"
    case .beyondEnd: "the recorded size of the used part is wrong and writing would destroy data"
    case .shared: "parts of the file overlap and writing would destroy data"
    case .list: "the list of free space is damaged"
    }
  }
}

extension EditError: RealmErrorCause {
  package var kind: RealmError.Kind { if case .unsound = self { .damaged } else { .change } }

  /// What is wrong, in lower case and without the path.
  package var description: String {
    switch self {
    case .noSuchTable(let name): "no class '\(TableSchema.displayName(ofTable: name))'"
    case .noSuchProperty(let table, let property):
      "'\(TableSchema.displayName(ofTable: table))' has no property '\(property)'"
    case .noSuchObject(let table, let key):
      "class '\(TableSchema.displayName(ofTable: table))' has no object \(key.rawValue)"
    case .primaryKeyInUse(let table, _):
      "'\(TableSchema.displayName(ofTable: table))' already has an object with that primary key"
    case .equalPrimaryKeys(let table):
      "objects of class '\(TableSchema.displayName(ofTable: table))' have the same primary key"
    case .primaryKeyMismatch(let table):
      "objects of class '\(TableSchema.displayName(ofTable: table))' need a primary key if the class has one, and otherwise must not have one"
    case .embeddedObject(let table):
      "'\(TableSchema.displayName(ofTable: table))' is an embedded class: set its objects through a property of their parents"
    case .notLinkable(let table):
      "a Mixed value cannot link to objects of class '\(TableSchema.displayName(ofTable: table))', which is embedded or asymmetric"
    case .unsound(let table):
      "'\(TableSchema.displayName(ofTable: table))' is damaged, so it cannot be changed"
    case .isLinkTarget(let table): "Cannot remove \(table) that is target of outside links"
    case .noSuchElement(let index, let count): "no element \(index) in a list of \(count)"
    case .fixedPrimaryKey: "Primary key can't be changed after an object is inserted."
    case .otherTransaction(let table):
      "the object of class '\(TableSchema.displayName(ofTable: table))' belongs to another transaction"
    case .otherThread: "the transaction has ended, or runs on another thread"
    case .ended: "the transaction has ended"
    }
  }
}

extension BuildError: RealmErrorCause {
  package var kind: RealmError.Kind { .change }
}

/// An error that refuses a change, after which the transaction can continue.
package protocol ChangeRefusal: RealmErrorCause {}
extension EditError: ChangeRefusal {}
extension BuildError: ChangeRefusal {}

extension UnsettledCommit: RealmErrorCause {
  package var kind: RealmError.Kind { .unsettled }

  /// What is wrong, in lower case and without the path.
  package var description: String {
    let what =
      isDone
      ? "the change was made, but the file could not be read afterwards"
      : "the last step failed, so the file has either the old or the new content"
    return "\(what) (\(cause))"
  }
}
