import TestSupport
import Testing

@testable import RealmStorage

/// Search indexes that are changed in place.
@Suite struct IndexEditorTests {
  /// A property, and values that meet in the chunks of an index in many ways.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let property: Property
    let values: [Value]

    init(
      _ name: String, _ type: PropertyType, _ collection: CollectionKind? = nil, isOptional: Bool = false,
      _ index: IndexKind = .general, values: [Value]
    ) {
      self.name = name
      property = Property(name: "p", type: type, collection: collection, isOptional: isOptional, index: index)
      self.values = values
    }

    var testDescription: String { name }
  }

  static let texts: [Value] = [
    "", "a", "ab", "abc", "abcd", "abcX", "abcdX", "abcdefgh", "abcdefghX", "abcdefghi", "X", "XXXX", "XXXXX", "\0",
    "abc\0", "\0\0\0\0", "\0\0\0\0\0", "X\0\0\0", "abcX\0\0\0\0", "\u{e9}t\u{e9}", "zz",
  ]
  static let numbers: [Value] = (-3...30).map { .int($0) } + [.int(.min), .int(.max), .int(1 << 32), .int(5 << 32)]
  static let date = Value.date(Timestamp(seconds: 7, nanoseconds: 0))
  static let mixed: [Value] =
    texts + numbers + [
      .null, .bool(true), .bool(false), .float(1), .double(1), .double(1.5), .float(.nan), .double(.nan), date,
      .decimal(Decimal128(coefficient: 15, exponent: -1, isNegative: false)),
      .decimal(Decimal128(coefficient: 1, exponent: 0, isNegative: false)),
      .decimal(Decimal128(coefficient: 10, exponent: -1, isNegative: false)), .data([]), .data(Array("abcd".utf8)),
      .data([1, 0, 0, 0, 0, 0, 0, 0]), .list([.int(1)]), .list([]), .dictionary([:]), "__List__", "__Dictionary__",
      .uuid(RealmUUID(head: 1, tail: 2)), .objectID(ObjectID(head: 1, tail: 2)),
    ]
  static let sentences: [Value] = [
    "", "data", "data database", "database", "datum", "to be or not to be", "Be", "not", "nota bene", "realm realms",
    "na\u{ef}ve d\u{d7}", "\u{d7}", "123 1234 12345", "the data of the database", "a b c d e f g h i j k l m n o p",
  ]

  static let dates: [Value] = [0, 1, -1, 1 << 40].flatMap { (seconds: Int64) -> [Value] in
    [0, 5].map { .date(Timestamp(seconds: seconds, nanoseconds: seconds < 0 ? -$0 : $0)) }
  }
  static let objectIDs = (0..<20).map { Value.objectID(ObjectID(head: UInt64($0 / 4), tail: UInt32($0 % 4))) }
  static let uuids = (0..<20).map { Value.uuid(RealmUUID(head: UInt64($0 / 4), tail: UInt64($0 % 4))) }

  static let cases: [Case] = [
    Case("int", .int, values: numbers),
    Case("optional int", .int, isOptional: true, values: numbers + [.null]),
    Case("bool", .bool, values: [.bool(true), .bool(false)]),
    Case("string", .string, values: texts),
    Case("optional string", .string, isOptional: true, values: texts + [.null]),
    Case("date", .date, isOptional: true, values: dates + [.null]),
    Case("object ID", .objectID, values: objectIDs),
    Case("UUID", .uuid, isOptional: true, values: uuids + [.null]),
    Case("mixed", .mixed, isOptional: true, values: mixed),
    Case("full text", .string, isOptional: true, .fullText, values: sentences + [.null]),
  ]

  @Test(arguments: cases) func `changes at random leave the index that is built anew`(_ item: Case) throws {
    try run(item, seed: 1) { $0 }
  }

  @Test(arguments: [false, true]) func `lists of texts`(isOptional: Bool) throws {
    var dice = SeededDice(seed: 3)
    let elements = Self.texts + (isOptional ? [Value.null] : [])
    let values = (0..<60).map { _ in Value.list((0..<dice.roll(6)).map { _ in dice.pick(elements) }) }
    try run(Case("list", .string, .list, isOptional: isOptional, values: values), seed: 4) { $0 }
  }

  @Test func `texts that agree in their first 200 bytes and more`() throws {
    let ends = ["", "a", "b", "abcdefgh", "abcdefghX", "z"]
    let values = [195, 196, 199, 200, 201, 203, 204, 205, 208, 300].flatMap { length in
      ends.map { Value.string(RealmString(String(repeating: "p", count: length) + $0)) }
    }
    // A list that was once of different strings stays where it is.
    try run(Case("long texts", .string, values: values), seed: 5) { $0.withoutLevelsOfOneList }
    try run(Case("long mixed texts", .mixed, isOptional: true, values: values + [.int(1)]), seed: 6) {
      $0.withoutLevelsOfOneList
    }
  }

  private func run(_ item: Case, seed: UInt64, _ normal: (IndexTests.Entry) -> IndexTests.Entry) throws {
    var dice = SeededDice(seed: seed)
    var realm = try IndexedRealm(item.property, (0..<40).map { _ in dice.pick(item.values) })
    for round in 0..<16 {
      // Grows, and shrinks to nothing.
      let (creates, deletes) = round < 8 ? (12, 4) : (2, 12)
      try realm.change { changes in
        for _ in 0..<creates { try changes.create(dice.pick(item.values)) }
        for _ in 0..<deletes where !changes.values.isEmpty {
          try changes.delete(dice.pick(changes.values.keys.sorted()))
        }
        for _ in 0..<10 where !changes.values.isEmpty {
          try changes.set(dice.pick(changes.values.keys.sorted()), dice.pick(item.values))
        }
      }
      try realm.check("\(item.name), round \(round)", normal)
    }
  }

  // MARK: Large ones

  @Test func `thousands of objects under one value come and go`() throws {
    // Enough objects that this number of changes is small.
    var realm = try IndexedRealm(
      Property(name: "p", type: .int, index: .general), (0..<30_000).map { .int($0 % 10 == 0 ? 7 : 8) })
    var dice = SeededDice(seed: 9)
    let others = realm.values.keys.filter { realm.values[$0] == 8 }.sorted()
    try realm.change { changes in
      for _ in 0..<1200 { try changes.set(dice.pick(others), 7) }
      for _ in 0..<300 { try changes.create(7) }
    }
    try realm.check("grown")
    while let first = realm.values.first(where: { $0.value == 7 })?.key {
      try realm.change { changes in
        var keys = changes.values.keys.filter { changes.values[$0] == 7 }.sorted()
        try changes.delete(first)
        keys.removeAll { $0 == first }
        for _ in 0..<min(900, keys.count) {
          let key = keys.remove(at: Int(dice.roll(UInt64(keys.count))))
          if dice.roll(2) == 0 {
            try changes.delete(key)
          } else {
            try changes.set(key, .int(Int64(dice.roll(5)) << 33))
          }
        }
      }
      try realm.check("shrunk to \(realm.values.values.count { $0 == 7 })")
    }
  }

  @Test(arguments: [0, 1, 2]) func `nodes of thousands of keys are cut, emptied and joined`(order: Int) throws {
    var dice = SeededDice(seed: 11)
    var realm = try IndexedRealm(
      Property(name: "p", type: .int, index: .general), (0..<20_000).map { .int(Int64($0) * 16 << 24) })
    var next: Int64 = 0
    for _ in 0..<3 {
      try realm.change { changes in
        for _ in 0..<1000 {
          next += 1
          let number = order == 0 ? 20_000 * 16 + next : order == 1 ? -next : Int64(dice.roll(20_000 * 16))
          try changes.create(.int(number << 24 | (order == 2 ? 1 : 0)))
        }
      }
      try realm.check("inserted in order \(order)")
    }
    for _ in 0..<5 {
      try realm.change { changes in
        var keys = changes.values.keys.sorted {
          changes.values[$0, default: 0].number < changes.values[$1, default: 0].number
        }
        for _ in 0..<1000 {
          let place = order == 0 ? keys.count - 1 : order == 1 ? 0 : Int(dice.roll(UInt64(keys.count)))
          try changes.delete(keys.remove(at: place))
        }
      }
      try realm.check("deleted in order \(order)")
    }
  }

  @Test func `one change among many objects writes little`() throws {
    var realm = try IndexedRealm(
      Property(name: "p", type: .string, index: .general),
      (0..<20_000).map { .string(RealmString("name \($0 &* 7919 % 20_000)")) })
    let key = try #require(realm.values.keys.min())
    let written = try realm.change { try $0.set(key, "another name") }
    #expect(written < 64 << 10)
    try realm.check("one change")
  }

  @Test func `long lists of different texts are not looked through again and again`() throws {
    let prefix = String(repeating: "p", count: 204)
    var realm = try IndexedRealm(
      Property(name: "p", type: .string, index: .general),
      (0..<2000).map { .string(RealmString(prefix + "\($0)")) })
    let keys = realm.values.keys.sorted()
    try realm.change { try $0.set(keys[5], .string(RealmString(prefix + "another"))) }
    try realm.check("one change")
    try realm.change(isInPlace: false) { changes in
      for key in keys[..<50] { try changes.set(key, .string(RealmString(prefix + "\(key.rawValue) again"))) }
      let column = try changes.table.column("p")
      #expect(try !column.isIndexStale && changes.table.indexes.edited(column, .values) == nil)
    }
    try realm.check("many changes")
  }

  @Test func `many changes build the index anew`() throws {
    var realm = try IndexedRealm(Property(name: "p", type: .int, index: .general), (0..<800).map { .int($0) })
    try realm.change(isInPlace: false) { changes in
      for key in changes.values.keys { try changes.set(key, 1) }
      let column = try changes.table.column("p")
      #expect(column.isIndexStale && column.indexChanges.isEmpty)
    }
    try realm.check("all changed")
    try realm.change(isInPlace: false) { changes in for key in changes.values.keys { try changes.delete(key) } }
    try realm.check("all deleted")
    try realm.change { try $0.create(5) }
    try realm.check("one again")
  }
}

extension IndexTests.Entry {
  /// Without the levels that lead to one list only.
  fileprivate var withoutLevelsOfOneList: Self {
    guard case .level(let entries) = self else { return self }
    let rest = entries.mapValues(\.withoutLevelsOfOneList)
    if rest.count == 1, case .list(let keys)? = rest.values.first { return .list(keys) }
    return .level(rest)
  }
}

extension Value {
  fileprivate var number: Int64 { if case .int(let number) = self { number } else { 0 } }
}
