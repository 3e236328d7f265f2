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

  @Test("indexes on all that can have one change nothing") func indexed() throws {
    let realm = try QueryRealm { schema in
      for table in schema.tables.indices {
        for property in schema.tables[table].properties.indices {
          let declared = schema.tables[table].properties[property]
          guard declared.collection == nil, declared.index == .none,
            [.int, .bool, .string, .date, .objectID, .uuid, .mixed].contains(declared.type)
          else { continue }
          schema.tables[table].properties[property].index = .general
        }
      }
    }
    for query in try ReferenceQuery.all() {
      let answer = try realm.answer(query, .standard)
      if case .error = query.answer { continue }
      #expect(answer == query.answer, "\(query)")
    }
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
