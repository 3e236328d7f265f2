/// Why something could not be done with a realm: the one error that the front door (`Realm`) throws.
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
}

/// An error that says of itself what kind it is, and what is wrong in a few words.
package protocol RealmErrorCause: Error, CustomStringConvertible {
  var kind: RealmError.Kind { get }
}
