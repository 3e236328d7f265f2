/// What a reader of a language does with the declarations of types in code.
protocol ModelTypeVisitor {
  /// The attributes and modifiers before a declaration.
  associatedtype Prefix
  /// Words that begin the declaration of a type.
  static var typeWords: Set<String> { get }
  /// Words that are no names where a type has its name: `class func`.
  static var noNames: Set<String> { get }
  /// Takes attributes and modifiers; nil if none can begin here.
  mutating func prefix(_ cursor: inout ModelCursor, after last: ModelToken?) throws(ModelFault) -> Prefix?
  mutating func directive(_ text: String)
  /// Called for each type, with the cursor before its keyword.
  mutating func found(_ type: FoundType<Prefix>) throws(ModelFault)
}

/// A declaration of a type, with everything that is needed to read it.
struct FoundType<Prefix> {
  let prefix: Prefix
  /// Before the keyword.
  let cursor: ModelCursor
  /// Whether it is inside another type or a function.
  let isNested: Bool
  /// Whether it is between `#if` and `#endif`.
  let isConditional: Bool
}

extension ModelTypeVisitor {
  static var noNames: Set<String> { [] }
  mutating func directive(_ text: String) {}

  /// The limit for braces inside braces. Looking ahead goes through everything inside, so it limits the time.
  private static var mostBraces: Int { 128 }

  /// Goes through all code, and finds the declarations of types, however deep they are. The code around them is not
  /// read.
  mutating func findTypes(in code: ModelCursor) throws(ModelFault) {
    // For each open brace, where it is, and whether it is the one of a namespace.
    var open: [(place: ModelPlace, isNamespace: Bool)] = []
    var (cursor, last, conditions, isNamespace, namespaces) = (code, ModelToken?.none, 0, false, 0)
    while !cursor.isAtEnd {
      if try findType(&cursor, last, isNested: open.count > namespaces, isConditional: conditions > 0) {
        last = nil
        continue
      }
      switch cursor.token.kind {
      case .directive(let text):
        if text.hasPrefix("if") { conditions += 1 }
        if text.hasPrefix("endif") { conditions -= 1 }
        directive(text)
      case .sign(UInt8(ascii: "{")):
        guard open.count < Self.mostBraces else {
          throw cursor.fault("braces nested more than \(Self.mostBraces) levels deep")
        }
        open.append((cursor.place, isNamespace))
        namespaces += isNamespace ? 1 : 0
        isNamespace = false
      case .sign(UInt8(ascii: "}")):
        guard let brace = open.popLast() else { throw cursor.fault("\(cursor.token.text) does not belong here") }
        namespaces -= brace.isNamespace ? 1 : 0
      case .sign(UInt8(ascii: ";")): isNamespace = false
      case .word("namespace", isQuoted: false): isNamespace = code.language == .csharp
      default: break
      }
      last = try cursor.take()
    }
    if let brace = open.last { throw ModelFault(place: brace.place, reason: "unclosed bracket") }
  }

  /// Takes the prefix and the keyword of a type, or a prefix of something else; false, without taking anything, if
  /// there is neither.
  private mutating func findType(
    _ cursor: inout ModelCursor, _ last: ModelToken?, isNested: Bool, isConditional: Bool
  ) throws(ModelFault) -> Bool {
    // `Dog.class`, `Dog::class`
    if last?.isSign(".") == true || last?.isSign(":") == true { return false }
    var ahead = cursor
    guard let prefix = try prefix(&ahead, after: last) else { return false }
    guard let word = ahead.token.keyword, Self.typeWords.contains(word), let name = try ahead.following().word,
      !Self.noNames.contains(name)
    else {
      let isTaken = ahead.place != cursor.place
      cursor = ahead
      return isTaken
    }
    cursor = ahead
    try cursor.take()
    try found(FoundType(prefix: prefix, cursor: ahead, isNested: isNested, isConditional: isConditional))
    return true
  }
}
