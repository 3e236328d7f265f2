import RealmText

/// The names of types in schemas, and what else they are called.
package enum TypeVocabulary {
  /// The type that is meant by a name that is not one, such as `text`; nil if it is likely to be the name of a class.
  package static func type(meantBy name: String, classes: [String] = []) -> String? {
    if let element = element(of: name, between: "[", "]") ?? element(of: name, between: "list<", ">")
      ?? element(of: name, between: "array<", ">")
    {
      return element + "[]"
    }
    if let element = element(of: name, between: "set<", ">") { return element + "<>" }
    if let element = element(of: name, between: "map<string, ", ">") ?? element(of: name, between: "map<string,", ">")
      ?? element(of: name, between: "dictionary<string, ", ">")
    {
      return element + "{}"
    }
    // VARCHAR(20)
    let word = String(name.lowercased().prefix { $0 != "(" })
    return typesByOtherNames[word] ?? Similarity.nearest(to: name, among: all + classes)
  }

  /// `string` of `[string]` or `List<String>`, as languages write lists.
  private static func element(of name: String, between prefix: String, _ suffix: String) -> String? {
    guard name.lowercased().hasPrefix(prefix), name.hasSuffix(suffix), name.count > prefix.count + suffix.count else {
      return nil
    }
    let element = String(name.dropFirst(prefix.count).dropLast(suffix.count))
    let type = element.hasSuffix("?") ? String(element.dropLast()) : element
    return all.first { $0.lowercased() == type.lowercased() }.map { $0 + element.dropFirst(type.count) } ?? element
  }

  package static let all = [
    "bool", "int", "float", "double", "string", "decimal128", "objectId", "data", "date", "uuid", "mixed",
  ]

  /// What other languages and databases call the types.
  private static let typesByOtherNames = [
    "text": "string", "str": "string", "varchar": "string", "char": "string",
    "integer": "int", "long": "int", "short": "int", "byte": "int", "int32": "int", "int64": "int", "bigint": "int",
    "number": "double", "real": "double", "numeric": "decimal128", "decimal": "decimal128",
    "boolean": "bool", "bit": "bool", "datetime": "date", "timestamp": "date", "time": "date", "instant": "date",
    "blob": "data", "binary": "data", "bytes": "data", "guid": "uuid", "any": "mixed", "variant": "mixed",
    "object_id": "objectId", "object-id": "objectId", "enum": "string", "array": "string[]", "list": "string[]",
    "set": "string<>", "map": "string{}", "dictionary": "string{}",
  ]
}
