import Testing

@testable import RealmQuery

/// Each rule of the grammar, as a tree.
@Suite struct GrammarTests {
  private func check(_ row: SyntaxRow) throws {
    #expect(SyntaxText.text(try RQL.parse(row.text, dialect: row.dialect)) == row.expected)
  }

  static let comparisons: [SyntaxRow] = [
    SyntaxRow("a == 1", "(= .a 1)"),
    SyntaxRow("a = 1", "(= .a 1)"),
    SyntaxRow("a != 1", "(!= .a 1)"),
    SyntaxRow("a <> 1", "(!= .a 1)"),
    SyntaxRow("a<1", "(< .a 1)"),
    SyntaxRow("a <= 1", "(<= .a 1)"),
    SyntaxRow("a =< 1", "(<= .a 1)"),
    SyntaxRow("a > 1", "(> .a 1)"),
    SyntaxRow("a >= 1", "(>= .a 1)"),
    SyntaxRow("a => 1", "(>= .a 1)"),
    SyntaxRow("1 < a", "(< 1 .a)"),
    SyntaxRow("a ==[c] 'x'", "(=[c] .a \"x\")"),
    SyntaxRow("a != [c] 'x'", "(!=[c] .a \"x\")"),
    SyntaxRow("a IN {1, 2}", "(in .a {1, 2})"),
    SyntaxRow("a in[c] {'x'}", "(in[c] .a {\"x\"})"),
    SyntaxRow("a BEGINSWITH 'x'", "(beginswith .a \"x\")"),
    SyntaxRow("a beginsWith[c] 'x'", "(beginswith[c] .a \"x\")"),
    SyntaxRow("a ENDSWITH b", "(endswith .a .b)"),
    SyntaxRow("a CONTAINS {'x', 'y'}", "(contains .a {\"x\", \"y\"})"),
    SyntaxRow("a LIKE[c] 'x*'", "(like[c] .a \"x*\")"),
    SyntaxRow("a TEXT 'x y'", "(text .a \"x y\")"),
    SyntaxRow("'x' BEGINSWITH a", "(beginswith \"x\" .a)"),
    SyntaxRow("a BETWEEN {1, 2}", "(between .a {1, 2})"),
    SyntaxRow("a BETWEEN ANY {1, 2}", "(between .a ANY {1, 2})"),
    SyntaxRow("ALL a BETWEEN {$0, $1}", "(between ALL .a {$0, $1})"),
    SyntaxRow("5 BETWEEN {1, 2}", "(between 5 {1, 2})"),
  ]

  @Test("comparisons", arguments: comparisons) func comparison(_ row: SyntaxRow) throws { try check(row) }

  static let logic: [SyntaxRow] = [
    SyntaxRow("TRUEPREDICATE", "TRUE"),
    SyntaxRow("falsePredicate", "FALSE"),
    SyntaxRow("a == 1 and b == 2 AND c == 3", "(and (= .a 1) (= .b 2) (= .c 3))"),
    SyntaxRow("a == 1 && b == 2", "(and (= .a 1) (= .b 2))"),
    SyntaxRow("a == 1 oR b == 2 || c == 3", "(or (= .a 1) (= .b 2) (= .c 3))"),
    SyntaxRow("a == 1 OR b == 2 AND c == 3", "(or (= .a 1) (and (= .b 2) (= .c 3)))"),
    SyntaxRow("a == 1 AND b == 2 OR c == 3", "(or (and (= .a 1) (= .b 2)) (= .c 3))"),
    SyntaxRow("(a == 1 OR b == 2) AND c == 3", "(and (or (= .a 1) (= .b 2)) (= .c 3))"),
    SyntaxRow("a == 1 AND (b == 2 AND c == 3)", "(and (= .a 1) (= .b 2) (= .c 3))"),
    SyntaxRow("(a == 1 OR b == 2) OR (c == 3 OR d == 4)", "(or (= .a 1) (= .b 2) (= .c 3) (= .d 4))"),
    SyntaxRow("NOT a == 1 AND b == 2", "(and (not (= .a 1)) (= .b 2))"),
    SyntaxRow("!a == 1", "(not (= .a 1))"),
    SyntaxRow("not ! NOT TRUEPREDICATE", "(not (not (not TRUE)))"),
    SyntaxRow("NOT (a == 1 OR b == 2)", "(not (or (= .a 1) (= .b 2)))"),
    SyntaxRow("((a == 1))", "(= .a 1)"),
    SyntaxRow("(NOT a == 1)", "(not (= .a 1))"),
  ]

  @Test("logic and precedence", arguments: logic) func logical(_ row: SyntaxRow) throws { try check(row) }

  static let arithmetic: [SyntaxRow] = [
    SyntaxRow("a + 1 == 2", "(= (+ .a 1) 2)"),
    SyntaxRow("a - b * c + 1 == 2", "(= (+ (- .a (* .b .c)) 1) 2)"),
    SyntaxRow("a / b / c > d - e - f", "(> (/ (/ .a .b) .c) (- (- .d .e) .f))"),
    SyntaxRow("(a + b) * c == 2", "(= (* (+ .a .b) .c) 2)"),
    SyntaxRow("((a)) == ((1))", "(= .a 1)"),
    SyntaxRow("((a) + (b)) == 1 AND c == 2", "(and (= (+ .a .b) 1) (= .c 2))"),
    SyntaxRow("(a) == 1", "(= .a 1)"),
    SyntaxRow("(a + 1 == 2)", "(= (+ .a 1) 2)"),
    SyntaxRow("((a + 1) == 2)", "(= (+ .a 1) 2)"),
    SyntaxRow("1 + 2 * 2 == a", "(= (+ 1 (* 2 2)) .a)"),
    SyntaxRow("a == (b + 1) * 2", "(= .a (* (+ .b 1) 2))"),
    SyntaxRow("a-1 == 2", "(= .a-1 2)"),
    SyntaxRow("a - 1 == 2", "(= (- .a 1) 2)"),
    SyntaxRow("{1, 2} * 2 == a", "(= (* {1, 2} 2) .a)"),
  ]

  @Test("arithmetic", arguments: arithmetic) func arithmetical(_ row: SyntaxRow) throws { try check(row) }

  static let paths: [SyntaxRow] = [
    SyntaxRow("a.b.c == 1", "(= .a.b.c 1)"),
    SyntaxRow("a[0].b[FIRST].c[last].d[*] == 1", "(= .a[0].b[0].c[last].d[*] 1)"),
    SyntaxRow("a[\"k 1\"].b['k2'] == 1", "(= .a[\"k 1\"].b[\"k2\"] 1)"),
    SyntaxRow("a[\"k\"].b == 1", "(= .a.k.b 1)", .reference),
    SyntaxRow("a[\"@keys\"] == 1", "(= .a.keys() 1)", .reference),
    SyntaxRow("a[\"@keys\"] == 1", "(= .a[\"@keys\"] 1)"),
    SyntaxRow("a[$0][$12] == 1", "(= .a[$0][$12] 1)"),
    SyntaxRow("$K0 == 1", "(= $K0 1)"),
    SyntaxRow("ANY $K3.@count == 1", "(= ANY $K3#@count 1)"),
    SyntaxRow("a.@count == 1", "(= .a#@count 1)"),
    SyntaxRow("a.@size == 1", "(= .a#@size 1)"),
    SyntaxRow("a[SIZE] == 1", "(= .a#SIZE 1)"),
    SyntaxRow("a.size == 1", "(= .a.size 1)"),
    SyntaxRow("a.@type == 'int'", "(= .a#@type \"int\")"),
    SyntaxRow("a.@keys == 'x'", "(= .a.keys() \"x\")"),
    SyntaxRow("a.@values.b == 1", "(= .a.values().b 1)"),
    SyntaxRow("ANY a.b == 1", "(= ANY .a.b 1)"),
    SyntaxRow("some a == 1", "(= ANY .a 1)"),
    SyntaxRow("ALL a[*].@count == 1", "(= ALL .a[*]#@count 1)"),
    SyntaxRow("none a == 1", "(= NONE .a 1)"),
    SyntaxRow("a.@min == 1", "(= .a.@min 1)"),
    SyntaxRow("a.b.@max.c == 1", "(= .a.b.@max.c 1)"),
    SyntaxRow("a.@sum > a.@avg.b", "(> .a.@sum .a.@avg.b)"),
    SyntaxRow("@links.Person.dogs.name == 'x'", "(= .links(Person, dogs).name \"x\")"),
    SyntaxRow("boss.@links.Person.boss.@count == 2", "(= .boss.links(Person, boss)#@count 2)"),
    SyntaxRow("@links.Person.dogs.@avg.age == 2", "(= .links(Person, dogs).@avg.age 2)"),
    SyntaxRow("@links.@count == 2", "(= .links()#@count 2)"),
    SyntaxRow("a.@links.@count == 2", "(= .a.links()#@count 2)"),
    SyntaxRow("@links.Person == 2", "(= .links(Person, Person) 2)"),
    SyntaxRow("@links.in.any1 == 2", "(= .links(in, any1) 2)"),
    SyntaxRow("in IN limit", "(in .in .limit)"),
    SyntaxRow("contains CONTAINS contains.like", "(contains .contains .contains.like)"),
    SyntaxRow(
      "sort.distinct.asc.desc.text.between.endswith == 1", "(= .sort.distinct.asc.desc.text.between.endswith 1)"),
    SyntaxRow("first.last.size == 1", "(= .first.last.size 1)"),
    SyntaxRow("binary == bin.x", "(= .binary .bin.x)"),
    SyntaxRow("Not == TRUe", "(= .Not .TRUe)"),
    SyntaxRow("first\\ name == 1", "(= .first name 1)"),
    SyntaxRow("größe.犬$x_1-a == 1", "(= .größe.犬$x_1-a 1)"),
    SyntaxRow("`any`.`all x`.` a``b ` == `1`", "(= .any.all x. a`b  .1)"),
    SyntaxRow("`@links`.@keys == 1", "(= .@links.keys() 1)"),
    SyntaxRow("@links.`Odd Class`.`p.q` == 1", "(= .links(Odd Class, p.q) 1)"),
    SyntaxRow("$x.a == 1", "(= .$x.a 1)"),
    SyntaxRow("$ == 1", "(= .$ 1)"),
    SyntaxRow("$0-1 == 1", "(= .$0-1 1)"),
  ]

  @Test("key paths", arguments: paths) func path(_ row: SyntaxRow) throws { try check(row) }

  static let others: [SyntaxRow] = [
    SyntaxRow("a == ANY {1}", "(= .a ANY {1})"),
    SyntaxRow("a > ALL {20, 30.5, 'x', null}", "(> .a ALL {20, 30.5, \"x\", null})"),
    SyntaxRow("a == NONE {}", "(= .a NONE {})"),
    SyntaxRow("a == {,1}", "(= .a {1})"),
    SyntaxRow("a IN ANY $0", "(in .a ANY $0)"),
    SyntaxRow("ANY $0 == a", "(= ANY $0 .a)"),
    SyntaxRow("a IN {ANY $0, $1}", "(in .a {ANY $0, $1})"),
    SyntaxRow("{1, 2} == a", "(= {1, 2} .a)"),
    SyntaxRow("ALL {1, 2} == a", "(= ALL {1, 2} .a)"),
    SyntaxRow("a == obj(\"Person\", 1)", "(= .a obj(Person, 1))"),
    SyntaxRow("a == OBJ('class_Person', 'x')", "(= .a obj(class_Person, \"x\"))"),
    SyntaxRow("a == obj('P', $1)", "(= .a obj(P, $1))"),
    SyntaxRow("a == obj('P', oid(507f1f77bcf86cd799439011))", "(= .a obj(P, oid 507f1f77bcf86cd7-99439011))"),
    SyntaxRow("a == O5", "(= .a key 5)"),
    SyntaxRow("a == L3:5", "(= .a key 3:5)"),
    SyntaxRow("SUBQUERY(dogs, $d, $d.age > 2).@count > 0", "(> (subquery .dogs $d (> .$d.age 2)) 0)"),
    SyntaxRow("subquery(a.b, x, TRUEPREDICATE).@size == 0", "(= (subquery .a.b x TRUE) 0)"),
    SyntaxRow(
      "SUBQUERY(@links.P.d, $d, SUBQUERY($d.e, $e, $e.f == 1 OR g == 2).@count == 1 AND h == 1).@count == 0",
      "(= (subquery .links(P, d) $d (and (= (subquery .$d.e $e (or (= .$e.f 1) (= .g 2))) 1) (= .h 1))) 0)"),
    SyntaxRow("a GEOWITHIN $1", "(within .a $1)"),
    SyntaxRow("a.b geoWithin geoBox([0, 0], [1, -1.5])", "(within .a.b box([0.0 0.0] [1.0 -1.5]))"),
    SyntaxRow("a GEOWITHIN geoCircle([$0, 0.3, 5.5], $1)", "(within .a circle([$0 0.3 5.5] $1))"),
    SyntaxRow(
      "a GEOWITHIN geoPolygon({[0, 0], [1, 0]}, {[2, 2]})", "(within .a polygon({[0.0 0.0] [1.0 0.0]} {[2.0 2.0]}))"),
    SyntaxRow("TRUEPREDICATE SORT(a ASC)", "TRUE sort(.a true)"),
    SyntaxRow(
      "TRUEPREDICATE sort(a.b ascending, c[\"k\"] DESCENDING, asc desc)",
      "TRUE sort(.a.b true, .c[\"k\"] false, .asc false)"),
    SyntaxRow(
      "a == 1 LIMIT(4) SORT(a DESC) DISTINCT(a, b.c) LIMIT(0)",
      "(= .a 1) limit(4) sort(.a false) distinct(.a, .b.c) limit(0)"),
    SyntaxRow("TRUEPREDICATE LIMIT($2)", "TRUE limit($2)"),
    SyntaxRow("TRUEPREDICATE LIMIT(010)", "TRUE limit(10)"),
    SyntaxRow("TRUEPREDICATE LIMIT(010)", "TRUE limit(8)", .reference),
    SyntaxRow("TRUEPREDICATE SORT($K0 ASC)", "TRUE sort($K0 true)"),
    SyntaxRow("a == limit LIMIT(1)", "(= .a .limit) limit(1)"),
    SyntaxRow("\t a\n==\r1 ", "(= .a 1)"),
  ]

  @Test("lists, links, subqueries, regions, ordering", arguments: others) func other(_ row: SyntaxRow) throws {
    try check(row)
  }

  @Test("key path arguments are names between points") func keyPathArguments() throws {
    func text(_ argument: String) throws -> String {
      try SyntaxText.text(PathSyntax(keyPathArgument: argument, range: SourceRange(0, 3)))
    }
    #expect(try text("boss.name") == ".boss.name")
    #expect(try text("any") == ".any")
    #expect(try text("@links.Person.dogs.name") == ".links(Person, dogs).name")
    #expect(try text("attrs.@keys") == ".attrs.keys()")
    #expect(try text("") == ".")
    #expect(try text("a[0]..b") == ".a[0]..b")
  }

  @Test("columns are properties and aggregates") func columns() throws {
    #expect(SyntaxText.text(try RQL.parseKeyPath("boss.dogs.@count")) == ".boss.dogs#@count")
    #expect(SyntaxText.text(try RQL.parseKeyPath("dogs.@max.age")) == ".dogs.@max.age")
    #expect(SyntaxText.text(try RQL.parseKeyPath("`any`")) == ".any")
    for text in ["", "1", "a == 1", "ANY a", "a,b", "$K0"] {
      #expect(throws: QueryError.self) { try RQL.parseKeyPath(text) }
    }
  }

  @Test("every node knows its place") func places() throws {
    let text = "name ==[c] \"é\" AND SUBQUERY(dogs, $d, $d.age > 2).@count > 0 SORT(boss.name ASC)"
    let query = try RQL.parse(text)
    func part(_ range: SourceRange) -> String {
      String(decoding: Array(text.utf8)[range.start..<range.end], as: UTF8.self)
    }
    guard case .and(let terms, let range) = query.predicate, terms.count == 2,
      case .comparison(let equality) = terms[0], case .comparison(let count) = terms[1],
      case .subquery(let subquery) = count.left, case .property(let name) = equality.left
    else {
      Issue.record("another tree")
      return
    }
    #expect(part(range) == "name ==[c] \"é\" AND SUBQUERY(dogs, $d, $d.age > 2).@count > 0")
    #expect(part(equality.range) == "name ==[c] \"é\"")
    #expect(part(equality.operatorRange) == "==[c]")
    #expect(part(equality.right.range) == "\"é\"")
    #expect(part(name.path.elements[0].range) == "name")
    #expect(part(subquery.range) == "SUBQUERY(dogs, $d, $d.age > 2).@count")
    #expect(part(subquery.variable.range) == "$d")
    #expect(part(subquery.predicate.range) == "$d.age > 2")
    #expect(query.steps.map { part($0.range) } == ["SORT(boss.name ASC)"])
  }
}
