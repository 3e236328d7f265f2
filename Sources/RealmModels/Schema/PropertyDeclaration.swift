import RealmStorage
import RealmText

/// A property's type as a schema file declares it, by realm-js's rules.
struct PropertyDeclaration {
  var type: PropertyType
  var collection: CollectionKind?
  var isOptional: Bool
  /// The class of a link or inverse, without `class_`.
  var targetClass: RealmString?
  /// The property that an inverse is the other side of, by any of its names.
  var origin: RealmString?
  var index = IndexKind.none
  /// The name that a realm stores, if it differs from the property's key.
  var storedName: RealmString?
}

// MARK: - Shorthand

extension PropertyDeclaration {
  /// Reads `int`, `int?`, `int?[]`, `Dog`, `Dog{}`, `counter` and so on.
  init(shorthand: RealmString) throws(SchemaFileFault) {
    guard !shorthand.isEmpty else { throw .shorthand(.typeMissing) }
    var rest = shorthand.utf8[...]
    let collection = Self.removeCollectionSuffix(from: &rest)
    if let collection {
      if rest.isEmpty { throw .shorthand(.elementTypeMissing(suffix: collection.suffix)) }
      if Self.collectionSuffix(of: rest) != nil { throw .shorthand(.nestedCollections) }
    }
    let isMarkedOptional = rest.last == UInt8(ascii: "?")
    if isMarkedOptional {
      rest.removeLast()
      if rest.isEmpty { throw .shorthand(.optionalTypeMissing) }
      if Self.collectionSuffix(of: rest) != nil { throw .shorthand(.optionalCollection) }
    }
    let name = RealmString(utf8: Array(rest))
    if name == "counter" {
      if collection != nil { throw .shorthand(.counterInCollection) }
      self.init(type: .int, collection: nil, isOptional: isMarkedOptional)
      return
    }
    try self.init(shorthandName: name, collection: collection, isMarkedOptional: isMarkedOptional)
  }

  private init(
    shorthandName name: RealmString, collection: CollectionKind?, isMarkedOptional: Bool
  ) throws(SchemaFileFault) {
    if let type = Self.primitive(named: name) {
      self.init(type: type, collection: collection, isOptional: isMarkedOptional || type == .mixed)
      return
    }
    if Self.collection(named: name) != nil { throw .shorthand(.collectionName(name)) }
    if name == "object" { throw .shorthand(.objectWithoutClass) }
    if name == "linkingObjects" { throw .shorthand(.inverse) }
    let isNeverOptional = collection == .list || collection == .set
    if isNeverOptional, isMarkedOptional { throw .shorthand(.optionalLinks) }
    self.init(type: .object, collection: collection, isOptional: !isNeverOptional, targetClass: name)
  }

  private static func removeCollectionSuffix(from text: inout ArraySlice<UInt8>) -> CollectionKind? {
    guard let collection = collectionSuffix(of: text) else { return nil }
    text.removeLast(2)
    return collection
  }

  private static func collectionSuffix(of text: ArraySlice<UInt8>) -> CollectionKind? {
    CollectionKind.allCases.first { text.suffix(2).elementsEqual($0.suffix.utf8) }
  }
}

// MARK: - Names of types

extension PropertyDeclaration {
  /// The type of values with this name; nil for links, inverses and anything else.
  private static func primitive(named name: RealmString) -> PropertyType? {
    PropertyType.allCases.first { type in
      type != .object && type != .linkingObjects && RealmString(type.schemaName) == name
    }
  }

  private static func collection(named name: RealmString) -> CollectionKind? {
    CollectionKind.allCases.first { RealmString($0.schemaName) == name }
  }

  /// Whether the name is free for a class of the app.
  private static func isClassName(_ name: RealmString?) -> Bool {
    guard let name, !name.isEmpty else { return false }
    return primitive(named: name) == nil && collection(named: name) == nil && name != "object"
      && name != "linkingObjects"
  }
}

// MARK: - Objects

extension PropertyDeclaration {
  /// The fields of a property that is declared by an object. Fields that are absent are nil.
  struct Fields {
    var type: RealmString
    var objectType: RealmString?
    var origin: RealmString?
    var isCounter = false
    var isOptional: Bool?
    var index: IndexKind?
    var storedName: RealmString?
  }

  init(_ fields: Fields, isPrimaryKey: Bool) throws(SchemaFileFault) {
    if fields.type.isEmpty { throw .declaration(.typeMissing) }
    for name in [fields.type, fields.objectType].compactMap({ $0 }) { try Self.checkNoShorthand(in: name) }
    try self.init(typeOf: fields)

    if type != .linkingObjects, fields.origin != nil { throw .declaration(.originOfOther) }
    if fields.isCounter, type != .int || collection != nil { throw .declaration(.counterOfOther) }
    isOptional = try Self.optionality(of: self, marked: fields.isOptional)
    index = fields.index ?? .none
    if isPrimaryKey { try checkPrimaryKey(fields) }
    storedName = fields.storedName
  }

  /// Type, collection and target; nothing is known about the rest yet.
  private init(typeOf fields: Fields) throws(SchemaFileFault) {
    if let primitive = Self.primitive(named: fields.type) {
      if fields.objectType != nil { throw .declaration(.targetOfPrimitive(fields.type)) }
      self.init(type: primitive, isOptional: false)
    } else if let collection = Self.collection(named: fields.type) {
      let element = fields.objectType.flatMap(Self.primitive(named:))
      if element == nil, !Self.isClassName(fields.objectType) { throw .declaration(.elementTypeMissing(fields.type)) }
      self.init(
        type: element ?? .object, collection: collection, isOptional: false,
        targetClass: element == nil ? fields.objectType : nil)
    } else if fields.type == "object" {
      guard Self.isClassName(fields.objectType) else { throw .declaration(.targetMissing) }
      self.init(type: .object, isOptional: false, targetClass: fields.objectType)
    } else if fields.type == "linkingObjects" {
      guard Self.isClassName(fields.objectType) else { throw .declaration(.targetMissing) }
      guard let origin = fields.origin, !origin.isEmpty else { throw .declaration(.originMissing) }
      self.init(type: .linkingObjects, isOptional: false, targetClass: fields.objectType, origin: origin)
    } else {
      throw .declaration(.classAsType(fields.type))
    }
  }

  private static func optionality(
    of declaration: PropertyDeclaration, marked: Bool?
  ) throws(SchemaFileFault) -> Bool {
    let isLinkList = declaration.collection == .list || declaration.collection == .set
    switch declaration.type {
    case .mixed:
      if marked == false { throw .declaration(.requiredMixed) }
      return true
    case .object where !isLinkList:
      if marked == false { throw .declaration(.requiredLink) }
      return true
    case .object, .linkingObjects:
      if marked == true { throw .declaration(.optionalLinks) }
      return false
    default: return marked ?? false
    }
  }

  private mutating func checkPrimaryKey(_ fields: Fields) throws(SchemaFileFault) {
    switch fields.index {
    case .some(.none): throw .declaration(.primaryKeyNotIndexed)
    case .fullText: throw .declaration(.primaryKeyFullText)
    case .general, nil: index = .general
    }
    if fields.isCounter { throw .declaration(.primaryKeyCounter) }
  }

  private static func checkNoShorthand(in name: RealmString) throws(SchemaFileFault) {
    var rest = name.utf8[...]
    var marks: [String] = []
    if let collection = removeCollectionSuffix(from: &rest) { marks.append(collection.suffix) }
    if rest.last == UInt8(ascii: "?") {
      marks.append("?")
      rest.removeLast()
    }
    let isCounter = rest.elementsEqual("counter".utf8)
    if isCounter { marks.append("counter") }
    if !marks.isEmpty { throw .declaration(.shorthand(marks, isCounter: isCounter)) }
  }
}
