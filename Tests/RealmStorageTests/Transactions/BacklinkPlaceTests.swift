import TestSupport
import Testing

@testable import RealmStorage

/// The positions of the hidden columns of incoming links.
@Suite struct BacklinkPlaceTests {
  @Test(arguments: [nil, CollectionKind.list, .set, .dictionary])
  func `backlinks within a class stand behind the links, also where a property before them is gone`(
    _ collection: CollectionKind?
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("app.realm")
    try RandomEditTests.writeEmptyRealm(at: path, nil)
    let transaction = try WriteTransaction(RealmFileTests.file(path, key: nil))
    let table = try transaction.addTable("class_T")
    try table.addProperty(Property(name: "gone", type: .int))
    var property = Property(name: "any", type: .mixed, isOptional: true)
    property.collection = collection
    try table.addProperty(property)
    try table.removeProperty("gone")
    let keys = try (0..<4).map { _ in try table.create() }
    for (index, key) in keys.enumerated() {
      let link = Value.typedLink(table.key, keys[(index + 2) % 4])
      let value: Value =
        switch collection {
        case .list: .list([link])
        case .set: .set([link])
        case .dictionary: .dictionary(["key": link])
        default: link
        }
      try table.set("any", of: key, to: value)
    }
    try transaction.commit()

    let snapshot = try RealmFileTests.opened(path, nil)
    #expect(try snapshot.faults() == [])
    let written = try #require(snapshot.tables.first { $0.schema.name == "class_T" })
    let (links, backlinks) = (try #require(written.columns.first), try #require(written.backlinks.first))
    #expect(links.leafIndex < backlinks.leafIndex)
  }
}
