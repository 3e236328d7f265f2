import RealmExchange
import RealmStorage
import RealmText
import RealmTools

/// What an upgrade of the file format came to.
struct UpgradeReport {
  let path: String
  let format: UInt8
  let dryRun: Bool
  let output: String?
  /// Bytes on disk.
  let sizeBefore: UInt64
  private(set) var sizeAfter: UInt64?
  private var copy: CopyReport?
  var backup: RealmBackup?

  init(of realm: OpenedRealm, _ request: LaunchRequest) {
    path = request.input.path
    format = realm.snapshot.header.format
    dryRun = request.dryRun
    output = request.destination?.path
    sizeBefore = realm.bytes.physicalSize
  }

  /// Whether there is something to upgrade; a file of format 0 has no content yet.
  var isOlder: Bool { format != Header.newestFormat && format != 0 }

  mutating func add(_ outcome: LaunchOutcome) {
    sizeAfter = outcome.copy?.written.fileSize
    copy = outcome.copy
    backup = outcome.backup
  }

  // MARK: Text

  func text() -> String {
    let backupText = backup.map { RestoreText.lines(for: $0, of: path) } ?? ""
    guard let sizeAfter else { return line("\(path): nothing to do: file format \(format)") + backupText }
    let formats = "file format \(format) -> \(Header.newestFormat)"
    let sizes = "\(ByteCount.text(sizeBefore)) -> \(ByteCount.text(sizeAfter))"
    var text = line("\(path): \(dryRun ? "would upgrade: " : "")\(formats), \(sizes)\(comparison)")
    if let output { text += line("\(dryRun ? "would write" : "written to") \(output.outputName)") }
    return text + backupText
  }

  private var comparison: String { copy?.comparisonText(with: "the old file") ?? "" }

  private func line(_ text: String) -> String { PrintableText.escaping(text) + "\n" }

  // MARK: JSON

  /// `Docs/JSONOutput.md` describes the keys.
  ///
  /// - Parameter isIndented: false for one of several, each on a line of its own.
  func json(isIndented: Bool) -> String {
    JSONText.document(isIndented: isIndented) { json in
      json.path("input", path)
      json.pathOrNull("output", sizeAfter == nil ? nil : output ?? path)
      json.member("dryRun", dryRun)
      json.member("sourceFormat", format)
      json.member("sourceSize", sizeBefore)
      json.orNull("fileFormat", copy?.format)
      json.orNull("size", sizeAfter)
      json.member("verified", copy?.isVerified ?? false)
      SourceCheck.addFacts(copy?.source, to: json)
      json.path("backup", backup?.path)
    }
  }
}
