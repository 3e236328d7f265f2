extension WriteRefusal: RealmErrorCause {
  package var kind: RealmError.Kind {
    switch self {
    case .olderFormat, .unknownHistory, .synced, .testBuild: .format
    case .spaceInUse: .damaged
    case .transactionOpen, .failedBefore: .change
    }
  }

  /// What is wrong, in lower case and without the path.
  public var description: String {
    switch self {
    case .olderFormat(let format): "the file has format \(format), which cannot be changed in place"
    case .synced: "the file belongs to Device Sync"
    case .unknownHistory: "the history of the file is of an unknown kind"
    case .testBuild: "a test build of the engine wrote the file (four entries per node), so it cannot be changed"
    case .spaceInUse(let fault): "\(fault), so nothing was changed"
    case .transactionOpen: "a transaction is under way"
    case .failedBefore: "an earlier write failed: open the file again"
    }
  }
}

extension SpaceFault: CustomStringConvertible {
  /// What is wrong, in lower case and without the path.
  public var description: String {
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
  public var description: String {
    switch self {
    case .noSuchTable(let name): "no class '\(TableSchema.displayName(ofTable: name))'"
    case .noSuchProperty(let table, let property):
      "no property '\(TableSchema.displayName(ofTable: table)).\(property)'"
    case .noSuchObject(let table, let key):
      "'\(TableSchema.displayName(ofTable: table))' has no object \(key.rawValue)"
    case .primaryKeyInUse(let table, _):
      "'\(TableSchema.displayName(ofTable: table))' has an object with that primary key"
    case .equalPrimaryKeys(let table):
      "objects of '\(TableSchema.displayName(ofTable: table))' have the same primary key"
    case .primaryKeyMismatch(let table):
      "objects of '\(TableSchema.displayName(ofTable: table))' need a primary key if the class has one, and otherwise must not have one"
    case .embeddedObject(let table):
      "objects of '\(TableSchema.displayName(ofTable: table))' are embedded: create them through their parents"
    case .notLinkable(let table):
      "a Mixed value cannot link to objects of '\(TableSchema.displayName(ofTable: table))', which is not top-level"
    case .unsound(let table):
      "'\(TableSchema.displayName(ofTable: table))' is damaged, so it cannot be changed"
    case .noSuchElement(let index, let count): "no element \(index) in a list of \(count)"
    case .ended: "the transaction has ended"
    }
  }
}

extension TableRemovalError: RealmErrorCause {
  package var kind: RealmError.Kind { .change }
}

extension BuildError: RealmErrorCause {
  package var kind: RealmError.Kind { .change }
}

extension UnsettledCommit: RealmErrorCause {
  package var kind: RealmError.Kind { .system }

  /// What is wrong, in lower case and without the path.
  public var description: String {
    "the last step failed, so the file has either the old or the new content (\(cause))"
  }
}

extension UnreadableCommit: RealmErrorCause {
  package var kind: RealmError.Kind { .system }

  /// What is wrong, in lower case and without the path.
  public var description: String {
    "the change was made, but the file could not be read afterwards (\(cause))"
  }
}
