/// Why something could not be read. Facts only; the command line makes the sentences (`Docs/Format` and the error
/// catalogue name the cases).
public enum StorageError: Error, Hashable, Sendable {
  /// The operating system, or the kind of file, stands in the way.
  case file(FileProblem)
  /// The file is not a realm, or its head is damaged.
  case notARealm(HeaderProblem)
  /// A key is missing, wrong, or given for a plain file.
  case key(KeyProblem)
  /// The format is not one this library reads.
  case unsupportedFormat(UInt8)
  /// A place in the file contradicts the format.
  case corrupted(Corruption)
  /// Work was cut off that reads parts of the file again and again, after so many bytes. This says nothing of the file.
  case limitReached(RepeatedWork, byteCount: Int)

  /// A contradiction at the node that `ref` leads to.
  public static func corrupted(_ ref: Ref, _ reason: Corruption.Reason) -> StorageError {
    .corrupted(Corruption(ref: ref, reason: reason))
  }
}

/// Work that can be far more than the file is large, because objects are met again and again.
public enum RepeatedWork: Hashable, Sendable {
  /// Writing linked objects where the links are.
  case inlineLinks
  /// Following lists of links in a query.
  case query
}

/// What the operating system said of a file.
public enum FileProblem: Hashable, Sendable {
  case missing
  case isDirectory
  case permissionDenied
  /// Refused whoever asks: the file is immutable, or the device is locked that protects its data.
  case notPermitted
  /// A pipe, device or socket: refused before it is opened.
  case notARegularFile(kind: SpecialFile)
  /// A side file of a realm was given; the realm it belongs to.
  case sideFile(kind: SideFile, realm: String)
  /// Any other failed call.
  case systemCall(name: String, errorNumber: Int32)
}

/// Files that block or have no size.
public enum SpecialFile: String, Hashable, Sendable {
  case pipe = "a named pipe"
  case characterDevice = "a character device"
  case blockDevice = "a block device"
  case socket = "a socket"
}

/// Files that engines and this tool put beside a realm (Docs/Format/1-container.md §8).
public enum SideFile: Hashable, Sendable {
  case lock, note, management, log, compactionLeftover, backup
}

/// What is wrong with the first bytes of a file (Docs/Format/1-container.md §1.4).
public enum HeaderProblem: Hashable, Sendable {
  case empty
  /// Fewer bytes than a header.
  case tooSmall(size: UInt64)
  /// Not a multiple of eight bytes.
  case oddSize(size: UInt64)
  /// No `T-DB` at offset 16. `wasDecrypted`: a key was given and page 0 passed its authentication.
  case wrongMnemonic(wasDecrypted: Bool)
  /// No header at all, as prototypes of 2011 and 2012 wrote: the file begins with the ref of its root
  /// (Docs/Format/4-file-versions.md §1.4).
  case prototype
  case streamingTooSmall(size: UInt64)
  case streamingFooter(cookie: UInt64)
  case topRefUnaligned(topRef: UInt64)
  case topRefOutside(size: UInt64, topRef: UInt64)
  case topArraySize(ref: UInt64, count: Int)
  case topArray(ref: UInt64)
  case logicalSize(UInt64, actual: UInt64)
  /// The snapshot that was asked for is not in the file: no root is there (0: the header names no older one).
  case noSuchSnapshot(topRef: UInt64)
}

/// What is wrong with an encryption key, or with its use.
public enum KeyProblem: Hashable, Sendable {
  /// The file looks encrypted and no key was given.
  case missing
  /// Authentication of page 0 failed: wrong key, or damage there.
  case wrong(fileSize: UInt64)
  /// The file is not encrypted.
  case notEncrypted
  /// A key has 64 bytes.
  case wrongLength(Int)
  /// The text is neither hex digits nor Base64 nor a JSON array of small numbers.
  case malformed
  /// The environment variable that should hold the key does not exist.
  case variableNotSet(String)
  /// There is no terminal to ask at.
  case noTerminal
}

/// A place in the file that contradicts the format.
public struct Corruption: Hashable, Sendable {
  /// The byte offset of the node, in the plaintext.
  public let ref: Ref
  /// What is wrong there.
  public let reason: Reason

  /// A contradiction at a node.
  public init(ref: Ref, reason: Reason) {
    self.ref = ref
    self.reason = reason
  }

  /// What is wrong with a place in a file.
  public enum Reason: Hashable, Sendable {
    /// Not a multiple of eight, or inside the file header.
    case misplacedRef
    case beyondEndOfFile
    /// A child that must exist is missing (ref 0).
    case missingNode
    case unexpectedNodeKind(expected: String)
    case wrongElementCount(expected: Int, found: Int)
    case tooManyElements(Int)
    case badWidth(Int)
    case indexOutOfRange(Int, count: Int)
    case valueOutOfRange(String)
    case offsetsNotAscending
    case tooDeep
    /// The walk has seen more nodes than the file can hold: refs lead in circles.
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

/// Why an output could not be written. In every case what stood under its name before still stands there.
public enum OutputError: Error, Hashable, Sendable {
  /// There is a file of that name, and it was not to be replaced.
  case exists(path: String)
  /// It is a file that is being read.
  case isInput(path: String)
  /// The name is one that only lock files have.
  case isLockFile(path: String)
  /// The realm that is to be replaced cannot be locked.
  case access(AccessError)
  case isDirectory(path: String)
  /// A folder was to be written, and there is something else of that name.
  case notADirectory(path: String)
  /// A device or pipe of that name cannot hold a file that is written in any order and checked afterwards.
  case notARegularFile(path: String)
  /// The folder of the output does not exist.
  case folderMissing(path: String)
  /// Bytes needed and bytes there are.
  case noSpace(path: String, needed: UInt64, available: UInt64)
  /// The file that was to be replaced belongs to somebody else, and the system does not let this user make another
  /// file theirs.
  case cannotKeepOwner(path: String, owner: UInt32, group: UInt32)
  /// The attribute (such as an access control list) of the file that was to be replaced cannot be carried over.
  case cannotKeepAttribute(path: String, name: String, errorNumber: Int32)
  /// A symbolic link that leads to itself, or through too many others.
  case linksInCircles(path: String)
  /// A symbolic link of another user, in a folder where everybody may make one, is not followed.
  case linkOfAnother(path: String, link: String)
  /// The file that was to be replaced is no longer the one that was read.
  case changedMeanwhile(path: String)
  /// A call of the operating system failed, for instance with `ENOSPC`.
  case systemCall(path: String, name: String, errorNumber: Int32)

  init(_ path: String, _ error: SystemCallError) {
    self = .systemCall(path: path, name: error.name, errorNumber: error.number)
  }
}

/// Why something could not be done with a realm: the one error that the library throws.
///
/// ```swift
/// do { realm = try Realm.open("app.realm") } catch {
///   guard error.kind == .key else { throw error }
///   realm = try Realm.open("app.realm", key: askForKey())
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
    /// Work was cut off at a bound; the file may be sound.
    case limit
    /// Somebody else has the realm open.
    case inUse
    /// A change that the realm cannot hold, or must not get.
    case change
    /// The configuration contradicts itself, or its schema does not go with the one that is stored.
    case schema
    /// The operating system stands in the way.
    case system
  }

  /// The realm, as it was named.
  public let path: String
  /// What went wrong, with all its facts: `StorageError`, `OutputError`, `AccessError`, `WriteRefusal`, `EditError`,
  /// `BuildError` and others.
  public let cause: any Error

  /// - Parameter cause: an error of its own kind stays what it is.
  package init(path: String, _ cause: any Error) {
    if let error = cause as? RealmError { self = error } else { (self.path, self.cause) = (path, cause) }
  }

  /// What kind of error it is.
  public var kind: Kind { (cause as? any RealmErrorCause)?.kind ?? .system }

  /// One line: the path and what is wrong.
  public var description: String { "\(path): \(cause)" }

  /// Runs `body`; whatever it throws is about the realm at `path`.
  package static func wrapping<Result>(_ path: String, _ body: () throws -> Result) throws(RealmError) -> Result {
    do { return try body() } catch { throw RealmError(path: path, error) }
  }

  /// Runs `body`, for those who look at what went wrong: an error of this kind is thrown as its cause.
  package static func uncovering<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as RealmError { throw error.cause }
  }
}

/// An error that says of itself what kind it is, and what is wrong in a few words.
package protocol RealmErrorCause: Error, CustomStringConvertible {
  var kind: RealmError.Kind { get }
}
