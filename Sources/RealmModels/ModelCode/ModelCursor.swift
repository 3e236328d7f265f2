import RealmStorage

/// Goes through the tokens of model code. Everything that a reader of a language needs more than once is here.
struct ModelCursor {
  private var scanner: ModelScanner
  /// The next token, which has not been taken.
  private(set) var token: ModelToken

  init(_ bytes: [UInt8], _ language: ModelLanguage, file: Int = 0) throws(ModelFault) {
    scanner = try ModelScanner(bytes, language, file: file)
    token = try scanner.next()
  }

  var language: ModelLanguage { scanner.language }
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

  /// Takes everything between `<` and the matching `>`.
  mutating func skipGenerics() throws(ModelFault) {
    var level = 0
    repeat {
      if token.isSign("<") { level += 1 }
      if token.isSign(">") { level -= 1 }
      guard !isAtEnd, !"{};=".unicodeScalars.contains(where: token.isSign) else {
        throw fault("expected '>', not \(token.text)")
      }
      if token.isSign("(") { try skip() } else { try take() }
    } while level > 0
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
}
