import RealmStorage

/// Reads model classes for Realm .NET: partial classes with one of the SDK's interfaces, and classes that derive from
/// one of its classes.
struct CSharpModelReader {
  private var cursor: ModelCursor
  private var models = DeclaredModels()
  /// Parts of partial classes that name no interface, which may belong to a model.
  private var parts: [(name: String, place: ModelPlace)] = []
  /// What the file says about references without `?`; nil if it says nothing.
  private var isNullable: Bool?
  /// `#if` that are open.
  private var conditions = 0

  private init(_ bytes: [UInt8]) throws(ModelFault) { cursor = try ModelCursor(bytes, .csharp) }

  /// - Throws: `ModelFault` for the first thing that is not understood.
  static func read(_ bytes: [UInt8]) throws(ModelFault) -> DeclaredModels {
    var reader = try CSharpModelReader(bytes)
    while !reader.cursor.isAtEnd { try reader.readDeclaration(isNested: false) }
    let names = Set(reader.models.classes.map(\.name))
    if let part = reader.parts.first(where: { names.contains($0.name) }) {
      throw ModelFault(place: part.place, reason: "the model class '\(part.name)' has a second part")
    }
    return reader.models
  }

  private static let interfaces: [String: TableKind] = [
    "IRealmObject": .topLevel, "IEmbeddedObject": .embedded, "IAsymmetricObject": .asymmetric,
  ]

  /// Classes from before the interfaces: only `[Required]` says whether a reference can be null.
  private static let bases: [String: TableKind] = [
    "RealmObject": .topLevel, "EmbeddedObject": .embedded, "AsymmetricObject": .asymmetric,
  ]

  private static let modifiers: Set<String> = [
    "public", "private", "protected", "internal", "static", "abstract", "sealed", "partial", "virtual", "override",
    "new",
    "readonly", "unsafe", "extern", "async", "volatile", "const", "required", "file",
  ]

  private static let typeWords: Set<String> = ["class", "struct", "interface", "enum", "record"]
}

// MARK: - Declarations

extension CSharpModelReader {
  /// Takes the directives before the next declaration.
  private mutating func readDirectives() throws(ModelFault) {
    while case .directive(let text) = cursor.token.kind {
      let words = text.split { $0 == " " || $0 == "\t" }
      switch words.first {
      case "if": conditions += 1
      case "endif": conditions -= 1
      case "nullable":
        switch words.dropFirst().first {
        case "enable", "annotations": isNullable = true
        case "disable": isNullable = false
        default: isNullable = nil
        }
        if words.dropFirst(2).first == "warnings" { isNullable = nil }
      default: break
      }
      try cursor.take()
    }
  }

  private mutating func readDeclaration(isNested: Bool) throws(ModelFault) {
    try readDirectives()
    if cursor.isAtEnd { return }
    if try cursor.take(";") { return }
    let annotations = try ModelAnnotations(bracketed: &cursor, modifiers: Self.modifiers)
    switch cursor.token.keyword {
    case "using", "extern": try cursor.skipStatement()
    case "namespace":
      try cursor.take()
      _ = try cursor.type()
      if try cursor.take(";") { return }
      try cursor.openBody()
      while !cursor.isAtEnd, !cursor.token.isSign("}") { try readDeclaration(isNested: false) }
      try cursor.closeBody()
    case let word? where Self.typeWords.contains(word): try readClass(annotations, isNested: isNested)
    default:
      if cursor.token.isSign("}") {
        if isNested { return }
        throw cursor.fault("\(cursor.token.text) does not belong here")
      }
      try skipMember()
    }
  }

  /// A member of a class that is not a model: up to its semicolon or body.
  private mutating func skipMember() throws(ModelFault) {
    while !cursor.isAtEnd, !cursor.token.isSign("}") {
      if try cursor.take(";") { return }
      if cursor.token.isSign("=") { return try cursor.skipStatement() }
      if cursor.token.isSign("{") {
        try cursor.skip()
        if cursor.token.isSign("=") { try cursor.skipStatement() }
        return
      }
      try cursor.skip()
    }
  }

  private mutating func readClass(_ annotations: ModelAnnotations, isNested: Bool) throws(ModelFault) {
    let word = try cursor.take().word
    // `record struct`
    if let next = cursor.token.keyword, Self.typeWords.contains(next) { try cursor.take() }
    let place = cursor.place
    var model = DeclaredClass(name: try cursor.name(), place: place)
    let supers = try inheritance()
    let base = supers.first { Self.bases[$0] != nil }
    let interface = supers.first { Self.interfaces[$0] != nil }
    guard word == "class", let kind = base.flatMap({ Self.bases[$0] }) ?? interface.flatMap({ Self.interfaces[$0] })
    else {
      if word == "class", annotations.modifiers.contains("partial") { parts.append((model.name, place)) }
      return try skipBody(isEnumeration: word == "enum")
    }
    guard !isNested else { throw ModelFault(place: place, reason: "a model class inside another type") }
    guard conditions == 0 else { throw ModelFault(place: place, reason: "a model class between #if and #endif") }
    model.kind = kind
    model.base = base
    model.storedName = try annotations.text("MapTo", label: "mapping")
    model.isStored = !annotations.has("Explicit")
    try cursor.openBody()
    while !cursor.isAtEnd, !cursor.token.isSign("}") { try readMember(of: &model) }
    try cursor.closeBody()
    models.classes.append(model)
  }

  private mutating func skipBody(isEnumeration: Bool) throws(ModelFault) {
    if try cursor.take(";") { return }
    if isEnumeration { return try cursor.skip() }
    try cursor.openBody()
    while !cursor.isAtEnd, !cursor.token.isSign("}") { try readDeclaration(isNested: true) }
    try cursor.closeBody()
  }

  /// The names after the colon.
  private mutating func inheritance() throws(ModelFault) -> [String] {
    var supers: [String] = []
    while !cursor.isAtEnd, !cursor.token.isSign("{"), !cursor.token.isSign(";"), !cursor.token.isSign(":") {
      try cursor.skip()
    }
    if try cursor.take(":") { repeat { supers.append(try cursor.type().name) } while try cursor.take(",") }
    // `where T : class`
    while !cursor.isAtEnd, !cursor.token.isSign("{"), !cursor.token.isSign(";") { try cursor.skip() }
    return supers
  }
}

// MARK: - Members

extension CSharpModelReader {
  private mutating func readMember(of model: inout DeclaredClass) throws(ModelFault) {
    if case .directive(let text) = cursor.token.kind {
      if text.hasPrefix("if") { throw cursor.fault("conditions inside a model class") }
      return try readDirectives()
    }
    if try cursor.take(";") { return }
    let annotations = try ModelAnnotations(bracketed: &cursor, modifiers: Self.modifiers)
    if let word = cursor.token.keyword, Self.typeWords.contains(word), try cursor.following().word != nil {
      return try readClass(annotations, isNested: true)
    }
    var ahead = cursor
    let type = try? ahead.type()
    let place = ahead.place
    // Constructors and methods have parentheses after their name; fields have no braces.
    guard let type, let name = ahead.token.word else { return try skipMember() }
    try ahead.take()
    guard ahead.token.isSign("{") else { return try skipMember() }
    cursor = ahead
    let accessors = try accessors()
    if cursor.token.isSign("=") { try cursor.skipStatement() }
    guard let accessors, !annotations.isIgnored, !annotations.modifiers.contains("static") else { return }
    var property = DeclaredProperty(name: name, place: place, type: type)
    try annotations.apply(to: &property)
    // The SDK stores properties that it can set, and collections, which it fills.
    guard accessors.hasSetter || Self.names.isCollection(type) else { return }
    property.isNullable = try nullability(of: property, in: model)
    model.properties.append(property)
  }

  /// What a property without accessor bodies can do; nil if its value is computed.
  private mutating func accessors() throws(ModelFault) -> (hasGetter: Bool, hasSetter: Bool)? {
    var (hasGetter, hasSetter, isComputed) = (false, false, false)
    try cursor.expect("{")
    while !cursor.isAtEnd, !cursor.token.isSign("}") {
      _ = try ModelAnnotations(bracketed: &cursor, modifiers: Self.modifiers)
      switch cursor.token.keyword {
      case "get": hasGetter = true
      case "set": hasSetter = true
      default: throw cursor.fault("expected 'get' or 'set', not \(cursor.token.text)")
      }
      try cursor.take()
      if try cursor.take(";") { continue }
      isComputed = true
      if cursor.token.isSign("{") { try cursor.skip() } else { try cursor.skipStatement() }
    }
    try cursor.expect("}")
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
  fileprivate func isCollection(_ type: DeclaredType) -> Bool {
    !type.arguments.isEmpty && wrappers[type.name] == nil
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
