import RealmInspection
import RealmOpening
import RealmPresentation
import RealmStorage
import RealmText
import RealmTools

/// What `check` found.
struct CheckReport {
  let input: RealmInput
  /// A synced realm is never rebuilt itself.
  var isSynced = false
  /// Neither is one with a history that cannot be kept up to date.
  var hasUnknownHistory = false
  /// Whether not even 'recover' can read it: in formats 2 to 9 nothing can be found without the root.
  var isUnreadable = false
  var findings: [Finding] = []
  var summary = CheckSummary()

  // MARK: Text

  /// A line per class with findings, a line per finding, and a summary.
  func text(_ pen: ANSIStyle, volume: MessageStyle.Volume) -> String {
    var text = ""
    if volume != .quiet {
      for counts in summary.classes where counts.errors + counts.warnings > 0 { text += line(counts) + "\n" }
    }
    for finding in findings where finding.severity != .note || volume == .verbose {
      let followers = finding.number.flatMap { summary.followers[$0] } ?? 0
      let more =
        followers == 0 ? "" : "; \(followers.counted("follow-on finding"))"
      text += label(finding.severity, pen) + (finding.cause == nil ? "" : " (follow-on)")
      text += " \(finding.name): "
      text += PrintableText.escaping(finding.message) + more + "\n"
    }
    let hidden = summary.errors + summary.warnings - findings.count { $0.severity != .note && $0.cause == nil }
    if hidden > 0 { text += "and \(hidden) more\n" }
    if volume != .quiet { text += summaryLine + "\n" }
    return text
  }

  private func label(_ severity: Finding.Severity, _ pen: ANSIStyle) -> String {
    switch severity {
    case .error: pen.red("error")
    case .warning: pen.yellow("warning")
    case .note: "note"
    }
  }

  /// `class Person: 3 errors, 1 warning, 250 follow-on findings`
  private func line(_ counts: CheckSummary.ClassCounts) -> String {
    let isClass = counts.table.hasPrefix(TableSchema.classPrefix)
    let name = TableSchema.displayName(ofTable: counts.table).description
    let use = isClass ? nil : Self.internalTables[name]
    return (isClass ? "class " : "internal table ") + PrintableText.escaping(name) + (use.map { " (\($0))" } ?? "")
      + ": " + Self.counted(counts.errors, counts.warnings, counts.notes, counts.following)
  }

  /// What Realm keeps in its own tables; no app names them. Those of programs that use Realm Core itself have any other name.
  static let internalTables = ["metadata": "the schema version", "pk": "the primary keys of all classes"]

  private static func counted(_ errors: Int, _ warnings: Int, _ notes: Int, _ following: Int) -> String {
    [(errors, "error"), (warnings, "warning"), (notes, "note"), (following, "follow-on finding")]
      .compactMap { $0.countedIfAny($1) }.joined(separator: ", ")
  }

  private var summaryLine: String {
    let counts = Self.counted(summary.errors, summary.warnings, summary.notes, summary.following)
    let isUndamaged = summary.errors == 0 && summary.warnings == 0 && summary.following == 0
    let verdict =
      isUndamaged
      ? "no damage found" + (counts.isEmpty ? "" : "; " + counts)
      : (summary.errors == 0 ? "no errors; " : "") + counts
    let advice = summary.errors > 0 ? "; " + self.advice : ""
    let content = [
      summary.tables.counted("table"), summary.objects.counted("object"), summary.links.counted("link"),
      summary.indexes.counted("index", "indexes"), summary.nodes.counted("node"),
    ]
    let space = "\(ByteCount.short(summary.liveBytes)), \(ByteCount.short(summary.freeBytes)) free"
    let facts =
      summary.errors > 0 && summary.nodes == 0
      ? "nothing but the header could be checked" : "\(content.joined(separator: ", ")) in \(space)"
    return PrintableText.escaping("\(input.name): \(verdict); format \(summary.format), \(facts)\(advice)")
  }

  private var isOnlyCopied: Bool { isSynced || hasUnknownHistory }

  /// A file of an older format is not changed in place as it is.
  private var compact: String { summary.format == Header.newestFormat ? "compact" : "compact --upgrade" }

  /// What to do about the errors, as the guide to damage has it for the parts that they are in.
  private var advice: String {
    let kinds = findings.filter { $0.severity == .error }.map(\.kind)
    let rebuilt = kinds.filter(\.isRebuilt)
    let others = kinds.filter { !$0.isRebuilt }
    if !kinds.isEmpty, others.isEmpty {
      let command = isOnlyCopied ? "write-copy --rebuild" : "\(compact) --rebuild"
      if rebuilt.contains(where: \.contradictsValues) {
        return "compare with a backup, then run '\(command)', which keeps the values and links"
      }
      return isOnlyCopied ? "'\(command)' makes a local copy without it" : "'\(command)' fixes it"
    }
    if !Set(others).isDisjoint(with: [.headerTopRef, .headerFooter]) { return DamageAdvice.onShortFile(input.path) }
    let parts = Set(others.map { $0.rawValue.prefix { $0 != "." } })
    if parts == ["free-list"], rebuilt.isEmpty {
      return hasUnknownHistory || isSynced && summary.format != Header.newestFormat
        ? "'write-copy' makes a local copy without it" : "'\(compact)' makes a new list of free space"
    }
    if !parts.isEmpty, parts.isSubset(of: ["free-list", "history"]), !rebuilt.contains(where: \.contradictsValues) {
      return isOnlyCopied || others.contains(.historyType) || others.contains(.historySchema)
        ? "'write-copy --rebuild' makes a local copy with an empty history" : "'\(compact) --rebuild' fixes it"
    }
    return isUnreadable ? DamageAdvice.lost : "run 'recover' to save what can be read"
  }

  // MARK: JSON

  /// Keys are documented in `Docs/JSONOutput.md`.
  func json(isIndented: Bool = true) -> String {
    JSONText.document(isIndented: isIndented) { json in
      json.path("input", input.path)
      json.member("fileFormat", Int(summary.format))
      json.member("errors", summary.errors)
      json.member("warnings", summary.warnings)
      json.member("notes", summary.notes)
      json.member("following", summary.following)
      json.objects("tablesWithFindings", summary.classes) { counts in
        json.member("table", counts.table.description)
        json.member("errors", counts.errors)
        json.member("warnings", counts.warnings)
        json.member("notes", counts.notes)
        json.member("following", counts.following)
      }
      json.member("tables", summary.tables)
      json.member("objects", summary.objects)
      json.member("tombstones", summary.tombstones)
      json.member("links", summary.links)
      json.member("indexes", summary.indexes)
      json.member("nodes", summary.nodes)
      json.member("liveBytes", Int(clamping: summary.liveBytes))
      json.member("freeBytes", Int(clamping: summary.freeBytes))
      json.objects("findings", findings) { write($0, to: json) }
    }
  }

  private func write(_ finding: Finding, to json: JSONText) {
    let place = finding.place
    json.member("severity", finding.severity.rawValue)
    json.member("id", finding.name)
    json.member("message", finding.message)
    json.member("part", place.part?.rawValue)
    json.member("table", place.table?.description)
    if case .property(let name) = place.column { json.member("property", name.description) }
    if let object = place.object { json.member("objKey", object.rawValue) }
    if let ref = place.ref, !ref.isNull { json.member("ref", Int(clamping: ref.rawValue)) }
    if let position = place.position { json.member("position", position) }
    if let number = finding.number {
      json.member("number", number)
      json.member("following", summary.followers[number] ?? 0)
    }
    if let cause = finding.cause { json.member("follows", cause) }
  }
}
