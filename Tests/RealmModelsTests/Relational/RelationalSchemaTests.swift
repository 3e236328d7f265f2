import RealmStorage
import Testing

@testable import RealmModels

/// Names, keys and columns of the relational form.
@Suite struct RelationalSchemaTests {
  private func table(
    _ name: RealmString, _ properties: [Property], key: Int? = nil, kind: TableKind = .topLevel
  ) -> TableSchema {
    TableSchema(
      name: TableSchema.tableName(ofClass: name), kind: kind, properties: properties, primaryKeyIndex: key)
  }

  private func creation(_ tables: TableSchema...) -> [String] {
    RelationalSchema(Schema(tables: tables)).tables.map { table in
      let lines = table.creation.split(separator: "\n").map { $0.drop { $0 == " " } }
      return lines.joined(separator: " ").replacing("( ", with: "(").replacing(" )", with: ")")
    }
  }

  @Test func everyKindOfKey() {
    for (type, column) in [(PropertyType.int, "INTEGER"), (.string, "TEXT"), (.objectID, "TEXT"), (.uuid, "TEXT")] {
      let key = Property(name: "id", type: type)
      #expect(creation(table("A", [key], key: 0)) == [#"CREATE TABLE "A" ("id" \#(column) PRIMARY KEY NOT NULL);"#])
      let nullable = Property(name: "id", type: type, isOptional: true)
      #expect(
        creation(table("A", [nullable], key: 0))
          == [#"CREATE TABLE "A" ("_key" INTEGER PRIMARY KEY, "id" \#(column) UNIQUE);"#])
    }
    #expect(creation(table("A", [])) == [#"CREATE TABLE "A" ("_key" INTEGER PRIMARY KEY);"#])
  }

  @Test func namesThatSQLiteTakesForEqualDiffer() throws {
    let schema = RelationalSchema(
      Schema(tables: [
        table("Dog", []), table("dog", []), table("_realm_keys", []), table("SQLite_master", []),
        table("index_A_x", []),
        table(
          "A",
          [
            Property(name: "x", type: .int, index: .general), Property(name: "X", type: .int),
            Property(name: "m", type: .mixed), Property(name: "m_type", type: .int), Property(name: "_KEY", type: .int),
          ]),
        table("A.list", []), table("B", [Property(name: "list", type: .int, collection: .list)]),
        table("B.list", []),
      ]))
    let names = schema.tables.map(\.sqlName)
    #expect(Set(names.map { $0.lowercased() }).count == names.count)
    #expect(names.contains("__realm_keys") && names.contains("_SQLite_master") && names.contains("dog_2"))
    let own = try #require(schema.tables.first { $0.sqlName == "A" })
    #expect(own.columns.map(\.name) == ["_key_2", "x", "X_2", "m", "m_type_2", "m_type", "_KEY"])
    #expect(String(decoding: schema.names, as: UTF8.self).contains(#""dog":{"table":"dog_2""#))
  }

  @Test func tooManyColumnsAreToldBeforeAnythingIsWritten() {
    func schema(_ count: Int) -> RelationalSchema {
      RelationalSchema(
        Schema(tables: [table("Wide", (0..<count).map { Property(name: RealmString("p\($0)"), type: .int) })]))
    }
    #expect(schema(1_999).firstTooWide == nil)
    #expect(schema(2_000).firstTooWide == RelationalSchema.TooWide(className: "Wide", columnCount: 2_001))
    let mixed = (0..<1_000).map { Property(name: RealmString("p\($0)"), type: .mixed, isOptional: true) }
    #expect(RelationalSchema(Schema(tables: [table("Wide", mixed)])).firstTooWide?.columnCount == 2_001)
    let wide = Schema(tables: [table("Wide", (0..<2_000).map { Property(name: RealmString("p\($0)"), type: .int) })])
    #expect(SchemaFormat.sql.text(of: wide).notes.contains { $0.isError })
  }

  @Test("a schema is read back from what an export writes, whatever its names", arguments: SampleSchemas.all.indices)
  func schemaRow(_ index: Int) throws {
    var schema = SampleSchemas.all[index].schema
    // Properties that occur twice are those of a damaged file, and inverse relationships are not stored.
    guard SampleSchemas.all[index].name != "damaged" else { return }
    schema.tables = schema.classes.sorted { $0.name < $1.name }
    for table in schema.tables.indices { schema.tables[table].removeProperties { $0.isComputed } }
    let json = RealmString(utf8: SchemaFormat.json.text(of: schema).utf8)
    let row = try #require(RelationalSchemaRow(schema: json, names: RealmString(utf8: RelationalSchema(schema).names)))
    #expect(row.whole.classes.map(\.name) == schema.classes.map(\.name))
    for (read, table) in zip(row.whole.classes, schema.classes) {
      #expect(read.properties.map(\.name) == table.properties.map(\.name))
      #expect(read.properties.map(\.target) == table.properties.map(\.target))
      #expect(read.properties.map(\.type) == table.properties.map(\.type))
    }
  }
}
