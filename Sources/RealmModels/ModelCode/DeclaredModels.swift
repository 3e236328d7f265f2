import RealmStorage

/// A type as written, without the names of the packages before it.
struct DeclaredType: Hashable, Sendable {
  var name: String
  var arguments: [DeclaredType] = []
  /// Whether `?` follows it.
  var isOptional = false
  /// Whether `[]` follows it.
  var isArray = false
  let place: ModelPlace

  init(name: String, place: ModelPlace) { (self.name, self.place) = (name, place) }

  /// As it is written, for an error.
  var text: String {
    let inner = arguments.isEmpty ? "" : "<\(arguments.map(\.text).joined(separator: ", "))>"
    return name + inner + (isArray ? "[]" : "") + (isOptional ? "?" : "")
  }

  var unknown: ModelFault { ModelFault(place: place, reason: "unknown type '\(StringEscapes.comment(text))'") }
}

/// A property as written.
struct DeclaredProperty: Sendable {
  /// The name in the code.
  var name: String
  let place: ModelPlace
  var type: DeclaredType
  /// The name in the realm, if the code gives another one.
  var storedName: RealmString?
  var isPrimaryKey = false
  var index = IndexKind.none
  /// Whether the code says explicitly that it cannot be null.
  var isRequired = false
  /// Whether a reference without a mark cannot be null: C#'s `#nullable enable`.
  var isNullable = true
  /// For an inverse: the link, by its name in the code or in the realm, and the class that has it, if the type does not
  /// say so.
  var origin: (name: String, className: String?)?

  init(name: String, place: ModelPlace, type: DeclaredType) {
    (self.name, self.place, self.type) = (name, place, type)
  }
}

/// A class as written.
struct DeclaredClass: Sendable {
  /// The name in the code.
  var name: String
  let place: ModelPlace
  var storedName: RealmString?
  var kind = TableKind.topLevel
  var properties: [DeclaredProperty] = []
  /// The class whose properties it inherits.
  var base: String?
  /// Whether it is a Kotlin class for Realm Java, where elements of collections can be null without saying so.
  var isForJava = false
  /// False for a class that only others inherit from.
  var isStored = true

  init(name: String, place: ModelPlace) { (self.name, self.place) = (name, place) }
}

/// What a class says of its properties apart from their declarations, by their names in the code, as models in Swift and
/// Objective-C do in methods. Each has its place.
struct PropertyAnswers {
  var primaryKey: (name: RealmString, place: ModelPlace)?
  var indexed: [(name: RealmString, place: ModelPlace)] = []
  var required: [(name: RealmString, place: ModelPlace)] = []
  var mapping: [(name: RealmString, stored: RealmString, place: ModelPlace)] = []

  /// - Throws: `ModelFault` for a name that no property has.
  func apply(to model: inout DeclaredClass) throws(ModelFault) {
    let name = model.name
    let positions = Dictionary(
      model.properties.enumerated().map { (RealmString($1.name), $0) }, uniquingKeysWith: { first, _ in first })
    func index(_ property: RealmString, _ place: ModelPlace) throws(ModelFault) -> Int {
      guard let index = positions[property] else {
        throw ModelFault(place: place, reason: "'\(name)' has no property \(property.shown)")
      }
      return index
    }
    if let primaryKey { model.properties[try index(primaryKey.name, primaryKey.place)].isPrimaryKey = true }
    for (name, place) in indexed { model.properties[try index(name, place)].index = .general }
    for (name, place) in required { model.properties[try index(name, place)].isRequired = true }
    for (name, stored, place) in mapping { model.properties[try index(name, place)].storedName = stored }
  }
}

/// The declarations of a file.
struct DeclaredModels: Sendable {
  var classes: [DeclaredClass] = []
  /// Types that are stored as another one: enumerations, and types with a conversion, by their names in the code.
  var storedTypes: [String: DeclaredType] = [:]
}

/// What a type means.
struct ModelType: Sendable {
  var type: PropertyType
  var collection: CollectionKind?
  var isOptional = false
  /// The class that a link points to, by its name in the code.
  var target: DeclaredType?
}

/// The words of a language for types.
struct ModelTypeNames: Sendable {
  let values: [String: PropertyType]
  let lists: Set<String>
  let sets: Set<String>
  let dictionaries: Set<String>
  let inverses: Set<String>
  /// A type around a value: `RealmProperty<Int?>`. True if the value can be null without saying so.
  var wrappers: [String: Bool] = [:]
}

// MARK: - Schema

extension DeclaredModels {
  /// The schema that apps with these classes store, and for each class the names of properties in the code that differ
  /// from the stored ones.
  ///
  /// - Parameters:
  ///   - language: of the code.
  ///   - type: the meaning of a property's type.
  /// - Throws: `SchemaFileError.code` with everything that could not be understood.
  func schema(
    in language: ModelLanguage, _ type: (DeclaredProperty, DeclaredClass, Set<String>) throws(ModelFault) -> ModelType
  ) throws(SchemaFileError) -> (Schema, [[RealmString?]]) {
    var faults: [ModelFault] = []
    func attempt<T>(_ work: () throws(ModelFault) -> T) -> T? {
      do throws(ModelFault) { return try work() } catch {
        faults.append(error)
        return nil
      }
    }
    let byName = ClassesByName(classes)
    for repeated in Dictionary(grouping: classes, by: \.name).values where repeated.count > 1 {
      faults.append(ModelFault(place: repeated[1].place, reason: "class '\(repeated[1].name)' is declared twice"))
    }
    let stored = classes.filter(\.isStored)
    let names = Set(stored.map(\.name))
    var (tables, aliases): ([TableSchema], [[RealmString?]]) = ([], [])
    for model in stored {
      guard let properties = attempt({ () throws(ModelFault) in try byName.properties(of: model) }) else { continue }
      var table = TableSchema(name: TableSchema.tableName(ofClass: model.tableName), kind: model.kind)
      for declared in properties {
        let read = attempt { () throws(ModelFault) in
          try property(declared, try type(declared, model, names), byName)
        }
        guard let read else { continue }
        if declared.isPrimaryKey {
          if table.primaryKeyIndex != nil {
            faults.append(ModelFault(place: declared.place, reason: "'\(model.name)' has two primary keys"))
          }
          table.primaryKeyIndex = table.properties.count
        }
        table.properties.append(read)
      }
      tables.append(table)
      aliases.append(properties.map { $0.storedName == nil ? nil : RealmString($0.name) })
    }
    guard faults.isEmpty else { throw .code(faults.sorted { $0.place < $1.place }, language) }
    return (Schema(tables: tables), aliases)
  }

  private func property(
    _ declared: DeclaredProperty, _ type: ModelType, _ classes: ClassesByName
  ) throws(ModelFault) -> Property {
    var property = Property(
      name: declared.storedName ?? RealmString(declared.name), type: type.type, collection: type.collection,
      isOptional: type.isOptional, index: declared.isPrimaryKey ? .general : declared.index)
    guard let target = type.target else {
      if type.type == .mixed { property.isOptional = true }
      return property
    }
    guard let model = classes[target.name], model.isStored else { throw target.unknown }
    property.target = TableSchema.tableName(ofClass: model.tableName)
    guard type.type == .linkingObjects else {
      if type.collection == nil, !type.isOptional {
        throw ModelFault(
          place: declared.place, reason: "a link can be null, so '\(target.name)' must be marked as a type that can be")
      }
      property.isOptional = type.collection == nil || type.collection == .dictionary
      return property
    }
    guard let origin = declared.origin else {
      throw ModelFault(place: declared.place, reason: "the link that this is the inverse of is missing")
    }
    guard let link = try classes.storedName(of: origin.name, in: model) else {
      throw ModelFault(place: declared.place, reason: "'\(target.name)' has no property '\(origin.name)'")
    }
    property.originProperty = link
    return property
  }
}

/// The classes of a file, found by their names in the code.
private final class ClassesByName {
  private let classes: [String: DeclaredClass]
  /// For each class that was asked for, the names in the realm of its properties, by their names in the code or in the realm.
  private var storedNames: [String: [String: RealmString]] = [:]

  /// Classes that inherit from classes that inherit …
  private static let mostAncestors = 32

  init(_ classes: [DeclaredClass]) {
    self.classes = Dictionary(classes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(name: String) -> DeclaredClass? { classes[name] }

  /// The properties of its superclasses come first.
  func properties(of model: DeclaredClass) throws(ModelFault) -> [DeclaredProperty] {
    var (levels, base) = ([model.properties], model.base)
    while let name = base, let parent = classes[name] {
      guard levels.count <= Self.mostAncestors, name != model.name else {
        throw ModelFault(place: model.place, reason: "'\(model.name)' inherits from itself, or from too many classes")
      }
      levels.append(parent.properties)
      base = parent.base
    }
    return Array(levels.reversed().joined())
  }

  func storedName(of property: String, in model: DeclaredClass) throws(ModelFault) -> RealmString? {
    if let names = storedNames[model.name] { return names[property] }
    var names: [String: RealmString] = [:]
    let properties = try properties(of: model)
    for property in properties { names[property.name] = property.storedName ?? RealmString(property.name) }
    for property in properties {
      guard let stored = property.storedName, names[stored.description] == nil else { continue }
      names[stored.description] = stored
    }
    storedNames[model.name] = names
    return names[property]
  }
}

extension DeclaredClass {
  /// The name of the class in the realm.
  fileprivate var tableName: RealmString { storedName ?? RealmString(name) }
}

extension ModelTypeNames {
  /// The meaning of a type, if only `?` decides about null.
  func modelType(
    of type: DeclaredType, _ classes: Set<String>, stored: [String: DeclaredType] = [:]
  ) throws(ModelFault) -> ModelType {
    if type.arguments.isEmpty || wrappers[type.name] != nil { return try element(type, classes, stored) }
    if inverses.contains(type.name), type.arguments.count == 1 { return try inverse(of: type.arguments[0]) }
    let collection: CollectionKind? =
      lists.contains(type.name)
      ? .list
      : sets.contains(type.name)
        ? .set
        : dictionaries.contains(type.name) ? .dictionary : nil
    // A dictionary's keys are strings; some SDKs do not name them.
    let keys = type.arguments.dropLast()
    guard let collection, let last = type.arguments.last, !type.isOptional, !type.isArray,
      keys.isEmpty || collection == .dictionary && keys.count == 1 && ["String", "string"].contains(keys[0].text)
    else { throw type.unknown }
    var value = try element(last, classes, stored)
    value.collection = collection
    return value
  }

  func inverse(of type: DeclaredType) throws(ModelFault) -> ModelType {
    guard type.arguments.isEmpty, !type.isArray else { throw type.unknown }
    return ModelType(type: .linkingObjects, target: type)
  }

  private func element(
    _ type: DeclaredType, _ classes: Set<String>, _ stored: [String: DeclaredType]
  ) throws(ModelFault) -> ModelType {
    if let isOptional = wrappers[type.name], type.arguments.count == 1, type.arguments[0].arguments.isEmpty {
      var value = try element(type.arguments[0], classes, stored)
      value.isOptional = value.isOptional || isOptional || type.isOptional
      return value
    }
    guard type.arguments.isEmpty else { throw type.unknown }
    if classes.contains(type.name), !type.isArray {
      return ModelType(type: .object, isOptional: type.isOptional, target: type)
    }
    if let value = values[type.isArray ? type.name + "[]" : type.name] {
      return ModelType(type: value, isOptional: type.isOptional)
    }
    guard let other = stored[type.name], !type.isArray, let value = values[other.name], other.arguments.isEmpty else {
      throw type.unknown
    }
    return ModelType(type: value, isOptional: type.isOptional || other.isOptional)
  }
}
