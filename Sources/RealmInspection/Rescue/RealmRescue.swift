import RealmStorage

/// Makes a new, undamaged realm from what can be saved of a damaged one.
///
/// The input is only read. What is written is checked before it gets its name.
///
/// ```swift
/// let catalog = try RescueCatalog(RescueBytes.open(.path("broken.realm"), key: nil))
/// let rescue = RealmRescue(catalog, RescueOptions())
/// let output = try rescue.makeOutput(at: "saved.realm", replacing: .never)
/// let report = try rescue.write(to: output)
/// try output.publish()
/// ```
package struct RealmRescue {
  private let catalog: RescueCatalog
  private let options: RescueOptions
  /// Called with everything that is not as it was.
  package var report: (RescueDetail) -> Void = { _ in }

  package init(_ catalog: RescueCatalog, _ options: RescueOptions) { (self.catalog, self.options) = (catalog, options) }

  /// What was written, and what was saved.
  package struct Report: Sendable {
    package let written: WrittenRealm
    package let account: RescueAccount
  }

  /// Does everything except writing.
  ///
  /// - Throws: `BuildError` for what cannot be written.
  package func measure() throws -> Report {
    try build { try writer.measure($0, .fresh) }
  }

  /// An output with about as much room as is needed.
  ///
  /// - Throws: `OutputError`.
  package func makeOutput(
    at path: String, replacing replacement: OutputReplacement, inputs: [String] = []
  ) throws -> SafeOutput {
    let generous = UInt64(catalog.bytes.byteCount) + 1 << 16
    do throws(OutputError) {
      return try SafeOutput(at: path, replacing: replacement, inputs: inputs, expectedByteCount: generous)
    } catch {
      guard case .noSpace = error else { throw error }
    }
    var quiet = self
    quiet.report = { _ in }
    let needed = try quiet.measure().written.fileSize
    return try SafeOutput(at: path, replacing: replacement, inputs: inputs, expectedByteCount: needed)
  }

  /// Writes the new realm, checks it and closes the output. What is left to do is to publish it.
  ///
  /// - Throws: as `measure`; `OutputError`; `WrittenFault` for a damaged result.
  package func write(to output: SafeOutput) throws -> Report {
    let result = try build { try writer.write($0, .fresh, to: output) }
    if options.verifies, let path = output.temporaryPath { try verify(fileAt: path, result) }
    try output.close()
    return result
  }

  package var verifies: Bool { options.verifies }

  private var writer: StreamingWriter { StreamingWriter(key: options.key, threadLimit: options.threadLimit) }

  private func build(_ write: (RescueBody) throws -> WrittenRealm) throws -> Report {
    let body = RescueBody(catalog, options, report)
    if let progress = options.progress {
      progress.begin(.writing, totalByteCount: UInt64(catalog.bytes.byteCount))
      let expected = max(1, catalog.tables.reduce(0) { $0 + ($1.expectedCount ?? 0) })
      let each = max(1, catalog.bytes.byteCount / expected)
      var told = 0
      body.onProgress = { count in
        progress.add(byteCount: (count - told).multiplied(atMost: each))
        told = count
      }
    }
    let written = try write(body)
    return Report(written: written, account: body.account)
  }

  private func verify(fileAt path: String, _ report: Report) throws {
    do {
      let opened = try ByteStore.open(.path(path), key: options.key)
      guard opened.physicalSize == report.written.fileSize else {
        throw WrittenFault.fileSize(expected: report.written.fileSize, found: opened.physicalSize)
      }
      var first: Finding?
      let summary = try Checker(opened.store, options: Checker.Options(mostFindingsPerKind: 1)).run { finding in
        if first == nil, finding.severity == .error { first = finding }
      }
      if let first { throw WrittenFault.unsound(first.message, count: summary.errors) }
      guard summary.objects == report.account.savedObjects else { throw WrittenFault.content }
    } catch let error as StorageError {
      throw WrittenFault.unreadable(error)
    }
  }
}

/// What is saved of a damaged realm, and how it is written.
package struct RescueOptions: Sendable {
  /// What goes into the new realm.
  package enum Policy: String, CaseIterable, Sendable {
    /// What is undamaged, and for the rest what an older snapshot has.
    case trusted
    /// Also what something contradicts, or nothing confirms.
    case all
  }

  package var policy = Policy.trusted
  /// The classes to save; internal tables come along unless classes are named.
  package var classes = ClassSelection.all
  /// Also objects that were deleted, as far as they are still in the file.
  package var includesDeleted = false
  /// Encrypts what is written; nil writes it plain.
  package var key: EncryptionKey?
  /// Threads in addition to the caller's.
  package var threadLimit = 0
  /// Whether what was written is checked before it gets its name.
  package var verifies = true
  package var progress: WorkProgress?

  package init() {}

  /// Whether something of this confidence is saved.
  func accepts(_ confidence: RescueConfidence) -> Bool { policy == .all || confidence < .doubtful }
}
