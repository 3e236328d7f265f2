import RealmStorage

/// Reads model classes for Realm Java.
struct JavaModelReader {
  private var cursor: ModelCursor
  private var models = DeclaredModels()
  private var types: [FoundType<ModelAnnotations>] = []
  /// The files that name the package of the only `@NotNull` that the SDK looks for.
  private var filesWithNotNull: Set<Int> = []

  /// - Throws: `ModelFault` for the first thing that is not understood.
  static func read(_ files: [ModelCursor]) throws(ModelFault) -> DeclaredModels {
    guard let first = files.first else { return DeclaredModels() }
    var reader = JavaModelReader(cursor: first)
    for file in files {
      try reader.findTypes(in: file)
      if try namesJetBrains(file) { reader.filesWithNotNull.insert(file.place.file) }
    }
    for type in reader.types { try reader.readClass(type) }
    return reader.models
  }

  private init(cursor: ModelCursor) { self.cursor = cursor }

  private static func namesJetBrains(_ file: ModelCursor) throws(ModelFault) -> Bool {
    var cursor = file
    while !cursor.isAtEnd, !cursor.token.isWord("jetbrains") { try cursor.take() }
    return !cursor.isAtEnd
  }

  private static let modifiers: Set<String> = [
    "public", "private", "protected", "static", "final", "abstract", "transient", "volatile", "synchronized", "native",
    "strictfp", "default", "sealed",
  ]
}

// MARK: - Classes

extension JavaModelReader: ModelTypeVisitor {
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
    let supers = try header()
    guard supers.contains("RealmObject") || supers.contains("RealmModel") || annotations.has("RealmClass") else {
      return
    }
    guard !type.isNested || annotations.modifiers.contains("static") else {
      throw ModelFault(place: place, reason: "a model class inside another type")
    }
    if let realm = annotations["RealmClass"] { try realm.apply(to: &model) }
    try cursor.expect("{")
    while try !cursor.take("}") { try readMember(of: &model) }
    models.classes.append(model)
  }

  /// Takes what comes between the name and the body of a type.
  private mutating func header() throws(ModelFault) -> [String] {
    var supers: [String] = []
    while !cursor.token.isSign("{") {
      guard !cursor.isAtEnd, !cursor.token.isSign("}"), !cursor.token.isSign(";") else {
        throw cursor.fault("expected '{', not \(cursor.token.text)")
      }
      if cursor.token.isWord("extends") || cursor.token.isWord("implements") || cursor.token.isSign(",") {
        try cursor.take()
        supers.append(try cursor.type().name)
      } else {
        try cursor.skip()
      }
    }
    return supers
  }
}

// MARK: - Members

extension JavaModelReader {
  private mutating func readMember(of model: inout DeclaredClass) throws(ModelFault) {
    if try cursor.take(";") { return }
    var annotations = try ModelAnnotations(&cursor, modifiers: Self.modifiers)
    // Code that runs when the class is loaded or an object is created.
    if try cursor.take(word: "static") {}
    if cursor.token.isSign("{") { return try cursor.skip() }
    // `@interface`
    if cursor.token.isSign("@") { try cursor.take() }
    let types: Set<String> = ["class", "interface", "enum", "record"]
    if let word = cursor.token.keyword, types.contains(word), try cursor.following().word != nil {
      try cursor.take()
      _ = try cursor.name()
      if word == "record", cursor.token.isSign("(") { try cursor.skip() }
      var ahead = self
      _ = try ahead.header()
      cursor = ahead.cursor
      return try cursor.skip()
    }
    if cursor.token.isSign("<") { try cursor.skipGenerics() }
    // A modifier may come after the type parameters, an annotation before the type.
    let more = try ModelAnnotations(&cursor, modifiers: Self.modifiers)
    annotations.add(more)
    if try cursor.following().isSign("(") {
      // The constructor.
      _ = try cursor.name()
      return try skipMethod()
    }
    let (type, isKnown) = try memberType()
    var place = cursor.place
    var name = try cursor.name()
    if cursor.token.isSign("(") { return try skipMethod() }
    let isStored =
      !annotations.isIgnored && annotations.modifiers.isDisjoint(with: ["static", "transient"])
    while true {
      var property = DeclaredProperty(name: name, place: place, type: type)
      if isStored {
        guard isKnown else { throw type.unknown }
        guard !cursor.token.isSign("[") else { throw cursor.fault("'\(name)' has a type that a realm does not store") }
        try annotations.apply(to: &property)
        if let notNull = annotations["NotNull"], type.arguments.isEmpty {
          guard filesWithNotNull.contains(notNull.place.file) else {
            throw notNull.fault("only that of org.jetbrains.annotations is understood here")
          }
          property.isRequired = true
        }
        model.properties.append(property)
      }
      while cursor.token.isSign("[") { try cursor.skip() }
      if try cursor.take("=") { try cursor.skipExpression() }
      guard try cursor.take(",") else { break }
      place = cursor.place
      name = try cursor.name()
    }
    try cursor.expect(";")
  }

  /// The type of a member; one that has wildcards, or several pairs of brackets, is not one that a realm stores.
  private mutating func memberType() throws(ModelFault) -> (DeclaredType, isKnown: Bool) {
    var ahead = cursor
    if let type = try? ahead.type(), ahead.token.word != nil {
      cursor = ahead
      return (type, true)
    }
    var type = DeclaredType(name: "", place: cursor.place)
    repeat {
      type.name = try cursor.name()
      if cursor.token.isSign("<") { try cursor.skipGenerics() }
    } while try cursor.take(".")
    while cursor.token.isSign("[") { try cursor.skip() }
    return (type, false)
  }

  /// From the parameters of a method to its body, or to the semicolon of one without.
  private mutating func skipMethod() throws(ModelFault) {
    guard cursor.token.isSign("(") else { throw cursor.fault("expected '(', not \(cursor.token.text)") }
    try cursor.skip()
    while cursor.token.isSign("[") { try cursor.skip() }
    if try cursor.take(word: "throws") { repeat { _ = try cursor.type() } while try cursor.take(",") }
    if cursor.token.isSign("{") { return try cursor.skip() }
    try cursor.expect(";")
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
