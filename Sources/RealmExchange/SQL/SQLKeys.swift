import CSQLite
import RealmModels
import RealmStorage
import RealmText

/// Finds objects by the values that SQLite compares them with. It may find more than requested, because SQLite compares
/// again, but never less.
struct SQLKeys {
  let reader: SQLReader

  /// Candidates that an index may name; beyond that all objects are looked at.
  private static let mostCandidates = 100_000

  private var plan: RelationalPlan { reader.plan }

  /// The keys of the objects to look at; nil for all.
  ///
  /// - Throws: `StorageError` if links are damaged.
  func keys(_ search: SQLTable.Search, of position: Int, _ argument: OpaquePointer?) throws -> [ObjectKey]? {
    guard let argument else { return nil }
    // Nothing is equal to null.
    if sqlite3_value_type(argument) == SQLITE_NULL { return search == .all ? nil : [] }
    switch search {
    case .all: return nil
    case .key, .owner: return keys(ofRow: argument, in: position)
    case .index(let property): return keys(of: argument, property: property, in: position)
    case .links(let property): return try origins(of: argument, property: property, in: position)
    }
  }

  private func keys(ofRow argument: OpaquePointer, in position: Int) -> [ObjectKey]? {
    guard case .property(let property) = plan.relational.classes[position].key else {
      guard let number = integer(argument) else { return nil }
      return [ObjectKey(rawValue: number)]
    }
    return keys(of: argument, property: property, in: position)
  }

  private func keys(of argument: OpaquePointer, property: Int, in position: Int) -> [ObjectKey]? {
    let table = plan.tables[position]
    guard let value = value(argument, table.schema.properties[property].type) else { return nil }
    // A damaged index decides nothing.
    return try? table.indexCandidates(ofProperty: property, for: value, limit: Self.mostCandidates)?.sorted()
  }

  /// The objects of a class that link to a row of another.
  private func origins(of argument: OpaquePointer, property: Int, in position: Int) throws -> [ObjectKey]? {
    let origin = plan.tables[position]
    guard let target = plan.relational.classes[position].values[property].target?.position,
      let keys = keys(ofRow: argument, in: target),
      let place = reader.snapshot.incomingLinkIndex(to: plan.tables[target], origin: origin, property: property)
    else { return nil }
    var origins: Set<ObjectKey> = []
    for key in keys {
      guard let found = try plan.tables[target].object(key) else { continue }
      let group = try reader.snapshot.backlinks(to: found.batch, row: found.row)[place].get()
      guard group.count <= Self.mostCandidates else { return nil }
      for origin in group.originKeys(at: 0..<group.count, in: reader.snapshot) { origins.insert(try origin.get()) }
    }
    return origins.sorted()
  }

  // MARK: Arguments

  private func integer(_ argument: OpaquePointer) -> Int64? {
    sqlite3_value_type(argument) == SQLITE_INTEGER ? sqlite3_value_int64(argument) : nil
  }

  /// What an argument means for a property; nil if only SQLite knows what it is equal to.
  private func value(_ argument: OpaquePointer, _ type: PropertyType) -> Value? {
    switch type {
    case .int: return integer(argument).map { .int($0) }
    case .bool: return integer(argument).flatMap { [0: .bool(false), 1: .bool(true)][$0] }
    default: break
    }
    guard sqlite3_value_type(argument) == SQLITE_TEXT else { return nil }
    let start = sqlite3_value_text(argument)
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(argument)))
    let text = RealmString(bytes)
    switch type {
    case .string: return .string(text)
    case .objectID: return ObjectID(text: text).map { .objectID($0) }
    case .uuid: return RealmUUID(text: text).map { .uuid($0) }
    default: return nil
    }
  }
}
