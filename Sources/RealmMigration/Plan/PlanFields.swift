import RealmExchange
import RealmOpening
import RealmStorage
import RealmText
import RealmTools

/// Mistakes found while a plan is read; reading continues after each of them.
final class PlanMistakes {
  private(set) var all: [PlanError.Mistake] = []

  func add(_ problem: String, advice: String? = nil, at location: PlanLocation) {
    add(PlanError.Mistake(problem, advice: advice, at: location))
  }

  func add(_ mistake: PlanError.Mistake) { all.append(mistake) }
}

/// The entries of a mapping, taken one by one; `finish` reports those that were not taken.
struct PlanFields {
  let location: PlanLocation
  /// Its name in messages: `add_property`.
  let owner: String
  let mistakes: PlanMistakes
  private let entries: [PlanNode.Entry]
  private var known: [String] = []

  /// - Returns: nil, with a report, if it is not a mapping.
  init?(_ node: PlanNode, _ owner: String, _ mistakes: PlanMistakes) {
    guard let entries = node.entries else {
      mistakes.add("\(Self.shown(owner: owner)) must be a mapping, not \(node.kindName)", at: node.location)
      return nil
    }
    (self.entries, location, self.owner, self.mistakes) = (entries, node.location, owner, mistakes)
  }

  /// The value of a key; nil if it is absent.
  mutating func node(_ key: String) -> PlanNode? {
    if !known.contains(key) { known.append(key) }
    return entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  mutating func required(_ key: String, advice: String? = nil) -> PlanNode? {
    let node = node(key)
    if node == nil { mistakes.add("\(Self.shown(owner: owner)) needs the key '\(key)'", advice: advice, at: location) }
    return node
  }

  /// Words stay as they are; names are in quotes.
  private static func shown(owner: String) -> String {
    owner.contains(" ") || owner.hasPrefix("'") ? owner : "'\(owner)'"
  }

  /// Reports keys that mean nothing here.
  func finish() {
    for entry in entries where !known.contains(where: { $0.utf8.elementsEqual(entry.key.utf8) }) {
      let counting = ["count", "expect"].first(where: known.contains)
      let range = ["min", "max"].contains(entry.key) ? counting.map { "write \($0): { \(entry.key): … }" } : nil
      let advice =
        range ?? Similarity.question(about: entry.key, among: known) ?? "the keys are: \(known.joined(separator: ", "))"
      mistakes.add("unknown key '\(entry.key)'", advice: advice, at: entry.location)
    }
  }

  // MARK: Kinds of values

  mutating func text(_ key: String) -> Located<String>? { node(key).flatMap { text(key, $0) } }

  private func text(_ key: String, _ node: PlanNode) -> Located<String>? {
    if let text = node.text { return Located(text, at: node.location) }
    mistakes.add("'\(key)' must be text, not \(node.kindName)", at: node.location)
    return nil
  }

  /// The name of a class or a property: a text that is not empty.
  mutating func name(_ key: String) -> Located<RealmString>? { node(key).flatMap { name(key, $0) } }

  mutating func requiredName(_ key: String) -> Located<RealmString>? { required(key).flatMap { name(key, $0) } }

  func name(_ key: String, _ node: PlanNode) -> Located<RealmString>? {
    // Names of digits look like numbers.
    let name: String
    switch node.content {
    case .string(let text), .number(let text): name = text
    case .bool(let flag): name = "\(flag)"
    default:
      mistakes.add("'\(key)' must be a name, not \(node.kindName)", at: node.location)
      return nil
    }
    guard !name.isEmpty else {
      mistakes.add("'\(key)' must not be empty", at: node.location)
      return nil
    }
    return Located(RealmString(name), at: node.location)
  }

  mutating func flag(_ key: String) -> Bool? {
    guard let node = node(key) else { return nil }
    if case .bool(let flag) = node.content { return flag }
    mistakes.add("'\(key)' must be true or false, not \(Self.shown(node))", at: node.location)
    return nil
  }

  mutating func version(_ key: String) -> Located<UInt64>? {
    guard let node = required(key) else { return nil }
    return Self.version(node).map { Located($0, at: node.location) } ?? reportVersion(key, node)
  }

  private func reportVersion(_ key: String, _ node: PlanNode) -> Located<UInt64>? {
    mistakes.add(
      "'\(key)' must be a schema version, a whole number of 0 or greater, not \(Self.shown(node))",
      advice: Self.adviceOnQuotes(node), at: node.location)
    return nil
  }

  /// What to do about a number in quotes; nil for anything else.
  static func adviceOnQuotes(_ node: PlanNode) -> String? {
    node.text.flatMap { UInt64($0) }.map { _ in "omit the quotes" }
  }

  static func version(_ node: PlanNode) -> UInt64? {
    guard case .number(let digits) = node.content, let version = UInt64(digits),
      version != RealmConfiguration.notVersioned
    else { return nil }
    return version
  }

  mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, _ type: Choice.Type, of allowed: [Choice]? = nil
  ) -> Choice? where Choice.RawValue == String, Choice: Equatable {
    guard let node = node(key) else { return nil }
    let allowed = allowed ?? Array(type.allCases)
    // `on_error: null` without quotes.
    if let text = node.text ?? (node.isNull ? "null" : nil), let choice = Choice(rawValue: text),
      allowed.contains(choice)
    {
      return choice
    }
    let words = allowed.map(\.rawValue)
    mistakes.add(
      "'\(key)' must be \(Self.list(words)), not \(Self.shown(node))",
      advice: node.text.flatMap { Similarity.question(about: $0, among: words) }, at: node.location)
    return nil
  }

  /// `a, b or c`
  static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// The value as written; lists and mappings as JSON.
  static func shown(_ node: PlanNode) -> String {
    switch node.content {
    case .string(let text): "'\(text)'"
    case .number(let digits): digits
    case .bool(let flag): "\(flag)"
    case .list, .map: ShownText.beginning(of: node.json.text)
    default: node.kindName
    }
  }

  mutating func query(_ key: String) -> QueryText? { node(key).flatMap { query(key, $0) } }

  mutating func requiredQuery(_ key: String) -> QueryText? { required(key).flatMap { query(key, $0) } }

  private func query(_ key: String, _ node: PlanNode) -> QueryText? {
    guard let text = text(key, node) else { return nil }
    guard text.value.contains(where: { !$0.isWhitespace }) else {
      mistakes.add("'\(key)' is empty", advice: "TRUEPREDICATE matches all objects", at: text.location)
      return nil
    }
    let query = QueryText(text: text.value, location: text.location)
    ObjectQuery(query).report(to: mistakes)
    return query
  }

  /// A number, or `{ min: 1, max: 9 }`.
  mutating func count(_ key: String) -> CountRange? { node(key).flatMap { count(key, $0) } }

  func count(_ key: String, _ node: PlanNode) -> CountRange? {
    func number(_ node: PlanNode) -> Int? {
      guard case .number(let digits) = node.content, let count = Int(digits), count >= 0 else {
        mistakes.add(
          "'\(key)' must be a number of objects, not \(Self.shown(node))", advice: Self.adviceOnQuotes(node),
          at: node.location)
        return nil
      }
      return count
    }
    guard node.entries != nil else { return number(node).map { CountRange(least: $0, most: $0) } }
    guard var fields = PlanFields(node, key, mistakes) else { return nil }
    let (least, most) = (fields.node("min"), fields.node("max"))
    fields.finish()
    if least == nil, most == nil { mistakes.add("'\(key)' needs 'min' or 'max'", at: node.location) }
    let range = CountRange(least: least.map(number) ?? 0, most: most.map(number) ?? .max)
    guard let range else { return nil }
    if range.least > range.most { mistakes.add("'min' must not be greater than 'max'", at: node.location) }
    return range
  }

  /// `general` or `full-text`.
  mutating func index(_ key: String) -> Located<IndexKind>? {
    guard let node = node(key) else { return nil }
    return index(key, node)
  }

  func index(_ key: String, _ node: PlanNode) -> Located<IndexKind>? {
    switch node.content {
    case .bool(true), .string("general"): return Located(.general, at: node.location)
    case .bool(false), .string("none"): return Located(.none, at: node.location)
    case .string("full-text"): return Located(.fullText, at: node.location)
    default:
      mistakes.add("'\(key)' must be general or full-text, not \(Self.shown(node))", at: node.location)
      return nil
    }
  }
}

extension CountRange {
  fileprivate init?(least: Int?, most: Int?) {
    guard let least, let most else { return nil }
    self.init(least: least, most: most)
  }
}
