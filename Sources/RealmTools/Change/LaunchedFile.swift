import RealmExchange
import RealmStorage

/// What keeps a launch from beginning with its seed: something is wrong with that file, not with the realm.
public struct SeedFailure: Error {
  /// The seed, as it was named.
  public let path: String
  /// What is wrong with it.
  public let cause: any Error

  /// Runs `body`; what it finds in the content that it reads is about the seed at `path`.
  ///
  /// - Parameter path: nil where there is no seed.
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
  /// Nil where there is no content to read.
  let content: Content?

  struct Content {
    let bytes: OpenedBytes
    let snapshot: Snapshot
    fileprivate let head: [UInt8]

    /// Makes sure that what was read was one state, for those who read without a lock.
    ///
    /// - Throws: `OutputError.changedMeanwhile`.
    func requireUnchanged() throws {
      guard try bytes.rereadHeader() == head else { throw OutputError.changedMeanwhile(path: bytes.path) }
    }

    /// Makes sure that nobody has cut off a part of the realm, for those who fail to read or change it.
    ///
    /// - Throws: `OutputError.changedMeanwhile`.
    func requireWhole() throws {
      guard !bytes.isShorter(than: snapshot.logicalSize) else { throw OutputError.changedMeanwhile(path: bytes.path) }
    }
  }

  /// - Throws: `StorageError` for a file that is not a realm, or whose tables cannot be told.
  init(at path: String, key: EncryptionKey?) throws {
    do {
      let content = try Self.content(at: path, key: key)
      (facts, self.content) = (RealmFacts(content.snapshot), content)
    } catch StorageError.file(.missing) {
      (facts, content) = (.missing, nil)
    } catch StorageError.notARealm(.empty) {
      (facts, content) = (.empty, nil)
    } catch StorageError.unsupportedFormat(let format) {
      (facts, content) = (.realm(format: format, history: .none, schema: Schema()), nil)
    }
  }

  private static func content(at path: String, key: EncryptionKey?) throws -> Content {
    try ConsistentReading(.path(path), key: key).run { bytes, head in
      let snapshot = try OpenedRealm(bytes).snapshot
      // A damaged table would look like one that is not there.
      if let damaged = snapshot.damagedTables.first { throw damaged.error }
      return Content(bytes: bytes, snapshot: snapshot, head: head)
    }.get()
  }

  var identity: FileIdentity? { content?.bytes.identity }
}
