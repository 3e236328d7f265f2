import RealmExchange
import RealmMigration
import RealmOpening
import RealmQuery
import RealmStorage
import RealmText
import RealmTools

/// Changes objects by hand for a command.
struct EditRun {
  struct Request: Equatable {
    /// Of the first realm; the others are changed in the same way.
    var launch: LaunchRequest
    var inputs: [RealmInput]
    var edit: ObjectEdit
    /// The required number of objects.
    var expected: Int?
    /// Objects that a dry run shows.
    var sampleCount = 0
  }

  let request: Request
  let console: Console

  /// Objects that are changed without reading the rest of the file.
  fileprivate static let mostInSmallChange = 1000

  /// - Throws: `Diagnostic`.
  func run() throws -> RunStatus {
    let isOnlyOne = request.inputs.count == 1
    let realms = RealmBatch(inputs: request.inputs, changing: true, console: console)
    try realms.requireDifferentFiles()
    try realms.requireAll()
    return try realms.forEach { input, key in
      var launch = request.launch
      launch.input = input
      return try OneEdit(request: request, launch: launch, console: console).run(key)
    } show: { summary in
      try console.info(
        summary.text(), json: summary.json(isIndented: isOnlyOne),
        alongsideData: request.launch.hasDataOnStandardOutput)
      return .done
    }
  }
}

/// The change of one realm.
private struct OneEdit {
  let request: EditRun.Request
  var launch: LaunchRequest
  let console: Console

  private var name: String { launch.input.name }

  /// - Throws: `Diagnostic`.
  func run(_ key: EncryptionKey?) throws -> EditSummary {
    try launch.input.requireChangeable()
    let (found, schema, prepared, file) = try launch.input.read(console, with: key) { realm in
      try realm.requireReadable(.only([RealmString(request.edit.className)]))
      let (snapshot, schema) = (realm.snapshot, realm.snapshot.schema)
      let found = try reporting { try request.edit.count(in: snapshot) }
      // The number of objects is checked before the values.
      let prepared = try reporting { try prepare(found.count, schema, snapshot) }
      return (found, schema, prepared, try? LaunchedFile(realm))
    }
    let count = found.count
    console.warn(of: found.warnings, foundNothing: count == 0, path: name)
    if let expected = request.expected, expected != count {
      throw Diagnostic(
        .findings, .invalidInput, path: name,
        (request.edit.isInsertion
          ? "\(count.counted("object")) would be inserted"
          : count.counted("object matches", "objects match")) + ", expected \(expected), so nothing was changed",
        advice: request.edit.isInsertion ? nil : "'query' shows the objects")
    }
    let run = try reporting { try prepared.get() }
    try confirm(count)
    var change = launch
    if count > EditRun.mostInSmallChange { change.verifiesChangesOnly = false }
    let result = try reporting {
      try LaunchRun(request: change, console: console).run(key: key, script: run.script, of: file)
    }
    let summary = EditSummary(run.report, result, request, launch)
    if summary.count > 0 { warn(ofTextsNull: request.edit.namesOfTextsNull(in: schema)) }
    return summary
  }

  /// The run that makes the edit, or the mistakes in names and values.
  private func prepare(_ count: Int, _ schema: Schema, _ snapshot: Snapshot) throws -> Result<PlanRun, PlanError> {
    do {
      return .success(
        try request.edit.run(
          over: schema, linkingTo: snapshot, expecting: request.edit.isInsertion ? nil : count,
          samples: launch.dryRun ? request.sampleCount : 0))
    } catch let error as PlanError {
      return .failure(error)
    }
  }

  private func warn(ofTextsNull names: [String]) {
    guard !names.isEmpty else { return }
    let list = names.map { "'\($0)'" }.listed
    console.warn(
      Diagnostic(
        .done, .invalidInput, path: name,
        "\(list) \(names.count == 1 ? "is" : "are") required and cannot be null, so the text \"null\" "
          + (launch.dryRun ? "would be written" : "was written")))
  }

  private func confirm(_ count: Int) throws {
    guard !launch.dryRun, !launch.isConfirmed, launch.destination == nil, count > 0, !request.edit.isInsertion,
      StandardError.hasConversation
    else { return }
    let verb = request.edit.isDeletion ? "delete" : "change"
    let question = "\(name): \(verb) \(count.counted("object")) of class '\(request.edit.className)'?"
    guard try console.confirm(question) else {
      throw Diagnostic(refusalAt: name, "nothing was changed")
    }
  }

  /// Mistakes in the names and values of an edit, as diagnostics.
  private func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as PlanError {
      if let refusal = error.mistakes[0].refusal { throw Diagnostic(refusal, path: name) }
      var diagnostic = Diagnostic(ofEdit: error.summary, path: name)
      diagnostic.problem = Diagnostic.soNothingWasChanged(diagnostic.problem)
      throw diagnostic
    } catch let error as QueryError {
      var diagnostic = Diagnostic(error, in: request.edit.filter ?? "", path: name)
      if request.edit.filter?.contains(where: { !$0.isWhitespace }) == true {
        diagnostic.problem = Diagnostic.soNothingWasChanged(diagnostic.problem)
      }
      throw diagnostic
    }
  }
}

extension Diagnostic {
  /// A mistake in the names and values of an edit.
  init(ofEdit mistake: PlanError.Mistake, path: String) {
    let isName = mistake.unknownName != nil
    // The text of an option is not in the realm.
    self.init(
      isName ? .notFound : .schema, isName ? .invalidProperty : .invalidInput,
      path: mistake.isInOption ? nil : path, mistake.problem, advice: mistake.advice)
    if !mistake.several.isEmpty { list(mistake.several.map { Diagnostic(ofEdit: $0, path: path) }) }
  }
}
