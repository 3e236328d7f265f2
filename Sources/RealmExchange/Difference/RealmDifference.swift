import RealmStorage
import RealmSystem
import RealmText

/// The differences between two realms of any format: their schemas, and the objects of the classes that either has.
///
/// Objects are matched by primary key if both sides have the same one, otherwise by object key. They are equal if all
/// values of the properties that both sides have are equal. Links are compared by the key of their target, and embedded
/// objects as part of the object that contains them. For speed, each object is reduced to a 64-bit number, which
/// different content shares only with a chance of one in 10^19; only objects with different numbers are compared value
/// by value.
package struct RealmDifference {
  package let schema: SchemaDifference
  /// The schema versions; nil where no app has set one.
  package let versions: (old: UInt64?, new: UInt64?)
  private let old: any DifferenceSide
  private let new: any DifferenceSide

  /// A class that at least one side has, with what identifies its objects.
  package struct Pair: Sendable {
    package let name: RealmString
    /// Nil if only the other side has the class.
    package let oldSchema: TableSchema?
    package let newSchema: TableSchema?
    /// The name of the primary key that both sides have; nil for object keys.
    package let primaryKey: RealmString?
  }

  /// What happened to the objects of a class.
  package struct ClassDifference: Sendable {
    package let pair: Pair
    /// The objects that differ, sorted by key.
    package let changes: [ObjectChange]
    /// Objects that are the same on both sides.
    package let equalCount: Int

    package var isEmpty: Bool { changes.isEmpty }
  }

  /// A value before and after, as text in the form of `export --format typed`; nil if the object does not exist on that
  /// side.
  package struct ValueChange: Hashable, Sendable {
    package let property: RealmString
    package let old: [UInt8]?
    package let new: [UInt8]?
  }

  /// The two sides of a comparison.
  package enum Content {
    case realm(Snapshot)
    case database(RelationalFile)

    var schema: Schema {
      switch self {
      case .realm(let snapshot): snapshot.schema
      case .database(let file): file.schema
      }
    }

    fileprivate var isDatabase: Bool { if case .database = self { true } else { false } }
  }

  /// - Parameters:
  ///   - old, new: snapshots of two stores, or of one whose bytes are not read in pages: both are read at the same
  ///     time.
  ///   - onProgress: called from time to time, on any thread, with a number of objects that are done. If it throws, the
  ///     work ends.
  /// - Throws: `InputError.input` if a table cannot be read at all.
  package init(
    from old: Snapshot, to new: Snapshot, onProgress: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) throws {
    try self.init(from: .realm(old), to: .realm(new), onProgress: onProgress)
  }

  /// The same for SQLite files on either side.
  package init(
    from old: Content, to new: Content, onProgress: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) throws {
    for (content, isOld) in [(old, true), (new, false)] {
      if case .realm(let snapshot) = content, let damaged = snapshot.damagedTables.first {
        throw InputError.input(isOld ? 0 : 1, damaged.error)
      }
    }
    schema = SchemaDifference(from: old.schema, to: new.schema)
    versions = (old.schema.version, new.schema.version)
    // The JSON in a SQLite file has the escapes of digests.
    let style = old.isDatabase || new.isDatabase ? JSONStringStyle.digested : .lossless
    func side(_ content: Content, _ other: Content) -> any DifferenceSide {
      switch content {
      case .realm(let snapshot):
        SnapshotSide(snapshot, other: other.schema, style: style, onProgress: onProgress)
      case .database(let file): RelationalSide(file, other: other.schema, style: style, onProgress: onProgress)
      }
    }
    (self.old, self.new) = (side(old, new), side(new, old))
  }

  /// The classes whose objects are compared, by name. Embedded objects belong to others; a class that is embedded on one
  /// side only is a change of the schema.
  package func pairs(in selection: ClassSelection = .all) -> [Pair] {
    let names = Set((old.schema.classes + new.schema.classes).map(\.displayName))
    return names.filter(selection.contains).sorted().compactMap { name in
      let (old, new) = (old.table(name), new.table(name))
      guard old?.kind != .embedded, new?.kind != .embedded else { return nil }
      let keys = [old, new].compactMap { $0 }.map(\.primaryKey)
      let isSame = keys.allSatisfy { $0?.name == keys.first??.name && $0?.type == keys.first??.type }
      return Pair(name: name, oldSchema: old, newSchema: new, primaryKey: isSame ? keys.first??.name : nil)
    }
  }

  /// Objects of all classes on both sides, for progress.
  package func objectCount(of pairs: [Pair]) -> Int {
    pairs.reduce(0) { sum, pair in
      sum + [old, new].reduce(0) { $0 + ($1.objectCount(of: pair.name) ?? 0) }
    }
  }

  // MARK: Objects

  /// Compares the objects of a class, both sides at the same time.
  ///
  /// - Throws: `InputError.input` with what keeps something from being read, or what `onProgress` threw.
  package func compare(_ pair: Pair) throws -> ClassDifference {
    let old = old
    let worker = ThreadResult(onThread: pair.oldSchema != nil) { () throws(any Error) in
      try Self.entries(old, pair.oldSchema, pair)
    }
    let newEntries = Result { try Self.entries(new, pair.newSchema, pair) }
    let found = Result { try worker.get() }
    let (changes, equalCount) = ObjectEntries.changes(
      from: try Self.get(found, isOld: true), to: try Self.get(newEntries, isOld: false))
    return ClassDifference(pair: pair, changes: changes, equalCount: equalCount)
  }

  private static func entries(
    _ side: any DifferenceSide, _ schema: TableSchema?, _ pair: Pair
  ) throws -> ObjectEntries {
    guard let schema else { return ObjectEntries(count: 0) }
    return try side.entries(of: pair.name, primaryKey: pair.primaryKeyIndex(in: schema))
  }

  private static func get<Value>(_ result: Result<Value, any Error>, isOld: Bool) throws -> Value {
    do { return try result.get() } catch { throw InputError.input(isOld ? 0 : 1, error) }
  }

  // MARK: Values

  /// The text that identifies a changed object: its primary key, or nil for the object key.
  ///
  /// - Throws: `InputError.input`.
  package func key(of change: ObjectChange, in pair: Pair) throws -> [UInt8]? {
    guard pair.primaryKey != nil else { return nil }
    let isOld = if case .removed = change { true } else { false }
    let (side, schema) = isOld ? (old, pair.oldSchema) : (new, pair.newSchema)
    guard let schema, let index = pair.primaryKeyIndex(in: schema) else { return nil }
    return try values(side, isOld: isOld, change.key, pair.name, [index]).first
  }

  /// The values that differ. For an object that was added or removed, all of them; otherwise those of the properties
  /// that both sides have.
  ///
  /// - Throws: `InputError.input`.
  package func values(of change: ObjectChange, in pair: Pair) throws -> [ValueChange] {
    switch change {
    case .removed(let key):
      guard let schema = pair.oldSchema else { return [] }
      let indices = Array(schema.properties.indices)
      return zip(indices, try values(old, isOld: true, key, pair.name, indices)).map { index, value in
        ValueChange(property: schema.properties[index].name, old: value, new: nil)
      }
    case .added(let key):
      guard let schema = pair.newSchema else { return [] }
      let indices = Array(schema.properties.indices)
      return zip(indices, try values(new, isOld: false, key, pair.name, indices)).map { index, value in
        ValueChange(property: schema.properties[index].name, old: nil, new: value)
      }
    case .changed(let oldKey, let newKey):
      guard let oldSchema = pair.oldSchema, let newSchema = pair.newSchema else { return [] }
      let common = Self.commonProperties(oldSchema, newSchema)
      let before = try values(old, isOld: true, oldKey, pair.name, common.map(\.old))
      let after = try values(new, isOld: false, newKey, pair.name, common.map(\.new))
      return common.indices.filter { before[$0] != after[$0] }.map { index in
        ValueChange(
          property: newSchema.properties[common[index].new].name, old: before[index], new: after[index])
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
    _ side: any DifferenceSide, isOld: Bool, _ key: ObjectKey, _ className: RealmString, _ properties: [Int]
  ) throws -> [[UInt8]] {
    do { return try side.values(of: key, in: className, properties: properties) } catch {
      throw InputError.input(isOld ? 0 : 1, error)
    }
  }
}

extension RealmDifference.Pair {
  fileprivate func primaryKeyIndex(in schema: TableSchema) -> Int? {
    primaryKey.flatMap { name in schema.properties.firstIndex { $0.name == name } }
  }
}

extension ObjectChange {
  /// Of the newer object if there are two.
  package var key: ObjectKey {
    switch self {
    case .removed(let key), .added(let key), .changed(_, let key): key
    }
  }
}
