import Libc
import RealmSystem

extension StorageError: RealmErrorCause {
  package var kind: RealmError.Kind {
    switch self {
    case .file(.missing): .notFound
    case .file: .system
    case .notARealm(.prototype), .unsupportedFormat: .format
    case .notARealm(let problem): problem.meansDamage ? .damaged : .notARealm
    case .key: .key
    // The device was locked, or rights were taken away, after the file was opened.
    case .corrupted(let corruption)
    where corruption.reason == .readFailed(errorNumber: EPERM) || corruption.reason == .readFailed(errorNumber: EACCES):
      .system
    case .corrupted: .damaged
    case .limitReached: .limit
    }
  }

  /// What is wrong, in lower case and without the path.
  package var description: String {
    switch self {
    case .file(let problem): problem.description
    case .notARealm(let problem): problem.description
    case .key(let problem): problem.description
    case .unsupportedFormat(let format): "unsupported file format version \(format)"
    case .corrupted(let corruption): corruption.description
    case .limitReached(let work, let byteCount): "\(work) would read more than \(byteCount) bytes"
    }
  }
}

extension RepeatedWork: CustomStringConvertible {
  /// The work, as the beginning of a sentence.
  package var description: String {
    switch self {
    case .inlineLinks: "writing linked objects inline"
    case .rows: "reading the rows"
    case .query: "the query"
    }
  }
}

extension FileProblem: CustomStringConvertible {
  /// What is wrong, in lower case and without the path.
  package var description: String {
    switch self {
    case .missing: "no such file or directory"
    case .isDirectory: "is a directory"
    case .permissionDenied: "permission denied"
    case .notPermitted: "operation not permitted"
    case .notARegularFile(let kind): "is \(kind.rawValue), not a regular file"
    case .sideFile(let kind, _): "is \(kind) of a realm, not the realm itself"
    case .textTooLarge(let limit): "the text is longer than \(limit >> 20) MiB"
    case .systemCall(let name, let errorNumber): "\(name): \(SystemCallError.text(errorNumber))"
    }
  }
}

extension SideFile: CustomStringConvertible {
  /// What is wrong, in lower case and without the path.
  package var description: String {
    switch self {
    case .lock: "the lock file"
    case .note: "the notification pipe"
    case .management: "the management folder"
    case .log: "a log file"
    case .compactionLeftover: "the leftover of an interrupted compaction"
    case .backup: "a backup"
    }
  }
}

extension HeaderProblem: CustomStringConvertible {
  /// What is wrong, in lower case and without the path.
  package var description: String {
    switch self {
    case .empty: "the file is empty"
    case .tooSmall, .oddSize(_, hasMnemonic: false), .wrongMnemonic(wasDecrypted: false): "not a Realm file"
    case .encryptedTooSmall: "the file is too small for an encrypted realm, which has 8,192 bytes or more"
    case .prototype: "a file without a header, as prototypes of Realm wrote in 2011 and 2012"
    case .wrongMnemonic(wasDecrypted: true): "the decrypted file is not a realm"
    case .oddSize: "the size of the file is wrong"
    case .streamingTooSmall, .streamingFooter: "the file has been cut off"
    case .topRefOutside: "the file has been cut off, or its header is damaged"
    case .logicalSize(let size, let actual) where size > actual: "the file has been cut off"
    case .topRefUnaligned, .topArraySize, .topArray, .logicalSize: "the root of the file is damaged"
    case .noSuchSnapshot(nil): "the file has no older snapshot"
    case .noSuchSnapshot(let topRef?): "no snapshot at byte \(topRef) of the file"
    case .snapshotsLost: "the header is lost, so the snapshots are unknown"
    }
  }
}

extension KeyProblem: CustomStringConvertible {
  /// What is wrong, in lower case and without the path.
  package var description: String {
    switch self {
    case .missing: "not a Realm file, or encrypted"
    case .wrong: "wrong encryption key, or the file is damaged"
    case .notEncrypted: "the file is not encrypted"
    case .wrongLength(let count, let form):
      "Encryption key must be 64 bytes (got \(count)\(form.map { ", read as \($0)" } ?? ""))"
    case .malformed: "not a valid encryption key"
    case .variableNotSet(let name): "the environment variable \(name) is not set"
    case .noTerminal: "the key cannot be asked for without a terminal"
    }
  }
}

extension Corruption: CustomStringConvertible {
  /// What is wrong, in lower case and without the path.
  package var description: String {
    "the file is damaged: \(reason)" + (ref.isNull ? "" : " (node \(ref))")
  }
}

extension Corruption.Reason: CustomStringConvertible {
  /// The reason as the end of the sentence "the file is damaged: …".
  package var description: String {
    switch self {
    case .misplacedRef: "a ref is misaligned or points into the header"
    case .beyondEndOfFile: "a node lies outside the file"
    case .missingNode: "a node that must exist is missing"
    case .unexpectedNodeKind(let expected): "a node has the wrong kind for its place, expected \(expected)"
    case .unknownWidthScheme: "a node has an impossible width scheme"
    case .wrongElementCount(let expected, let found):
      "a node has \(found) \(found == 1 ? "element" : "elements") instead of \(expected)"
    case .tooManyElements(let count): "a node claims \(count) elements, more than fit"
    case .badWidth(let width): "a node has elements of width \(width), which its kind does not allow"
    case .indexOutOfRange(let index, let count):
      "element \(index) is missing from a node with \(count) \(count == 1 ? "element" : "elements")"
    case .valueOutOfRange(let what): "a value is out of range: \(what)"
    case .offsetsNotAscending: "the offsets in a node are out of order"
    case .tooDeep: "a tree is nested too deeply"
    case .visitedTooOften: "refs form a cycle"
    case .unknownType(let type): "type \(type) is unknown"
    case .danglingLink(let key): "a link points to object \(key), which does not exist"
    case .unreadablePage(let index): "encrypted page \(index) fails its check"
    case .readFailed(let errorNumber): "the disk cannot be read here: \(SystemCallError.text(errorNumber))"
    case .badTable(let what): what
    }
  }
}

extension ValueMismatch: RealmErrorCause {
  package var kind: RealmError.Kind { .value }
}

extension AccessError: RealmErrorCause {
  package var kind: RealmError.Kind { if case .inUse = self { .inUse } else { .system } }

  /// What is wrong, in lower case and without the path.
  package var description: String {
    switch self {
    case .inUse(_, _, 0): "the file is in use by another process"
    case .inUse(_, _, let milliseconds):
      "the file is still in use by another process after \(Self.seconds(milliseconds)) s"
    case .notALockFile(_, let problem): "\(problem), so nothing was changed"
    case .systemCall(_, let name, let number):
      "the lock file cannot be used: \(name): \(SystemCallError.text(number))"
    }
  }
}

extension AccessError {
  /// `1`, `0.25`
  private static func seconds(_ milliseconds: UInt64) -> String {
    let fraction = milliseconds % 1000
    guard fraction > 0 else { return "\(milliseconds / 1000)" }
    return "\(Double(milliseconds) / 1000)"
  }
}

extension LockFileProblem: CustomStringConvertible {
  /// What is wrong, in lower case and without the path.
  package var description: String {
    switch self {
    case .symbolicLink: "is a symbolic link, not the realm's lock file"
    case .notARegularFile: "is not a regular file; expected a lock file"
    case .realm: "is another name of the realm itself, not its lock file"
    case .otherContent: "is not a realm's lock file"
    }
  }
}

extension OutputError: RealmErrorCause {
  package var kind: RealmError.Kind {
    switch self {
    case .access(let error): error.kind
    case .changedMeanwhile: .changed
    default: .system
    }
  }

  /// What is wrong, in lower case and without the path.
  package var description: String {
    switch self {
    case .exists: "the output already exists"
    case .isInput: "the output is one of the inputs"
    case .isLockFile: "the name is reserved for a lock file"
    case .access(let error): error.description
    case .isDirectory: "is a directory"
    case .notADirectory: "is not a folder"
    case .folderMissing: "the folder of the output does not exist"
    case .notARegularFile: "is not a file"
    case .noSpace: "no space left"
    case .cannotKeepOwner: "the new file cannot keep the owner and the group of the old one"
    case .cannotKeepAttribute(_, let name, _):
      "the new file cannot keep the extended attribute '\(name)' of the old one"
    case .linksInCircles: "the symbolic link has no target"
    case .linkOfAnother(_, let link):
      "the symbolic link \(link) belongs to another user, in a folder that everybody can write to"
    case .pipeOfAnother: "the pipe belongs to another user, in a folder that everybody can write to"
    case .changedMeanwhile: "the file changed while it was read"
    case .systemCall(_, let name, let number): "\(name): \(SystemCallError.text(number))"
    case .temporary(_, _, ENOSPC): "no space left for a temporary file"
    case .temporary(_, let name, let number):
      "temporary files cannot be used: \(name): \(SystemCallError.text(number))"
    }
  }
}
