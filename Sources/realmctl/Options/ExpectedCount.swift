import ArgumentParser
import RealmExchange
import RealmStorage
import RealmText

/// How many objects a class of a seed is to have: `City = 100`, `City >= 1`.
struct ExpectedCount: Equatable, Sendable, ExpressibleByArgument {
  enum Comparison: String, CaseIterable, Sendable {
    // The longer of two that begin alike first.
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
  let comparison: Comparison
  let count: Int

  init?(argument: String) {
    let end = argument.firstIndex { "=!<>".contains($0) } ?? argument.endIndex
    let rest = argument[end...]
    guard let comparison = Comparison.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else { return nil }
    let number = rest.dropFirst(comparison.rawValue.count).drop { $0 == " " }
    var name = argument[..<end]
    while name.hasSuffix(" ") { name.removeLast() }
    guard !name.isEmpty, !name.contains(":"), number.allSatisfy({ ("0"..."9").contains($0) }), let count = Int(number)
    else { return nil }
    (className, self.comparison, self.count) = (String(name), comparison, count)
  }

  var text: String { "\(className) \(comparison.rawValue) \(count)" }

  /// Finds the first that is not met.
  ///
  /// - Throws: `Diagnostic` of status 1; 3 for a class that is not there.
  static func require(_ expected: [ExpectedCount], of classes: [ClassCount], in path: String) throws {
    for one in expected {
      guard let found = classes.first(where: { $0.name == RealmString(one.className) }) else {
        let near = Similarity.nearest(to: one.className, among: classes.map(\.name.description))
        throw Diagnostic(
          .notFound, .noSuchTable, path: path, "no class '\(one.className)'",
          advice: near.map { "did you mean '\($0)'?" })
      }
      guard one.comparison.holds(found.objectCount, one.count) else {
        throw Diagnostic(
          .findings, .invalidInput, path: path, "the seed is not as expected, so it was not written",
          detail: "expected \(one.text), found \(found.objectCount)")
      }
    }
  }
}
