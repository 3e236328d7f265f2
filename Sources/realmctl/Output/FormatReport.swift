import RealmOpening
import RealmPresentation
import RealmStorage
import RealmText
import RealmTools

/// The result of an upgrade or a downgrade of the file format.
struct FormatReport {
  /// What was done, as an infinitive: upgrade or downgrade.
  let verb: String
  let outcome: RealmRewrite.Outcome
  let writing: OutputTarget

  private var copy: CopyReport? { outcome.copy }
  private var source: String { RealmInput(path: outcome.source).name }

  // MARK: Text

  func text() -> String {
    let backupText = outcome.backup.map { RestoreText.lines(for: $0, of: writing.path) } ?? ""
    guard let copy else { return line("\(source): nothing to do: file format \(outcome.sourceFormat)") + backupText }
    let isSame = outcome.sourceFormat == copy.format
    let formats =
      isSame
      ? "already in file format \(copy.format)" : "file format \(outcome.sourceFormat) -> \(copy.format.formatText)"
    let sizes = "\(ByteCount.text(outcome.before)) -> \(ByteCount.text(copy.written.fileSize))"
    let begin = writing.dryRun && !isSame ? "would be \(verb)d: " : ""
    var text = line(
      "\(isSame ? source : writing.name): \(begin)\(formats), \(sizes)\(copy.comparisonText(with: "the source"))")
    text += copy.lossLines
    if !writing.isInPlace { text += WrittenText.line(writing.path, dryRun: writing.dryRun) }
    return text + backupText
  }

  private func line(_ text: String) -> String { PrintableText.escaping(text) + "\n" }

  // MARK: JSON

  /// `Docs/JSONOutput.md` describes the keys.
  ///
  /// - Parameters:
  ///   - isIndented: false for one of several, each on a line of its own.
  ///   - namesLosses: whether the format is one that cannot store everything.
  func json(isIndented: Bool, namesLosses: Bool) -> String {
    JSONText.document(isIndented: isIndented) { json in
      json.path("input", outcome.source)
      json.pathOrNull("output", copy == nil ? nil : writing.path)
      json.member("dryRun", writing.dryRun)
      json.member("sourceFormat", outcome.sourceFormat)
      json.member("sourceSize", outcome.before)
      json.orNull("fileFormat", copy?.format)
      json.orNull("size", copy?.written.fileSize)
      json.member("verified", copy?.isVerified ?? false)
      SourceCheck.addFacts(copy?.source, to: json)
      if namesLosses { copy.addFormatLosses(to: json) }
      json.path("backup", outcome.backup?.path)
    }
  }
}

extension CopyReport? {
  /// What the file format could not store, and what has another type for that reason.
  func addFormatLosses(to json: JSONText) {
    json.objects("mapped", self?.mapped ?? []) { part in
      json.member("class", part.className.description)
      if let property = part.property { json.member("property", property.description) }
      json.member("from", part.types.from)
      json.member("to", part.types.to)
      json.member("affected", part.count)
    }
    json.objects("formatLosses", self?.formatLosses ?? []) { loss in
      json.member("unsupported", loss.word)
      json.member("class", loss.className.description)
      if let property = loss.property { json.member("property", property.description) }
      json.member("affected", loss.count)
    }
  }
}

extension BinaryInteger {
  /// A file format. A file without any objects gets one when something is written.
  var formatText: String { self == 0 ? "0 (nothing written yet)" : String(self) }
}
