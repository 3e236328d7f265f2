import RealmStorage
import RealmText

/// Facts about a class that reading its objects needs, computed once.
final class DataClass {
  let number: Int
  let schema: TableSchema
  let properties: [DataProperty]
  let primaryKey: Int?
  /// The member that gives an object its key; for a class without a primary key.
  let keyName: RealmString
  /// By property, the value of objects that give none; nil for the default of the type.
  let givenDefaults: [Value?]
  private let positions: [RealmString: Int]

  var name: RealmString { schema.displayName }
  var isEmbedded: Bool { schema.kind == .embedded }

  init(
    number: Int, schema: TableSchema, numbers: [RealmString: Int], kinds: [RealmString: TableKind],
    defaults: [PropertyPath: Value], lookups: [PropertyPath: Int] = [:]
  ) {
    (self.number, self.schema) = (number, schema)
    primaryKey = schema.primaryKeyIndex
    keyName = schema.objectKeyMember
    properties = schema.properties.enumerated().map { index, property in
      DataProperty(
        index: index, property: property, target: property.target.flatMap { numbers[$0] },
        targetIsEmbedded: property.target.flatMap { kinds[$0] } == .embedded,
        lookup: lookups[PropertyPath(className: schema.displayName, property: property.name)])
    }
    givenDefaults = properties.map { defaults[PropertyPath(className: schema.displayName, property: $0.name)] }
    positions = Dictionary(schema.properties.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  /// Whether the key that was read last gives an object its key.
  func isObjectKey(namedByLastKeyOf reader: JSONReader) -> Bool {
    primaryKey == nil && reader.textEquals(keyName.utf8)
  }

  /// The property whose name was read last. Objects tend to have their members in the order of the schema, so the one
  /// that is expected is looked at first.
  @inline(__always)
  func property(namedByLastKeyOf reader: JSONReader, expected: Int) -> DataProperty? {
    if expected < properties.count {
      let property = properties[expected]
      if reader.textEquals(property.name.utf8) { return property }
    }
    return positions[reader.text].map { properties[$0] }
  }
}

/// One property of a class.
final class DataProperty {
  let index: Int
  let name: RealmString
  let type: PropertyType
  let collection: CollectionKind?
  /// Whether the value, or an element of the collection, may be null.
  let isNullable: Bool
  /// The number of the class that a link points to.
  let target: Int?
  let targetIsEmbedded: Bool
  /// The maximum number of bytes of a string or data value.
  let byteLimit: Int
  /// The property of the target by which links find it; nil for its primary key.
  let lookup: Int?

  init(index: Int, property: Property, target: Int?, targetIsEmbedded: Bool, lookup: Int? = nil) {
    (self.index, self.lookup) = (index, lookup)
    name = property.name
    type = property.type
    collection = property.collection
    (self.target, self.targetIsEmbedded) = (target, targetIsEmbedded)
    isNullable =
      switch property.type {
      case .mixed: true
      case .object: property.collection == nil || property.collection == .dictionary
      default: property.isOptional
      }
    // The engine cannot read longer values back (Docs/Format/2-nodes-and-values.md §1.7). Dictionaries store Mixed
    // values.
    byteLimit =
      if property.index != .none, property.type == .string, property.collection != nil {
        BuildError.longestIndexedText
      } else {
        property.type == .data && property.collection != .dictionary ? 0xff_fff0 : 0xff_ffef
      }
  }

  /// Whether a number can be a value.
  var takesNumbers: Bool {
    collection == nil && [.int, .float, .double, .decimal128, .mixed, .object].contains(type)
  }

  /// The value of an object that is given none (Docs/Format/3-tables-and-objects.md §4.8).
  var defaultCell: StagedCell {
    switch collection {
    case .list: return StagedCell(kind: .list)
    case .set: return StagedCell(kind: .set)
    case .dictionary: return StagedCell(kind: .dictionary)
    case nil: break
    }
    guard !isNullable else { return .null }
    switch type {
    case .int: return .int(0)
    case .bool: return .bool(false)
    case .float: return .float(0)
    case .double: return .double(0)
    case .string: return StagedCell(kind: .string)
    case .data: return StagedCell(kind: .data)
    case .date: return .date(Timestamp(seconds: 0, nanoseconds: 0))
    case .decimal128: return .decimal(Decimal128(low: 0, high: 0x3040_0000_0000_0000))
    case .objectID: return .objectID(ObjectID(head: 0, tail: 0))
    case .uuid: return .uuid(RealmUUID(head: 0, tail: 0))
    case .mixed, .object, .linkingObjects: return .null
    }
  }
}

/// An object that is being read.
final class OpenObject {
  private(set) var dataClass: DataClass?
  var cells: [StagedCell] = []
  let values = StagedValues()
  /// The object key that the data gives.
  var givenKey: Int64?
  /// Properties with links to objects that have not been read yet.
  var pendingProperties: [Int] = []
  /// The property whose value is being read.
  var current: Int?
  /// Whether one of its values is wrong and the receiver has been told.
  var isBad = false

  func begin(_ dataClass: DataClass) {
    self.dataClass = dataClass
    if cells.count == dataClass.properties.count {
      for index in cells.indices { cells[index] = .missing }
    } else {
      cells = Array(repeating: .missing, count: dataClass.properties.count)
    }
    values.removeAll()
    (givenKey, current, isBad) = (nil, nil, false)
    pendingProperties.removeAll(keepingCapacity: true)
  }
}
