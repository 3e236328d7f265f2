import Foundation
import RealmInspection
import RealmOpening
import RealmStorage
import RealmTools

/// The content of a realm before it was damaged, value by value, and where the bytes of each value are.
final class Truth {
  /// Properties by class and object.
  private var values: [RealmString: [ObjectKey: [Value]]] = [:]
  private var properties: [RealmString: [RealmString]] = [:]
  private var names: [TableKey: RealmString] = [:]
  private let places: ValuePlaces
  private(set) var count = 0
  private(set) var objectCount = 0

  init(_ path: String, key: EncryptionKey?) throws {
    let opened = try ByteStore.open(.path(path), key: key)
    let snapshot = try Snapshot(of: opened.store, wasDecrypted: key != nil)
    places = try ValuePlaces(opened.store, snapshot)
    for table in snapshot.tables where table.schema.isClass {
      names[table.key] = table.schema.name
      properties[table.schema.name] = table.schema.properties.map(\.name)
      var objects: [ObjectKey: [Value]] = [:]
      Self.forEach(table, snapshot) { objects[$0] = $1.map { $0 ?? .null } }
      values[table.schema.name] = objects
      objectCount += objects.count
      count += objects.count * table.schema.properties.count
    }
  }

  /// Calls `visit` with each object and its values, nil for those that cannot be read.
  private static func forEach(_ table: Table, _ snapshot: Snapshot, _ visit: (ObjectKey, [Value?]) -> Void) {
    let walk = snapshot.collectionWalk(passes: 4)
    var batches = table.batches()
    while let step = batches.next() {
      guard case .batch(let batch) = step else { continue }
      let columns = table.schema.properties.indices.map { try? batch.values(ofProperty: $0) }
      for row in 0..<batch.count {
        visit(batch.key(at: row), columns.map { column in column.flatMap { try? Value($0.value(at: row), walk) } })
      }
    }
  }

  // MARK: Export

  /// The share that the live snapshot alone gives, part by part, as `export` does.
  func shareByExport(_ bytes: [UInt8], key: EncryptionKey?) -> Double {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rescue-\(getpid()).realm")
    defer { try? FileManager.default.removeItem(at: folder) }
    guard (try? Data(bytes).write(to: folder)) != nil, let opened = try? ByteStore.open(.path(folder.path), key: key),
      let snapshot = try? Snapshot(of: opened.store, wasDecrypted: key != nil)
    else { return 0 }
    var equal = 0
    for table in snapshot.tables {
      guard let objects = values[table.schema.name], let names = properties[table.schema.name] else { continue }
      let positions = table.schema.properties.map { names.firstIndex(of: $0.name) }
      Self.forEach(table, snapshot) { key, found in
        guard let object = objects[key] else { return }
        for (position, value) in zip(positions, found) {
          if let position, let value, value.isSame(as: object[position]) { equal += 1 }
        }
      }
    }
    return Double(equal) / Double(count)
  }

  // MARK: Rescue

  struct Result {
    /// Of all values.
    var share = 0.0
    /// Values of which no byte was damaged, and those of them whose group of objects still has its node: of all.
    var intact = 0.0
    var reachable = 0.0
    /// Of those of which no byte was damaged.
    var shareOfIntact = 1.0
    /// Values that are wrong without a warning.
    var wrong = 0
    /// Lines that name the values that were not saved.
    var missing: [String] = []
  }

  private struct Mark: Hashable {
    let name: RealmString
    let property: RealmString?
    let key: ObjectKey
  }

  func compare(_ damage: Damage, key: EncryptionKey?, tells: Bool) -> Result {
    var marks: Set<Mark> = []
    guard
      var saved = try? rescued(
        damage, key: key, tells: tells,
        { detail in
          for key in detail.keys { marks.insert(Mark(name: detail.className, property: detail.property, key: key)) }
        })
    else { return Result(shareOfIntact: 0) }
    let madeUp = named(&saved)
    let isIntact = places.test(damage, isEncrypted: key != nil)
    let isReachable = places.testWithGroups(damage, isEncrypted: key != nil)
    func isTargetIntact(_ table: TableKey, _ key: ObjectKey) -> Bool {
      names[table].map { isIntact($0, key, 0) } ?? false
    }
    var (equal, intact, equalIntact, reachable) = (0, 0, 0, 0)
    var result = Result()
    var wrongBy: [RealmString: Int] = [:]
    var missingBy: [RealmString: Int] = [:]
    for (name, objects) in values {
      let display = TableSchema.displayName(ofTable: name)
      let columns = properties[name] ?? []
      let side = RealmString("Recovered" + display.description)
      for (objectKey, object) in objects {
        let found = saved[name]?[objectKey] ?? saved[TableSchema.tableName(ofClass: side)]?[objectKey]
        let owner = saved[name]?[objectKey] == nil ? side : display
        for (position, value) in object.enumerated() {
          let isSame = found?[columns[position]].map { cameBack($0, value, madeUp: madeUp[name] != nil) } ?? false
          // A link has a value where its target has one.
          var isThere = isIntact(name, objectKey, position)
          if isThere { value.forEachTarget { isThere = isThere && isTargetIntact($0, $1) } }
          if isThere {
            intact += 1
            if isReachable(name, objectKey, position) { reachable += 1 }
          }
          if isSame {
            equal += 1
            if isThere { equalIntact += 1 }
            continue
          }
          let line = "\(display) \(columns[position]) \(objectKey.rawValue)"
          result.missing.append("missing \(isThere ? "intact" : "damaged") \(line)\n")
          if tells, isThere { missingBy[RealmString("\(display).\(columns[position])"), default: 0] += 1 }
          // Everybody can see that an object or a property is missing.
          guard found?[columns[position]] != nil else { continue }
          if let madeUp = madeUp[name] {
            let property = madeUp.properties[columns[position]] ?? columns[position]
            if [nil, property].contains(where: { marks.contains(Mark(name: madeUp.name, property: $0, key: objectKey)) }
            ) {
              continue
            }
          }
          let isMarked =
            marks.contains(Mark(name: owner, property: columns[position], key: objectKey))
            || marks.contains(Mark(name: owner, property: nil, key: objectKey))
          if !isMarked {
            result.wrong += 1
            result.missing.append("wrong \(line)\n")
            wrongBy[RealmString("\(display).\(columns[position])"), default: 0] += 1
          }
        }
      }
    }
    if tells {
      print("wrong", wrongBy.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
      print("missing though intact", missingBy.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
    }
    result.share = Double(equal) / Double(count)
    (result.intact, result.reachable) = (Double(intact) / Double(count), Double(reachable) / Double(count))
    result.shareOfIntact = intact == 0 ? 1 : Double(equalIntact) / Double(intact)
    return result
  }

  // MARK: Names that were made up

  private typealias Saved = [RealmString: [ObjectKey: [RealmString: Value]]]

  private static let mostCompared = 200

  /// What was saved with the names that classes and properties had, where these are lost: by the values that are equal. It
  /// is the values that are counted.
  ///
  /// - Returns: the names that were given, of classes and of properties by those that they had.
  private func named(_ saved: inout Saved) -> [RealmString: (name: RealmString, properties: [RealmString: RealmString])]
  {
    var given: [RealmString: (name: RealmString, properties: [RealmString: RealmString])] = [:]
    let madeUp = saved.keys.filter { isMadeUp($0, "class_Recovered") }.sorted()
    var taken: Set<RealmString> = []
    for (name, objects) in values.sorted(by: { $0.key < $1.key }) {
      if saved[name] == nil {
        let best = madeUp.filter { !taken.contains($0) }.map { ($0, likeness(objects, saved[$0] ?? [:])) }
          .max { ($0.1, $1.0) < ($1.1, $0.0) }
        guard let best, best.1 > 0 else { continue }
        taken.insert(best.0)
        given[name] = (TableSchema.displayName(ofTable: best.0), [:])
        saved[name] = saved[best.0]
      }
      guard let found = saved[name], let first = found.values.first,
        first.keys.contains(where: { isMadeUp($0, "property") }), let columns = properties[name]
      else { continue }
      var names: [RealmString: RealmString] = [:]
      for property in first.keys.sorted() where isMadeUp(property, "property") {
        let counts = columns.indices.map { position in
          keys(objects, found).reduce(0) { count, key in
            guard let value = found[key]?[property], let old = objects[key]?[position] else { return count }
            return count + (cameBack(value, old, madeUp: true) ? 1 : 0)
          }
        }
        guard let best = counts.indices.max(by: { (counts[$0], $1) < (counts[$1], $0) }), counts[best] > 0 else {
          continue
        }
        names[property] = columns[best]
        given[name, default: (TableSchema.displayName(ofTable: name), [:])].properties[columns[best]] = property
      }
      saved[name] = found.mapValues { values in
        Dictionary(values.map { (names[$0.key] ?? $0.key, $0.value) }) { first, _ in first }
      }
    }
    return given
  }

  /// Whether a value was saved. If the schema is lost, sets cannot be distinguished from lists, and tables have other
  /// keys.
  private func cameBack(_ found: Value, _ old: Value, madeUp: Bool) -> Bool {
    if madeUp, case .list(let left) = found, case .set(let right) = old {
      return Value.list(left).isSame(as: .list(right))
    }
    // A class whose place in the list is lost has another one now.
    if madeUp, case .link(_, let left) = found, case .link(_, let right) = old { return left == right }
    return found.isSame(as: old)
  }

  private func isMadeUp(_ name: RealmString, _ stem: String) -> Bool {
    name.hasPrefix(stem) && !name.utf8.dropFirst(stem.utf8.count).isEmpty
      && name.utf8.dropFirst(stem.utf8.count).allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private func keys(_ objects: [ObjectKey: [Value]], _ found: [ObjectKey: [RealmString: Value]]) -> [ObjectKey] {
    let shared = objects.keys.filter { found[$0] != nil }.sorted()
    return stride(from: 0, to: shared.count, by: shared.count / Self.mostCompared | 1).map { shared[$0] }
  }

  /// How many values of some objects are among those of the objects with their keys.
  private func likeness(_ objects: [ObjectKey: [Value]], _ found: [ObjectKey: [RealmString: Value]]) -> Int {
    keys(objects, found).reduce(0) { count, key in
      let values = Array((found[key] ?? [:]).values)
      return count
        + (objects[key] ?? []).filter { old in
          guard case .string(let text) = old, !text.isEmpty else { return false }
          return values.contains { $0.isSame(as: old) }
        }.count
    }
  }

  /// The objects of the rescued realm, by table and key.
  private func rescued(
    _ damage: Damage, key: EncryptionKey?, tells: Bool, _ report: @escaping (RescueDetail) -> Void
  ) throws -> [RealmString: [ObjectKey: [RealmString: Value]]] {
    let catalog = try RescueCatalog(RescueBytes(copying: damage.bytes, key: key))
    var rescue = RealmRescue(catalog, RescueOptions())
    rescue.report = report
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("rescued-\(getpid()).realm").path
    defer { unlink(path) }
    let output = try rescue.makeOutput(at: path, replacing: .any)
    do {
      let written = try rescue.write(to: output)
      if tells {
        print("version \(catalog.snapshotVersion ?? 0), live \(catalog.isLive), format \(catalog.format ?? 0)")
        for one in written.account.classes { print(one.summary) }
      }
    } catch {
      print("NOT WRITTEN: \(error)")
      throw error
    }
    try output.publish()
    let opened = try ByteStore.open(.path(path), key: nil)
    let snapshot = try Snapshot(of: opened.store)
    var saved: [RealmString: [ObjectKey: [RealmString: Value]]] = [:]
    for table in snapshot.tables where table.schema.isClass {
      let names = table.schema.properties.map(\.name)
      var objects: [ObjectKey: [RealmString: Value]] = [:]
      Self.forEach(table, snapshot) { key, values in
        objects[key] = Dictionary(uniqueKeysWithValues: zip(names, values.map { $0 ?? .null }))
      }
      saved[table.schema.name] = objects
    }
    return saved
  }
}

extension Value {
  /// Calls `visit` with each object that a value links to.
  fileprivate func forEachTarget(_ visit: (TableKey, ObjectKey) -> Void) {
    switch self {
    case .link(let table, let key), .typedLink(let table, let key): visit(table, key)
    case .list(let elements), .set(let elements): for element in elements { element.forEachTarget(visit) }
    case .dictionary(let entries): for entry in entries.values { entry.forEachTarget(visit) }
    default: return
    }
  }
}

extension RescueAccount.ClassAccount {
  fileprivate var summary: String {
    "\(name): objects \(savedObjects), older \(olderObjects), lost \(lostObjects.map(String.init) ?? "?"), no key \(objectsWithoutKey)"
      + ", orphans \(orphans); values \(savedValues), older \(olderValues), doubtful \(doubtfulValues), lost \(lostValues)"
      + ", links \(lostLinks), \(lostProperties)"
  }
}
