import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// Lists so long that not each value is compared with each, and objects that many links lead to.
@Suite struct LongListTests {
  /// People with two lists of people each, of any length up to 60.
  private struct Crowd {
    var ages: [Int] = []
    var points: [Int?] = []
    var scores: [Double] = []
    var friends: [[Int]] = []
    var rivals: [[Int]] = []

    init(_ count: Int, seed: UInt64) {
      var generator = SeededGenerator(seed: seed)
      func list() -> [Int] {
        let first = Int.random(in: 0..<count, using: &generator)
        let width = [1, 4, count].randomElement(using: &generator) ?? 1
        let length = [0, 1, 3, 15, 16, 17, 60].randomElement(using: &generator) ?? 0
        return (0..<length).map { _ in (first + Int.random(in: 0..<width, using: &generator)) % count }
      }
      for number in 0..<count {
        ages.append(number / 3)
        points.append(Bool.random(using: &generator) ? Int.random(in: 0..<20, using: &generator) : nil)
        scores.append(Double(Int.random(in: 0..<60, using: &generator)) / 2)
        friends.append(list())
        rivals.append(list())
      }
    }

    func realm() throws -> QueryRealm {
      func text(_ list: [Int]) -> String { "[\(list.map(String.init).joined(separator: ","))]" }
      let people = ages.indices.map { number in
        #"{"id":\#(number),"age":\#(ages[number]),"points":\#(points[number].map(String.init) ?? "null"),"#
          + #""score":\#(scores[number]),"friends":\#(text(friends[number])),"rivals":\#(text(rivals[number]))}"#
      }
      return try QueryRealm(
        schema: """
          [{"name":"P","primaryKey":"id","properties":
            {"id":"int","age":"int","points":"int?","score":"double","friends":"P[]","rivals":"P[]"}}]
          """, data: #"{"P":[\#(people.joined(separator: ","))]}"#)
    }

    func values(_ property: String, of people: [Int]) -> [Double?] {
      people.map { person in
        switch property {
        case "age": Double(ages[person])
        case "points": points[person].map(Double.init)
        default: scores[person]
        }
      }
    }
  }

  private static func holds(_ comparison: String, _ left: Double?, _ right: Double?) -> Bool {
    switch (comparison, left, right) {
    case ("==", _, _): left == right
    case ("!=", _, _): left != right
    case ("<=", nil, nil), (">=", nil, nil): true
    case ("<", let left?, let right?): left < right
    case ("<=", let left?, let right?): left <= right
    case (">", let left?, let right?): left > right
    case (">=", let left?, let right?): left >= right
    default: false
    }
  }

  private static func holds(_ quantifier: String, _ values: [Double?], _ body: (Double?) -> Bool) -> Bool {
    switch quantifier {
    case "ANY": values.contains(where: body)
    case "ALL": values.allSatisfy(body)
    default: !values.contains(where: body)
    }
  }

  @Test("two lists are compared as if each value met each", arguments: 1...3 as ClosedRange<UInt64>)
  func eachWithEach(_ seed: UInt64) throws {
    let crowd = Crowd(60, seed: seed)
    let realm = try crowd.realm()
    let table = try realm.table("P")
    for (leftName, rightName) in [("age", "age"), ("points", "points"), ("score", "points"), ("points", "score")] {
      for comparison in ["==", "!=", "<", "<=", ">", ">="] {
        for leftQuantifier in ["ANY", "ALL", "NONE"] {
          for rightQuantifier in ["ANY", "ALL", "NONE"] {
            let text = "\(leftQuantifier) friends.\(leftName) \(comparison) \(rightQuantifier) rivals.\(rightName)"
            let expected = crowd.ages.indices.filter { person in
              let left = crowd.values(leftName, of: crowd.friends[person])
              let right = crowd.values(rightName, of: crowd.rivals[person])
              return Self.holds(leftQuantifier, left) { value in
                Self.holds(rightQuantifier, right) { Self.holds(comparison, value, $0) }
              }
            }
            let found = try Query(text, of: table, in: realm.snapshot).keys().keys.map { Int($0.rawValue) }
            #expect(found == expected, "\(text)")
          }
        }
      }
    }
  }

  @Test("values that have no strict order together are compared with each other") func mixed() throws {
    func ordered(_ values: [ValueView], _ others: [ValueView]) throws -> OrderedValues? {
      let test = ValueTest(
        comparator: .equal, isFolded: false, comparesTypes: false, excludesNaN: false, dialect: .standard)
      let realm = try QueryRealm()
      return try OrderedValues(
        values[...], comparedWith: others[...], test, realm.snapshot.collectionWalk(for: .query))
    }
    let ints = (0..<20).map { ValueView.int($0) }
    #expect(try ordered(ints, ints) != nil)
    #expect(try ordered(ints + [.null, .double(0.5)], [.float(2)]) != nil)
    #expect(try ordered(ints, [.double(.nan)]) == nil)
    #expect(try ordered(ints + [.bool(true)], ints) == nil)
    let decimal = try #require(DecimalReading(text: "1.5")).decimal
    #expect(try ordered(ints, [.decimal(decimal)]) == nil)
  }

  @Test("what links lead to is counted, also where keys have gaps", arguments: [false, true])
  func counts(_ hasGaps: Bool) throws {
    let crowd = Crowd(700, seed: 5)
    var realm = try crowd.realm()
    var isThere = Array(repeating: true, count: crowd.ages.count)
    if hasGaps {
      let folder = try TemporaryFolder()
      let path = try folder.write("app.realm", realm.bytes)
      try Realm.write(at: path) { tx in
        let many = try tx.objects("P").filter("age < 90 AND NOT age IN {3, 50, 51, 88}").delete()
        let few = try tx.objects("P").filter("age IN {150, 170, 200}").delete()
        #expect(many == 258)
        #expect(few == 9)
      }
      for person in isThere.indices {
        let age = crowd.ages[person]
        isThere[person] = (age >= 90 || [3, 50, 51, 88].contains(age)) && ![150, 170, 200].contains(age)
      }
      let bytes = try Fixture.bytes(ofFile: path)
      #expect(try CheckResult(of: bytes).faults == [])
      realm = try QueryRealm(bytes: bytes)
    }
    let table = try realm.table("P")
    let people = crowd.ages.indices.filter { isThere[$0] }
    let friends = crowd.friends.map { $0.filter { isThere[$0] } }
    var incoming = Array(repeating: 0, count: crowd.ages.count)
    var all = incoming
    for person in people {
      for friend in friends[person] { incoming[friend] += 1 }
      for other in friends[person] + crowd.rivals[person].filter({ isThere[$0] }) { all[other] += 1 }
    }
    for options in [QueryOptions(), QueryOptions(threadCount: 2)] {
      func check(_ text: String, _ holds: (Int) -> Bool) throws {
        let found = try Query(text, of: table, in: realm.snapshot).keys(options).keys.map { Int($0.rawValue) }
        #expect(found == people.filter(holds), "\(text)")
      }
      for number in [0, 1, 2, 16, 40] {
        try check("@links.P.friends.@count > \(number)") { incoming[$0] > number }
        try check("\(number) == @links.P.friends.@count") { incoming[$0] == number }
        try check("@links.@count <= \(number)") { all[$0] <= number }
        try check("SUBQUERY(friends, $x, $x.age > 100 AND $x.points != null).@count > \(number)") { person in
          friends[person].count { crowd.ages[$0] > 100 && crowd.points[$0] != nil } > number
        }
        try check("SUBQUERY(friends, $x, $x.@links.P.friends.@count > 9).@count != \(number)") { person in
          friends[person].count { incoming[$0] > 9 } != number
        }
        try check("ALL friends.age > \(number * 5)") { person in
          friends[person].allSatisfy { crowd.ages[$0] > number * 5 }
        }
      }
    }
  }

  // MARK: - Interruption

  private struct Stopped: Error {}

  /// One object with two lists that many values long.
  private static func long(_ count: Int) throws -> QueryRealm {
    let decimals = (0..<count).map { #""\#($0).5""# }.joined(separator: ",")
    let texts = (0..<count).map { #""t\#($0)""# }.joined(separator: ",")
    let objects = (0..<count).map { #"{"id":\#($0),"amount":"\#($0).25"}"# }.joined(separator: ",")
    let links = (0..<count).map(String.init).joined(separator: ",")
    return try QueryRealm(
      schema: """
        [{"name":"Hub","primaryKey":"id","properties":{"id":"int","amounts":"decimal128[]","texts":"string[]","leaves":"Leaf[]"}},
         {"name":"Leaf","primaryKey":"id","properties":{"id":"int","amount":"decimal128"}}]
        """,
      data:
        #"{"Leaf":[\#(objects)],"Hub":[{"id":0,"amounts":[\#(decimals)],"texts":[\#(texts)],"leaves":[\#(links)]}]}"#)
  }

  @Test(
    "a query ends while it looks at one object",
    arguments: ["ANY amounts == leaves.amount", "leaves.amount == ANY amounts"])
  func endsInside(_ text: String) throws {
    let realm = try Self.long(1100)
    let query = try Query(text, of: realm.table("Hub"), in: realm.snapshot)
    let hubs = try #require(try realm.first("Hub"))
    #expect(throws: Stopped.self) { try query.matcher(check: { throw Stopped() }).matches(hubs, 0) }
    #expect(throws: Stopped.self) { try query.count(QueryOptions { _ in throw Stopped() }) }
    #expect(try query.count().count == 0)
  }

  @Test("sorting and grouping end as well") func endsAfterwards() throws {
    let realm = try Self.long(9000)
    let table = try realm.table("Leaf")
    for text in ["SORT(amount DESC)", "DISTINCT(amount)"] {
      let query = try Query("TRUEPREDICATE \(text)", of: table, in: realm.snapshot)
      let walked = Calls()
      // All calls of the walk come before those of the sort.
      _ = try Query("TRUEPREDICATE", of: table, in: realm.snapshot).count(QueryOptions { _ in _ = walked.next() })
      let calls = Calls()
      let most = walked.count
      #expect(throws: Stopped.self) {
        try query.keys(QueryOptions { _ in if calls.next() > most { throw Stopped() } })
      }
    }
  }

  @Test("comparing each with each counts as work") func workLimit() throws {
    let realm = try Self.long(1100)
    let query = try Query("ANY amounts == leaves.amount", of: realm.table("Hub"), in: realm.snapshot)
    realm.snapshot.workLimit = 1_000_000
    #expect(throws: StorageError.limitReached(.query, byteCount: 1_000_000)) { try query.count() }
    realm.snapshot.workLimit = 2_000_000
    #expect(try query.count().count == 0)
  }

  private final class Calls: @unchecked Sendable {
    private(set) var count = 0
    func next() -> Int {
      count += 1
      return count
    }
  }
}

extension QueryRealm {
  /// The first objects of a class.
  fileprivate func first(_ name: String) throws -> ObjectBatch? {
    var batches = try table(name).batches()
    guard case .batch(let batch)? = batches.next() else { return nil }
    return batch
  }
}
