import RealmMigration
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

  /// A class that neither of two realms has.
  ///
  /// - Parameters:
  ///   - name: as typed.
  ///   - known: the classes of both.
  init(inNeitherRealm name: String, among known: [String]) {
    self.init(
      .notFound, .noSuchTable, name.isEmpty ? "the name of the class is empty" : "neither realm has a class '\(name)'",
      advice: Self.advice(on: name, among: known, path: nil))
  }

  /// The results for all elements.
  ///
  /// - Throws: the only mistake; if there are more, one `Diagnostic` that counts and names them.
  static func collectingMistakes<Element, Result>(
    _ elements: [Element], _ body: (Element) throws -> Result
  ) throws -> [Result] {
    var results: [Result] = []
    var mistakes: [Diagnostic] = []
    for element in elements {
      do { results.append(try body(element)) } catch let mistake as Diagnostic { mistakes.append(mistake) }
    }
    guard let first = mistakes.first else { return results }
    guard mistakes.count > 1 else { throw first }
    var diagnostic = Diagnostic(first.status, first.code, path: first.path, mistakes.count.counted("mistake"))
    diagnostic.list(mistakes)
    throw diagnostic
  }

  private static func advice(on name: String, among known: [String], path: String?) -> String {
    if let path, let advice = OperandAdvice.forStatement(name, in: path) { return advice }
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
