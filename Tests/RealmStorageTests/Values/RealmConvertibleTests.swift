import RealmStorage
import Testing

@Suite struct RealmConvertibleTests {
  private enum Size: String, RealmConvertible { case small, large }

  private func problem(of body: () throws -> Void) -> ValueMismatch? {
    do { try body() } catch { return error as? ValueMismatch }
    return nil
  }

  private func expectKept<Item: RealmConvertible & Equatable>(_ item: Item, _ value: Value) throws {
    #expect(item.realmValue == value)
    let again = try Item(realmValue: value)
    #expect(again == item)
  }

  @Test("values of every type become themselves again") func values() throws {
    try expectKept(3, .int(3))
    try expectKept(Int8.min, .int(-128))
    try expectKept(UInt32.max, .int(4_294_967_295))
    try expectKept(true, .bool(true))
    try expectKept(Float(0.1), .float(0.1))
    try expectKept(0.1, .double(0.1))
    try expectKept("Rex", "Rex")
    try expectKept(RealmString(utf8: [0xff]), .string(RealmString(utf8: [0xff])))
    try expectKept(Timestamp(seconds: 1, nanoseconds: 2), .date(Timestamp(seconds: 1, nanoseconds: 2)))
    try expectKept(Decimal128(low: 1, high: 2), .decimal(Decimal128(low: 1, high: 2)))
    try expectKept(ObjectID(head: 1, tail: 2), .objectID(ObjectID(head: 1, tail: 2)))
    try expectKept(RealmUUID(head: 1, tail: 2), .uuid(RealmUUID(head: 1, tail: 2)))
    try expectKept(Value.bool(true), .bool(true))
    try expectKept(Size.large, "large")
    try expectKept(Int?.none, .null)
    try expectKept(Int?.some(3), .int(3))
    try expectKept(Value?.none, .null)
    try expectKept([3, nil, 1], .list([.int(3), .null, .int(1)]))
    try expectKept([Size.small], .list(["small"]))
    try expectKept([UInt8(1), 2], .data([1, 2]))
    try expectKept([[UInt8(1)], []], .list([.data([1]), .data([])]))
    try expectKept(Set(["a"]), .set(["a"]))
    try expectKept(["a": [1]], .dictionary(["a": .list([.int(1)])]))
    #expect(try [Int](realmValue: .set([.int(2), .int(1)])) == [2, 1])
    #expect(try [UInt8](realmValue: .list([.int(2), .int(255)])) == [2, 255])
  }

  @Test("null, another type and what does not fit are told apart") func mismatches() {
    #expect(problem { _ = try Int(realmValue: .null) }?.problem == .null)
    #expect(problem { _ = try Int(realmValue: "3") }?.problem == .type(found: "string"))
    #expect(problem { _ = try Double(realmValue: .float(1)) }?.problem == .type(found: "float"))
    #expect(problem { _ = try Double(realmValue: .int(1)) }?.problem == .type(found: "int"))
    #expect(problem { _ = try Int8(realmValue: .int(128)) }?.problem == .outOfRange(.int(128)))
    #expect(problem { _ = try UInt16(realmValue: .int(-1)) }?.problem == .outOfRange(.int(-1)))
    #expect(problem { _ = try Size(realmValue: "medium") }?.problem == .outOfRange("medium"))
    #expect(problem { _ = try String(realmValue: .string(RealmString(utf8: [0xff]))) }?.problem == .notText)
    #expect(problem { _ = try Set<Int>(realmValue: .list([])) }?.problem == .type(found: "list"))
    #expect(problem { _ = try Int?(realmValue: .bool(true)) }?.problem == .type(found: "bool"))
    // Bytes that differ, and one text to Swift.
    let same: Value = .set(["\u{e9}", "e\u{301}"])
    #expect(problem { _ = try Set<String>(realmValue: same) }?.problem == .notDistinct)
    #expect((try? Set<RealmString>(realmValue: same))?.count == 2)
    #expect(
      problem { _ = try [String: Int](realmValue: .dictionary(["\u{e9}": .int(1), "e\u{301}": .int(2)])) }?.problem
        == .notDistinct)
  }

  @Test("an error names the place, what was expected and what was found") func words() {
    let nested: Value = .list([.dictionary(["a": .int(1), "b": .null])])
    #expect(
      problem { _ = try [[String: Int]](realmValue: nested) }?.description == "'[0][\"b\"]' is null, expected Int")
    #expect(
      problem { _ = try [UInt8](realmValue: .list([.int(1), .int(256)])) }?.description
        == "'[1]' is 256, which is not a possible UInt8")
    #expect(
      ValueMismatch(.absent(names: ["name", "age"]), expected: Int.self, at: "years").description
        == "'years' does not exist; there are age, name")
  }
}
