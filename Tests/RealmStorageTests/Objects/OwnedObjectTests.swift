import Foundation
import RealmStorage
import TestSupport
import Testing

/// What the library returns can be kept: it does not point into memory that is released with a snapshot.
@Suite struct OwnedObjectTests {
  @Test(arguments: ["engine/dogs.realm", "engine/all-types-encrypted.realm", "engine/nested-mixed.realm"])
  func `objects and their values outlive the file they were read from`(name: String) throws {
    let path = Fixture.path(name)
    let objects = try leavingUntouched(path) { try Self.objects(of: $0) }
    // Read once more, long after the first file was closed.
    let again = try Self.objects(of: path)
    #expect(!objects.isEmpty)
    #expect(objects.map(\.key) == again.map(\.key))
    // As text, in which a NaN equals itself.
    for (first, second) in zip(objects, again) {
      let isSame = Self.text(of: first.values) == Self.text(of: second.values)
      #expect(isSame, "object \(first.key)")
    }
  }

  @Test func `an object is found by its key, and a value by its property`() throws {
    let path = Fixture.path("engine/dogs.realm")
    try leavingUntouched(path) { path in
      let dogs = try Realm.open(at: path).objects("Dog")
      let keys = try dogs.all().map(\.key)
      #expect(keys.count == 5)
      #expect(try dogs.count() == 5)
      let dog = try #require(try dogs.object(keys[4]))
      #expect(dog["name"]?.stringValue?.isEmpty == false)
      #expect(dog["no such property"] == nil)
      #expect(try dogs.object(ObjectKey(rawValue: 1 << 40)) == nil)
    }
  }

  @Test func `no public value borrows memory`() throws {
    // The compiler keeps types that are not public out of public declarations, so it is enough that none of those that
    // point into a file's bytes is public. They are known by having to vouch for their own safety, being values.
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../../Sources/RealmStorage"
    ).standardizedFileURL
    let files = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") }
    #expect(files.count > 100)
    var borrowing = 0
    for file in files {
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      for line in text.split(separator: "\n") where line.contains("@unchecked Sendable") && !line.contains("class ") {
        borrowing += 1
        #expect(!line.contains("public "), "\(file): \(line)")
      }
    }
    #expect(borrowing > 0)
  }

  /// With dictionaries in the order of their keys.
  private static func text(of values: [Value]) -> String {
    let texts = values.map { value in
      switch value {
      case .list(let elements), .set(let elements): text(of: elements)
      case .dictionary(let entries):
        entries.sorted { $0.key < $1.key }.map { "\($0.key): \(text(of: [$0.value]))" }.joined(separator: ", ")
      default: "\(value)"
      }
    }
    return texts.joined(separator: "; ")
  }

  private static func objects(of path: String) throws -> [RealmObject] {
    let key =
      try path.contains("encrypted") ? Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) } : nil
    let realm = try Realm.open(at: path, key: key)
    return try realm.schema.tables.flatMap { try realm.objects("\($0.displayName)").all() }
  }
}
