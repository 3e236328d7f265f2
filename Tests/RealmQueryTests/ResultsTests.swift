import RealmQuery
import RealmStorage
import TestSupport
import Testing

/// What an app gets: objects chosen, sorted and added up.
@Suite struct ResultsTests {
  private let folder: TemporaryFolder
  private let path: String
  private let realm: Realm

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write("queries.realm", QueryRealm().bytes)
    realm = try Realm.open(at: path)
  }

  private func untouched() throws -> Bool { try Fixture.bytes(ofFile: path) == QueryRealm().bytes }

  /// As in `Fixtures/queries/reference.txt`.
  private static func names(_ objects: RealmObjects) throws -> [String] {
    try objects.all(columns: objects.schema.primaryKey.map { ["\($0.name)"] } ?? []).map { object in
      switch object.values.first {
      case .int(let number)?: "\(number)"
      case .string(let text)?: "\(text)"
      default: "#\(object.key.rawValue)"
      }
    }
  }

  private static func values(_ arguments: [QueryArgument]) -> [Value]? {
    var values: [Value] = []
    for argument in arguments {
      switch argument {
      case .value(let value): values.append(value)
      case .list(let list):
        guard let elements = Self.values(list) else { return nil }
        values.append(.list(elements))
      default: return nil
      }
    }
    return values
  }

  @Test("queries give what the reference engine gives, of all objects and of chosen ones") func reference() throws {
    var (compared, differences) = (0, [String]())
    for query in try ReferenceQuery.all() {
      let arguments = try query.arguments.map { try QueryArgument.arguments(json: $0) } ?? []
      guard let values = Self.values(arguments) else { continue }
      let objects = try realm.objects(query.className)
      for part in [objects, try objects.filter("TRUEPREDICATE")] {
        let found: ReferenceQuery.Answer
        do throws(RealmError) {
          let result = try part.filter(query.text, arguments: values)
          found = .objects(try! Self.names(result))
        } catch {
          guard case .error = query.answer, error.kind == .query else {
            differences.append("\(query): \(error)")
            continue
          }
          continue
        }
        compared += 1
        if found != query.answer { differences.append("\(query): \(found), not \(query.answer)") }
      }
    }
    #expect(compared > 500)
    #expect(differences == [])
    #expect(try untouched())
  }

  @Test("arguments are values of Swift") func arguments() throws {
    let people = try realm.objects("Person")
    let ages = try people.all().compactMap { $0["age"]?.intValue }.sorted()
    let middle = ages[ages.count / 2]
    #expect(try people.filter("age > $0", middle).count() == ages.count { $0 > middle })
    #expect(try people.filter("age IN $0", [ages[0], middle]).count() == ages.count { $0 == ages[0] || $0 == middle })
    #expect(try people.filter("age == $0", Int64?.none).count() == people.all().count { $0["age"] == .null })
    func kind(_ body: () throws(RealmError) -> Void) -> RealmError.Kind? {
      do { try body() } catch { return error.kind }
      return nil
    }
    #expect(kind { () throws(RealmError) in _ = try people.filter("age > $0") } == .query)
    #expect(kind { () throws(RealmError) in _ = try people.filter("age >") } == .query)
    #expect(kind { () throws(RealmError) in _ = try people.filter("size > 1") } == .query)
    #expect(kind { () throws(RealmError) in _ = try people.filter("age > $0", "x") } == .query)
    #expect(kind { () throws(RealmError) in _ = try people.sorted(by: "size") } == .query)
    #expect(kind { () throws(RealmError) in _ = try people.sum(of: "name") } == .query)
    #expect(try untouched())
  }

  @Test("sorting, the first ones and aggregates are those of a plain model") func model() throws {
    let people = try realm.objects("Person")
    let all = try people.all()
    let property = "age"
    let sorted = all.enumerated().sorted { left, right in
      let (a, b) = (left.element[property]?.intValue ?? .min, right.element[property]?.intValue ?? .min)
      return a == b ? left.offset < right.offset : a < b
    }.map(\.element.key)
    #expect(try people.sorted(by: property).all().map(\.key) == sorted)
    #expect(try people.sorted(by: property).prefix(3).all().map(\.key) == Array(sorted.prefix(3)))
    #expect(try people.prefix(4).all().map(\.key) == all.prefix(4).map(\.key))
    #expect(try people.prefix(0).count() == 0 && people.prefix(-1).count() == 0)
    #expect(try people.prefix(1_000_000).count() == all.count)
    // The second order holds among equals.
    let twice = try people.sorted(by: property, ascending: false).sorted(by: "name").all()
    for (left, right) in zip(twice, twice.dropFirst()) where left["name"] == right["name"] {
      #expect((left[property]?.intValue ?? .min) >= (right[property]?.intValue ?? .min))
    }
    for chosen in [people, try people.filter("age > 20"), try people.filter("FALSEPREDICATE")] {
      let ages = try chosen.all().compactMap { $0[property]?.intValue }
      #expect(try chosen.min(of: property) == ages.min().map(Value.int) ?? .null)
      #expect(try chosen.max(of: property) == ages.max().map(Value.int) ?? .null)
      #expect(try chosen.sum(of: property) == .int(ages.reduce(0, +)))
      let average = ages.isEmpty ? Value.null : .double(Double(ages.reduce(0, +)) / Double(ages.count))
      #expect(try chosen.average(of: property) == average)
    }
    #expect(try untouched())
  }

  @Test("links are arguments, and results are filtered on") func links() throws {
    let path = Fixture.path("engine/deep-tree.realm")
    try leavingUntouched(path) { path in
      let items = try Realm.open(at: path).objects("Item")
      let linked = try #require(try items.all().first { $0["next"] != .null }?.link("next"))
      let found = try items.filter("next == $0", linked.reference)
      #expect(try found.all().map(\.key) == linked.backlinks("Item.next").all().map(\.key).sorted())
      let some = try items.sorted(by: "n", ascending: false).filter("parity == $0", true).prefix(50)
      let numbers = try some.all(columns: ["n"]).compactMap { $0["n"]?.intValue }
      #expect(numbers == numbers.sorted(by: >) && numbers.count == 50)
      #expect(try some.filter("n > $0", numbers[9]).count() == numbers.count { $0 > numbers[9] })
      #expect(try items.sorted(by: "next.n").count() == items.count())
    }
  }

  @Test("what is found in a state that is gone is refused") func changed() throws {
    let objects = try realm.objects("Person")
    _ = try Realm.write(at: path) { try $0.create("Dog", primaryKey: "Zoe").key }
    do throws(RealmError) {
      _ = try objects.filter("age > 1")
      Issue.record("it was read after a commit")
    } catch { #expect(error.kind == .changed) }
  }
}
