import RealmExchange
import RealmRedaction
import RealmStorage
import RealmText

extension RedactionRules {
  /// Reads a file of rules, in YAML or JSON.
  ///
  /// - Parameter path: says which, by its ending.
  /// - Throws: `PlanError` with all mistakes.
  package static func parse(_ bytes: [UInt8], path: String) throws(PlanError) -> RedactionRules {
    let language = PlanDocument.language(ofPath: path, bytes)
    return try RedactionReader().rules(PlanDocument.parse(bytes, language, kind: "rules file"))
  }
}

/// Reads rules of redaction from their tree.
private struct RedactionReader {
  private let mistakes = PlanMistakes()

  func rules(_ node: PlanNode) throws(PlanError) -> RedactionRules {
    var rules = RedactionRules()
    if var fields = PlanFields(node, "a rules file", mistakes) {
      rules.fallback = fields.choice("default", RedactionRules.Default.self)
      rules.renames = fields.flag("rename") ?? false
      if let classes = fields.required("classes") { rules.classes = self.classes(classes) }
      fields.finish()
    }
    guard mistakes.all.isEmpty else { throw PlanError(mistakes.all.sorted { $0.location < $1.location }) }
    return rules
  }

  private func classes(_ node: PlanNode) -> [ClassRules] {
    guard let entries = node.entries else {
      mistakes.add("'classes' must be a mapping of classes to rules, not \(node.kindName)", at: node.location)
      return []
    }
    return entries.map { entry in
      var rules = ClassRules(entry.name, at: entry.location.place)
      if entry.value.text == "drop" {
        rules.isDropped = true
      } else if let properties = entry.value.entries {
        rules.properties = properties.compactMap(property)
      } else {
        mistakes.add(
          "the rules of class '\(entry.key)' must be 'drop' or a mapping of properties to rules, not "
            + PlanFields.shown(entry.value), at: entry.value.location)
      }
      return rules
    }
  }

  // MARK: Properties

  private func property(_ entry: PlanNode.Entry) -> PropertyRule? {
    let node = entry.value
    guard node.entries != nil else {
      return word(node).map { PropertyRule(entry.name, $0, at: entry.location.place) }
    }
    guard var fields = PlanFields(node, "a rule", mistakes) else { return nil }
    let action = action(&fields, node)
    let condition = fields.query("where")?.text
    let keepsKeys = keeps("keys", &fields)
    fields.finish()
    guard let action else { return nil }
    var rule = PropertyRule(entry.name, action, at: entry.location.place)
    (rule.condition, rule.keepsKeys) = (condition, keepsKeys)
    return rule
  }

  private static let words = ["keep", "null", "mask", "hash"]
  private static let keys = ["rule", "constant", "fake", "truncate", "noise", "shift", "range"]

  private func word(_ node: PlanNode) -> RedactionAction? {
    switch node.text ?? (node.isNull ? "null" : "") {
    case "keep": return .keep
    case "null": return .null
    case "mask": return .mask
    case "hash": return .hash(keepsTime: false)
    default:
      mistakes.add(
        "a rule must be \(PlanFields.list(Self.words)), or a mapping, not \(PlanFields.shown(node))",
        advice: node.text.flatMap { text in
          Self.keys.dropFirst().contains(text)
            ? "'\(text)' needs a value, as in { \(text): … }" : Similarity.question(about: text, among: Self.words)
        }, at: node.location)
      return nil
    }
  }

  private func action(_ fields: inout PlanFields, _ node: PlanNode) -> RedactionAction? {
    let given = Self.keys.compactMap { key in fields.node(key).map { (key, $0) } }
    let keepsTime = keeps("time", &fields)
    guard given.count == 1, let (key, value) = given.first else {
      if given.count > 1 {
        let names = given.map { "'\($0.0)'" }.joined(separator: " and ")
        mistakes.add("\(names) cannot be used together", advice: "give one of them", at: node.location)
      } else {
        mistakes.add("a rule needs one of \(PlanFields.list(Self.keys))", at: node.location)
      }
      return nil
    }
    if keepsTime, key != "rule" || value.text != "hash" {
      mistakes.add("'time' can be used with 'rule: hash' only", at: node.location)
    }
    switch key {
    case "rule":
      let action = word(value)
      if case .hash = action { return .hash(keepsTime: keepsTime) }
      return action
    case "constant": return constant(value)
    case "fake": return fields.choice("fake", FakeKind.self).map { .fake($0) }
    case "truncate": return count(value).map { .truncate($0) }
    case "noise": return noise(value).map { .noise($0) }
    case "shift": return seconds(value, "shift").map { .shift(seconds: $0) }
    default:
      if let number = number(value) { return .range(.number(number)) }
      return seconds(value, "range").map { .range(.seconds($0)) }
    }
  }

  private func keeps(_ key: String, _ fields: inout PlanFields) -> Bool {
    fields.choice(key, RedactionRules.Default.self, of: [.keep]) == .keep
  }

  // MARK: Values

  private func constant(_ node: PlanNode) -> RedactionAction? {
    switch node.content {
    case .bool, .number, .string, .bytes: return .constant(node.json)
    case .map where (try? node.json.scalar(as: .mixed)) != nil: return .constant(node.json)
    case .null, .list, .map:
      mistakes.add("'constant' must be a single value, not \(node.kindName)", at: node.location)
      return nil
    }
  }

  private func count(_ node: PlanNode) -> Int? {
    if case .number(let digits) = node.content, let count = Int(digits), count >= 0, count <= 1 << 24 { return count }
    mistakes.add("'truncate' must be a number of characters, not \(PlanFields.shown(node))", at: node.location)
    return nil
  }

  /// A number above 0.
  private func number(_ node: PlanNode) -> Double? {
    guard case .number(let digits) = node.content, let number = Double(text: digits), number > 0, number.isFinite else {
      return nil
    }
    return number
  }

  private func noise(_ node: PlanNode) -> NoiseRange? {
    if let number = number(node) { return .absolute(number) }
    if let text = node.text, text.hasSuffix("%"), let share = Double(text: String(text.dropLast())), share > 0,
      share <= 100
    {
      return .relative(share / 100)
    }
    mistakes.add(
      "'noise' must be a number above 0, or a share such as '10%', not \(PlanFields.shown(node))", at: node.location)
    return nil
  }

  private func seconds(_ node: PlanNode, _ key: String) -> Int64? {
    // A thousand years; dates have room for more.
    if let seconds = node.text.flatMap({ RedactionAction.Duration.seconds($0) }), seconds <= 1000 * 365 * 86_400 {
      return seconds
    }
    let numbers = key == "range" ? "a number above 0, or " : ""
    mistakes.add(
      "'\(key)' must be \(numbers)a time such as '30d' (y, w, d, h, m or s), not \(PlanFields.shown(node))",
      at: node.location)
    return nil
  }
}

extension PlanLocation {
  fileprivate var place: RulePlace { RulePlace(line: line, column: column) }
}
