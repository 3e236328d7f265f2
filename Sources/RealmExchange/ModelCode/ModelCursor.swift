import RealmStorage

/// Goes through the tokens of model code. Everything that a reader of a language needs more than once is here.
struct ModelCursor {
  private var scanner: ModelScanner
  /// The next token, which has not been taken.
  private(set) var token: ModelToken
  /// The number of bodies that are open, each inside another.
  private var levels = 0

  private static let mostLevels = 64

  init(_ bytes: [UInt8], _ language: ModelLanguage) throws(ModelFault) {
    scanner = try ModelScanner(bytes, language)
    token = try scanner.next()
  }

  var place: ModelPlace { token.place }
  var isAtEnd: Bool { token.kind == .end }

  func fault(_ reason: String) -> ModelFault { ModelFault(place: place, reason: reason) }

  /// The token after the next one.
  func following() throws(ModelFault) -> ModelToken {
    var scanner = scanner
    return try scanner.next()
  }

  @discardableResult mutating func take() throws(ModelFault) -> ModelToken {
    let taken = token
    token = try scanner.next()
    return taken
  }

  /// Takes the sign if it is the next token.
  mutating func take(_ sign: Unicode.Scalar) throws(ModelFault) -> Bool {
    guard token.isSign(sign) else { return false }
    try take()
    return true
  }

  /// Takes the keyword if it is the next token.
  mutating func take(word: String) throws(ModelFault) -> Bool {
    guard token.isWord(word) else { return false }
    try take()
    return true
  }

  mutating func expect(_ sign: Unicode.Scalar) throws(ModelFault) {
    guard try take(sign) else { throw fault("expected '\(sign)', not \(token.text)") }
  }

  mutating func expect(word: String) throws(ModelFault) {
    guard try take(word: word) else { throw fault("expected '\(word)', not \(token.text)") }
  }

  /// Takes the brace that begins the body of a type.
  mutating func openBody() throws(ModelFault) {
    guard levels < Self.mostLevels else { throw fault("types nested more than \(Self.mostLevels) levels deep") }
    try expect("{")
    levels += 1
  }

  /// Skips everything between `<` and the matching `>`.
  mutating func skipGenerics() throws(ModelFault) {
    var level = 0
    repeat {
      if token.isSign("<") { level += 1 }
      if token.isSign(">") { level -= 1 }
      guard !isAtEnd else { return }
      try take()
    } while level > 0
  }

  mutating func closeBody() throws(ModelFault) {
    try expect("}")
    levels -= 1
  }

  mutating func name() throws(ModelFault) -> String {
    guard let word = token.word else { throw fault("expected a name, not \(token.text)") }
    try take()
    return word
  }

  /// A string whose text is written in the code.
  mutating func string() throws(ModelFault) -> RealmString {
    guard case .string(let text) = token.kind else { throw fault("expected a string, not \(token.text)") }
    guard let text else { throw fault("only a plain string is supported here") }
    try take()
    return text
  }

  mutating func boolean() throws(ModelFault) -> Bool {
    if try take(word: "true") { return true }
    guard try take(word: "false") else { throw fault("expected 'true' or 'false', not \(token.text)") }
    return false
  }
}

// MARK: - Skipping

extension ModelCursor {
  private static let closings: [UInt8: UInt8] = [
    UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"), UInt8(ascii: "{"): UInt8(ascii: "}"),
  ]

  /// Skips one token, or everything up to the matching bracket if it is a bracket.
  mutating func skip() throws(ModelFault) {
    let start = place
    var open: [UInt8] = []
    repeat {
      switch token.kind {
      case .sign(let sign):
        if let closing = Self.closings[sign] {
          open.append(closing)
        } else if sign == open.last {
          open.removeLast()
        } else if Self.closings.values.contains(sign) {
          throw fault("\(token.text) does not belong here")
        }
      case .end:
        guard open.isEmpty else { throw ModelFault(place: start, reason: "unclosed bracket") }
        return
      default: break
      }
      try take()
    } while !open.isEmpty
  }

  /// Skips up to and with the block between braces that belongs to a declaration, or to the end of a declaration without one.
  mutating func skipToBody(endingAt ends: (ModelToken) -> Bool = { _ in false }) throws(ModelFault) {
    while !isAtEnd, !token.isSign("}") {
      if token.isSign("{") { return try skip() }
      if ends(token) { return }
      if try take(";") { return }
      try skip()
    }
  }

  /// Skips an expression in a language in which line ends separate statements. A line continues if it must: inside
  /// brackets, and if the next line begins with a sign that continues it.
  mutating func skipExpression(endingAt ends: (ModelToken) -> Bool = { _ in false }) throws(ModelFault) {
    var isFirst = true
    while !isAtEnd, !token.isSign("}"), !token.isSign(")"), !token.isSign(";"), !ends(token) {
      if !isFirst, token.isFirstOnLine, !Self.continuesLine(token) { return }
      isFirst = false
      try skip()
    }
  }

  private static func continuesLine(_ token: ModelToken) -> Bool {
    switch token.kind {
    case .sign(let sign): ".?:+-*/%&|=<>,".utf8.contains(sign)
    case .word(let word, isQuoted: false): ["as", "is", "else", "in", "by"].contains(word)
    default: false
    }
  }

  /// Skips up to and with the semicolon that ends a statement.
  mutating func skipStatement() throws(ModelFault) {
    while !isAtEnd, !token.isSign("}") {
      if try take(";") { return }
      try skip()
    }
  }
}

// MARK: - Types

extension ModelCursor {
  /// The limit for types inside types.
  private static let mostTypeLevels = 8

  /// A type: `Int?`, `List<Dog>`, `io.realm.RealmList<String>`, `byte[]`.
  mutating func type(level: Int = 0) throws(ModelFault) -> DeclaredType {
    guard level <= Self.mostTypeLevels else { throw fault("types nested more than \(Self.mostTypeLevels) levels deep") }
    let place = place
    var type = DeclaredType(name: try name(), place: place)
    while token.isSign("."), try following().word != nil {
      try take()
      type.name = try name()
    }
    if try take("<") {
      repeat {
        // The type arguments of the SDKs' types may say how they are used: `in`, `out`.
        if !token.isSign(">") { type.arguments.append(try self.type(level: level + 1)) }
      } while try take(",")
      try expect(">")
    }
    while true {
      if token.isSign("?") {
        try take()
        type.isOptional = true
      } else if token.isSign("!"), scanner.language == .swift {
        try take()
        type.isOptional = true
      } else if token.isSign("["), try following().isSign("]"), !type.isArray {
        try take()
        try take()
        // `byte?[]` would be an array of bytes that can be null.
        guard !type.isOptional else { throw ModelFault(place: place, reason: "an array of values that can be null") }
        type.isArray = true
      } else {
        return type
      }
    }
  }

  /// The value that begins here, as far as its spelling shows what it is; nil, without reading anything, if it does
  /// not.
  func typeOfValue() throws(ModelFault) -> DeclaredType? {
    var ahead = self
    if try ahead.take("-"), case .number = ahead.token.kind {} else if token.isSign("-") { return nil }
    let place = place
    func type(_ name: String) -> DeclaredType { DeclaredType(name: name, place: place) }
    switch ahead.token.kind {
    case .string: return type("String")
    case .number(let text):
      let isHex = text.lowercased().hasPrefix("0x")
      if !isHex, let suffix = text.lowercased().last, "fl".contains(suffix) {
        return type(suffix == "f" ? "Float" : "Long")
      }
      return type(!isHex && text.contains { ".eE".contains($0) } ? "Double" : "Int")
    case .word("true", isQuoted: false), .word("false", isQuoted: false):
      return type(scanner.language == .kotlin ? "Boolean" : "Bool")
    case .word:
      guard var type = try? ahead.type() else { return nil }
      // `ObjectId.generate()`, `Kind.big`: the type is before the last point.
      if type.arguments.isEmpty, let owner = try ownerOfMember() { type.name = owner }
      guard !type.isOptional, !type.isArray else { return nil }
      return type
    default: return nil
    }
  }

  /// `Kind` for `Kind.big` and for `Models.Kind.big`; nil for a name without points.
  private func ownerOfMember() throws(ModelFault) -> String? {
    var ahead = self
    var names = [try ahead.name()]
    while try ahead.take(".") { names.append(try ahead.name()) }
    return names.count > 1 ? names[names.count - 2] : nil
  }
}
