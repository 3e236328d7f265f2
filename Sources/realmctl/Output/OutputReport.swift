import RealmText

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
    files.map { "\(database?.verb ?? "wrote") \(PrintableText.escaping($0.path)): \(ByteCount.text($0.byteCount))\n" }
      .joined()
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
      json.member("damagedParts", damagedParts)
      database?.addMembers(to: json)
    }
  }
}
