import RealmStorage
import RealmText

/// Reads schema objects for Realm JavaScript, in JavaScript or TypeScript: every object that has `name` and
/// `properties`, wherever it is.
///
/// Their content is read like a schema file in JSON, by the same rules.
struct JavaScriptModelReader {
  private var cursor: ModelCursor
  private var classes: [JSONValue] = []
  /// The place of each part of the classes.
  private var places: [SchemaFilePath: ModelPlace] = [:]
  /// Properties with default values that are not literals, as `Class.property`.
  private var computedDefaults: [RealmString] = []
  /// Classes that derive from the SDK's and have no schema yet.
  private var open: [(name: String, place: ModelPlace, count: Int)] = []

  /// Variables whose value is a schema that was read.
  private var schemaNames: Set<String> = []
  /// Variables that are given as a class's schema.
  private var namedSchemas: [(name: String, place: ModelPlace)] = []
  /// The name after the last `const`, `let` or `var`.
  private var variable = ""
  /// The last two tokens.
  private var last: (ModelToken?, ModelToken?)

  /// Braces that are open.
  private var braces = 0

  private static let mostLevels = 16
  private static let mostBraces = 128

  private init(cursor: ModelCursor) { self.cursor = cursor }

  /// - Throws: `SchemaFileError.code` with everything that could not be understood; only the first fault if the code
  ///   cannot be followed.
  static func read(_ files: [ModelCursor]) throws(SchemaFileError) -> ModelFile {
    guard let first = files.first else { throw .noClasses(.javaScript) }
    var code = JavaScriptModelReader(cursor: first)
    do throws(ModelFault) {
      for file in files {
        code.cursor = file
        try code.readCode()
      }
      if let schema = code.namedSchemas.first(where: { !code.schemaNames.contains($0.name) }) {
        throw ModelFault(place: schema.place, reason: "'\(schema.name)' is not a schema of this file")
      }
    } catch { throw .code([error], .javaScript) }
    guard !code.classes.isEmpty else { throw .noClasses(.javaScript) }
    var reader = SchemaFileReader()
    reader.readFile(.array(code.classes))
    guard reader.violations.isEmpty else {
      throw .code(reader.violations.map(code.fault).sorted { $0.place < $1.place }, .javaScript)
    }
    var file = ModelFile(reader.result.0, aliases: reader.result.1)
    (file.defaults, file.unusedDefaults) = (reader.defaults, reader.unusedDefaults + code.computedDefaults)
    return file
  }

  private func fault(_ violation: SchemaFileViolation) -> ModelFault {
    var path: SchemaFilePath? = violation.path
    while let known = path, places[known] == nil { path = known.parent }
    let start = ModelPlace(line: 1, column: 1)
    return ModelFault(place: path.flatMap { places[$0] } ?? start, reason: violation.message)
  }

  // MARK: Code

  /// Goes through all tokens. Objects that are not schemas may have some inside.
  private mutating func readCode() throws(ModelFault) {
    (braces, last, open) = (0, (nil, nil), [])
    while !cursor.isAtEnd {
      if cursor.token.isSign("{") {
        if try isSchema() {
          try readSchema()
          continue
        }
        // Looking ahead goes through everything inside, so the number of levels limits the time.
        braces += 1
        guard braces <= Self.mostBraces else {
          throw cursor.fault("braces nested more than \(Self.mostBraces) levels deep")
        }
      } else if cursor.token.isSign("}") {
        braces = max(braces - 1, 0)
      }
      try readToken()
    }
    if let model = open.first { throw Self.missingSchema(of: model.name, at: model.place) }
  }

  private mutating func readToken() throws(ModelFault) {
    switch cursor.token.keyword {
    case "extends": try readSuperclass()
    case "Object":
      try checkAssignment()
      try take()
    case "schema":
      let isMember = last.0?.isWord("static") == true || last.0?.isSign(".") == true
      try take()
      if isMember { try readNamedSchema() }
    case "properties", "name", "primaryKey", "embedded":
      try checkChange()
      try take()
    default:
      let isVariable = ["const", "let", "var"].contains(cursor.token.keyword)
      try take()
      if isVariable { variable = cursor.token.word ?? "" }
    }
  }

  private mutating func take() throws(ModelFault) { last = (try cursor.take(), last.0) }

  /// `class Dog extends Realm.Object<Dog>`: its schema may come from a compiler plug-in.
  private mutating func readSuperclass() throws(ModelFault) {
    let place = cursor.place
    try take()
    var ahead = cursor
    guard ahead.token.isWord("Realm"), try ahead.take().word != nil, try ahead.take("."), ahead.token.isWord("Object")
    else { return }
    if let model = open.first, model.count == classes.count {
      throw Self.missingSchema(of: model.name, at: model.place)
    }
    open = [("Realm.Object", place, classes.count)]
  }

  /// `static schema = …` and `Dog.schema = …`, whose value must be written there, or be a variable of this file.
  private mutating func readNamedSchema() throws(ModelFault) {
    var ahead = cursor
    if try ahead.take(":") {
      guard (try? ahead.type()) != nil else { return }
    }
    guard try ahead.take("="), !ahead.token.isSign("="), !ahead.token.isSign("{") else { return }
    if try ahead.take("(") { guard !ahead.token.isSign("{") else { return } }
    let place = ahead.place
    guard let name = ahead.token.word else { throw Self.unsupported(ahead.token) }
    let next = try ahead.following()
    guard next.isFirstOnLine || next.kind == .end || ";,})".unicodeScalars.contains(where: next.isSign) else {
      throw Self.unsupported(ahead.token)
    }
    namedSchemas.append((name, place))
    open = []
  }

  private static func unsupported(_ token: ModelToken) -> ModelFault {
    ModelFault(
      place: token.place,
      reason: "\(token.text) is not supported in a schema; only strings, numbers, objects and the like are")
  }

  /// Whether a name is that of a schema, as far as it tells.
  private func isSchemaName(_ name: String?) -> Bool {
    guard let name else { return false }
    return schemaNames.contains(name) || name.lowercased().hasSuffix("schema")
  }

  /// `DogSchema.properties.age = …` would change a schema that was read.
  private func checkChange() throws(ModelFault) {
    guard last.0?.isSign(".") == true, isSchemaName(last.1?.word) else { return }
    var ahead = cursor
    try ahead.take()
    while true {
      if ahead.token.isSign("[") {
        try ahead.skip()
      } else if try ahead.take(".") {
        _ = try ahead.name()
      } else {
        break
      }
    }
    guard ahead.token.isSign("="), try !ahead.following().isSign("="), try !ahead.following().isSign(">") else {
      return
    }
    throw Self.unsupported(ahead.token)
  }

  /// `Object.assign({}, DogSchema, { name: "Cat" })` makes a schema that is not written anywhere.
  private func checkAssignment() throws(ModelFault) {
    var ahead = cursor
    try ahead.take()
    guard try ahead.take("."), try ahead.take(word: "assign"), try ahead.take("(") else { return }
    var isSchema = false
    // The names and the keys of the objects directly between the parentheses.
    while !ahead.isAtEnd, !ahead.token.isSign(")") {
      if let word = ahead.token.word, isSchemaName(word) { isSchema = true }
      if ahead.token.isSign("{") {
        var object = ahead
        try object.take()
        for _ in 0..<Self.mostFields {
          guard let key = Self.key(object.token) else { break }
          if key == "properties" || key == "primaryKey" { isSchema = true }
          object = try Self.afterValue(object)
          guard try object.take(",") else { break }
        }
      }
      try ahead.skip()
    }
    if isSchema { throw Self.unsupported(cursor.token) }
  }

  private static func missingSchema(of name: String, at place: ModelPlace) -> ModelFault {
    ModelFault(place: place, reason: "a class that extends '\(name)' has no 'schema' with 'name' and 'properties'")
  }

  /// Whether the object that begins here has `name` and `properties`, with an object in the latter.
  ///
  /// - Throws: `ModelFault` for what can be a schema, but takes parts of it from elsewhere.
  private func isSchema() throws(ModelFault) -> Bool {
    var (ahead, hasName, isNamed, hasProperties) = (cursor, false, false, false)
    var (spread, source, other): (ModelToken?, Bool, ModelToken?) = (nil, false, nil)
    try ahead.take()
    // Such an object is short, so there is no need to go through long blocks of code again and again.
    for _ in 0..<Self.mostFields {
      if ahead.token.isSign(".") {
        spread = ahead.token
        while try ahead.take(".") {}
        var name = ahead.token.word
        while let word = ahead.token.word {
          name = word
          try ahead.take()
          guard try ahead.take(".") else { break }
        }
        source = source || isSchemaName(name)
      } else {
        guard let key = Self.key(ahead.token) else { break }
        let token = ahead.token
        try ahead.take()
        if try ahead.take(":") {
          if key == "name" {
            hasName = true
            if case .string = ahead.token.kind { isNamed = true }
          }
          if key == "properties" {
            hasProperties = ahead.token.isSign("{")
            if ahead.token.word != nil { other = ahead.token }
          }
        } else if key == "properties", ahead.token.isSign(",") || ahead.token.isSign("}") {
          other = token
        } else if !ahead.token.isSign(",") {
          break
        }
        if hasName, hasProperties { return true }
      }
      ahead = try Self.afterValue(ahead)
      guard try ahead.take(",") else { break }
    }
    if let spread, hasProperties || isNamed && source { throw Self.unsupported(spread) }
    if let other, isNamed { throw Self.unsupported(other) }
    return hasName && hasProperties
  }

  private static let mostFields = 8

  private static func afterValue(_ cursor: ModelCursor) throws(ModelFault) -> ModelCursor {
    var ahead = cursor
    while !ahead.isAtEnd, !ahead.token.isSign(","), !ahead.token.isSign("}") { try ahead.skip() }
    return ahead
  }

  private static func key(_ token: ModelToken) -> RealmString? {
    switch token.kind {
    case .word(let word, _): RealmString(word)
    case .string(let text): text
    default: nil
    }
  }

  // MARK: Schemas

  private mutating func readSchema() throws(ModelFault) {
    let path = SchemaFilePath().index(classes.count)
    if last.0?.isSign("=") == true { schemaNames.insert(variable) }
    classes.append(try value(at: path))
    open = []
  }

  private mutating func value(at path: SchemaFilePath, level: Int = 0) throws(ModelFault) -> JSONValue {
    guard level <= Self.mostLevels else {
      throw cursor.fault("objects nested more than \(Self.mostLevels) levels deep")
    }
    places[path] = cursor.place
    let value = try bareValue(at: path, level: level)
    // `as const`, `as Realm.ObjectSchema`
    if cursor.token.isWord("as") || cursor.token.isWord("satisfies") {
      try cursor.take()
      _ = try cursor.type()
    }
    guard cursor.isAtEnd || cursor.token.isFirstOnLine || ",;}])".unicodeScalars.contains(where: cursor.token.isSign)
    else { throw cursor.fault("\(cursor.token.text) is not supported in a schema") }
    return value
  }

  private mutating func bareValue(at path: SchemaFilePath, level: Int) throws(ModelFault) -> JSONValue {
    switch cursor.token.kind {
    case .string: return .string(try cursor.string())
    case .number(let text):
      try cursor.take()
      return .number(try Self.number(text, at: cursor))
    case .sign(UInt8(ascii: "-")):
      try cursor.take()
      guard case .number(let text) = cursor.token.kind else { throw cursor.fault("expected a number") }
      try cursor.take()
      return .number(try Self.number("-" + text, at: cursor))
    case .word("true", isQuoted: false), .word("false", isQuoted: false): return .bool(try cursor.boolean())
    case .word("null", isQuoted: false):
      try cursor.take()
      return .null
    case .sign(UInt8(ascii: "[")): return try array(at: path, level: level)
    case .sign(UInt8(ascii: "{")): return try object(at: path, level: level)
    default: throw Self.unsupported(cursor.token)
    }
  }

  private static func number(_ text: String, at cursor: ModelCursor) throws(ModelFault) -> JSONNumber {
    guard let value = try? JSONValue.parse(Array(text.utf8)), case .number(let number) = value else {
      throw cursor.fault("'\(text)' cannot be read as a number")
    }
    return number
  }

  private mutating func array(at path: SchemaFilePath, level: Int) throws(ModelFault) -> JSONValue {
    var elements: [JSONValue] = []
    try cursor.expect("[")
    while !cursor.token.isSign("]") {
      elements.append(try value(at: path.index(elements.count), level: level + 1))
      guard try cursor.take(",") else { break }
    }
    try cursor.expect("]")
    return .array(elements)
  }

  private mutating func object(at path: SchemaFilePath, level: Int) throws(ModelFault) -> JSONValue {
    var object = JSONObject()
    try cursor.expect("{")
    while !cursor.token.isSign("}") {
      let place = cursor.place
      guard let key = Self.key(cursor.token) else {
        throw cursor.fault("expected a key, not \(cursor.token.text)")
      }
      try cursor.take()
      guard try cursor.take(":") else {
        throw cursor.fault("expected ':', not \(cursor.token.text); only keys with their values are supported")
      }
      // The class, `properties`, the property.
      if level == 2, key == "default", let text = try computedDefault() {
        computedDefaults.append(RealmString(text))
      } else if try !cursor.take(word: "undefined"), !object.append(key, try value(at: path.key(key), level: level + 1))
      {
        throw ModelFault(place: place, reason: "a second \(key.shown)")
      }
      guard try cursor.take(",") else { break }
    }
    try cursor.expect("}")
    return .object(object)
  }

  /// Skips a default value that is not a literal, and returns its place; nil, without reading anything, for a literal.
  private mutating func computedDefault() throws(ModelFault) -> String? {
    var ahead = self
    let place = cursor.place
    if (try? ahead.value(at: SchemaFilePath(), level: 3)) != nil { return nil }
    while !cursor.isAtEnd, !cursor.token.isSign(","), !cursor.token.isSign("}") { try cursor.skip() }
    return "line \(place.line)"
  }
}
