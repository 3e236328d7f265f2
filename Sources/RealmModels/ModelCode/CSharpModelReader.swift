import RealmStorage

/// Reads model classes for Realm .NET: partial classes with one of the SDK's interfaces, and classes that derive from
/// one of its classes.
struct CSharpModelReader {
  private var cursor: ModelCursor
  private var models = DeclaredModels()
  private var types: [(type: FoundType<ModelAnnotations>, isNullable: Bool?)] = []
  /// What the file says about references without `?`; nil if it says nothing.
  private var isNullable: Bool?

  /// - Throws: `ModelFault` for the first thing that is not understood.
  static func read(_ files: [ModelCursor]) throws(ModelFault) -> DeclaredModels {
    guard let first = files.first else { return DeclaredModels() }
    var reader = CSharpModelReader(cursor: first)
    for file in files {
      reader.isNullable = nil
      try reader.findTypes(in: file)
    }
    // Parts of partial classes that name no interface, which may belong to a model.
    var parts: [(name: String, place: ModelPlace)] = []
    for (type, isNullable) in reader.types {
      reader.isNullable = isNullable
      if let part = try reader.readClass(type) { parts.append(part) }
    }
    let names = Set(reader.models.classes.map(\.name))
    if let part = parts.first(where: { names.contains($0.name) }) {
      throw ModelFault(place: part.place, reason: "the model class '\(part.name)' has a second part")
    }
    return reader.models
  }

  private init(cursor: ModelCursor) { self.cursor = cursor }

  private static let interfaces: [String: TableKind] = [
    "IRealmObject": .topLevel, "IEmbeddedObject": .embedded, "IAsymmetricObject": .asymmetric,
  ]

  /// Classes from before the interfaces: only `[Required]` says whether a reference can be null.
  private static let bases: [String: TableKind] = [
    "RealmObject": .topLevel, "EmbeddedObject": .embedded, "AsymmetricObject": .asymmetric,
  ]

  private static let modifiers: Set<String> = [
    "public", "private", "protected", "internal", "static", "abstract", "sealed", "partial", "virtual", "override",
    "new", "readonly", "unsafe", "extern", "async", "volatile", "const", "required", "file",
  ]
}

// MARK: - Classes

extension CSharpModelReader: ModelTypeVisitor {
  static let typeWords: Set<String> = ["class"]

  mutating func directive(_ text: String) {
    let words = text.split { $0 == " " || $0 == "\t" || $0 == "\r" }
    guard words.first == "nullable" else { return }
    switch words.dropFirst().first {
    case "enable", "annotations": isNullable = true
    case "disable": isNullable = false
    default: isNullable = nil
    }
    if words.dropFirst(2).first == "warnings" { isNullable = nil }
  }

  mutating func prefix(_ cursor: inout ModelCursor, after last: ModelToken?) throws(ModelFault) -> ModelAnnotations? {
    guard cursor.token.isSign("[") else { return try ModelAnnotations(bracketed: &cursor, modifiers: Self.modifiers) }
    // In code, brackets also have elements and indexes in them.
    guard last.map({ token in ";{}]".unicodeScalars.contains(where: token.isSign) }) ?? true else { return nil }
    return try? ModelAnnotations(bracketed: &cursor, modifiers: Self.modifiers)
  }

  mutating func found(_ type: FoundType<ModelAnnotations>) { types.append((type, isNullable)) }

  /// - Returns: a part of a partial class that names no interface.
  private mutating func readClass(
    _ type: FoundType<ModelAnnotations>
  ) throws(ModelFault) -> (name: String, place: ModelPlace)? {
    cursor = type.cursor
    try cursor.take()
    let (annotations, place) = (type.prefix, cursor.place)
    var model = DeclaredClass(name: try cursor.name(), place: place)
    let supers = try header()
    let base = supers.first { Self.bases[$0] != nil }
    let interface = supers.first { Self.interfaces[$0] != nil }
    guard let kind = base.flatMap({ Self.bases[$0] }) ?? interface.flatMap({ Self.interfaces[$0] }) else {
      return annotations.modifiers.contains("partial") ? (model.name, place) : nil
    }
    guard !type.isNested else { throw ModelFault(place: place, reason: "a model class inside another type") }
    guard !type.isConditional else {
      throw ModelFault(place: place, reason: "a model class between #if and #endif")
    }
    model.kind = kind
    model.base = base
    model.storedName = try annotations.text("MapTo", label: "mapping")
    model.isStored = !annotations.has("Explicit")
    try cursor.expect("{")
    while try !cursor.take("}") { try readMember(of: &model) }
    models.classes.append(model)
    return nil
  }

  /// Takes what comes between the name and the body of a type; the names after the colon.
  private mutating func header() throws(ModelFault) -> [String] {
    var supers: [String] = []
    if cursor.token.isSign("<") { try cursor.skipGenerics() }
    if cursor.token.isSign("(") { try cursor.skip() }
    if try cursor.take(":") {
      repeat {
        supers.append(try cursor.type().name)
        if cursor.token.isSign("(") { try cursor.skip() }
      } while try cursor.take(",")
    }
    // `where T : class`
    while !cursor.token.isSign("{"), !cursor.token.isSign(";") {
      guard !cursor.isAtEnd, !cursor.token.isSign("}") else {
        throw cursor.fault("expected '{', not \(cursor.token.text)")
      }
      try cursor.skip()
    }
    return supers
  }
}

// MARK: - Members

extension CSharpModelReader {
  private mutating func readMember(of model: inout DeclaredClass) throws(ModelFault) {
    if case .directive(let text) = cursor.token.kind {
      let isCondition = ["if", "el", "end"].contains { text.hasPrefix($0) } && !text.hasPrefix("endregion")
      if isCondition { throw cursor.fault("conditions inside a model class") }
      directive(text)
      try cursor.take()
      return
    }
    if try cursor.take(";") { return }
    let annotations = try ModelAnnotations(bracketed: &cursor, modifiers: Self.modifiers)
    let types: Set<String> = ["class", "struct", "interface", "enum", "record"]
    if let word = cursor.token.keyword, types.contains(word), try cursor.following().word != nil {
      return try skipType()
    }
    if cursor.token.isWord("delegate"), try cursor.following().word != nil {
      try cursor.take()
      _ = try memberType()
      _ = try cursor.name()
      return try skipMethod()
    }
    // `event EventHandler Changed;`
    if cursor.token.isWord("event"), try cursor.following().word != nil { try cursor.take() }
    let isFinalizer = try cursor.take("~")
    let next = try cursor.following()
    if isFinalizer || next.isSign("(") && cursor.token.word != nil {
      // The constructor.
      _ = try cursor.name()
      return try skipMethod()
    }
    if cursor.token.isWord("implicit") || cursor.token.isWord("explicit") {
      try cursor.take()
      try cursor.expect(word: "operator")
      _ = try memberType()
      return try skipMethod()
    }
    let (type, isKnown) = try memberType()
    if try cursor.take(word: "operator") {
      while !cursor.isAtEnd, !cursor.token.isSign("("), !cursor.token.isSign("{") { try cursor.take() }
      return try skipMethod()
    }
    let place = cursor.place
    let name = try cursor.name()
    if cursor.token.isSign("<") { try cursor.skipGenerics() }
    // `IEnumerable.GetEnumerator`
    while try cursor.take(".") {
      _ = try cursor.name()
      if cursor.token.isSign("<") { try cursor.skipGenerics() }
    }
    if name == "this", cursor.token.isSign("[") {
      try cursor.skip()
      _ = try accessors()
      return
    }
    if cursor.token.isSign("(") { return try skipMethod() }
    guard cursor.token.isSign("{") else { return try skipValue(hasMore: true) }
    let accessors = try accessors()
    if try cursor.take("=") {
      try cursor.skipExpression()
      try cursor.expect(";")
    }
    guard let accessors, !annotations.isIgnored, !annotations.modifiers.contains("static") else { return }
    // The SDK stores properties that it can set, and collections, which it fills.
    guard accessors.hasSetter || Self.names.isCollection(type, hasArguments: isKnown) else { return }
    guard isKnown else { throw type.unknown }
    var property = DeclaredProperty(name: name, place: place, type: type)
    try annotations.apply(to: &property)
    property.isNullable = try nullability(of: property, in: model)
    model.properties.append(property)
  }

  private mutating func skipType() throws(ModelFault) {
    let word = try cursor.take().word
    if word == "record", cursor.token.isWord("struct") || cursor.token.isWord("class") { try cursor.take() }
    _ = try cursor.name()
    _ = try header()
    if cursor.token.isSign("{") { try cursor.skip() } else { try cursor.expect(";") }
  }

  /// The type of a member; a tuple, or an array of arrays, is not one that a realm stores.
  private mutating func memberType() throws(ModelFault) -> (DeclaredType, isKnown: Bool) {
    var ahead = cursor
    if let type = try? ahead.type(), ahead.token.word != nil || ahead.token.isSign("(") {
      cursor = ahead
      return (type, true)
    }
    var type = DeclaredType(name: "", place: cursor.place)
    if cursor.token.isSign("(") {
      try cursor.skip()
    } else {
      repeat {
        type.name = try cursor.name()
        if cursor.token.isSign("<") { try cursor.skipGenerics() }
      } while try cursor.take(".")
    }
    while cursor.token.isSign("[") || cursor.token.isSign("?") { try cursor.skip() }
    return (type, false)
  }

  /// From the parameters of a method to its body, or to the semicolon of one without.
  private mutating func skipMethod() throws(ModelFault) {
    guard cursor.token.isSign("(") else { throw cursor.fault("expected '(', not \(cursor.token.text)") }
    try cursor.skip()
    if try cursor.take(":") {
      _ = try cursor.name()
      guard cursor.token.isSign("(") else { throw cursor.fault("expected '(', not \(cursor.token.text)") }
      try cursor.skip()
    }
    if cursor.token.isWord("where") {
      while !"{;=".unicodeScalars.contains(where: cursor.token.isSign) {
        guard !cursor.isAtEnd, !cursor.token.isSign("}") else { throw cursor.fault("expected '{'") }
        try cursor.skip()
      }
    }
    if cursor.token.isSign("{") { return try cursor.skip() }
    try skipValue()
  }

  /// `= 1, b = 2;`, `=> first + second;`, `;`
  private mutating func skipValue(hasMore: Bool = false) throws(ModelFault) {
    if try cursor.take("=") {
      _ = try cursor.take(">")
      try cursor.skipExpression()
    }
    while hasMore, try cursor.take(",") {
      _ = try cursor.name()
      if try cursor.take("=") { try cursor.skipExpression() }
    }
    try cursor.expect(";")
  }

  /// What a property without accessor bodies can do; nil if its value is computed.
  private mutating func accessors() throws(ModelFault) -> (hasGetter: Bool, hasSetter: Bool)? {
    var (hasGetter, hasSetter, isComputed) = (false, false, false)
    try cursor.expect("{")
    while try !cursor.take("}") {
      _ = try ModelAnnotations(bracketed: &cursor, modifiers: Self.modifiers)
      switch cursor.token.keyword {
      case "get": hasGetter = true
      case "set": hasSetter = true
      case "add", "remove": isComputed = true
      default: throw cursor.fault("expected 'get' or 'set', not \(cursor.token.text)")
      }
      try cursor.take()
      if try cursor.take(";") { continue }
      isComputed = true
      if cursor.token.isSign("{") { try cursor.skip() } else { try skipValue() }
    }
    return isComputed ? nil : (hasGetter, hasSetter)
  }

  /// Whether `?` decides if a reference can be null.
  private func nullability(of property: DeclaredProperty, in model: DeclaredClass) throws(ModelFault) -> Bool {
    let element = property.type.arguments.last ?? property.type
    guard model.base == nil, Self.names.isReference(element) else { return model.base == nil }
    if let isNullable { return isNullable }
    if element.isOptional { return true }
    if property.isRequired { return false }
    throw ModelFault(
      place: property.place,
      reason: "whether '\(property.name)' can be null depends on the project's settings: write '#nullable enable' or "
        + "'#nullable disable' at the top of the file")
  }
}

// MARK: - Types

extension CSharpModelReader {
  static func type(
    of property: DeclaredProperty, in model: DeclaredClass, _ classes: Set<String>
  ) throws(ModelFault) -> ModelType {
    var type = try names.modelType(of: property.type, classes)
    // A link can be null in every realm, whether or not the project lets the compiler ask for a mark.
    if type.type == .object { type.isOptional = true }
    // Without `?` as a mark, all other references can be null but those with `[Required]`.
    let element = property.type.arguments.last ?? property.type
    if !property.isNullable, names.isReference(element) { type.isOptional = !property.isRequired }
    return type
  }

  private static let names = ModelTypeNames(
    values: [
      "byte": .int, "char": .int, "short": .int, "int": .int, "long": .int, "bool": .bool, "Byte": .int, "Char": .int,
      "Int16": .int, "Int32": .int, "Int64": .int, "Boolean": .bool, "string": .string, "String": .string,
      "byte[]": .data, "DateTimeOffset": .date, "float": .float, "Single": .float, "double": .double, "Double": .double,
      "decimal": .decimal128, "Decimal": .decimal128, "Decimal128": .decimal128, "ObjectId": .objectID, "Guid": .uuid,
      "RealmValue": .mixed,
    ],
    lists: ["IList"], sets: ["ISet"], dictionaries: ["IDictionary"], inverses: ["IQueryable"],
    wrappers: ["RealmInteger": false, "Nullable": true])
}

extension ModelTypeNames {
  /// - Parameter hasArguments: whether the arguments are known; those of a type that is not understood are not.
  fileprivate func isCollection(_ type: DeclaredType, hasArguments: Bool = true) -> Bool {
    (!hasArguments || !type.arguments.isEmpty) && wrappers[type.name] == nil
      && (lists.contains(type.name) || sets.contains(type.name) || dictionaries.contains(type.name)
        || inverses.contains(type.name))
  }

  /// Whether values of the type are references, which can be null in C# without saying so.
  fileprivate func isReference(_ type: DeclaredType) -> Bool {
    switch values[type.isArray ? type.name + "[]" : type.name] {
    case .string, .data: true
    default: false
    }
  }
}
