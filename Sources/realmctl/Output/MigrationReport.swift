import RealmMigration
import RealmOpening
import RealmPresentation
import RealmStorage
import RealmText
import RealmTools

/// What a migration did to a file, or would do.
struct MigrationReport {
  var path: String
  var outcome: MigrationOutcome
  var dryRun = false
  /// Whether something stopped it, so that this is how far it got.
  var isStopped = false
  var backup: RealmBackup?
  /// SHA-256 of the file as it was left, in hex.
  var digest: String?
  /// Where the result went, if not to the file itself.
  var output: String?
  /// Bytes of the output.
  var outputSize: UInt64?
  /// Whether anything was written, or would be.
  var writes = false
  /// The format that the file had, if it was upgraded.
  var upgradedFrom: UInt8?
  var seconds: Double = 0
  /// Whether what the migration removed is still in the file's free space.
  var leavesRemovedValues = false
  /// Bytes on disk, if the file was compacted.
  var sizes: (before: UInt64, after: UInt64)?
  /// What the checker found in the realm before; nil if it was not checked.
  var source: SourceCheck?
  /// What a plan did; nil if there was none, or it had nothing to do.
  var plan: PlanReport?

  // MARK: Text

  private var outputLine: String {
    output.map { WrittenText.line($0, size: outputSize, dryRun: dryRun) } ?? ""
  }

  func text() -> String {
    if isStopped, let plan, plan.steps.allSatisfy(\.operations.isEmpty) { return "" }
    guard !outcome.isEmpty || isStopped else {
      return sizes == nil
        ? line("\(path): nothing to do: \(unchangedText)") + outputLine + restoreLines
        : line("\(path): \(unchangedText)") + compactionLine + outputLine + restoreLines
    }
    var text = line(
      "\(output?.outputName ?? path): \(isStopped ? "would not be migrated: " : dryRun ? "would be migrated: " : "")\(versionText)"
    )
    text += planText
    let steps = Dictionary(
      outcome.steps.map { (PropertyPath($0.step), $0) }, uniquingKeysWith: { first, _ in first })
    for rename in outcome.difference.renames { text += line("  " + rename.text) }
    // The operations of a plan describe what it did.
    if plan == nil || !outcome.steps.isEmpty { text += changeLines(steps) }
    for lost in outcome.lost { text += line("  lost: \(lost.text)") }
    for values in outcome.overwritten {
      let count = values.count.counted("value")
      text += line("  overwritten: '\(values.className).\(values.property)': \(count)")
    }
    text += counts("deleted", outcome.deleted) + counts("created", outcome.created)
    text += outcome.duplicated.sorted { $0.key < $1.key }.map { name, count in
      line("  duplicated: \(count.counted("copy", "copies")) in place of shared objects of class '\(name)'")
    }.joined()
    if let upgradedFrom { text += line("  " + WrittenText.upgrade(from: upgradedFrom)) }
    text += outputLine
    return text + compactionLine + removedValuesLine + restoreLines
  }

  private func changeLines(_ steps: [PropertyPath?: StepOutcome]) -> String {
    outcome.difference.changes.filter(\.isDone).compactMap { change in
      change.text.map { line("  " + $0 + countText(of: change, steps)) }
    }.joined()
  }

  /// The schema version and what was added, for commands that report objects; empty for a new realm.
  var schemaLines: String {
    changesSchema ? line("  " + versionText) + changeLines([:]) : ""
  }

  /// Whether there is anything in them.
  var changesSchema: Bool { !outcome.difference.isEmpty && outcome.from != nil }

  /// The same in JSON.
  func addSchemaChanges(to json: JSONText) {
    json.orNull("fromVersion", outcome.from)
    json.member("toVersion", outcome.to)
    json.texts("schemaDiff", outcome.schemaChangeTexts)
  }

  private var planText: String {
    guard let plan else { return "" }
    var text = ""
    for step in plan.steps {
      text += line("  step to version \(step.to)" + (step.note.map { ": " + $0 } ?? ""))
      for operation in step.operations { text += line("    " + operation.text) }
    }
    return text + plan.samples.text
  }

  private var restoreLines: String { backup.map { RestoreText.lines(for: $0, of: path) } ?? "" }

  private var compactionLine: String {
    sizes.map { "  \(WrittenText.compaction($0, dryRun: dryRun))\n" } ?? ""
  }

  private var removedValuesLine: String {
    guard leavesRemovedValues else { return "" }
    return "  " + RemovedValuesText.sentence(RemovedValuesText.subject(outcome), in: path, dryRun: dryRun) + "\n"
  }

  private func line(_ text: String) -> String { PrintableText.escaping(text) + "\n" }

  private var unchangedText: String { "schema version \(outcome.to), no schema changes" }

  private var versionText: String {
    guard let old = outcome.from else { return "schema version none -> \(outcome.to)" }
    return old == outcome.to ? "schema version \(old)" : "schema version \(old) -> \(outcome.to)"
  }

  /// After a change, what it meant for existing objects.
  private func countText(of change: SchemaChange, _ steps: [PropertyPath?: StepOutcome]) -> String {
    let path = change.property.map { PropertyPath(className: change.className, property: $0.name) }
    guard let done = steps[path], change.property != nil, done.nullCount + done.defaultedCount > 0 else { return "" }
    let objects = done.objectCount.counted("object gets", "objects get")
    return
      " \(objects) \(done.nullCount > 0 ? "null" : done.givenDefault == nil ? "the type's default" : "the default of the schema file")."
  }

  private func counts(_ word: String, _ counts: [RealmString: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { name, count in
      line("  \(word): \(count.counted("object")) of class '\(name)'")
    }.joined()
  }

  // MARK: JSON

  /// `Docs/JSONOutput.md` describes the keys.
  func json() -> String { JSONText.document { addMembers(to: $0) } }

  /// All of it, for one file of several as well.
  func addMembers(to json: JSONText) {
    json.path("input", path)
    json.pathOrNull("output", output ?? (writes ? path : nil))
    json.member("dryRun", dryRun)
    json.path("backup", backup?.path)
    json.member("sha256", digest)
    addFacts(to: json)
  }

  /// What was done to the schema and the objects, without the files.
  func addFacts(to json: JSONText) {
    json.orNull("fromVersion", outcome.from)
    json.member("toVersion", outcome.to)
    json.member("upgradedFrom", upgradedFrom)
    json.objects("steps", stepsToReport) { step in
      json.member("toVersion", step.to)
      json.member("stepNote", step.note)
      json.objects("ops", step.operations) { $0.addMembers(to: json) }
    }
    plan?.samples.add(to: json)
    json.objects("lost", outcome.lost) { lost in
      json.member("class", lost.className.description)
      json.member("property", lost.property?.description)
      json.member("cause", lost.cause.rawValue)
      json.member("objects", lost.objectCount)
      json.member("nonNullValues", lost.nonDefaultCount)
    }
    json.objects("overwritten", outcome.overwritten) { values in
      json.member("class", values.className.description)
      json.member("property", values.property.description)
      json.member("objects", values.count)
    }
    addCounts("deleted", outcome.deleted, to: json)
    addCounts("created", outcome.created, to: json)
    addCounts("duplicated", outcome.duplicated, to: json)
    json.texts("schemaDiff", outcome.schemaChangeTexts)
    json.member("compacted", sizes != nil)
    json.member("removedValuesRemain", leavesRemovedValues)
    SourceCheck.addFacts(source, to: json)
    json.member("seconds", seconds: seconds)
  }

  /// Those of a plan, then what was done without one.
  private var stepsToReport: [PlanReport.Step] {
    let operations = outcome.steps.map { PlanReport.Operation($0) }
    let rest = outcome.isEmpty || operations.isEmpty && plan != nil
    return (plan?.steps ?? []) + (rest ? [] : [PlanReport.Step(to: outcome.to, operations: operations)])
  }

  private func addCounts(_ name: String, _ counts: [RealmString: Int], to json: JSONText) {
    json.member(name) {
      json.object {
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { json.member(name.description, count) }
      }
    }
  }
}

extension MigrationOutcome {
  fileprivate var schemaChangeTexts: [String] {
    difference.renames.map(\.text) + difference.changes.filter(\.isDone).compactMap(\.text)
  }
}

extension SchemaChange {
  /// Whether anything is done about it: classes that only the file has stay as they are.
  var isDone: Bool {
    if case .removeClass = self { return false }
    return true
  }
}

extension PropertyPath {
  /// Nil for a step about a whole class.
  fileprivate init?(_ step: MigrationStep) {
    guard let property = step.property else { return nil }
    self.init(className: step.className, property: property)
  }
}

extension LostValues {
  /// `'Person.age': 5 of 6 objects have a value other than the default`
  var text: String { "'\(place)': \(valuesText)" }

  /// The same of a migration that was refused: `'Person.age' would be removed: 5 of 6 objects have …`
  var refusalText: String {
    switch cause {
    case .removed:
      "'\(place)' would \(change): \(valuesText)"
    case .classRemoved:
      "class '\(place)' would be removed with "
        + ([objectCount.counted("object")]
        + embedded.sorted { $0.key < $1.key }.map { "\($1.counted("embedded object")) of class '\($0)'" }).listed
    case .overwritten, .targetDeleted: text
    }
  }

  private var change: String {
    if becomesRequired { return "become required and lose its values" }
    return successor.map { "become \($0.typeText) and lose its values" } ?? "be removed"
  }

  private var valuesText: String {
    let objects = objectCount.counted("object")
    return switch cause {
    case .removed:
      "\(nonDefaultCount) of \(objects) \(nonDefaultCount == 1 ? "has" : "have") a value other than the default"
    case .overwritten: "\(nonDefaultCount.counted("value")) overwritten"
    case .targetDeleted: "\(nonDefaultCount.counted("link")) to deleted objects"
    case .classRemoved: "\(objects) without properties"
    }
  }
}

/// The words that name what was written.
enum WrittenText {
  static func upgrade(from format: UInt8, to newer: UInt8 = Header.newestFormat) -> String {
    "file format \(format) -> \(newer.formatText)"
  }

  /// `compacted: 24576 bytes (24.0 KiB) -> 8192 bytes (8.0 KiB)`
  static func compaction(_ sizes: (before: UInt64, after: UInt64), dryRun: Bool) -> String {
    "\(dryRun ? "would be " : "")compacted: \(ByteCount.text(sizes.before)) -> \(ByteCount.text(sizes.after))"
  }

  /// `wrote b.realm: 2416 bytes, 59% of a.realm`, or `wrote 2416 bytes to standard output, 59% of a.realm`; in a dry run,
  /// `b.realm: would be written: 2416 bytes`.
  ///
  /// - Parameters:
  ///   - path: of the output, as typed.
  ///   - facts: what follows the size, with the comma or semicolon before it.
  static func line(_ path: String, size: UInt64? = nil, _ facts: String = "", dryRun: Bool) -> String {
    let size = size.map { ByteCount.text($0) }
    let words =
      if dryRun {
        "\(path.outputName): would be written" + (size.map { ": " + $0 } ?? "")
      } else if path == "-" {
        "wrote \(size.map { $0 + " " } ?? "")to standard output"
      } else {
        "wrote \(path)" + (size.map { ": " + $0 } ?? "")
      }
    return PrintableText.escaping(words + facts) + "\n"
  }
}

/// The line that restores a backup.
enum RestoreText {
  static func lines(for backup: RealmBackup, of path: String) -> String {
    "backup: \(PrintableText.escaping(backup.path)); to restore it:\n"
      + "  \(ShellText.command(["cp", "-p", ShellText.path(backup.path), ShellText.path(path)]))\n"
  }
}

extension [PlanReport.Sample] {
  /// Objects before and after.
  var text: String {
    map { sample in
      // A new object has no line before, and a deleted one none after.
      let lines = [
        "  object \(sample.key.rawValue) of class '\(sample.className)'", sample.before.map { "    - \($0)" },
        sample.after.map { "    + \($0)" },
      ]
      return lines.compactMap(\.self).map { PrintableText.escaping($0) + "\n" }.joined()
    }.joined()
  }

  /// The member `samples`, if there are any.
  func add(to json: JSONText) {
    guard !isEmpty else { return }
    json.objects("samples", self) { sample in
      json.member("class", sample.className.description)
      json.member("objKey", sample.key.rawValue)
      json.textOrNull("objectBefore", sample.before)
      json.textOrNull("objectAfter", sample.after)
    }
  }
}

extension PlanReport.Operation {
  /// A step that needs no plan.
  fileprivate init(_ step: StepOutcome) {
    self.init(name: step.step.name, className: step.step.className, property: step.step.property)
    (objects, null, defaulted) = (step.objectCount, step.nullCount, step.defaultedCount)
  }

  /// `convert Person.age: 3 objects, 2 converted, 1 null; 1 value could not be converted`
  ///
  /// What was done with a value that could not be converted is among the counts before it.
  fileprivate var text: String {
    var counts = [objects.counted("object")]
    if computed > 0 { counts.append(name == "convert" ? "\(computed) converted" : computed.counted("value")) }
    let words: [(Int, String)] = [
      (null, "null"), (defaulted, "default"),
      (created, "created"), (deleted, "deleted"), (dropped, dropped == 1 ? "element dropped" : "elements dropped"),
    ]
    counts += words.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let place = property.map { "\(className).\($0)" } ?? "\(className)"
    let verb = name == "convert" ? "converted" : "computed"
    let rest = failed > 0 ? "; \(failed.counted("value")) could not be \(verb)" : ""
    return "\(name) \(place): \(counts.joined(separator: ", "))\(rest)"
  }

  fileprivate func addMembers(to json: JSONText) {
    json.member("op", name)
    json.member("class", className.description)
    json.member("property", property?.description)
    json.member("objects", objects)
    json.member("computed", computed)
    json.member("null", null)
    json.member("defaulted", defaulted)
    json.member("failed", failed)
    if deleted > 0 { json.member("deletedObjects", deleted) }
    if created > 0 { json.member("createdObjects", created) }
    if dropped > 0 { json.member("droppedElements", dropped) }
  }
}
