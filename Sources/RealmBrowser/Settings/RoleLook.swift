import RealmPresentation
import RealmText

/// A color as settings name it.
package enum ColorName: Hashable, Sendable {
  /// One of the sixteen that terminals have, or of their 256.
  case number(UInt8)
  /// The terminal's default color.
  case terminal

  fileprivate static let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

  init?(named name: String) {
    if name == "default" {
      self = .terminal
    } else if let index = Self.names.firstIndex(of: name) {
      self = .number(UInt8(index))
    } else if let number = UInt8(name) {
      self = .number(number)
    } else {
      return nil
    }
  }

  var name: String {
    switch self {
    case .terminal: "default"
    case .number(let number): Self.names.indices.contains(Int(number)) ? Self.names[Int(number)] : "\(number)"
    }
  }
}

/// How the user wants a role to look: `yellow on black bold`.
package struct RoleLook: Hashable, Sendable {
  package var foreground = ColorName.terminal
  package var background = ColorName.terminal
  package var attributes: Set<Attribute> = []

  package enum Attribute: String, Hashable, Sendable, CaseIterable {
    case bold, dim, underline, reverse
  }

  /// - Parameter text: a color, `on` and another one, attributes.
  init(_ text: String) throws(BrowserProblem) {
    var isBackground = false
    for word in text.split(separator: " ").map(String.init) {
      if word == "on" {
        isBackground = true
      } else if let attribute = Attribute(rawValue: word) {
        attributes.insert(attribute)
      } else if let color = ColorName(named: word) {
        if isBackground { background = color } else { foreground = color }
      } else {
        let known = ColorName.names + Attribute.allCases.map(\.rawValue) + ["default", "on"]
        let advice = Similarity.question(about: word, among: known) ?? "use a name, a number up to 255, bold, dim, …"
        throw BrowserProblem("unknown color '\(word)'; \(advice)")
      }
    }
  }

  var text: String {
    var words = [foreground.name]
    if background != .terminal { words += ["on", background.name] }
    words += Attribute.allCases.filter(attributes.contains).map(\.rawValue)
    return words.joined(separator: " ")
  }
}

extension Role {
  /// Its name in settings.
  var name: String { self == .hintKey ? "hint-key" : "\(self)" }

  static func named(_ name: String) -> Role? { allCases.first { $0.name == name } }
}
