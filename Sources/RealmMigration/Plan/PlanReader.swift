import RealmExchange
import RealmOpening
import RealmQuery
import RealmStorage
import RealmText
import RealmTools

extension MigrationPlan {
  /// Reads a plan.
  ///
  /// - Parameter path: of the file; its name determines the language.
  /// - Throws: `PlanError` with all mistakes.
  package static func parse(_ bytes: [UInt8], path: String) throws(PlanError) -> MigrationPlan {
    try MigrationPlan(PlanDocument.parse(bytes, PlanDocument.language(ofPath: path, bytes)))
  }

  /// - Throws: `PlanError` with everything that is wrong.
  package init(_ document: PlanNode) throws(PlanError) {
    let reader = PlanReader()
    let plan = reader.plan(document)
    guard let plan, reader.mistakes.all.isEmpty else {
      throw PlanError(reader.mistakes.all.sorted { $0.location < $1.location })
    }
    self = plan
  }
}

/// Turns a tree into a plan, and reports all mistakes in it.
struct PlanReader {
  let mistakes = PlanMistakes()

  func plan(_ document: PlanNode) -> MigrationPlan? {
    guard var fields = PlanFields(document, "a plan", mistakes) else { return nil }
    if let format = fields.required("plan", advice: "begin with 'plan: 1'"), format.content != .number("1") {
      mistakes.add(
        "'plan' is the version of this format, which must be 1, not \(PlanFields.shown(format))", at: format.location)
    }
    let name = fields.text("name")?.value
    let settings = fields.node("settings").map(self.settings) ?? PlanSettings()
    let steps = fields.required("steps").map(self.steps)
    let expectation = fields.node("expect").flatMap(self.expectation)
    fields.finish()
    guard let steps else { return nil }
    return MigrationPlan(name: name, settings: settings, steps: steps, expectation: expectation)
  }

  private func settings(_ node: PlanNode) -> PlanSettings {
    var settings = PlanSettings()
    guard var fields = PlanFields(node, "'settings'", mistakes) else { return settings }
    settings.onNull = fields.choice("on_null", NullPolicy.self, of: [.propagate, .empty, .fail]) ?? settings.onNull
    settings.onError = fields.choice("on_error", ErrorPolicy.self) ?? settings.onError
    fields.finish()
    return settings
  }

  // MARK: Steps

  private func steps(_ node: PlanNode) -> [PlanStep] {
    guard let elements = node.elements else {
      mistakes.add("'steps' must be a list, not \(node.kindName)", at: node.location)
      return []
    }
    if elements.isEmpty { mistakes.add("'steps' must not be empty", at: node.location) }
    var steps: [PlanStep] = []
    for step in elements.compactMap(step) {
      if let last = steps.last, step.version.value <= last.version.value {
        mistakes.add(
          "step versions must be in ascending order; \(step.version.value) follows \(last.version.value)",
          at: step.version.location)
      }
      steps.append(step)
    }
    return steps
  }

  private func step(_ node: PlanNode) -> PlanStep? {
    guard var fields = PlanFields(node, "a step", mistakes) else { return nil }
    let version = fields.version("to")
    let guarded = fields.node("from").flatMap(versionGuard)
    let note = fields.text("note")?.value
    let operations = fields.required("do").map(self.operations) ?? []
    fields.finish()
    guard let version else { return nil }
    if let guarded, guarded.value.lowest >= version.value {
      mistakes.add("'from' must be below 'to' (\(version.value))", at: guarded.location)
    }
    return PlanStep(version: version, guarded: guarded, note: note, operations: operations)
  }

  /// `1`, `"1..3"` or `[1, 3]`.
  private func versionGuard(_ node: PlanNode) -> Located<VersionGuard>? {
    if let version = PlanFields.version(node) { return Located(.versions([version]), at: node.location) }
    if let text = node.text {
      let parts = text.split(separator: "..", omittingEmptySubsequences: false).map { UInt64($0) }
      if parts.count == 2, let low = parts[0], let high = parts[1], low <= high {
        return Located(.range(low...high), at: node.location)
      }
    }
    if let elements = node.elements {
      let versions = elements.compactMap(PlanFields.version)
      if versions.count == elements.count, !versions.isEmpty {
        return Located(.versions(Set(versions)), at: node.location)
      }
    }
    mistakes.add("'from' must be a schema version, a range such as \"1..3\", or a list of versions", at: node.location)
    return nil
  }

  private func operations(_ node: PlanNode) -> [PlanOperation] {
    guard let elements = node.elements else {
      mistakes.add("'do' must be a list of operations, not \(node.kindName)", at: node.location)
      return []
    }
    return elements.compactMap(operation)
  }

  // MARK: Expectations

  private func expectation(_ node: PlanNode) -> PlanExpectation? {
    guard var fields = PlanFields(node, "'expect'", mistakes) else { return nil }
    var expectation = PlanExpectation()
    expectation.schemaPath = fields.text("schema")
    if let counts = fields.node("counts") {
      guard let entries = counts.entries else {
        mistakes.add("'counts' must be a mapping of classes to numbers, not \(counts.kindName)", at: counts.location)
        return nil
      }
      for entry in entries {
        guard let count = fields.count(entry.key, entry.value) else { continue }
        expectation.counts.append((Located(entry.name, at: entry.location), count))
      }
    }
    fields.finish()
    return expectation
  }

  // MARK: Values

  func value(_ node: PlanNode) -> PlanValue {
    switch node.content {
    case .null, .bool, .number, .string, .bytes: return .literal(node)
    case .list(let elements): return .list(elements.map(value), node.location)
    case .map(let entries):
      if let entry = entries.first, let value = computed(entry, entries, node) { return value }
      if entries.contains(where: { $0.key.utf8.first == UInt8(ascii: "$") }) { return .literal(node) }
      return .map(
        entries.map {
          PlanValue.Entry(key: Located($0.name, at: $0.location), value: value($0.value))
        }, node.location)
    }
  }

  private static let computedKeys = ["expr", "template", "copy", "ref", "pk", "objects", "literal", choice]
  /// A placeholder for a value that the user must decide: `{ choose: a value }`.
  static let choice = "choose"

  /// A mapping with one key that says how the value is computed; nil if it is a literal.
  private func computed(_ entry: PlanNode.Entry, _ entries: [PlanNode.Entry], _ node: PlanNode) -> PlanValue? {
    // `{ expr: concat(name, "x") }`: without quotes, the formula ends at its first comma.
    let text = entry.value.text ?? ""
    if entry.key == "expr", entries.count > 1, text.count(where: { $0 == "(" }) > text.count(where: { $0 == ")" }) {
      mistakes.add("'\(entry.key)' ends at a comma", advice: "put its text in quotes", at: entry.value.location)
      return .literal(node)
    }
    guard Self.computedKeys.contains(entry.key),
      entries.count == 1 || entry.key == "template" && entries.count == 2 && entries[1].key == "on_null"
    else { return nil }
    let value = entry.value
    switch entry.key {
    case "expr": return formula(value).map { .expression($0) } ?? .literal(node)
    case "template":
      var fields = PlanFields(node, "a value", mistakes)
      _ = fields?.node("template")
      let onNull = fields?.choice("on_null", NullPolicy.self, of: [.propagate, .empty, .fail])
      return template(value).map { .template($0, onNull) } ?? .literal(node)
    case Self.choice:
      mistakes.add(
        "choose a value: a constant, { expr: … } or { template: … } in its place, or 'type_default: true' for the "
          + "default of the type", at: node.location)
      return .literal(node)
    case "copy": return name(value, "copy").map { .copy($0) } ?? .literal(node)
    case "ref": return name(value, "ref").map { .reference($0) } ?? .literal(node)
    case "pk":
      guard let parts = value.elements, parts.count == 2, let className = name(parts[0], "pk") else {
        mistakes.add("'pk' must be a list of a class and a primary key: [Dog, 1]", at: value.location)
        return .literal(node)
      }
      return .primaryKey(className: className, parts[1])
    case "objects":
      guard let parts = value.elements, parts.count == 2, let className = name(parts[0], "objects"),
        let query = parts[1].text
      else {
        mistakes.add("'objects' must be a list of a class and a query: [Dog, 'age > 3']", at: value.location)
        return .literal(node)
      }
      let filter = QueryText(text: query, location: parts[1].location)
      ObjectQuery(filter).report(to: mistakes)
      return .objects(className: className, filter)
    default: return plainValue(value)
    }
  }

  /// `{ literal: … }`: nothing in it is computed.
  func plainValue(_ node: PlanNode) -> PlanValue {
    switch node.content {
    case .list(let elements): .list(elements.map(plainValue), node.location)
    case .map(let entries) where !entries.contains { $0.key.utf8.first == UInt8(ascii: "$") }:
      .map(
        entries.map {
          PlanValue.Entry(key: Located($0.name, at: $0.location), value: plainValue($0.value))
        }, node.location)
    default: .literal(node)
    }
  }

  private func name(_ node: PlanNode, _ key: String) -> Located<RealmString>? {
    guard let text = node.text, !text.isEmpty else {
      mistakes.add("'\(key)' must be a name, not \(PlanFields.shown(node))", at: node.location)
      return nil
    }
    return Located(RealmString(text), at: node.location)
  }

  /// - Parameter key: that has it.
  func formula(_ node: PlanNode, _ key: String = "expr") -> Located<Formula>? {
    // A number or a boolean is a formula too.
    guard let text = node.scalarText else {
      mistakes.add(
        "'\(key)' must be text, not \(node.kindName)",
        advice: node["expr"] == nil || key == "expr" ? nil : "write the formula itself, without 'expr'",
        at: node.location)
      return nil
    }
    do throws(ExpressionError) {
      return Located(try ExpressionParser.formula(text), at: node.location)
    } catch {
      report(error, in: text, at: node.location)
      return nil
    }
  }

  private func template(_ node: PlanNode) -> Located<Template>? {
    guard let text = node.scalarText else {
      mistakes.add("'template' must be text, not \(node.kindName)", at: node.location)
      return nil
    }
    do throws(ExpressionError) {
      return Located(try Template(text), at: node.location)
    } catch {
      report(error, in: text, at: node.location)
      return nil
    }
  }

  private func report(_ error: ExpressionError, in text: String, at location: PlanLocation) {
    mistakes.add(error.text(in: text), advice: error.advice, at: location)
  }
}

extension ExpressionError {
  /// What is wrong, and where in the formula.
  func text(in formula: String) -> String { "\(message) (character \(character(in: formula)) of \"\(formula)\")" }
}

extension PlanNode {
  /// The value, if it is not null, a list or a mapping.
  var scalarText: String? {
    switch content {
    case .string(let text), .number(let text): text
    case .bool(let flag): "\(flag)"
    default: nil
    }
  }
}
