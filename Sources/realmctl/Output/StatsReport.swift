import RealmInspection
import RealmOpening
import RealmStorage
import RealmText
import RealmTools

/// The report of `stats` about one realm.
struct StatsReport {
  /// As typed; `-` for standard input.
  let input: String
  /// Its name in messages.
  let name: String
  let stats: RealmStats
  let damagedTables: [Diagnostic]

  /// Damage in tables that can be read; the others are named as a whole.
  private var partDamage: [SpaceDamage] { stats.space.damage.filter { $0.kind != .unreadable } }

  /// All of it; `partDamage` has the first.
  private var partDamageCount: Int { stats.space.damageCount - stats.space.unlistedDamageCount }

  /// What could not be read.
  var damage: [Diagnostic] {
    let space = stats.space
    var diagnostics = damagedTables
    diagnostics += partDamage.map { damage in
      let part = SpaceName(kind: damage.kind, table: damage.table, property: damage.property)
      return Diagnostic("\(part)", because: damage.error, path: name)
    }
    let rest = partDamageCount - partDamage.count
    if rest > 0 {
      diagnostics.append(
        Diagnostic(
          .failed, .invalidDatabase, path: name, "\(rest.counted("more part")) cannot be read",
          advice: DamageAdvice.usual(for: name)))
    }
    if space.sharedNodeCount > 0, diagnostics.isEmpty {
      diagnostics.append(
        Diagnostic(
          .failed, .invalidDatabase, path: name,
          "\(space.sharedNodeCount.counted("part")) \(space.sharedNodeCount == 1 ? "is" : "are") used in more than one "
            + "place and counted only once",
          advice: "'check' shows where"))
    }
    return diagnostics
  }

  /// `Docs/JSONOutput.md` describes the keys.
  func json(isIndented: Bool) -> String {
    let space = stats.space
    return JSONText.document(isIndented: isIndented) { json in
      json.path("input", input)
      json.member("fileFormat", stats.fileFormat)
      json.member("size", space.fileSize)
      json.objects("parts", stats.groups(by: .part)) { part in
        let name = SpaceName(kind: part.kind, table: part.table, property: part.property)
        json.member("name", name.description)
        json.member("bytes", part.byteCount)
        json.member("use", part.kind?.rawValue)
        json.member("class", name.className)
        json.member("property", part.property?.description)
      }
      json.objects("propertySizes", space.properties) { property in
        json.member("class", SpaceName(table: property.table).className)
        json.member("property", property.property.description)
        json.member("objects", property.objectCount)
        json.member("valueBytes", property.valueBytes)
        json.member("indexBytes", property.indexBytes)
        json.member("averageBytes", property.averageBytes)
        if let largest = property.largest {
          json.member("largestBytes", largest.byteCount)
          json.member("largestObjKey", largest.object.rawValue)
        }
        json.member("distinctStrings", property.repetition?.distinctCount)
      }
      json.object("freeBlocks") {
        json.member("blockCount", space.freeBlocks.count)
        json.member("freeBytes", space.freeBlocks.byteCount)
        json.member("largestBlock", space.freeBlocks.largest)
        json.member("bytesAtEnd", space.freeBlocks.atEnd)
      }
      json.member("compactedSize", space.compactedSize)
      json.objects("advice", stats.advice) { advice in
        json.member("action", advice.kindName)
        json.member("bytes", advice.byteCount)
        json.member("reason", advice.text)
      }
      json.member(
        "unreadableParts", damagedTables.count + partDamageCount)
    }
  }
}

extension PropertySpace {
  /// Average bytes of a value; nil without objects.
  var averageBytes: UInt64? { objectCount > 0 ? valueBytes / UInt64(objectCount) : nil }
}

/// The name of a part of a file for people: `Person.name strings`, `Person objects`, `free space`.
struct SpaceName: CustomStringConvertible {
  var kind: SpaceKind?
  var table: RealmString?
  var property: RealmString?

  /// Without `class_`.
  var className: String? { table.map { TableSchema.displayName(ofTable: $0).description } }

  var description: String {
    let place = [className, property?.description].compactMap { $0 }.joined(separator: ".")
    return [place.isEmpty ? nil : place, kind?.text].compactMap { $0 }.joined(separator: " ")
  }
}

extension SpaceKind {
  fileprivate var text: String {
    switch self {
    case .header: "file header"
    case .footer: "file footer"
    case .root: "root"
    case .tableList: "list of tables"
    case .freeList: "list of free space"
    case .history: "history"
    case .free: "free space"
    case .olderSnapshots: "older snapshots"
    case .newerSnapshot: "newer snapshot"
    case .unaccounted: "not accounted for"
    case .padding: "end of the file"
    case .encryption: "encryption"
    case .description: "schema"
    case .objects: "objects"
    case .objectKeys: "object keys"
    case .tombstones: "tombstones"
    case .backlinks: "backlinks"
    case .unreadable: "(unreadable)"
    case .values: "values"
    case .strings: "strings"
    case .blobs: "data"
    case .collections: "collections"
    case .index: "index"
    }
  }
}
