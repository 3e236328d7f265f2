import RealmExchange
import RealmPresentation
import RealmStorage
import RealmText

/// Writes the text of a command to its destination: standard output, a file, or a folder of files that appear when they
/// are complete.
final class OutputSink: TextSink, @unchecked Sendable {
  private enum Target {
    case standardOutput
    case file(SafeOutput)
    case folder(OutputFolder, current: SafeOutput?)
  }

  private let makeTarget: () throws -> Target
  // The exporter calls `write` from one thread at a time.
  private var target: Target
  private(set) var byteCount: UInt64 = 0
  /// Called with each object that is complete.
  var progress: Progress?
  /// Whether what is written is CSV or TSV, which has the characters of values as they are: a terminal must not obey them.
  var isTabular = false

  /// - Parameters:
  ///   - isFolder: whether a path that is named is a folder.
  ///   - realms: the inputs, which the output must not replace. Only its owner may read the output of an encrypted one.
  init(_ destination: OutputDestination, isFolder: Bool, of realms: [RealmInput]) throws {
    let (inputs, isPrivate) = (realms.flatMap(\.files), realms.contains { $0.key != nil })
    makeTarget = {
      guard case .path(let path, let replacing) = destination else { return .standardOutput }
      let replacement: OutputReplacement = replacing ? .any : .never
      return try Diagnostic.reporting {
        isFolder
          ? .folder(
            try OutputFolder(at: path, replacing: replacement, inputs: inputs, isPrivate: isPrivate), current: nil)
          : .file(try Self.file(path, replacement, inputs, isPrivate))
      }
    }
    target = try makeTarget()
  }

  private static func file(
    _ path: String, _ replacement: OutputReplacement, _ inputs: [String], _ isPrivate: Bool
  ) throws -> SafeOutput {
    let file = try SafeOutput(at: path, replacing: replacement, inputs: inputs)
    if isPrivate { try file.makePrivate() }
    return file
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard !bytes.isEmpty else { return }
    byteCount += UInt64(bytes.count)
    switch target {
    case .standardOutput where isTabular && StandardOutput.isTerminal:
      try StandardOutput.write(PrintableText.escaping(String(decoding: bytes, as: UTF8.self), except: ["\n", "\t"]))
    case .standardOutput: try StandardOutput.write(bytes)
    case .file(let file), .folder(_, .some(let file)): try Diagnostic.reporting { try file.write(bytes) }
    case .folder(_, .none): break
    }
  }

  func finished(objects: Int) { progress?.advance(objects: objects, byteCount: byteCount) }

  /// In a folder, begins the file of that name; elsewhere everything goes to one place.
  func beginFile(named name: String) throws {
    guard case .folder(let folder, _) = target else { return }
    try Diagnostic.reporting { target = .folder(folder, current: try folder.makeFile(named: name)) }
  }

  /// Discards what was written, if that is possible.
  func rewind() throws -> Bool {
    if case .standardOutput = target { return byteCount == 0 }
    byteCount = 0
    progress?.restart()
    // The old files are removed before new ones appear.
    target = .standardOutput
    target = try makeTarget()
    return true
  }

  /// Where the file is until it has its name, for code that writes it itself; nil if it is not a file.
  var temporaryPath: String? {
    if case .file(let file) = target { file.temporaryPath } else { nil }
  }

  /// The file at `temporaryPath` has been written.
  func wrote(byteCount: UInt64) { self.byteCount = byteCount }

  /// Paths of the files with their sizes in bytes; none for standard output.
  var files: [(path: String, byteCount: UInt64)] {
    switch target {
    case .standardOutput: []
    case .file(let file): [(file.path, byteCount)]
    case .folder(let folder, _): folder.files.map { ($0.path, $0.byteCount) }
    }
  }

  /// Writes a text that a command drafts for its user.
  ///
  /// - Parameter json: the same in the JSON form of the command, which takes its place on standard output.
  static func write(
    _ text: some Sequence<UInt8>, json: @autoclosure () -> some Sequence<UInt8>, to destination: OutputDestination,
    of inputs: [RealmInput], on console: Console
  ) throws {
    let sink = try OutputSink(destination, isFolder: false, of: inputs)
    let isAnswer = console.style.isJSON && destination == .standardOutput
    try (isAnswer ? Array(json()) : Array(text)).withUnsafeBytes(sink.write)
    try sink.finish()
    try console.info(OutputReport(sink, at: destination, of: RealmInput(path: inputs[0].path)))
  }

  /// Makes the files appear.
  func finish() throws {
    progress?.clear()
    try Diagnostic.reporting {
      switch target {
      case .standardOutput: break
      case .file(let file):
        try file.close()
        try file.publish()
      case .folder(let folder, _): try folder.publish()
      }
    }
  }
}

extension Diagnostic {
  /// Runs `body`, and throws errors of its output as diagnostics.
  fileprivate static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as OutputError { throw Diagnostic(error) }
  }
}

/// What a command has written to files.
struct OutputReport {
  private let input: RealmInput
  private let output: String
  private let files: [(path: String, byteCount: UInt64)]
  /// Nil for commands that leave nothing out.
  private let damagedParts: Int?
  private let database: DatabaseReport?

  /// - Returns: nil for an output to standard output, which carries nothing but the data.
  init?(
    _ sink: OutputSink, at destination: OutputDestination, of input: RealmInput, damagedParts: Int? = nil,
    database: DatabaseReport? = nil
  ) {
    guard case .path(let output, _) = destination else { return nil }
    (self.input, self.output) = (input, output)
    files = sink.files
    (self.damagedParts, self.database) = (damagedParts, database)
  }

  /// One line per file, and what is in a database.
  func text() -> String {
    files.map { WrittenText.line($0.path, size: $0.byteCount, dryRun: database?.dryRun ?? false) }.joined()
      + (database?.text() ?? "")
  }

  /// `Docs/JSONOutput.md` describes the keys.
  func json() -> String {
    JSONText.document { json in
      json.path("input", input.path)
      json.path("output", output)
      json.objects("files", files) { file in
        json.path("path", file.path)
        json.member("size", file.byteCount)
      }
      json.member("unreadableParts", damagedParts)
      database?.addMembers(to: json)
    }
  }
}
