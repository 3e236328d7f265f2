import RealmPresentation
import RealmStorage

/// Writes the messages of a run to standard error: warnings, errors, reports.
final class Console {
  let style: MessageStyle
  /// Warnings so far: a file that is read twice gets each warning once.
  private var warnings: Set<Diagnostic> = []
  private var notes: Set<Diagnostic> = []
  /// Shown during long work; messages replace it.
  private var progress: Progress?

  init(_ style: MessageStyle) {
    self.style = style
  }

  /// The status of a run that would end with `status`, considering its warnings.
  func status(after status: RunStatus) -> RunStatus {
    status == .done && style.isStrict && !warnings.isEmpty ? .findings : status
  }

  /// Something is wrong, but the work goes on.
  func warn(_ diagnostic: Diagnostic) {
    guard warnings.insert(diagnostic).inserted else { return }
    if style.volume != .quiet { show(diagnostic, as: .warning) }
  }

  /// Why the run ends, or why its status is not 0.
  func report(_ diagnostic: Diagnostic) {
    for one in style.isJSON ? diagnostic.listed : [diagnostic] { show(one, as: .error) }
  }

  /// Shows how a command is written, below an error.
  func show(usage: String) {
    if !style.isJSON { StandardError.write(usage + "\n") }
  }

  func report(usage: UsageError) {
    if style.isJSON {
      show(usage.diagnostic, as: .error)
    } else {
      StandardError.write(prefix(.error) + usage.text + "\n")
    }
  }

  /// Reports on standard output what was written to files, if anything was.
  func info(_ report: OutputReport?) throws {
    guard let report else { return }
    try info(report.text(), json: report.json(), alongsideData: false)
  }

  /// Reports what was done; on standard error if standard output has the data. JSON was requested as data, so `--quiet`
  /// does not suppress it.
  ///
  /// - Parameter isJSON: whether JSON was asked for in another way than with `--json`.
  func info(_ text: String, json: String, alongsideData: Bool, isJSON: Bool = false) throws {
    let isJSON = isJSON || style.isJSON
    guard isJSON || style.volume != .quiet else { return }
    let report = isJSON ? json : text
    if alongsideData { StandardError.write(report) } else { try StandardOutput.write(report) }
  }

  /// Details for `--verbose`; each is reported once.
  func verbose(_ text: String, path: String) {
    let note = Diagnostic(.done, nil, path: path, text)
    guard style.volume == .verbose, notes.insert(note).inserted else { return }
    show(note, as: .note)
  }

  /// A note about something that may be unexpected, but is not worth a warning.
  func notice(_ text: String) {
    if style.volume != .quiet { show(Diagnostic(.done, nil, text), as: .note) }
  }

  /// The line for a diagnostic, with its end.
  func line(_ diagnostic: Diagnostic, _ severity: Diagnostic.Severity) -> String {
    guard !style.isJSON else { return diagnostic.json(severity) + "\n" }
    let picture = diagnostic.source?.picture?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    let lines = picture.map(String.init) + diagnostic.shownLines
    return prefix(severity) + diagnostic.text + "\n" + lines.map { "  " + $0 + "\n" }.joined()
  }

  /// Asks a question that `yes` or `y` answers, if there is a terminal to ask on.
  ///
  /// - Returns: false if the answer is different, or if there is no terminal to ask on.
  func confirm(_ question: String) throws -> Bool {
    guard StandardError.hasConversation else { return false }
    StandardError.write("realmctl: \(PrintableText.escaping(question)) (yes/no) ")
    return ["y", "yes"].contains(readLine()?.lowercased())
  }

  /// Asks before all data of a realm is deleted.
  ///
  /// - Throws: `Diagnostic` if the answer is no, or if there is no terminal to ask on.
  func confirmDeletion(of path: String, _ question: String, _ refusal: String) throws {
    guard try !confirm("\(path): \(question)") else { return }
    guard !StandardError.hasConversation else { throw Diagnostic(refusalAt: path, "nothing was deleted") }
    throw Diagnostic(
      .usage, .invalidInput, path: path, refusal,
      advice: "use --yes to confirm")
  }

  /// A progress line, if it can be seen and does not disturb.
  ///
  /// - Parameter destination: where the data goes; a terminal cannot show both.
  func makeProgress(alongside destination: OutputDestination) -> Progress? {
    makeProgress(isData: destination == .standardOutput)
  }

  /// The same for work that counts bytes.
  func makeWorkProgress(alongside destination: OutputDestination) -> WorkProgress? {
    makeProgress(alongside: destination).map { line in WorkProgress { line.show($0) } }
  }

  /// A progress line for work whose output comes at the end.
  func makeProgress() -> Progress? { makeProgress(isData: false) }

  private func makeProgress(isData: Bool) -> Progress? {
    guard StandardError.isTerminal, style.showsProgress(alongside: StandardOutput.kind, takingData: isData) else {
      return nil
    }
    progress = Progress(write: StandardError.write)
    return progress
  }

  /// Removes the progress line for good.
  func endProgress() {
    progress?.clear()
    progress = nil
  }

  private func show(_ diagnostic: Diagnostic, as severity: Diagnostic.Severity) {
    progress?.clear()
    StandardError.write(line(diagnostic, severity))
  }

  private func prefix(_ severity: Diagnostic.Severity) -> String {
    let pen = ANSIStyle(isColored: StandardError.isColored(style.color))
    switch severity {
    case .error: return pen.red("realmctl:") + " "
    case .warning: return pen.yellow("realmctl:") + " warning: "
    case .note: return "realmctl: "
    }
  }
}

extension Diagnostic {
  /// The answer to a question was no, which is not a mistake in the arguments.
  init(refusalAt path: String, _ outcome: String) { self.init(.findings, .invalidInput, path: path, outcome) }
}
