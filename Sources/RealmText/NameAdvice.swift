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
    var seen: Set<String> = []
    let names = self == .properties ? names : names.sorted()
    let known = names.filter { seen.insert($0).inserted }
    // With its class in front.
    if self == .properties, let dot = name.lastIndex(of: "."), known.contains(String(name[dot...].dropFirst())) {
      return "did you mean '\(name[dot...].dropFirst())'?"
    }
    if let question = Similarity.question(about: name, among: known) { return question }
    guard let first = known.first else { return nil }
    let shown = known.prefix(Self.mostListed).joined(separator: ", ")
    if known.count == 1 { return "the only \(singular) is '\(first)'" }
    let plural = self == .links ? "links to it" : rawValue
    return known.count > Self.mostListed
      ? "there are \(known.count) \(plural): \(shown), ..." : "the \(plural) are: \(shown)"
  }

  /// Two suggestions as one: what follows a question begins a sentence.
  package static func joined(_ first: String?, _ second: String?) -> String? {
    guard let first, let second else { return first ?? second }
    guard first.hasSuffix("?") else { return first + "; " + second }
    return first + " " + second.prefix(1).uppercased() + second.dropFirst()
  }
}
