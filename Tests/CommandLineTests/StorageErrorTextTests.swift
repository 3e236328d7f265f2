import RealmStorage
import RealmSystem
import Testing

@testable import realmctl

/// The sentence, code and exit status of every error of the storage library.
@Suite struct StorageErrorTextTests {
  struct Row: Sendable {
    let error: StorageError
    let status: RunStatus
    let code: ErrorCode
    let text: String

    /// - Parameter namesFile: whether the text begins with the path.
    init(_ error: StorageError, _ status: RunStatus, _ code: ErrorCode, _ text: String, namesFile: Bool = true) {
      self.error = error
      self.status = status
      self.code = code
      self.text = (namesFile ? "a.realm: " : "") + text
    }
  }

  static let files: [Row] = [
    Row(.file(.missing), .notFound, .fileNotFound, "no such file or directory; check the path"),
    Row(.file(.isDirectory), .failed, .fileOperationFailed, "is a directory; name the file inside it"),
    Row(
      .file(.notPermitted), .failed, .filePermissionDenied,
      "this process cannot read the file (Operation not permitted. Please use a path where your app has read permissions); the "
        + "file may be immutable, or protected while the device is locked"),
    Row(
      .file(.systemCall(name: "open", errorNumber: 30)), .failed, .filePermissionDenied,
      "the file system is read-only (open: Read-only file system); write to another place"),
    Row(
      .file(.permissionDenied), .failed, .filePermissionDenied,
      "this user cannot read the file (Permission denied. Please use a path where your app has read permissions); give this user read "
        + "permission"),
    Row(
      .file(.notARegularFile(kind: .pipe)), .failed, .fileOperationFailed,
      "is a named pipe, not a regular file; name a regular file; commands that only read also take - for standard input"
    ),
    Row(
      .file(.notARegularFile(kind: .characterDevice)), .failed, .fileOperationFailed,
      "is a character device, not a regular file; name a regular file"),
    Row(
      .file(.notARegularFile(kind: .blockDevice)), .failed, .fileOperationFailed,
      "is a block device, not a regular file; name a regular file"),
    Row(
      .file(.notARegularFile(kind: .socket)), .failed, .fileOperationFailed,
      "is a socket, not a regular file; name a regular file"),
    Row(
      .file(.sideFile(kind: .lock, realm: "b.realm")), .failed, .invalidDatabase,
      "is the lock file of a realm, not the realm itself; use b.realm"),
    Row(
      .file(.sideFile(kind: .note, realm: "b.realm")), .failed, .invalidDatabase,
      "is the notification pipe of a realm, not the realm itself; use b.realm"),
    Row(
      .file(.sideFile(kind: .management, realm: "b.realm")), .failed, .invalidDatabase,
      "is the management folder of a realm, not the realm itself; use b.realm"),
    Row(
      .file(.sideFile(kind: .log, realm: "b.realm")), .failed, .invalidDatabase,
      "is a log file of a realm, not the realm itself; use b.realm"),
    Row(
      .file(.sideFile(kind: .compactionLeftover, realm: "b.realm")), .failed, .invalidDatabase,
      "is the leftover of an interrupted compaction of a realm, not the realm itself; use b.realm"),
    Row(
      .file(.sideFile(kind: .backup, realm: "b.realm")), .failed, .invalidDatabase,
      "is a backup of a realm, not the realm itself; use b.realm"),
    Row(
      .file(.systemCall(name: "open", errorNumber: 1)), .failed, .filePermissionDenied,
      "operation not permitted (open: Operation not permitted); the file may be immutable, or protected while the device is "
        + "locked"),
    Row(
      .file(.systemCall(name: "open", errorNumber: 2)), .notFound, .fileNotFound,
      "no such file or directory; check the path"),
    Row(
      .file(.systemCall(name: "write", errorNumber: 28)), .failed, .outOfDiskSpace,
      "no space left (write: No space left on device); free some space"),
    Row(
      .file(.systemCall(name: "mmap", errorNumber: 12)), .failed, .outOfMemory,
      "not enough memory (mmap: Cannot allocate memory); close other programs, then try again"),
    Row(
      .file(.systemCall(name: "pread", errorNumber: 5)), .failed, .fileOperationFailed,
      "system error (pread: Input/output error)"),
  ]

  static let headers: [Row] = [
    Row(
      .notARealm(.empty), .failed, .invalidDatabase,
      "the file is empty (Read-only access to empty Realm file); copy it again, use a backup, or let an app open it first"
    ),
    Row(
      .notARealm(.tooSmall(size: 23)), .failed, .invalidDatabase,
      "not a Realm file (file is non-empty but too small (23 bytes) to be a valid Realm); check the path, or copy it again"
    ),
    Row(
      .notARealm(.oddSize(size: 4097, hasMnemonic: false)), .failed, .invalidDatabase,
      "not a Realm file (file has an invalid size (4097)); check the path, or copy it again"),
    Row(
      .notARealm(.wrongMnemonic(wasDecrypted: false)), .failed, .invalidDatabase,
      "not a Realm file (header has invalid mnemonic); if it was a realm, 'recover' saves what is left"),
    Row(
      .notARealm(.wrongMnemonic(wasDecrypted: true)), .failed, .invalidDatabase,
      "the decrypted file is not a realm (header has invalid mnemonic); check the key, and which file it belongs to"),
    Row(
      .notARealm(.streamingTooSmall(size: 32)), .failed, .invalidDatabase,
      "the file has been cut off (file is in streaming format but too small (32 bytes) to be a valid Realm); copy it "
        + "again from its source, use a backup, or save the rest with 'recover'"),
    Row(
      .notARealm(.streamingFooter(cookie: 7)), .failed, .invalidDatabase,
      "the file has been cut off (file is in streaming format but has an invalid footer cookie (7). The file is "
        + "probably truncated); copy it again from its source, use a backup, or save the rest with 'recover'"),
    Row(
      .notARealm(.topRefOutside(size: 4096, topRef: 8192)), .failed, .invalidDatabase,
      "the file has been cut off, or its header is damaged (top ref is outside of the file (size: 4096, top_ref: 8192). The file has probably "
        + "been truncated); copy it again from its source, use a backup, or save the rest with 'recover'"),
    Row(
      .notARealm(.topRefUnaligned(topRef: 27)), .failed, .invalidDatabase,
      "the root of the file is damaged (top ref is not aligned (top_ref: 27)); "
        + "use a backup, or save the rest with 'recover'"),
    Row(
      .notARealm(.topArraySize(ref: 400, count: 8)), .failed, .invalidDatabase,
      "the root of the file is damaged (Invalid top array size (ref: 400, array size: 8)); "
        + "use a backup, or save the rest with 'recover'"),
    Row(
      .notARealm(.topArray(ref: 400)), .failed, .invalidDatabase,
      "the root of the file is damaged (Invalid top array (top_ref: 400)); "
        + "use a backup, or save the rest with 'recover'"),
    Row(
      .notARealm(.logicalSize(8192, actual: 4096)), .failed, .invalidDatabase,
      "the file has been cut off (Invalid logical file size: 8192, actual file size: 4096); copy it again from its "
        + "source, use a backup, or save the rest with 'recover'"),
    Row(
      .notARealm(.noSuchSnapshot(topRef: nil)), .notFound, .invalidInput,
      "the file has no older snapshot; 'history' lists the snapshots in the file"),
    Row(
      .notARealm(.noSuchSnapshot(topRef: 4096)), .notFound, .invalidInput,
      "no snapshot at byte 4096 of the file; 'history' lists the snapshots in the file"),
    Row(
      .notARealm(.snapshotsLost), .notFound, .invalidInput,
      "the header is lost, so the snapshots are unknown (header has invalid mnemonic); omit --snapshot to save what can be "
        + "found"),
  ]

  static let keys: [Row] = [
    Row(
      .key(.missing), .key, .invalidDatabase,
      "not a Realm file, or encrypted (header has invalid mnemonic); give its key with --key-file"),
    Row(
      .key(.wrong(fileSize: 20480)), .key, .invalidDatabase,
      "wrong encryption key, or the file is damaged (Realm file decryption failed: page 0 in file of size 20480 failed "
        + "the HMAC check); check the key"),
    Row(
      .key(.notEncrypted), .key, .invalidDatabase,
      "the file is not encrypted (Attempt to open unencrypted file with encryption key); omit the key"),
    Row(
      .key(.wrongLength(63)), .key, .invalidEncryptionKey,
      "Encryption key must be 64 bytes (got 63); use 64 raw bytes, 128 hex digits, Base64 or a list of 64 numbers"),
    Row(
      .key(.wrongLength(32)), .key, .invalidEncryptionKey,
      "Encryption key must be 64 bytes (got 32); this is half a key; use 64 raw bytes, 128 hex digits, Base64 or a list "
        + "of 64 numbers"),
    Row(
      .key(.malformed), .key, .invalidEncryptionKey,
      "not a valid encryption key (Encryption key must be 64 bytes); use 64 raw bytes, 128 hex digits, Base64 or a "
        + "list of 64 numbers"),
    Row(
      .key(.variableNotSet("KEY")), .key, .invalidEncryptionKey,
      "the environment variable KEY is not set; set it to the key, or use --key-file", namesFile: false),
    Row(
      .key(.noTerminal), .key, .invalidEncryptionKey,
      "the key cannot be asked for without a terminal; use --key-file or --key-env", namesFile: false),
  ]

  static let formats: [Row] =
    [
      Row(
        .unsupportedFormat(1), .format, .unsupportedFileFormatVersion,
        "unsupported file format version 1, from before Realm's first release (Database has an unsupported "
          + "version (1) and cannot be upgraded); no released engine reads it; "
          + "realmctl reads formats 2 to 11 and 20 to 24")
    ]
    + [0, 12, 19].map {
      Row(
        .unsupportedFormat($0), .format, .unsupportedFileFormatVersion,
        "unsupported file format version \($0), which no known Realm writes (Database has an unsupported version "
          + "(\($0)) and cannot be upgraded); the file may be damaged: use a backup, or save the rest with 'recover'")
    }
    + [25, 255].map {
      Row(
        .unsupportedFormat($0), .format, .unsupportedFileFormatVersion,
        "unsupported file format version \($0), newer than this realmctl supports (Database has an unsupported version "
          + "(\($0)) and cannot be upgraded); use a newer realmctl")
    }

  static let corruptions: [Row] = [
    corrupted(.misplacedRef, "a ref is misaligned or points into the header"),
    corrupted(.beyondEndOfFile, "a node lies outside the file"),
    corrupted(.missingNode, "a node that must exist is missing"),
    corrupted(
      .unexpectedNodeKind(expected: "a leaf"), "a node has the wrong kind for its place, expected a leaf"),
    corrupted(.unknownWidthScheme, "a node has an impossible width scheme"),
    corrupted(.wrongElementCount(expected: 3, found: 2), "a node has 2 elements instead of 3"),
    corrupted(.tooManyElements(9), "a node claims 9 elements, more than fit"),
    corrupted(.badWidth(3), "a node has elements of width 3, which its kind does not allow"),
    corrupted(.indexOutOfRange(4, count: 4), "element 4 is missing from a node with 4 elements"),
    corrupted(.valueOutOfRange("nanoseconds of a date"), "a value is out of range: nanoseconds of a date"),
    corrupted(.offsetsNotAscending, "the offsets in a node are out of order"),
    corrupted(.tooDeep, "a tree is nested too deeply"),
    corrupted(.visitedTooOften, "refs form a cycle"),
    corrupted(.unknownType(99), "type 99 is unknown"),
    corrupted(.danglingLink(key: 7), "a link points to object 7, which does not exist"),
    corrupted(.unreadablePage(index: 5), "encrypted page 5 fails its check"),
    corrupted(
      .readFailed(errorNumber: 5), "the disk cannot be read here: Input/output error",
      advice: "copy the file to another disk"),
    corrupted(.badTable("the table's key does not fit its slot"), "the table's key does not fit its slot"),
  ]

  private static func corrupted(
    _ reason: Corruption.Reason, _ text: String, advice: String = "use a backup, or save the rest with 'recover'"
  ) -> Row {
    Row(
      .corrupted(Corruption(ref: Ref(0x1a8), reason: reason)), .failed, .invalidDatabase,
      "the file is damaged: \(text) (node 0x1a8); \(advice)")
  }

  static let limits: [Row] = [
    Row(
      .limitReached(.inlineLinks, byteCount: 65536), .failed, .notSupported,
      "writing linked objects inline would read more than 65536 bytes (64.0 KiB); raise --work-limit, or use a smaller "
        + "depth or --links keys"),
    Row(
      .limitReached(.query, byteCount: 64 << 30), .failed, .notSupported,
      "the query would read more than 68719476736 bytes (64.0 GiB); raise --work-limit, or follow fewer lists"),
  ]

  @Test(arguments: files + headers + keys + formats + corruptions + limits)
  func everyErrorHasItsSentenceCodeAndStatus(_ row: Row) {
    let diagnostic = Diagnostic(row.error, path: "a.realm")
    #expect(diagnostic.text == row.text)
    #expect(diagnostic.code == row.code)
    #expect(diagnostic.status == row.status)
  }

  @Test(arguments: files + headers + keys + formats + corruptions + limits)
  func everySentenceIsOneLine(_ row: Row) {
    #expect(!Diagnostic(row.error, path: "a\nb.realm").text.contains { $0.isNewline })
  }

  @Test func aNullRefNamesNoPlace() {
    let error = StorageError.corrupted(Corruption(ref: .null, reason: .visitedTooOften))
    #expect(
      Diagnostic(error, path: "a.realm").text
        == "a.realm: the file is damaged: refs form a cycle; use a backup, or save the rest with 'recover'")
  }
}
