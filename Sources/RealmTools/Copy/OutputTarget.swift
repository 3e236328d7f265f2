import RealmExchange
import RealmInspection
import RealmOpening
import RealmStorage
import RealmSystem

/// Where a realm is written, and how.
package struct OutputTarget: Equatable, Sendable {
  /// `-` is standard output.
  package var path: String
  /// Whether an existing file is replaced.
  package var replacing = false
  /// Whether it replaces the file that is read.
  package var isInPlace = false
  /// Whether everything is done except writing.
  package var dryRun = false
  package var verifies = true
  /// The source: it is never replaced, and the output has no wider permissions than it.
  package var inputs: [String] = []
  /// Whether nobody but its owner may use a new file.
  package var isPrivate = false
  /// Other inputs, which must not be replaced.
  package var otherInputs: [String] = []
  /// Whether what is written can be read before it is published: a dry run and what goes to standard output are in
  /// memory then.
  package var isReadBack = false

  package init(path: String, replacing: Bool = false, isInPlace: Bool = false, dryRun: Bool, verifies: Bool) {
    (self.path, self.replacing, self.isInPlace) = (path, replacing, isInPlace)
    (self.dryRun, self.verifies) = (dryRun, verifies)
  }

  package var isStandardOutput: Bool { path == "-" }

  /// - Parameter source: the file that is read, if it is one.
  private func replacement(of source: FileIdentity?) -> OutputReplacement {
    guard replacing else { return .never }
    if isInPlace, let source { return .only(source) }
    return .any
  }

  /// Checks the output before long work begins.
  ///
  /// - Parameter source: the file that is read, if it is one.
  /// - Throws: `OutputError`.
  package func check(source: FileIdentity? = nil) throws {
    guard !isStandardOutput else { return }
    try SafeOutput.check(at: path, replacing: replacement(of: source), inputs: inputs + otherInputs)
  }

  /// Checks for space and writes a copy of a realm, or does a dry run.
  ///
  /// - Parameter begin: called with an output that cannot be taken back.
  /// - Throws: what `RealmCopy` throws.
  package func copy(
    _ realm: OpenedRealm, _ options: CopyOptions, streaming begin: () -> Void
  ) throws -> UnpublishedRealm {
    let identity = realm.bytes.identity
    guard let mapping = options.mapping else {
      return try write(RealmCopy(of: realm.snapshot, options), inPlaceOf: identity, streaming: begin)
    }
    let isFile = !dryRun && !isStandardOutput && !SafeOutput.isStream(path)
    let mapped = try MappedSource(
      of: realm, options, by: mapping,
      isFile ? { try made($0.makeOutput(at: path, replacing: replacement(of: identity), inputs: inputs)) } : nil)
    return try withExtendedLifetime(mapped) {
      try write(RealmCopy(of: mapped), inPlaceOf: identity, streaming: begin)
    }
  }

  /// Checks for space and builds a realm from data, or does a dry run.
  ///
  /// - Throws: what `DataSeed` throws.
  package func build(_ seed: DataSeed) throws -> UnpublishedRealm { try write(seed, inPlaceOf: nil, streaming: {}) }

  /// The same in another file format, or with other types: in memory first, then copied.
  ///
  /// - Throws: what `DataSeed` and `RealmCopy` throw.
  package func build(_ seed: DataSeed, as options: CopyOptions) throws -> UnpublishedRealm {
    let (output, realm, report) = try FileBackend.$calls.withValue(MemoryFiles(.scratch)) {
      var seed = seed
      (seed.key, seed.progress) = (nil, nil)
      // A name in memory only.
      let output = try seed.makeOutput(at: "data.realm", replacing: .any)
      let report = try seed.write(to: output)
      guard let path = output.temporaryPath else { throw OutputError.notARegularFile(path: output.path) }
      return (output, try OpenedRealm(fileAt: path, key: nil), report)
    }
    return try withExtendedLifetime(output) {
      var copy = try copy(realm, options) {}
      (copy.emptySources, copy.roundedCounts) = (report.content.emptySources, report.content.roundedCounts)
      return copy
    }
  }

  /// Checks for space and writes what was saved of a damaged realm, or does a dry run.
  ///
  /// - Throws: what `RealmRescue` throws.
  package func rescue(_ rescue: RealmRescue, streaming begin: () -> Void) throws -> UnpublishedRealm {
    try write(rescue, inPlaceOf: nil, streaming: begin)
  }

  private func write(
    _ maker: some RealmMaker, inPlaceOf source: FileIdentity?, streaming begin: () -> Void
  ) throws -> UnpublishedRealm {
    let replacement = replacement(of: source)
    if isReadBack, dryRun || isStandardOutput {
      let realm = try writeToMemory(maker)
      if dryRun, !isStandardOutput {
        let byteCount = realm.written.fileSize
        try SafeOutput.check(at: path, replacing: replacement, inputs: inputs, expectedByteCount: byteCount)
      }
      return realm
    }
    guard !dryRun else {
      let realm = try maker.describe(maker.dryRun())
      if !isStandardOutput {
        let byteCount = realm.written.fileSize
        try SafeOutput.check(at: path, replacing: replacement, inputs: inputs, expectedByteCount: byteCount)
      }
      return realm
    }
    let output =
      try isStandardOutput
      ? SafeOutput.standardOutput() : made(maker.makeOutput(at: path, replacing: replacement, inputs: inputs))
    var digest: StreamDigest?
    if output.isStream {
      begin()
      let stream = StreamDigest()
      output.observer = { stream.add($0) }
      digest = stream
    }
    var realm = try maker.describe(maker.write(to: output))
    (realm.output, realm.digest) = (output, digest)
    return realm
  }

  private func writeToMemory(_ maker: some RealmMaker) throws -> UnpublishedRealm {
    let files = MemoryFiles(.scratch)
    return try FileBackend.$calls.withValue(files) {
      // A name in memory only.
      let output = try maker.makeOutput(at: "output.realm", replacing: .any, inputs: [])
      var realm = try maker.describe(maker.write(to: output))
      (realm.output, realm.memory, realm.dryRun) = (output, files, dryRun)
      return realm
    }
  }

  private func made(_ output: SafeOutput) throws -> SafeOutput {
    if isPrivate { try output.makePrivate() }
    return output
  }
}

/// What writes a realm as a whole.
private protocol RealmMaker {
  associatedtype Report
  func dryRun() throws -> Report
  func makeOutput(at path: String, replacing: OutputReplacement, inputs: [String]) throws -> SafeOutput
  func write(to output: SafeOutput) throws -> Report
  func describe(_ report: Report) throws -> UnpublishedRealm
}

extension RealmCopy: RealmMaker {
  fileprivate func describe(_ report: CopyReport) throws -> UnpublishedRealm {
    UnpublishedRealm(
      written: report.written, report: report, verifies: true, classes: try classCounts(), schema: schema)
  }
}

extension DataSeed: RealmMaker {
  fileprivate func dryRun() throws -> Report { try measure() }

  fileprivate func describe(_ report: Report) -> UnpublishedRealm {
    UnpublishedRealm(
      written: report.written, report: nil, verifies: verifies, classes: report.content.objectCounts,
      schema: storedSchema, emptySources: report.content.emptySources, roundedCounts: report.content.roundedCounts)
  }
}

extension RealmRescue: RealmMaker {
  fileprivate func dryRun() throws -> Report { try measure() }

  fileprivate func describe(_ report: Report) -> UnpublishedRealm {
    let classes = report.account.classes.filter(\.isClass)
      .map { ClassCount(name: $0.name, objectCount: $0.savedObjects) }
    var realm = UnpublishedRealm(
      written: report.written, report: nil, verifies: verifies, classes: classes, schema: nil)
    realm.account = report.account
    return realm
  }
}

/// A realm that is written but has no name yet, or the result of a dry run.
package struct UnpublishedRealm {
  package let written: WrittenRealm
  /// The report of the copy; nil if the realm was built from data.
  package let report: CopyReport?
  fileprivate let verifies: Bool
  package let classes: [ClassCount]
  /// Nil if the realm was made from a damaged one.
  package let schema: Schema?
  /// Numbers of the data files that are empty.
  package fileprivate(set) var emptySources: [Int] = []
  /// By property, how many numbers of the data have digits that its type does not keep.
  package fileprivate(set) var roundedCounts: [PropertyPath: Int] = [:]
  /// What was saved, if the realm was made from a damaged one.
  package fileprivate(set) var account: RescueAccount?
  /// Nil in a dry run.
  fileprivate var output: SafeOutput?
  /// For what was written to a stream.
  fileprivate var digest: StreamDigest?
  /// The content of `output`, if it is in memory.
  fileprivate var memory: MemoryFiles?
  fileprivate var dryRun = false

  /// Whether it was read again, and is what it should be.
  package var isVerified: Bool { report?.isVerified ?? (verifies && output?.isStream == false) }
  package var format: UInt8 { report?.format ?? Header.newestFormat }

  /// Makes the file appear.
  ///
  /// - Throws: `OutputError`.
  package func publish() throws -> PublishedFile { try publish(nil) }

  /// Makes the file and its report appear together: if one of them cannot appear, neither does.
  ///
  /// - Throws: `OutputError`.
  package func publish(with logs: [RescueLog]) throws -> PublishedFile {
    try UnfinishedOutputs.publishing {
      var published: [RescueLog] = []
      do {
        for log in logs {
          try log.publish()
          published.append(log)
        }
        return try publish(nil)
      } catch {
        for log in published { log.withdraw() }
        throw error
      }
    }
  }

  /// - Throws: `BackupError` as well: then neither file appears.
  func publish(_ backup: PreparedBackup?) throws -> PublishedFile {
    if let memory {
      if !dryRun { try FileBackend.$calls.withValue(memory) { try sendToStandardOutput() } }
      return PublishedFile(isDurable: true, otherNameCount: 0)
    }
    let isDurable = try PreparedBackup.publish(backup) { try output?.publish() ?? true }
    return PublishedFile(isDurable: isDurable, otherNameCount: output?.otherNameCount ?? 0)
  }

  /// The content of the file, read again if that is possible.
  ///
  /// - Parameter key: of the file.
  /// - Returns: nil in a dry run.
  /// - Throws: `StorageError`.
  package func manifest(key: EncryptionKey?) throws -> BundleManifest? {
    if let digest {
      return BundleManifest(
        of: digest, isEncrypted: key != nil, format: format, schemaVersion: schema?.version, classes: classes)
    }
    guard !dryRun else { return nil }
    return try withPath { try BundleManifest(ofFileAt: $0, key: key) }
  }

  /// The realm, read again where `OutputTarget.isReadBack` is set or it is a file.
  ///
  /// - Parameter key: of the file.
  /// - Throws: `StorageError`.
  package func content(key: EncryptionKey?) throws -> OpenedRealm? {
    try withPath { try OpenedRealm(fileAt: $0, key: key) }
  }

  private func withPath<Result>(_ body: (String) throws -> Result) throws -> Result? {
    guard let path = output?.temporaryPath else { return nil }
    guard let memory else { return try body(path) }
    return try FileBackend.$calls.withValue(memory) { try body(path) }
  }

  private func sendToStandardOutput() throws {
    guard let path = output?.temporaryPath else { return }
    let stream = SafeOutput.standardOutput()
    try SequentialInput(path).forEachBlock { try stream.write($0) }
  }
}

/// The result of publishing a file.
package struct PublishedFile: Sendable {
  /// False if the file may be gone after a power cut, because its folder could not be synced.
  package let isDurable: Bool
  /// Names of the file other than the one that it was opened by: an app that has it open by one of them was not seen,
  /// and if the file was replaced they keep the old one.
  package let otherNameCount: UInt64
}
