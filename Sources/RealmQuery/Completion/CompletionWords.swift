import RealmStorage
import RealmText

/// The candidates at places of different kinds.
struct CompletionWords {
  private let schema: Schema

  init(_ schema: Schema) { self.schema = schema }

  // MARK: Names

  /// A name as it is written in a query.
  static func written(_ name: RealmString) -> String {
    let text = name.description
    var lexer = Lexer(text, .reference)
    let token = try? lexer.next()
    let isPlain =
      token?.range == SourceRange(0, text.utf8.count) && token?.kind.isName == true && !text.hasPrefix("@")
      && !text.hasPrefix("$") && !text.contains("\\")
    return isPlain ? text : "`" + text.replacing("`", by: "``") + "`"
  }

  func properties(of table: TableSchema?) -> [Completion] {
    (table?.properties ?? []).filter { !$0.isComputed }.map {
      Completion(text: Self.written($0.name), kind: .property, property: $0)
    }
  }

  /// Those that can be compared with what a path has led to.
  func properties(of table: TableSchema?, fitting place: CompletionReader.Place) -> [Completion] {
    properties(of: table).filter { candidate in
      guard let other = candidate.property else { return false }
      switch place {
      case .values(let property):
        guard other.type != .object || property.type == .mixed else { return false }
        return other != property && ValueType(other.type).isComparable(with: ValueType(property.type))
      case .objects(let target, _):
        return other.type == .mixed || (other.type == .object && other.target == target.name)
      case .number: return ValueType(other.type).isNumeric
      case .backlinks, .backlinksOf, .aggregate, .other: return true
      }
    }
  }

  private static func keywords(_ words: [String]) -> [Completion] { words.map { Completion(text: $0, kind: .keyword) } }
  private static func functions(_ words: [String]) -> [Completion] {
    words.map { Completion(text: $0, kind: .function) }
  }
  private static func constants(_ words: [String]) -> [Completion] {
    words.map { Completion(text: $0, kind: .constant) }
  }

  func operands(of table: TableSchema?, _ variables: [String]) -> [Completion] {
    variables.reversed().map { Completion(text: $0, kind: .variable) } + properties(of: table)
      + Self.keywords(["NOT", "ANY", "ALL", "NONE", "SUBQUERY", "TRUEPREDICATE", "FALSEPREDICATE"])
      + Self.functions(["@links"])
  }

  /// What follows a point.
  func names(behind place: CompletionReader.Place, inOrdering: Bool) -> [Completion] {
    switch place {
    case .objects(let table, let isMany):
      if inOrdering { return properties(of: table) }
      return properties(of: table) + Self.functions(["@links", "@count"])
        + (isMany ? Self.functions(["@min", "@max", "@sum", "@avg"]) : [])
    case .values(let property): return inOrdering ? [] : Self.functions(names(behind: property))
    case .backlinks(let target):
      return origins(of: target).map { Completion(text: Self.written($0.displayName), kind: .className) }
        + Self.functions(["@count"])
    case .backlinksOf(let origin, let target):
      return origin.properties.filter { $0.type == .object && $0.target == target.name }.map {
        Completion(text: Self.written($0.name), kind: .property, property: $0)
      }
    case .aggregate(let table):
      return properties(of: TableSchema(name: table.name, properties: table.properties.filter(Self.isSummable)))
    case .number, .other: return Self.functions(["@count"])
    }
  }

  private static func isSummable(_ property: Property) -> Bool {
    guard property.collection == nil else { return false }
    return switch property.type {
    case .int, .float, .double, .decimal128, .date, .mixed: true
    default: false
    }
  }

  private func names(behind property: Property) -> [String] {
    switch property.collection {
    case .dictionary: return ["@keys", "@values", "@count", "@type"] + aggregates(property)
    case .list, .set: return ["@count"] + (property.type == .string ? ["length"] : []) + aggregates(property)
    case nil: break
    }
    return switch property.type {
    case .string, .data: ["@count", "@size"]
    case .mixed: ["@type", "@count", "@size"]
    default: []
    }
  }

  private func aggregates(_ property: Property) -> [String] {
    switch property.type {
    case .int, .float, .double, .decimal128, .mixed: ["@min", "@max", "@sum", "@avg"]
    default: []
    }
  }

  private func origins(of target: TableSchema) -> [TableSchema] {
    schema.classes.filter { table in
      table.properties.contains { $0.type == .object && $0.target == target.name }
    }
  }

  // MARK: Operators

  func operators(for place: CompletionReader.Place) -> [Completion] {
    let words: [String]
    switch place {
    case .objects(let table, _):
      let isPoint = table.kind == .embedded && table.property(named: "coordinates") != nil
      words = ["==", "!=", "IN"] + (isPoint ? ["GEOWITHIN"] : [])
    case .values(let property): words = Self.operators(of: property)
    case .number: words = Self.ordered
    case .backlinks, .backlinksOf, .aggregate: return []
    case .other: words = Self.ordered + Self.ofTexts
    }
    return words.map { Completion(text: $0, kind: .comparison) }
  }

  private static let ordered = ["==", "!=", "<", "<=", ">", ">=", "IN", "BETWEEN"]
  private static let ofTexts = [
    "==[c]", "CONTAINS", "CONTAINS[c]", "BEGINSWITH", "BEGINSWITH[c]", "ENDSWITH",
    "ENDSWITH[c]", "LIKE", "LIKE[c]",
  ]

  private static func operators(of property: Property) -> [String] {
    switch property.type {
    case .string: ordered + ofTexts + (property.index == .fullText ? ["TEXT"] : [])
    case .mixed: ordered + ofTexts
    case .data: ["==", "!=", "IN", "CONTAINS", "BEGINSWITH", "ENDSWITH"]
    case .bool: ["==", "!="]
    default: ordered
    }
  }

  func constants(for place: CompletionReader.Place) -> [Completion] {
    guard case .values(let property) = place else {
      if case .objects(let table, _) = place { return Self.constants(["obj(\"\(table.displayName)\", ", "null"]) }
      return []
    }
    let words: [String]
    switch property.type {
    case .bool: words = ["true", "false"]
    case .data: words = ["binary("]
    case .objectID: words = ["oid("]
    case .uuid: words = ["uuid("]
    case .float, .double: words = ["inf", "nan"]
    default: words = []
    }
    return Self.constants(words + (property.isOptional || property.collection != nil ? ["null"] : []))
  }

  func conjunctions(atEnd: Bool) -> [Completion] {
    Self.keywords(["AND", "OR"] + (atEnd ? ["SORT", "DISTINCT", "LIMIT"] : []))
  }

  var directions: [Completion] { Self.keywords(["ASC", "DESC"]) }
}
