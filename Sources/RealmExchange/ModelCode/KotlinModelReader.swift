import RealmStorage

/// Reads model classes for Realm Kotlin, and those for Realm Java that are written in Kotlin.
struct KotlinModelReader {
  private var cursor: ModelCursor
  private var models = DeclaredModels()

  private init(_ bytes: [UInt8]) throws(ModelFault) { cursor = try ModelCursor(bytes, .kotlin) }

  /// - Throws: `ModelFault` for the first thing that is not understood.
  static func read(_ bytes: [UInt8]) throws(ModelFault) -> DeclaredModels {
    var reader = try KotlinModelReader(bytes)
    while !reader.cursor.isAtEnd { try reader.readDeclaration(isNested: false) }
    return reader.models
  }

  private static let bases: [String: TableKind] = [
    "RealmObject": .topLevel, "EmbeddedRealmObject": .embedded, "AsymmetricRealmObject": .asymmetric,
    "TypedRealmObject": .topLevel, "RealmModel": .topLevel,
  ]

  private static let modifiers: Set<String> = [
    "public", "private", "internal", "protected", "open", "final", "abstract", "sealed", "data", "inner", "override",
    "lateinit", "const", "inline", "value", "enum", "annotation", "expect", "actual", "suspend", "operator", "infix",
    "tailrec", "external", "vararg", "noinline", "crossinline",
  ]

  private static let declarationWords: Set<String> = [
    "class", "interface", "object", "fun", "val", "var", "typealias", "init", "constructor", "companion", "package",
    "import",
  ]

  private func beginsDeclaration(_ token: ModelToken) -> Bool {
    guard token.isFirstOnLine, case .word(let word, isQuoted: false) = token.kind else {
      return token.isFirstOnLine && token.isSign("@")
    }
    return Self.declarationWords.contains(word) || Self.modifiers.contains(word)
  }
}

// MARK: - Declarations

extension KotlinModelReader {
  private mutating func readDeclaration(isNested: Bool) throws(ModelFault) {
    if try cursor.take(";") { return }
    let annotations = try ModelAnnotations(&cursor, modifiers: Self.modifiers)
    switch cursor.token.keyword {
    case "class", "interface", "object": try readClass(annotations, isNested: isNested)
    case "companion":
      try cursor.take()
      try readClass(annotations, isNested: true)
    case "package", "import", "typealias":
      try cursor.take()
      while !cursor.isAtEnd, !beginsDeclaration(cursor.token) { try cursor.skip() }
    case "fun", "init", "constructor": try skipFunction()
    case "val", "var": try skipVariable()
    default:
      if cursor.token.isSign("}") { throw cursor.fault("\(cursor.token.text) does not belong here") }
      try cursor.skip()
    }
  }

  /// A function ends with its body in braces, or with the expression after `=`.
  private mutating func skipFunction() throws(ModelFault) {
    try cursor.take()
    while !cursor.isAtEnd, !cursor.token.isSign("}"), !beginsDeclaration(cursor.token) {
      if cursor.token.isSign("{") { return try cursor.skip() }
      if try cursor.take("=") { return try skipExpression() }
      try cursor.skip()
    }
  }

  /// The value or the delegate of a property, and its accessors.
  private mutating func skipVariable() throws(ModelFault) {
    try cursor.take()
    while !cursor.isAtEnd, !cursor.token.isSign("}"), !beginsDeclaration(cursor.token), !cursor.token.isSign(";") {
      try cursor.skip()
    }
  }

  private mutating func skipExpression() throws(ModelFault) {
    while !cursor.isAtEnd, !cursor.token.isSign("}"), !cursor.token.isSign(";"), !beginsDeclaration(cursor.token) {
      try cursor.skip()
    }
  }

  private mutating func readClass(_ annotations: ModelAnnotations, isNested: Bool) throws(ModelFault) {
    try cursor.take()
    let place = cursor.place
    // A companion may have no name.
    var model = DeclaredClass(name: cursor.token.word == nil ? "" : try cursor.name(), place: place)
    if cursor.token.isSign("<") { try cursor.skipGenerics() }
    var parameters: [(ModelAnnotations, ModelCursor)] = []
    let isConstructed = ["constructor", "private", "internal", "protected"].contains(cursor.token.word)
    if isConstructed || cursor.token.isSign("@") {
      _ = try ModelAnnotations(&cursor, modifiers: Self.modifiers)
      _ = try cursor.take(word: "constructor")
    }
    if cursor.token.isSign("(") { parameters = try constructorProperties() }
    let inherited = try inheritedKind()
    guard let kind = inherited?.kind ?? (annotations.has("RealmClass") ? .topLevel : nil) else {
      if cursor.token.isSign("{") {
        try cursor.openBody()
        while !cursor.isAtEnd, !cursor.token.isSign("}") { try readDeclaration(isNested: true) }
        try cursor.closeBody()
      }
      return
    }
    guard !isNested else { throw ModelFault(place: place, reason: "a model class inside another type") }
    model.kind = kind
    model.isForJava = inherited?.isForJava ?? true
    model.storedName = try annotations.text("PersistedName", label: "name")
    if let realm = annotations["RealmClass"] { try realm.apply(to: &model) }
    for (annotations, ahead) in parameters {
      var ahead = ahead
      try readProperty(annotations, &ahead, of: &model)
    }
    if cursor.token.isSign("{") {
      try cursor.openBody()
      while !cursor.isAtEnd, !cursor.token.isSign("}") { try readMember(of: &model) }
      try cursor.closeBody()
    }
    models.classes.append(model)
  }

  /// The parameters that are properties, each with a cursor before its name.
  private mutating func constructorProperties() throws(ModelFault) -> [(ModelAnnotations, ModelCursor)] {
    var properties: [(ModelAnnotations, ModelCursor)] = []
    try cursor.expect("(")
    while !cursor.token.isSign(")"), !cursor.isAtEnd {
      let annotations = try ModelAnnotations(&cursor, modifiers: Self.modifiers)
      if cursor.token.isWord("var") || cursor.token.isWord("val") { properties.append((annotations, cursor)) }
      while !cursor.isAtEnd, !cursor.token.isSign(")"), !cursor.token.isSign(",") {
        if cursor.token.isSign("<") { try cursor.skipGenerics() } else { try cursor.skip() }
      }
      guard try cursor.take(",") else { break }
    }
    try cursor.expect(")")
    return properties
  }

  /// The kind of model class that the names after the colon say; nil for any other class. Realm Java's `RealmObject` is
  /// a class, so its constructor is called; Realm Kotlin's is an interface.
  private mutating func inheritedKind() throws(ModelFault) -> (kind: TableKind, isForJava: Bool)? {
    guard try cursor.take(":") else { return nil }
    var found: (kind: TableKind, isForJava: Bool)?
    repeat {
      while cursor.token.isSign("@") { _ = try ModelAnnotations(&cursor, modifiers: []) }
      let type = try cursor.type()
      let isCalled = cursor.token.isSign("(") && !cursor.token.isFirstOnLine
      if found == nil, let kind = Self.bases[type.name] { found = (kind, isCalled || type.name == "RealmModel") }
      if cursor.token.isSign("("), !cursor.token.isFirstOnLine { try cursor.skip() }
      guard try cursor.take(word: "by") else { continue }
      while !cursor.isAtEnd, !cursor.token.isSign("{"), !cursor.token.isFirstOnLine { try cursor.skip() }
    } while try cursor.take(",")
    return found
  }
}

// MARK: - Properties

extension KotlinModelReader {
  private mutating func readMember(of model: inout DeclaredClass) throws(ModelFault) {
    if try cursor.take(";") { return }
    let annotations = try ModelAnnotations(&cursor, modifiers: Self.modifiers)
    switch cursor.token.keyword {
    case "val", "var":
      try readProperty(annotations, &cursor, of: &model)
    case "fun", "init", "constructor": try skipFunction()
    case "class", "interface", "object": try readClass(annotations, isNested: true)
    case "companion":
      try cursor.take()
      try readClass(annotations, isNested: true)
    case "typealias": try skipVariable()
    default: throw cursor.fault("\(cursor.token.text) is not supported in a class")
    }
  }

  private func readProperty(
    _ annotations: ModelAnnotations, _ cursor: inout ModelCursor, of model: inout DeclaredClass
  ) throws(ModelFault) {
    let isConstant = try cursor.take().isWord("val")
    let place = cursor.place
    // `val <T> Dog.name` and `val Dog.name: String` belong to no class.
    let name = try cursor.name()
    var type: DeclaredType?
    if try cursor.take(":") { type = try cursor.type() }
    var property = type.map { DeclaredProperty(name: name, place: place, type: $0) }
    var isComputed = false
    if try cursor.take(word: "by") {
      let inverse = try backlinks(&cursor)
      guard let inverse, let type else {
        if isConstant { return try skipRest(&cursor) }
        throw ModelFault(place: place, reason: "'\(name)' is delegated to something other than the inverse of a link")
      }
      // The one parent of an embedded object is a property of its class.
      property?.type = type
      if type.arguments.isEmpty {
        var wrapped = DeclaredType(name: "RealmResults", place: type.place)
        wrapped.arguments = [DeclaredType(name: type.name, place: type.place)]
        property?.type = wrapped
      }
      property?.origin = (inverse.link, inverse.className)
    } else if try cursor.take("=") {
      if type == nil, !annotations.isIgnored {
        let value = try Self.type(ofValueAt: cursor)
        guard let value else {
          throw cursor.fault("the type of '\(name)' cannot be inferred from its value; write it after a colon")
        }
        property = DeclaredProperty(name: name, place: place, type: value)
      }
    } else {
      isComputed = isConstant && !annotations.has("LinkingObjects")
    }
    try skipRest(&cursor)
    guard !annotations.isIgnored, !isComputed else { return }
    guard var property else { throw ModelFault(place: place, reason: "'\(name)' has no type") }
    try annotations.apply(to: &property)
    if isConstant, property.origin == nil, !Self.collections.contains(property.type.name) {
      throw ModelFault(
        place: place,
        reason: "'\(name)' cannot change, so a realm does not store it: declare it as 'var', or with @Ignore")
    }
    model.properties.append(property)
  }

  /// Properties that Realm Java stores although they are declared with `val`.
  private static let collections: Set<String> = ["RealmList", "RealmSet", "RealmDictionary"]

  private static func type(ofValueAt cursor: ModelCursor) throws(ModelFault) -> DeclaredType? {
    let functions = ["realmListOf": "RealmList", "realmSetOf": "RealmSet", "realmDictionaryOf": "RealmDictionary"]
    guard var type = try cursor.typeOfValue() else { return nil }
    if let collection = functions[type.name] { type.name = collection }
    if type.name == "BsonObjectId" { type.name = "ObjectId" }
    return type
  }

  /// `backlinks(Person::dogs)`
  private func backlinks(_ cursor: inout ModelCursor) throws(ModelFault) -> (link: String, className: String)? {
    guard try cursor.take(word: "backlinks") else { return nil }
    try cursor.expect("(")
    let origin = try cursor.type()
    try cursor.expect(":")
    try cursor.expect(":")
    let link = try cursor.name()
    try cursor.expect(")")
    return (link, origin.name)
  }

  /// The value, the delegate and the accessors of a property in a class or among parameters.
  private func skipRest(_ cursor: inout ModelCursor) throws(ModelFault) {
    while !cursor.isAtEnd, !cursor.token.isSign("}"), !cursor.token.isSign(")"), !cursor.token.isSign(",") {
      if try cursor.take(";") { return }
      if beginsDeclaration(cursor.token) {
        // `private set` and `@Something get()` belong to the property.
        var ahead = cursor
        _ = try ModelAnnotations(&ahead, modifiers: Self.modifiers)
        guard ahead.token.isWord("get") || ahead.token.isWord("set") else { return }
        cursor = ahead
      }
      try cursor.skip()
    }
  }
}

// MARK: - Types

extension KotlinModelReader {
  static func type(
    of property: DeclaredProperty, in model: DeclaredClass, _ classes: Set<String>
  ) throws(ModelFault) -> ModelType {
    var type = try names.modelType(of: property.type, classes)
    if model.isForJava, type.collection != nil, type.type != .object { type.isOptional = !property.isRequired }
    return type
  }

  private static let names = ModelTypeNames(
    values: [
      "Byte": .int, "Char": .int, "Short": .int, "Int": .int, "Long": .int, "MutableRealmInt": .int, "Boolean": .bool,
      "String": .string, "ByteArray": .data, "RealmInstant": .date, "Date": .date, "Float": .float,
      "Double": .double, "Decimal128": .decimal128, "BsonDecimal128": .decimal128, "ObjectId": .objectID,
      "BsonObjectId": .objectID, "RealmUUID": .uuid, "UUID": .uuid, "RealmAny": .mixed,
    ],
    lists: ["RealmList"], sets: ["RealmSet"], dictionaries: ["RealmDictionary"], inverses: ["RealmResults"])
}
