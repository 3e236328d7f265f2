import RealmExchange
import RealmMigration
import RealmModels
import RealmStorage
import TestSupport
import Testing

/// Plans that `plan new` makes.
@Suite struct PlanSkeletonTests {
  // MARK: Random schemas

  private struct RandomSchema {
    private static let classNames: [RealmString] = ["A", "B", "C", "D", "E"]
    private static let propertyNames: [RealmString] = ["p", "q", "r", "s", "t"]
    private static let scalars: [PropertyType] = [
      .int, .bool, .string, .data, .date, .float, .double, .decimal128, .objectID, .uuid, .mixed,
    ]
    private static let keys: [PropertyType] = [.int, .string, .objectID, .uuid]

    /// A schema that an app can have.
    static func make(_ generator: inout SeededGenerator) -> Schema {
      while true {
        let schema = attempt(&generator)
        if SchemaValidation(of: schema, for: .local).violations.isEmpty { return schema }
      }
    }

    /// A schema similar to another one: most properties stay, or change a little.
    static func make(like old: Schema, _ generator: inout SeededGenerator) -> Schema {
      while true {
        var schema = attempt(&generator)
        for index in schema.tables.indices {
          guard let before = old.classNamed(schema.tables[index].displayName) else { continue }
          var table = schema.tables[index]
          if Int.random(in: 0..<3, using: &generator) > 0 { (table.kind, table.primaryKeyIndex) = (before.kind, nil) }
          for place in table.properties.indices {
            guard let kept = before.property(named: table.properties[place].name) else { continue }
            let wasKey = table.primaryKeyIndex == place
            guard Int.random(in: 0..<8, using: &generator) > 0, !wasKey || isKey(kept) else { continue }
            table.properties[place] = changed(kept, &generator)
          }
          let key = before.primaryKey.flatMap { key in table.properties.firstIndex { $0.name == key.name && isKey($0) }
          }
          if table.kind == .topLevel, table.primaryKeyIndex == nil, let key { table.primaryKeyIndex = key }
          if let key = table.primaryKeyIndex { table.properties[key].index = .general }
          schema.tables[index] = table
        }
        if SchemaValidation(of: schema, for: .local).violations.isEmpty { return schema }
      }
    }

    private static func isKey(_ property: Property) -> Bool {
      keys.contains(property.type) && property.collection == nil
    }

    private static func changed(_ old: Property, _ generator: inout SeededGenerator) -> Property {
      var property = old
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        if old.type != .object, old.type != .mixed { property.isOptional.toggle() }
      case 1:
        let index = [IndexKind.none, .general, .fullText].randomElement(using: &generator) ?? .none
        if property.allows(index) { property.index = index }
      case 2:
        let numbers: [PropertyType] = [.int, .double, .float, .decimal128, .string]
        if numbers.contains(old.type) { property.type = numbers.randomElement(using: &generator) ?? .int }
      case 3:
        if old.collection == .list, old.type != .object { property.collection = .set }
        if old.collection == .set { property.collection = .list }
      default: break
      }
      if !property.allows(property.index) { property.index = .none }
      return property
    }

    private static func attempt(_ generator: inout SeededGenerator) -> Schema {
      let names = classNames.filter { _ in Int.random(in: 0..<10, using: &generator) < 8 }
      let kinds = Dictionary(
        uniqueKeysWithValues: names.map {
          ($0, Int.random(in: 0..<4, using: &generator) == 0 ? TableKind.embedded : .topLevel)
        })
      return Schema(tables: names.map { table($0, kinds, &generator) }, version: 1)
    }

    private static func table(
      _ name: RealmString, _ kinds: [RealmString: TableKind], _ generator: inout SeededGenerator
    ) -> TableSchema {
      let kind = kinds[name] ?? .topLevel
      var properties = propertyNames.filter { _ in Bool.random(using: &generator) }.map {
        property($0, kinds, &generator)
      }
      if properties.isEmpty { properties = [Property(name: "p", type: .int)] }
      var key: Int?
      if kind == .topLevel, Bool.random(using: &generator) {
        key = Int.random(in: 0..<properties.count, using: &generator)
        let type = keys.randomElement(using: &generator) ?? .int
        properties[key ?? 0] = Property(
          name: properties[key ?? 0].name, type: type, isOptional: Bool.random(using: &generator), index: .general)
      }
      return TableSchema(
        name: TableSchema.tableName(ofClass: name), kind: kind, properties: properties, primaryKeyIndex: key)
    }

    private static func property(
      _ name: RealmString, _ kinds: [RealmString: TableKind], _ generator: inout SeededGenerator
    ) -> Property {
      var collection = [nil, nil, nil, CollectionKind.list, .set, .dictionary].randomElement(using: &generator) ?? nil
      if Int.random(in: 0..<3, using: &generator) == 0,
        let target = kinds.keys.sorted().randomElement(using: &generator)
      {
        if kinds[target] == .embedded, collection == .set { collection = .list }
        return Property(
          name: name, type: .object, collection: collection, isOptional: collection == nil || collection == .dictionary,
          target: TableSchema.tableName(ofClass: target))
      }
      let type = scalars.randomElement(using: &generator) ?? .int
      var property = Property(
        name: name, type: type, collection: collection, isOptional: type == .mixed || Bool.random(using: &generator))
      let index = [IndexKind.none, .general, .fullText].randomElement(using: &generator) ?? .none
      if property.allows(index) { property.index = index }
      return property
    }
  }

  /// The target, and the classes that only the stored schema has: these stay.
  private static func expected(from stored: Schema, to target: Schema) -> Schema {
    Schema(tables: target.tables + stored.tables.filter { target.classNamed($0.displayName) == nil }, version: 2)
  }

  private static let expectation = "expect: { schema: target.json }\n"

  /// Whether the plan leaves decisions to people.
  private static func isUndecided(_ plan: String) -> Bool {
    let suggestions = ["# - remove_class", "# - rename_class", "# - rename_property"]
    return plan.split(separator: "\n").contains { line in
      let line = line.drop { $0 == " " }
      return line.hasPrefix("# - ") && !suggestions.contains(where: line.hasPrefix)
    }
  }

  @Test(arguments: 0..<20)
  func plansBetweenRandomSchemasCanBeRunAndLeadThere(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: 1900 + seed)
    var decided = 0
    for _ in 0..<100 {
      let stored = RandomSchema.make(&generator)
      let target = RandomSchema.make(like: stored, &generator)
      let text = PlanSkeleton(from: stored, to: target, version: 2).yaml().chosen
      let plan = try MigrationPlan.parse(Array((text + Self.expectation).utf8), path: "plan.yml")
      let expected = Self.expected(from: stored, to: target)
      // The rest may only be possible after people have decided, or have removed classes.
      guard !Self.isUndecided(text), SchemaValidation(of: expected, for: .local).violations.isEmpty else { continue }
      decided += 1
      var options = PlanOptions()
      options.loadSchema = { _ in expected }
      do { _ = try PlanRun(plan, options).dryRun(on: stored) } catch {
        Issue.record(
          "\(error)\n\(text)\n\(SchemaFormat.text.text(of: stored).string)\n\(SchemaFormat.text.text(of: target).string)"
        )
      }
    }
    #expect(decided >= 30, "\(decided) of 100 leave nothing to decide")
  }

  @Test(arguments: 0..<20)
  func theSameInAFile(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: 2900 + seed)
    var (stored, target, text) = (Schema(), Schema(), "# - convert")
    while Self.isUndecided(text)
      || !SchemaValidation(of: Self.expected(from: stored, to: target), for: .local).violations.isEmpty
    {
      stored = RandomSchema.make(&generator)
      target = RandomSchema.make(like: stored, &generator)
      text = PlanSkeleton(from: stored, to: target, version: 2).yaml().chosen
    }
    let realm = try PlanCase(SchemaFormat.json.text(of: stored).string)
    var settings = PlanCase.Settings()
    settings.allowsDataLoss = true
    try realm.runPlan(text, settings: settings)
    let difference = SchemaDifference(
      from: try realm.snapshot().schema, to: Self.expected(from: stored, to: target))
    #expect(difference.isEmpty, "\(difference.changes.compactMap(\.text))\n\(text)")
  }

  @Test func newPrimaryKeysAreDifferentForEachObject() throws {
    for (type, count) in [("int", 3), ("string", 3), ("objectId", 3), ("uuid", 3)] {
      let realm = try Sample.people()
      var target = try realm.snapshot().schema
      let typed = try SchemaFile(Array(#"[{"name":"X","properties":{"id":"\#(type)"}}]"#.utf8)).schema
      let id = try #require(typed.classNamed("X")?.property(named: "id"))
      let index = try #require(target.tables.firstIndex { $0.displayName == "Person" })
      target.tables[index] = TableSchema(
        name: "class_Person", properties: target.tables[index].properties + [id],
        primaryKeyIndex: target.tables[index].properties.count)
      try realm.runPlan(PlanSkeleton(from: realm.snapshot().schema, to: target, version: 2).yaml().chosen)
      #expect(try Set(realm.values("Person", "id")).count == count, "\(type)")
    }
  }

  // MARK: Names

  @Test func namesAreNeverReadAsAnythingElse() throws {
    for name in HostileNames.all {
      let className = TableSchema.tableName(ofClass: name)
      let other = TableSchema(name: "class_Victim", properties: [Property(name: "x", type: .int)])
      let old = TableSchema(
        name: className,
        properties: [
          Property(name: name, type: .int), Property(name: RealmString(utf8: name.utf8 + [0x31]), type: .string),
          Property(name: RealmString(utf8: name.utf8 + [0x32]), type: .data),
        ])
      var added = old
      added.name.utf8.append(0x33)
      let new = TableSchema(
        name: className,
        properties: [
          Property(name: name, type: .string),
          Property(name: RealmString(utf8: name.utf8 + [0x32]), type: .object, isOptional: true, target: added.name),
          Property(name: RealmString(utf8: name.utf8 + [0x34]), type: .string),
          Property(name: RealmString(utf8: name.utf8 + [0x35]), type: .object, collection: .list, target: className),
        ])
      let stored = Schema(tables: [other, old], version: 1)
      for tables in [[other, new, added], [other, added]] {
        let target = Schema(tables: tables, version: 2)
        let text = PlanSkeleton(from: stored, to: target, version: 2).yaml().chosen
        #expect(HostileNames.isVisible(text), "\(name.utf8)")
        let plan = try MigrationPlan.parse(Array((text + Self.expectation).utf8), path: "plan.yml")
        let written = text.split(separator: "\n").count { $0.hasPrefix("      - ") }
        #expect(plan.steps[0].operations.count == written && written > 0, "\(text)")
        #expect(
          text.split(separator: "\n").allSatisfy {
            $0.hasPrefix("      ") || ["plan", "step", "  - ", "    "].contains($0.prefix(4))
          })
        // The one that cannot be converted stays.
        var result = tables
        if result.count == 3 { result[1].properties[1] = old.properties[2] }
        let expected = Self.expected(from: stored, to: Schema(tables: result, version: 2))
        var options = PlanOptions()
        options.loadSchema = { _ in expected }
        do { _ = try PlanRun(plan, options).dryRun(on: stored) } catch { Issue.record("\(error)\n\(text)") }
      }
    }
  }

  /// A plan cannot name them, so they appear in a comment: a plan must not do anything to another class.
  @Test func namesThatAPlanCannotSayAreComments() throws {
    let bytes = RealmString(utf8: Array("a".utf8) + [0xff])
    let target = Schema(
      tables: [
        TableSchema(name: TableSchema.tableName(ofClass: bytes), properties: [Property(name: "x", type: .int)]),
        TableSchema(
          name: "class_T",
          properties: [
            Property(name: bytes, type: .int), Property(name: "", type: .int),
            Property(name: "link", type: .object, isOptional: true, target: TableSchema.tableName(ofClass: bytes)),
            Property(name: "number", type: .object, isOptional: true, target: "class_int"),
            Property(name: "counter", type: .object, collection: .list, target: "class_counter"),
            Property(name: "list", type: .object, isOptional: true, target: "class_Dog[]"),
          ]),
      ], version: 2)
    let stored = Schema(tables: [TableSchema(name: "class_T", properties: [])], version: 1)
    let text = PlanSkeleton(from: stored, to: target, version: 2).yaml().chosen
    let plan = try MigrationPlan.parse(Array(text.utf8), path: "plan.yml")
    #expect(plan.steps[0].operations.isEmpty, "\(text)")
    #expect(text.contains("# a plan cannot name 'a\u{FFFD}', which is not UTF-8 text\n"))
    #expect(text.contains("# property 'number' links to class 'int', whose name would be another type in a plan\n"))
  }
}

extension String {
  /// A plan in which somebody has decided.
  fileprivate var chosen: String { replacing("default: { choose: a value }", with: "type_default: true") }
}
