import RealmStorage

/// Reads model classes for Realm Java.
struct JavaModelReader {
  private var cursor: ModelCursor
  private var models = DeclaredModels()

  private init(_ bytes: [UInt8]) throws(ModelFault) { cursor = try ModelCursor(bytes, .java) }

  /// - Throws: `ModelFault` for the first thing that is not understood.
  static func read(_ bytes: [UInt8]) throws(ModelFault) -> DeclaredModels {
    var reader = try JavaModelReader(bytes)
    while !reader.cursor.isAtEnd { try reader.readDeclaration(isNested: false) }
    return reader.models
  }

  private static let modifiers: Set<String> = [
    "public", "private", "protected", "static", "final", "abstract", "transient", "volatile", "synchronized", "native",
    "strictfp", "default", "sealed",
  ]

  private static let typeWords: Set<String> = ["class", "interface", "enum", "record"]

  private mutating func readDeclaration(isNested: Bool) throws(ModelFault) {
    if try cursor.take(";") { return }
    let annotations = try ModelAnnotations(&cursor, modifiers: Self.modifiers)
    if cursor.token.isWord("package") || cursor.token.isWord("import") { return try cursor.skipStatement() }
    guard let word = cursor.token.keyword, Self.typeWords.contains(word) else {
      if cursor.token.isSign("@") {
        try cursor.take()
        return try cursor.skipToBody()
      }
      if cursor.isAtEnd { return }
      if !isNested { throw cursor.fault("expected a class, not \(cursor.token.text)") }
      return try skipMember()
    }
    try readClass(annotations, isNested: isNested)
  }

  /// A field or a method of a class that is not a model: up to its semicolon or body.
  private mutating func skipMember() throws(ModelFault) {
    while !cursor.isAtEnd, !cursor.token.isSign("}") {
      if try cursor.take(";") { return }
      if cursor.token.isSign("{") { return try cursor.skip() }
      if try cursor.take("=") { return try cursor.skipStatement() }
      try cursor.skip()
    }
  }

  private mutating func readClass(_ annotations: ModelAnnotations, isNested: Bool) throws(ModelFault) {
    let isClass = try cursor.take().isWord("class")
    let place = cursor.place
    var model = DeclaredClass(name: try cursor.name(), place: place)
    var supers: [String] = []
    while !cursor.isAtEnd, !cursor.token.isSign("{") {
      if cursor.token.isWord("extends") || cursor.token.isWord("implements") || cursor.token.isSign(",") {
        try cursor.take()
        supers.append(try cursor.type().name)
      } else {
        try cursor.skip()
      }
    }
    try cursor.openBody()
    let isModel =
      isClass && (supers.contains("RealmObject") || supers.contains("RealmModel") || annotations.has("RealmClass"))
    if isModel {
      guard !isNested || annotations.modifiers.contains("static") else {
        throw ModelFault(place: place, reason: "a model class inside another type")
      }
      if let realm = annotations["RealmClass"] { try realm.apply(to: &model) }
      while !cursor.isAtEnd, !cursor.token.isSign("}") { try readMember(of: &model) }
      models.classes.append(model)
    } else {
      while !cursor.isAtEnd, !cursor.token.isSign("}") { try readDeclaration(isNested: true) }
    }
    try cursor.closeBody()
  }

  private mutating func readMember(of model: inout DeclaredClass) throws(ModelFault) {
    if try cursor.take(";") { return }
    // Code that runs when the class is loaded or an object is created.
    if cursor.token.isSign("{") { return try cursor.skip() }
    let annotations = try ModelAnnotations(&cursor, modifiers: Self.modifiers)
    if cursor.token.isSign("{") { return try cursor.skip() }
    if let word = cursor.token.keyword, Self.typeWords.contains(word), try cursor.following().word != nil {
      return try readClass(annotations, isNested: true)
    }
    if cursor.token.isSign("@") || cursor.token.isSign("<") { return try skipMember() }
    var ahead = cursor
    let type = try? ahead.type()
    let place = ahead.place
    // Constructors and methods have parentheses after their name.
    guard let type, let name = ahead.token.word else { return try skipMember() }
    try ahead.take()
    guard !ahead.token.isSign("(") else { return try skipMember() }
    cursor = ahead
    var property = DeclaredProperty(name: name, place: place, type: type)
    if cursor.token.isSign(",") || cursor.token.isSign("[") { throw cursor.fault("several fields in one declaration") }
    try cursor.skipStatement()
    guard !annotations.isIgnored, annotations.modifiers.isDisjoint(with: ["static", "transient"]) else { return }
    try annotations.apply(to: &property)
    model.properties.append(property)
  }
}

// MARK: - Types

extension JavaModelReader {
  static func type(
    of property: DeclaredProperty, _ classes: Set<String>, _ models: DeclaredModels
  ) throws(ModelFault) -> ModelType {
    var type = try names.modelType(of: property.type, classes)
    let isNullable = property.type.arguments.isEmpty ? primitives[property.type.text] == nil : true
    switch type.type {
    case .object: type.isOptional = true
    case .linkingObjects, .mixed: break
    default: type.isOptional = isNullable && !property.isRequired
    }
    return type
  }

  private static let primitives: [String: PropertyType] = [
    "byte": .int, "short": .int, "int": .int, "long": .int, "boolean": .bool, "float": .float, "double": .double,
  ]

  private static let names = ModelTypeNames(
    values: primitives.merging([
      "Byte": .int, "Short": .int, "Integer": .int, "Long": .int, "MutableRealmInteger": .int, "Boolean": .bool,
      "Float": .float, "Double": .double, "String": .string, "byte[]": .data, "Date": .date,
      "Decimal128": .decimal128, "ObjectId": .objectID, "UUID": .uuid, "RealmAny": .mixed,
    ]) { first, _ in first },
    lists: ["RealmList"], sets: ["RealmSet"], dictionaries: ["RealmDictionary"], inverses: ["RealmResults"])
}
