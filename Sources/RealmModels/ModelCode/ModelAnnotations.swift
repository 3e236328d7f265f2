import RealmStorage

/// The annotations before a declaration in Kotlin, Java or Dart: `@PrimaryKey`, `@MapTo("dog")`.
struct ModelAnnotations {
  /// One annotation, with the text between its parentheses.
  struct Annotation {
    let name: String
    let place: ModelPlace
    var arguments: [Argument] = []
  }

  struct Argument {
    /// `name` for `name = "Dog"`; nil for one without.
    var label: String?
    let value: Value
    let place: ModelPlace
  }

  enum Value: Equatable {
    case text(RealmString)
    case flag(Bool)
    /// `IndexType.FullText`, `#dogs`: the last name.
    case name(String)
    case other
  }

  private(set) var list: [Annotation] = []
  private(set) var modifiers: Set<String> = []

  /// Takes annotations and modifiers up to the first word that is neither.
  init(_ cursor: inout ModelCursor, modifiers known: Set<String>) throws(ModelFault) {
    while true {
      if cursor.token.isSign("@"), try !cursor.following().isWord("interface") {
        list.append(try Self.annotation(&cursor))
      } else if case .word(let word, isQuoted: false) = cursor.token.kind, known.contains(word),
        try Self.isModifier(before: cursor.following())
      {
        modifiers.insert(word)
        try cursor.take()
      } else {
        return
      }
    }
  }

  /// C#'s form: `[PrimaryKey, MapTo("_id")]`.
  init(bracketed cursor: inout ModelCursor, modifiers known: Set<String>) throws(ModelFault) {
    while true {
      if cursor.token.isSign("[") {
        try cursor.take()
        repeat {
          guard !cursor.token.isSign("]") else { break }
          list.append(try Self.named(&cursor))
        } while try cursor.take(",")
        try cursor.expect("]")
      } else if case .word(let word, isQuoted: false) = cursor.token.kind, known.contains(word),
        try Self.isModifier(before: cursor.following(), hasTuples: true)
      {
        modifiers.insert(word)
        try cursor.take()
      } else {
        return
      }
    }
  }

  /// Adds what stands closer to the declaration.
  mutating func add(_ other: ModelAnnotations) {
    list += other.list
    modifiers.formUnion(other.modifiers)
  }

  /// Whether what follows leaves the word a modifier: a field can be called `value`.
  private static func isModifier(before token: ModelToken, hasTuples: Bool = false) -> Bool {
    hasTuples && token.isSign("(") && !token.isAdjacent || token.word != nil || token.isSign("@") || token.isSign("<")
  }

  private static func annotation(_ cursor: inout ModelCursor) throws(ModelFault) -> Annotation {
    try cursor.expect("@")
    return try named(&cursor)
  }

  private static func named(_ cursor: inout ModelCursor) throws(ModelFault) -> Annotation {
    let place = cursor.place
    var name = try cursor.name()
    // `@field:PrimaryKey`, `@io.realm.annotations.Index`
    while cursor.token.isSign(".") || cursor.token.isSign(":"), try cursor.following().word != nil {
      try cursor.take()
      name = try cursor.name()
    }
    var annotation = Annotation(name: name, place: place)
    if cursor.token.isSign("("), !cursor.token.isFirstOnLine { annotation.arguments = try arguments(&cursor) }
    return annotation
  }

  private static func arguments(_ cursor: inout ModelCursor) throws(ModelFault) -> [Argument] {
    var arguments: [Argument] = []
    try cursor.expect("(")
    while !cursor.token.isSign(")"), !cursor.isAtEnd {
      let place = cursor.place
      var label: String?
      if let word = cursor.token.word {
        let next = try cursor.following()
        if next.isSign("=") || next.isSign(":") {
          label = word
          try cursor.take()
          try cursor.take()
        }
      }
      arguments.append(Argument(label: label, value: try value(&cursor), place: place))
      guard try cursor.take(",") else { break }
    }
    try cursor.expect(")")
    return arguments
  }

  private static func value(_ cursor: inout ModelCursor) throws(ModelFault) -> Value {
    var value = Value.other
    switch cursor.token.kind {
    case .string(let text?): value = .text(text)
    case .word("true", isQuoted: false): value = .flag(true)
    case .word("false", isQuoted: false): value = .flag(false)
    case .word("nameof", isQuoted: false) where try cursor.following().isSign("("):
      try cursor.take()
      try cursor.take()
      let name = try cursor.type().name
      try cursor.expect(")")
      guard cursor.token.isSign(")") || cursor.token.isSign(",") else { break }
      return .name(name)
    case .word, .sign(UInt8(ascii: "#")):
      _ = try cursor.take("#")
      var name = try cursor.name()
      while try cursor.take(".") { name = try cursor.name() }
      guard cursor.token.isSign(")") || cursor.token.isSign(",") else { break }
      return .name(name)
    default: break
    }
    try cursor.skip()
    if cursor.token.isSign(")") || cursor.token.isSign(",") { return value }
    while !cursor.isAtEnd, !cursor.token.isSign(")"), !cursor.token.isSign(",") { try cursor.skip() }
    return .other
  }

  subscript(name: String) -> Annotation? { list.first { $0.name == name } }

  func has(_ name: String) -> Bool { self[name] != nil }

  /// Whether the SDK ignores the property.
  var isIgnored: Bool { ["Ignore", "Ignored", "Transient"].contains(where: has) }

  /// The argument of the annotation; nil if it is not here.
  func text(_ name: String, label: String) throws(ModelFault) -> RealmString? {
    try self[name]?.text(label: label)
  }

  /// Applies what the annotations say of a property in all of these languages.
  func apply(to property: inout DeclaredProperty) throws(ModelFault) {
    property.isPrimaryKey = has("PrimaryKey")
    property.isRequired = has("Required")
    if has("FullText") { property.index = .fullText }
    if has("Index") { property.index = .general }
    if let indexed = self["Indexed"] { property.index = try indexed.indexKind() }
    for name in ["PersistedName", "MapTo", "RealmField"] where property.storedName == nil {
      property.storedName = try text(name, label: "name")
    }
    if let origin = try text("LinkingObjects", label: "value") { property.origin = (origin.description, nil) }
    if let backlink = self["Backlink"] {
      switch backlink.arguments.count == 1 ? backlink.arguments[0].value : .other {
      case .name(let name): property.origin = (name, nil)
      case .text(let name): property.origin = (name.description, nil)
      default: throw backlink.fault("the link that this is the inverse of is missing")
      }
    }
  }
}

extension ModelAnnotations.Annotation {
  func fault(_ reason: String) -> ModelFault { ModelFault(place: place, reason: "@\(name): \(reason)") }

  /// The only string between the parentheses.
  fileprivate func text(label: String) throws(ModelFault) -> RealmString {
    let known: [String?] = [nil, label, "value", "name"]
    guard arguments.count == 1, known.contains(arguments[0].label), case .text(let text) = arguments[0].value else {
      throw fault("only one plain string is supported here")
    }
    return text
  }

  fileprivate func indexKind() throws(ModelFault) -> IndexKind {
    guard let argument = arguments.first else { return .general }
    guard arguments.count == 1, case .name(let name) = argument.value else {
      throw fault("the kind of index is not clear")
    }
    switch name {
    case "fullText", "FullText": return .fullText
    case "regular", "General": return .general
    case "None": return IndexKind.none
    default: throw fault("'\(name)' is not a kind of index")
    }
  }

  /// Realm Java's `@RealmClass(name = "Dog", embedded = true)`.
  func apply(to model: inout DeclaredClass) throws(ModelFault) {
    for argument in arguments {
      switch (argument.label, argument.value) {
      case ("name", .text(let name)), ("value", .text(let name)), (nil, .text(let name)): model.storedName = name
      case ("embedded", .flag(let flag)): model.kind = flag ? .embedded : .topLevel
      default: throw fault("only 'name' and 'embedded' are supported here")
      }
    }
  }
}
