import RealmStorage

/// Says on standard error what a run has to say apart from its output: warnings, errors, what was done.
final class Console {
  let style: MessageStyle
  /// Warnings so far: what is read twice is warned of once.
  private var warnings: Set<Diagnostic> = []
  private var notes: Set<Diagnostic> = []
  /// Shown while work goes on; messages take its place.
  private var progress: Progress?

  init(_ style: MessageStyle) {
    self.style = style
  }

  /// The status of a run that would end with `status`, seen what it warned of.
  func status(after status: RunStatus) -> RunStatus {
    status == .done && style.isStrict && !warnings.isEmpty ? .findings : status
  }

  /// Something is not as it should be, and the work goes on.
  func warn(_ diagnostic: Diagnostic) {
    guard warnings.insert(diagnostic).inserted else { return }
    if style.volume != .quiet { show(diagnostic, as: .warning) }
  }

  /// Why the run ends, or why its status is not 0.
  func report(_ diagnostic: Diagnostic) {
    show(diagnostic, as: .error)
  }

  func report(usage: UsageError) {
    if style.isJSON {
      show(usage.diagnostic, as: .error)
    } else {
      StandardError.write(prefix(.error) + usage.text + "\n")
    }
  }

  /// Tells on standard output what was written to files, if anything was.
  func tell(_ report: OutputReport?) throws {
    guard let report else { return }
    try tell(report.text(), json: report.json(), alongsideData: false)
  }

  /// Tells what was done; on standard error where standard output has the data. JSON is data that somebody asked for, so
  /// that nobody silences it.
  ///
  /// - Parameter isJSON: whether JSON was asked for in another way than with `--json`.
  func tell(_ text: String, json: String, alongsideData: Bool, isJSON: Bool = false) throws {
    let isJSON = isJSON || style.isJSON
    guard isJSON || style.volume != .quiet else { return }
    let report = isJSON ? json : text
    if alongsideData { StandardError.write(report) } else { try StandardOutput.write(report) }
  }

  /// What only somebody who asked for more wants to know; what is read twice is told once.
  func note(_ text: String, path: String) {
    let note = Diagnostic(.done, nil, path: path, text)
    guard style.volume == .verbose, notes.insert(note).inserted else { return }
    show(note, as: .note)
  }

  /// What was done otherwise than somebody may have expected, and is nothing to warn of.
  func remark(_ text: String) {
    if style.volume != .quiet { show(Diagnostic(.done, nil, text), as: .note) }
  }

  /// The line for a diagnostic, with its end.
  func line(_ diagnostic: Diagnostic, _ severity: Diagnostic.Severity) -> String {
    guard !style.isJSON else { return diagnostic.json(severity) + "\n" }
    let picture = diagnostic.source?.picture.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    return prefix(severity) + diagnostic.text + "\n" + picture.map { "  " + $0 + "\n" }.joined()
  }

  /// Asks a question that `yes` answers, where somebody is there to answer.
  ///
  /// - Returns: false where the answer is another, or nobody is asked because there is no terminal.
  func confirm(_ question: String) throws -> Bool {
    guard StandardError.hasConversation else { return false }
    StandardError.write("realmctl: \(PrintableText.escaping(question)) (yes/no) ")
    return readLine() == "yes"
  }

  /// A progress line, where it can be seen and is not in the way.
  ///
  /// - Parameter destination: where the data goes; a terminal cannot show both.
  func makeProgress(alongside destination: OutputDestination) -> Progress? {
    makeProgress(isData: destination == .standardOutput)
  }

  /// The same for work that counts bytes.
  func makeWorkProgress(alongside destination: OutputDestination) -> WorkProgress? {
    makeProgress(alongside: destination).map { line in WorkProgress { line.show($0) } }
  }

  /// A progress line for work whose output comes at its end.
  func makeProgress() -> Progress? { makeProgress(isData: false) }

  private func makeProgress(isData: Bool) -> Progress? {
    guard StandardError.isTerminal, style.showsProgress(alongside: StandardOutput.kind, takingData: isData) else {
      return nil
    }
    progress = Progress()
    return progress
  }

  /// Takes the progress line away for good.
  func endProgress() {
    progress?.clear()
    progress = nil
  }

  private func show(_ diagnostic: Diagnostic, as severity: Diagnostic.Severity) {
    progress?.clear()
    StandardError.write(line(diagnostic, severity))
  }

  private func prefix(_ severity: Diagnostic.Severity) -> String {
    let pen = Pen(isColored: StandardError.isColored(style.color))
    switch severity {
    case .error: return pen.red("realmctl:") + " "
    case .warning: return pen.yellow("realmctl:") + " warning: "
    case .note: return "realmctl: "
    }
  }
}
