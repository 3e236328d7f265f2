import RealmStorage
import TestSupport
import Testing

@Suite("What a migration would lose") struct MigrationAnalysisTests {
  private func snapshot(_ name: String) throws -> Snapshot { try OpenableFixture.named(name).opened() }

  @Test("Values that go are counted: objects, and those that are neither null nor default")
  func lostValues() throws {
    let person = try snapshot("person-v1")
    let first = Property(name: "firstName", type: .string)
    let steps: [MigrationStep] = [
      .removeProperty(className: "Person", first),
      .replaceProperty(
        className: "Person", from: Property(name: "age", type: .int), to: Property(name: "age", type: .string)),
      .addProperty(className: "Person", Property(name: "email", type: .string)),
      .removeProperty(className: "Nobody", first),
    ]
    let lost = try LostValues.counted(by: steps, in: person)
    #expect(
      lost.map { "\($0.place) \($0.objectCount) \($0.nonDefaultCount)" } == [
        "Person.firstName 6 6", "Person.age 6 5",
      ])
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let fixture: String
    let policy: EmbeddingPolicy
    let text: String?
    let older: String?
    let counts: String
    var testDescription: String { "\(fixture), \(policy)" }
  }

  static let orphans =
    "Cannot convert 'Address' to embedded: at least one object has no incoming links and would be deleted."
  static let shared = "Cannot convert 'Address' to embedded: at least one object has more than one incoming link."

  static let rows: [Row] = [
    Row(fixture: "address-once", policy: .refuse, text: nil, older: nil, counts: ""),
    Row(
      fixture: "address-never", policy: .refuse, text: orphans,
      older: "At least one object does not have a backlink (data would get lost).",
      counts: "1 of 5 objects has no incoming link"),
    Row(
      fixture: "address-twice", policy: .refuse, text: shared,
      older: "At least one object does have multiple backlinks.", counts: "1 of 4 objects has several incoming links"),
    Row(fixture: "address-never", policy: .automatic, text: nil, older: nil, counts: ""),
    Row(fixture: "address-twice", policy: .automatic, text: nil, older: nil, counts: ""),
    Row(
      fixture: "address-never", policy: EmbeddingPolicy(deletesOrphans: false, duplicatesShared: true), text: orphans,
      older: "At least one object does not have a backlink (data would get lost).",
      counts: "1 of 5 objects has no incoming link"),
  ]

  @Test("Objects without exactly one parent stop their class from becoming embedded", arguments: rows)
  func embedding(_ row: Row) throws {
    let snapshot = try snapshot(row.fixture)
    let table = try #require(snapshot.table(displayName: "Address"))
    let analysis = try EmbeddingAnalysis(of: table, in: snapshot)
    let obstacle = analysis.obstacle(under: row.policy)
    #expect(obstacle?.text(className: "Address") == row.text)
    #expect(obstacle?.olderText == row.older)
    if obstacle != nil { #expect(analysis.countText == row.counts) }
  }

  @Test("Links of a property that goes do not count")
  func goingLinks() throws {
    let snapshot = try snapshot("address-once")
    let table = try #require(snapshot.table(displayName: "Address"))
    let origins = snapshot.incomingLinks(to: table).compactMap { link -> PropertyPath? in
      guard let origin = snapshot.table(link.origin), let index = link.propertyIndex else { return nil }
      return PropertyPath(className: origin.schema.displayName, property: origin.schema.properties[index].name)
    }
    let analysis = try EmbeddingAnalysis(of: table, in: snapshot, without: Set(origins))
    #expect(analysis.objectCount > 0)
    #expect(analysis.orphanCount == analysis.objectCount)
  }
}
