import RealmMigration
import RealmStorage
import TestSupport
import Testing

/// Random plans, compared with a plain model of their results.
@Suite struct RandomPlanTests {
  /// The objects of one class: values by property, integers and strings.
  private struct Model {
    enum Cell: Equatable {
      case int(Int)
      case text(String)
      case null

      var typed: String {
        switch self {
        case .int(let number): "\(number)"
        case .text(let text): "\"\(text)\""
        case .null: "null"
        }
      }
    }

    var name = "T"
    var types: [String: String] = ["a": "int", "b": "string"]
    var rows: [[String: Cell]]
    private var counter = 0

    init(_ generator: inout SeededGenerator) {
      rows = (0..<Int.random(in: 0...400, using: &generator)).map { index in
        ["a": .int(Int.random(in: 0..<50, using: &generator)), "b": .text("t\(index % 7)")]
      }
    }

    var data: String {
      let objects = rows.map { row in #"{"a":\#(row["a"]?.typed ?? ""),"b":\#(row["b"]?.typed ?? "")}"# }
      return #"{"T":[\#(objects.joined(separator: ","))]}"#
    }

    private func property(of type: String, _ generator: inout SeededGenerator) -> String? {
      types.filter { $0.value == type }.keys.sorted().randomElement(using: &generator)
    }

    private mutating func newName() -> String {
      counter += 1
      return "p\(counter)"
    }

    /// An operation, also applied to the model.
    mutating func operation(_ generator: inout SeededGenerator) -> String? {
      let limit = Int.random(in: 0..<60, using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        guard let old = types.keys.sorted().randomElement(using: &generator) else { return nil }
        let new = newName()
        types[new] = types.removeValue(forKey: old)
        for row in rows.indices { rows[row][new] = rows[row].removeValue(forKey: old) }
        return "rename_property: { class: \(name), from: \(old), to: \(new) }"
      case 1:
        guard let source = property(of: "int", &generator) else { return nil }
        let new = newName()
        types[new] = "int"
        for row in rows.indices {
          if case .int(let number)? = rows[row][source] { rows[row][new] = .int(number * 2 + 1) }
        }
        return "add_property: { class: \(name), name: \(new), type: int, value: { expr: \"new.\(source) * 2 + 1\" } }"
      case 2:
        guard let source = property(of: "int", &generator) else { return nil }
        types[source] = "string"
        for row in rows.indices {
          if case .int(let number)? = rows[row][source] { rows[row][source] = .text("\(number)") }
        }
        return "convert: { class: \(name), name: \(source), to: string }"
      case 3:
        guard let source = property(of: "int", &generator) else { return nil }
        for row in rows.indices {
          if case .int(let number)? = rows[row][source], number > limit { rows[row][source] = .int(number - 1) }
        }
        return
          "set: { class: \(name), where: '\(source) > \(limit)', values: { \(source): { expr: \"new.\(source) - 1\" } } }"
      case 4:
        guard let source = property(of: "int", &generator) else { return nil }
        rows.removeAll { if case .int(let number)? = $0[source] { number == limit } else { false } }
        return "delete_objects: { class: \(name), where: '\(source) == \(limit)' }"
      case 5:
        guard types.count > 2, let gone = types.keys.sorted().randomElement(using: &generator) else { return nil }
        types[gone] = nil
        for row in rows.indices { rows[row][gone] = nil }
        return "remove_property: { class: \(name), name: \(gone), lossy: ok }"
      case 6:
        guard let left = property(of: "string", &generator), let right = types.keys.sorted().last else { return nil }
        let new = newName()
        types[new] = "string"
        for row in rows.indices {
          func plain(_ name: String) -> String { rows[row][name]?.typed.replacing("\"", with: "") ?? "" }
          rows[row][new] = .text("\(plain(left))-\(plain(right))")
        }
        return
          "add_property: { class: \(name), name: \(new), type: string, value: { template: \"{new.\(left)}-{new.\(right)}\" } }"
      case 7:
        let old = name
        name = "C" + newName()
        return "rename_class: { from: \(old), to: \(name) }"
      case 8:
        guard let source = property(of: "int", &generator) else { return nil }
        return "add_index: { class: \(name), name: \(source) }"
      default:
        guard let source = property(of: "string", &generator) else { return nil }
        for row in rows.indices { rows[row][source] = .text("k") }
        return "set: { class: \(name), values: { \(source): k } }"
      }
    }
  }

  @Test(arguments: 0..<30)
  func randomPlansDoWhatTheModelDoes(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: 1400 + seed)
    var model = Model(&generator)
    let realm = try PlanCase(#"[{"name":"T","properties":{"a":"int","b":"string"}}]"#, model.data)
    var text = "plan: 1\nsteps:\n"
    for step in 2..<(2 + UInt64.random(in: 1...4, using: &generator)) {
      text += "- to: \(step)\n  do:\n  - assert: { class: \(model.name), count: \(model.rows.count) }\n"
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        if let operation = model.operation(&generator) { text += "  - \(operation)\n" }
      }
    }
    try realm.runPlan(text)
    #expect(try realm.objects(RealmString(model.name)).count == model.rows.count, "\(text)")
    for property in model.types.keys.sorted() {
      let found = try realm.values(RealmString(model.name), property)
      #expect(found == model.rows.map { $0[property]?.typed ?? "" }, "\(property) of\n\(text)")
    }
  }
}
