import RealmOpening
import RealmPresentation
import RealmStorage
import RealmText
import RealmTools

/// What a compaction was asked to do, and the result.
struct CompactReport {
  let outcome: RealmRewrite.Outcome
  let writing: OutputTarget

  private var source: String { RealmInput(path: outcome.source).name }
  private var space: SpaceUse { outcome.space }
  private var before: UInt64 { outcome.before }
  private var after: UInt64? { outcome.copy?.written.fileSize }

  // MARK: Text

  func text() -> String {
    let backupText = outcome.backup.map { RestoreText.lines(for: $0, of: writing.path) } ?? ""
    guard outcome.isNeeded, let after else {
      let nothing = writing.isInPlace || writing.dryRun ? "" : ", so nothing was written"
      return line("not compacted: \(spaceText)\(nothing)", about: source) + backupText
    }
    let change = "\(ByteCount.text(before)) -> \(ByteCount.text(after)), \(gainText(after))"
    guard !writing.dryRun else {
      return line(spaceText, about: source) + line("would be compacted: " + change, about: result) + outputLine
    }
    var text = line(change, about: result)
    if outcome.copy?.method == .rebuild {
      text += "  rebuilt, with new indexes and backlinks and an empty history\n"
    }
    text += outputLine
    if writing.isInPlace, outcome.changesFormat, let copy = outcome.copy {
      text += line("  " + WrittenText.upgrade(from: outcome.sourceFormat, to: copy.format))
    }
    return text + backupText
  }

  private var outputLine: String {
    writing.isInPlace ? "" : WrittenText.line(writing.path, size: after, dryRun: writing.dryRun)
  }

  /// The realm that is compacted then.
  private var result: String { writing.isInPlace ? source : writing.name }

  private func line(_ text: String) -> String { PrintableText.escaping(text) + "\n" }

  private func line(_ text: String, about name: String) -> String { line("\(name): \(text)") }

  private var spaceText: String {
    "total \(ByteCount.text(space.total)), used \(ByteCount.text(space.used)), free "
      + ByteCount.text(space.free, share: Self.percent(space.free, of: space.total) + "%")
  }

  private func gainText(_ after: UInt64) -> String {
    guard after < before else { return "nothing saved" }
    return "\(Self.percent(before - after, of: before))% saved"
  }

  /// One decimal where it matters: 99.9% is not 100%.
  private static func percent(_ part: UInt64, of whole: UInt64) -> String {
    guard whole > 0 else { return "0" }
    let tenths = UInt64(clamping: Double(part) / Double(whole) * 1000)
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  // MARK: JSON

  /// `Docs/JSONOutput.md` describes the keys.
  ///
  /// - Parameter isIndented: false for one of several, each on a line of its own.
  func json(isIndented: Bool) -> String {
    JSONText.document(isIndented: isIndented) { json in
      json.path("input", outcome.source)
      json.pathOrNull("output", outcome.isNeeded ? writing.path : nil)
      json.member("dryRun", writing.dryRun)
      json.member("needed", outcome.isNeeded)
      json.member("totalBytes", space.total)
      json.member("usedBytes", space.used)
      json.member("freeBytes", space.free)
      json.member("sourceFormat", outcome.sourceFormat)
      json.member("sourceSize", before)
      json.orNull("fileFormat", outcome.copy?.format)
      json.orNull("size", after)
      json.member("method", outcome.copy?.method.rawValue)
      json.member("verified", outcome.copy?.isVerified ?? false)
      SourceCheck.addFacts(outcome.copy?.source, to: json)
      if let isKept = outcome.keepsHistory { json.member("historyKept", isKept) } else { json.null("historyKept") }
      json.path("backup", outcome.backup?.path)
    }
  }
}
