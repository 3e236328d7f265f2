import Libc
import RealmStorage
import RealmSystem
import RealmTerminal

/// Where a key is to be read from.
enum KeySource: Equatable, Sendable {
  case file(String)
  case standardInput
  case environment(String)
  /// The terminal, without echo.
  case prompt

  /// Reads the key.
  ///
  /// - Parameters:
  ///   - realm: what messages call the realm the key is for.
  ///   - option: the one that takes a key file for it.
  /// - Throws: `Diagnostic` about the source of the key.
  func read(for realm: String, option: String = "--key-file") throws -> EncryptionKey {
    do {
      switch self {
      case .file(let path): return try EncryptionKey.read(file: path)
      case .standardInput: return try EncryptionKey.read(file: "-")
      case .environment(let name): return try EncryptionKey.read(environmentVariable: name)
      case .prompt:
        return try EncryptionKey.typed {
          try TerminalPrompt.ask("Encryption key of \(PrintableText.escaping(realm)): ")
        }
      }
    } catch let error as StorageError {
      var diagnostic = Diagnostic(error, path: name)
      if case .key(let problem) = error {
        diagnostic = Diagnostic(problem, path: name, option: option, takesBytes: path != nil)
      }
      // Ctrl-C, in a program that continues.
      if self == .prompt, case .file(.systemCall(_, EINTR)) = error {
        (diagnostic.problem, diagnostic.advice) = ("no key was typed", nil)
      }
      // A key in place of a name is not repeated in messages.
      if let name = typedName, SecretScrubber.contain(name) {
        let noun = path == nil ? "the name of a variable" : "the path of a file"
        diagnostic.advice =
          "\(path == nil ? option.replacing("-file", with: "-env") : option) takes \(noun) with the key, not the key"
      }
      // Whatever the reason, the run cannot continue without a key.
      diagnostic.status = .key
      throw diagnostic
    }
  }

  /// The path of its file, `-` for standard input; nil if it is neither.
  var path: String? {
    switch self {
    case .file(let path): path
    case .standardInput: "-"
    case .environment, .prompt: nil
    }
  }

  /// The path or the name that was typed; nil if there is none.
  private var typedName: String? {
    switch self {
    case .file(let path): path
    case .environment(let name): name
    case .standardInput, .prompt: nil
    }
  }

  /// The name of the source in messages.
  private var name: String {
    switch self {
    case .file(let path): path
    case .standardInput: "standard input"
    case .environment(let name): "environment variable \(name)"
    case .prompt: "the key from the prompt"
    }
  }
}

extension TextInput.Kind {
  /// Whether it is certain that a file is not encrypted.
  var needsNoKey: Bool { [.plainRealm, .sqlite].contains(self) }
}

/// One key for several realms, read when it is first needed, and only once: it may be typed, come from standard input,
/// or from a variable that is gone once it has been read.
final class SharedKey: Sendable {
  let source: KeySource?
  private let key: Locked<EncryptionKey?>
  /// What was typed for single files.
  private let typed = Locked<[EncryptionKey]>([])

  /// - Parameter read: the key, if it has been read already.
  init(_ source: KeySource?, read: EncryptionKey? = nil) {
    self.source = source
    key = Locked(read)
  }

  /// Whether to ask for the key on the terminal when it is next needed.
  var wantsTerminal: Bool { source == .prompt && key.withLock { $0 == nil } }

  /// Keys that were typed for other files, and opened them.
  var typedKeys: [EncryptionKey] { typed.withLock { $0 } }

  /// Refuses a key that was given and not needed, after everything has been read: a key for files that are all plain is
  /// a mistake.
  ///
  /// - Parameter name: what messages call the first of them.
  /// - Throws: `Diagnostic`.
  func requireUse(for name: String) throws {
    guard source != nil, key.withLock({ $0 == nil }) else { return }
    // A key that cannot be read is the first mistake.
    _ = try read(for: name)
    throw Diagnostic(StorageError.key(.notEncrypted), path: name)
  }

  func remember(_ key: EncryptionKey) { typed.withLock { $0.append(key) } }

  /// - Parameter name: what messages call the realm the key is for.
  /// - Throws: `Diagnostic` about the source of the key.
  func read(for name: String) throws -> EncryptionKey? {
    try key.withLock { key in
      if key == nil { key = try source?.read(for: name) }
      return key
    }
  }
}

extension Console {
  /// Says in which form the key was read: a key that is read in the wrong form fails as a wrong key.
  func verbose(_ key: EncryptionKey, for name: String) {
    verbose("the key was read as \(key.form.description)", path: name)
  }
}

extension Diagnostic {
  /// A wrong key may be half a key in hex, which is as long as the bytes of a whole one.
  func advising(on key: EncryptionKey?) -> Diagnostic {
    guard case .key(.wrong) = cause, key?.form == .bytes(areHexDigits: true) else { return self }
    var diagnostic = self
    diagnostic.advice = "check the key: its 64 hex digits were taken as 64 bytes, and a key in hex has 128 digits"
    return diagnostic
  }
}
