import RealmOpening
import RealmStorage
import RealmText
import RealmTools

/// Restores the backups that a report of `migrate --json` names.
struct RestoreRun {
  struct Request: Equatable {
    /// Of the report; `-` is standard input.
    var report: String
    var access: InPlaceAccess
    var dryRun: Bool
    /// Whether realms that were changed since are replaced as well.
    var isForced = false
  }

  let request: Request
  let console: Console

  /// A realm and its backup.
  private struct Pair {
    let input: RealmInput
    let backup: String
    /// SHA-256 of the realm as the migration left it; empty if the report has none.
    let left: String
  }

  /// The result for one realm.
  private struct Result {
    let pair: Pair
    let outcome: Swift.Result<RealmRestore.Outcome, Diagnostic>
  }

  /// - Throws: `Diagnostic`.
  func run() throws -> RunStatus {
    let name = RealmInput(path: request.report).name
    let reports = try readReports(name)
    let pairs = reports.compactMap(Self.pair)
    guard !pairs.isEmpty else {
      let areReports = reports.contains { $0["input"] != nil && $0["dryRun"] != nil }
      throw Diagnostic(
        .failed, .invalidInput, path: name, "the report names no backups",
        advice: areReports
          ? "none was made: nothing was changed, or --dry-run, -o or --no-backup was used"
          : "use the output of 'migrate --json'")
    }
    var worst = RunStatus.done
    var results: [Result] = []
    for pair in pairs {
      do { results.append(Result(pair: pair, outcome: .success(try restore(pair)))) } catch let error as Diagnostic {
        console.report(error)
        worst = worst.orWorse(error.status)
        results.append(Result(pair: pair, outcome: .failure(error)))
      }
    }
    try console.info(text(results), json: json(results), alongsideData: false)
    return worst
  }

  private func restore(_ pair: Pair) throws -> RealmRestore.Outcome {
    TruncatedFileHandler.installHandler(console.style, changing: pair.input)
    return try Diagnostic.ofLaunch(pair.input.name) {
      do {
        return try RealmRestore(
          pair.backup, to: pair.input.path, access: request.access, left: request.isForced ? nil : pair.left
        ).run(dryRun: request.dryRun)
      } catch let error as StorageError {
        var diagnostic = Diagnostic(error, path: pair.backup)
        if diagnostic.status == .notFound, !pair.backup.hasPrefix("/") {
          diagnostic.advice = "run the command in the folder in which 'migrate' ran"
        }
        throw diagnostic
      }
    }
  }

  // MARK: The report

  private func readReports(_ name: String) throws -> [JSONValue] {
    var options = JSONReader.Options()
    options.isSequence = true
    var reports: [JSONValue] = []
    do {
      try TextInput.read(request.report).withUnsafeBytes { bytes in
        let reader = JSONReader(bytes, options: options)
        while let document = try reader.readValue() {
          reports += document["reports"]?.array ?? [document]
        }
      }
    } catch JSONError.malformed(let fault, let location) {
      throw Diagnostic(
        .failed, .malformedJSON, path: name, at: SourceMark(location), "not valid JSON: \(fault)",
        advice: "use the output of 'migrate --json'")
    } catch let error as StorageError {
      throw Diagnostic(error, path: name)
    }
    return reports
  }

  /// Nil for a file that was not changed, or has no backup.
  private static func pair(_ report: JSONValue) -> Pair? {
    guard let input = report["input"]?.string, report["output"]?.string == input, report["dryRun"]?.bool == false,
      let backup = report["backup"]?.string
    else { return nil }
    return Pair(input: RealmInput(path: input), backup: backup, left: report["sha256"]?.string ?? "")
  }

  // MARK: What is said

  private func text(_ results: [Result]) -> String {
    var text = ""
    var counts = (restored: 0, unchanged: 0)
    for result in results {
      guard case .success(let outcome) = result.outcome else { continue }
      let name = result.pair.input.name
      if outcome.isNeeded { counts.restored += 1 } else { counts.unchanged += 1 }
      let what =
        outcome.isNeeded ? "\(request.dryRun ? "would be restored" : "restored") from" : "is already the same as"
      text += PrintableText.escaping("\(name): \(what) \(result.pair.backup)") + "\n"
      text += outcome.kept.map { PrintableText.escaping("the replaced file is kept as \($0.path)") + "\n" } ?? ""
    }
    var parts = ["\(counts.restored) \(request.dryRun ? "would be restored" : "restored")"]
    if counts.unchanged > 0 { parts.append("\(counts.unchanged) with nothing to do") }
    let failed = results.count - counts.restored - counts.unchanged
    if failed > 0 { parts.append("\(failed) failed") }
    return text + "\(results.count.counted("realm")): \(parts.joined(separator: ", "))\n"
  }

  /// `Docs/JSONOutput.md` describes the keys.
  private func json(_ results: [Result]) -> String {
    JSONText.document { json in
      json.member("dryRun", request.dryRun)
      json.objects("restores", results) { result in
        json.path("input", result.pair.input.path)
        json.path("backup", result.pair.backup)
        switch result.outcome {
        case .success(let outcome):
          json.member("restored", outcome.isNeeded)
          json.path("kept", outcome.kept?.path)
        case .failure(let failure): failure.addMember(.error, to: json)
        }
      }
    }
  }
}
