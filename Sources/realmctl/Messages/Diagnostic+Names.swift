import RealmText

extension Diagnostic {
  /// A class that was named and does not exist.
  ///
  /// - Parameters:
  ///   - name: as typed.
  ///   - known: the classes there are.
  init(noClass name: String, among known: [String], path: String?) {
    self.init(
      .notFound, .noSuchTable, path: path, name.isEmpty ? "the name of the class is empty" : "no class '\(name)'",
      advice: Self.advice(on: name, among: known, path: path))
  }

  private static func advice(on name: String, among known: [String], path: String?) -> String {
    if let path, let advice = QueryAdvice.forStatement(name, in: path) { return advice }
    let parts = name.split { $0 == " " || $0 == "," }.map(String.init)
    if parts.count > 1, parts.allSatisfy(known.contains) {
      return name.contains(",") ? "name one class" : "separate names with commas: \(parts.joined(separator: ","))"
    }
    // No class is named so, but queries look so.
    if name.contains(where: { "=<>(".contains($0) }) || name.split(separator: " ").count > 1 {
      return "the class comes before the query"
    }
    if let dot = name.firstIndex(of: "."), known.contains(String(name[..<dot])) {
      return "name the class alone: \(name[..<dot])"
    }
    return NameAdvice.classes.text(for: name, among: known) ?? "the realm has no classes"
  }
}
