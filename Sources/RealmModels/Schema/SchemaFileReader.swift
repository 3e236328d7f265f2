import RealmStorage
import RealmText

/// Turns the tree of a schema file into a schema, noting every rule that it breaks.
struct SchemaFileReader {
  private(set) var violations: [SchemaFileViolation] = []
  private var version: UInt64?
  private var tables: [TableSchema] = []
  private var aliases: [[RealmString?]] = []
  private(set) var defaults: [SchemaDefault] = []
  /// Properties whose default is an object or a link, as `Class.property`.
  private(set) var unusedDefaults: [RealmString] = []

  /// The number after this one means "no version".
  static let highestVersion = UInt64.max - 1

  mutating func readFile(_ value: JSONValue) {
    let top = SchemaFilePath()
    if let classes = value.array {
      readClasses(classes, at: top)
    } else if let file = value.object {
      // The output of `schema dump --json` has two more members, which mark it as a result.
      let isAnswer = file["version"] != nil && file["input"] != nil
      let known: [RealmString] = ["schemaVersion", "classes"] + (isAnswer ? ["version", "input"] : [])
      let unknown = file.keys.filter { !known.contains($0) }
      let hasClasses = file["classes"] != nil
      if !unknown.isEmpty {
        report(.file(.unknownFields(unknown, hasClasses: hasClasses)), at: top)
        guard hasClasses else { return }
      }
      if let version = file["schemaVersion"] { readVersion(version, at: top.key("schemaVersion")) }
      guard let classes = file["classes"]?.array else {
        return report(.file(.noClasses(found: file["classes"].map(Self.kind))), at: top.key("classes"))
      }
      readClasses(classes, at: top.key("classes"))
    } else {
      report(.file(.noSchema(found: value.kindName)), at: top)
    }
  }

  /// The result, with inverses that name their links as a realm does.
  var result: (Schema, [[RealmString?]]) {
    var tables = tables
    for index in tables.indices {
      for position in tables[index].properties.indices where tables[index].properties[position].isComputed {
        let property = tables[index].properties[position]
        tables[index].properties[position].originProperty = storedOrigin(of: property)
      }
    }
    return (Schema(tables: tables, version: version), aliases)
  }

  private func storedOrigin(of inverse: Property) -> RealmString? {
    guard let origin = inverse.originProperty,
      let index = tables.firstIndex(where: { $0.name == inverse.target }),
      tables[index].property(named: origin) == nil,
      let position = aliases[index].firstIndex(of: origin)
    else { return inverse.originProperty }
    return tables[index].properties[position].name
  }

  private mutating func report(
    _ fault: SchemaFileFault, at path: SchemaFilePath, className: RealmString = "", propertyName: RealmString = ""
  ) {
    violations.append(
      SchemaFileViolation(path: path, className: className, propertyName: propertyName, fault: fault))
  }

  private mutating func readVersion(_ value: JSONValue, at path: SchemaFilePath) {
    guard case .number(let number) = value, number.isInteger, let version = UInt64(number.text),
      version <= Self.highestVersion
    else { return report(.file(.invalidVersion), at: path) }
    self.version = version
  }

  /// The kind of a value, in the words of realm-js; `undefined` if there is none.
  private static func kind(of value: JSONValue?) -> String {
    guard let value else { return "undefined" }
    if case .number(let number) = value, !number.isInteger, number.double != number.double.rounded(.towardZero) {
      return "a decimal number"
    }
    return value.kindName
  }
}

// MARK: - Classes

extension SchemaFile {
  /// The keys that a class may have.
  package static let classFields: Set<RealmString> = ["name", "primaryKey", "embedded", "asymmetric", "properties"]

  /// The keys that a property may have.
  package static let propertyFields: Set<RealmString> = [
    "name", "type", "objectType", "presentation", "property", "default", "optional", "indexed", "mapTo",
  ]
}

extension SchemaFileReader {
  private mutating func readClasses(_ values: [JSONValue], at path: SchemaFilePath) {
    for (index, value) in values.enumerated() {
      guard let object = value.object else {
        report(.schemaClass(.noObject(found: Self.kind(of: value))), at: path.index(index))
        continue
      }
      readClass(object, at: path.index(index))
    }
  }

  private mutating func readClass(_ object: JSONObject, at path: SchemaFilePath) {
    guard case .string(let name)? = object["name"] else {
      return report(.schemaClass(.wrongName(found: object["name"].map(Self.kind))), at: path.key("name"))
    }
    if name.isEmpty { report(.schemaClass(.nameMissing), at: path.key("name")) }
    let unknown = object.keys.filter { !SchemaFile.classFields.contains($0) }
    if !unknown.isEmpty { report(.schemaClass(.unknownFields(unknown)), at: path, className: name) }

    let kind = readKind(object, at: path, className: name)
    let key = readPrimaryKey(object, at: path, className: name)
    guard let properties = object["properties"]?.object else {
      let fault = SchemaFileFault.ClassFault.wrongField(
        "properties", expected: "an object", found: Self.kind(of: object["properties"]))
      report(.schemaClass(fault), at: path.key("properties"), className: name)
      return
    }
    let table = readProperties(properties, key: key, at: path.key("properties"), className: name)
    if let key, table.keyIndex == nil {
      report(.schemaClass(.primaryKeyNotFound(key)), at: path.key("primaryKey"), className: name)
    }
    tables.append(
      TableSchema(
        name: Self.tableName(of: name), kind: kind, properties: table.properties, primaryKeyIndex: table.keyIndex))
    aliases.append(table.aliases)
  }

  private static func tableName(of className: RealmString) -> RealmString {
    RealmString(utf8: Array(TableSchema.classPrefix.utf8) + className.utf8)
  }

  private mutating func readKind(_ object: JSONObject, at path: SchemaFilePath, className: RealmString) -> TableKind {
    let isEmbedded = readFlag("embedded", of: object, at: path, className: className)
    let isAsymmetric = readFlag("asymmetric", of: object, at: path, className: className)
    if isEmbedded, isAsymmetric { report(.schemaClass(.embeddedAndAsymmetric), at: path, className: className) }
    if isEmbedded { return .embedded }
    return isAsymmetric ? .asymmetric : .topLevel
  }

  private mutating func readFlag(
    _ field: String, of object: JSONObject, at path: SchemaFilePath, className: RealmString
  ) -> Bool {
    guard let value = object[field] else { return false }
    guard let flag = value.bool else {
      report(
        .schemaClass(.wrongField(field, expected: "a boolean", found: Self.kind(of: value))),
        at: path.key(RealmString(field)), className: className)
      return false
    }
    return flag
  }

  private mutating func readPrimaryKey(
    _ object: JSONObject, at path: SchemaFilePath, className: RealmString
  ) -> RealmString? {
    guard let value = object["primaryKey"] else { return nil }
    guard case .string(let key) = value else {
      report(
        .schemaClass(.wrongField("primaryKey", expected: "a string", found: Self.kind(of: value))),
        at: path.key("primaryKey"), className: className)
      return nil
    }
    return key.isEmpty ? nil : key
  }
}

// MARK: - Properties

extension SchemaFileReader {
  private struct ClassProperties {
    var properties: [Property] = []
    var aliases: [RealmString?] = []
    var keyIndex: Int?
  }

  private mutating func readProperties(
    _ object: JSONObject, key: RealmString?, at path: SchemaFilePath, className: RealmString
  ) -> ClassProperties {
    var result = ClassProperties()
    // A schema that an app printed has the stored name of the key, one that an app reads has the app's own name.
    let keyIndex =
      object.entries.firstIndex { $0.key == key }
      ?? object.entries.firstIndex { entry in
        if case .string(let stored)? = entry.value["mapTo"] { stored == key } else { false }
      }
    for (index, entry) in object.entries.enumerated() {
      let place = Place(path: path.key(entry.key), className: className, propertyName: entry.key)
      guard let declaration = readDeclaration(entry.value, isPrimaryKey: index == keyIndex, at: place) else { continue }
      if index == keyIndex { result.keyIndex = result.properties.count }
      let storedName = declaration.storedName.flatMap { $0.isEmpty ? nil : $0 } ?? entry.key
      result.aliases.append(storedName == entry.key ? nil : entry.key)
      let property = Property(
        name: storedName, type: declaration.type, collection: declaration.collection,
        isOptional: declaration.isOptional, target: declaration.targetClass.map(Self.tableName(of:)),
        originProperty: declaration.origin, index: declaration.index)
      result.properties.append(property)
      if let value = entry.value.object?["default"] { readDefault(value, of: property, at: place) }
    }
    // A key that could not be read has been reported already.
    if keyIndex != nil, result.keyIndex == nil { result.keyIndex = result.properties.count }
    return result
  }

  /// The place of a property.
  private struct Place {
    var path: SchemaFilePath
    let className: RealmString
    let propertyName: RealmString

    func field(_ name: String) -> Place {
      var place = self
      place.path = path.key(RealmString(name))
      return place
    }
  }

  private mutating func report(_ fault: SchemaFileFault, at place: Place) {
    report(fault, at: place.path, className: place.className, propertyName: place.propertyName)
  }

  private mutating func readDeclaration(
    _ value: JSONValue, isPrimaryKey: Bool, at place: Place
  ) -> PropertyDeclaration? {
    do throws(SchemaFileFault) {
      switch value {
      case .string(let shorthand):
        var declaration = try PropertyDeclaration(shorthand: shorthand)
        if isPrimaryKey { declaration.index = .general }
        return declaration
      case .object(let object):
        guard let fields = readFields(object, at: place) else { return nil }
        return try PropertyDeclaration(fields, isPrimaryKey: isPrimaryKey)
      default: throw .property(.noObject(found: Self.kind(of: value)))
      }
    } catch {
      report(error, at: place)
      return nil
    }
  }
}

// MARK: - Fields of properties

extension SchemaFileReader {
  /// The fields; nil, with a report, if one of them is of a wrong kind.
  private mutating func readFields(_ object: JSONObject, at place: Place) -> PropertyDeclaration.Fields? {
    let countBefore = violations.count
    let unknown = object.keys.filter { !SchemaFile.propertyFields.contains($0) }
    if !unknown.isEmpty { report(.property(.unknownFields(unknown)), at: place) }
    if object["type"] == nil {
      report(.property(.wrongField("type", expected: "a string", found: "undefined")), at: place)
    }
    let name = readString("name", of: object, at: place)
    if let name, name != place.propertyName { report(.property(.otherName), at: place.field("name")) }
    let fields = PropertyDeclaration.Fields(
      type: readString("type", of: object, at: place) ?? "",
      objectType: readString("objectType", of: object, at: place),
      origin: readString("property", of: object, at: place),
      isCounter: readString("presentation", of: object, at: place) == "counter",
      isOptional: readOptional(object, at: place), index: readIndex(object, at: place),
      storedName: readString("mapTo", of: object, at: place))
    return violations.count == countBefore ? fields : nil
  }

  private mutating func readDefault(_ json: JSONValue, of property: Property, at place: Place) {
    // Null for what cannot be null says that there is none.
    if json == .null, !property.isOptional { return }
    guard property.type != .object, !property.isComputed else {
      if json == .null { return }
      return unusedDefaults.append(
        RealmString(utf8: Array(place.className.utf8) + [UInt8(ascii: ".")] + Array(place.propertyName.utf8)))
    }
    guard let value = Value(json: json, of: property) else {
      return report(.property(.wrongDefault(type: property.typeText)), at: place.field("default"))
    }
    let path = PropertyPath(className: place.className, property: property.name)
    defaults.append(SchemaDefault(path: path, value: value, json: json.text))
  }

  private mutating func readString(_ field: String, of object: JSONObject, at place: Place) -> RealmString? {
    guard let value = object[field] else { return nil }
    if case .string(let text) = value { return text }
    report(
      .property(.wrongField(field, expected: "a string", found: Self.kind(of: value))), at: place.field(field))
    return nil
  }

  private mutating func readOptional(_ object: JSONObject, at place: Place) -> Bool? {
    guard let value = object["optional"] else { return nil }
    if let flag = value.bool { return flag }
    report(
      .property(.wrongField("optional", expected: "a boolean", found: Self.kind(of: value))),
      at: place.field("optional"))
    return nil
  }

  private mutating func readIndex(_ object: JSONObject, at place: Place) -> IndexKind? {
    switch object["indexed"] {
    case nil: return nil
    case .bool(true): return .general
    case .bool(false): return IndexKind.none
    case .string("full-text"): return .fullText
    default:
      report(.property(.wrongIndex), at: place.field("indexed"))
      return nil
    }
  }
}
