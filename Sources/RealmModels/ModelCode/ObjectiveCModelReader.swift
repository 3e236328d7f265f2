import RealmStorage

/// Reads model classes for Realm Objective-C: their interfaces and their implementations, which say what the primary key is.
struct ObjectiveCModelReader {
  private var cursor: ModelCursor
  private var models = DeclaredModels()
  private var classes: [Interface] = []
  /// For each class, the cursors before the members of its parts.
  private var implementations: [String: [ModelCursor]] = [:]
  /// For each `#if` that is open, whether it hides something: not one against including a file twice.
  private var conditions: [Bool] = []

  /// - Throws: `ModelFault` for the first thing that is not understood.
  static func read(_ files: [ModelCursor]) throws(ModelFault) -> DeclaredModels {
    guard let first = files.first else { return DeclaredModels() }
    var reader = ObjectiveCModelReader(cursor: first)
    for file in files {
      reader.cursor = file
      try reader.readFile()
    }
    try reader.readModels()
    return reader.models
  }

  private init(cursor: ModelCursor) { self.cursor = cursor }

  private static let bases: [String: TableKind] = [
    "RLMObject": .topLevel, "RLMEmbeddedObject": .embedded, "RLMAsymmetricObject": .asymmetric,
  ]

  /// An interface, or an extension of one, before its members.
  private struct Interface {
    let name: String
    let place: ModelPlace
    /// Nil for an extension.
    let base: String?
    let isCategory: Bool
    let isConditional: Bool
    let body: ModelCursor
  }
}

// MARK: - Files

extension ObjectiveCModelReader {
  private mutating func readFile() throws(ModelFault) {
    conditions = []
    while !cursor.isAtEnd {
      if case .directive(let text) = cursor.token.kind {
        try cursor.take()
        readCondition(text)
        continue
      }
      if cursor.token.isSign("@"), let word = try cursor.following().keyword {
        try cursor.take()
        try cursor.take()
        switch word {
        case "interface": try readInterface()
        case "implementation": try readImplementation()
        case "protocol": try skipProtocol()
        default: break
        }
        continue
      }
      let enumerations: Set<String> = ["NS_ENUM", "NS_CLOSED_ENUM", "RLM_ENUM"]
      if let word = cursor.token.word, enumerations.contains(word), try cursor.following().isSign("(") {
        try readEnumeration()
        continue
      }
      try cursor.skip()
    }
  }

  private mutating func readCondition(_ text: String) {
    let words = text.split { $0 == " " || $0 == "\t" || $0 == "\r" }
    guard let word = words.first else { return }
    if word == "endif" { _ = conditions.popLast() }
    guard word.hasPrefix("if") else { return }
    // `#ifndef DOG_H` before `#define DOG_H`
    var isGuard = false
    if word == "ifndef", conditions.isEmpty, case .directive(let next) = cursor.token.kind {
      let definition = next.split { $0 == " " || $0 == "\t" || $0 == "\r" }
      isGuard = definition.first == "define" && words.count > 1 && definition.dropFirst().first == words[1]
    }
    conditions.append(!isGuard)
  }

  /// `NS_ENUM(NSInteger, Kind)`
  private mutating func readEnumeration() throws(ModelFault) {
    var ahead = cursor
    try ahead.take()
    try ahead.take()
    if let raw = try? Self.type(&ahead), try ahead.take(","), let name = ahead.token.word, Self.numbers[raw.name] != nil
    {
      models.storedTypes[name] = raw
    }
    try cursor.take()
    try cursor.skip()
  }

  /// `@protocol Named;` or one with requirements.
  private mutating func skipProtocol() throws(ModelFault) {
    _ = try cursor.name()
    if cursor.token.isSign("<") { try cursor.skipGenerics() }
    if cursor.token.isSign(";") || cursor.token.isSign(",") { return }
    try skipToEnd()
  }

  private mutating func skipToEnd() throws(ModelFault) {
    while try !takeEnd() {
      guard !cursor.isAtEnd else { throw cursor.fault("expected '@end'") }
      try cursor.skip()
    }
  }

  private mutating func takeEnd() throws(ModelFault) -> Bool {
    guard cursor.token.isSign("@"), try cursor.following().isWord("end") else { return false }
    try cursor.take()
    try cursor.take()
    return true
  }

  private mutating func readInterface() throws(ModelFault) {
    let place = cursor.place
    let name = try cursor.name()
    var (base, isCategory, isExtension): (String?, Bool, Bool) = (nil, false, false)
    if cursor.token.isSign("<") { try cursor.skipGenerics() }
    if cursor.token.isSign("(") {
      isCategory = try !cursor.following().isSign(")")
      isExtension = !isCategory
      try cursor.skip()
    } else if try cursor.take(":") {
      base = try cursor.name()
      if cursor.token.isSign("<") { try cursor.skipGenerics() }
    }
    if cursor.token.isSign("<") { try cursor.skipGenerics() }
    guard base != nil || isExtension || isCategory else { return try skipToEnd() }
    classes.append(
      Interface(
        name: name, place: place, base: base, isCategory: isCategory, isConditional: conditions.contains(true),
        body: cursor))
    try skipToEnd()
  }

  private mutating func readImplementation() throws(ModelFault) {
    let name = try cursor.name()
    if cursor.token.isSign("(") { try cursor.skip() }
    if try cursor.take(":") { _ = try cursor.name() }
    implementations[name, default: []].append(cursor)
    try skipToEnd()
  }
}

// MARK: - Classes

extension ObjectiveCModelReader {
  private static let mostAncestors = 32

  private mutating func readModels() throws(ModelFault) {
    let bases = Dictionary(
      classes.compactMap { item in item.base.map { (item.name, $0) } }, uniquingKeysWith: { first, _ in first })
    for item in classes {
      var (base, levels) = (item.base, 0)
      while let name = base, Self.bases[name] == nil, levels < Self.mostAncestors {
        (base, levels) = (bases[name], levels + 1)
      }
      guard let kind = base.flatMap({ Self.bases[$0] }) else { continue }
      guard !item.isConditional else {
        throw ModelFault(place: item.place, reason: "a model class between #if and #endif")
      }
      guard let implementation = implementations[item.name] else {
        throw ModelFault(
          place: item.place,
          reason: "the implementation of '\(item.name)', which says what its primary key is, is not in these files")
      }
      var model = DeclaredClass(name: item.name, place: item.place)
      model.kind = kind
      model.base = item.base
      var body = ClassBody(model: model)
      for part in classes where part.name == item.name && !part.isCategory {
        cursor = part.body
        try readInterfaceMembers(of: &body)
      }
      for part in implementation {
        cursor = part
        try readImplementationMembers(of: &body)
      }
      models.classes.append(try body.finished())
    }
  }

  /// A class while it is read.
  private struct ClassBody {
    var model: DeclaredClass
    var properties: [(property: DeclaredProperty, isReadOnly: Bool, getter: String)] = []
    var answers = PropertyAnswers()
    var ignored: Set<RealmString> = []
    var origins: [RealmString: (name: String, className: String?)] = [:]
    /// The methods that are written.
    var selectors: Set<String> = []
    /// Properties that have a variable by `@synthesize`, and those that have none by `@dynamic`.
    var synthesized: Set<String> = []
    var unsynthesized: Set<String> = []

    /// Whether the compiler makes a variable, without which the SDK takes the property for a computed one.
    func hasVariable(_ property: DeclaredProperty, getter: String) -> Bool {
      if synthesized.contains(property.name) { return true }
      if unsynthesized.contains(property.name) { return false }
      let setter = "set" + property.name.prefix(1).uppercased() + property.name.dropFirst() + ":"
      return !(selectors.contains(getter) && selectors.contains(setter))
    }

    func finished() throws(ModelFault) -> DeclaredClass {
      var model = model
      for (var property, isReadOnly, getter) in properties {
        if ignored.contains(RealmString(property.name)) { continue }
        if property.type.name == "RLMLinkingObjects *" {
          property.origin = origins[RealmString(property.name)]
        } else if isReadOnly || !hasVariable(property, getter: getter) {
          continue
        }
        model.properties.append(property)
      }
      try answers.apply(to: &model)
      return model
    }
  }

  /// Directives inside a class: conditions would hide parts of it.
  private mutating func takeDirective() throws(ModelFault) -> Bool {
    guard case .directive(let text) = cursor.token.kind else { return false }
    if ["if", "el", "end"].contains(where: text.hasPrefix) { throw cursor.fault("conditions inside a model class") }
    try cursor.take()
    return true
  }

  // MARK: Interfaces

  private mutating func readInterfaceMembers(of body: inout ClassBody) throws(ModelFault) {
    // Variables are no properties.
    if cursor.token.isSign("{") { try cursor.skip() }
    while try !takeEnd() {
      if try takeDirective() { continue }
      if try cursor.take(";") { continue }
      if cursor.token.isSign("-") || cursor.token.isSign("+") {
        _ = try selector()
        try cursor.expect(";")
        continue
      }
      if let word = cursor.token.word, word.hasPrefix("NS_ASSUME_NONNULL") {
        try cursor.take()
        continue
      }
      try cursor.expect("@")
      guard cursor.token.isWord("property") else {
        throw cursor.fault("\(cursor.token.text) is not supported in a class")
      }
      try cursor.take()
      try readProperty(of: &body)
    }
  }

  private mutating func readProperty(of body: inout ClassBody) throws(ModelFault) {
    var (isReadOnly, isOfClass, getter): (Bool, Bool, String?) = (false, false, nil)
    if try cursor.take("(") {
      while !cursor.token.isSign(")") {
        let word = try cursor.name()
        if word == "readonly" { isReadOnly = true }
        if word == "class" { isOfClass = true }
        if try cursor.take("=") {
          let name = try cursor.name()
          if word == "getter" { getter = name }
          while try cursor.take(":") {}
        }
        guard try cursor.take(",") else { break }
      }
      try cursor.expect(")")
    }
    var type = try? Self.type(&cursor)
    if type == nil || cursor.token.word == nil {
      // A block, a function, an array: not stored, so the SDK must ignore it.
      type = DeclaredType(name: "", place: cursor.place)
      try skipDeclarator(of: &body, isReadOnly: isReadOnly || isOfClass)
      return
    }
    guard let type else { return }
    while true {
      var declared = type
      while try cursor.take("*") { declared.name += " *" }
      let place = cursor.place
      let name = try cursor.name()
      let property = DeclaredProperty(name: name, place: place, type: declared)
      if !isOfClass {
        body.properties.removeAll { $0.property.name == name && $0.isReadOnly }
        if !body.properties.contains(where: { $0.property.name == name }) {
          body.properties.append((property, isReadOnly, getter ?? name))
        }
      }
      guard try cursor.take(",") else { break }
    }
    // `NS_SWIFT_NAME(…)`
    while cursor.token.word != nil, try cursor.following().isSign("(") {
      try cursor.take()
      try cursor.skip()
    }
    try cursor.expect(";")
  }

  /// `void (^done)(BOOL);`
  private mutating func skipDeclarator(of body: inout ClassBody, isReadOnly: Bool) throws(ModelFault) {
    let place = cursor.place
    var name: (String, ModelPlace)?
    while !cursor.token.isSign(";") {
      guard !cursor.isAtEnd, !cursor.token.isSign("@"), !cursor.token.isSign("}") else {
        throw cursor.fault("expected ';', not \(cursor.token.text)")
      }
      if cursor.token.isSign("("), name == nil {
        var ahead = cursor
        try ahead.take()
        if ahead.token.isSign("^") || ahead.token.isSign("*") {
          try ahead.take()
          while ahead.token.word?.hasPrefix("_") == true { try ahead.take() }
          name = ahead.token.word.map { ($0, ahead.place) }
        }
      }
      try cursor.skip()
    }
    try cursor.expect(";")
    guard let name else { throw ModelFault(place: place, reason: "a property of a type that a realm does not store") }
    guard !isReadOnly else { return }
    let type = DeclaredType(name: "block", place: name.1)
    body.properties.append((DeclaredProperty(name: name.0, place: name.1, type: type), false, name.0))
  }

  // MARK: Implementations

  private mutating func readImplementationMembers(of body: inout ClassBody) throws(ModelFault) {
    if cursor.token.isSign("{") { try cursor.skip() }
    while try !takeEnd() {
      if try takeDirective() { continue }
      if try cursor.take(";") { continue }
      if cursor.token.isSign("-") || cursor.token.isSign("+") {
        try readMethod(of: &body)
      } else if try cursor.take("@") {
        let word = try cursor.name()
        guard word == "synthesize" || word == "dynamic" else {
          throw cursor.fault("'@\(word)' is not supported in a class")
        }
        repeat {
          let name = try cursor.name()
          if word == "synthesize" { body.synthesized.insert(name) } else { body.unsynthesized.insert(name) }
          if try cursor.take("=") { _ = try cursor.name() }
        } while try cursor.take(",")
        try cursor.expect(";")
      } else {
        try skipCode()
      }
    }
  }

  /// A function or a variable of C between methods.
  private mutating func skipCode() throws(ModelFault) {
    guard cursor.token.word != nil else { throw cursor.fault("\(cursor.token.text) is not supported in a class") }
    var isValue = false
    while try !cursor.take(";") {
      guard !cursor.isAtEnd, !cursor.token.isSign("}"), isValue || !cursor.token.isSign("@") else {
        throw cursor.fault("expected ';', not \(cursor.token.text)")
      }
      if cursor.token.isSign("=") { isValue = true }
      if cursor.token.isSign("{"), !isValue {
        try cursor.skip()
        return
      }
      try cursor.skip()
    }
  }

  /// Takes a method up to its body or semicolon: its name, after `+` or `-`.
  private mutating func selector() throws(ModelFault) -> String {
    try cursor.take()
    if cursor.token.isSign("(") { try cursor.skip() }
    var name = try cursor.name()
    if try cursor.take(":") {
      name += ":"
      while true {
        if cursor.token.isSign("(") { try cursor.skip() }
        while cursor.token.word != nil, try cursor.following().word != nil, try !cursor.following().isFirstOnLine {
          // `__unused`
          let next = try cursor.following()
          guard next.word != nil, cursor.token.word?.hasPrefix("__") == true else { break }
          try cursor.take()
        }
        _ = try cursor.name()
        if try cursor.take(",") {
          while try cursor.take(".") {}
        }
        guard cursor.token.word != nil || cursor.token.isSign(":") else { break }
        // A macro after the parameters.
        if cursor.token.word != nil, try cursor.following().isSign("(") { break }
        if cursor.token.word != nil { name += try cursor.name() }
        guard try cursor.take(":") else { break }
        name += ":"
      }
    }
    while cursor.token.word != nil {
      try cursor.take()
      if cursor.token.isSign("(") { try cursor.skip() }
    }
    return name
  }

  private mutating func readMethod(of body: inout ClassBody) throws(ModelFault) {
    let isOfClass = cursor.token.isSign("+")
    let name = try selector()
    _ = try cursor.take(";")
    var ahead = cursor
    guard cursor.token.isSign("{") else { throw cursor.fault("expected '{', not \(cursor.token.text)") }
    try cursor.skip()
    guard isOfClass else {
      body.selectors.insert(name)
      return
    }
    guard Self.answers.contains(name) else { return }
    do throws(ModelFault) {
      try ahead.expect("{")
      try ahead.expect(word: "return")
      try readAnswer(of: name, &ahead, &body)
      try ahead.expect(";")
      try ahead.expect("}")
    } catch {
      throw ModelFault(place: error.place, reason: "the value that '\(name)' returns is not supported: \(error.reason)")
    }
  }

  private static let answers: Set<String> = [
    "_realmObjectName", "_realmColumnNames", "primaryKey", "indexedProperties", "ignoredProperties",
    "requiredProperties", "linkingObjectsProperties", "shouldIncludeInDefaultSchema", "className",
  ]

  private func readAnswer(of name: String, _ cursor: inout ModelCursor, _ body: inout ClassBody) throws(ModelFault) {
    let place = cursor.place
    switch name {
    case "_realmObjectName":
      if try !cursor.take(word: "nil") { body.model.storedName = try cursor.string() }
    case "className": body.model.storedName = try cursor.string()
    case "primaryKey":
      if try !cursor.take(word: "nil") { body.answers.primaryKey = (try Self.propertyName(&cursor), place) }
    case "shouldIncludeInDefaultSchema":
      let word = try cursor.name()
      guard ["YES", "NO", "true", "false"].contains(word) else { throw cursor.fault("expected 'YES' or 'NO'") }
      body.model.isStored = word == "YES" || word == "true"
    case "indexedProperties": body.answers.indexed += try Self.names(&cursor)
    case "requiredProperties": body.answers.required += try Self.names(&cursor)
    case "ignoredProperties": for (name, _) in try Self.names(&cursor) { body.ignored.insert(name) }
    case "_realmColumnNames":
      try Self.elements(&cursor, "{", "}") { (cursor) throws(ModelFault) in
        let place = cursor.place
        let name = try Self.propertyName(&cursor)
        try cursor.expect(":")
        body.answers.mapping.append((name, try cursor.string(), place))
      }
    default:
      try Self.elements(&cursor, "{", "}") { (cursor) throws(ModelFault) in
        let name = try Self.propertyName(&cursor)
        try cursor.expect(":")
        body.origins[name] = try Self.origin(&cursor)
      }
    }
  }

  private static func names(
    _ cursor: inout ModelCursor
  ) throws(ModelFault) -> [(name: RealmString, place: ModelPlace)] {
    if try cursor.take(word: "nil") { return [] }
    var names: [(name: RealmString, place: ModelPlace)] = []
    try elements(&cursor, "[", "]") { (cursor) throws(ModelFault) in
      let place = cursor.place
      names.append((try propertyName(&cursor), place))
    }
    return names
  }

  /// `@[ … ]` and `@{ … }`
  private static func elements(
    _ cursor: inout ModelCursor, _ opening: Unicode.Scalar, _ closing: Unicode.Scalar,
    _ element: (inout ModelCursor) throws(ModelFault) -> Void
  ) throws(ModelFault) {
    try cursor.expect("@")
    try cursor.expect(opening)
    while !cursor.token.isSign(closing) {
      try element(&cursor)
      guard try cursor.take(",") else { break }
    }
    try cursor.expect(closing)
  }

  /// `@"name"`, or `NSStringFromSelector(@selector(name))`
  private static func propertyName(_ cursor: inout ModelCursor) throws(ModelFault) -> RealmString {
    guard try cursor.take(word: "NSStringFromSelector") else { return try cursor.string() }
    try cursor.expect("(")
    try cursor.expect("@")
    try cursor.expect(word: "selector")
    try cursor.expect("(")
    let name = try cursor.name()
    try cursor.expect(")")
    try cursor.expect(")")
    return RealmString(name)
  }

  /// `[RLMPropertyDescriptor descriptorWithClass:Person.class propertyName:@"dogs"]`
  private static func origin(_ cursor: inout ModelCursor) throws(ModelFault) -> (name: String, className: String?) {
    try cursor.expect("[")
    try cursor.expect(word: "RLMPropertyDescriptor")
    try cursor.expect(word: "descriptorWithClass")
    try cursor.expect(":")
    let isSent = try cursor.take("[")
    let name = try cursor.name()
    if !isSent { try cursor.expect(".") }
    try cursor.expect(word: "class")
    if isSent { try cursor.expect("]") }
    try cursor.expect(word: "propertyName")
    try cursor.expect(":")
    let link = try propertyName(&cursor)
    try cursor.expect("]")
    return (link.description, name)
  }
}

// MARK: - Types

extension ObjectiveCModelReader {
  private static let qualifiers: Set<String> = [
    "nullable", "nonnull", "_Nullable", "_Nonnull", "__nullable", "__nonnull", "__kindof", "const", "__strong",
    "__weak",
    "_Null_unspecified", "null_unspecified",
  ]

  /// Words of C that make a type together.
  private static let words: Set<String> = [
    "unsigned", "signed", "long", "short", "int", "char", "double", "struct", "enum",
  ]

  /// Takes `NSString *`, `long long`, `RLMArray<Dog *><Dog> *`; the arguments are those between the last `<` and `>`.
  private static func type(_ cursor: inout ModelCursor) throws(ModelFault) -> DeclaredType {
    func skipQualifiers() throws(ModelFault) {
      while let word = cursor.token.word, qualifiers.contains(word) { try cursor.take() }
    }
    try skipQualifiers()
    var type = DeclaredType(name: "", place: cursor.place)
    type.name = try cursor.name()
    while words.contains(type.name.split(separator: " ").last.map(String.init) ?? ""), let word = cursor.token.word,
      words.contains(word)
    {
      type.name += " " + word
      try cursor.take()
    }
    while cursor.token.isSign("<") { type.arguments = try arguments(&cursor) }
    try skipQualifiers()
    while try cursor.take("*") {
      type.name += " *"
      try skipQualifiers()
    }
    return type
  }

  private static func arguments(_ cursor: inout ModelCursor) throws(ModelFault) -> [DeclaredType] {
    var arguments: [DeclaredType] = []
    try cursor.expect("<")
    repeat {
      let place = cursor.place
      while let word = cursor.token.word, qualifiers.contains(word) { try cursor.take() }
      var argument = DeclaredType(name: try cursor.name(), place: place)
      if cursor.token.isSign("<") { try cursor.skipGenerics() }
      while try cursor.take("*") { argument.name += " *" }
      arguments.append(argument)
    } while try cursor.take(",")
    try cursor.expect(">")
    return arguments
  }

  static func type(
    of property: DeclaredProperty, _ classes: Set<String>, _ models: DeclaredModels
  ) throws(ModelFault) -> ModelType {
    let declared = models.storedTypes[property.type.name] ?? property.type
    let argument = declared.arguments.last
    let isOptional = !property.isRequired
    if declared.arguments.isEmpty {
      if let type = numbers[declared.name] { return ModelType(type: type) }
      if let type = objects[declared.name] { return ModelType(type: type, isOptional: isOptional) }
      if let name = declared.className, classes.contains(name) {
        return ModelType(type: .object, isOptional: true, target: DeclaredType(name: name, place: declared.place))
      }
    }
    switch (declared.name, declared.arguments.count) {
    case ("NSNumber *", 1):
      guard let type = argument.flatMap({ markers[$0.name] }), [.int, .bool, .float, .double].contains(type) else {
        break
      }
      return ModelType(type: type, isOptional: isOptional)
    case ("id", 1) where argument?.name == "RLMValue": return ModelType(type: .mixed)
    case ("RLMLinkingObjects *", _):
      guard let name = property.origin?.className else {
        throw ModelFault(place: property.place, reason: "the link that this is the inverse of is missing")
      }
      return ModelType(type: .linkingObjects, target: DeclaredType(name: name, place: declared.place))
    case ("RLMArray *", 1), ("RLMSet *", 1), ("RLMDictionary *", 2):
      guard let argument, declared.arguments.count == 1 || declared.arguments[0].name == "RLMString" else { break }
      let collection: CollectionKind =
        declared.name == "RLMArray *" ? .list : declared.name == "RLMSet *" ? .set : .dictionary
      if let type = markers[argument.name] {
        return ModelType(type: type, collection: collection, isOptional: isOptional)
      }
      guard classes.contains(argument.name) else { break }
      return ModelType(type: .object, collection: collection, target: argument)
    default: break
    }
    throw declared.unknown
  }

  private static let numbers: [String: PropertyType] = [
    "short": .int, "int": .int, "long": .int, "long long": .int, "NSInteger": .int, "int16_t": .int, "int32_t": .int,
    "int64_t": .int, "short int": .int, "long int": .int, "BOOL": .bool, "bool": .bool, "float": .float,
    "double": .double, "NSTimeInterval": .double,
  ]

  private static let objects: [String: PropertyType] = [
    "NSString *": .string, "NSData *": .data, "NSDate *": .date, "RLMDecimal128 *": .decimal128,
    "RLMObjectId *": .objectID, "NSUUID *": .uuid,
  ]

  /// The protocols by which the SDK distinguishes types.
  private static let markers: [String: PropertyType] = [
    "RLMInt": .int, "RLMBool": .bool, "RLMString": .string, "RLMData": .data, "RLMDate": .date, "RLMFloat": .float,
    "RLMDouble": .double, "RLMDecimal128": .decimal128, "RLMObjectId": .objectID, "RLMUUID": .uuid, "RLMValue": .mixed,
  ]
}

extension DeclaredType {
  /// `Dog` for `Dog *`.
  fileprivate var className: String? { name.hasSuffix(" *") ? String(name.dropLast(2)) : nil }
}
