import RealmStorage

// MARK: - Expressions

extension ModelCursor {
  /// Takes an expression, up to what cannot belong to it: a comma, a semicolon, a closing bracket, the accessors of a
  /// property, or, in languages without semicolons, the first token of a line that does not continue the one before.
  ///
  /// Operands and operators take turns, so two operands side by side are a fault, not a reason to go on into the next
  /// declaration.
  ///
  /// - Parameter isInBrackets: whether lines mean nothing.
  mutating func skipExpression(isInBrackets: Bool = false) throws(ModelFault) {
    var state = ExpressionState()
    while try !endsExpression(state, isInBrackets: isInBrackets) { try skipPart(&state) }
    guard !state.needsOperand else { throw fault("expected a value, not \(token.text)") }
  }

  private struct ExpressionState {
    var needsOperand = true
    /// Whether `(…)` came last: an operand may follow if that was a type, or the condition of an `if`.
    var isAfterParentheses = false
  }

  private func endsExpression(_ state: ExpressionState, isInBrackets: Bool) throws(ModelFault) -> Bool {
    switch token.kind {
    case .end, .directive, .sign(UInt8(ascii: ")")), .sign(UInt8(ascii: "]")), .sign(UInt8(ascii: "}")),
      .sign(UInt8(ascii: ";")), .sign(UInt8(ascii: ",")):
      return true
    default: break
    }
    guard !state.needsOperand, language.hasLines, !isInBrackets else { return false }
    if token.isFirstOnLine, !continuesLine { return true }
    return try beginsAccessors()
  }

  /// Whether the token cannot begin a line of its own.
  private var continuesLine: Bool {
    switch token.kind {
    case .sign(let sign): ".?:+-*/%&|=<>!".utf8.contains(sign)
    case .word(let word, isQuoted: false):
      language == .kotlin ? ["as", "else", "catch", "finally"].contains(word) : ["as", "is", "else"].contains(word)
    default: false
    }
  }

  /// Whether the getter, the setter or the observers of a property begin here.
  private func beginsAccessors() throws(ModelFault) -> Bool {
    if language == .kotlin {
      return token.keyword.map { ["get", "set", "private", "internal", "protected", "public"].contains($0) } ?? false
    }
    guard token.isSign("{") else { return false }
    return try observes()
  }

  /// Whether the braces here have accessors in them, in Swift.
  func observes() throws(ModelFault) -> Bool {
    var ahead = self
    try ahead.take()
    while ahead.token.isSign("@") {
      try ahead.take()
      _ = try ahead.name()
    }
    guard let word = ahead.token.keyword, ["willSet", "didSet"].contains(word) else { return false }
    let next = try ahead.following()
    return next.isSign("{") || next.isSign("(")
  }

  private mutating func skipPart(_ state: inout ExpressionState) throws(ModelFault) {
    switch token.kind {
    case .sign(let sign) where "({[".utf8.contains(sign):
      // An array or a pair in place of an operator is an index or a call.
      try skip()
      state = ExpressionState(needsOperand: false, isAfterParentheses: sign == UInt8(ascii: "("))
    case .sign(UInt8(ascii: "!")) where !state.needsOperand: try take()
    case .sign(UInt8(ascii: "?")) where !state.needsOperand && token.isAdjacent && !language.hasTernaries: try take()
    case .sign:
      try take()
      state = ExpressionState()
    case .word(let word, isQuoted: false) where operators.contains(word):
      try take()
      state = ExpressionState()
    case .word where !state.needsOperand && !state.isAfterParentheses && language == .kotlin:
      // `1 to 2`
      try take()
      state = ExpressionState()
    default:
      guard state.needsOperand || state.isAfterParentheses && language.hasCharacters else {
        throw fault("\(token.text) does not belong here")
      }
      if try !skipGenericName() { try take() }
      state = ExpressionState(needsOperand: false)
    }
  }

  /// Takes `Map<String, Int>`; false, without taking anything, for a name without `<` at its end.
  private mutating func skipGenericName() throws(ModelFault) -> Bool {
    guard token.word != nil else { return false }
    let next = try following()
    guard next.isSign("<"), next.isAdjacent else { return false }
    var ahead = self
    guard (try? ahead.type()) != nil else { return false }
    self = ahead
    return true
  }

  /// Words after which an expression goes on.
  private var operators: Set<String> {
    switch language {
    case .swift: ["as", "is", "in", "try", "await", "if", "else", "switch", "any", "some"]
    case .kotlin: ["as", "is", "in", "if", "else", "when", "try", "catch", "finally", "object", "throw", "return"]
    case .java: ["new", "instanceof"]
    case .csharp: ["new", "as", "is", "await", "not", "and", "or", "with", "throw"]
    case .dart: ["new", "const", "as", "is", "await", "throw"]
    case .javaScript, .objectiveC: []
    }
  }
}

extension ModelLanguage {
  /// Whether `?` always has a value on both sides.
  fileprivate var hasTernaries: Bool { self == .java || self == .csharp }
}

// MARK: - Types of values

/// The expressions of a language that show their type.
struct ModelValues: Sendable {
  /// `true` and `false`.
  let boolean: String
  /// Members that are values of their type, with or without arguments: `ObjectId.generate()`.
  let members: [String: Set<String>]
  /// Types that make a value, never null, of any arguments.
  let constructors: Set<String>
}

extension ModelCursor {
  /// The type of the value that begins here, if the spelling of all of it shows what it is; nil otherwise.
  ///
  /// - Parameters:
  ///   - values: what is known of the SDK's types.
  ///   - cases: of the enumerations of the code, by their names.
  func typeOfValue(
    _ values: ModelValues, cases: [String: Set<String>] = [:], isInBrackets: Bool = false
  ) throws(ModelFault) -> DeclaredType? {
    var (literal, construction, whole) = (self, self, self)
    try whole.skipExpression(isInBrackets: isInBrackets)
    if let type = try literal.literal(values), literal.place == whole.place { return type }
    let type = try construction.construction(values, cases)
    return construction.place == whole.place ? type : nil
  }

  /// Takes a number, a string, or a truth value; in Swift with the type that follows `as`.
  private mutating func literal(_ values: ModelValues) throws(ModelFault) -> DeclaredType? {
    let place = place
    let isSigned = try take("-")
    var name: String?
    switch token.kind {
    case .number(let text): name = numberType(text)
    case .string where !isSigned: name = "String"
    case .character where !isSigned && language == .kotlin: name = "Char"
    case .word("true", isQuoted: false) where !isSigned, .word("false", isQuoted: false) where !isSigned:
      name = values.boolean
    case .word("nil", isQuoted: false) where !isSigned && language == .swift: break
    default: return nil
    }
    try take()
    if language == .swift, token.isWord("as"), try following().word != nil {
      try take()
      return try type()
    }
    return name.map { DeclaredType(name: $0, place: place) }
  }

  private func numberType(_ text: String) -> String? {
    let lower = text.lowercased()
    if lower.hasPrefix("0x") { return lower.contains { ".pul".contains($0) } ? nil : "Int" }
    let rest = lower.drop { $0.isNumber || $0 == "_" }
    switch rest {
    case "": return "Int"
    case "l" where language == .kotlin: return "Long"
    case _ where rest.hasSuffix("f") && language == .kotlin && !rest.hasPrefix("0"): return "Float"
    case _ where rest.hasPrefix(".") || rest.hasPrefix("e"):
      return rest.allSatisfy { $0.isNumber || "._e+-".contains($0) } ? "Double" : nil
    default: return nil
    }
  }

  /// Takes `Date()`, `List<Dog>()`, `ObjectId.generate()` or `Kind.big`.
  private mutating func construction(
    _ values: ModelValues, _ cases: [String: Set<String>]
  ) throws(ModelFault) -> DeclaredType? {
    guard token.word != nil, !token.isWord("nil") else { return nil }
    var (ahead, names) = (self, [try name()])
    while token.isSign("."), !token.isFirstOnLine, try following().word != nil {
      try take()
      names.append(try name())
    }
    if let member = names.last, let owner = names.dropLast().last {
      let type = DeclaredType(name: owner, place: ahead.place)
      if cases[owner]?.contains(member) == true { return type }
      if values.members[owner]?.contains(member) == true {
        if token.isSign("(") { try skip() }
        return type
      }
    }
    guard let type = try? ahead.type(), !type.isOptional, !type.isArray, ahead.token.isSign("(") else { return nil }
    let isPlain = try ahead.hasPlainArguments()
    guard isPlain || values.constructors.contains(type.name) || !type.arguments.isEmpty else { return nil }
    try ahead.skip()
    self = ahead
    return type
  }

  /// Whether the parentheses here are empty, or have only a number in them: some types make no value of other arguments.
  private func hasPlainArguments() throws(ModelFault) -> Bool {
    var ahead = self
    try ahead.take()
    if try ahead.take("-") { guard case .number = ahead.token.kind else { return false } }
    if case .number = ahead.token.kind { try ahead.take() }
    return ahead.token.isSign(")")
  }
}
