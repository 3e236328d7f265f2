/// What to do about a name that does not exist: the nearest name, else those that exist.
package enum NameAdvice: String, Sendable {
  case classes
  case properties
  /// To a class, with the class that they are in.
  case links
  /// Of SQLite.
  case tables

  private var singular: String {
    switch self {
    case .classes: "class"
    case .properties: "property"
    case .links: "link to it"
    case .tables: "table"
    }
  }

  /// Names that are listed; of more, their number is told.
  private static let mostListed = 10

  /// `did you mean 'Dog'?`, `the classes are: Dog, Person`; nil if there is nothing to choose from.
  ///
  /// - Parameter names: what exists; a name that is repeated counts once. Properties are listed in this order, all else by
  ///   name.
  package func text(for name: String, among names: [String]) -> String? {
    if let question = question(for: name, among: names) { return question }
    let known = distinct(names)
    guard let first = known.first else { return nil }
    let shown = known.prefix(Self.mostListed).joined(separator: ", ")
    if known.count == 1 { return "the only \(singular) is '\(first)'" }
    let plural = self == .links ? "links to it" : rawValue
    return known.count > Self.mostListed
      ? "there are \(known.count) \(plural): \(shown), ..." : "the \(plural) are: \(shown)"
  }

  /// `did you mean 'Dog'?`; nil if no name is near.
  package func question(for name: String, among names: [String]) -> String? {
    let known = distinct(names)
    // With its class in front.
    if self == .properties, let dot = name.lastIndex(of: "."), known.contains(String(name[dot...].dropFirst())) {
      return "did you mean '\(name[dot...].dropFirst())'?"
    }
    return Similarity.question(about: name, among: known)
  }

  private func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return (self == .properties ? names : names.sorted()).filter { seen.insert($0).inserted }
  }

  /// `text(for:among:)` and what else helps.
  package func text(for name: String, among names: [String], or other: String?) -> String? {
    guard let other else { return text(for: name, among: names) }
    if let question = question(for: name, among: names) { return Self.sentences(question, other) }
    return (text(for: name, among: names).map { $0 + "; " } ?? "") + other
  }

  /// A question, and what else helps as a sentence after it.
  package static func sentences(_ question: String, _ other: String) -> String {
    question + " " + other.prefix(1).uppercased() + other.dropFirst()
  }
}
