import Foundation
import TestSupport
import Testing

/// The example program does what the documents say of it, and the examples in documents and comments compile.
@Suite struct ExampleTests {
  @Test func shelter() throws {
    let folder = try TemporaryFolder()
    var example = Tool()
    example.executable = Tool.builtProducts.appendingPathComponent("shelter-example").path
    let outcome = try example.run(folder.path("."))
    #expect(
      outcome.outputText == """
        created: true
        migrated: true
        version 2, file format 24
        Dog: 2
          0: Rex
          1: Fido
        Person: 1
          0: Alice
            has Rex, 3 years
            has Fido, 7 years
        Rex is in Person.dogs of 1

        """)
    #expect(outcome.errors == "")
    let checked = try Tool().run("check", "--strict", folder.path("shelter.realm"))
    #expect(checked.status == 0, "\(checked.outputText)")
  }

  /// A block of Swift, and its place.
  private struct Example {
    let file: String
    let line: Int
    let lines: [Substring]

    /// - Parameter name: of the function that gets the lines.
    func source(_ name: String) -> String {
      let imports = lines.filter { $0.hasPrefix("import ") }.map(String.init)
      let own = ExampleTests.library.first { file.hasPrefix("Sources/\($0.module)/") && imports.isEmpty }
      let modules = Set(["RealmStorage"] + (own.map { $0.imports + [$0.module] } ?? [])).sorted()
      return """
        \((imports.isEmpty ? modules.map { "import \($0)" } : imports).joined(separator: "\n"))
        func \(name)() \(lines.contains { $0.contains("await") } ? "async " : "")throws {
        \(own?.surroundings ?? "")
        do {
        #sourceLocation(file: "\(file)", line: \(line))
        \(lines.map { $0.hasPrefix("import ") ? "" : String($0) }.joined(separator: "\n"))
        #sourceLocation()
        }
        }

        """
    }
  }

  /// The modules that apps use, and what examples in their comments use and do not declare.
  private static let library: [(module: String, imports: [String], surroundings: String)] = [
    ("RealmStorage", [], ""), ("RealmQuery", [], ""), ("RealmInspection", [], ""), ("RealmOpening", [], ""),
    (
      "RealmFoundation", ["Foundation"],
      """
      let url = URL(fileURLWithPath: "")
      struct Person: Codable {}
      struct Toy: Codable {}
      struct Dog: Codable { var name: String; var born: Date }
      """
    ),
    (
      "LeaveRealm", [],
      """
      let (path, key, target) = ("", EncryptionKey?.none, Target())
      var run: LeaveRealm { get { fatalError() } set {} }
      """
    ),
    ("LeaveRealmRescue", ["LeaveRealm"], "let (path, key, target) = (\"\", EncryptionKey?.none, Target())"),
  ]

  /// What examples use and do not declare, and the little of other libraries that they need.
  private static let surroundings = """
    import Foundation
    import RealmStorage

    var bytes: UnsafeRawBufferPointer { fatalError() }
    var key: ObjectKey { fatalError() }
    var names: [RealmString] { fatalError() }
    var model: Schema { fatalError() }
    var stored: Schema { fatalError() }
    var target: Schema { fatalError() }
    var realm: Realm { get { fatalError() } set {} }
    var configuration: RealmConfiguration { get { fatalError() } set {} }
    func askForKey() -> EncryptionKey { fatalError() }
    var dogs: RealmObjects { fatalError() }
    var dog: RealmObject { fatalError() }
    var tx: RealmTransaction { fatalError() }
    var alice: WrittenObject { fatalError() }
    func save(_ dogs: [RealmObject]) {}
    func startFresh() {}
    func tryAgainLater() {}
    func waitForUnlocking() {}
    func migrate(_ facts: ProbedRealm) {}
    func askForHelp() {}

    struct AppConfiguration { var encryptionKey: Data? }
    var config: AppConfiguration { fatalError() }
    struct Database { func execute(sql: String, arguments: [String] = []) throws {} }
    var database: Database { fatalError() }
    struct Dog { init(object: RealmObject) throws {} }
    struct Target {
      func checkpoint() throws -> String? { nil }
      func setCheckpoint(_ text: String) throws {}
      func startAgain() throws {}
      func transaction(_ body: () throws -> Void) throws {}
      func insert(_ dog: Dog) throws {}
      func insert(_ dog: RealmObject) throws {}
      func rows(_ sql: String) throws -> [(id: Int64, name: String)] { [] }
    }
    func log(_ text: String) {}
    """

  /// Those of the documents and the articles, and of the comments on what the library offers to other packages.
  private static func examples() throws -> [Example] {
    var examples: [Example] = []
    func files(_ folder: String, _ ending: String) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: Tool.projectFolder.appendingPathComponent(folder).path)
        .filter { $0.hasSuffix(ending) }.sorted().map { folder + "/" + $0 }
    }
    let documents = try ["README.md"] + files("Docs", ".md") + files("Sources", ".md")
    let library = try library.flatMap { try files("Sources/" + $0.module, ".swift") }
    for file in documents + library {
      let text = try String(contentsOf: Tool.projectFolder.appendingPathComponent(file), encoding: .utf8)
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let isCode = file.hasSuffix(".swift")
      if isCode {
        lines = lines.map { $0.drop { $0 == " " } }.map { $0.hasPrefix("///") ? $0.dropFirst(3) : "\u{0}\($0)" }
      }
      var first: Int?
      for (index, line) in lines.enumerated() {
        let mark = line.drop { $0 == " " }
        if mark == "```swift" {
          first = index + 1
        } else if mark == "```", let start = first {
          first = nil
          let declaration = lines[index...].first { $0.hasPrefix("\u{0}") && !$0.hasPrefix("\u{0}@") }
          if isCode, declaration?.hasPrefix("\u{0}public ") != true { continue }
          examples.append(Example(file: file, line: start + 1, lines: Array(lines[start..<index])))
        }
      }
    }
    return examples
  }

  /// The oracle is the compiler, given the modules that the tests were built with and, as for other packages, no name of
  /// this package.
  @Test func `every example of the library compiles for another package`() throws {
    let folder = try TemporaryFolder()
    let examples = try Self.examples()
    #expect(examples.count >= 17)
    let articles = Set(examples.map(\.file).filter { $0.hasSuffix(".md") && $0.hasPrefix("Sources/") })
    #expect(articles.count >= 6)
    var sources = [try folder.write("Surroundings.swift", Array(Self.surroundings.utf8))]
    for (index, example) in examples.enumerated() {
      sources.append(try folder.write("Example\(index).swift", Array(example.source("example\(index)").utf8)))
    }
    let products = Tool.builtProducts
    let maps = try FileManager.default.contentsOfDirectory(atPath: products.path).filter { $0.hasSuffix(".build") }
      .map { products.appendingPathComponent($0).appendingPathComponent("module.modulemap").path }
      .filter { FileManager.default.fileExists(atPath: $0) }
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    let found = folders.map { "\($0)/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    let compiler = Tool(try #require(found), environment: ProcessInfo.processInfo.environment)
    let outcome = try compiler.run(
      [
        "-typecheck", "-wmo", "-suppress-warnings", "-swift-version", "6", "-module-name", "Examples",
        "-I", products.appendingPathComponent("Modules").path,
        "-module-cache-path", products.appendingPathComponent("ModuleCache").path,
      ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + sources)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}
