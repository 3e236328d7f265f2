import RealmExchange
import RealmOpening
import RealmStorage
import RealmText
import RealmTools

/// The result of a copy: a line with sizes, and what was left out.
struct CopySummary {
  let report: CopyReport
  let writing: OutputTarget
  let isEncrypted: Bool
  let input: RealmInput
  /// Bytes on disk.
  let sourceSize: UInt64
  let sourceFormat: UInt8

  init(_ report: CopyReport, _ writing: OutputTarget, of realm: OpenedRealm, isEncrypted: Bool) {
    (self.report, self.writing, self.isEncrypted) = (report, writing, isEncrypted)
    input = RealmInput(path: realm.bytes.path)
    sourceSize = realm.bytes.physicalSize
    sourceFormat = realm.snapshot.header.format
  }

  /// `wrote copy.realm: 2416 bytes (2.3 KiB), 58% of app.realm; verified against the source`
  func text() -> String {
    let size = report.written.fileSize
    var facts = Self.percent(size, of: sourceSize).map { ", \($0)% of \(input.name)" } ?? ""
    if report.method == .rebuild { facts += "; rebuilt" }
    if sourceFormat != report.format { facts += " from file format \(sourceFormat)" }
    facts += report.comparisonText(with: "the source")
    let redaction = report.redaction.map { RedactionSummary($0, dryRun: writing.dryRun).text() } ?? ""
    return WrittenText.line(writing.path, size: size, facts, dryRun: writing.dryRun) + report.lossLines + redaction
  }

  private static func percent(_ size: UInt64, of whole: UInt64) -> UInt64? {
    whole == 0 ? nil : UInt64(clamping: (Double(size) / Double(whole) * 100).rounded())
  }

  /// `Docs/JSONOutput.md` describes the keys.
  func json() -> String {
    JSONText.document { json in
      json.path("input", input.path)
      json.path("output", writing.path)
      json.member("dryRun", writing.dryRun)
      json.member("size", report.written.fileSize)
      json.member("fileFormat", report.format)
      json.member("encrypted", isEncrypted)
      json.member("sourceSize", sourceSize)
      json.member("sourceFormat", sourceFormat)
      report.addFacts(to: json)
      CopyReport?(report).addFormatLosses(to: json)
      if let redaction = report.redaction { RedactionSummary(redaction, dryRun: writing.dryRun).add(to: json) }
    }
  }
}

extension CopyReport {
  /// A line for each property that got another type, was left out or lost links.
  var lossLines: String {
    var lines = mapped.map { "changed: \($0)" }
    lines += losses.map { "left out: \($0)" } + formatLosses.map { "left out: \($0)" }
    if leftOutObjectCount > 0 {
      lines.append("left out: \(leftOutObjectCount.counted("object"))")
    }
    if leftOutEmbeddedObjectCount > 0 {
      let objects = leftOutEmbeddedObjectCount == 1 ? "object" : "objects"
      let parents = leftOutObjectCount > 0 ? "objects" : "classes"
      lines.append("left out: \(leftOutEmbeddedObjectCount) embedded \(objects) of \(parents) that are left out")
    }
    return lines.map { PrintableText.escaping($0) + "\n" }.joined()
  }

  func addFacts(to json: JSONText) {
    json.member("method", method.rawValue)
    json.member("verified", isVerified)
    SourceCheck.addFacts(source, to: json)
    json.member("lostLinks", lostLinkCount)
    json.objects("losses", losses) { loss in
      json.member("class", loss.className.description)
      json.member("property", loss.property.description)
      json.member("leftOut", loss.leavesPropertyOut)
      json.member("links", loss.linkCount)
    }
    json.member("leftOutObjects", leftOutObjectCount)
    json.member("leftOutEmbeddedObjects", leftOutEmbeddedObjectCount)
  }
}
