/// A language in which apps declare their model classes, as far as `ModelFile` reads it.
package enum ModelLanguage: String, CaseIterable, Sendable {
  case swift, kotlin, java
  case csharp = "C#"
  case dart
  /// Realm JavaScript's schema objects, in JavaScript or TypeScript.
  case javaScript = "JavaScript"
  /// Headers and implementations.
  case objectiveC = "Objective-C"

  /// The language of a file, by its extension; nil for every other file.
  package init?(path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "swift": self = .swift
    case "kt", "kts": self = .kotlin
    case "java": self = .java
    case "cs": self = .csharp
    case "dart": self = .dart
    case "js", "ts", "mjs", "cjs", "mts", "cts", "jsx", "tsx": self = .javaScript
    case "h", "m", "mm": self = .objectiveC
    default: return nil
    }
  }

  /// The name for people.
  package var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

extension ModelLanguage {
  /// Whether `/*` inside a comment opens another one.
  var nestsComments: Bool { self == .swift || self == .kotlin || self == .dart }

  /// Whether `'` begins a string, or a character.
  var hasSingleQuotes: Bool { self != .swift }

  /// Whether what `'` begins is a character.
  var hasCharacters: Bool { self == .kotlin || self == .java || self == .csharp || self == .objectiveC }

  /// Whether a declaration ends with its line.
  var hasLines: Bool { self == .swift || self == .kotlin }

  /// Whether `/` can begin a regular expression.
  var hasRegularExpressions: Bool { self == .javaScript }

  /// Whether `#` begins a line that the compiler reads before the others.
  var hasDirectives: Bool { self == .swift || self == .csharp || self == .objectiveC }
}
