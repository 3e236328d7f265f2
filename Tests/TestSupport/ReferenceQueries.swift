import Foundation

/// Queries on a small data set, and the answers of the reference engine (`Fixtures/queries`).
package struct ReferenceQuery: Sendable, CustomStringConvertible {
  package enum Answer: Hashable, Sendable {
    /// Primary keys in order, `#n` for an object key.
    case objects([String])
    /// `Code: text`.
    case error(String)
  }

  package var className: String
  package var text: String
  /// A JSON array in typed form; nil without arguments.
  package var arguments: String?
  /// What the standard dialect answers.
  package var answer: Answer
  /// What the dialect `reference` answers.
  package var referenceAnswer: Answer

  package var description: String { "\(className): \(text)" + (arguments.map { " args \($0)" } ?? "") }

  /// All rows of `reference.txt`.
  package static func all() throws -> [ReferenceQuery] {
    var rows: [ReferenceQuery] = []
    let file = String(decoding: try Fixture.bytes("queries/reference.txt"), as: UTF8.self)
    for line in file.split(separator: "\n") where !line.hasPrefix("#") {
      let content = line.drop { $0 == " " }
      if content.startIndex == line.startIndex {
        rows.append(row(line))
      } else if content.hasPrefix("compat ") {
        rows[rows.count - 1].referenceAnswer = answer(content.dropFirst(7))
      } else {
        rows[rows.count - 1].answer = answer(content)
        rows[rows.count - 1].referenceAnswer = answer(content)
      }
    }
    return rows
  }

  private static func row(_ line: Substring) -> ReferenceQuery {
    var text = line
    var answer = Answer.objects([])
    if let arrow = line.range(of: " -> ", options: .backwards) {
      answer = self.answer(line[line.index(after: arrow.lowerBound)...])
      text = line[..<arrow.lowerBound]
    }
    while text.last == " " { text.removeLast() }
    var arguments: String?
    if let range = text.range(of: "   args ") {
      arguments = String(text[range.upperBound...])
      text = text[..<range.lowerBound]
    }
    var className: Substring = "Person"
    for name in ["Dog", "Address"] where text.hasPrefix(name + ": ") {
      className = text.prefix(name.count)
      text = text.dropFirst(name.count + 2)
    }
    if text == "\"\"" { text = "" }
    return ReferenceQuery(
      className: String(className), text: String(text), arguments: arguments, answer: answer, referenceAnswer: answer)
  }

  /// `-> 1 2`, `-> (none)`, `! Code: text`.
  private static func answer(_ text: Substring) -> Answer {
    if text.hasPrefix("! ") { return .error(String(text.dropFirst(2))) }
    let objects = text.dropFirst(3).split(separator: " ").map(String.init)
    return .objects(objects == ["(none)"] ? [] : objects)
  }
}
