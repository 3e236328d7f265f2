import RealmStorage
import RealmText

/// What values have in common: the narrowest type that fits all of them.
final class ValueInference {
  private enum Kind: Hashable {
    case int, double, bool, text, array, object, set, dictionary
    /// A number of JSON that comes back with other digits from a double, and is not an int.
    case decimal
    case typed(PropertyType)
    /// A link to objects of a class.
    case link(RealmString)
  }

  private var kinds: Set<Kind> = []
  /// What all texts so far could be, likeliest first.
  private var textTypes: [PropertyType]
  private(set) var hasNull = false
  /// Whether there are integers that come back with other digits from a double.
  private var hasLargeIntegers = false
  /// Number of values, including nulls.
  private(set) var count = 0
  private var elements: ValueInference?
  private var members: ClassInference?
  /// The values as text, as long as it matters whether one occurs twice; nil if it does not, or once one did.
  private var seen: Set<RealmString>?
  private var depth: Int

  /// The types that strings can have in files that contain only strings.
  private static let fileTypes: [PropertyType] = [.int, .double, .decimal128, .bool, .date, .uuid, .objectID]
  /// The types that JSON writes as strings.
  private static let textualTypes: [PropertyType] = [.date, .uuid, .objectID]
  /// Levels of nested objects that become classes; deeper ones are mixed.
  private static let mostLevels = 8

  /// - Parameters:
  ///   - isOfTexts: whether all values are text, including numbers.
  ///   - mayBeKey: whether to find out if a value occurs twice.
  init(isOfTexts: Bool, mayBeKey: Bool, depth: Int = 0) {
    textTypes = isOfTexts ? Self.fileTypes : Self.textualTypes
    seen = mayBeKey ? [] : nil
    self.depth = depth
  }

  var isUnique: Bool { seen.map { $0.count == count && count > 0 } ?? false }

  // MARK: Values

  func addNull() {
    count += 1
    (hasNull, seen) = (true, nil)
  }

  /// - Parameter text: a field of CSV, or a string of JSON.
  func add(text: UnsafeRawBufferPointer) {
    kinds.insert(.text)
    if !textTypes.isEmpty { textTypes.removeAll { !Self.isText(text, of: $0) } }
    note(RealmString(text))
  }

  private func note(_ key: RealmString) {
    count += 1
    if seen != nil, seen?.insert(key).inserted == false { seen = nil }
  }

  func add(_ value: JSONValue) {
    switch value {
    case .null: addNull()
    case .bool: add(.bool, "")
    case .number(let number):
      let text = RealmString(number.text)
      let (fitsDouble, fitsDecimal) = text.utf8.withUnsafeBytes {
        (Self.isText($0, of: .double), Self.isText($0, of: .decimal128))
      }
      if number.integer != nil, !fitsDouble { hasLargeIntegers = true }
      let isDouble = !number.isInteger && (fitsDouble || !fitsDecimal)
      add(number.integer != nil ? .int : isDouble ? .double : .decimal, text)
    case .string(let text): text.utf8.withUnsafeBytes { add(text: $0) }
    case .array(let values):
      add(.array, "")
      for value in values { elementInference.add(value) }
    case .object(let object): add(object)
    }
  }

  private func add(_ kind: Kind, _ text: RealmString) {
    kinds.insert(kind)
    note(text)
  }

  private func add(_ object: JSONObject) {
    if let member = object.entries.first, object.count == 1, member.key.utf8.first == UInt8(ascii: "$") {
      if let type = member.key.utf8.withUnsafeBytes({ ScalarForm.type(ofKey: $0) }) {
        return add(.typed(type), RealmString("\(member.value)"))
      }
      switch (member.key, member.value) {
      case ("$set", .array(let values)):
        add(.set, "")
        return values.forEach(elementInference.add)
      case ("$dictionary", .object(let entries)):
        add(.dictionary, "")
        return entries.entries.forEach { elementInference.add($0.value) }
      case ("$link", .object(let link)):
        if case .string(let name)? = link["table"] { return add(.link(name), "") }
      default: break
      }
    }
    add(.object, "")
    if members == nil { members = ClassInference(isOfTexts: false, depth: depth + 1) }
    members?.add(object)
  }

  private var elementInference: ValueInference {
    if let elements { return elements }
    let made = ValueInference(isOfTexts: false, mayBeKey: false, depth: depth + 1)
    elements = made
    return made
  }

  // MARK: Texts

  private static func isText(_ text: UnsafeRawBufferPointer, of type: PropertyType) -> Bool {
    switch type {
    case .int: return isInteger(text) == true && Int64(text: text) != nil
    case .double:
      if ["NaN", "Infinity", "-Infinity"].contains(where: { text.elementsEqual($0.utf8) }) { return true }
      guard let isInteger = isInteger(text), !isInteger || Int64(text: text) != nil else { return false }
      return Double.keeps(text)
    case .decimal128:
      guard let isInteger = isInteger(text), !isInteger || Int64(text: text) != nil else { return false }
      return DecimalReading(text: text)?.isRounded == false
    case .bool: return text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8)
    case .date: return text.count >= 10 && ((try? Value(text: text, as: .date)) ?? nil) != nil
    default: return ((try? Value(text: text, as: type)) ?? nil) != nil
    }
  }

  /// Whether a number has neither point nor exponent; nil for what is not a number as JSON writes it, which has no zeros in
  /// front.
  private static func isInteger(_ text: UnsafeRawBufferPointer) -> Bool? {
    guard text.count <= 64 else { return nil }
    let reader = JSONReader(text)
    guard (try? reader.next()) == .number, (try? reader.next()) == .end,
      text.first.map({ $0 != 0x20 && $0 != 9 && $0 != 10 && $0 != 13 }) == true,
      text.last.map({ (0x30...0x39).contains($0) }) == true
    else { return nil }
    return reader.isInteger
  }

  // MARK: Result

  /// A property that fits all values, and the classes of objects inside them.
  ///
  /// - Parameters:
  ///   - owner: the class of the property, from which inner classes get their names.
  ///   - isOptional: whether some objects have no value at all.
  ///   - taken: the names of tables, to which those of inner classes are added.
  func property(
    named name: RealmString, of owner: String, isOptional: Bool, taken: inout Set<RealmString>
  ) -> (Property, [TableSchema]) {
    let isOptional = isOptional || hasNull
    func single(_ type: PropertyType, target: RealmString? = nil) -> Property {
      Property(
        name: name, type: type, collection: nil, isOptional: isOptional || type == .mixed || type == .object,
        target: target)
    }
    if let collection, let elements {
      let (element, classes) = elements.property(named: name, of: owner, isOptional: false, taken: &taken)
      guard element.collection == nil, element.type != .object || collection != .set || classes.isEmpty else {
        return (single(.mixed), [])
      }
      let isNullable =
        element.isOptional && element.type != .object || element.type == .mixed
        || collection == .dictionary && element.type == .object
      return (
        Property(
          name: name, type: elements.kinds.isEmpty && !elements.hasNull ? .mixed : element.type,
          collection: collection, isOptional: isNullable || elements.kinds.isEmpty,
          target: element.target), classes
      )
    }
    switch kinds.count {
    case 0: return (single(.string), [])
    case 1: break
    case _ where kinds.isSubset(of: [.int, .double, .decimal]):
      return (single(hasLargeIntegers || kinds.contains(.decimal) ? .decimal128 : .double), [])
    default: return (single(.mixed), [])
    }
    switch kinds.first {
    case .int: return (single(.int), [])
    case .double: return (single(.double), [])
    case .decimal: return (single(.decimal128), [])
    case .bool: return (single(.bool), [])
    case .text: return (single(textTypes.first ?? .string), [])
    case .typed(let type): return (single(type), [])
    case .link(let target): return (single(.object, target: TableSchema.tableName(ofClass: target)), [])
    case .object:
      guard let members, depth < Self.mostLevels else { return (single(.mixed), []) }
      let wanted = owner + Self.capitalized(name.description)
      var className = RealmString(wanted)
      var number = 1
      while !taken.insert(TableSchema.tableName(ofClass: className)).inserted {
        number += 1
        className = RealmString("\(wanted)\(number)")
      }
      var classes = members.classes(named: className, taken: &taken)
      classes[0].kind = .embedded
      classes[0].primaryKeyIndex = nil
      return (single(.object, target: classes[0].name), classes)
    case .array, .set, .dictionary, nil: return (single(.mixed), [])
    }
  }

  private var collection: CollectionKind? {
    switch kinds {
    case [.array]: .list
    case [.set]: .set
    case [.dictionary]: .dictionary
    default: nil
    }
  }

  private static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
}

/// What objects have in common.
final class ClassInference {
  private let isOfTexts: Bool
  private let depth: Int
  private var columns: [(name: RealmString, values: ValueInference)] = []
  private var numbers: [RealmString: Int] = [:]
  private var objectCount = 0
  /// Properties whose elements are in files of their own.
  private var collections: [(name: RealmString, kind: CollectionKind, areMixed: Bool, elements: ValueInference)] = []

  init(isOfTexts: Bool, depth: Int = 0) { (self.isOfTexts, self.depth) = (isOfTexts, depth) }

  /// What is known about a column; a new one is added at the end.
  func values(_ name: RealmString, of className: RealmString? = nil) -> ValueInference {
    if let number = numbers[name] { return columns[number].values }
    let values = ValueInference(
      isOfTexts: isOfTexts, mayBeKey: depth == 0 && Self.mayBeKey(name, className), depth: depth)
    numbers[name] = columns.count
    columns.append((name, values))
    return values
  }

  /// What is known about the elements of a property whose elements are in a file of their own.
  func elements(_ name: RealmString, _ kind: CollectionKind, areMixed: Bool) -> ValueInference {
    let elements = ValueInference(isOfTexts: isOfTexts, mayBeKey: false, depth: depth + 1)
    collections.append((name, kind, areMixed, elements))
    return elements
  }

  func addObject() { objectCount += 1 }

  func add(_ object: JSONObject, of className: RealmString? = nil) {
    addObject()
    for entry in object.entries { values(entry.key, of: className).add(entry.value) }
  }

  /// Names of columns that identify objects: `id`, `_id`, `person_id`, `personId`.
  private static func mayBeKey(_ name: RealmString, _ className: RealmString?) -> Bool {
    let name = name.description.lowercased()
    guard name != "id", name != "_id" else { return true }
    guard let className = className?.description.lowercased() else { return false }
    return name == className + "_id" || name == className + "id"
  }

  /// The class, and the classes of objects inside its objects.
  ///
  /// - Parameter taken: the names of tables, to which those of inner classes are added.
  func classes(
    named name: RealmString, _ choices: InferenceChoices = InferenceChoices(), taken: inout Set<RealmString>
  ) -> [TableSchema] {
    var properties: [Property] = []
    var inner: [TableSchema] = []
    var candidates: [Int] = []
    // What has no name cannot be a property.
    for column in columns where column.name != "_key" && !column.name.isEmpty {
      let path = PropertyPath(className: name, property: column.name)
      if let target = choices.links[path] {
        properties.append(
          Property(
            name: column.name, type: .object, collection: nil, isOptional: true,
            target: TableSchema.tableName(ofClass: target)))
        continue
      }
      var (property, classes) = column.values.property(
        named: column.name, of: name.description, isOptional: column.values.count < objectCount, taken: &taken)
      if let type = choices.types[path] {
        (property, classes) = (type, [])
        property.name = column.name
      }
      if column.values.isUnique, column.values.count == objectCount, property.collection == nil,
        [.int, .string, .uuid, .objectID].contains(property.type)
      {
        candidates.append(properties.count)
      }
      properties.append(property)
      inner += classes
    }
    for collection in collections {
      let path = PropertyPath(className: name, property: collection.name)
      var element = collection.elements.property(
        named: collection.name, of: name.description, isOptional: false, taken: &taken
      ).0
      if let target = choices.links[path] {
        (element.type, element.target) = (.object, TableSchema.tableName(ofClass: target))
        element.isOptional = collection.kind == .dictionary
      } else if let type = choices.types[path] {
        element = type
      } else if collection.areMixed {
        (element.type, element.isOptional) = (.mixed, true)
      }
      (element.name, element.collection) = (collection.name, collection.kind)
      properties.append(element)
    }
    var primaryKey = candidates.first
    if let chosen = choices.primaryKeys[name] { primaryKey = properties.firstIndex { $0.name == chosen } }
    var table = TableSchema(name: TableSchema.tableName(ofClass: name), properties: properties)
    if let primaryKey {
      table.primaryKeyIndex = primaryKey
      table.properties[primaryKey].index = .general
    }
    return [table] + inner
  }
}

/// Choices made by the user.
package struct InferenceChoices: Hashable, Sendable {
  /// The types of properties; their names do not count.
  package var types: [PropertyPath: Property] = [:]
  /// Links, by the class of their targets.
  package var links: [PropertyPath: RealmString] = [:]
  package var primaryKeys: [RealmString: RealmString] = [:]

  /// What a choice is about.
  package enum Kind: Sendable {
    case type, link, primaryKey
  }

  package init() {}
}
