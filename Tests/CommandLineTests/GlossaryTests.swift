import Foundation
import TestSupport
import Testing

/// Names in the code mean one thing, and are where they are looked for.
@Suite struct GlossaryTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Tool.projectFolder.appendingPathComponent(path), encoding: .utf8)
  }

  private static func sources(_ folders: [String]) throws -> [String] {
    try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: Tool.projectFolder.appendingPathComponent(folder).path)
        .filter { $0.hasSuffix(".swift") }.map { folder + "/" + $0 }
    }.sorted()
  }

  /// A name means one type, in whatever module it is used.
  @Test func oneNameIsOfOneType() throws {
    let expression = try NSRegularExpression(
      pattern: #"^(?:public |package |final |indirect )*(?:struct|class|enum|protocol|actor) (\w+)"#,
      options: .anchorsMatchLines)
    var modules: [String: Set<String>] = [:]
    var files: [String: [String]] = [:]
    for path in try Self.sources(["Sources"]) {
      let (text, parts) = (try Self.text(path), path.split(separator: "/").map(String.init))
      files[parts.last ?? "", default: []].append(path)
      for match in expression.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
        guard let range = Range(match.range(at: 1), in: text) else { continue }
        modules[String(text[range]), default: []].insert(parts[1])
      }
    }
    // Each executable has its `Main`. `Ref` is a link for apps, which do not see the engine's own, a place in the file.
    #expect(modules.filter { $0.value.count > 1 }.keys.sorted() == ["Main", "Ref"])
    #expect(files.filter { $0.value.count > 1 }.keys.sorted() == ["Main.swift", "Ref.swift"])
    #expect(modules.count > 500)
  }

  /// A file that only extends one type has that type's name.
  @Test func extensionsAreFoundByTheirType() throws {
    let expression = try NSRegularExpression(
      pattern: #"^(?:public |package |private |fileprivate |final |indirect )*"#
        + #"(extension|struct|class|enum|protocol|actor|func|let|var|typealias) (\w+)"#, options: .anchorsMatchLines)
    var extensions = 0
    for path in try Self.sources(["Sources"]) {
      let text = try Self.text(path)
      let declarations = expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap {
        match in
        guard let kind = Range(match.range(at: 1), in: text), let name = Range(match.range(at: 2), in: text) else {
          return nil as (kind: Substring, name: Substring)?
        }
        return (text[kind], text[name])
      }
      guard let first = declarations.first, declarations.allSatisfy({ $0.kind == "extension" && $0.name == first.name })
      else { continue }
      extensions += 1
      let file = path.split(separator: "/").last ?? ""
      #expect(file == first.name + ".swift" || file.hasPrefix(first.name + "+"), "\(path)")
    }
    #expect(extensions > 40)
  }
}
