import RealmStorage

/// Reads model classes for Realm Swift: `@Persisted` properties, and the older `@objc dynamic` ones.
struct SwiftModelReader {
  private var cursor: ModelCursor
  private var models = DeclaredModels()
  /// Classes that have what only model classes have, by name, with a class above them that is not in the file.
  private var orphans: [(name: String, base: String, place: ModelPlace)] = []
  /// `#if` that are open.
  private var conditions = 0

  private init(_ bytes: [UInt8]) throws(ModelFault) { cursor = try ModelCursor(bytes, .swift) }

  /// - Throws: `ModelFault` for the first thing that is not understood.
  static func read(_ bytes: [UInt8]) throws(ModelFault) -> DeclaredModels {
    var reader = try SwiftModelReader(bytes)
    try reader.declarations(isNested: false)
    guard reader.cursor.isAtEnd else { throw reader.cursor.fault("\(reader.cursor.token.text) does not belong here") }
    // A class may come before its superclass, so only at the end is it clear which classes are models.
    reader.models.classes = try reader.modelClasses()
    return reader.models
  }

  private static let bases: [String: TableKind] = [
    "Object": .topLevel, "EmbeddedObject": .embedded, "AsymmetricObject": .asymmetric, "RLMObject": .topLevel,
    "RLMEmbeddedObject": .embedded,
  ]

  private static let modifiers: Set<String> = [
    "public", "private", "internal", "fileprivate", "open", "final", "static", "override", "dynamic", "lazy", "weak",
    "unowned", "mutating", "nonmutating", "nonisolated", "required", "convenience", "indirect", "optional", "package",
    "distributed", "async",
  ]

  private static let typeWords: Set<String> = ["class", "struct", "enum", "extension", "actor", "protocol"]

  // MARK: Classes above

  private static let mostAncestors = 32

  /// The classes that are models, each with the kind of the class it begins at.
  private func modelClasses() throws(ModelFault) -> [DeclaredClass] {
    let bases = Dictionary(models.classes.map { ($0.name, $0.base) }, uniquingKeysWith: { first, _ in first })
    let persisted = Dictionary(orphans.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var found: [DeclaredClass] = []
    for var model in models.classes {
      var (base, levels) = (model.base, 0)
      while let name = base, Self.bases[name] == nil, levels < Self.mostAncestors {
        (base, levels) = (bases[name] ?? nil, levels + 1)
      }
      if let kind = base.flatMap({ Self.bases[$0] }) {
        model.kind = kind
        found.append(model)
      } else if let orphan = persisted[model.name] {
        throw ModelFault(
          place: orphan.place,
          reason:
            "'\(model.name)' has persisted properties, but its class '\(orphan.base)' is not a model class of this file"
        )
      }
    }
    return found
  }
}

// MARK: - Declarations

extension SwiftModelReader {
  private struct Attributes {
    var list: [(name: String, place: ModelPlace)] = []
    var objectiveCName: String?
    /// What `@Persisted` says; nil if it is not here.
    var persisted: Persisted?
    var modifiers: Set<String> = []

    func has(_ name: String) -> Bool { list.contains { $0.name == name } }
  }

  private struct Persisted {
    var isPrimaryKey = false
    var isIndexed = false
    var origin: String?
  }

  /// Declarations of a file or of a type, up to the brace that ends it.
  private mutating func declarations(isNested: Bool) throws(ModelFault) {
    while !cursor.isAtEnd, !cursor.token.isSign("}") {
      if case .directive(let text) = cursor.token.kind {
        condition(text)
        try cursor.take()
        continue
      }
      let attributes = try attributes()
      guard let word = cursor.token.keyword, Self.typeWords.contains(word), try cursor.following().word != nil else {
        try skipDeclaration()
        continue
      }
      switch word {
      case "class" where !attributes.modifiers.contains("static"): try readClass(attributes, isNested: isNested)
      default: try readType()
      }
    }
  }

  private mutating func condition(_ text: String) {
    if text.hasPrefix("if") { conditions += 1 }
    if text.hasPrefix("endif") { conditions -= 1 }
  }

  private mutating func attributes() throws(ModelFault) -> Attributes {
    var attributes = Attributes()
    while true {
      if cursor.token.isSign("@") {
        let place = cursor.place
        try cursor.take()
        var name = try cursor.name()
        while try cursor.take(".") { name = try cursor.name() }
        attributes.list.append((name, place))
        guard cursor.token.isSign("("), !cursor.token.isFirstOnLine else {
          if name == "Persisted" { attributes.persisted = Persisted() }
          continue
        }
        switch name {
        case "Persisted": attributes.persisted = try persisted()
        case "objc":
          try cursor.expect("(")
          attributes.objectiveCName = try cursor.name()
          try cursor.expect(")")
        default: try cursor.skip()
        }
      } else if let word = cursor.token.keyword, Self.modifiers.contains(word) || word == "class",
        let next = try cursor.following().word, word != "class" || ["var", "func", "let", "override"].contains(next)
      {
        attributes.modifiers.insert(word == "class" ? "static" : word)
        try cursor.take()
      } else if let word = cursor.token.keyword, Self.modifiers.contains(word), try cursor.following().isSign("(") {
        // `private(set)`
        try cursor.take()
        try cursor.skip()
      } else if let word = cursor.token.keyword, Self.modifiers.contains(word), try cursor.following().isSign("@") {
        attributes.modifiers.insert(word)
        try cursor.take()
      } else {
        return attributes
      }
    }
  }

  private mutating func persisted() throws(ModelFault) -> Persisted {
    var persisted = Persisted()
    try cursor.expect("(")
    while !cursor.token.isSign(")") {
      let place = cursor.place
      let label = try cursor.name()
      try cursor.expect(":")
      switch label {
      case "primaryKey": persisted.isPrimaryKey = try cursor.boolean()
      case "indexed": persisted.isIndexed = try cursor.boolean()
      case "originProperty": persisted.origin = try cursor.string().description
      default: throw ModelFault(place: place, reason: "@Persisted does not take '\(label)'")
      }
      guard try cursor.take(",") else { break }
    }
    try cursor.expect(")")
    return persisted
  }

  /// A function, a computed variable, a type alias and the like, which are not needed.
  private mutating func skipDeclaration() throws(ModelFault) {
    switch cursor.token.keyword {
    case "func", "init", "deinit", "subscript":
      try cursor.take()
      // A requirement of a protocol has no body.
      try cursor.skipToBody { $0.isFirstOnLine && ["func", "var", "init", "@"].contains($0.word ?? "") }
    default:
      try cursor.take()
      try cursor.skipExpression()
      _ = try cursor.take(";")
      if cursor.token.isSign(")") || cursor.token.isSign("]") {
        throw cursor.fault("\(cursor.token.text) does not belong here")
      }
    }
  }

  /// A type that is not a class: what it is stored as, and the types in it.
  private mutating func readType() throws(ModelFault) {
    let word = try cursor.take().word
    let name = try cursor.type().name
    let supers = try inheritance()
    if word == "enum", let raw = supers.first, supers.count > 1 || Self.names.values[raw.name] != nil {
      models.storedTypes[name] = raw
    }
    try cursor.openBody()
    let isConverted = supers.contains { ["CustomPersistable", "FailableCustomPersistable"].contains($0.name) }
    try readTypeBody(of: name, isConverted: isConverted)
    try cursor.closeBody()
  }

  private mutating func readTypeBody(of name: String, isConverted: Bool) throws(ModelFault) {
    while !cursor.isAtEnd, !cursor.token.isSign("}") {
      if isConverted {
        var ahead = cursor
        while let word = ahead.token.word, Self.modifiers.contains(word) { try ahead.take() }
        if try ahead.take(word: "typealias"), try ahead.take(word: "PersistedType") {
          try ahead.expect("=")
          models.storedTypes[name] = try ahead.type()
          cursor = ahead
          continue
        }
      }
      let before = cursor.place
      try oneDeclaration()
      if cursor.place == before { throw cursor.fault("\(cursor.token.text) is not supported here") }
    }
  }

  private mutating func oneDeclaration() throws(ModelFault) {
    if case .directive(let text) = cursor.token.kind {
      condition(text)
      try cursor.take()
      return
    }
    let attributes = try attributes()
    guard let word = cursor.token.keyword, Self.typeWords.contains(word), try cursor.following().word != nil else {
      return try skipDeclaration()
    }
    if word == "class" { try readClass(attributes, isNested: true) } else { try readType() }
  }

  /// The names after the colon.
  private mutating func inheritance() throws(ModelFault) -> [DeclaredType] {
    var supers: [DeclaredType] = []
    if cursor.token.isSign("<") { try cursor.skipGenerics() }
    if try cursor.take(":") {
      repeat {
        if cursor.token.isSign("@") {
          try cursor.take()
          _ = try cursor.name()
        }
        supers.append(try cursor.type())
        while try cursor.take("&") { supers.append(try cursor.type()) }
      } while try cursor.take(",")
    }
    while !cursor.isAtEnd, !cursor.token.isSign("{") { try cursor.skip() }
    return supers
  }
}

// MARK: - Classes

extension SwiftModelReader {
  private mutating func readClass(_ attributes: Attributes, isNested: Bool) throws(ModelFault) {
    try cursor.take()
    var model = DeclaredClass(name: try cursor.name(), place: cursor.place)
    let place = cursor.place
    let supers = try inheritance()
    model.base = supers.first?.name
    model.storedName = attributes.objectiveCName.map { RealmString($0) }
    try cursor.openBody()
    var body = ClassBody(model: model, areMembersVisible: attributes.has("objcMembers"))
    while !cursor.isAtEnd, !cursor.token.isSign("}") { try readMember(of: &body, attributes: attributes) }
    try cursor.closeBody()
    let isDirect = supers.contains { Self.bases[$0.name] != nil }
    guard isDirect || body.hasPersisted || supers.first != nil else { return }
    if isDirect || body.hasPersisted {
      guard !isNested else { throw ModelFault(place: place, reason: "a model class inside another type") }
      guard conditions == 0 else { throw ModelFault(place: place, reason: "a model class between #if and #endif") }
    }
    if let base = supers.first?.name, !isDirect, body.hasPersisted { orphans.append((model.name, base, place)) }
    if isDirect { body.model.base = supers.first { Self.bases[$0.name] != nil }?.name }
    guard !isNested else { return }
    models.classes.append(try body.finished())
  }

  /// A class while it is read.
  private struct ClassBody {
    var model: DeclaredClass
    /// `@objcMembers`
    let areMembersVisible: Bool
    var hasPersisted = false
    /// Properties from before `@Persisted`, which count only if none has that.
    var dynamic: [DeclaredProperty] = []
    var primaryKey: (name: RealmString, place: ModelPlace)?
    var indexed: [(name: RealmString, place: ModelPlace)] = []
    var ignored: Set<RealmString> = []
    var mapping: [(name: RealmString, stored: RealmString, place: ModelPlace)] = []
    /// The fault to report if it is a model class.
    var fault: ModelFault?

    init(model: DeclaredClass, areMembersVisible: Bool) {
      (self.model, self.areMembersVisible) = (model, areMembersVisible)
    }

    func finished() throws(ModelFault) -> DeclaredClass {
      if let fault, hasPersisted || SwiftModelReader.bases[model.base ?? ""] != nil { throw fault }
      var model = model
      model.properties = hasPersisted ? model.properties : dynamic.filter { !ignored.contains(RealmString($0.name)) }
      let positions = Dictionary(
        model.properties.enumerated().map { (RealmString($1.name), $0) }, uniquingKeysWith: { first, _ in first })
      func index(_ name: RealmString, _ place: ModelPlace) throws(ModelFault) -> Int {
        guard let index = positions[name] else {
          throw ModelFault(place: place, reason: "'\(model.name)' has no property \(name.shown)")
        }
        return index
      }
      if let primaryKey { model.properties[try index(primaryKey.name, primaryKey.place)].isPrimaryKey = true }
      for (name, place) in indexed { model.properties[try index(name, place)].index = .general }
      for (name, stored, place) in mapping { model.properties[try index(name, place)].storedName = stored }
      return model
    }
  }

  private mutating func readMember(of body: inout ClassBody, attributes classAttributes: Attributes) throws(ModelFault)
  {
    if case .directive(let text) = cursor.token.kind {
      if text.hasPrefix("if") { body.fault = body.fault ?? cursor.fault("conditions inside a model class") }
      condition(text)
      try cursor.take()
      return
    }
    if try cursor.take(";") { return }
    let attributes = try attributes()
    switch cursor.token.keyword {
    case "var", "let": try readVariable(attributes, of: &body)
    case "func": try readFunction(of: &body)
    case let word? where Self.typeWords.contains(word):
      if word == "class" { try readClass(attributes, isNested: true) } else { try readType() }
    default: try skipDeclaration()
    }
  }

  private mutating func readVariable(_ attributes: Attributes, of body: inout ClassBody) throws(ModelFault) {
    let isConstant = try cursor.take().isWord("let")
    let place = cursor.place
    // `let (a, b) = …` is not a property of a model.
    guard cursor.token.word != nil else { return try cursor.skipExpression() }
    let name = try cursor.name()
    let isDynamic =
      attributes.has("objc") && attributes.modifiers.contains("dynamic")
      || body.areMembersVisible && attributes.modifiers.contains("dynamic")
    let isStatic = attributes.modifiers.contains("static") || attributes.modifiers.contains("lazy")
    guard !isStatic, attributes.persisted != nil || isDynamic || isConstant || !body.hasPersisted else {
      return try skipRest()
    }
    guard attributes.persisted != nil || isDynamic else {
      if let property = try constant(name, place) { body.dynamic.append(property) }
      return try skipRest()
    }
    do throws(ModelFault) {
      var property = DeclaredProperty(name: name, place: place, type: try declaredType(of: name))
      if cursor.token.isSign(",") { throw cursor.fault("several variables in one declaration") }
      if let persisted = attributes.persisted {
        body.hasPersisted = true
        property.isPrimaryKey = persisted.isPrimaryKey
        property.index = persisted.isIndexed ? .general : .none
        property.origin = persisted.origin.map { ($0, nil) }
        body.model.properties.append(property)
      } else if !cursor.token.isSign("{") {
        body.dynamic.append(property)
      }
    } catch {
      if attributes.persisted != nil { body.hasPersisted = true }
      body.fault = body.fault ?? error
    }
    try skipRest()
  }

  /// The type after the colon, or that of the value.
  private mutating func declaredType(of name: String) throws(ModelFault) -> DeclaredType {
    if try cursor.take(":") {
      if cursor.token.isSign("[") || cursor.token.isSign("(") || cursor.token.isWord("any") {
        throw cursor.fault("'\(name)' has a type that a realm does not store")
      }
      return try cursor.type()
    }
    guard cursor.token.isSign("=") else { throw cursor.fault("'\(name)' has no type") }
    var ahead = cursor
    try ahead.take()
    guard let type = try ahead.typeOfValue() else {
      throw ahead.fault("the type of '\(name)' cannot be inferred from its value; write it after a colon")
    }
    return type
  }

  /// A property that does not change although its value does: `let dogs = List<Dog>()`.
  private mutating func constant(_ name: String, _ place: ModelPlace) throws(ModelFault) -> DeclaredProperty? {
    var ahead = cursor
    var declared: DeclaredType?
    if try ahead.take(":") { declared = try? ahead.type() }
    if declared == nil {
      guard try ahead.take("="), ahead.token.word != nil, let type = try? ahead.type() else { return nil }
      declared = type
    } else if try ahead.take("="), ahead.token.word != nil {
      _ = try? ahead.type()
    }
    guard let type = declared, Self.constantTypes.contains(type.name) else { return nil }
    var property = DeclaredProperty(name: name, place: place, type: type)
    guard type.name == "LinkingObjects" else { return type.arguments.isEmpty ? nil : property }
    guard try ahead.take("("), try ahead.take(word: "fromType"), try ahead.take(":") else { return property }
    let origin = try ahead.type()
    _ = try ahead.take(",")
    try ahead.expect(word: "property")
    try ahead.expect(":")
    // `Person.self`
    property.type.arguments = [origin.name == "self" ? try personType(of: cursor) : origin]
    property.origin = (try ahead.string().description, nil)
    cursor = ahead
    return property
  }

  /// The class of `fromType: Person.self`.
  private func personType(of start: ModelCursor) throws(ModelFault) -> DeclaredType {
    var ahead = start
    while !ahead.isAtEnd, !ahead.token.isWord("fromType") { try ahead.take() }
    try ahead.take()
    try ahead.expect(":")
    let place = ahead.place
    var names = [try ahead.name()]
    while try ahead.take(".") { names.append(try ahead.name()) }
    return DeclaredType(name: names.dropLast().last ?? "", place: place)
  }

  private static let constantTypes: Set<String> = [
    "List", "MutableSet", "Map", "RealmOptional", "RealmProperty", "LinkingObjects",
  ]

  /// The value, and what observes or computes it.
  private mutating func skipRest() throws(ModelFault) {
    if cursor.token.isSign("{") { return try cursor.skip() }
    guard !cursor.token.isFirstOnLine || cursor.token.isSign("=") else { return }
    try cursor.skipExpression()
  }
}

// MARK: - What functions say

extension SwiftModelReader {
  private mutating func readFunction(of body: inout ClassBody) throws(ModelFault) {
    var ahead = cursor
    try ahead.take()
    let name = ahead.token.word ?? ""
    guard Self.answers.contains(name) else { return try skipDeclaration() }
    while !ahead.isAtEnd, !ahead.token.isSign("{") { try ahead.skip() }
    do throws(ModelFault) {
      try ahead.expect("{")
      _ = try ahead.take(word: "return")
      try readAnswer(of: name, &ahead, &body)
      try ahead.expect("}")
      cursor = ahead
    } catch {
      let reason = "the value that '\(name)' returns is not supported: \(error.reason)"
      body.fault = body.fault ?? ModelFault(place: error.place, reason: reason)
      try skipDeclaration()
    }
  }

  private static let answers: Set<String> = [
    "_realmObjectName", "propertiesMapping", "primaryKey", "indexedProperties", "ignoredProperties",
    "shouldIncludeInDefaultSchema",
  ]

  private func readAnswer(of name: String, _ cursor: inout ModelCursor, _ body: inout ClassBody) throws(ModelFault) {
    switch name {
    case "_realmObjectName":
      if try !cursor.take(word: "nil") { body.model.storedName = try cursor.string() }
    case "primaryKey":
      let place = cursor.place
      if try !cursor.take(word: "nil") { body.primaryKey = (try propertyName(&cursor), place) }
    case "shouldIncludeInDefaultSchema": body.model.isStored = try cursor.boolean()
    case "propertiesMapping":
      try elements(&cursor) { (cursor) throws(ModelFault) in
        let place = cursor.place
        let name = try propertyName(&cursor)
        try cursor.expect(":")
        body.mapping.append((name, try cursor.string(), place))
      }
    case "indexedProperties":
      try elements(&cursor) { (cursor) throws(ModelFault) in
        let place = cursor.place
        body.indexed.append((try propertyName(&cursor), place))
      }
    default:
      try elements(&cursor) { (cursor) throws(ModelFault) in body.ignored.insert(try propertyName(&cursor)) }
    }
  }

  private func elements(
    _ cursor: inout ModelCursor, _ element: (inout ModelCursor) throws(ModelFault) -> Void
  ) throws(ModelFault) {
    try cursor.expect("[")
    if try cursor.take(":") { return try cursor.expect("]") }
    while !cursor.token.isSign("]") {
      try element(&cursor)
      guard try cursor.take(",") else { break }
    }
    try cursor.expect("]")
  }

  /// `"name"`, or `#keyPath(Dog.name)`, or `#keyPath(name)`.
  private func propertyName(_ cursor: inout ModelCursor) throws(ModelFault) -> RealmString {
    guard try cursor.take("#") else { return try cursor.string() }
    try cursor.expect(word: "keyPath")
    try cursor.expect("(")
    var name = try cursor.name()
    while try cursor.take(".") { name = try cursor.name() }
    try cursor.expect(")")
    return RealmString(name)
  }
}

// MARK: - Types

extension SwiftModelReader {
  static func type(
    of property: DeclaredProperty, _ classes: Set<String>, _ models: DeclaredModels
  ) throws(ModelFault) -> ModelType {
    try names.modelType(of: property.type, classes, stored: models.storedTypes)
  }

  fileprivate static let names = ModelTypeNames(
    values: [
      "Int": .int, "Int8": .int, "Int16": .int, "Int32": .int, "Int64": .int, "Bool": .bool, "String": .string,
      "NSString": .string, "Data": .data, "NSData": .data, "Date": .date, "NSDate": .date, "Float": .float,
      "Double": .double, "Decimal128": .decimal128, "ObjectId": .objectID, "UUID": .uuid, "AnyRealmValue": .mixed,
    ],
    lists: ["List"], sets: ["MutableSet"], dictionaries: ["Map"], inverses: ["LinkingObjects"],
    wrappers: ["Optional": true, "RealmOptional": true, "RealmProperty": false])
}
