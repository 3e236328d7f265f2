import RealmModels
import RealmStorage
import RealmText
import TestSupport
import Testing

/// Names that would be instructions in what is written with them.
@Suite struct HostileNameTests {
  /// Every name as a class, a property, a primary key, a link, an inverse and an index; `names` may repeat nothing.
  private static func schema(_ names: [RealmString]) -> Schema {
    Schema(
      tables: names.map { name in
        let table = TableSchema.tableName(ofClass: name)
        var inverse = Property(name: "owners", type: .linkingObjects, target: table)
        inverse.originProperty = name
        return TableSchema(
          name: table,
          properties: [
            Property(name: "_id", type: .string, index: .general),
            Property(name: name, type: .object, isOptional: true, target: table),
            Property(name: RealmString(utf8: name.utf8 + [0x31]), type: .string, index: .general),
            Property(name: RealmString(utf8: name.utf8 + [0x32]), type: .float, collection: .list),
            Property(name: RealmString(utf8: name.utf8 + [0x33]), type: .string, index: .fullText),
            Property(
              name: RealmString(utf8: name.utf8 + [0x34]), type: .object, isOptional: true,
              target: RealmString(utf8: table.utf8 + [0x39])), inverse,
          ], primaryKeyIndex: 0)
      }, version: 3)
  }

  /// What is left of a text when its string literals and comments are taken out; nil if one has no end or an escape
  /// that the language does not have.
  private static func code(of text: String, comment: String, quotes: String, escapes: String, doubles: Bool) -> String?
  {
    var rest = Array(text.unicodeScalars)[...]
    var code = String.UnicodeScalarView()
    let marker = Array(comment.unicodeScalars)
    while let scalar = rest.popFirst() {
      if scalar == marker[0], rest.starts(with: marker.dropFirst()) {
        while let next = rest.first, next != "\n" { rest = rest.dropFirst(next == "\n" ? 0 : 1) }
      } else if quotes.unicodeScalars.contains(scalar) {
        var isOpen = true
        while isOpen {
          guard let next = rest.popFirst(), next != "\n" else { return nil }
          if next == "\\", !doubles {
            guard let escaped = rest.popFirst(), escapes.unicodeScalars.contains(escaped) else { return nil }
          } else if next == "$", escapes.contains("$") {
            return nil
          } else if next == scalar {
            isOpen = false
          }
        }
        code.append("\"")
      } else {
        code.append(scalar)
      }
    }
    return String(code)
  }

  /// `\uXXXX` as the character that Java reads there, everywhere, unless a backslash is in front of it.
  private static func readByJava(_ text: String) -> String {
    var rest = Array(text.unicodeScalars)[...]
    var read = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "\\", rest.first == "u",
        let value = UInt32(String(String.UnicodeScalarView(rest.dropFirst().prefix(4))), radix: 16)
      {
        // Halves of a pair are no characters; they end nothing.
        read.append(Unicode.Scalar(value) ?? "?")
        rest = rest.dropFirst(5)
      } else if scalar == "\\", let next = rest.popFirst() {
        read.append(contentsOf: [scalar, next])
      } else {
        read.append(scalar)
      }
    }
    return String(read)
  }

  private static func code(_ format: SchemaFormat, _ text: String) -> String? {
    switch format {
    case .swift, .grdb, .swiftData: code(of: text, comment: "//", quotes: "\"", escapes: "\"\\nrtu", doubles: false)
    case .objectiveC: code(of: text, comment: "//", quotes: "\"", escapes: "\"\\nrt01234567", doubles: false)
    case .kotlin, .room: code(of: text, comment: "//", quotes: "\"", escapes: "\"\\nrtu$", doubles: false)
    case .dart: code(of: text, comment: "//", quotes: "\"'", escapes: "\"\\nrtu$", doubles: false)
    case .java: code(of: readByJava(text), comment: "//", quotes: "\"", escapes: "\"\\nrt", doubles: false)
    case .csharp, .javaScript, .typeScript, .text:
      code(of: text, comment: "//", quotes: "\"", escapes: "\"\\nrtu", doubles: false)
    case .sql: code(of: text, comment: "--", quotes: "\"", escapes: "", doubles: true)
    case .mermaid: text
    // Labels contain only text if they contain no mark of the language.
    case .dot: ""
    // Copies quotation marks and backslashes as the engine does, and says so.
    case .coreJSON: ""
    case .json, .appServices:
      try? JSONValue.parse(Array(text.utf8)) == .null ? nil : ""
    }
  }

  @Test(arguments: SchemaFormat.allCases)
  func namesStayTextsAndComments(_ format: SchemaFormat) {
    for name in HostileNames.all {
      let text = format.text(of: Self.schema([name]))
      let code = Self.code(format, text.string)
      #expect(code != nil && code?.contains("PAYLOAD(") == false, "\(name.utf8): \(text.string)")
      for note in text.notes { #expect(HostileNames.isVisible(note.description) && !note.description.contains("\n")) }
      switch format {
      case .json, .coreJSON, .appServices: #expect(!text.utf8.contains { $0 < 0x20 && $0 != 0x0a })
      default: #expect(HostileNames.isVisible(text.string), "\(name.utf8): \(text.string)")
      }
    }
  }

  /// Diagrams do not have quotes around everything: there, each name takes the same number of lines and marks.
  @Test(arguments: [SchemaFormat.mermaid, .dot])
  func diagramsHaveTheShapeOfOthers(_ format: SchemaFormat) {
    func shape(_ name: RealmString) -> [Int] {
      let text = format.text(of: Self.schema([name])).string
      let marks: [Character] =
        format == .dot ? ["\n", "<", ">", "\"", "["] : ["\n", "<", ">", "{", "}", "~", "%", "`"]
      return marks.map { mark in text.count { $0 == mark } }
    }
    let plain = shape("plain name")
    for name in HostileNames.all { #expect(shape(name) == plain, "\(name.utf8)") }
  }

  /// Names without a visible difference still have different declarations.
  @Test func noTwoNamesLookTheSame() {
    let names = HostileNames.invisible.map { RealmString("a\($0)b") } + ["ab", "a b"]
    for format in [SchemaFormat.swift, .objectiveC, .kotlin, .java, .csharp, .dart, .text, .sql] {
      let text = format.text(of: Self.schema(names)).string
      let declarations = text.split(separator: "\n").filter {
        ["class ", "@interface", "@RealmModel", "CREATE TABLE"].contains(where: $0.hasPrefix) && !$0.hasPrefix("@")
      }
      #expect(Set(declarations).count == declarations.count, "\(format)")
    }
  }
}
