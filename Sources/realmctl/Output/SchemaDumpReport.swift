import RealmExchange
import RealmModels

/// What `schema dump` prints of one realm.
struct SchemaDumpReport {
  let input: RealmInput
  /// In the requested format; for `json()` a schema file.
  let text: SchemaText
  /// Tables that cannot be read.
  let damaged: [Diagnostic]

  /// The schema, byte for byte: not every form is valid UTF-8 if names are not. With several files, each has a heading.
  func bytes(isOnlyOne: Bool) -> [UInt8] {
    let heading = isOnlyOne ? "" : PrintableText.escaping("==> \(input.name) <==") + "\n"
    return heading.utf8 + text.utf8
  }

  /// The schema file with the members that every answer begins with. `Docs/JSONOutput.md` describes the keys.
  ///
  /// - Parameter isIndented: over several lines, as in a schema file; otherwise on one.
  func json(isIndented: Bool) -> [UInt8] {
    let answer = JSONText()
    answer.object {
      answer.member("version", JSONText.version)
      answer.path("input", input.path)
    }
    let begin = Array(answer.text.utf8.dropLast()) + [UInt8(ascii: ",")]
    let members = text.utf8.dropFirst()
    guard !isIndented else { return begin + members }
    // Line ends and the spaces after them occur only between the parts of the JSON: in strings they are escaped.
    let lines = members.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }
    return begin + lines.joined() + [UInt8(ascii: "\n")]
  }
}
