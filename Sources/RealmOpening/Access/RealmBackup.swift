import RealmStorage
import RealmSystem
import RealmText

/// A byte-for-byte copy of a realm, made before something is done to it.
public struct RealmBackup: Hashable, Sendable {
  /// The copy.
  public let path: String
  /// The name of the file whose unfinished copies the next run removes: that of the realm, if the backup's own name
  /// contains the time.
  private let family: String?

  /// - Parameter path: where it goes. If that name is taken, the next free name like it is used.
  public init(at path: String) { (self.path, family) = (path, nil) }

  private init(at path: String, family: String?) { (self.path, self.family) = (path, family) }

  /// A backup next to the realm: `app.pre-migrate-20240102T030405Z.realm`. Its name is never one that SDKs restore or
  /// remove (`*.v<digits>.backup.realm`). If the realm's path is a symbolic link, it is next to the file itself.
  ///
  /// - Parameters:
  ///   - realm: its path.
  ///   - operation: what is done, in a word.
  ///   - time: seconds since 1970.
  ///   - folder: where it goes, if not next to the realm.
  public init(of realm: String, before operation: String, at time: Int64, in folder: String? = nil) {
    self.init(nextTo: realm, "pre-\(operation)", time, folder)
  }

  /// What is kept of a realm that is deleted: `app.deleted-20240102T030405Z.realm`.
  ///
  /// - Parameters:
  ///   - realm: its path.
  ///   - time: seconds since 1970.
  ///   - folder: where it goes, if not next to the realm.
  public init(ofDeleted realm: String, at time: Int64, in folder: String? = nil) {
    self.init(nextTo: realm, "deleted", time, folder)
  }

  private init(nextTo realm: String, _ purpose: String, _ time: Int64, _ folder: String?) {
    let own = SafeOutput.destination(of: realm)
    let target = folder.map { $0 + ($0.utf8.last == UInt8(ascii: "/") ? "" : "/") + Self.name(of: own) } ?? own
    let (stem, ending) = Self.parts(target)
    let middle = ".\(purpose)-\(Self.text(ofTime: time))"
    self.init(
      at: ending == ".realm" ? stem + middle + ending : target + middle + ".realm", family: Self.name(of: target))
  }

  /// `app` and `.realm`; the extension is empty for a name without one.
  private static func parts(_ path: String) -> (stem: String, ending: String) {
    let bytes = path.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex
    guard let dot = bytes[start...].lastIndex(of: UInt8(ascii: ".")), dot > start else { return (path, "") }
    return (String(decoding: bytes[..<dot], as: UTF8.self), String(decoding: bytes[dot...], as: UTF8.self))
  }

  /// `app-2.realm` and so on; the first one has the name itself.
  private func numbered(_ number: Int) -> RealmBackup {
    guard number > 1 else { return self }
    let (stem, ending) = Self.parts(path)
    return RealmBackup(at: "\(stem)-\(number)\(ending)", family: family ?? Self.name(of: path))
  }

  private static func name(of path: String) -> String {
    String(decoding: path.utf8.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
  }

  /// Removes the backup if nothing was done after all.
  public func remove() { try? FileBackend.calls.unlink(path) }

  /// `20240102T030405Z`
  private static func text(ofTime secondsSince1970: Int64) -> String {
    TextBuffer.string { $0.appendISODate(Timestamp(seconds: secondsSince1970, nanoseconds: 0)) }
      .filter { $0 != "-" && $0 != ":" }
  }

  /// Copies the file, with owner, permissions and extended attributes, and compares the copy with it. A file of that
  /// name with the same content, which a killed run may have left, is as good; bytes outside of nodes may differ. If
  /// another file has the name, the copy gets a number: `app-2.realm`.
  ///
  /// - Parameter key: of the realm.
  /// - Throws: `StorageError.file` if the realm cannot be read, `OutputError`, `BackupError`.
  package func make(of realm: String, key: EncryptionKey? = nil) throws {
    try prepare(of: realm, key: key).output?.publish()
  }

  /// As `make`, but the backup has no name until the result is published: for work that may yet fail or be interrupted,
  /// and then leaves none.
  ///
  /// - Returns: the backup with the name it gets, and its file; nil if there is such a file already.
  package func prepare(
    of realm: String, key: EncryptionKey? = nil
  ) throws -> (backup: RealmBackup, output: SafeOutput?) {
    let size = try SequentialInput(realm).forEachBlock { _ in }
    for number in 1... {
      let backup = numbered(number)
      do {
        return (backup, try backup.written(of: realm, size))
      } catch OutputError.exists where number == 1 {
        // Another name of the realm itself is not a backup: it would change with the realm.
        if try Self.isEqual(path, realm) || Self.holdsSameNodes(path, realm, key) { return (backup, nil) }
      } catch OutputError.exists where number < Self.mostNames {
        continue
      } catch OutputError.isInput where number < Self.mostNames {
        continue
      }
    }
    throw OutputError.exists(path: path)
  }

  private static let mostNames = 10_000

  private func written(of realm: String, _ size: UInt64) throws -> SafeOutput {
    let output = try SafeOutput(
      at: path, replacing: .never, inputs: [realm], resembling: realm, family: family, expectedByteCount: size)
    try SequentialInput(realm).forEachBlock { try output.write($0) }
    try output.close()
    guard let temporary = output.temporaryPath, try Self.isEqual(temporary, realm) else {
      throw BackupError.different(path: path)
    }
    return output
  }

  // MARK: Bytes

  private static func isEqual(_ path: String, _ other: String) throws -> Bool {
    try StreamDigest(ofFileAt: path).finish() == StreamDigest(ofFileAt: other).finish()
  }

  private static func holdsSameNodes(_ path: String, _ other: String, _ key: EncryptionKey?) -> Bool {
    func snapshot(_ path: String) throws -> Snapshot { try OpenedRealm(fileAt: path, key: key).snapshot }
    // A file that cannot be read as a realm is not the same.
    return (try? snapshot(path).hasSameNodes(as: snapshot(other))) ?? false
  }
}
