import RealmStorage
import Testing

@testable import RealmQuery

/// What can stand at a place of a query that is being written.
@Suite struct CompletionTests {
  static let schema = Schema(tables: [
    TableSchema(
      name: "class_Person",
      properties: [
        Property(name: "name", type: .string, index: .fullText),
        Property(name: "nick", type: .string, isOptional: true),
        Property(name: "age", type: .int), Property(name: "active", type: .bool),
        Property(name: "boss", type: .object, isOptional: true, target: "class_Person"),
        Property(name: "dogs", type: .object, collection: .list, target: "class_Dog"),
        Property(name: "tags", type: .string, collection: .list),
        Property(name: "marks", type: .int, collection: .list),
        Property(name: "attrs", type: .mixed, collection: .dictionary, isOptional: true),
        Property(name: "any", type: .int), Property(name: "odd name", type: .int),
      ]),
    TableSchema(
      name: "class_Dog",
      properties: [
        Property(name: "name", type: .string), Property(name: "weight", type: .double, isOptional: true),
        Property(name: "size", type: .int),
      ]),
  ])

  /// The bar marks the cursor.
  static let rows: [SyntaxRow] = [
    SyntaxRow("na|", "name"),
    SyntaxRow("n|", "name nick NOT NONE"),
    SyntaxRow("NA|", "name"),
    SyntaxRow("a|", "age active attrs `any` ANY ALL"),
    SyntaxRow("`a|", "age active attrs `any` ANY ALL"),
    SyntaxRow("o|", "`odd name`"),
    SyntaxRow("boss.n|", "name nick"),
    SyntaxRow("boss.boss.a|ge > 3", "age active attrs `any`"),
    SyntaxRow("boss.@|", "@links @count"),
    SyntaxRow("dogs.@|", "@links @count @min @max @sum @avg"),
    SyntaxRow("dogs.|", "name weight size @links @count @min @max @sum @avg"),
    SyntaxRow("dogs[0].@|", "@links @count"),
    SyntaxRow("dogs.@max.|", "weight size"),
    SyntaxRow("tags.|", "@count length"),
    SyntaxRow("marks.@|", "@count @min @max @sum @avg"),
    SyntaxRow("attrs.|", "@keys @values @count @type @min @max @sum @avg"),
    SyntaxRow("attrs.key.|", "@type @count @size"),
    SyntaxRow("name.|", "@count @size"),
    SyntaxRow("age.|", ""),
    SyntaxRow("@links.|", "Person @count"),
    SyntaxRow("@links.Person.|", "boss"),
    SyntaxRow("@links.Person.boss.n|", "name nick"),
    SyntaxRow("dogs.@links.P|", "Person"),
    SyntaxRow("dogs.@links.Person.d|", "dogs"),
    SyntaxRow("age |", "== != < <= > >= IN BETWEEN"),
    SyntaxRow("active |", "== !="),
    SyntaxRow("boss |", "== != IN"),
    SyntaxRow("dogs.@count |", "== != < <= > >= IN BETWEEN"),
    SyntaxRow("nick C|", "CONTAINS CONTAINS[c]"),
    SyntaxRow("name T|", "TEXT"),
    SyntaxRow("nick T|", ""),
    SyntaxRow("attrs.x l|", "LIKE LIKE[c]"),
    SyntaxRow("active == |", "true false attrs"),
    SyntaxRow("active == t|", "true"),
    // What does not fit is not offered.
    SyntaxRow("name == |", "nick tags attrs"),
    SyntaxRow("boss == boss.age AND age > |", "marks attrs `any` `odd name`"),
    SyntaxRow("nick == nu|", "null"),
    SyntaxRow("boss == o|", "obj(\"Person\", "),
    SyntaxRow("age == 25 |", "AND OR SORT DISTINCT LIMIT"),
    SyntaxRow("age == 25 A|", "AND"),
    SyntaxRow("(age == 25 |", "AND OR"),
    SyntaxRow("(age == 25) |", "AND OR SORT DISTINCT LIMIT"),
    SyntaxRow("age == boss.age |", "AND OR SORT DISTINCT LIMIT"),
    SyntaxRow("age == 25 AND boss.na|", "name"),
    SyntaxRow("age IN {1, 2} |", "AND OR SORT DISTINCT LIMIT"),
    SyntaxRow("age == 25 SORT(na|", "name"),
    SyntaxRow("age == 25 SORT(boss.na|", "name"),
    SyntaxRow("age == 25 SORT(name |", "ASC DESC"),
    SyntaxRow("age == 25 SORT(name ASC) L|", "LIMIT"),
    SyntaxRow("TRUEPREDICATE D|", "DISTINCT"),
    SyntaxRow("ANY d|", "dogs"),
    SyntaxRow("SUBQUERY(do|", "dogs"),
    SyntaxRow("SUBQUERY(dogs, $d, $d.w|", "weight"),
    SyntaxRow("SUBQUERY(dogs, $d, $|", "$d"),
    SyntaxRow("SUBQUERY(dogs, $d, we|", "weight"),
    SyntaxRow("SUBQUERY(dogs, $d, $d.weight > 5).@count > 0 AND ag|", "age"),
    SyntaxRow("name == \"n|", ""),
    SyntaxRow("name == \"x\" AND n|", "name nick NOT NONE"),
    SyntaxRow("age == 2|", ""),
    SyntaxRow("# n|", "name nick NOT NONE"),
  ]

  @Test("candidates", arguments: rows) func candidates(_ row: SyntaxRow) throws {
    let offset = try #require(row.text.utf8.firstIndex(of: UInt8(ascii: "|")))
    let before = row.text.utf8.distance(from: row.text.startIndex, to: offset)
    let found = RQL.completions(
      in: row.text.replacing("|", with: ""), at: before, schema: Self.schema, className: "Person")
    #expect(found.candidates.map(\.text).joined(separator: " ") == row.expected)
  }

  @Test("the whole word is replaced") func range() {
    func range(_ text: String, _ offset: Int) -> SourceRange {
      RQL.completions(in: text, at: offset, schema: Self.schema, className: "Person").range
    }
    #expect(range("boss.name == 1", 6) == SourceRange(5, 9))
    #expect(range("boss. == 1", 5) == SourceRange(5, 5))
    #expect(range("`odd", 4) == SourceRange(0, 4))
    #expect(range("na", 90) == SourceRange(0, 2))
    #expect(range("größe", 4) == SourceRange(0, 7))
  }

  @Test(
    "the property whose values can follow",
    arguments: [
      ("name == ", "Person.name"), ("ANY dogs.name == x", "Dog.name"), ("boss.age > ", "Person.age"), ("name ", nil),
      ("name == 'x", nil), ("age IN {", "Person.age"), ("boss == ", nil), ("'x' == ", nil),
      ("SUBQUERY(dogs, $d, $d.weight > ", "Dog.weight"), ("SUBQUERY(dogs, $d, weight > ", "Dog.weight"),
    ])
  func values(_ text: String, _ expected: String?) {
    let found = RQL.completions(in: text, at: text.utf8.count, schema: Self.schema, className: "Person").values
    #expect(found.map { "\($0.className).\($0.property)" } == expected)
  }

  @Test("unknown classes and names give words of the language") func unknown() {
    let found = RQL.completions(in: "N", at: 1, schema: Self.schema, className: "Cat")
    #expect(found.candidates.map(\.text) == ["NOT", "NONE"])
  }
}
