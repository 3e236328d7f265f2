import RealmOpening
import RealmPresentation
import RealmStorage
import RealmText
import RealmTools

extension OpenReport {
  /// The report for people: one fact per line, then a table of classes.
  ///
  /// - Parameter launch: what opening did to the realm, if it did more than read it.
  func text(_ pen: ANSIStyle, _ launch: LaunchReport? = nil) -> String {
    var lines: [String] = []
    func fact(_ name: String, _ value: String) { lines.append(pen.bold(name + ":") + " " + value) }
    if let changes = launch?.changesText { fact("changed", changes) }
    if let work = launch?.memoryText { fact("in memory", work) }
    fact("path", PrintableText.escaping(path))
    fact("size", ByteCount.text(size))
    fact("file format", fileFormat.formatText)
    if !oldestSDKs.isEmpty { fact("oldest SDKs", oldestSDKs.text) }
    fact("form", form.rawValue)
    fact("encrypted", isEncrypted ? "yes" : "no")
    fact("history", history.text)
    fact("snapshot version", String(snapshotVersion))
    fact("schema version", schemaVersion.map { String($0) } ?? (isSchemaVersionUnreadable ? "unknown" : "none"))
    fact("used space", usedBytes.map { ByteCount.text($0) } ?? "unknown")
    fact("free space", freeBytes.map { ByteCount.text($0) } ?? "unknown")
    fact("open elsewhere", holders.text)
    if holders != .processes([]) { fact("versions in use", versionsInUse.text) }
    let unreadable = unreadableClassCount > 0 ? ", \(unreadableClassCount) of which cannot be read" : ""
    fact("classes", "\(classes.count { $0.isClass } + unreadableClassCount)" + unreadable)
    if hiddenObjectCount > 0 {
      let objects = hiddenObjectCount.counted("object")
      fact("internal tables", "\(internalTableCount), with \(objects); --internal lists them")
    }
    let rows = classes.map { entry in
      [
        PrintableText.escaping(entry.name.description), entry.objectCount.map { String($0) } ?? "?",
        entry.primaryKey.map { PrintableText.escaping($0.description) } ?? "", entry.kindText,
      ]
    }
    let columns: [TextTable.Column] = [.left("CLASS"), .right("OBJECTS"), .left("PRIMARY KEY"), .left("KIND")]
    if !classes.isEmpty { lines += [""] + TextTable.lines(columns, rows, pen) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The report for programs; `Docs/JSONOutput.md` describes the keys.
  ///
  /// - Parameter launch: what opening did to the realm, if it did more than read it.
  func json(_ launch: LaunchReport? = nil, isIndented: Bool = true) -> String {
    JSONText.document(isIndented: isIndented) { json in
      json.path("input", path)
      json.member("size", size)
      json.member("fileFormat", fileFormat)
      json.add(oldestSDKs)
      json.member("form", form.rawValue)
      json.member("encrypted", isEncrypted)
      json.member("history", history.text)
      json.member("snapshotVersion", snapshotVersion)
      json.orNull("schemaVersion", schemaVersion)
      json.orNull("usedBytes", usedBytes)
      json.orNull("freeBytes", freeBytes)
      addHolders(to: json)
      if case .known(let count, _) = versionsInUse {
        json.member("versionsInUse", count)
      } else {
        json.null("versionsInUse")
      }
      json.objects("classes", classes) { entry in
        json.member("name", entry.name.description)
        json.member("kind", entry.kindText.isEmpty ? "top-level" : entry.kindText)
        json.orNull("objects", entry.objectCount)
        json.member("primaryKey", entry.primaryKey?.description)
      }
      json.member("internalTables", internalTableCount)
      json.member("unreadableParts", damage.count)
      launch?.addMember(to: json)
    }
  }

  private func addHolders(to json: JSONText) {
    guard case .processes(let processes) = holders else { return json.null("openElsewhere") }
    json.objects("openElsewhere", processes) { process in
      json.member("process", process.processID)
      json.member("program", process.command)
      json.member("exclusive", process.isExclusive)
    }
  }
}

extension OpenReport.Class {
  fileprivate var kindText: String {
    isClass ? kind.text : "internal"
  }
}

extension [OldestSDK] {
  var text: String { map { "\($0.name) \($0.version)" }.joined(separator: ", ") }
}

extension JSONText {
  /// The member `oldestSDKs`.
  func add(_ sdks: [OldestSDK]) {
    objects("oldestSDKs", sdks) { sdk in
      member("sdk", sdk.name)
      member("release", sdk.version)
    }
  }
}

extension HistoryKind {
  var text: String {
    switch self {
    case .none: "none"
    case .outOfRealm: "out of realm"
    case .inRealm: "in realm"
    case .syncClient: "sync client"
    case .syncServer: "sync server"
    case .unknown(let code): "unknown (\(code))"
    }
  }
}

extension VersionsInUse {
  fileprivate var text: String {
    switch self {
    case .unknown: return "unknown"
    case .known(let count, nil): return String(count)
    case .known(let count, .some(let oldest)): return "\(count) (oldest: \(oldest))"
    }
  }
}

extension LockHolders {
  fileprivate var text: String {
    switch self {
    case .unknown: return "unknown"
    case .processes(let processes) where processes.isEmpty: return "no"
    case .processes(let processes): return processes.map(\.text).joined(separator: ", ")
    }
  }
}

extension LockHolder {
  /// `App (process 4711)`
  var text: String {
    let process = processID.map { "process \($0)" } ?? "a process in another container"
    guard let command else { return process }
    return "\(PrintableText.escaping(command)) (\(process))"
  }

  /// `App, process 4711`, for a detail, which stands in parentheses.
  var detail: String {
    let process = processID.map { "process \($0)" } ?? "a process in another container"
    return (command.map { PrintableText.escaping($0) + ", " } ?? "") + process
  }
}
