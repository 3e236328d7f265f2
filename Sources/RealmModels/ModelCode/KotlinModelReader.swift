import RealmStorage

/// Reads model classes for Realm Kotlin, and those for Realm Java that are written in Kotlin.
struct KotlinModelReader {
  private var cursor: ModelCursor
  private var models = DeclaredModels()
  private var types: [FoundType<ModelAnnotations>] = []

  /// - Throws: `ModelFault` for the first thing that is not understood.
  static func read(_ files: [ModelCursor]) throws(ModelFault) -> DeclaredModels {
    guard let first = files.first else { return DeclaredModels() }
    var reader = KotlinModelReader(cursor: first)
    for file in files { try reader.findTypes(in: file) }
    for type in reader.types { try reader.readClass(type) }
    return reader.models
  }

  private init(cursor: ModelCursor) { self.cursor = cursor }

  private static let bases: [String: TableKind] = [
    "RealmObject": .topLevel, "EmbeddedRealmObject": .embedded, "AsymmetricRealmObject": .asymmetric,
    "TypedRealmObject": .topLevel, "RealmModel": .topLevel,
  ]

  private static let modifiers: Set<String> = [
    "public", "private", "internal", "protected", "open", "final", "abstract", "sealed", "data", "inner", "override",
    "lateinit", "const", "inline", "value", "enum", "annotation", "expect", "actual", "suspend", "operator", "infix",
    "tailrec", "external", "vararg", "noinline", "crossinline",
  ]
}

// MARK: - Types

extension KotlinModelReader: ModelTypeVisitor {
  static let typeWords: Set<String> = ["class"]

  mutating func prefix(_ cursor: inout ModelCursor, after last: ModelToken?) throws(ModelFault) -> ModelAnnotations? {
    try ModelAnnotations(&cursor, modifiers: Self.modifiers)
  }

  mutating func found(_ type: FoundType<ModelAnnotations>) { types.append(type) }

  private mutating func readClass(_ type: FoundType<ModelAnnotations>) throws(ModelFault) {
    cursor = type.cursor
    try cursor.take()
    let (annotations, place) = (type.prefix, cursor.place)
    var model = DeclaredClass(name: try cursor.name(), place: place)
    var parameters: ModelCursor?
    let inherited = try header { cursor in parameters = cursor }
    guard let kind = inherited?.kind ?? (annotations.has("RealmClass") ? .topLevel : nil) else { return }
    guard !type.isNested else { throw ModelFault(place: place, reason: "a model class inside another type") }
    model.kind = kind
    // With a constructor in its body, a class for Realm Java does not call that of `RealmObject`; but it must be open.
    model.isForJava =
      (inherited?.isForJava ?? true) || annotations.modifiers.contains("open") || annotations.has("RealmClass")
    model.storedName = try annotations.text("PersistedName", label: "name")
    if let realm = annotations["RealmClass"] { try realm.apply(to: &model) }
    let body = cursor
    if let parameters {
      cursor = parameters
      try readParameters(of: &model)
      cursor = body
    }
    if try cursor.take("{") {
      while try !cursor.take("}") { try readMember(of: &model) }
    }
    models.classes.append(model)
  }

  /// Takes what comes between the name and the body of a type.
  ///
  /// - Parameter parameters: called with the cursor before the parameters of the constructor.
  /// - Returns: the kind of model class that the names after the colon say; nil for any other class. Realm Java's
  ///   `RealmObject` is a class, so its constructor is called; Realm Kotlin's is an interface.
  private mutating func header(
    _ parameters: (ModelCursor) -> Void = { _ in }
  ) throws(ModelFault) -> (kind: TableKind, isForJava: Bool)? {
    if cursor.token.isSign("<") { try cursor.skipGenerics() }
    let isConstructed = ["constructor", "private", "internal", "protected", "public"].contains(cursor.token.word)
    if isConstructed || cursor.token.isSign("@") {
      _ = try ModelAnnotations(&cursor, modifiers: Self.modifiers)
      // `private constructor(`: the last word is no modifier of what follows.
      while let word = cursor.token.keyword, Self.modifiers.contains(word) { try cursor.take() }
      try cursor.expect(word: "constructor")
    }
    if cursor.token.isSign("(") {
      parameters(cursor)
      try cursor.skip()
    }
    var found: (kind: TableKind, isForJava: Bool)?
    guard try cursor.take(":") else { return nil }
    repeat {
      while cursor.token.isSign("@") { _ = try ModelAnnotations(&cursor, modifiers: []) }
      if cursor.token.isSign("(") {
        // A type of functions, which no model class has.
        throw cursor.fault("\(cursor.token.text) is not supported here")
      }
      let type = try cursor.type()
      let isCalled = cursor.token.isSign("(") && !cursor.token.isFirstOnLine
      if found == nil, let kind = Self.bases[type.name] { found = (kind, isCalled || type.name == "RealmModel") }
      if isCalled { try cursor.skip() }
      if try cursor.take(word: "by") { try cursor.skipExpression() }
    } while try cursor.take(",")
    try skipConstraints()
    return found
  }

  /// `where T : Any, T : Comparable<T>`
  private mutating func skipConstraints() throws(ModelFault) {
    guard try cursor.take(word: "where") else { return }
    repeat {
      _ = try cursor.name()
      try cursor.expect(":")
      _ = try cursor.type()
    } while try cursor.take(",")
  }
}

// MARK: - Members

extension KotlinModelReader {
  /// The parameters of the constructor, of which those with `var` and `val` are properties.
  private mutating func readParameters(of model: inout DeclaredClass) throws(ModelFault) {
    try cursor.expect("(")
    while !cursor.token.isSign(")") {
      let annotations = try ModelAnnotations(&cursor, modifiers: Self.modifiers)
      if cursor.token.isWord("var") || cursor.token.isWord("val") {
        try readProperty(annotations, of: &model, isParameter: true)
      } else {
        _ = try cursor.name()
        try cursor.expect(":")
        try skipType()
        if try cursor.take("=") { try cursor.skipExpression(isInBrackets: true) }
      }
      guard try cursor.take(",") else { break }
    }
    try cursor.expect(")")
  }

  private mutating func readMember(of model: inout DeclaredClass) throws(ModelFault) {
    if try cursor.take(";") { return }
    let annotations = try ModelAnnotations(&cursor, modifiers: Self.modifiers)
    switch cursor.token.keyword {
    case "val", "var": try readProperty(annotations, of: &model, isParameter: false)
    case "fun":
      if try cursor.following().isWord("interface") {
        try cursor.take()
        return try skipType(word: cursor.name())
      }
      try skipFunction()
    case "init":
      try cursor.take()
      try skipBody()
    case "constructor":
      try cursor.take()
      try skipParentheses()
      if try cursor.take(":") {
        _ = try cursor.name()
        try skipParentheses()
      }
      if cursor.token.isSign("{") { try cursor.skip() } else { try endDeclaration() }
    case "class", "interface", "object", "companion": try skipType(word: cursor.name())
    case "typealias":
      try cursor.take()
      _ = try cursor.type()
      try cursor.expect("=")
      try skipType()
      try endDeclaration()
    default: throw cursor.fault("\(cursor.token.text) is not supported in a class")
    }
  }

  private func endDeclaration() throws(ModelFault) {
    guard cursor.token.isFirstOnLine || cursor.token.isSign(";") || cursor.token.isSign("}") else {
      throw cursor.fault("\(cursor.token.text) does not belong here")
    }
  }

  private mutating func skipBody() throws(ModelFault) {
    guard cursor.token.isSign("{") else { throw cursor.fault("expected '{', not \(cursor.token.text)") }
    try cursor.skip()
  }

  private mutating func skipParentheses() throws(ModelFault) {
    guard cursor.token.isSign("(") else { throw cursor.fault("expected '(', not \(cursor.token.text)") }
    try cursor.skip()
  }

  /// A type inside a class: its models are found on their own.
  private mutating func skipType(word: String) throws(ModelFault) {
    if word == "companion" { try cursor.expect(word: "object") }
    if cursor.token.word != nil, !cursor.token.isFirstOnLine { try cursor.take() }
    _ = try header()
    if cursor.token.isSign("{") { try cursor.skip() } else { try endDeclaration() }
  }

  /// A function ends with its body in braces, with the expression after `=`, or with its line.
  private mutating func skipFunction() throws(ModelFault) {
    try cursor.take()
    if cursor.token.isSign("<") { try cursor.skipGenerics() }
    // `fun List<Dog>.names()`
    _ = try cursor.type()
    while try cursor.take(".") { _ = try cursor.name() }
    try skipParentheses()
    if try cursor.take(":") { try skipType() }
    try skipConstraints()
    try skipDefinition()
  }

  private mutating func skipDefinition() throws(ModelFault) {
    if cursor.token.isSign("{") { return try cursor.skip() }
    if try cursor.take("=") { try cursor.skipExpression() }
    try endDeclaration()
  }

  /// A type of any kind: `(Int) -> Unit`, `suspend () -> T?`.
  private mutating func skipType() throws(ModelFault) {
    repeat {
      while cursor.token.isSign("@") { _ = try ModelAnnotations(&cursor, modifiers: []) }
      _ = try cursor.take(word: "suspend")
      if cursor.token.isSign("(") { try cursor.skip() } else if try cursor.take("*") {} else { _ = try starType() }
      while try cursor.take("?") {}
      _ = try cursor.take(".")
    } while try takeArrow()
  }

  /// A type whose arguments can be `*`, `in T` and `out T`.
  private mutating func starType() throws(ModelFault) {
    var ahead = cursor
    if (try? ahead.type()) != nil { return cursor = ahead }
    _ = try cursor.name()
    while try cursor.take(".") { _ = try cursor.name() }
    if cursor.token.isSign("<") { try cursor.skipGenerics() }
  }

  private mutating func takeArrow() throws(ModelFault) -> Bool {
    guard cursor.token.isSign("-") || cursor.token.isSign("(") && cursor.token.isAdjacent else { return false }
    if cursor.token.isSign("(") { return true }
    try cursor.take()
    try cursor.expect(">")
    return true
  }
}

// MARK: - Properties

extension KotlinModelReader {
  private mutating func readProperty(
    _ annotations: ModelAnnotations, of model: inout DeclaredClass, isParameter: Bool
  ) throws(ModelFault) {
    let isConstant = try cursor.take().isWord("val")
    if cursor.token.isSign("<") { try cursor.skipGenerics() }
    let place = cursor.place
    let name = try cursor.name()
    guard !cursor.token.isSign("."), !cursor.token.isSign("<"), !cursor.token.isSign("?") else {
      return try skipExtensionProperty()
    }
    var (start, end, value): (ModelCursor?, ModelPlace?, ModelCursor?)
    if try cursor.take(":") {
      start = cursor
      try skipType()
      end = cursor.place
    }
    var delegate: ModelCursor?
    if !isParameter, try cursor.take(word: "by") {
      delegate = cursor
      try cursor.skipExpression()
    } else if try cursor.take("=") {
      value = cursor
      try cursor.skipExpression(isInBrackets: isParameter)
    }
    let hasGetter = try isParameter ? false : skipAccessors()
    // Only a property with a field of its own can be stored.
    let isComputed = value == nil && delegate == nil && hasGetter
    guard !annotations.isIgnored, !isComputed else { return }
    var type = try start.map { (start) throws(ModelFault) -> DeclaredType in
      var ahead = start
      let type = try ahead.type()
      guard ahead.place == end else { throw ahead.fault("'\(name)' has a type that a realm does not store") }
      return type
    }
    var origin: (name: String, className: String?)?
    if let delegate {
      guard let inverse = try Self.backlinks(delegate) else {
        if isConstant { return }
        throw ModelFault(place: place, reason: "'\(name)' is delegated to something other than the inverse of a link")
      }
      origin = inverse
      let element = type ?? DeclaredType(name: inverse.className ?? "", place: delegate.place)
      // The one parent of an embedded object is a property of its class.
      if element.arguments.isEmpty {
        var wrapped = DeclaredType(name: "RealmResults", place: element.place)
        wrapped.arguments = [DeclaredType(name: element.name, place: element.place)]
        type = wrapped
      }
    } else if type == nil, let value {
      type = try Self.type(of: value, isParameter: isParameter)
      guard type != nil else {
        throw value.fault("the type of '\(name)' cannot be inferred from its value; write it after a colon")
      }
    }
    guard let type else { throw ModelFault(place: place, reason: "'\(name)' has no type") }
    var property = DeclaredProperty(name: name, place: place, type: type)
    property.origin = origin
    try annotations.apply(to: &property)
    if isConstant, property.origin == nil, !Self.collections.contains(property.type.name) {
      throw ModelFault(
        place: place,
        reason: "'\(name)' cannot change, so a realm does not store it: declare it as 'var', or with @Ignore")
    }
    model.properties.append(property)
  }

  /// `val Dog.name: String get() = …` belongs to another class.
  private mutating func skipExtensionProperty() throws(ModelFault) {
    if cursor.token.isSign("<") { try cursor.skipGenerics() }
    _ = try cursor.take("?")
    while try cursor.take(".") {
      _ = try cursor.name()
      if cursor.token.isSign("<") { try cursor.skipGenerics() }
    }
    if try cursor.take(":") { try skipType() }
    _ = try skipAccessors()
  }

  /// Takes the getter and the setter, on the line or on the next ones; whether there is a getter.
  private mutating func skipAccessors() throws(ModelFault) -> Bool {
    var hasGetter = false
    while true {
      var ahead = cursor
      _ = try ahead.take(";")
      _ = try ModelAnnotations(&ahead, modifiers: Self.modifiers)
      guard let word = ahead.token.keyword, word == "get" || word == "set" else { break }
      cursor = ahead
      try cursor.take()
      // `private set`
      guard cursor.token.isSign("("), !cursor.token.isFirstOnLine else { continue }
      if word == "get" { hasGetter = true }
      try cursor.skip()
      if try cursor.take(":") { try skipType() }
      if cursor.token.isSign("{") {
        try cursor.skip()
      } else {
        try cursor.expect("=")
        try cursor.skipExpression()
      }
    }
    guard !cursor.token.isSign(",") && !cursor.token.isSign(")") else {
      throw cursor.fault("\(cursor.token.text) does not belong here")
    }
    try endDeclaration()
    return hasGetter
  }

  /// Properties that Realm Java stores although they are declared with `val`.
  private static let collections: Set<String> = ["RealmList", "RealmSet", "RealmDictionary"]

  private static func type(of value: ModelCursor, isParameter: Bool) throws(ModelFault) -> DeclaredType? {
    let functions = ["realmListOf": "RealmList", "realmSetOf": "RealmSet", "realmDictionaryOf": "RealmDictionary"]
    guard var type = try value.typeOfValue(values, isInBrackets: isParameter) else { return nil }
    if let collection = functions[type.name] { type.name = collection }
    if type.name == "BsonObjectId" { type.name = "ObjectId" }
    return type
  }

  private static let values = ModelValues(
    boolean: "Boolean",
    members: [
      "RealmUUID": ["random", "from"], "UUID": ["randomUUID", "fromString"],
      "RealmInstant": ["now", "from", "MIN", "MAX"], "ObjectId": ["create", "get"], "RealmAny": ["create"],
      "Byte": ["MAX_VALUE", "MIN_VALUE"], "Short": ["MAX_VALUE", "MIN_VALUE"], "Int": ["MAX_VALUE", "MIN_VALUE"],
      "Long": ["MAX_VALUE", "MIN_VALUE"], "Float": ["MAX_VALUE", "MIN_VALUE", "NaN"],
      "Double": ["MAX_VALUE", "MIN_VALUE", "NaN"],
    ],
    constructors: [
      "Date", "ObjectId", "BsonObjectId", "ByteArray", "String", "Decimal128", "BsonDecimal128", "UUID", "RealmList",
      "RealmSet", "RealmDictionary",
    ])

  /// `backlinks(Person::dogs)`
  private static func backlinks(
    _ start: ModelCursor
  ) throws(ModelFault) -> (name: String, className: String?)? {
    var (cursor, end) = (start, start)
    try end.skipExpression()
    guard try cursor.take(word: "backlinks") else { return nil }
    try cursor.expect("(")
    let origin = try cursor.type()
    try cursor.expect(":")
    try cursor.expect(":")
    let link = try cursor.name()
    try cursor.expect(")")
    guard cursor.place == end.place else { throw cursor.fault("\(cursor.token.text) does not belong here") }
    return (link, origin.name)
  }
}

// MARK: - Types

extension KotlinModelReader {
  static func type(
    of property: DeclaredProperty, in model: DeclaredClass, _ classes: Set<String>
  ) throws(ModelFault) -> ModelType {
    var declared = property.type
    // Realm Java stores a list that is there, whatever its variable can be.
    if model.isForJava, collections.contains(declared.name) { declared.isOptional = false }
    var type = try names.modelType(of: declared, classes)
    guard model.isForJava, type.type != .object, type.type != .mixed else { return type }
    if type.collection != nil {
      type.isOptional = !property.isRequired
    } else if property.isRequired {
      type.isOptional = false
    }
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
