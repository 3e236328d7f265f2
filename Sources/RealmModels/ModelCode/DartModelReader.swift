import RealmStorage

/// Reads the models for Realm Dart and Flutter from which the SDK's generator makes classes.
struct DartModelReader {
  private var cursor: ModelCursor
  private var models = DeclaredModels()
  private var types: [FoundType<ModelAnnotations>] = []

  /// - Throws: `ModelFault` for the first thing that is not understood.
  static func read(_ files: [ModelCursor]) throws(ModelFault) -> DeclaredModels {
    guard let first = files.first else { return DeclaredModels() }
    var reader = DartModelReader(cursor: first)
    for file in files { try reader.findTypes(in: file) }
    for type in reader.types { try reader.readClass(type) }
    return reader.models
  }

  private init(cursor: ModelCursor) { self.cursor = cursor }

  private static let modifiers: Set<String> = ["abstract", "base", "final", "sealed", "interface", "mixin", "late"]
  private static let fieldModifiers: Set<String> = [
    "late", "final", "static", "const", "external", "covariant", "abstract",
  ]
}

// MARK: - Classes

extension DartModelReader: ModelTypeVisitor {
  static let typeWords: Set<String> = ["class", "enum", "mixin", "extension", "typedef"]

  mutating func prefix(_ cursor: inout ModelCursor, after last: ModelToken?) throws(ModelFault) -> ModelAnnotations? {
    try ModelAnnotations(&cursor, modifiers: Self.modifiers)
  }

  mutating func found(_ type: FoundType<ModelAnnotations>) { types.append(type) }

  private mutating func readClass(_ type: FoundType<ModelAnnotations>) throws(ModelFault) {
    guard let realm = type.prefix["RealmModel"] else { return }
    cursor = type.cursor
    try cursor.expect(word: "class")
    let place = cursor.place
    let name = try cursor.name()
    while !cursor.token.isSign("{") {
      guard !cursor.isAtEnd, !cursor.token.isSign("}"), !cursor.token.isSign(";") else {
        throw cursor.fault("expected '{', not \(cursor.token.text)")
      }
      try cursor.skip()
    }
    guard name.hasPrefix("_") || name.hasPrefix("$"), name.count > 1 else {
      throw ModelFault(place: place, reason: "the name of a model begins with '_' or '$'")
    }
    var model = DeclaredClass(name: name, place: place)
    model.kind = try kind(realm)
    model.storedName = try type.prefix.text("MapTo", label: "name") ?? RealmString(String(name.dropFirst()))
    try cursor.expect("{")
    while try !cursor.take("}") { try readMember(of: &model) }
    models.classes.append(model)
  }

  private func kind(_ realm: ModelAnnotations.Annotation) throws(ModelFault) -> TableKind {
    guard let argument = realm.arguments.first else { return .topLevel }
    switch argument.value {
    case .name("realmObject"): return .topLevel
    case .name("embeddedObject"): return .embedded
    case .name("asymmetricObject"): return .asymmetric
    default: throw realm.fault("only a value of ObjectType is supported here")
    }
  }
}

// MARK: - Members

extension DartModelReader {
  private mutating func readMember(of model: inout DeclaredClass) throws(ModelFault) {
    if try cursor.take(";") { return }
    let annotations = try ModelAnnotations(&cursor, modifiers: Self.fieldModifiers)
    if cursor.token.isWord("factory") { try cursor.take() }
    if try isConstructor() {
      // `_Dog(…)`, `_Dog.named(…)`
      repeat { _ = try cursor.name() } while try cursor.take(".")
      return try skipMethod()
    }
    let isVariable = try cursor.take(word: "var")
    let next = try cursor.following()
    if isVariable || next.isSign("=") || next.isSign(";") || next.isSign(",") {
      // A field whose type is not written.
      guard annotations.isIgnored || annotations.modifiers.contains("static") else {
        throw cursor.fault("\(cursor.token.text) has no type")
      }
      _ = try cursor.name()
      return try skipFields()
    }
    if try skipAccessor() { return }
    let (type, isKnown) = try memberType()
    if try skipAccessor() { return }
    var place = cursor.place
    var name = try cursor.name()
    if cursor.token.isSign("<") { try cursor.skipGenerics() }
    if cursor.token.isSign("(") { return try skipMethod() }
    guard !annotations.isIgnored, !annotations.modifiers.contains("static") else { return try skipFields() }
    guard isKnown else { throw type.unknown }
    while true {
      var property = DeclaredProperty(name: name, place: place, type: type)
      try annotations.apply(to: &property)
      model.properties.append(property)
      if try cursor.take("=") { try cursor.skipExpression() }
      guard try cursor.take(",") else { break }
      place = cursor.place
      name = try cursor.name()
    }
    try cursor.expect(";")
  }

  private func isConstructor() throws(ModelFault) -> Bool {
    var ahead = cursor
    repeat {
      guard ahead.token.word != nil else { return false }
      try ahead.take()
    } while try ahead.take(".")
    return ahead.token.isSign("(")
  }

  /// `get name => …`, `set name(…) {…}`, `operator ==(…) …`
  private mutating func skipAccessor() throws(ModelFault) -> Bool {
    if cursor.token.isWord("operator") {
      try cursor.take()
      while !cursor.isAtEnd, !cursor.token.isSign("("), !cursor.token.isSign("{") { try cursor.take() }
      try skipMethod()
      return true
    }
    guard cursor.token.isWord("get") || cursor.token.isWord("set"), try cursor.following().word != nil else {
      return false
    }
    let isSetter = try cursor.take().isWord("set")
    _ = try cursor.name()
    if isSetter { try skipMethod() } else { try skipBody() }
    return true
  }

  /// The type of a member; one of functions is not one that a realm stores.
  private mutating func memberType() throws(ModelFault) -> (DeclaredType, isKnown: Bool) {
    let type = try cursor.type()
    var isKnown = true
    while cursor.token.isWord("Function") {
      try cursor.take()
      if cursor.token.isSign("<") { try cursor.skipGenerics() }
      guard cursor.token.isSign("(") else { throw cursor.fault("expected '(', not \(cursor.token.text)") }
      try cursor.skip()
      _ = try cursor.take("?")
      isKnown = false
    }
    return (type, isKnown)
  }

  private mutating func skipFields() throws(ModelFault) {
    if try cursor.take("=") { try cursor.skipExpression() }
    while try cursor.take(",") {
      _ = try cursor.name()
      if try cursor.take("=") { try cursor.skipExpression() }
    }
    try cursor.expect(";")
  }

  /// From the parameters of a method on, with the initializers of a constructor.
  private mutating func skipMethod() throws(ModelFault) {
    guard cursor.token.isSign("(") else { throw cursor.fault("expected '(', not \(cursor.token.text)") }
    try cursor.skip()
    if try cursor.take(":") {
      repeat { try cursor.skipExpression() } while try cursor.take(",")
    }
    try skipBody()
  }

  private mutating func skipBody() throws(ModelFault) {
    if cursor.token.isWord("async") || cursor.token.isWord("sync") {
      try cursor.take()
      _ = try cursor.take("*")
    }
    if cursor.token.isSign("{") { return try cursor.skip() }
    if try cursor.take("=") {
      _ = try cursor.take(">")
      try cursor.skipExpression()
    }
    try cursor.expect(";")
  }
}

// MARK: - Types

extension DartModelReader {
  static func type(
    of property: DeclaredProperty, _ classes: Set<String>, _ models: DeclaredModels
  ) throws(ModelFault) -> ModelType {
    try names.modelType(of: property.type, classes)
  }

  private static let names = ModelTypeNames(
    values: [
      "int": .int, "bool": .bool, "String": .string, "Uint8List": .data, "DateTime": .date, "double": .double,
      "Decimal128": .decimal128, "ObjectId": .objectID, "Uuid": .uuid, "RealmValue": .mixed,
    ],
    lists: ["List", "RealmList"], sets: ["Set", "RealmSet"], dictionaries: ["Map", "RealmMap"],
    inverses: ["Iterable", "RealmResults"])
}
