import RealmStorage
import RealmText

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The members of a JSON document that a command prints, from its schema in `Docs/JSONSchema`.
struct JSONMembers {
  struct Member {
    /// `findings[].severity`
    var name: String
    /// One sentence or more.
    var meaning: String
    /// Whether several documents have it.
    var isShared: Bool
    /// What it takes, where these are few words.
    var values: [String]
    /// Whether a member before it, of another part, has the same key and meaning.
    var isRepeated = false

    /// Whether it is described elsewhere: in another page, or above.
    var isKnown: Bool { isShared || isRepeated }

    /// Its last part: `severity`.
    var key: String { String(name.split(separator: ".").last ?? "") }
    /// What it is a part of, `findings`; empty for a member of the document itself.
    var parent: String {
      let parent = name.split(separator: ".").dropLast().joined(separator: ".")
      return parent.hasSuffix("[]") ? String(parent.dropLast(2)) : parent
    }
    var isNested: Bool { !parent.isEmpty }
    /// 1 for a member of the document itself.
    var level: Int { name.split(separator: ".").count }

    /// The first sentence and a few values; a long list belongs in a reference.
    var shortMeaning: String {
      let end = meaning.firstRange(of: ". ")?.lowerBound ?? meaning.endIndex
      let sentence = meaning[..<end].trimming { $0 == "." }
      guard (1...Self.mostValues).contains(values.count) else { return sentence }
      // Before what is said about other cases, such as "; absent without --plan".
      let (head, rest) = (sentence.prefix { $0 != ";" }, sentence.drop { $0 != ";" })
      let list = values.joined(separator: ", ")
      return head + (head.contains(":") ? " (\(list))" : ": " + list) + rest
    }

    private static let mostValues = 8
  }

  /// In the order of the document.
  let members: [Member]
  /// Whether they are those of an answer that names the files of `-o`.
  let isAboutFiles: Bool

  /// - Parameters:
  ///   - name: of the schema, `schema-dump`.
  ///   - folder: with the schemas.
  /// - Returns: nil if no such schema exists.
  init?(_ name: String, in folder: URL) throws {
    let file = folder.appending(path: name + ".schema.json")
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    func read(_ file: URL) throws -> JSONValue { try JSONValue.parse([UInt8](Data(contentsOf: file))) }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
    let schemas = try files.map { ($0, try read(folder.appending(path: $0))) }
    var reader = Reader(root: try read(file), schemas: Dictionary(uniqueKeysWithValues: schemas))
    reader.read(reader.root, at: "")
    members = reader.members
    isAboutFiles = name == "output"
  }

  private struct Reader {
    let root: JSONValue
    /// All schemas, by the names of their files.
    let schemas: [String: JSONValue]
    var members: [Member] = []

    mutating func read(_ schema: JSONValue, at path: String) {
      let schema = resolved(schema)
      for form in schema["oneOf"]?.array ?? [] { read(form, at: path) }
      if let items = schema["items"] { read(items, at: path + "[]") }
      if let values = schema["additionalProperties"], values.object != nil { read(values, at: path + ".NAME") }
      for entry in schema["properties"]?.object?.entries ?? [] {
        let name = (path.isEmpty ? "" : path + ".") + entry.key.description
        let value = resolved(entry.value)
        // Several forms of a document have the same members.
        guard !members.contains(where: { $0.name == name }) else {
          read(entry.value, at: name)
          continue
        }
        var member = Member(
          name: name, meaning: value["description"]?.string ?? "",
          isShared: entry.value["$ref"]?.string?.hasPrefix("common.") ?? false,
          values: value["enum"]?.array?.compactMap(\.string) ?? [])
        member.isRepeated =
          member.isNested && members.contains { $0.key == member.key && $0.meaning == member.meaning }
        members.append(member)
        read(entry.value, at: name)
      }
    }

    private func resolved(_ schema: JSONValue) -> JSONValue {
      guard let parts = schema["$ref"]?.string?.split(separator: "#", omittingEmptySubsequences: false),
        parts.count == 2
      else { return schema }
      let file = parts[0].isEmpty ? root : schemas[String(parts[0])] ?? .null
      return parts[1].split(separator: "/").reduce(file) { $0[String($1)] ?? .null }
    }
  }
}
