import RealmExchange
import RealmMigration
import RealmOpening
import RealmRedaction
import RealmStorage
import RealmText
import RealmTools
import TestSupport
import Testing

/// Random rules on realms that engines wrote.
@Suite struct RandomRedactionTests {
  private static let texts = ["mask", "hash", "{ fake: name }", "{ fake: text }", "{ fake: phone }", "{ truncate: 3 }"]
  private static let numbers = ["mask", "hash", "{ noise: 7 }", "{ noise: 20% }", "{ range: 100 }"]

  /// Rules that fit a property.
  private static func rules(for property: Property, isPrimaryKey: Bool, in schema: Schema) -> [String] {
    if isPrimaryKey { return ["keep", "hash"] }
    switch property.type {
    case .object:
      let hash = property.collection == .dictionary ? ["hash"] : []
      return schema.tableNamed(property.target ?? "")?.kind == .embedded
        ? ["keep"] + hash : ["keep", "keep", "null"] + hash
    case .string: return ["keep", "null"] + texts
    case .data: return ["keep", "null", "mask", "hash", "{ truncate: 2 }"]
    case .int, .float, .double, .decimal128: return ["keep", "null"] + numbers
    case .date: return ["keep", "null", "hash", "{ shift: 30d }", "{ range: 1d }"]
    case .uuid: return ["keep", "null", "hash"]
    case .objectID: return ["keep", "null", "hash", "{ rule: hash, time: keep }"]
    case .mixed: return ["keep", "null", "{ shift: 1h }"] + texts + numbers
    case .bool, .linkingObjects: return ["keep", "null"]
    }
  }

  private static func quoted(_ name: RealmString) -> String {
    "\"" + name.description.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
  }

  private static func rules(_ schema: Schema, _ random: inout SeededGenerator) -> String {
    var lines = [Bool.random(using: &random) ? "rename: true" : "rename: false", "classes:"]
    for table in schema.classes {
      lines.append("  \(quoted(table.displayName)):" + (table.properties.isEmpty ? " {}" : ""))
      for (index, property) in table.properties.enumerated() {
        let choices = rules(for: property, isPrimaryKey: index == table.primaryKeyIndex, in: schema)
        lines.append("    \(quoted(property.name)): \(choices.randomElement(using: &random) ?? "keep")")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let realms = ["all-types", "nested-mixed", "corners", "indexes", "dogs", "strings"]

  @Test(arguments: realms.flatMap { name in (0..<2).map { (name, UInt64($0)) } })
  func aCopyIsSoundAndRepeatable(_ name: String, _ seed: UInt64) throws {
    let path = Fixture.path("engine/\(name).realm")
    let opened = try ByteStore.open(.path(path), key: nil)
    let source = try Snapshot(of: opened.store)
    var random = SeededGenerator(seed: seed &* 1000 &+ UInt64(name.utf8.count))
    let rules = Self.rules(source.schema, &random)
    let encryption =
      try Bool.random(using: &random) ? Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) } : nil
    let copy = try RedactedRealm(of: source, rules, encryption: encryption)
    #expect(copy.report.isVerified || copy.report.source?.errorCount != 0, "\(rules)")
    let plain = try RedactedRealm(of: source, rules)
    if encryption == nil { #expect(plain.bytes == copy.bytes) }
    #expect(plain.report.redaction?.rules == copy.report.redaction?.rules)
    for (before, after) in zip(source.tables, copy.snapshot.tables) where before.schema.isClass {
      #expect(try before.objectCount() == after.objectCount())
      let types = { (schema: TableSchema) in
        schema.properties.map { [$0.type.schemaName, "\($0.isOptional)", $0.collection?.suffix ?? ""] }
      }
      #expect(types(before.schema) == types(after.schema))
    }
    // Sets that contain the same bytes as string and as data do not fit older formats.
    guard name == "dogs" || name == "indexes" else { return }
    _ = try RedactedRealm(of: source, rules, format: .format23)
  }
}
