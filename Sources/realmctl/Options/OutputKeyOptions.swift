import ArgumentParser
import RealmStorage

/// The key of the output. An encrypted realm never becomes a plain copy unless the user says so.
struct OutputKeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Key file for the output; forms as for --key-file.", valueName: "path"),
    completion: .file())
  var outKeyFile: String?

  @Option(help: ArgumentHelp("Environment variable with the key for the output.", valueName: "name"))
  var outKeyEnv: String?

  @Flag(help: "Encrypt the output with the key of the source.")
  var outKeySame = false

  @Flag(help: "Write the output unencrypted, readable by its owner only.")
  var decrypt = false

  @Flag(help: "Give a decrypted file the permissions of the source.")
  var keepMode = false

  /// For commands that write to another file only when they are told to.
  ///
  /// - Throws: `UsageError` if the file is changed in place, and so keeps its key.
  /// - Parameter creates: whether there is no file yet.
  func requireNone(creates: Bool = false) throws {
    let given = [
      outKeyFile.map { _ in "--out-key-file" }, outKeyEnv.map { _ in "--out-key-env" },
      outKeySame ? "--out-key-same" : nil, decrypt ? "--decrypt" : nil, keepMode ? "--keep-mode" : nil,
    ]
    guard let option = given.compactMap({ $0 }).first else { return }
    throw UsageError(
      option == "--keep-mode" ? "--keep-mode needs --decrypt and -o" : "\(option) needs -o",
      advice: option == "--keep-mode"
        ? "in place, a realm keeps its permissions"
        : creates
          ? "the key of a new realm is given with --key-file or --key-env" : "in place, a realm keeps its key")
  }

  /// - Parameters:
  ///   - source: the key of what is read.
  /// - Throws: `UsageError` if the source is encrypted and nothing says how to write the output.
  func outputKey(alongside source: KeySource?) throws -> OutputKey {
    let keys: [OutputKey] = [
      outKeyFile.map { .from($0 == "-" ? .standardInput : .file($0)) }, outKeyEnv.map { .from(.environment($0)) },
      outKeySame ? .same : nil, decrypt ? .plain(keepsMode: keepMode) : nil,
    ].compactMap { $0 }
    guard keys.count <= 1 else {
      throw UsageError("--out-key-file, --out-key-env, --out-key-same and --decrypt cannot be used together")
    }
    if keepMode, !decrypt { throw UsageError("--keep-mode needs --decrypt") }
    if keys.first == .same, source == nil {
      throw UsageError("--out-key-same needs the key of the source: --key-file, --key-env or --key-prompt")
    }
    // Reading a key removes its variable from the environment, so it cannot be read twice.
    if let outKeyEnv, source == .environment(outKeyEnv) { return .same }
    guard source == nil || !keys.isEmpty else {
      throw UsageError(
        "missing key of the output",
        advice: "use --out-key-same, --out-key-file or --out-key-env, "
          + "or write it unencrypted with --decrypt")
    }
    return keys.first ?? .plain()
  }
}

/// How the output is encrypted.
enum OutputKey: Equatable, Sendable {
  /// Not at all. Only its owner may then read the output of an encrypted source, unless it gets the permissions of the
  /// source.
  case plain(keepsMode: Bool = false)
  /// With the key of what is read.
  case same
  case from(KeySource)

  /// The file it is read from, `-` for standard input; nil for none.
  var path: String? {
    if case .from(let key) = self { key.path } else { nil }
  }

  /// Whether only the owner may use a new file, however the source's key was given.
  func isPrivate(source: KeySource?) -> Bool { source != nil && self == .plain() }

  /// - Parameters:
  ///   - source: the key of what is read.
  ///   - output: what messages call the file the key is for.
  ///   - console: warned if the text of half a key would be read as the bytes of a whole one.
  /// - Throws: `Diagnostic`.
  func read(source: EncryptionKey?, for output: String, _ console: Console) throws -> EncryptionKey? {
    switch self {
    case .plain: return nil
    case .same: return source
    case .from(let key):
      let key = try key.read(for: output, option: "--out-key-file")
      if key.form == .bytes(areHexDigits: true) {
        console.warn(
          Diagnostic(.done, .invalidEncryptionKey, path: output, "its key was read as \(key.form.description)"))
      }
      return key
    }
  }
}
