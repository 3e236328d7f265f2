import Foundation
import RealmExchange
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport

/// A realm as an app leaves it after many commits: objects with links and collections, changed and deleted now and then.
struct SampleRealm {
  let objects: Int
  let key: EncryptionKey?

  private static let words = [
    "amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "islet", "juniper",
  ]

  /// - Parameter isCopy: whether it is a compacted copy of such a realm.
  func write(in folder: String, isCopy: Bool) throws -> String {
    let path = folder + "/app.realm"
    try create(path)
    var random = SeededGenerator(seed: 1)
    let people = objects * 2 / 5
    var keys: [ObjectKey] = []
    try commit(path) { transaction in
      let teams = try transaction.table("class_Team")
      for number in 0..<objects / 40 {
        let key = try teams.create(primaryKey: .string(RealmString("team-\(number)")))
        try teams.set("city", of: key, to: .string(RealmString(text(2, &random))))
      }
    }
    for first in stride(from: 0, to: people, by: 400) {
      try commit(path) { transaction in
        let table = try transaction.table("class_Person")
        for number in first..<min(first + 400, people) {
          let key = try table.create(primaryKey: .int(Int64(number) * 7 + 3))
          keys.append(key)
          try fill(
            key, number, table, try transaction.table("class_Address"), keys, teams: objects / 40,
            try transaction.table("class_Team").key, &random)
        }
      }
    }
    let messages = objects - people - objects / 40 - people / 2
    for first in stride(from: 0, to: messages, by: 500) {
      try commit(path) { transaction in
        let table = try transaction.table("class_Message")
        let person = try transaction.table("class_Person").key
        for number in first..<min(first + 500, messages) {
          let key = try table.create()
          try table.set("text", of: key, to: .string(RealmString(text(1 + number % 12, &random))))
          try table.set("sender", of: key, to: .link(person, keys[Int.random(in: 0..<keys.count, using: &random)]))
          try table.set(
            "sent", of: key, to: .date(Timestamp(seconds: 1_600_000_000 + Int64(number) * 61, nanoseconds: 0)))
          try table.set("marks", of: key, to: .set((0..<Int64(number % 4)).map { .int($0 * 3) }))
        }
      }
    }
    try change(path, keys, &random)
    guard isCopy else { return path }
    return try copy(path, to: folder + "/copy.realm")
  }

  private func text(_ count: Int, _ random: inout SeededGenerator) -> String {
    (0..<count).map { _ in Self.words[Int.random(in: 0..<Self.words.count, using: &random)] }.joined(separator: " ")
  }

  /// An empty realm with the schema.
  private func create(_ path: String) throws {
    let schema = Schema(tables: [
      TableSchema(
        name: "class_Person",
        properties: [
          Property(name: "id", type: .int), Property(name: "name", type: .string),
          Property(name: "email", type: .string, isOptional: true, index: .general),
          Property(name: "age", type: .int, isOptional: true), Property(name: "score", type: .double),
          Property(name: "active", type: .bool), Property(name: "born", type: .date, isOptional: true),
          Property(name: "bestFriend", type: .object, isOptional: true, target: "class_Person"),
          Property(name: "friends", type: .object, collection: .list, target: "class_Person"),
          Property(name: "tags", type: .string, collection: .list),
          Property(name: "anything", type: .mixed, isOptional: true),
          Property(name: "points", type: .int, collection: .dictionary),
          Property(name: "team", type: .object, isOptional: true, target: "class_Team"),
          Property(name: "address", type: .object, isOptional: true, target: "class_Address"),
          Property(name: "about", type: .string),
        ], primaryKeyIndex: 0),
      TableSchema(
        name: "class_Team",
        properties: [Property(name: "name", type: .string), Property(name: "city", type: .string)], primaryKeyIndex: 0),
      TableSchema(
        name: "class_Address", kind: .embedded,
        properties: [Property(name: "street", type: .string), Property(name: "number", type: .int)]),
      TableSchema(
        name: "class_Message",
        properties: [
          Property(name: "text", type: .string),
          Property(name: "sender", type: .object, isOptional: true, target: "class_Person"),
          Property(name: "sent", type: .date), Property(name: "marks", type: .int, collection: .set),
        ]),
    ])
    let empty = path + ".json"
    try "{}\n".write(toFile: empty, atomically: true, encoding: .utf8)
    var seed = DataSeed(schema: schema, dataAt: [empty])
    seed.key = key
    let output = try seed.makeOutput(at: path, replacing: .never)
    _ = try seed.write(to: output)
    try output.publish()
  }

  private func commit(_ path: String, _ body: (WriteTransaction) throws -> Void) throws {
    let file = try RealmFile(path, key: key)
    let transaction = try WriteTransaction(file)
    try body(transaction)
    try transaction.commit()
  }

  private func fill(
    _ key: ObjectKey, _ number: Int, _ table: TableEditor, _ addresses: TableEditor, _ keys: [ObjectKey], teams: Int,
    _ team: TableKey, _ random: inout SeededGenerator
  ) throws {
    func friend(_ random: inout SeededGenerator) -> Value {
      .link(table.key, keys[Int.random(in: 0..<keys.count, using: &random)])
    }
    try table.set("name", of: key, to: .string(RealmString(text(2, &random))))
    if number % 5 != 0 { try table.set("email", of: key, to: .string(RealmString("p\(number)@example.org"))) }
    if number % 7 != 0 { try table.set("age", of: key, to: .int(Int64(number % 90))) }
    try table.set("score", of: key, to: .double(Double(number) * 1.37))
    try table.set("about", of: key, to: .string(RealmString(text(10 + number % 60, &random))))
    try table.set("active", of: key, to: .bool(number % 3 == 0))
    if number % 4 != 0 {
      try table.set("born", of: key, to: .date(Timestamp(seconds: Int64(number) * 86_413, nanoseconds: 5)))
    }
    if number % 3 != 0 { try table.set("bestFriend", of: key, to: friend(&random)) }
    try table.set("friends", of: key, to: .list((0..<number % 6).map { _ in friend(&random) }))
    try table.set("tags", of: key, to: .list((0..<number % 4).map { _ in .string(RealmString(text(1, &random))) }))
    let mixed: [Value] = [.int(Int64(number)), .string(RealmString(text(3, &random))), .null, .double(0.5)]
    try table.set("anything", of: key, to: mixed[number % 4])
    var points: [RealmString: Value] = [:]
    for index in 0..<number % 3 { points[RealmString("round \(index)")] = .int(Int64(number + index)) }
    try table.set("points", of: key, to: .dictionary(points))
    try table.set("team", of: key, to: .link(team, ObjectKey(rawValue: Int64(number % teams))))
    if number % 2 == 0 {
      let address = try table.createEmbedded(in: "address", of: key)
      try addresses.set("street", of: address, to: .string(RealmString(text(2, &random))))
      try addresses.set("number", of: address, to: .int(Int64(number % 300)))
    }
  }

  /// Some commits that change a little each.
  private func change(_ path: String, _ keys: [ObjectKey], _ random: inout SeededGenerator) throws {
    for round in 0..<30 {
      try commit(path) { transaction in
        let person = try transaction.table("class_Person")
        for _ in 0..<20 {
          let key = keys[Int.random(in: 0..<keys.count, using: &random)]
          try person.set("name", of: key, to: .string(RealmString(text(3, &random))))
          try person.set("score", of: key, to: .double(Double(round)))
        }
        guard round % 5 == 0 else { return }
        let message = try transaction.table("class_Message")
        for _ in 0..<10 { if let first = try message.firstKey() { try message.delete(first) } }
      }
    }
  }

  private func copy(_ path: String, to dest: String) throws -> String {
    let opened = try OpenedRealm(ByteStore.open(.path(path), key: key))
    var options = CopyOptions(identity: .fresh)
    options.key = key
    let copy = try RealmCopy(of: opened.snapshot, options)
    let output = try copy.makeOutput(at: dest, replacing: .never)
    _ = try copy.write(to: output)
    try output.publish()
    return dest
  }
}
