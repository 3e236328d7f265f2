import RealmStorage

/// Reads the models for Realm Dart and Flutter from which the SDK's generator makes classes.
struct DartModelReader {
  private var cursor: ModelCursor
  private var models = DeclaredModels()

  private init(_ bytes: [UInt8]) throws(ModelFault) { cursor = try ModelCursor(bytes, .dart) }

  /// - Throws: `ModelFault` for the first thing that is not understood.
  static func read(_ bytes: [UInt8]) throws(ModelFault) -> DeclaredModels {
    var reader = try DartModelReader(bytes)
    while !reader.cursor.isAtEnd { try reader.readDeclaration() }
    return reader.models
  }

  private static let modifiers: Set<String> = ["abstract", "base", "final", "sealed", "interface", "mixin", "late"]
  private static let fieldModifiers: Set<String> = [
    "late", "final", "static", "const", "external", "covariant", "abstract",
  ]

  private mutating func readDeclaration() throws(ModelFault) {
    if try cursor.take(";") { return }
    let annotations = try ModelAnnotations(&cursor, modifiers: Self.modifiers)
    guard cursor.token.isWord("class") else {
      if annotations.has("RealmModel") { throw cursor.fault("expected 'class', not \(cursor.token.text)") }
      if cursor.isAtEnd { return }
      if cursor.token.isSign("}") { throw cursor.fault("\(cursor.token.text) does not belong here") }
      return try skipMember()
    }
    try cursor.take()
    let place = cursor.place
    let name = try cursor.name()
    while !cursor.isAtEnd, !cursor.token.isSign("{"), !cursor.token.isSign(";") { try cursor.skip() }
    guard let realm = annotations["RealmModel"] else { return try skipMember() }
    guard name.hasPrefix("_") || name.hasPrefix("$"), name.count > 1 else {
      throw ModelFault(place: place, reason: "the name of a model begins with '_' or '$'")
    }
    var model = DeclaredClass(name: name, place: place)
    model.kind = try kind(realm)
    model.storedName = try annotations.text("MapTo", label: "name") ?? RealmString(String(name.dropFirst()))
    try cursor.expect("{")
    while !cursor.isAtEnd, !cursor.token.isSign("}") { try readMember(of: &model) }
    try cursor.expect("}")
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

  /// Up to a semicolon or body.
  private mutating func skipMember() throws(ModelFault) {
    while !cursor.isAtEnd, !cursor.token.isSign("}") {
      if try cursor.take(";") { return }
      if cursor.token.isSign("{") { return try cursor.skip() }
      if cursor.token.isSign("=") { return try cursor.skipStatement() }
      try cursor.skip()
    }
  }

  private mutating func readMember(of model: inout DeclaredClass) throws(ModelFault) {
    if try cursor.take(";") { return }
    let annotations = try ModelAnnotations(&cursor, modifiers: Self.fieldModifiers)
    let methods: Set<String> = ["get", "set", "factory", "operator", "void"]
    if let word = cursor.token.keyword, methods.contains(word) { return try skipMember() }
    guard cursor.token.word != nil else { throw cursor.fault("\(cursor.token.text) is not supported in a model") }
    var ahead = cursor
    let type = try? ahead.type()
    let place = ahead.place
    guard let type, let name = ahead.token.word, name != "get", name != "set", name != "operator" else {
      return try skipField(annotations)
    }
    try ahead.take()
    guard !ahead.token.isSign("("), !ahead.token.isSign("<") else { return try skipMember() }
    cursor = ahead
    if cursor.token.isSign(",") { throw cursor.fault("several fields in one declaration") }
    try cursor.skipStatement()
    guard !annotations.isIgnored, !annotations.modifiers.contains("static") else { return }
    var property = DeclaredProperty(name: name, place: place, type: type)
    try annotations.apply(to: &property)
    model.properties.append(property)
  }

  /// A method or constructor, or a field whose type is not written.
  private mutating func skipField(_ annotations: ModelAnnotations) throws(ModelFault) {
    let next = try cursor.following()
    let isField = next.isSign("=") || next.isSign(";")
    if isField, !annotations.isIgnored, !annotations.modifiers.contains("static") {
      throw cursor.fault("\(cursor.token.text) has no type")
    }
    try skipMember()
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
