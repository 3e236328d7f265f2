import RealmInspection
import RealmPresentation
import RealmStorage
import RealmText
import RealmTools

/// What `recover` saved and what it did not.
struct RescueSummary {
  let account: RescueAccount
  let catalog: RescueCatalog
  let request: RecoverCommand.Request
  /// Bytes of the new file.
  let size: UInt64
  let isEncrypted: Bool
  let isVerified: Bool
  /// Strings that belong to no object; nil if they were not requested.
  let texts: Int?

  private typealias ClassAccount = RescueAccount.ClassAccount

  private static let mostPages = 20

  /// Nothing is missing: everything that the live snapshot refers to was saved.
  var isComplete: Bool { account.isComplete && catalog.isLive }

  /// More may be missing than is counted.
  private var isUncertain: Bool {
    account.isUncertain || account.hasLooseNodes
      || account.classes.contains {
        $0.isUncertain || !$0.uncomparedLinks.isEmpty || $0.hasDamagedName || $0.lostObjects == nil
      }
  }

  // MARK: Text

  func text() -> String {
    var lines =
      shown.isEmpty
      ? []
      : TextTable.lines(
        [
          .left("CLASS"), .right("OBJECTS"), .right("LOST"), .right("VALUES"), .right("OLDER"), .right("DOUBTFUL"),
          .right("VALUES LOST"), .right("LINKS LOST"),
        ],
        shown.map { one in
          [
            one.name.description, "\(one.savedObjects)", one.lostObjects.map { $0 == 0 ? "" : "\($0)" } ?? "unknown",
            "\(one.savedValues)", Self.number(one.olderValues), Self.number(one.doubtfulValues),
            Self.number(one.lostValues), Self.number(one.lostLinks),
          ]
        })
    lines += shown.flatMap(remarks)
    if account.isUncertain, !isComplete {
      lines.append(
        "more may be missing than is counted, whole classes as well: it is not known what the damaged parts contained")
    }
    if account.hasLooseNodes {
      lines.append("more values may be missing than are counted: parts of the file belong to no object")
    }
    lines += account.lostTables.map { "lost: class \(TableSchema.displayName(ofTable: $0))" }
    if let texts, let path = request.strings {
      lines.append("\(path): \(texts.counted("string")) that belong to no object")
    }
    let facts = ", \(verdict)\(isVerified ? "; verified" : "")"
    return lines.map { PrintableText.escaping($0) + "\n" }.joined()
      + WrittenText.line(request.writing.path, size: size, facts, dryRun: request.writing.dryRun)
  }

  private var shown: [ClassAccount] {
    account.classes.filter { $0.isClass || !$0.isComplete || CheckReport.internalTables[$0.name.description] == nil }
  }

  private static func number(_ count: Int) -> String { count == 0 ? "" : "\(count)" }

  private var verdict: String {
    if isComplete { return "nothing is missing" }
    if !catalog.isLive, !account.hasLosses { return "everything found was saved, but the last commit may be missing" }
    var parts =
      account.lostTables.isEmpty
      ? [] : ["\(account.lostTables.count.counted("class", "classes")) lost"]
    func add(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { parts.append(count.counted(one, many)) }
    }
    add(account.lostObjects, "object lost", "objects lost")
    add(account.lostProperties, "property lost", "properties lost")
    add(account.lostValues, "value lost", "values lost")
    add(account.lostLinks, "link lost", "links lost")
    let hasCountedLosses = !parts.isEmpty
    if isUncertain, hasCountedLosses { parts.append("perhaps more") }
    add(account.doubtfulValues, "doubtful value", "doubtful values")
    add(account.olderValues, "value from an older snapshot", "values from older snapshots")
    if isUncertain, !hasCountedLosses {
      parts.append(parts.isEmpty ? "everything found was saved, but more may be missing" : "more may be missing")
    }
    return parts.isEmpty ? "not everything could be saved as it was" : parts.joined(separator: ", ")
  }

  private func remarks(_ one: ClassAccount) -> [String] {
    let table = "\(one.isClass ? "class" : "internal table") \(one.name)"
    var lines: [String] = []
    func add(_ count: Int, _ text: String) {
      if count > 0 { lines.append("\(table): \(count.counted("object")) \(text)") }
    }
    add(one.objectsWithoutKey, "without a primary key of their own, saved in class Recovered\(one.name)")
    add(one.duplicates, "left out, because a newer one has the same primary key")
    add(one.orphans, "without a parent, saved in class Recovered\(one.name)")
    add(one.olderObjects, "from an older snapshot")
    add(one.deletedObjects, "that were deleted")
    add(one.lostCommitObjects, "from the lost last commit")
    if one.isMadeUp, !one.name.hasPrefix("Recovered") || one.lostObjects != 0 {
      lines.append("\(table): its name is lost")
    }
    if one.hasDamagedName { lines.append("\(table): its name or that of a property is damaged") }
    if one.isByStructure {
      lines.append("\(table): its schema is lost; properties and types were determined from its objects")
    }
    for property in one.lostProperties { lines.append("\(table): property \(property) is lost") }
    for property in one.unnamedProperties {
      lines.append("\(table): the name of a property is lost; it is now called \(property)")
    }
    for property in one.uncomparedLinks {
      lines.append(
        "\(table): links of property \(property) may be missing or wrong: the backlinks that would show it are damaged"
      )
    }
    if one.isUncertain {
      lines.append(
        "\(table): more may be missing or wrong than is counted, because lists of its objects, properties or values are damaged or contradict each other"
      )
    }
    return lines
  }

  /// Reports what the account does not contain.
  func warn(on console: Console) {
    let bytes = catalog.bytes
    if bytes.failedPageCount > 0 {
      let pages = bytes.failedPages.prefix(Self.mostPages).map { "\($0.page)" }.joined(separator: ", ")
      let more = bytes.failedPageCount > Self.mostPages ? " and \(bytes.failedPageCount - Self.mostPages) more" : ""
      console.warn(
        Diagnostic(
          .done, .invalidDatabase, path: request.input.name,
          "\(bytes.failedPageCount == 1 ? "page" : "pages") \(pages)\(more) cannot be "
            + (bytes.isEncrypted ? "decrypted" : "read")))
    }
    if let newer = catalog.newerVersion, let version = catalog.snapshotVersion {
      console.warn(
        Diagnostic(
          .done, .invalidDatabase, path: request.input.name,
          "the header names snapshot version \(version), but its other root has the newer version \(newer): the last commit was interrupted, or the"
            + " header is damaged"))
    }
    if let format = catalog.unknownFormat {
      console.warn(
        Diagnostic(
          .done, .unsupportedFileFormatVersion, path: request.input.name,
          "the header says format \(format), which is \(format > Header.newestFormat ? "newer than this realmctl supports" : "unknown")"
            + "; it was read as format \(Header.newestFormat)",
          advice: "compare the new realm with what the app shows"))
    }
    guard !catalog.isLive else { return }
    let version =
      catalog.snapshotVersion.map { "the newest root found has snapshot version \($0)" } ?? "no other root was found"
    console.warn(
      Diagnostic(
        .done, .invalidDatabase, path: request.input.name,
        "the root of the live snapshot is lost, so the last commit may be missing", detail: version))
  }

  // MARK: JSON

  /// `Docs/JSONOutput.md` describes the keys.
  func json() -> String {
    JSONText.document { json in
      json.path("input", request.input.path)
      json.path("output", request.writing.path)
      json.member("dryRun", request.writing.dryRun)
      json.member("size", size)
      json.member("encrypted", isEncrypted)
      json.member("verified", isVerified)
      json.member("complete", isComplete)
      json.member("uncertain", isUncertain || !catalog.isLive)
      json.member("policy", request.policy.rawValue)
      json.member("live", catalog.isLive)
      json.orNull("snapshotVersion", catalog.snapshotVersion)
      json.orNull("snapshotFormat", catalog.format)
      json.orNull("unknownFormat", catalog.unknownFormat)
      json.member("failedPages", catalog.bytes.failedPageCount)
      json.member("savedObjects", account.savedObjects)
      json.member("lostObjects", account.lostObjects)
      json.member("savedValues", account.savedValues)
      json.member("olderValues", account.olderValues)
      json.member("doubtfulValues", account.doubtfulValues)
      json.member("lostValues", account.lostValues)
      json.member("lostLinks", account.lostLinks)
      if let texts { json.member("orphanedStrings", texts) }
      json.texts("lostClasses", account.lostTables.map { TableSchema.displayName(ofTable: $0).description })
      json.objects("classes", account.classes) { write($0, to: json) }
    }
  }

  private func write(_ one: ClassAccount, to json: JSONText) {
    json.member("name", one.name.description)
    json.member("internal", !one.isClass)
    json.member("objects", one.savedObjects)
    json.orNull("lostObjects", one.lostObjects)
    json.member("uncertain", one.isUncertain || !one.uncomparedLinks.isEmpty || one.hasDamagedName)
    json.member("olderObjects", one.olderObjects)
    json.member("lastCommitObjects", one.lostCommitObjects)
    json.member("undeletedObjects", one.deletedObjects)
    json.member("objectsWithoutPrimaryKey", one.objectsWithoutKey)
    json.member("duplicates", one.duplicates)
    json.member("orphans", one.orphans)
    json.member("byStructure", one.isByStructure)
    json.member("savedValues", one.savedValues)
    json.member("olderValues", one.olderValues)
    json.member("doubtfulValues", one.doubtfulValues)
    json.member("lostValues", one.lostValues)
    json.member("lostLinks", one.lostLinks)
    json.texts("lostProperties", one.lostProperties.map(\.description))
    json.texts("unnamedProperties", one.unnamedProperties.map(\.description))
  }
}
