import ArgumentParser
import RealmStorage
import RealmSystem

extension ArgumentHelp {
  /// The realm a command reads.
  static var realm: Self { Self("Realm file; - is standard input.", valueName: "file") }
  /// The realms a command reads, one after another.
  static var realms: Self { Self("Realm files; - is standard input.", valueName: "file") }
  /// The realms a command changes.
  static var changedRealms: Self { Self("Realm files to change.", valueName: "file") }
}

extension CompletionKind {
  static var realm: Self { .file(extensions: ["realm"]) }
}

/// The realm that a command works on when no FILE is given.
enum DefaultRealm {
  static func files(_ files: [String]) -> [String] { files.isEmpty ? [BundleCommand.defaultFile] : files }

  /// Tells the user which file that is.
  static func remark(on console: Console) {
    console.notice("no FILE given; using \(BundleCommand.defaultFile)")
  }
}

/// Which snapshot of a realm a command reads.
struct SnapshotOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Older snapshot to read: previous, or a byte offset.",
      valueName: "snapshot"))
  var snapshot: SnapshotArgument?

  var choice: SnapshotChoice { snapshot?.choice ?? .live }
}

/// A snapshot as it is named on the command line.
struct SnapshotArgument: ExpressibleByArgument, Equatable {
  let choice: SnapshotChoice

  init?(argument: String) {
    if argument == "previous" {
      choice = .previous
    } else if let offset = UInt64(argument) {
      choice = .at(topRef: offset)
    } else {
      return nil
    }
  }
}

/// A realm to read.
struct RealmInput: Equatable, Sendable {
  /// As typed; `-` is standard input.
  var path: String
  var key: KeySource?
  var snapshot: SnapshotChoice
  /// Whether reading it as the only one warns that it is a backup.
  var warnsIfBackup = true

  init(path: String, key: KeySource? = nil, snapshot: SnapshotChoice = .live) {
    (self.path, self.key, self.snapshot) = (path, key, snapshot)
  }

  /// - Parameter path: as typed.
  /// - Throws: `UsageError`.
  init(_ path: String, _ key: KeyOptions, _ snapshot: SnapshotChoice = .live) throws {
    self.init(path: try Self.path(typed: path), key: try key.source(), snapshot: snapshot)
  }

  /// Realms that a command deals with one after another, with one key.
  ///
  /// - Parameters:
  ///   - paths: as typed.
  ///   - verb: what is done to them if they are changed, for the message.
  /// - Throws: `UsageError`.
  static func all(
    _ paths: [String], _ key: KeyOptions, _ snapshot: SnapshotChoice = .live, changing verb: String? = nil
  ) throws -> [RealmInput] {
    if let verb, paths.contains("-") {
      let advice = verb == "deleted" ? "name a file" : "write it to a file first"
      throw UsageError("standard input cannot be \(verb)", advice: advice)
    }
    let paths = try paths.map(path(typed:))
    let source = try key.source()
    return paths.map { RealmInput(path: $0, key: source, snapshot: snapshot) }
  }

  /// The path that a user typed: that of a `file` URL, as an app prints its `fileURL`, or the text itself.
  ///
  /// - Throws: `UsageError` for an empty path, in the SDKs' words.
  static func path(typed text: String) throws -> String {
    if text.isEmpty { throw UsageError(ConfigurationError.emptyPath.description) }
    return path(ofURL: text) ?? text
  }

  /// Nil if the text is not the URL of a file on this machine.
  private static func path(ofURL text: String) -> String? {
    guard let start = ["file://", "file://localhost"].first(where: { text.hasPrefix($0 + "/") }) else { return nil }
    var bytes: [UInt8] = []
    var rest = SystemText.bytes(of: String(text.dropFirst(start.count)))[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      guard digits.count == 2, digits != [0, 0] else { return nil }
      bytes.append(UInt8(digits[0] << 4 | digits[1]))
      rest = rest.dropFirst(2)
    }
    return SystemText.text(of: bytes)
  }

  var isStandardInput: Bool { path == "-" }

  /// Whether it can be read only once.
  var isPipe: Bool { isStandardInput || RealmSource.path(path).isPipe }

  /// Whether a file that is not a realm may be meant as a schema file.
  var mayBeSchemaFile: Bool {
    !isStandardInput && !path.lowercased().hasSuffix(".realm")
      && (try? TextInput.kind(of: path)).map { [.other, .sqlite].contains($0) } == true
  }

  /// The realm and the file of its key, `-` for standard input. A user who may not read the key must not be able to
  /// read the decrypted content.
  var files: [String] { [path] + [key?.path].compactMap { $0 } }

  /// An empty realm that is in no file.
  static let inMemory = RealmInput(path: "")

  /// Its name in messages.
  var name: String { isStandardInput ? "standard input" : path.isEmpty ? Self.nameInMemory : path }

  /// In place of the path of a realm in memory, which has none.
  static let nameInMemory = "(in memory)"
}
