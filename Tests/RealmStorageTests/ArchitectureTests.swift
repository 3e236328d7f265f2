import Foundation
import TestSupport
import Testing

/// The rooms of the libraries are what Docs/Architecture.md draws, and none uses one above it.
@Suite struct ArchitectureTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The targets whose rooms are drawn, with these in the order of the picture, the highest first.
  private static func drawnRooms() throws -> [String: [String]] {
    let text = try String(contentsOf: root.appendingPathComponent("Docs/Architecture.md"), encoding: .utf8)
    var (rooms, target): ([String: [String]], String) = ([:], "")
    for line in text.split(separator: "\n") {
      if let room = line.firstMatch(of: /^ *│ ([A-Z][a-z]+) {2,}\S/) {
        rooms[target, default: []].append(String(room.1))
      } else if let name = line.firstMatch(of: /^ +(Realm[A-Z][a-z]+) .*rooms:$/) {
        target = String(name.1)
      }
    }
    return rooms
  }

  private static func sources(of target: String) throws -> [SourceFile] {
    let library = root.appendingPathComponent("Sources/\(target)")
    return try FileManager.default.subpathsOfDirectory(atPath: library.path).sorted().compactMap { path in
      guard path.hasSuffix(".swift") else { return nil }
      let parts = path.split(separator: "/")
      return SourceFile(
        room: parts.count == 2 ? String(parts[0]) : "", name: path,
        text: try String(contentsOf: library.appendingPathComponent(path), encoding: .utf8))
    }
  }

  @Test("the folders are the rooms of the picture, and none uses one above it") func rooms() throws {
    let drawn = try Self.drawnRooms()
    #expect(drawn.count > 1)
    for (target, rooms) in drawn {
      let sources = try Self.sources(of: target)
      #expect(Set(rooms) == Set(sources.map(\.room)))
      #expect(Set(rooms).count == rooms.count)
      #expect(Self.upwardUses(sources, order: rooms) == [])
    }
  }

  /// The targets with Swift sources in the order of the picture, the highest first; targets of one line are together.
  private static func drawnTargets() throws -> [[String]] {
    let text = try String(contentsOf: root.appendingPathComponent("Docs/Architecture.md"), encoding: .utf8)
    let picture = text.split(separator: "```", maxSplits: 2)[1]
    let lines = picture.split(separator: "\n").filter { !$0.contains("│") }
    return lines.compactMap { line in
      let names = line.matches(of: /\b(?:Realm[A-Z][a-z]+|LeaveRealm(?:Rescue)?|realmctl|Libc)\b/).map { String($0.0) }
      return names.isEmpty ? nil : names
    }
  }

  @Test("no target imports one above it or next to it") func targets() throws {
    let drawn = try Self.drawnTargets()
    let level = Dictionary(uniqueKeysWithValues: drawn.enumerated().flatMap { line in line.1.map { ($0, line.0) } })
    let sources = Self.root.appendingPathComponent("Sources")
    let folders = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    let others: Set = ["Libraries", "ManualPages", "Start"]
    #expect(
      Set(level.keys) == Set(folders.filter { !$0.hasPrefix("C") && !$0.hasPrefix(".") }).subtracting(others))
    var upward: [String] = []
    var importCount = 0
    for file in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where file.hasSuffix(".swift") {
      guard let own = level[String(file.prefix { $0 != "/" })] else { continue }
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      for match in try text.matches(ofPattern: #"(?m)^(?:@\w+ |public |package )*import (\w+)"#) {
        guard let other = level[String(match[1])] else { continue }
        importCount += 1
        if other <= own { upward.append("\(file) imports \(match[1])") }
      }
    }
    #expect(importCount > 500)
    #expect(upward == [])
  }

  /// Swift's own conversions trap; `FixedWidthInteger+Checked.swift` makes them a warning, and so an error, where it is imported.
  @Test("code with floating-point numbers sees the checked conversion to integers") func conversions() throws {
    let sources = Self.root.appendingPathComponent("Sources")
    var unseen: [String] = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    where file.hasSuffix(".swift") && !file.hasPrefix("RealmStorage/") {
      let lines = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
        .split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      guard lines.contains(where: { $0.contains(/\b(?:Double|Float)\b/) }) else { continue }
      if !lines.contains(where: { $0.hasSuffix("import RealmStorage") }) { unseen.append(file) }
    }
    #expect(unseen == [])
  }

  @Test("every type that the page names exists") func names() throws {
    let text = try String(
      contentsOf: Self.root.appendingPathComponent("Docs/Architecture.md"), encoding: .utf8)
    let names = Set(text.matches(of: /`([A-Z]\w+)`/).map { String($0.1) })
    #expect(names.count > 30)
    var declared: Set<String> = []
    for folder in ["Sources", "Tests"] {
      let path = Self.root.appendingPathComponent(folder)
      for file in try FileManager.default.subpathsOfDirectory(atPath: path.path) where file.hasSuffix(".swift") {
        let source = try String(contentsOf: path.appendingPathComponent(file), encoding: .utf8)
        declared.formUnion(
          try source.matches(ofPattern: #"\b(?:struct|class|enum|protocol|typealias) (\w+)"#).map { String($0[1]) })
      }
    }
    let targets: Set = [
      "RealmFoundation", "RealmExchange", "RealmInspection", "RealmModels", "RealmStorage", "RealmSystem",
      "RealmTerminal", "RealmTools",
      "CommandLineTests", "CrashProbe", "CNcurses", "CVersion",
    ]
    #expect(names.subtracting(declared).subtracting(targets) == [])
  }

  @Test("the system's errors have the names that the system gives them, whose numbers differ") func errorNumbers()
    throws
  {
    let sources = Self.root.appendingPathComponent("Sources")
    var found: [String] = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      found += try text.matches(ofPattern: #"(?:errorNumber: |errno [=!]= |\bnumber: )[1-9][0-9]*"#).map {
        "\(file): \($0[0])"
      }
    }
    #expect(found == [])
  }

  /// Errors that never reach a command as they are: a launch wraps them, or only programs ask for values by type.
  private static let wrapped: Set = ["UnsettledCommit", "ValueMismatch"]

  @Test("every error of the library has words for users") func errorWords() throws {
    let sources = Self.root.appendingPathComponent("Sources")
    func conforming(to name: String) throws -> Set<String> {
      var types: Set<String> = []
      for file in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where file.hasSuffix(".swift") {
        let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
        for match in try text.matches(ofPattern: #"(?m)^extension ([\w.]+): "# + name + #"\b"#) {
          types.insert(String(match[1]))
        }
      }
      return types
    }
    let causes = try conforming(to: "RealmErrorCause")
    #expect(causes.count > 12)
    #expect(causes.subtracting(try conforming(to: "DiagnosticConvertible")) == Self.wrapped)
  }

  @Test("what apps call throws errors of one type") func publicErrors() throws {
    let sources = Self.root.appendingPathComponent("Sources")
    // A value does not know its realm; who reads it from one says so. What types and decoders of apps throw is theirs.
    let ofValues = ["RealmStorage/Values/", "RealmFoundation/"]
    // A task that is cancelled gets the language's own error.
    let passing: Set = [
      "RealmBatches.swift: public mutating func next", "RealmNotifications.swift: public mutating func next",
    ]
    var (others, count): ([String], Int) = ([], 0)
    for file in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where file.hasSuffix(".swift") {
      let isOfApps = file.hasPrefix("RealmStorage/") || file.hasPrefix("RealmOpening/")
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      for (declaration, type, takesClosure) in Self.publicThrows(in: text) {
        count += 1
        let isOfValues = ofValues.contains { file.hasPrefix($0) }
        if isOfValues, [nil, "ValueMismatch", "RealmError"].contains(type) { continue }
        if type == "ValueMismatch", file == "RealmStorage/Transactions/WrittenObject.swift" { continue }
        // What a closure of an app throws is thrown as it is.
        if type == nil, takesClosure { continue }
        let isRight =
          file.hasPrefix("LeaveRealm")
          ? type == "LeaveError"
          : isOfApps ? type == "RealmError" : type != nil
        let isPassing =
          type == nil && passing.contains(String("\(file): \(declaration)".split(separator: "/").last ?? ""))
        if !isRight, !isPassing { others.append("\(file): \(declaration)") }
      }
    }
    #expect(count > 40)
    #expect(others == [])
  }

  @Test("an error without a type is found") func untypedErrors() {
    let text = """
      public func a(_ body: () throws -> Void) { }
      public static func b(
        _ body: () throws(A) -> Void = { _ in }
      ) throws(RealmError) -> Int {}
        @discardableResult public init(_ a: Int) throws {}
      package func c() throws {}
      public var d: Int { get throws { 1 } }
      public let e = 1
      public func f() async
        throws -> (Int, Int) { throw f }
      public func g<T>(
        _ body: @escaping @Sendable (borrowing A) throws -> T
      ) async throws -> T { try body(a) }
      """
    #expect(
      Self.publicThrows(in: text).map { "\($0.declaration): \($0.type ?? "")" } == [
        "public static func b: RealmError", "public init: ", "public var d: ", "public func f: ", "public func g: ",
      ])
    #expect(Self.publicThrows(in: text).map(\.takesClosure) == [true, false, false, false, true])
  }

  /// The public declarations that can throw, by their beginnings, with the type of the error if there is one.
  ///
  /// `takesClosure` says whether one of their parameters is a function that can throw.
  private static func publicThrows(in text: String) -> [(declaration: String, type: String?, takesClosure: Bool)] {
    text.matches(of: /(?m)\bpublic (?:[a-z]+ )*(?:(?:func|var) \w+|init|subscript)/).compactMap { match in
      let rest = text[match.range.upperBound...]
      if rest.prefixMatch(of: /[^\n]*\{ get throws/) != nil {
        return (String(match.0), nil, false)
      }
      // Without the text in parentheses, except for the type of the error.
      var (signature, depth, isType) = ("", 0, false)
      var parameters = ""
      for (index, character) in zip(rest.indices, rest) {
        let ends =
          character == "{" || character == "}" || character == "="
          || character == "\n" && rest[index...].prefixMatch(of: /\s*(?:throws|async|->|where)/) == nil
        if depth == 0, ends { break }
        if character == ")" { depth -= 1 }
        if depth == 0, character == "(" { isType = signature.hasSuffix("throws") }
        if depth == 0 || isType { signature.append(character) } else { parameters.append(character) }
        if character == "(" { depth += 1 }
      }
      guard let found = signature.firstMatch(of: /\bthrows(?:\((\w+)\))?/) else { return nil }
      return (String(match.0), found.1.map(String.init), parameters.contains(/\) throws\b/))
    }
  }

  @Test("every public declaration says what it is") func documentation() throws {
    var undocumented: [String] = []
    for folder in [
      "LeaveRealm", "LeaveRealmRescue", "RealmExchange", "RealmFoundation", "RealmInspection", "RealmOpening",
      "RealmQuery", "RealmStorage", "RealmTools",
    ].map({
      "Sources/\($0)"
    }) {
      let path = Self.root.appendingPathComponent(folder)
      for file in try FileManager.default.subpathsOfDirectory(atPath: path.path) where file.hasSuffix(".swift") {
        let indented = try String(contentsOf: path.appendingPathComponent(file), encoding: .utf8)
          .split(separator: "\n", omittingEmptySubsequences: false)
        let lines = indented.map { $0.drop(while: { $0 == " " }) }
        // How far the cases of a public enumeration are indented.
        var cases: Substring?
        for (index, line) in lines.enumerated() {
          if line.hasPrefix("public enum ") || line.hasPrefix("public indirect enum ") {
            cases = "  " + indented[index].prefix { $0 == " " }
          } else if let margin = cases, line == "}", indented[index].count < margin.count {
            cases = nil
          }
          let isCase = cases.map { indented[index].hasPrefix($0 + "case ") } ?? false
          guard isCase || line.hasPrefix("public ") && !line.contains(" extension ") else { continue }
          let above = lines[..<index].last { !$0.hasPrefix("@") }
          if above?.hasPrefix("///") != true { undocumented.append("\(file):\(index + 1): \(line)") }
        }
      }
    }
    #expect(undocumented == [])
  }

  @Test("an upward use is found") func finding() {
    let files = [
      SourceFile(room: "Low", name: "Low/A.swift", text: "struct A { let b: B? } // C\nlet text = \"C \\(D.e)\""),
      SourceFile(room: "High", name: "High/B.swift", text: "public final class B { var a: A; enum C {} }"),
      SourceFile(room: "High", name: "High/C.swift", text: "private struct A {}\nenum C { let a: A }\nenum D {}"),
    ]
    #expect(
      Self.upwardUses(files, order: ["High", "Low"]) == [
        "Low/A.swift uses B of High/B.swift", "Low/A.swift uses D of High/C.swift",
      ])
    #expect(Self.upwardUses(files, order: ["Low", "High"]) == ["High/B.swift uses A of Low/A.swift"])
  }

  private struct SourceFile {
    let room: String
    let name: String
    let text: String
  }

  /// By the names of types that other files can see. A type that a file declares itself, at any level, is its own.
  private static func upwardUses(_ files: [SourceFile], order: [String]) -> [String] {
    var declarations: [Substring: [SourceFile]] = [:]
    let codes = files.map { code($0.text) }
    for (file, code) in zip(files, codes) {
      for match in code.matches(of: /(?m)^((?:[@a-z][\w():]* )*)(?:struct|class|enum|protocol|typealias|actor) (\w+)/)
      where !match.1.contains("private") && !match.1.contains("import") {
        declarations[match.2, default: []].append(file)
      }
    }
    var uses: [String] = []
    for (file, code) in zip(files, codes) {
      guard let level = order.firstIndex(of: file.room) else { continue }
      let own = Set(code.matches(of: /(?m)^.*?\b(?:struct|class|enum|protocol|typealias|actor) (\w+)/).map(\.1))
      for word in Set(code.matches(of: /\.?\b[A-Z]\w*/).map(\.0)).sorted() where !own.contains(word) {
        for other in declarations[word] ?? [] {
          guard let otherLevel = order.firstIndex(of: other.room), otherLevel < level else { continue }
          uses.append("\(file.name) uses \(word) of \(other.name)")
        }
      }
    }
    return uses
  }

  /// Without comments, and of literals only what is interpolated.
  private static func code(_ text: String) -> String {
    text.replacing(/"""(?s:.*?)"""/, with: "").replacing(/\/\/.*/, with: "")
      .replacing(/"(?:\\.|[^"\\\n])*"/) { literal in
        literal.0.matches(of: /\\\(([^()]*(?:\([^()]*\)[^()]*)*)\)/).map(\.1).joined(separator: " ")
      }
  }
}
