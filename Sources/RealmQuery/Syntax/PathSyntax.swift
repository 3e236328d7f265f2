/// The way from an object to a value: `boss.dogs[0].name`.
package struct PathSyntax: Hashable, Sendable {
  /// At least one; the first is a name, `@links…` or a key path argument.
  package var elements: [PathElementSyntax]
  package var range: SourceRange { elements[0].range.joined(with: elements[elements.count - 1].range) }
}

/// A step of a key path.
package struct PathElementSyntax: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// `.name`, or a name that the path begins with: a property, a key, a subquery's variable, `length`.
    case name(String)
    /// `["key"]`; the reference reads it as `.key`.
    case key(String)
    /// `[n]`; `[FIRST]` is 0.
    case index(Int)
    /// `[LAST]`.
    case last
    /// `[*]`.
    case all
    /// `[$n]`.
    case indexArgument(Int)
    /// `$Kn`; only the first of a path.
    case keyPathArgument(Int)
    /// `.@keys`.
    case keys
    /// `.@values`.
    case values
    /// `@links.Class.property`. If the path ends after the class, the reference takes its name for the property's as
    /// well, and so does this.
    case backlinks(className: String, property: String)
    /// `@links` without a class after it: the links of all kinds, which can only be counted.
    case allBacklinks
  }

  package var kind: Kind
  /// With the brackets, without the dot.
  package var range: SourceRange

  /// The property's name in messages; nil for indexes and arguments.
  package var name: String? {
    switch kind {
    case .name(let name), .key(let name): name
    case .keys: "@keys"
    case .values: "@values"
    case .backlinks(let className, let property): "@links.\(className).\(property)"
    case .allBacklinks: "@links"
    case .index, .last, .all, .indexArgument, .keyPathArgument: nil
    }
  }

  /// The text in brackets in messages; the reference does not distinguish `[0]` from `[FIRST]`.
  package var indexText: String {
    switch kind {
    case .index(0): "FIRST"
    case .index(let index): "\(index)"
    case .last: "LAST"
    case .all: "*"
    case .indexArgument(let number): "$\(number)"
    case .keyPathArgument(let number): "$K\(number)"
    case .name, .key, .keys, .values, .backlinks, .allBacklinks: name ?? ""
    }
  }
}

/// A name by itself: decoded, without quotes.
package struct NameSyntax: Hashable, Sendable {
  package var text: String
  package var range: SourceRange
}
