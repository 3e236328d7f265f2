import Libc

/// Whether a transaction can continue, for itself and its tables, which may be kept longer than it lives.
final class TransactionStatus: @unchecked Sendable {
  /// Objects that apps keep have the status, on any thread: they call `requireThread` before they look at what changes.
  private let thread = pthread_self()
  /// The path of the realm, as given.
  let path: String
  /// The transaction owns its objects, not the other way round.
  weak var transaction: WriteTransaction?
  private(set) var hasEnded = false
  /// What stopped a change halfway. Nothing can continue from there.
  private(set) var failure: (any Error)?

  init(path: String) { self.path = path }

  func end() { hasEnded = true }

  /// - Throws: `EditError.ended`; what stopped an earlier change halfway.
  @inline(__always)
  func requireGoing() throws {
    guard !hasEnded, failure == nil else { throw failure ?? EditError.ended }
  }

  /// Nothing that changes is looked at on another thread.
  ///
  /// - Throws: `EditError.otherThread`.
  func requireThread() throws {
    guard pthread_equal(thread, pthread_self()) != 0 else { throw EditError.otherThread }
  }

  /// Runs a change that is either refused before it has begun, or completed.
  ///
  /// A `ChangeRefusal` is one; any other error stops the transaction.
  func change<Result>(_ body: () throws -> Result) throws -> Result {
    try requireGoing()
    do { return try RealmError.uncovering(body) } catch { throw error is any ChangeRefusal ? error : stop(error) }
  }

  /// Runs the part of a change that must not stop halfway.
  func finish<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try RealmError.uncovering(body) } catch { throw stop(error) }
  }

  private func stop(_ error: any Error) -> any Error {
    if failure == nil { failure = error }
    return error
  }
}
