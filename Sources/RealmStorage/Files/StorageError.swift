import Libc
import RealmSystem

// A part of `FileProblem`.
@_exported import enum RealmSystem.SpecialFile

/// Why something could not be read. Facts only; the command line turns them into sentences.
package enum StorageError: Error, Hashable, Sendable {
  /// The operating system, or the kind of file, prevents it.
  case file(FileProblem)
  /// The file is not a realm, or its head is damaged.
  case notARealm(HeaderProblem)
  /// A key is missing, wrong, or given for a plain file.
  case key(KeyProblem)
  /// The format is not one this library reads.
  case unsupportedFormat(UInt8)
  /// A place in the file contradicts the format.
  case corrupted(Corruption)
  /// Work that reads parts of the file repeatedly was stopped after this many bytes, which does not mean damage.
  case limitReached(RepeatedWork, byteCount: Int)

  /// A contradiction at the node that `ref` leads to.
  package static func corrupted(_ ref: Ref, _ reason: Corruption.Reason) -> StorageError {
    .corrupted(Corruption(ref: ref, reason: reason))
  }

  /// A call that has nothing to do with what the file is.
  init(_ error: SystemCallError) { self = .file(.systemCall(name: error.name, errorNumber: error.number)) }
}

/// Work that can exceed the size of the file by far, because it visits objects repeatedly.
package enum RepeatedWork: Hashable, Sendable {
  /// Writing linked objects where the links are.
  case inlineLinks
  /// Reading the rows of a table of SQL.
  case rows
  /// Following lists of links in a query.
  case query
}

/// The operating system's error about a file.
package enum FileProblem: Hashable, Sendable {
  case missing
  case isDirectory
  case permissionDenied
  /// Refused for every user: the file is immutable, or the device that protects its data is locked.
  case notPermitted
  /// A pipe, device or socket: refused before it is opened.
  case notARegularFile(kind: SpecialFile)
  /// A side file of a realm was given; the realm it belongs to.
  case sideFile(kind: SideFile, realm: String)
  /// A text that is read as a whole, with more bytes than this.
  case textTooLarge(limit: Int)
  /// Any other failed call.
  case systemCall(name: String, errorNumber: Int32)
}

extension SystemCallError {
  /// Its meaning for a file that was to be read.
  package var problem: FileProblem {
    switch number {
    case ENOENT, ENOTDIR: .missing
    case EISDIR: .isDirectory
    case EACCES: .permissionDenied
    case EPERM: .notPermitted
    default: .systemCall(name: name, errorNumber: number)
    }
  }
}

/// Files that engines and this tool put next to a realm (Docs/Format/1-container.md §8).
package enum SideFile: Hashable, Sendable {
  case lock, note, management, log, compactionLeftover, backup
}

/// What is wrong with the first bytes of a file (Docs/Format/1-container.md §1.4).
package enum HeaderProblem: Hashable, Sendable {
  case empty
  /// Fewer bytes than a header.
  case tooSmall(size: UInt64)
  /// Not a multiple of eight bytes.
  case oddSize(size: UInt64, hasMnemonic: Bool)
  /// No `T-DB` at offset 16. `wasDecrypted`: a key was given and page 0 passed its authentication.
  case wrongMnemonic(wasDecrypted: Bool)
  /// A key was given, and no encrypted realm has so few bytes.
  case encryptedTooSmall(size: UInt64)
  /// No header at all, as in files of the prototypes of 2011 and 2012: the file begins with the ref of its root
  /// (Docs/Format/4-file-versions.md §1.4).
  case prototype
  case streamingTooSmall(size: UInt64)
  case streamingFooter(cookie: UInt64)
  case topRefUnaligned(topRef: UInt64)
  case topRefOutside(size: UInt64, topRef: UInt64)
  case topArraySize(ref: UInt64, count: Int)
  case topArray(ref: UInt64)
  case logicalSize(UInt64, actual: UInt64)
  /// The requested snapshot is not in the file: there is no root at this offset (nil: the header names no older one).
  case noSuchSnapshot(topRef: UInt64?)
  /// A snapshot is requested, and the header that names the snapshots was overwritten.
  case snapshotsLost
}

/// What is wrong with an encryption key, or with its use.
package enum KeyProblem: Hashable, Sendable {
  /// The file looks encrypted and no key was given.
  case missing
  /// Authentication of page 0 failed: wrong key, or damage there.
  case wrong(fileSize: UInt64)
  /// The file is not encrypted.
  case notEncrypted
  /// A key has 64 bytes. The form is that of the text it was read from, in words; nil for raw bytes.
  case wrongLength(Int, readAs: String? = nil)
  /// The text is neither hex digits nor Base64 nor a JSON array of small numbers.
  case malformed
  /// The environment variable for the key does not exist.
  case variableNotSet(String)
  /// There is no terminal to ask on.
  case noTerminal
}

/// A place in the file that contradicts the format.
package struct Corruption: Hashable, Sendable {
  /// The node that contradicts the format; null if it is not known, or the reason is not about a single one.
  package let ref: Ref
  /// What is wrong there.
  package let reason: Reason

  /// Where the node is: bytes from the start of the file, decrypted; nil if that is not known.
  package var offset: UInt64? { ref.isNull ? nil : ref.rawValue }

  /// A contradiction at a node.
  package init(ref: Ref, reason: Reason) {
    self.ref = ref
    self.reason = reason
  }

  /// What is wrong with a place in a file.
  package enum Reason: Hashable, Sendable {
    /// Not a multiple of eight, or inside the file header.
    case misplacedRef
    case beyondEndOfFile
    /// A child that must exist is missing (ref 0).
    case missingNode
    case unexpectedNodeKind(expected: String)
    /// The bits that say how elements are packed have a value that does not exist.
    case unknownWidthScheme
    case wrongElementCount(expected: Int, found: Int)
    case tooManyElements(Int)
    case badWidth(Int)
    case indexOutOfRange(Int, count: Int)
    case valueOutOfRange(String)
    case offsetsNotAscending
    case tooDeep
    /// The walk has seen more nodes than fit in the file: refs form a cycle.
    case visitedTooOften
    case unknownType(Int)
    case danglingLink(key: Int64)
    /// Encrypted page that fails authentication, was never written, or is cut off.
    case unreadablePage(index: Int)
    /// A page of the file that could not be read from the disk.
    case readFailed(errorNumber: Int32)
    case badTable(String)
  }
}

/// Why an output could not be written. In every case the previous file of that name is unchanged.
package enum OutputError: Error, Hashable, Sendable {
  /// A file of that name exists, and must not be replaced.
  case exists(path: String)
  /// It is a file that is being read.
  case isInput(path: String)
  /// The name is one that only lock files have.
  case isLockFile(path: String)
  /// The realm that is to be replaced cannot be locked.
  case access(AccessError)
  case isDirectory(path: String)
  /// A folder was to be written, and something else has that name.
  case notADirectory(path: String)
  /// A device or pipe of that name cannot store a file that is written in any order and checked afterwards.
  case notARegularFile(path: String)
  /// The folder of the output does not exist.
  case folderMissing(path: String)
  /// Bytes needed and bytes available.
  case noSpace(path: String, needed: UInt64, available: UInt64)
  /// The file that was to be replaced belongs to another user, and the system does not let this user give files away.
  case cannotKeepOwner(path: String, owner: UInt32, group: UInt32)
  /// The attribute (such as an access control list) of the file that was to be replaced cannot be copied.
  case cannotKeepAttribute(path: String, name: String, errorNumber: Int32)
  /// A symbolic link that leads to itself, or through too many others.
  case linksInCircles(path: String)
  /// A symbolic link of another user, in a folder where everybody may make one, is not followed.
  case linkOfAnother(path: String, link: String)
  /// A pipe of another user, in a folder where everybody may make one, is not written to.
  case pipeOfAnother(path: String)
  /// The file that was to be replaced is no longer the one that was read.
  case changedMeanwhile(path: String)
  /// A call of the operating system failed, for instance with `ENOSPC`.
  case systemCall(path: String, name: String, errorNumber: Int32)
  /// The same for a temporary file in a folder.
  case temporary(folder: String, name: String, errorNumber: Int32)

  init(_ path: String, _ error: SystemCallError) {
    self = .systemCall(path: path, name: error.name, errorNumber: error.number)
  }
}

/// Why something could not be done with a realm: the one error that the library throws.
///
/// ```swift
/// do { realm = try Realm.open(at: "app.realm") } catch {
///   guard error.kind == .key else { throw error }
///   realm = try Realm.open(at: "app.realm", key: askForKey())
/// }
/// ```
public struct RealmError: Error, CustomStringConvertible {
  /// What to do about it differs by this.
  public enum Kind: Hashable, Sendable {
    /// There is no such file.
    case notFound
    /// The file is not a realm.
    case notARealm
    /// A key is missing, wrong, or given for a plain file.
    case key
    /// The format of the file is not one that can be read, or not one that can be changed in place.
    case format
    /// A place in the file contradicts the format.
    case damaged
    /// Work was stopped at a limit; the file may be undamaged.
    case limit
    /// Another process has the realm open.
    case inUse
    /// An app has changed the file since it was opened, so that what is not read yet may be overwritten: open it again.
    case changed
    /// A change that the realm cannot store, or that is not allowed.
    case change
    /// The configuration contradicts itself, or its schema does not fit the stored one.
    case schema
    /// A value is not what the program asked for: a class or property is missing, or it is null or of another type.
    case value
    /// A query that is not one, or that does not fit the class.
    case query
    /// The last step of a change failed: the realm has the old or the new content, whole. Open it to see which.
    case unsettled
    /// The operating system prevents it.
    case system
  }

  /// The path of the realm, as given.
  public let path: String
  /// What went wrong. A `NameError`, a `ValueMismatch`, or a `QueryError` of RealmQuery can be looked at; everything else
  /// only has a text.
  public let cause: any Error

  /// - Parameter cause: an error of this type is returned as it is.
  package init(path: String, _ cause: any Error) {
    if let error = cause as? RealmError { self = error } else { (self.path, self.cause) = (path, cause) }
  }

  /// What kind of error it is.
  public var kind: Kind { (cause as? any RealmErrorCause)?.kind ?? .system }

  /// One line: the path and what is wrong.
  public var description: String { "\(path): \(cause)" }

  /// Runs `body`, and gives its errors the path of the realm.
  package static func wrapping<Result>(_ path: String, _ body: () throws -> Result) throws(RealmError) -> Result {
    do { return try body() } catch { throw RealmError(path: path, error) }
  }

  /// Runs `body`, and throws the cause of a `RealmError` instead of the error, for code that looks at it.
  package static func uncovering<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as RealmError { throw error.cause }
  }
}

/// An error that knows its kind, and what is wrong in a few words.
package protocol RealmErrorCause: Error, CustomStringConvertible {
  var kind: RealmError.Kind { get }
}
