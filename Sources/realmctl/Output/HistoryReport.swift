import RealmPresentation
import RealmStorage
import RealmText
import RealmTools

/// The report of `history`.
struct HistoryReport {
  /// As typed; `-` for standard input.
  let input: String
  /// Its name in messages.
  let name: String
  let history: RealmHistory

  /// Of the live snapshot. An older one may be damaged because its space is in use again.
  var damage: [Diagnostic] {
    guard let live = history.entries.first(where: { $0.state == .live }), live.damage != nil else { return [] }
    return [
      Diagnostic(
        .failed, .invalidDatabase, path: name, Self.changes(live), advice: DamageAdvice.usual(for: name))
    ]
  }

  func text(_ pen: ANSIStyle) -> String {
    var kind = "history: " + history.kind.text
    if let length = history.length { kind += ", " + length.counted("change") }
    if history.syncFileIdent > 0 { kind += ", sync file \(history.syncFileIdent)" }
    let table = TextTable.lines(
      [.right("VERSION"), .right("ROOT"), .right("SIZE"), .right("OBJECTS"), .left("STATE"), .left("CHANGES")],
      history.entries.map { entry in
        [
          String(entry.version), entry.topRef.map { String($0) } ?? "", ByteCount.short(entry.logicalSize),
          entry.objectCount.map { String($0) } ?? "?", Self.state(entry), Self.changes(entry),
        ]
      }, pen)
    return ([pen.bold(PrintableText.escaping(name)), kind, ""] + table).joined(separator: "\n") + "\n"
  }

  static func state(_ entry: RealmHistory.Entry) -> String {
    let state =
      switch entry.state {
      case .live: "live"
      case .previous: "previous"
      case .inUse: "in use"
      }
    guard let readers = entry.readerCount, readers > 0 else { return state }
    return state + ", " + readers.counted("reader")
  }

  static func changes(_ entry: RealmHistory.Entry) -> String {
    if let damage = entry.damage {
      return PrintableText.escaping(damage.hasPrefix("the file is damaged") ? damage : "damaged: " + damage)
    }
    guard let changes = entry.changes else { return "" }
    let parts = [
      (changes.schema, "in the schema"), (changes.added, "added"), (changes.changed, "changed"),
      (changes.removed, "removed"),
    ].filter { $0.0 > 0 }
    return parts.isEmpty ? "none" : parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  /// `Docs/JSONOutput.md` describes the keys.
  ///
  /// - Parameter isIndented: false for one of several, each on a line of its own.
  func json(isIndented: Bool) -> String {
    JSONText.document(isIndented: isIndented) { json in
      json.path("input", input)
      json.member("history", history.kind.text)
      json.member("historySchemaVersion", history.schemaVersion)
      json.orNull("historyLength", history.length)
      json.member("syncFileIdent", history.syncFileIdent)
      json.objects("snapshots", history.entries) { entry in
        json.member("snapshotVersion", entry.version)
        json.member("state", entry.state.rawValue)
        json.orNull("topRef", entry.topRef)
        json.member("fileFormat", entry.fileFormat)
        json.member("logicalSize", entry.logicalSize)
        json.orNull("schemaVersion", entry.schemaVersion)
        json.orNull("objects", entry.objectCount)
        json.orNull("readers", entry.readerCount)
        if let changes = entry.changes {
          json.object("changeCounts") {
            json.member("schemaChanges", changes.schema)
            json.member("added", changes.added)
            json.member("changed", changes.changed)
            json.member("removed", changes.removed)
          }
        } else {
          json.null("changeCounts")
        }
        json.member("damage", entry.damage)
      }
    }
  }
}
