import RealmPresentation
import TestSupport
import Testing

@testable import RealmBrowser
@testable import RealmStorage

private let dogs = Fixture.path("engine/dogs.realm")

@Suite struct DistinctionTests {
  /// How values of every kind look on one line.
  private func printed(_ value: ValueView, isMixed: Bool = false) throws -> String {
    let realm = try BrowsedRealm(name: "dogs") { try ByteStore.open(.path(dogs), key: nil) }
    let printer = ValuePrinter(realm.snapshot, .unicode, describe: Driver.describe)
    return printer.print(value, isMixed: isMixed, limit: 100).string
  }

  private func text(_ text: String, isMixed: Bool = false) throws -> String {
    try Array(text.utf8).withUnsafeBytes { try printed(.string(BlobView($0)), isMixed: isMixed) }
  }

  @Test func nullEmptyNaNAndTheirNamesAreToldApart() throws {
    let shown = [
      try printed(.null), try text(""), try text("null"), try printed(.double(.nan)), try text(" "), try text("\""),
      try text("\"\""), try printed(.int(0)), try printed(.bool(false)),
    ]
    #expect(Set(shown).count == shown.count)
    #expect(shown.prefix(4) == ["null", "\"\"", "\"null\"", "NaN"])
    #expect(try printed(.double(-.infinity)) == "-Infinity")
    #expect(try printed(.double(-0.0)) == "-0.0")
  }

  @Test func inMixedValuesTextsAreQuoted() throws {
    #expect(try text("12", isMixed: true) == "\"12\"")
    #expect(try printed(.int(12), isMixed: true) == "12")
    #expect(try text("true", isMixed: true) == "\"true\"")
  }

  @Test func datesAreInUTC() throws {
    #expect(try printed(.date(Timestamp(seconds: 1_700_000_000, nanoseconds: 500_000_000))) == "2023-11-14T22:13:20.5Z")
  }
}
