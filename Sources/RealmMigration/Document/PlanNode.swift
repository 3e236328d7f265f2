import RealmExchange
import RealmOpening
import RealmQuery
import RealmStorage
import RealmText
import RealmTools

/// A place in a plan.
package struct PlanLocation: Hashable, Sendable, Comparable {
  /// From 1.
  package var line: Int
  /// From 1, in characters (Unicode scalars).
  package var column: Int

  package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

  package static func < (left: PlanLocation, right: PlanLocation) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// A value of a plan and its place: what JSON and YAML have in common.
package struct PlanNode: Hashable, Sendable {
  package indirect enum Content: Hashable, Sendable {
    case null
    case bool(Bool)
    /// As it was written: `007` and `1.50` keep their digits.
    case number(String)
    case string(String)
    /// A text that is not UTF-8: what programs get and give back as JSON's lone surrogates.
    case bytes(RealmString)
    case list([PlanNode])
    /// In the order written; no key twice.
    case map([Entry])
  }

  /// A key and its value.
  package struct Entry: Hashable, Sendable {
    package var key: String
    package var location: PlanLocation
    package var value: PlanNode
    /// The key if it is not UTF-8.
    private var bytes: RealmString?

    package init(key: String, location: PlanLocation, value: PlanNode) {
      (self.key, self.location, self.value) = (key, location, value)
    }

    init(key: RealmString, location: PlanLocation, value: PlanNode) {
      self.init(key: key.description, location: location, value: value)
      if !key.isValidText { bytes = key }
    }

    /// The key in the form in which realms store names and keys.
    package var name: RealmString { bytes ?? RealmString(key) }
  }

  package var content: Content
  package var location: PlanLocation

  /// How deep lists and maps may lie inside each other: plans are read by recursion.
  package static let depthLimit = 100

  package init(_ content: Content, at location: PlanLocation) { (self.content, self.location) = (content, location) }

  /// The kind of value, in words for messages.
  package var kindName: String {
    switch content {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "text"
    case .bytes: "text that is not UTF-8"
    case .list: "a list"
    case .map: "a mapping"
    }
  }

  /// The entries of a map; nil for anything else.
  package var entries: [Entry]? { if case .map(let entries) = content { entries } else { nil } }
  /// The elements of a list; nil for anything else.
  package var elements: [PlanNode]? { if case .list(let elements) = content { elements } else { nil } }
  /// The text, if it is one.
  package var text: String? { if case .string(let text) = content { text } else { nil } }
  package var isNull: Bool { content == .null }

  /// The value of a key; nil if there is none.
  package subscript(_ key: String) -> PlanNode? {
    entries?.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }
}

/// Mistakes in a plan or an edit, or what stopped it, all that were found, in its order. Nothing is changed then.
package struct PlanError: Error, Hashable, Sendable {
  /// Why a plan does not begin.
  package enum Refusal: Hashable, Sendable {
    /// The file has no schema version.
    case noVersion
    /// The realm already is at the version that the changes end at.
    case notRun(UInt64)
    /// The realm is at a version beyond the last of the plan.
    case endsBelow(UInt64, last: UInt64)
    /// The class of an edit is not there.
    case noClass(String, known: [String])
    /// No step ends at the version.
    case noStep(UInt64, known: [UInt64])
  }

  /// What a mistake is, where that matters.
  package enum Cause: Hashable, Sendable {
    /// Nothing has the name.
    case unknownName(NameAdvice, String)
    /// It is in a query, whose text is given.
    case query(QueryError, in: String)
    /// The text of an option cannot be read.
    case option
    case refusal(Refusal)
  }

  /// One of them.
  package struct Mistake: Hashable, Sendable {
    package var location: PlanLocation
    /// What is wrong, in lower case or in the SDKs' words.
    package var problem: String
    /// What to do.
    package var advice: String?
    package var cause: Cause?
    /// The operation that was stopped, as plans write it; nil for the text of a plan, its end and that of a step.
    package var operation: String?
    /// What comes before a problem that only counts objects: `failed for `, or what failed for them.
    package var subject = ""
    /// What is wrong with each of several objects, if the problem only counts them.
    package var objects: [String] = []
    /// Each of several mistakes, if the problem only counts them.
    package var several: [Mistake] = []

    /// A sentence for each of several objects or mistakes.
    package var parts: [String] {
      objects.isEmpty ? PlanError.parts(several.map { ($0.problem, $0.advice) }) : objects
    }

    /// What names a name that nothing has are names of.
    package var unknownName: NameAdvice? { if case .unknownName(let kind, _)? = cause { kind } else { nil } }

    /// Whether it is about the text of an option, and no realm.
    package var isInOption: Bool { if case .option? = cause { true } else { false } }

    package var refusal: Refusal? { if case .refusal(let refusal)? = cause { refusal } else { nil } }

    package init(_ problem: String, advice: String? = nil, at location: PlanLocation, _ cause: Cause? = nil) {
      (self.problem, self.advice, self.location, self.cause) = (problem, advice, location, cause)
    }

    /// An index that the property's type cannot have.
    init(cannotIndex property: Property, at location: PlanLocation) {
      self.init(
        "Index not supported for this property: \(property.name)",
        advice: property.index == .fullText
          ? "only a single string can have a full-text index"
          : "single values of int, bool, string, date, objectId, uuid and mixed, and lists of strings can have one",
        at: location)
    }

    /// What is wrong, and what to do.
    package var message: String {
      PlanError.sentence(problem + (parts.isEmpty ? "" : ": " + parts.joined(separator: "; ")), advice)
    }
  }

  /// At least one.
  package var mistakes: [Mistake]

  /// What is wrong first.
  package var message: String { mistakes.first?.message ?? "" }

  /// The mistakes of an edit as one, which counts and names them.
  package var summary: Mistake {
    guard mistakes.count > 1 else { return mistakes[0] }
    var all = Mistake(mistakes.count.counted("mistake"), at: mistakes[0].location)
    all.several = mistakes
    if mistakes.allSatisfy({ $0.unknownName != nil }) { all.cause = mistakes[0].cause }
    return all
  }

  /// A sentence for each of several mistakes. The same advice, such as a list of names, comes once.
  package static func parts(_ mistakes: [(problem: String, advice: String?)]) -> [String] {
    let last = Dictionary(mistakes.enumerated().map { ($1.advice, $0) }) { $1 }
    return mistakes.enumerated().map { sentence($1.problem, last[$1.advice] == $0 ? $1.advice : nil) }
  }

  package init(_ mistakes: [Mistake]) { self.mistakes = mistakes }
  package init(_ problem: String, advice: String? = nil, at location: PlanLocation, _ cause: Cause? = nil) {
    mistakes = [Mistake(problem, advice: advice, at: location, cause)]
  }
  package init(_ refusal: Refusal) { self.init(refusal.problem, at: .option, .refusal(refusal)) }

  /// Its mistakes with what they are in, such as one of several objects.
  func mistakes(in name: String) -> [Mistake] {
    mistakes.map { mistake in
      var mistake = mistake
      mistake.problem = "\(name): \(mistake.problem)"
      return mistake
    }
  }

  /// A problem and advice. A sentence of the SDKs loses its full stop.
  static func sentence(_ problem: String, _ advice: String?) -> String {
    guard let advice else { return problem }
    return problem.withoutStop + "; " + advice
  }

  /// A name that nothing has.
  ///
  /// - Parameters:
  ///   - kind: of names.
  ///   - known: the names that could be meant.
  init(_ problem: String, unknown name: String, _ kind: NameAdvice, among known: [RealmString], at place: PlanLocation)
  {
    self.init(
      problem, advice: kind.text(for: name, among: known.map(\.description)), at: place, .unknownName(kind, name))
  }

  /// The property that a class does not have.
  static func noProperty(_ name: RealmString, of table: TableSchema, at place: PlanLocation) -> PlanError {
    if name.description.contains("(") {
      return PlanError(
        "'\(table.displayName)' has no property '\(name)'", advice: "for a formula, write { expr: … }", at: place)
    }
    return PlanError(
      "'\(table.displayName)' has no property '\(name)'", unknown: name.description, .properties,
      among: table.properties.map(\.name), at: place)
  }
}

extension PlanError: CustomStringConvertible {
  /// One line for each: `3:14: unknown key 'nmae'; did you mean 'name'?`
  package var description: String { mistakes.map(\.description).joined(separator: "\n") }
}

extension PlanError.Mistake: CustomStringConvertible {
  /// `3:14: unknown key 'nmae'; did you mean 'name'?`, `12:9: convert: 2 of 120 objects …`
  package var description: String {
    "\(location.line):\(location.column): \(operation.map { $0 + ": " } ?? "")\(message)"
  }
}

extension PlanError.Refusal {
  /// In lower case or in the SDKs' words.
  package var problem: String {
    switch self {
    case .noVersion: "the realm has no schema version, so no step starts from it"
    case .notRun(let version): "already at schema version \(version), so nothing was changed"
    case .endsBelow(let stored, let last): OpeningError.versionDecreased(to: last, from: stored).description
    case .noClass(let name, _): "no class '\(name)'"
    case .noStep(let version, let known) where version > known.max() ?? 0:
      "the plan ends at version \(known.max() ?? 0), not \(version)"
    case .noStep(let version, _): "no step of the plan ends at version \(version)"
    }
  }
}
