import RealmStorage
import RealmText

/// What is different between two realms of any formats: their schemas, and the objects of the classes that both have or only
/// one has.
///
/// Objects are the same by their primary key where both sides have the same one, else by their object key. They are equal
/// where all values are of the properties that both sides have; links count by the key of their target, embedded objects as a part
/// of what they belong to. Each object becomes a number of 64 bits that is different for different content but for a
/// chance of one in 10^19; only those that differ are compared value by value.
package struct RealmDifference {
  package let schema: SchemaDifference
  private let old: DifferenceSide
  private let new: DifferenceSide

  /// The side that an error is about.
  package struct SideError: Error {
    package let isOld: Bool
    package let error: any Error
  }

  /// A class that at least one side has, with what its objects go by.
  package struct Pair: Sendable {
    package let name: RealmString
    let old: Table?
    let new: Table?
    /// The name of the primary key that both sides have; nil for object keys.
    package let primaryKey: RealmString?

    /// Nil where the class is on the other side only.
    package var oldSchema: TableSchema? { old?.schema }
    package var newSchema: TableSchema? { new?.schema }
  }

  /// What became of the objects of a class.
  package struct ClassDifference: Sendable {
    package let pair: Pair
    /// In the order of the keys.
    package let changes: [ObjectChange]
    /// Objects that are the same on both sides.
    package let equalCount: Int

    package var isEmpty: Bool { changes.isEmpty }
  }

  /// A value before and after, as texts in the form of `export --format typed`; nil where the object is not there.
  package struct ValueChange: Hashable, Sendable {
    package let property: RealmString
    package let old: [UInt8]?
    package let new: [UInt8]?
  }

  /// - Parameters:
  ///   - old, new: snapshots of two stores, or of one that does not come in pages: they are read at the same time.
  ///   - onProgress: called now and then, on any thread, with a number of objects that are done; what it throws ends the work.
  /// - Throws: `SideError` where a table cannot be read at all.
  package init(
    from old: Snapshot, to new: Snapshot, onProgress: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) throws {
    for (snapshot, isOld) in [(old, true), (new, false)] {
      if let damaged = snapshot.damagedTables.first { throw SideError(isOld: isOld, error: damaged.error) }
    }
    schema = SchemaDifference(from: old.schema, to: new.schema)
    self.old = DifferenceSide(old, other: new.schema, onProgress: onProgress)
    self.new = DifferenceSide(new, other: old.schema, onProgress: onProgress)
  }

  /// The classes whose objects are compared, by name. Embedded objects belong to others; a class that is embedded on one
  /// side only is a change of the schema.
  package func pairs(in selection: ClassSelection = .all) -> [Pair] {
    let names = Set((old.snapshot.schema.classes + new.snapshot.schema.classes).map(\.displayName))
    return names.filter(selection.contains).sorted().compactMap { name in
      let (old, new) = (old.table(name), new.table(name))
      guard old?.schema.kind != .embedded, new?.schema.kind != .embedded else { return nil }
      let keys = [old?.schema, new?.schema].compactMap { $0 }.map(\.primaryKey)
      let isSame = keys.allSatisfy { $0?.name == keys.first??.name && $0?.type == keys.first??.type }
      return Pair(name: name, old: old, new: new, primaryKey: isSame ? keys.first??.name : nil)
    }
  }

  /// Objects of all classes on both sides, for progress.
  package func objectCount(of pairs: [Pair]) -> Int {
    pairs.reduce(0) { sum, pair in
      sum + [pair.old, pair.new].compactMap { $0 }.reduce(0) { $0 + ((try? $1.objectCount()) ?? 0) }
    }
  }

  // MARK: Objects

  /// Compares the objects of a class, both sides at the same time.
  ///
  /// - Throws: `SideError` with what keeps something from being read, or what `onProgress` threw.
  package func compare(_ pair: Pair) throws -> ClassDifference {
    let old = old
    let worker = ThreadResult(onThread: pair.old != nil) { () throws(any Error) in
      try Self.entries(old, pair.old, pair)
    }
    let newEntries = Result { try Self.entries(new, pair.new, pair) }
    let found = Result { try worker.get() }
    let (changes, equalCount) = ObjectEntries.changes(
      from: try Self.get(found, isOld: true), to: try Self.get(newEntries, isOld: false))
    return ClassDifference(pair: pair, changes: changes, equalCount: equalCount)
  }

  private static func entries(_ side: DifferenceSide, _ table: Table?, _ pair: Pair) throws -> ObjectEntries {
    guard let table else { return ObjectEntries(count: 0) }
    return try side.entries(of: table, primaryKey: pair.primaryKeyIndex(in: table))
  }

  private static func get<Value>(_ result: Result<Value, any Error>, isOld: Bool) throws -> Value {
    do { return try result.get() } catch { throw SideError(isOld: isOld, error: error) }
  }

  // MARK: Values

  /// What a changed object goes by: its primary key as text, or nil for the object key.
  ///
  /// - Throws: `SideError`.
  package func key(of change: ObjectChange, in pair: Pair) throws -> [UInt8]? {
    guard pair.primaryKey != nil else { return nil }
    let isOld = if case .removed = change { true } else { false }
    let (side, table) = isOld ? (old, pair.old) : (new, pair.new)
    guard let table, let index = pair.primaryKeyIndex(in: table) else { return nil }
    return try values(side, isOld: isOld, change.key, table, [index]).first
  }

  /// The values that are different: of an object that came or went all, otherwise those of properties that both sides have.
  ///
  /// - Throws: `SideError`.
  package func values(of change: ObjectChange, in pair: Pair) throws -> [ValueChange] {
    switch change {
    case .removed(let key):
      guard let table = pair.old else { return [] }
      let indices = Array(table.schema.properties.indices)
      return zip(indices, try values(old, isOld: true, key, table, indices)).map { index, value in
        ValueChange(property: table.schema.properties[index].name, old: value, new: nil)
      }
    case .added(let key):
      guard let table = pair.new else { return [] }
      let indices = Array(table.schema.properties.indices)
      return zip(indices, try values(new, isOld: false, key, table, indices)).map { index, value in
        ValueChange(property: table.schema.properties[index].name, old: nil, new: value)
      }
    case .changed(let oldKey, let newKey):
      guard let oldTable = pair.old, let newTable = pair.new else { return [] }
      let common = Self.commonProperties(oldTable.schema, newTable.schema)
      let before = try values(old, isOld: true, oldKey, oldTable, common.map(\.old))
      let after = try values(new, isOld: false, newKey, newTable, common.map(\.new))
      return common.indices.filter { before[$0] != after[$0] }.map { index in
        ValueChange(
          property: newTable.schema.properties[common[index].new].name, old: before[index], new: after[index])
      }
    }
  }

  /// The positions of the properties that both sides have, in the order of the newer.
  private static func commonProperties(_ old: TableSchema, _ new: TableSchema) -> [(old: Int, new: Int)] {
    let positions = Dictionary(old.properties.enumerated().map { ($1.name, $0) }) { first, _ in first }
    return new.properties.enumerated().compactMap { index, property in
      positions[property.name].map { (old: $0, new: index) }
    }
  }

  private func values(
    _ side: DifferenceSide, isOld: Bool, _ key: ObjectKey, _ table: Table, _ properties: [Int]
  ) throws -> [[UInt8]] {
    do { return try side.values(of: key, in: table, properties: properties) } catch {
      throw SideError(isOld: isOld, error: error)
    }
  }
}

extension RealmDifference.Pair {
  fileprivate func primaryKeyIndex(in table: Table) -> Int? {
    primaryKey.flatMap { name in table.schema.properties.firstIndex { $0.name == name } }
  }
}

extension ObjectChange {
  /// Of the newer object where there are two.
  package var key: ObjectKey {
    switch self {
    case .removed(let key), .added(let key), .changed(_, let key): key
    }
  }
}
