import RealmStorage
import RealmSystem

/// Why a launch failed, if not because of the realm as it was.
package enum LaunchError: Error {
  /// An error in the seed, whose path is as given.
  case seed(path: String, cause: any Error)
  /// The last step failed, and it is unknown whether it took effect, or it did, and only reading the realm afterwards
  /// failed: the realm is the old one or the new one, whole. The backup is the old one.
  case unsettled(cause: any Error, backup: RealmBackup?, isDone: Bool)

  /// Runs `body`, and reports errors in the content that it reads as errors of the seed at `path`.
  ///
  /// - Parameter path: nil without a seed.
  static func naming<Result>(_ path: String?, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      guard let path, isAboutContent(error) else { throw error }
      throw LaunchError.seed(path: path, cause: error)
    }
  }

  private static func isAboutContent(_ error: any Error) -> Bool {
    switch error {
    case OpeningError.missingSeed, OpeningError.invalidSchema: false
    case is OpeningError, is StorageError, is MigrationError, CopyRefusal.unsoundSource: true
    default: false
    }
  }
}

/// A file as opening finds it, read-only.
package struct LaunchedFile {
  let facts: RealmFacts
  /// Nil if there is no content to read.
  let content: Content?

  struct Content {
    let bytes: OpenedBytes
    let snapshot: Snapshot
    fileprivate let head: [UInt8]

    fileprivate init(_ bytes: OpenedBytes, _ snapshot: Snapshot, _ head: [UInt8]) throws {
      // A damaged table would look like a missing one.
      if let damaged = snapshot.damagedTables.first { throw damaged.error }
      (self.bytes, self.snapshot, self.head) = (bytes, snapshot, head)
    }

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

  /// A realm that was opened before.
  ///
  /// - Throws: `StorageError` for a realm whose tables cannot be determined.
  package init(_ realm: OpenedRealm) throws {
    let content = try Content(realm.bytes, realm.snapshot, realm.bytes.currentState())
    (facts, self.content) = (RealmFacts(content.snapshot), content)
  }

  /// Whether nothing has happened to the file since it was opened.
  var isCurrent: Bool { content.map { $0.bytes.change(since: $0.head) == nil } ?? false }

  private static func content(at path: String, key: EncryptionKey?) throws -> Content {
    try ConsistentReading(.path(path), key: key).run { bytes, head in
      try Content(bytes, OpenedRealm(bytes).snapshot, head)
    }.get()
  }

  var identity: FileIdentity? { content?.bytes.identity ?? emptyIdentity }
  private var emptyIdentity: FileIdentity?
}
