import RealmStorage

/// Reads model classes for Realm Swift: `@Persisted` properties, and the older `@objc dynamic` ones.
///
/// All types are found first, because a class may come before its superclass. Then the body of each model class is read:
/// every token belongs to a declaration that is understood, or that is skipped as a whole because the SDK does not store it.
struct SwiftModelReader {
  private var models = DeclaredModels()
  private var types: [FoundType<Attributes>] = []
  private var cursor: ModelCursor
  /// The cases of each enumeration.
  private var cases: [String: Set<String>] = [:]

  /// - Throws: `ModelFault` for the first thing that is not understood.
  static func read(_ files: [ModelCursor]) throws(ModelFault) -> DeclaredModels {
    guard let first = files.first else { return DeclaredModels() }
    var reader = SwiftModelReader(cursor: first)
    for file in files { try reader.findTypes(in: file) }
    try reader.readTypes()
    return reader.models
  }

  private init(cursor: ModelCursor) { self.cursor = cursor }

  private static let bases: [String: TableKind] = [
    "Object": .topLevel, "EmbeddedObject": .embedded, "AsymmetricObject": .asymmetric, "RLMObject": .topLevel,
    "RLMEmbeddedObject": .embedded,
  ]

  private static let modifiers: Set<String> = [
    "public", "private", "internal", "fileprivate", "open", "final", "static", "override", "dynamic", "lazy", "weak",
    "unowned", "mutating", "nonmutating", "nonisolated", "required", "convenience", "indirect", "optional", "package",
    "distributed", "async", "prefix", "postfix", "infix",
  ]
}

// MARK: - Types

extension SwiftModelReader: ModelTypeVisitor {
  struct Attributes {
    var names: Set<String> = []
    /// `Dog` of `@objc(Dog)`, which can also be the name of a method.
    var objectiveCName: String?
    var persisted: ModelPlace?
    /// Before the parentheses after `@Persisted`.
    var arguments: ModelCursor?
    var modifiers: Set<String> = []
    /// The first `@`.
    var place: ModelPlace?
  }

  static let typeWords: Set<String> = ["class", "struct", "enum", "extension", "actor", "protocol"]

  static let noNames = modifiers.union(["var", "func", "let", "subscript"])

  mutating func found(_ type: FoundType<Attributes>) { types.append(type) }

  mutating func prefix(_ cursor: inout ModelCursor, after last: ModelToken?) throws(ModelFault) -> Attributes? {
    try Self.attributes(&cursor)
  }

  private static func attributes(_ cursor: inout ModelCursor) throws(ModelFault) -> Attributes {
    var attributes = Attributes()
    while true {
      if cursor.token.isSign("@") {
        try takeAttribute(&cursor, &attributes)
        continue
      }
      guard let word = cursor.token.keyword else { return attributes }
      let next = try cursor.following()
      if modifiers.contains(word), next.isSign("("), next.isAdjacent {
        // `private(set)`
        try cursor.take()
        try cursor.skip()
      } else if modifiers.contains(word), next.word != nil || next.isSign("@") {
        attributes.modifiers.insert(word)
        try cursor.take()
      } else if word == "class", let name = next.word, noNames.contains(name) {
        attributes.modifiers.insert("static")
        try cursor.take()
      } else {
        return attributes
      }
    }
  }

  private static func takeAttribute(
    _ cursor: inout ModelCursor, _ attributes: inout Attributes
  ) throws(ModelFault) {
    let place = cursor.place
    attributes.place = attributes.place ?? place
    try cursor.take()
    var name = try cursor.name()
    while try cursor.take(".") { name = try cursor.name() }
    attributes.names.insert(name)
    if name == "Persisted" { attributes.persisted = place }
    guard cursor.token.isSign("("), cursor.token.isAdjacent else { return }
    if name == "Persisted" { attributes.arguments = cursor }
    if name == "objc" {
      var ahead = cursor
      try ahead.take()
      attributes.objectiveCName = ahead.token.word
    }
    try cursor.skip()
  }

  /// A type with its name and the names after its colon, before the brace of its body.
  private struct Header {
    let type: FoundType<Attributes>
    let word: String
    let name: String
    let place: ModelPlace
    let supers: [DeclaredType]
    let body: ModelCursor
  }

  private func header(of type: FoundType<Attributes>) throws(ModelFault) -> Header {
    var cursor = type.cursor
    let word = try cursor.name()
    let place = cursor.place
    var name = try cursor.name()
    while word == "extension", try cursor.take(".") { name = try cursor.name() }
    if cursor.token.isSign("<") { try cursor.skipGenerics() }
    var supers: [DeclaredType] = []
    if try cursor.take(":") {
      repeat {
        while cursor.token.isSign("@") { try cursor.take(); _ = try cursor.name() }
        if try cursor.take("~") {}
        supers.append(try cursor.type())
        while try cursor.take("&") { supers.append(try cursor.type()) }
      } while try cursor.take(",")
    }
    while !cursor.isAtEnd, !cursor.token.isSign("{") {
      guard !cursor.token.isSign("}") else { throw cursor.fault("expected '{', not \(cursor.token.text)") }
      try cursor.skip()
    }
    return Header(type: type, word: word, name: name, place: place, supers: supers, body: cursor)
  }

  private mutating func readTypes() throws(ModelFault) {
    var classes: [Header] = []
    var extensions: [String: [Header]] = [:]
    var ambiguous: Set<String> = []
    for type in types {
      let header = try header(of: type)
      if header.word == "class" { classes.append(header) }
      if header.word == "extension" { extensions[header.name, default: []].append(header) }
      if header.word == "enum" { cases[header.name, default: []].formUnion(try Self.cases(in: header.body)) }
      guard header.word != "class", let stored = try Self.storedType(of: header) else { continue }
      if let other = models.storedTypes.updateValue(stored, forKey: header.name), other.text != stored.text {
        ambiguous.insert(header.name)
      }
    }
    for name in ambiguous { models.storedTypes[name] = nil }
    let kinds = Self.kinds(of: classes)
    for header in classes {
      if let kind = kinds[header.name] {
        guard !header.type.isNested else {
          throw ModelFault(place: header.place, reason: "a model class inside another type")
        }
        guard !header.type.isConditional else {
          throw ModelFault(place: header.place, reason: "a model class between #if and #endif")
        }
        models.classes.append(try read(header, kind, extensions[header.name] ?? []))
      } else if try Self.hasPersisted(header.body) {
        throw ModelFault(
          place: header.place,
          reason:
            "'\(header.name)' has persisted properties, but its class '\(header.supers.first?.name ?? "")' is not "
            + "a model class of this file")
      }
    }
  }

  private static let mostAncestors = 32

  /// The classes that are models, each with the kind of the class it begins at.
  private static func kinds(of classes: [Header]) -> [String: TableKind] {
    let supers = Dictionary(classes.map { ($0.name, $0.supers) }, uniquingKeysWith: { first, _ in first })
    var kinds: [String: TableKind] = [:]
    for header in classes {
      var (names, levels) = (header.supers.map(\.name), 0)
      while levels < mostAncestors {
        if let kind = names.lazy.compactMap({ bases[$0] }).first {
          kinds[header.name] = kind
          break
        }
        guard let base = names.first, let next = supers[base] else { break }
        (names, levels) = (next.map(\.name), levels + 1)
      }
    }
    return kinds
  }

  /// What a type that is not a class is stored as.
  private static func storedType(of header: Header) throws(ModelFault) -> DeclaredType? {
    if header.supers.contains(where: { ["CustomPersistable", "FailableCustomPersistable"].contains($0.name) }) {
      return try inner(header.body) { (cursor) throws(ModelFault) -> DeclaredType? in
        guard try cursor.take(word: "typealias"), try cursor.take(word: "PersistedType") else { return nil }
        try cursor.expect("=")
        return try cursor.type()
      }
    }
    guard header.word == "enum", let raw = header.supers.first,
      header.supers.count > 1 || names.values[raw.name] != nil
    else { return nil }
    return raw
  }

  private static func hasPersisted(_ body: ModelCursor) throws(ModelFault) -> Bool {
    try inner(body) { (cursor) throws(ModelFault) -> Bool? in
      guard try cursor.take("@") else { return nil }
      return cursor.token.isWord("Persisted") ? true : nil
    } ?? false
  }

  private static func cases(in body: ModelCursor) throws(ModelFault) -> Set<String> {
    var names: Set<String> = []
    _ = try inner(body) { (cursor) throws(ModelFault) -> Bool? in
      guard try cursor.take(word: "case") else { return nil }
      repeat {
        guard let name = cursor.token.word else { return nil }
        names.insert(name)
        try cursor.take()
        if cursor.token.isSign("("), cursor.token.isAdjacent { try cursor.skip() }
        if try cursor.take("=") { try cursor.skipExpression() }
      } while try cursor.take(",")
      return nil
    }
    return names
  }

  /// Goes through what is directly inside a body, and gives the first answer; the closure may take tokens.
  private static func inner<Answer>(
    _ body: ModelCursor, _ answer: (inout ModelCursor) throws(ModelFault) -> Answer?
  ) throws(ModelFault) -> Answer? {
    var cursor = body
    try cursor.expect("{")
    while !cursor.isAtEnd, !cursor.token.isSign("}") {
      let place = cursor.place
      if let answer = try answer(&cursor) { return answer }
      if cursor.place == place { try cursor.skip() }
    }
    return nil
  }
}

// MARK: - Classes

extension SwiftModelReader {
  private mutating func read(
    _ header: Header, _ kind: TableKind, _ extensions: [Header]
  ) throws(ModelFault) -> DeclaredClass {
    var model = DeclaredClass(name: header.name, place: header.place)
    model.kind = kind
    model.base = (header.supers.first { Self.bases[$0.name] != nil } ?? header.supers.first)?.name
    model.storedName = header.type.prefix.objectiveCName.map { RealmString($0) }
    var body = ClassBody(model: model, areMembersVisible: header.type.prefix.names.contains("objcMembers"))
    for part in [header] + extensions {
      cursor = part.body
      body.isExtension = part.word == "extension"
      try cursor.expect("{")
      while try !cursor.take("}") { try readMember(of: &body) }
    }
    return try body.finished()
  }

  /// A class while it is read.
  private struct ClassBody {
    var model: DeclaredClass
    /// `@objcMembers`
    let areMembersVisible: Bool
    var isExtension = false
    var hasPersisted = false
    /// Properties from before `@Persisted`, which count only if none has that.
    var dynamic: [DeclaredProperty] = []
    var answers = PropertyAnswers()
    var ignored: Set<RealmString> = []
    /// Properties with `dynamic` alone, which is enough in Swift 3; in later versions it is not.
    var implied: [(name: RealmString, place: ModelPlace)] = []
    var hasObjectiveC = false
    /// What is wrong with properties from before `@Persisted`, unless they are ignored.
    var faults: [(name: RealmString, fault: ModelFault)] = []

    init(model: DeclaredClass, areMembersVisible: Bool) {
      (self.model, self.areMembersVisible) = (model, areMembersVisible)
    }

    func finished() throws(ModelFault) -> DeclaredClass {
      if !hasPersisted, let fault = faults.first(where: { !ignored.contains($0.name) }) { throw fault.fault }
      if !hasPersisted, hasObjectiveC, let property = implied.first(where: { !ignored.contains($0.name) }) {
        throw ModelFault(
          place: property.place,
          reason: "whether '\(property.name)' is stored depends on the version of Swift: write '@objc dynamic'")
      }
      var model = model
      model.properties = hasPersisted ? model.properties : dynamic.filter { !ignored.contains(RealmString($0.name)) }
      try answers.apply(to: &model)
      return model
    }
  }

  private mutating func readMember(of body: inout ClassBody) throws(ModelFault) {
    if case .directive(let text) = cursor.token.kind {
      let isCondition = ["if", "else", "end"].contains(where: text.hasPrefix)
      if isCondition, !body.isExtension { throw cursor.fault("conditions inside a model class") }
      try cursor.take()
      return
    }
    if try cursor.take(";") { return }
    let attributes = try Self.attributes(&cursor)
    switch cursor.token.keyword {
    case "var", "let": try readVariables(attributes, of: &body)
    case "func": try readFunction(attributes, of: &body)
    case "init", "deinit", "subscript": try skipFunction()
    case "typealias", "associatedtype":
      try cursor.take()
      try skipType()
      if try cursor.take("=") { try skipType() }
      try endDeclaration()
    case let word? where Self.typeWords.contains(word):
      try cursor.take()
      _ = try cursor.name()
      while !cursor.isAtEnd, !cursor.token.isSign("{") {
        if cursor.token.isSign("}") || cursor.token.isSign(";") { throw cursor.fault("expected '{'") }
        try cursor.skip()
      }
      try cursor.skip()
    default: throw cursor.fault("\(cursor.token.text) is not supported in a class")
    }
  }

  private func endDeclaration() throws(ModelFault) {
    guard cursor.token.isFirstOnLine || cursor.token.isSign(";") || cursor.token.isSign("}") else {
      throw cursor.fault("\(cursor.token.text) does not belong here")
    }
  }

  /// A function with its body.
  private mutating func skipFunction() throws(ModelFault) {
    try cursor.take()
    // The name of an operator can be any sign.
    while !cursor.token.isSign("("), !cursor.token.isSign("{"), !cursor.isAtEnd { try cursor.take() }
    let words: Set<String> = ["var", "let", "func", "init", "deinit", "subscript", "case"]
    while !cursor.token.isSign("{") {
      guard !cursor.isAtEnd, !"};=".unicodeScalars.contains(where: cursor.token.isSign),
        cursor.token.keyword.map({ words.contains($0) || Self.typeWords.contains($0) }) != true
      else {
        if cursor.token.isSign("="), try cursor.following().isSign("=") {
          try cursor.take()
          try cursor.take()
          continue
        }
        throw cursor.fault("expected '{', not \(cursor.token.text)")
      }
      try cursor.skip()
    }
    try cursor.skip()
  }
}

// MARK: - Variables

extension SwiftModelReader {
  private struct Variable {
    let name: String
    let place: ModelPlace
    /// Where its type and its value begin.
    var type: ModelCursor?
    var typeEnd: ModelPlace?
    var value: ModelCursor?
    /// Whether a getter computes it.
    var isComputed = false
  }

  private mutating func readVariables(_ attributes: Attributes, of body: inout ClassBody) throws(ModelFault) {
    let isConstant = try cursor.take().isWord("let")
    // `let (a, b) = …` is not a property of a model.
    if cursor.token.isSign("(") {
      guard attributes.persisted == nil, !attributes.names.contains("objc") else {
        throw cursor.fault("several variables in one declaration")
      }
      try cursor.skip()
      if try cursor.take(":") { try skipType() }
      if try cursor.take("=") { try cursor.skipExpression() }
      return try endDeclaration()
    }
    var variables: [Variable] = []
    repeat { variables.append(try variable()) } while try cursor.take(",")
    try endDeclaration()
    guard !body.isExtension else { return }
    // `var a, b: Int`
    var type: (ModelCursor?, ModelPlace?)
    for index in variables.indices.reversed() {
      if variables[index].type != nil {
        type = (variables[index].type, variables[index].typeEnd)
      } else if variables[index].value == nil {
        (variables[index].type, variables[index].typeEnd) = type
      } else {
        type = (nil, nil)
      }
    }
    for variable in variables { try add(variable, attributes, isConstant: isConstant, to: &body) }
  }

  private mutating func variable() throws(ModelFault) -> Variable {
    let place = cursor.place
    var variable = Variable(name: try cursor.name(), place: place)
    if try cursor.take(":") {
      variable.type = cursor
      try skipType()
      variable.typeEnd = cursor.place
    }
    if try cursor.take("=") {
      variable.value = cursor
      try cursor.skipExpression()
    }
    if cursor.token.isSign("{") {
      variable.isComputed = try !cursor.observes()
      try cursor.skip()
    }
    return variable
  }

  /// Takes a type of any kind, in which names and what joins them take turns.
  private mutating func skipType() throws(ModelFault) {
    var needsName = true
    while !cursor.isAtEnd, needsName || !cursor.token.isFirstOnLine || continuesType {
      switch cursor.token.kind {
      case .sign(let sign) where "={,;})]".utf8.contains(sign):
        guard !needsName else { throw cursor.fault("expected a type, not \(cursor.token.text)") }
        return
      case .sign(let sign) where "([".utf8.contains(sign):
        guard needsName else { throw cursor.fault("\(cursor.token.text) does not belong here") }
        try cursor.skip()
        needsName = false
      case .sign(UInt8(ascii: "<")): try cursor.skipGenerics()
      case .sign(let sign) where "?!".utf8.contains(sign): try cursor.take()
      case .sign(let sign) where ".&->@~".utf8.contains(sign):
        try cursor.take()
        if sign == UInt8(ascii: "@") { _ = try cursor.name() } else { needsName = true }
      case .word(let word, isQuoted: false) where ["any", "some", "inout", "sending"].contains(word):
        try cursor.take()
      case .word(let word, isQuoted: false) where ["throws", "async", "rethrows"].contains(word): try cursor.take()
      case .word where needsName:
        try cursor.take()
        needsName = false
      default: throw cursor.fault("\(cursor.token.text) does not belong here")
      }
    }
    guard !needsName else { throw cursor.fault("expected a type, not \(cursor.token.text)") }
  }

  private var continuesType: Bool { "=.&-{,;".unicodeScalars.contains(where: cursor.token.isSign) }

  private func add(
    _ variable: Variable, _ attributes: Attributes, isConstant: Bool, to body: inout ClassBody
  ) throws(ModelFault) {
    let isUnstored = !attributes.modifiers.isDisjoint(with: ["static", "lazy"])
    if attributes.persisted != nil {
      body.hasPersisted = true
      guard !isUnstored, !variable.isComputed, !isConstant else {
        throw ModelFault(place: variable.place, reason: "'\(variable.name)' cannot be @Persisted")
      }
      var property = DeclaredProperty(
        name: variable.name, place: variable.place, type: try declaredType(of: variable))
      if let arguments = attributes.arguments { try Self.apply(arguments, to: &property) }
      return body.model.properties.append(property)
    }
    guard !isUnstored, !variable.isComputed, !body.hasPersisted else { return }
    do throws(ModelFault) {
      if let property = try collection(variable) { return body.dynamic.append(property) }
      guard !isConstant else { return }
      let isPrivate = !attributes.modifiers.isDisjoint(with: ["private", "fileprivate"])
      let isDynamic = attributes.modifiers.contains("dynamic")
      let isObjectiveC = attributes.names.contains("objc")
      let isVisible = isObjectiveC || body.areMembersVisible && !isPrivate
      guard isVisible || isDynamic else { return }
      if isVisible {
        body.hasObjectiveC = true
      } else {
        body.implied.append((RealmString(variable.name), variable.place))
      }
      let type = try declaredType(of: variable)
      body.dynamic.append(DeclaredProperty(name: variable.name, place: variable.place, type: type))
    } catch { body.faults.append((RealmString(variable.name), error)) }
  }

  private static func apply(_ arguments: ModelCursor, to property: inout DeclaredProperty) throws(ModelFault) {
    var cursor = arguments
    try cursor.expect("(")
    while !cursor.token.isSign(")") {
      let place = cursor.place
      let label = try cursor.name()
      try cursor.expect(":")
      switch label {
      case "primaryKey": property.isPrimaryKey = try cursor.boolean()
      case "indexed": property.index = try cursor.boolean() ? .general : .none
      case "originProperty": property.origin = (try cursor.string().description, nil)
      default: throw ModelFault(place: place, reason: "@Persisted does not take '\(label)'")
      }
      guard try cursor.take(",") else { break }
    }
    try cursor.expect(")")
  }

  /// The type after the colon, or that of the value.
  private func declaredType(of variable: Variable) throws(ModelFault) -> DeclaredType {
    if var type = variable.type {
      if type.token.isSign("[") || type.token.isSign("(") || type.token.isWord("any") {
        throw type.fault("'\(variable.name)' has a type that a realm does not store")
      }
      let declared = try type.type()
      guard type.place == variable.typeEnd else {
        throw type.fault("'\(variable.name)' has a type that a realm does not store")
      }
      return declared
    }
    guard let value = variable.value else {
      throw ModelFault(place: variable.place, reason: "'\(variable.name)' has no type")
    }
    guard let type = try value.typeOfValue(Self.values, cases: cases) else {
      throw value.fault("the type of '\(variable.name)' cannot be inferred from its value; write it after a colon")
    }
    return type
  }

  /// A property that does not change although its value does: `let dogs = List<Dog>()`. It needs no `@objc`.
  private func collection(_ variable: Variable) throws(ModelFault) -> DeclaredProperty? {
    var type: DeclaredType?
    if var ahead = variable.type {
      type = try? ahead.type()
      if ahead.place != variable.typeEnd { type = nil }
    } else if var ahead = variable.value {
      type = try? ahead.type()
    }
    guard var type, Self.collections.contains(type.name) else { return nil }
    if variable.type == nil, let value = variable.value, type.name != "LinkingObjects" {
      guard let inferred = try value.typeOfValue(Self.values, cases: cases) else {
        throw value.fault("the type of '\(variable.name)' cannot be inferred from its value; write it after a colon")
      }
      type = inferred
    }
    var property = DeclaredProperty(name: variable.name, place: variable.place, type: type)
    guard type.name == "LinkingObjects" else { return property }
    guard var ahead = variable.value else {
      throw ModelFault(place: variable.place, reason: "the link that this is the inverse of is missing")
    }
    var end = ahead
    try end.skipExpression()
    _ = try ahead.type()
    try ahead.expect("(")
    try ahead.expect(word: "fromType")
    try ahead.expect(":")
    // `Person.self`
    let place = ahead.place
    var names = [try ahead.name()]
    while try ahead.take(".") { names.append(try ahead.name()) }
    guard names.count > 1, names.removeLast() == "self", let name = names.last else {
      throw ModelFault(place: place, reason: "the class that has the link is not clear")
    }
    try ahead.expect(",")
    try ahead.expect(word: "property")
    try ahead.expect(":")
    property.origin = (try Self.propertyName(&ahead).description, nil)
    try ahead.expect(")")
    guard ahead.place == end.place else { throw ahead.fault("\(ahead.token.text) does not belong here") }
    property.type.arguments = [DeclaredType(name: name, place: place)]
    return property
  }

  private static let collections: Set<String> = [
    "List", "MutableSet", "Map", "RealmOptional", "RealmProperty", "LinkingObjects",
  ]

  private static let values = ModelValues(
    boolean: "Bool",
    members: [
      "ObjectId": ["generate"], "Date": ["now", "distantPast", "distantFuture"],
      "Int": ["max", "min", "zero", "random"], "Int8": ["max", "min", "zero"], "Int16": ["max", "min", "zero"],
      "Int32": ["max", "min", "zero"], "Int64": ["max", "min", "zero", "random"],
      "Double": ["pi", "infinity", "nan", "zero", "greatestFiniteMagnitude", "random"],
      "Float": ["pi", "infinity", "nan", "zero", "greatestFiniteMagnitude", "random"],
    ], constructors: ["Date", "NSDate"])
}

// MARK: - What functions say

extension SwiftModelReader {
  private mutating func readFunction(_ attributes: Attributes, of body: inout ClassBody) throws(ModelFault) {
    let name = try cursor.following().word ?? ""
    var ahead = cursor
    try skipFunction()
    guard attributes.modifiers.contains("static"), Self.answers.contains(name) else { return }
    let end = cursor.place
    while !ahead.token.isSign("{") { try ahead.skip() }
    do throws(ModelFault) {
      try ahead.expect("{")
      _ = try ahead.take(word: "return")
      try readAnswer(of: name, &ahead, &body)
      try ahead.expect("}")
      guard ahead.place == end else { throw ahead.fault("\(ahead.token.text) does not belong here") }
    } catch {
      throw ModelFault(place: error.place, reason: "the value that '\(name)' returns is not supported: \(error.reason)")
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
      if try !cursor.take(word: "nil") { body.answers.primaryKey = (try Self.propertyName(&cursor), place) }
    case "shouldIncludeInDefaultSchema": body.model.isStored = try cursor.boolean()
    case "propertiesMapping":
      try elements(&cursor) { (cursor) throws(ModelFault) in
        let place = cursor.place
        let name = try Self.propertyName(&cursor)
        try cursor.expect(":")
        body.answers.mapping.append((name, try cursor.string(), place))
      }
    case "indexedProperties":
      try elements(&cursor) { (cursor) throws(ModelFault) in
        let place = cursor.place
        body.answers.indexed.append((try Self.propertyName(&cursor), place))
      }
    default:
      try elements(&cursor) { (cursor) throws(ModelFault) in body.ignored.insert(try Self.propertyName(&cursor)) }
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
  private static func propertyName(_ cursor: inout ModelCursor) throws(ModelFault) -> RealmString {
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
