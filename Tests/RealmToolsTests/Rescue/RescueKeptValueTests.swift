import RealmTools
import TestSupport
import Testing

@testable import RealmStorage

/// What `recover` keeps, or does not take for sound, where only one part of the file says anything about it.
@Suite struct RescueKeptValueTests {
  private static func values(_ bytes: [UInt8]) throws -> RescueTests.Values {
    try RescueTests.values(of: Snapshot(of: ByteStore(copying: bytes)))
  }

  /// The checker, like the engine, does not look at the characters of a text.
  @Test func `a text that is not UTF-8 is doubtful in a file without other damage`() throws {
    let original = try Fixture.bytes("engine/dogs.realm")
    let name = Array("Snoopy".utf8)
    let place = try #require((0..<original.count - name.count).first { Array(original[$0..<$0 + name.count]) == name })
    var bytes = original
    bytes[place] ^= 0x80
    let outcome = try RescueTests.Outcome(bytes)
    #expect(outcome.account.doubtfulValues == 1 && !outcome.account.isComplete)
    #expect(try RescueTests.Outcome(original).account.isComplete)
  }

  /// An object without its primary key would be lost to all that links to it.
  @Test func `a primary key that only the index contradicts stays, and the links to its object`() throws {
    let folder = try TemporaryFolder()
    let schema = """
      [{"name":"B","primaryKey":"id","properties":{"id":"int"}},{"name":"A","properties":{"b":"B"}}]
      """
    let objects =
      (0..<40).map { "{\"class\":\"B\",\"value\":{\"id\":\($0 * 3)}}\n" }
      + (0..<60).map { "{\"class\":\"A\",\"value\":{\"b\":\($0 % 40 * 3)}}\n" }
    let original = try Fixture.bytes(ofFile: RescueTests.seed(schema, objects.joined(), in: folder))
    let wanted = try Self.values(original)
    let root = try #require(
      RescueTests.refs(RescueTests.refs(try RescueTests.table("B", original), original)[4], original).first { $0 > 0 })
    var doubtful = 0
    // The root, and the list of what the values begin with.
    let nodes = [root, RescueTests.refs(root, original)[0]]
    for byte in nodes.flatMap({ node in (node + 8..<node + RescueTests.size(node, original)) }) {
      var bytes = original
      bytes[byte] ^= 0x10
      let outcome = try RescueTests.Outcome(bytes)
      doubtful += outcome.account.doubtfulValues
      let found = try outcome.values()
      for name in ["A", "B"] {
        #expect(found[RealmString(name)]?.count == wanted[RealmString(name)]?.count, "\(byte)")
        for (key, object) in wanted[RealmString(name), default: [:]] {
          for (property, value) in object {
            let isSame = found[RealmString(name)]?[key]?[property]?.isSame(as: value) == true
            #expect(isSame, "\(byte): \(name).\(property) \(key.rawValue)")
          }
        }
      }
    }
    #expect(doubtful > 0)
  }
}
