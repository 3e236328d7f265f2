import Testing

@testable import RealmQuery

/// What the types of the tree guarantee by themselves.
@Suite struct SyntaxTreeTests {
  @Test("a subquery's variable is a dollar sign and a letter") func variable() throws {
    func check(_ name: String) throws -> String {
      let path = PathSyntax(elements: [PathElementSyntax(kind: .name("dogs"), range: SourceRange(9, 13))])
      return try SubquerySyntax(
        collection: path, variable: NameSyntax(text: name, range: SourceRange(15, 16)),
        predicate: .constant(true, range: SourceRange(18, 31)), range: SourceRange(0, 40)
      ).checkedVariable()
    }
    #expect(try check("$x") == "$x")
    for name in ["d", "$", ""] {
      let error = #expect(throws: QueryError.self) { try check(name) }
      #expect(
        error?.message
          == "The subquery variable '\(name)' is invalid. The variable must start with '$' and cannot be empty; "
          + "for example '$x'.")
      #expect(error?.code == .syntaxError)
      #expect(error?.range == SourceRange(15, 16))
    }
  }
}
