import RealmInspection
import RealmStorage

/// A realm built from a schema and data, as a file.
///
/// ```swift
/// let seed = DataSeed(schema: schema, dataAt: ["people.ndjson"], options: DataOptions())
/// let output = try seed.makeOutput(at: "seed.realm", replacing: .never)
/// let report = try seed.write(to: output)
/// try output.publish()
/// ```
package struct DataSeed {
  private let schema: Schema
  private let paths: [String]
  private let options: DataOptions
  private let sources: [DataRealm.Source]?
  /// Encrypts the file; nil writes it plain.
  package var key: EncryptionKey?
  /// Threads in addition to the caller's.
  package var threadLimit = 0
  /// Whether to read the file again before it gets its name, to make sure that it is sound and has the classes of the
  /// schema with as many objects as were read.
  package var verifies = true
  /// Receives the number of bytes of data read.
  package var progress: WorkProgress?

  /// - Parameters:
  ///   - schema: must be valid for a realm.
  ///   - paths: paths of the data files, read in this order; `-` is standard input, which can be read only once.
  ///   - sources: the kind of each file; JSON if not given.
  package init(
    schema: Schema, dataAt paths: [String], options: DataOptions = DataOptions(), sources: [DataRealm.Source]? = nil
  ) {
    (self.schema, self.paths, self.options, self.sources) = (schema, paths, options, sources)
  }

  /// The result.
  package struct Report: Sendable {
    package let written: WrittenRealm
    package let content: DataRealm.Report
  }

  /// The content that the realm will have.
  package var storedSchema: Schema {
    Schema(tables: schema.tables, version: options.schemaVersion ?? schema.version ?? 0)
  }

  /// Bytes of the data; nil if that is known only after reading.
  private var dataByteCount: UInt64? {
    var sum: UInt64 = 0
    for path in paths {
      guard let count = (try? SequentialInput(path))?.byteCount else { return nil }
      sum = sum.addingReportingOverflow(count).overflow ? .max : sum + count
    }
    return sum
  }

  /// Builds the realm and returns its size. Standard input is used up afterwards.
  ///
  /// - Throws: the same errors as `DataBody.write`.
  package func measure() throws -> Report {
    try build { try writer.measure($0, .fresh) }
  }

  /// An output with room for the realm, as far as its size can be known before the data is read.
  ///
  /// - Throws: `OutputError`; what `measure` throws.
  package func makeOutput(
    at path: String, replacing replacement: OutputReplacement, inputs: [String] = []
  ) throws -> SafeOutput {
    // A realm is hardly ever larger than the JSON it was made of.
    let generous = dataByteCount.map { min($0, 1 << 60) * 2 } ?? 0
    do throws(OutputError) {
      return try SafeOutput(at: path, replacing: replacement, inputs: inputs, expectedByteCount: generous)
    } catch {
      guard case .noSpace = error else { throw error }
    }
    let needed = try measure().written.fileSize
    return try SafeOutput(at: path, replacing: replacement, inputs: inputs, expectedByteCount: needed)
  }

  /// Builds the realm, reads it again and closes the output. What is left to do is to publish it.
  ///
  /// What was written to a stream cannot be read again.
  ///
  /// - Throws: as `measure`; `OutputError`, `WrittenFault`.
  package func write(to output: SafeOutput) throws -> Report {
    let result = try build { try writer.write($0, .fresh, to: output) }
    if verifies, let path = output.temporaryPath { try verify(fileAt: path, result) }
    try output.close()
    return result
  }

  private var writer: StreamingWriter { StreamingWriter(key: key, threadLimit: threadLimit) }

  private func build(
    _ write: (DataBody) throws -> WrittenRealm
  ) throws -> Report {
    let body = DataBody(schema: schema, dataAt: paths, options: options, sources: sources)
    if let progress {
      progress.begin(.writing, totalByteCount: dataByteCount ?? 0)
      var told = 0
      body.onProgress = { byteCount in
        guard byteCount - told >= 1 << 20 else { return }
        progress.add(byteCount: byteCount - told)
        told = byteCount
      }
    }
    return Report(written: try write(body), content: body.report)
  }

  // MARK: Verification

  func verify(fileAt path: String, _ report: Report) throws {
    do {
      try verifyContent(ofFileAt: path, report.written, report.content)
    } catch let error as StorageError {
      throw WrittenFault.unreadable(error)
    }
  }

  private func verifyContent(
    ofFileAt path: String, _ written: WrittenRealm, _ report: DataRealm.Report
  ) throws {
    let opened = try ByteStore.open(.path(path), key: key)
    guard opened.physicalSize == written.fileSize else {
      throw WrittenFault.fileSize(expected: written.fileSize, found: opened.physicalSize)
    }
    let realm = try OpenedRealm(opened)
    let found = realm.snapshot.schema
    guard try realm.classCounts() == report.objectCounts, found.version == storedSchema.version,
      SchemaDifference(from: found, to: schema).isEmpty
    else { throw WrittenFault.content }
    var first: Finding?
    var options = Checker.Options(mostFindingsPerKind: 1)
    if let progress {
      progress.begin(.verifying, totalByteCount: written.logicalSize)
      options.progress = { share in
        let done = UInt64(clamping: share * Double(written.logicalSize))
        progress.add(byteCount: Int(clamping: done) - Int(clamping: progress.doneByteCount))
      }
    }
    let summary = try Checker(opened.store, options: options).run { finding in
      if first == nil, finding.severity != .note { first = finding }
    }
    if let first { throw WrittenFault.unsound(first.message, count: summary.errors + summary.warnings) }
  }
}
