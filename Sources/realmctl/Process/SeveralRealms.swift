import RealmStorage

/// Realms that a command reads one after another, each on its own: what is wrong with one keeps nobody from the others.
struct SeveralRealms {
  let inputs: [RealmInput]
  let console: Console

  /// Reads each realm and shows what came of it.
  ///
  /// - Parameters:
  ///   - read: what fails for one realm is reported at once, and the next is read.
  ///   - show: what fails here, such as writing to standard output, ends the run.
  /// - Returns: the worst status.
  func forEach<Report>(
    read: (RealmInput, EncryptionKey?) throws -> Report, show: (Report) throws -> RunStatus
  ) throws -> RunStatus {
    let key = try readKey()
    var worst = RunStatus.done
    for input in inputs {
      let report: Report
      do { report = try read(input, key) } catch let diagnostic as Diagnostic {
        console.report(diagnostic)
        worst = worst.orWorse(diagnostic.status)
        continue
      }
      worst = worst.orWorse(try show(report))
    }
    return worst
  }

  /// One key for all of them, read once: it may be typed, or come from standard input.
  private func readKey() throws -> EncryptionKey? {
    guard let first = inputs.first else { return nil }
    return try first.key?.read(for: inputs.count == 1 ? first.name : "\(inputs.count) realms")
  }
}
