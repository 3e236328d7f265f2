import Libc
import RealmPresentation
import RealmStorage
import RealmSystem
import RealmText

extension Diagnostic {
  /// The message for an error of the storage library about the file at `path`.
  ///
  /// This is the only place that turns those errors into words. If users of Realm know a text for the case, it is in
  /// parentheses as the SDKs print it, without its hexadecimal end.
  init(_ error: StorageError, path: String) {
    switch error {
    case .file(let problem): self.init(problem, path: path)
    case .notARealm(let problem): self.init(problem, path: path)
    case .key(let problem): self.init(problem, path: path)
    case .unsupportedFormat(let format): self.init(unsupportedFormat: format, path: path)
    case .corrupted(let corruption): self.init(corruption, path: path)
    case .limitReached(let work, let byteCount):
      let advice =
        switch work {
        case .inlineLinks: "raise --work-limit, or use a smaller depth or --links keys"
        case .rows: "raise --work-limit"
        case .query: "raise --work-limit, or follow fewer lists"
        }
      self.init(
        .failed, .notSupported, path: path, "\(work) would read more than \(ByteCount.text(UInt64(byteCount)))",
        advice: advice)
    }
  }

  // MARK: - The operating system

  init(_ problem: FileProblem, path: String) {
    switch problem {
    case .missing:
      self.init(
        .notFound, .fileNotFound, path: path, problem.description,
        advice: path == BundleCommand.defaultFile ? "name a realm" : "check the path")
    case .isDirectory:
      self.init(
        .failed, .fileOperationFailed, path: path, problem.description, advice: "name the file inside it")
    case .permissionDenied:
      self.init(
        .failed, .filePermissionDenied, path: path, "this user cannot read the file",
        detail: "Permission denied. Please use a path where your app has read permissions.",
        advice: "give this user read permission")
    case .notPermitted:
      self.init(
        .failed, .filePermissionDenied, path: path, "this process cannot read the file",
        detail: "Operation not permitted. Please use a path where your app has read permissions.",
        advice: SystemCallError.notPermittedAdvice)
    case .notARegularFile(let kind):
      self.init(
        .failed, .fileOperationFailed, path: path, problem.description,
        advice: kind == .pipe
          ? "name a regular file; commands that only read also take - for standard input" : "name a regular file")
    case .sideFile(_, let realm):
      self.init(
        .failed, .invalidDatabase, path: path, problem.description, advice: "use \(realm)")
    case .textTooLarge:
      self.init(.failed, .fileOperationFailed, path: path, problem.description, advice: "split it")
    case .systemCall(let name, let errorNumber):
      self.init(SystemCallError(name: name, number: errorNumber), path: path)
    }
  }

  // MARK: - The head of the file

  /// Whether nothing in the file looks like a realm, so that it may be meant as something else.
  var isOfOtherFile: Bool {
    switch cause {
    case .header(.empty), .header(.tooSmall), .header(.oddSize(_, hasMnemonic: false)): true
    case .header(.wrongMnemonic(wasDecrypted: false)): true
    default: false
    }
  }

  init(_ problem: HeaderProblem, path: String) {
    let advice =
      switch problem {
      case .empty: Self.advice(onPath: path, "copy it again, use a backup, or let an app open it first")
      case .tooSmall, .oddSize(_, hasMnemonic: false):
        OtherFile(named: path) == .text
          ? Self.advice(onOtherFile: path) : Self.advice(onPath: path, "check the path, or copy it again")
      case .wrongMnemonic(wasDecrypted: false): Self.advice(onOtherFile: path)
      case .wrongMnemonic(wasDecrypted: true): "check the key, and which file it belongs to"
      case .encryptedTooSmall:
        "if it is not encrypted, omit the key; otherwise, copy it again from its source, or use a backup"
      case .prototype: "no released engine reads it; realmctl reads formats 2 to 11 and 20 to 24"
      case .oddSize, .streamingTooSmall, .streamingFooter, .topRefOutside: DamageAdvice.onShortFile(path)
      case .logicalSize(let size, let actual) where size > actual: DamageAdvice.onShortFile(path)
      case .topRefUnaligned, .topArraySize, .topArray, .logicalSize: DamageAdvice.usual(for: path)
      case .noSuchSnapshot: "'history' lists the snapshots in the file"
      case .snapshotsLost: "omit --snapshot to save what can be found"
      }
    let (status, code): (RunStatus, ErrorCode) =
      switch problem {
      case .prototype: (.format, .unsupportedFileFormatVersion)
      case .noSuchSnapshot, .snapshotsLost: (.notFound, .invalidInput)
      default: (.failed, .invalidDatabase)
      }
    self.init(
      status, code, path: path, problem.description, detail: problem.referenceText, advice: advice,
      because: .header(problem))
    if case .noSuchSnapshot = problem { detail = nil }
  }

  /// What to do about a file that does not begin as a realm does.
  private static func advice(onOtherFile path: String) -> String {
    switch OtherFile(named: path) {
    case .sqlite: "it is a SQLite database, which 'import' reads"
    case .archive(let kind): "it is \(kind); unpack it first"
    case .text:
      path == RealmInput(path: "-").name
        ? "it is text; pipe the bytes of a realm to it" : "it is a text file; check the path"
    case .unknown: "if it was a realm, 'recover' saves what is left"
    }
  }

  /// Standard input has no path that could be checked.
  private static func advice(onPath path: String, _ other: String) -> String {
    path == RealmInput(path: "-").name ? "pipe the bytes of a realm to it" : other
  }

  // MARK: - Keys

  /// - Parameters:
  ///   - option: the one that takes the key of this file.
  ///   - takesBytes: whether the key can come from there as raw bytes, and not only as text.
  init(_ problem: KeyProblem, path: String?, option: String = "--key-file", takesBytes: Bool = true) {
    switch problem {
    case .missing:
      if let path, (try? TextInput.kind(of: path)) == .sqlite {
        self.init(
          .failed, .invalidDatabase, path: path, "not a Realm file",
          advice: "it is a SQLite database, which 'import' reads")
      } else {
        self.init(missingKeyOf: path, option: option)
        // An encrypted file begins with zeros only if it is damaged.
        if let path, (try? TextInput.beginsWithZeros(path)) == true {
          advice = "if it was not encrypted, 'recover' saves what is left; otherwise, give its key with \(option)"
        }
      }
    case .wrong(let fileSize):
      self.init(
        .key, .invalidDatabase, path: path, problem.description,
        // The engine goes on, "Either the encryption key is incorrect or data is corrupted", which the message says.
        detail: "Realm file decryption failed: page 0 in file of size \(fileSize) failed the HMAC check",
        advice: "check the key")
    case .notEncrypted:
      self.init(
        .key, .invalidDatabase, path: path, problem.description,
        detail: "Attempt to open unencrypted file with encryption key", advice: "omit the key")
    case .wrongLength(let count, _):
      self.init(
        .key, .invalidEncryptionKey, path: path, problem.description,
        advice: (count == EncryptionKey.size / 2 ? "this is half a key; use " : "use ") + Self.keyForms(takesBytes))
    case .malformed:
      self.init(
        .key, .invalidEncryptionKey, path: path, problem.description,
        detail: "Encryption key must be 64 bytes", advice: "use " + Self.keyForms(takesBytes))
    case .variableNotSet:
      // The variable is in the sentence, and is not a file.
      self.init(
        .key, .invalidEncryptionKey, problem.description, advice: "set it to the key, or use \(option)")
    case .noTerminal:
      // It is not about a file.
      let variable = option.replacing("-file", with: "-env")
      self.init(.key, .invalidEncryptionKey, problem.description, advice: "use \(option) or \(variable)")
    }
    cause = .key(problem)
  }

  /// A file that may be encrypted.
  ///
  /// - Parameter option: the one that takes the key of this file.
  private init(missingKeyOf path: String?, option: String) {
    self.init(
      .key, .invalidDatabase, path: path, KeyProblem.missing.description,
      detail: HeaderProblem.wrongMnemonic(wasDecrypted: false).referenceText, advice: "give its key with \(option)")
  }

  private static func keyForms(_ takesBytes: Bool) -> String {
    (takesBytes ? "64 raw bytes, " : "") + "128 hex digits, Base64 or a list of 64 numbers"
  }

  // MARK: - The format

  init(unsupportedFormat format: UInt8, path: String) {
    let known = "Database has an unsupported version (\(format)) and cannot be upgraded"
    let origin: String
    let advice: String
    switch format {
    case 1:
      origin = ", from before Realm's first release"
      advice = "no released engine reads it; realmctl reads formats 2 to 11 and 20 to 24"
    case 25...:
      origin = ", newer than this realmctl supports"
      advice = "use a newer realmctl"
    default:
      origin = ", which no known Realm writes"
      advice = "the file may be damaged: use a backup, or save the rest with 'recover'"
    }
    self.init(
      .format, .unsupportedFileFormatVersion, path: path, "unsupported file format version \(format)\(origin)",
      detail: known, advice: advice)
  }

  // MARK: - Damage

  init(_ corruption: Corruption, path: String) {
    if case .readFailed(ENOMEM) = corruption.reason {
      self.init(SystemCallError(name: "mmap", number: ENOMEM), path: path)
      return
    }
    self.init(
      .failed, .invalidDatabase, path: path, "the file is damaged: \(corruption.reason)",
      detail: corruption.place(in: path), advice: corruption.reason.advice(on: path))
  }
}

/// What a file that is not a realm looks like.
enum OtherFile: Equatable {
  case sqlite
  /// With an article.
  case archive(String)
  case text
  case unknown

  /// - Parameter name: what messages call the file.
  init(named name: String) {
    let path = name == RealmInput(path: "-").name ? "-" : name
    if (try? TextInput.kind(of: path)) == .sqlite {
      self = .sqlite
    } else if let archive = try? TextInput.archive(at: path) {
      self = .archive(archive)
    } else {
      self = (try? TextInput.isText(path)) == true ? .text : .unknown
    }
  }
}

extension HeaderProblem {
  /// The text of the reference engine.
  fileprivate var referenceText: String {
    switch self {
    case .empty: "Read-only access to empty Realm file"
    case .tooSmall(let size), .encryptedTooSmall(let size):
      "file is non-empty but too small (\(size) bytes) to be a valid Realm."
    case .oddSize(let size, _): "file has an invalid size (\(size))."
    // The engine goes on, "The file is either not a Realm file, is an encrypted Realm file but no encryption key was
    // supplied, or is corrupted.", which the message and the advice say.
    case .wrongMnemonic, .prototype, .snapshotsLost: "header has invalid mnemonic"
    case .streamingTooSmall(let size):
      "file is in streaming format but too small (\(size) bytes) to be a valid Realm."
    case .streamingFooter(let cookie):
      "file is in streaming format but has an invalid footer cookie (\(cookie)). The file is probably truncated."
    case .topRefUnaligned(let topRef): "top ref is not aligned (top_ref: \(topRef))"
    case .topRefOutside(let size, let topRef):
      "top ref is outside of the file (size: \(size), top_ref: \(topRef)). The file has probably been truncated."
    case .topArraySize(let ref, let count): "Invalid top array size (ref: \(ref), array size: \(count))"
    case .topArray(let ref): "Invalid top array (top_ref: \(ref))"
    case .noSuchSnapshot(let topRef): "Invalid top array (top_ref: \(topRef ?? 0))"
    case .logicalSize(let size, let actual): "Invalid logical file size: \(size), actual file size: \(actual)"
    }
  }
}
