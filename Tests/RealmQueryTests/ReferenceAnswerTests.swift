import RealmQuery
import RealmStorage
import TestSupport
import Testing

/// The queries of the specification give what it lists, in both dialects.
@Suite struct ReferenceAnswerTests {
  @Test("the standard dialect answers as listed") func standard() throws {
    try expectAnswers(.standard, \.answer)
  }

  @Test("the reference's dialect answers as the reference") func reference() throws {
    try expectAnswers(.reference, \.referenceAnswer)
  }

  private func expectAnswers(_ dialect: Dialect, _ expected: KeyPath<ReferenceQuery, ReferenceQuery.Answer>) throws {
    let realm = try QueryRealm()
    var differences: [String] = []
    let queries = try ReferenceQuery.all()
    #expect(queries.count > 300)
    for query in queries {
      let answer = try realm.answer(query, dialect)
      if answer != query[keyPath: expected] {
        differences.append("\(query)\n    expected \(query[keyPath: expected])\n    found    \(answer)")
      }
    }
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }
}
