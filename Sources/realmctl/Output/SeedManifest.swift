import RealmExchange
import RealmOpening
import RealmPresentation
import RealmStorage
import RealmText
import RealmTools

/// The report of `bundle` about a seed.
struct SeedManifest {
  let source: SeedSource
  let writing: OutputTarget
  let byteCount: UInt64
  /// Nil if nothing was written.
  let digest: String?
  let format: UInt8
  let isEncrypted: Bool
  let schemaVersion: UInt64?
  let classes: [ClassCount]
  let isVerified: Bool
  /// Nil for a seed built from data.
  let report: CopyReport?
  /// What was imported; nil for a copy, and for a seed built directly from JSON.
  let imported: ImportReport?

  /// - Parameter facts: what was read of the seed itself.
  init(
    _ seed: UnpublishedRealm, _ facts: BundleManifest?, _ request: BundleCommand.Request, isEncrypted: Bool,
    imported: ImportReport?
  ) {
    self.imported = imported
    (source, writing, self.isEncrypted) = (request.source, request.writing, isEncrypted)
    (isVerified, report) = (seed.isVerified, seed.report)
    byteCount = facts?.byteCount ?? seed.written.fileSize
    digest = facts.map { "\($0.fileDigest)" }
    format = facts?.format ?? seed.format
    schemaVersion = facts?.schemaVersion ?? seed.schema?.version
    classes = facts?.classes ?? seed.classes
  }

  /// One fact per line, then a table of classes.
  func text() -> String {
    var lines =
      writing.dryRun
      ? [] : ["path: \(PrintableText.escaping(writing.path))", "size: \(ByteCount.text(byteCount))"]
    lines += [
      "file format: \(format.formatText)",
      "oldest SDKs: \(sdks.text)",
      "encrypted: \(isEncrypted ? "yes" : "no")",
      "schema version: \(schemaVersion.map { String($0) } ?? "none")",
    ]
    if let digest { lines.append("sha256: \(digest)") }
    // A dry run writes nothing that could be verified.
    if isVerified || !writing.dryRun { lines.append("verified: \(verificationText)") }
    lines.append("classes: \(classes.count)")
    var text = writing.dryRun ? WrittenText.line(writing.path, size: byteCount, dryRun: true) : ""
    text += lines.joined(separator: "\n") + "\n" + (report?.lossLines ?? "")
    if let imported, !imported.table.isEmpty { text += "\nimported:\n" + imported.table }
    if !classes.isEmpty {
      let rows = classes.map { [PrintableText.escaping($0.name.description), String($0.objectCount)] }
      text += "\n" + TextTable.lines([.left("CLASS"), .right("OBJECTS")], rows).joined(separator: "\n") + "\n"
    }
    return text
  }

  /// The first releases that open the file as it is; all releases open a file without content.
  private var sdks: [OldestSDK] { OldestSDK.writing(format == 0 ? 10 : format) }

  private var verificationText: String {
    guard let source = report?.source, source.errorCount > 0 else { return isVerified ? "yes" : "no" }
    return "no, the source is damaged (\(source.countText))"
  }

  /// `Docs/JSONOutput.md` describes the keys.
  func json() -> String {
    JSONText.document { json in
      switch source {
      case .realm(let input, _): json.path("input", input.path)
      case .data, .imported: json.paths("inputs", source.paths)
      }
      json.path("output", writing.path)
      json.member("dryRun", writing.dryRun)
      json.member("size", byteCount)
      json.member("fileFormat", format)
      json.add(sdks)
      json.member("encrypted", isEncrypted)
      json.orNull("schemaVersion", schemaVersion)
      if let digest { json.member("sha256", digest) } else { json.null("sha256") }
      json.objects("classes", classes) { entry in
        json.member("name", entry.name.description)
        json.member("objects", entry.objectCount)
      }
      imported?.addCounts(to: json)
      if let report { report.addFacts(to: json) } else { json.member("verified", isVerified) }
      report.addFormatLosses(to: json)
    }
  }
}
