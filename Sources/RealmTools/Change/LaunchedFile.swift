import RealmExchange
import RealmStorage
import RealmSystem

/// An error in the seed of a launch, not in the realm.
public struct SeedFailure: Error {
  /// The path of the seed, as given.
  public let path: String
  /// The error.
  public let cause: any Error

  /// Runs `body`, and reports errors in the content that it reads as errors of the seed at `path`.
  ///
  /// - Parameter path: nil without a seed.
  static func naming<Result>(_ path: String?, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      guard let path, isAboutContent(error) else { throw error }
      throw SeedFailure(path: path, cause: error)
    }
  }

  private static func isAboutContent(_ error: any Error) -> Bool {
    switch error {
    case OpeningError.missingSeed, OpeningError.invalidSchema: false
    case is OpeningError, is StorageError, is MigrationError, CopyError.unsoundSource: true
    default: false
    }
  }
}

/// A file as opening finds it, read-only.
struct LaunchedFile {
  let facts: RealmFacts
  /// Nil if there is no content to read.
  let content: Content?

  struct Content {
    let bytes: OpenedBytes
    let snapshot: Snapshot
    fileprivate let head: [UInt8]

    /// Makes sure that all reads saw one state, for those who read without a lock.
    ///
    /// - Throws: `OutputError.changedMeanwhile`.
    func requireUnchanged() throws {
      guard try bytes.isUnchanged(since: head) else { throw OutputError.changedMeanwhile(path: bytes.path) }
    }

    /// Makes sure that the realm was not truncated meanwhile, for those who fail to read or change it.
    ///
    /// - Throws: `OutputError.changedMeanwhile`.
    func requireWhole() throws {
      guard !bytes.isShorter(than: snapshot.logicalSize) else { throw OutputError.changedMeanwhile(path: bytes.path) }
    }
  }

  /// - Throws: `StorageError` for a file that is not a realm, or whose tables cannot be determined.
  init(at path: String, key: EncryptionKey?) throws {
    do {
      let content = try Self.content(at: path, key: key)
      (facts, self.content) = (RealmFacts(content.snapshot), content)
    } catch StorageError.file(.missing) {
      (facts, content) = (.missing, nil)
    } catch StorageError.notARealm(.empty) {
      (facts, content, emptyIdentity) = (.empty, nil, try? SequentialInput.identity(of: path))
    } catch StorageError.unsupportedFormat(let format) where format != 0 {
      (facts, content) = (.realm(format: format, history: .none, schema: Schema()), nil)
    }
  }

  private static func content(at path: String, key: EncryptionKey?) throws -> Content {
    try ConsistentReading(.path(path), key: key).run { bytes, head in
      let snapshot = try OpenedRealm(bytes).snapshot
      // A damaged table would look like a missing one.
      if let damaged = snapshot.damagedTables.first { throw damaged.error }
      return Content(bytes: bytes, snapshot: snapshot, head: head)
    }.get()
  }

  var identity: FileIdentity? { content?.bytes.identity ?? emptyIdentity }
  private var emptyIdentity: FileIdentity?
}
