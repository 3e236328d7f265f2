import RealmStorage

/// What `check` found.
struct CheckReport {
  let path: String
  var findings: [Finding] = []
  var summary = CheckSummary()

  // MARK: Text

  /// A line per finding, and one that sums up.
  func text(_ pen: Pen, volume: MessageStyle.Volume) -> String {
    var text = ""
    for finding in findings where finding.severity != .note || volume == .verbose {
      text += "\(label(finding.severity, pen)) \(finding.kind.rawValue): \(PrintableText.escaping(finding.message))\n"
    }
    let hidden = summary.errors + summary.warnings - findings.count { $0.severity != .note }
    if hidden > 0 { text += "and \(hidden) more\n" }
    if volume != .quiet { text += summaryLine + "\n" }
    return text
  }

  private func label(_ severity: Finding.Severity, _ pen: Pen) -> String {
    switch severity {
    case .error: pen.red("error")
    case .warning: pen.yellow("warning")
    case .note: "note"
    }
  }

  private var summaryLine: String {
    let counts = [
      Self.counted(summary.errors, "error"), Self.counted(summary.warnings, "warning"),
      Self.counted(summary.notes, "note"),
    ].compactMap { $0 }
    let verdict = counts.isEmpty ? "nothing found" : counts.joined(separator: ", ")
    let content =
      "\(summary.tables) tables, \(summary.objects) objects, \(summary.links) links, \(summary.indexes) indexes"
    let space =
      "\(summary.nodes) nodes in \(ByteCount.short(summary.liveBytes)), \(ByteCount.short(summary.freeBytes)) free"
    return PrintableText.escaping("\(path): \(verdict); format \(summary.format), \(content), \(space)")
  }

  private static func counted(_ number: Int, _ word: String) -> String? {
    number == 0 ? nil : "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  // MARK: JSON

  /// Keys are documented in `Docs/JSONOutput.md`.
  func json(isIndented: Bool = true) -> String {
    let json = JSONText(isIndented: isIndented)
    json.object {
      json.member("version", 1)
      json.path("path", path)
      json.member("fileFormat", Int(summary.format))
      json.member("errors", summary.errors)
      json.member("warnings", summary.warnings)
      json.member("notes", summary.notes)
      json.member("tables", summary.tables)
      json.member("objects", summary.objects)
      json.member("tombstones", summary.tombstones)
      json.member("links", summary.links)
      json.member("indexes", summary.indexes)
      json.member("nodes", summary.nodes)
      json.member("liveBytes", Int(clamping: summary.liveBytes))
      json.member("freeBytes", Int(clamping: summary.freeBytes))
      json.member("findings") {
        json.array {
          for finding in findings { json.element { Self.write(finding, to: json) } }
        }
      }
    }
    return json.text + "\n"
  }

  private static func write(_ finding: Finding, to json: JSONText) {
    let place = finding.place
    json.object {
      json.member("severity", finding.severity.rawValue)
      json.member("id", finding.kind.rawValue)
      json.member("message", finding.message)
      json.member("part", place.part?.rawValue)
      json.member("table", place.table?.description)
      if case .property(let name) = place.column { json.member("property", name.description) }
      if let object = place.object { json.member("object", Int(object.rawValue)) }
      if let ref = place.ref, !ref.isNull { json.member("ref", Int(clamping: ref.rawValue)) }
      if let position = place.position { json.member("position", position) }
    }
  }
}
