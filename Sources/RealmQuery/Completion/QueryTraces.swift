import RealmStorage

/// Signs of a query in a text: they distinguish a query with a mistake from text that was never meant as one.
package struct QueryTraces: Hashable, Sendable {
  /// The words that could name properties, as far as the text can be cut into words.
  package private(set) var names: Set<RealmString> = []
  /// Whether there is an operator that compares.
  package private(set) var hasComparison = false

  package init(of text: String) {
    var lexer = Lexer(text, .standard)
    let literals = Literals(text: text, bytes: lexer.bytes, dialect: .standard)
    while let token = try? lexer.next(), token.kind != .end {
      if token.kind.comparison != nil { hasComparison = true }
      if token.kind.isName { names.insert(RealmString(literals.name(token.range))) }
    }
  }
}

extension RQL {
  /// The name of a property or class as a query has it: in backquotes if it needs them.
  package static func written(_ name: RealmString) -> String { CompletionWords.written(name) }
}
