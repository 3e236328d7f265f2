import Testing

@testable import RealmInspection
@testable import RealmStorage

/// What damaged descriptions of classes say that no realm can have.
@Suite struct RescuedSchemaTests {
  @Test func `indexes and primary keys that no realm can have are left out`() throws {
    var schema = TableSchema(
      name: "class_A",
      properties: [
        Property(name: "a", type: .double), Property(name: "b", type: .string), Property(name: "c", type: .int),
      ])
    for index in schema.properties.indices { schema.properties[index].index = .general }
    for (index, expected) in [(0, nil), (1, 1), (2, 2)] as [(Int, Int?)] {
      schema.primaryKeyIndex = index
      schema.leaveOutWhatCannotBe()
      #expect(schema.primaryKeyIndex == expected)
    }
    #expect(schema.properties.map(\.index) == [.none, .general, .general])
    schema.kind = .embedded
    schema.leaveOutWhatCannotBe()
    #expect(schema.primaryKeyIndex == nil)
  }
}
