import RealmStorage
import RealmTools

/// The work of `bundle`: makes the seed, ready for its name, and its manifest.
struct SeedWork {
  let request: BundleCommand.Request
  let run: CopyRun
  /// Of what is read.
  let key: EncryptionKey?
  /// Of the seed.
  let outputKey: EncryptionKey?
  let console: Console

  /// A seed that is written, or that would be.
  struct Seed {
    var output: SafeOutput?
    var digest: StreamDigest?
    var written: WrittenRealm
    /// What was copied; nil where the seed was built from data.
    var report: CopyReport?
    var isVerified = false
    /// The file format.
    var format = Header.newestFormat
    var classes: [BundleManifest.ClassCount]
    var schemaVersion: UInt64?
  }

  /// - Throws: `Diagnostic`.
  func make() throws -> Seed {
    switch request.source {
    case .realm(let input, let part): try copy(input, part)
    case .data(let source, _): try build(source)
    }
  }

  // MARK: A realm

  private func copy(_ input: RealmInput, _ part: CopyPart) throws -> Seed {
    var isStreaming = false
    let outcome = try input.read(console, with: key, canStartAgain: { !isStreaming }) { realm in
      try part.classes.requireKnownNames(in: realm)
      realm.warnIfSynced("the seed is a local one, which no app can open for sync", on: console)
      var options = CopyOptions(part, request.writing, key: outputKey, of: realm, run.progress)
      options.schemaVersion = request.schemaVersion
      let outcome = try run.copy(realm, options) { isStreaming = true }
      realm.warnIfHeld(on: console)
      return outcome
    }
    run.warn(of: outcome.report)
    return Seed(
      output: outcome.output, digest: outcome.digest, written: outcome.report.written, report: outcome.report,
      isVerified: outcome.report.isVerified, format: outcome.report.format, classes: outcome.classes,
      schemaVersion: outcome.schemaVersion)
  }

  // MARK: Data

  private func build(_ source: DataSource) throws -> Seed {
    let schema = try validSchema(at: source.schema)
    try requireClass(source.className, in: schema, of: source)
    let version = request.schemaVersion ?? schema.version ?? 0
    var seed = DataSeed(schema: schema, dataAt: source.data, options: source.options(schemaVersion: version))
    seed.key = outputKey
    seed.threadLimit = Processors.threadCount(forBytes: .max) - 1
    seed.verifies = request.writing.verifies
    seed.progress = run.progress
    return try run.diagnosing {
      do { return try write(seed, version, source) } catch {
        throw Diagnostic(data: error, path: source.data.count == 1 ? run.input.name : "--data") ?? error
      }
    }
  }

  private func write(_ seed: DataSeed, _ version: UInt64, _ source: DataSource) throws -> Seed {
    func made(_ result: (written: WrittenRealm, report: DataRealm.Report), _ output: SafeOutput?) -> Seed {
      for number in result.report.emptySources {
        console.warn(
          Diagnostic(
            .done, .invalidInput, path: RealmInput(path: source.data[number]).name,
            "the file is empty, so no objects come from it", advice: "check the path"))
      }
      return Seed(
        output: output, written: result.written, isVerified: seed.verifies && output?.isStream == false,
        classes: result.report.objectCounts.map { BundleManifest.ClassCount(name: $0.name, objectCount: $0.count) },
        schemaVersion: version)
    }
    if request.writing.isDryRun {
      let result = try seed.measure()
      try run.requireSpace(result.written)
      return made(result, nil)
    }
    let inputs = request.source.paths
    let output =
      request.writing.isStandardOutput
      ? SafeOutput.standardOutput()
      : try seed.makeOutput(at: request.writing.path, replacing: request.writing.replacement(), inputs: inputs)
    let digest = CopyRun.digest(of: output)
    var result = made(try seed.write(to: output), output)
    result.digest = digest
    return result
  }

  /// The schema of a file or realm, by the rules for local realms.
  private func validSchema(at path: String) throws -> Schema {
    let schema = try SchemaSource(key: run.input.key, read: key).schema(at: path, console)
    let validation = SchemaValidation(of: schema, for: .local)
    guard let violation = validation.violations.first else { return schema }
    let more = validation.violations.count > 1 ? ", and \(validation.violations.count - 1) more" : ""
    throw Diagnostic(
      .schema, .schemaValidationFailed, path: path, "not a valid schema", detail: "\(violation)\(more)",
      advice: SchemaViolation.advice(for: validation.violations))
  }

  private func requireClass(_ name: String?, in schema: Schema, of source: DataSource) throws {
    guard let name, schema.classNamed(RealmString(name)) == nil else { return }
    throw Diagnostic(.notFound, .noSuchTable, path: source.schema, "no class '\(name)'")
  }

  // MARK: Manifest

  /// - Throws: `Diagnostic` where the seed cannot be read again.
  func manifest(of seed: Seed) throws -> SeedManifest {
    let isEncrypted = outputKey != nil
    var facts: BundleManifest?
    if let digest = seed.digest {
      facts = BundleManifest(
        of: digest, isEncrypted: isEncrypted, format: seed.format, schemaVersion: seed.schemaVersion,
        classes: seed.classes)
    } else if let path = seed.output?.temporaryPath {
      do {
        facts = try BundleManifest(ofFileAt: path, key: outputKey)
      } catch let error as StorageError {
        throw Diagnostic(error, path: request.writing.name)
      }
    }
    return SeedManifest(seed, facts, request.writing, isEncrypted: isEncrypted)
  }
}
