import RealmStorage

/// Why a realm could not be left, or not yet: the one error that this module throws.
///
/// ```swift
/// do { run = try LeaveRealm(from: path, key: key) { try target.checkpoint() } } catch {
///   switch error.kind {
///   case .absent: return  // A fresh installation: the only case in which there is nothing to copy.
///   case .protected, .running, .changing: return tryAgainLater()
///   default: throw error
///   }
/// }
/// ```
public struct LeaveError: Error, CustomStringConvertible {
  /// What to do about it differs by this.
  public enum Kind: Hashable, Sendable {
    /// There is no realm, and `LeaveRealm.archive` has put none aside: nothing to copy. No other case means that.
    case absent
    /// The realm was put aside by `LeaveRealm.archive`, so that it was copied completely.
    case archived
    /// The file has no bytes: it was made and never written, or it was cut off.
    case empty
    /// The system refuses to read the file now, because the device is locked or this user may not.
    case protected
    /// The realm is encrypted and no key was given.
    case needsKey
    /// The key does not fit the realm, or the realm is damaged in its first page.
    case wrongKey
    /// A key was given and the realm is not encrypted.
    case notEncrypted
    /// The file is not a realm.
    case notARealm
    /// The format of the file is not one that can be read.
    case format
    /// A place in the file contradicts the format.
    case damaged
    /// Another run works on the same realm, in this process or in another one.
    case running
    /// Somebody has the realm open, so that it cannot be put aside.
    case inUse
    /// Apps write to the realm all the time, so that no copy of it is of one state.
    case changing
    /// The realm was written to since the checkpoint was made, or since it was copied: what is in the target is of an
    /// older state.
    case changed
    /// The text is not a checkpoint, or one was not stored.
    case checkpoint
    /// The realm has no class or property of that name; the message names those that there are.
    case name
    /// An object cannot be read as the type that was asked for.
    case object
    /// What the client's closure has thrown; `cause` is that error.
    case target
    /// Not everything was copied.
    case unfinished
    /// The operating system prevents it.
    case system
  }

  /// What kind of error it is.
  public let kind: Kind
  /// The path of the realm, as given.
  public let path: String
  /// The class that was copied or verified; nil if it is about the whole realm.
  public let className: String?
  /// The object that it is about; nil if it is not about one.
  public let key: ObjectKey?
  /// What was thrown underneath: a `RealmError`, the error of the client's closure for `target`, or nil.
  public let cause: (any Error)?
  /// What is wrong, without the path.
  public let reason: String

  /// One line: the path, the class and the object, and what is wrong.
  public var description: String {
    let place = className.map { name in ", class '\(name)'" + (key.map { ", object \($0.rawValue)" } ?? "") } ?? ""
    return "\(path)\(place): \(reason)"
  }

  init(
    _ kind: Kind, _ path: String, _ reason: String, className: String? = nil, key: ObjectKey? = nil,
    cause: (any Error)? = nil
  ) {
    (self.kind, self.path, self.reason) = (kind, path, reason)
    (self.className, self.key, self.cause) = (className, key, cause)
  }

  /// An error of the storage library.
  ///
  /// - Parameter error: an error of this type is returned as it is.
  init(_ path: String, _ error: any Error, className: String? = nil, key: ObjectKey? = nil) {
    if let error = error as? LeaveError {
      self = error
      return
    }
    let wrapped = RealmError(path: path, error)
    self.init(
      Kind(of: wrapped.cause, wrapped.kind), path, "\(wrapped.cause)", className: className, key: key, cause: wrapped)
  }

  /// Runs `body`, whose errors become errors of this type.
  package static func wrapping<Result>(_ path: String, _ body: () throws -> Result) throws(LeaveError) -> Result {
    do { return try body() } catch { throw LeaveError(path, error) }
  }
}

extension LeaveError.Kind {
  init(of cause: any Error, _ kind: RealmError.Kind) {
    switch cause {
    case StorageError.notARealm(.empty): self = .empty
    case StorageError.file(.permissionDenied), StorageError.file(.notPermitted): self = .protected
    case StorageError.key(.missing): self = .needsKey
    case StorageError.key(.notEncrypted): self = .notEncrypted
    case StorageError.key: self = .wrongKey
    case OutputError.changedMeanwhile: self = .changing
    default:
      switch kind {
      case .notFound: self = .absent
      case .notARealm: self = .notARealm
      case .format: self = .format
      case .damaged, .limit: self = .damaged
      case .inUse: self = .inUse
      case .key: self = .wrongKey
      default: self = .system
      }
    }
  }
}
