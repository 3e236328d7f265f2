import RealmStorage

extension RescueSpec {
  /// The lists of a description, each with an element for each column.
  struct Lists {
    let ref: Ref
    let keys: Node
    let names: [RealmString]?
    /// Nil if lost.
    let types: Node?
    let attributes: Node?
    let enumerations: Node?

    var damage: StorageError { .corrupted(ref, .badTable("the description of the table's columns is damaged")) }
    var columnKeys: [ColumnKey] { (0..<keys.count).map { ColumnKey(rawValue: keys.uncheckedInt($0)) } }

    /// - Throws: `StorageError.corrupted` if the list of keys is lost.
    init(_ ref: Ref, in bytes: RescueBytes) throws {
      let node = try Node(ref, in: bytes.store)
      try node.requireRefs("the description of a table's columns")
      let raw = RawSpec(node)
      func list(_ slot: SpecSlot) -> Node? {
        raw[slot].child.flatMap(bytes.wholeNode).flatMap { $0.scheme == .bits ? $0 : nil }
      }
      guard bytes.isWhole(node), raw.count >= RawSpec.slotCount, let keys = list(.keys), !keys.hasRefs,
        keys.count <= ColumnKey.mostLeafIndexes
      else { throw StorageError.corrupted(ref, .badTable("the description of the table's columns is damaged")) }
      func numbers(_ slot: SpecSlot) -> Node? {
        list(slot).flatMap { !$0.hasRefs && $0.count == keys.count ? $0 : nil }
      }
      (self.ref, self.keys) = (ref, keys)
      names = raw[.names].child.flatMap(bytes.wholeNode).flatMap { try? $0.names() }
      (types, attributes, enumerations) = (numbers(.types), numbers(.attributes), list(.enumerations))
    }
  }

  private static let mostDisputed = 2
  private static let mostPlaces = 4
  private static let mostReadings = 256

  /// What a description can mean, the likeliest first: more than one thing where the key of a column contradicts the
  /// other lists, or two keys have one place. Only the values show which is right.
  static func readings(_ ref: Ref, in bytes: RescueBytes) -> [RescueSpec] {
    guard !ref.isNull, let lists = try? Lists(ref, in: bytes) else { return [] }
    let stated = lists.columnKeys
    let others = others(stated, lists)
    guard others.count <= mostDisputed else { return [try? Self(lists, stated)].compactMap { $0 } }
    // The fewer keys are wrong, the likelier.
    var readings = [stated]
    for (index, keys) in others {
      for reading in readings {
        for key in keys where readings.count < mostReadings {
          var reading = reading
          reading[index] = key
          readings.append(reading)
        }
      }
    }
    // A property that may be null loses nothing if it never was, but for collections of numbers. Otherwise a key is likelier
    // right than what contradicts it, unless several things do.
    let tag = likelyTag(stated)
    let specs = readings.compactMap { keys in (try? Self(lists, keys)).map { (spec: $0, keys: keys) } }
    let ranks = specs.map { spec, keys in
      let attributes = spec.properties.map(\.key.attributes)
      return (
        impossible: attributes.count { !isPossible($0) },
        contradicted: keys.indices.count { lists.contradictions(of: keys[$0], at: $0, tag: tag) > 1 },
        changed: zip(keys, stated).count { !$0.isSameButForNulls(as: $1) },
        required: keys.count { !$0.hasListedNull && !$0.attributes.contains(.nullable) }
      )
    }
    return specs.indices.sorted { left, right in
      let (first, second) = (ranks[left], ranks[right])
      return (first.impossible, first.contradicted, first.changed, first.required, left)
        < (second.impossible, second.contradicted, second.changed, second.required, right)
    }.map { specs[$0].spec }
  }

  /// The tag that most keys have.
  private static func likelyTag(_ keys: [ColumnKey]) -> Int64? {
    let tags = Dictionary(grouping: keys, by: \.tag)
    return tags.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }.map(\.key)
  }

  /// The other keys that columns with a contradiction can have, with the places of the columns.
  private static func others(_ stated: [ColumnKey], _ lists: Lists) -> [(index: Int, keys: [ColumnKey])] {
    let places = Dictionary(grouping: stated.indices) { stated[$0].leafIndex }
    // A column has the lowest leaf index that is free when it is added: few are left unused (§3.4).
    let unused = stated.indices.filter { places[$0] == nil }
    let last = stated.map(\.leafIndex).max()
    let tags = Dictionary(grouping: stated, by: \.tag)
    let tag = likelyTag(stated)
    return stated.enumerated().compactMap { index, key in
      var keys = [key]
      let other = ColumnKey(key, type: lists.type(index), attributes: lists.attributes(index))
      if other != key { keys.append(other) }
      if let tag, tag != key.tag, tags[key.tag]?.count == 1 { keys += keys.map { $0.tagged(tag) } }
      let isLast = key.leafIndex == last && key.leafIndex >= stated.count
      if places[key.leafIndex, default: []].count > 1 || isLast {
        let likely = unused.sorted { key.distance(toLeaf: $0) < key.distance(toLeaf: $1) }.prefix(mostPlaces)
        keys += likely.flatMap { leafIndex in keys.map { $0.moved(toLeaf: leafIndex) } }
      }
      return keys.count > 1 ? (index, Array(keys.dropFirst())) : nil
    }
  }
}

extension RescueSpec.Lists {
  fileprivate func type(_ index: Int) -> Int? { types.map { RawColumn.typeCode(of: $0.uncheckedInt(index)) } }

  fileprivate func attributes(_ index: Int) -> UInt16? {
    attributes.map { UInt16(truncatingIfNeeded: $0.uncheckedInt(index)) & ColumnKey.attributeMask }
  }

  /// How many other parts of the file contradict the key of a column.
  ///
  /// - Parameter tag: that the keys of the table have.
  fileprivate func contradictions(of key: ColumnKey, at index: Int, tag: Int64?) -> Int {
    let type = ColumnKey(key, type: type(index), attributes: nil)
    let attributes = ColumnKey(key, type: nil, attributes: attributes(index))
    return [type != key, !attributes.isSameButForNulls(as: key), tag.map { $0 != key.tag } ?? false].count { $0 }
  }
}

extension ColumnKey {
  /// The attributes that a key has, of those that the list of attributes has (Docs/Format/3-tables-and-objects.md §3.4).
  fileprivate static let attributeMask: UInt16 = 0xf0

  /// A key with the type and the attributes that the lists have for its column, as far as they can have them.
  fileprivate init(_ key: ColumnKey, type: Int?, attributes: UInt16?) {
    var raw = key.rawValue & 0x3fff_ffff_ffff_ffff
    // An upgrade to format 24 leaves the list of types as it is (§3.1).
    let isOldLinkList = type == TypeCode.linkList.rawValue && key.typeCode == TypeCode.link.rawValue
    if let type, !isOldLinkList, type < 64 { raw = raw & ~(0x3f << 16) | Int64(type) << 16 }
    if let attributes { raw = raw & ~(0xff << 22) | Int64(attributes) << 22 }
    self.init(rawValue: raw)
  }

  /// Whether each node has the number that stands for null as its first element, if there can be nulls.
  fileprivate var hasListedNull: Bool { valueType == .int && collection != nil && collection != .dictionary }

  fileprivate func isSameButForNulls(as other: ColumnKey) -> Bool {
    if hasListedNull { return rawValue == other.rawValue }
    return (rawValue ^ other.rawValue) & ~(Int64(ColumnAttributes.nullable.rawValue) << 22) == 0
  }
  fileprivate var tag: Int64 { rawValue >> 30 }
  /// How many bits of the leaf index are others, then how far it is.
  fileprivate func distance(toLeaf index: Int) -> Int {
    (leafIndex ^ index).nonzeroBitCount << 16 | abs(leafIndex - index)
  }
  fileprivate func tagged(_ tag: Int64) -> ColumnKey { ColumnKey(rawValue: rawValue & 0x3fff_ffff | tag << 30) }
}
