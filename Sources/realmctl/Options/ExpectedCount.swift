import ArgumentParser
import RealmExchange
import RealmQuery
import RealmStorage
import RealmText

/// How many objects a class of a seed must have: `City = 100`, `City >= 1`, `City:size > 9000 = 12`.
struct ExpectedCount: Equatable, Sendable, ExpressibleByArgument {
  enum Comparison: String, CaseIterable, Sendable {
    // The longer of two with the same beginning comes first.
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
    case equals = "="

    func holds(_ left: Int, _ right: Int) -> Bool {
      switch self {
      case .equal, .equals: left == right
      case .notEqual: left != right
      case .lessOrEqual: left <= right
      case .greaterOrEqual: left >= right
      case .less: left < right
      case .greater: left > right
      }
    }
  }

  let className: String
  /// Which of its objects count; nil for all.
  let query: String?
  let comparison: Comparison
  let count: Int

  init?(argument: String) {
    let digits = argument.reversed().prefix { ("0"..."9").contains($0) }.count
    guard digits > 0, let count = Int(argument.suffix(digits)) else { return nil }
    let rest = argument.dropLast(digits).trimmed
    guard let comparison = Comparison.allCases.first(where: { rest.hasSuffix($0.rawValue) }) else { return nil }
    let what = rest.dropLast(comparison.rawValue.count).trimmed
    let name = what.prefix { $0 != ":" }.trimmed
    guard !name.isEmpty, !name.contains(where: { "=!<>".contains($0) }) else { return nil }
    query = what.contains(":") ? String(what.drop { $0 != ":" }.dropFirst()) : nil
    (className, self.comparison, self.count) = (String(name), comparison, count)
  }

  var text: String { "\(className)\(query.map { ":" + $0 } ?? "") \(comparison.rawValue) \(count)" }

  private static let option = "--expect"

  /// Finds mistakes in queries before long work begins.
  ///
  /// - Throws: `Diagnostic` of status 8.
  static func requireQueries(_ expected: [ExpectedCount]) throws {
    for query in expected.compactMap(\.query) {
      try Diagnostic.ofQuery(query, path: option) { _ = try RQL.parse(query) }
    }
  }

  /// Finds the conditions that are not met.
  ///
  /// - Parameters:
  ///   - classes: of the seed.
  ///   - seed: searched if there is a query.
  /// - Throws: `Diagnostic` of status 1; 3 for a missing class; 8 for a query that does not fit its class.
  static func require(
    _ expected: [ExpectedCount], of classes: [ClassCount], in path: String, _ seed: () throws -> OpenedRealm?
  ) throws {
    let counts = try Diagnostic.collectingMistakes(expected) { one in
      guard let found = classes.first(where: { $0.name == RealmString(one.className) }) else {
        throw Diagnostic(noClass: one.className, among: classes.map(\.name.description), path: option)
      }
      return try one.query.flatMap { try one.count(of: $0, in: seed(), path) } ?? found.objectCount
    }
    let unmet = zip(expected, counts).filter { !$0.comparison.holds($1, $0.count) }
    guard !unmet.isEmpty else { return }
    throw Diagnostic(
      .findings, .invalidInput, path: path,
      unmet.map { "expected \($0.text), found \($1)" }.joined(separator: "; ") + ", so the seed was not written",
      advice: "fix the data, or change --expect")
  }

  private func count(of query: String, in seed: OpenedRealm?, _ path: String) throws -> Int? {
    guard let seed else { return nil }
    let table = try seed.table(ofClass: RealmString(className))
    let (count, damage) = try Diagnostic.ofQuery(query, path: Self.option) {
      try Query(query, of: table, in: seed.snapshot).count()
    }
    // A count without damaged objects would be wrong.
    if let damage = damage.described.first { throw Diagnostic(damage.error, path: path) }
    return count
  }
}

extension Substring {
  /// Without spaces at its ends.
  var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}
