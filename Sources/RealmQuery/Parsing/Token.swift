/// The kind of a word, sign or literal of a query.
///
/// Raw values are the names in syntax errors: those of the reference, but for numbers, which have a name out of its grammar
/// there, and for the words of `SORT`. Lists of what was expected are in the order of the cases.
enum TokenKind: String, Hashable, Sendable, CaseIterable {
  case end = "end of file"
  case plus = "'+'"
  case minus = "'-'"
  case star = "'*'"
  case slash = "'/'"
  case truePredicate = "truepredicate"
  case falsePredicate = "falsepredicate"
  case subquery = "subquery"
  case trueWord = "true"
  case falseWord = "false"
  case null = "null"
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case greater = ">"
  case greaterOrEqual = ">="
  case lessOrEqual = "<="
  case ignoreCase = "[c]"
  case any = "any"
  case all = "all"
  case none = "none"
  case maximum = "@max"
  case minimum = "@min"
  case sum = "@sum"
  case average = "@average"
  case and = "&&"
  case or = "||"
  case not = "!"
  case geoBox = "geobox"
  case geoPolygon = "geopolygon"
  case geoCircle = "geocircle"
  case identifier = "identifier"
  case string = "string"
  case base64 = "base64"
  case infinity = "infinity"
  case nan = "NaN"
  case natural = "natural number"
  case number = "number"
  case float = "float"
  case date = "date"
  case uuid = "UUID"
  case objectID = "ObjectId"
  case link = "link"
  case typedLink = "typed link"
  case argument = "argument"
  case keyPathArgument = "keypath"
  case beginsWith = "beginswith"
  case endsWith = "endswith"
  case contains = "contains"
  case text = "fulltext"
  case like = "like"
  case between = "between"
  case isIn = "in"
  case geoWithin = "geowithin"
  case object = "obj"
  case sort = "sort"
  case distinct = "distinct"
  case limit = "limit"
  case binary = "binary"
  case ascending = "ASC"
  case descending = "DESC"
  case indexFirst = "FIRST"
  case indexLast = "LAST"
  case indexSize = "SIZE"
  case size = "@size"
  case type = "@type"
  case keysOrValues = "key or value"
  case links = "@links"
  case leftParenthesis = "'('"
  case rightParenthesis = "')'"
  case dot = "'.'"
  case comma = "','"
  case leftBracket = "'['"
  case rightBracket = "']'"
  case leftBrace = "'{'"
  case rightBrace = "'}'"

  /// Whether it can be a name in a key path.
  var isName: Bool {
    switch self {
    case .identifier, .links, .beginsWith, .endsWith, .contains, .like, .between, .keysOrValues, .sort, .distinct,
      .limit, .ascending, .descending, .isIn, .text, .binary, .indexFirst, .indexLast, .indexSize:
      true
    default: false
    }
  }

  var comparison: ComparisonOperator? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .greater: .greater
    case .lessOrEqual: .lessOrEqual
    case .greaterOrEqual: .greaterOrEqual
    case .isIn: .isIn
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .contains: .contains
    case .like: .like
    case .text: .text
    default: nil
    }
  }

  var quantifier: Quantifier? {
    switch self {
    case .any: .any
    case .all: .all
    case .none: Quantifier.none
    default: nil
    }
  }
}

/// A word, sign or literal, and its place.
struct Token: Hashable, Sendable {
  var kind: TokenKind
  var range: SourceRange
}

/// The words that are not plain names.
enum Keywords {
  /// The other meaning of a name in a query; nil for plain names.
  static func kind(of word: ArraySlice<UInt8>) -> TokenKind? {
    guard (2...14).contains(word.count) else { return nil }
    let lowered = word.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    return exact[String(decoding: word, as: UTF8.self)] ?? anyCase[String(decoding: lowered, as: UTF8.self)]
  }

  /// Words in these spellings only.
  private static let exact: [String: TokenKind] = [
    "in": .isIn, "IN": .isIn, "not": .not, "NOT": .not, "any": .any, "ANY": .any, "some": .any, "SOME": .any,
    "all": .all, "ALL": .all, "none": .none, "NONE": .none, "FIRST": .indexFirst, "first": .indexFirst,
    "LAST": .indexLast, "last": .indexLast, "SIZE": .indexSize, "size": .indexSize, "true": .trueWord,
    "TRUE": .trueWord, "false": .falseWord, "FALSE": .falseWord,
  ]

  /// Words in any mixture of upper and lower case.
  private static let anyCase: [String: TokenKind] = [
    "and": .and, "or": .or, "beginswith": .beginsWith, "endswith": .endsWith, "contains": .contains, "text": .text,
    "like": .like, "between": .between, "geowithin": .geoWithin, "truepredicate": .truePredicate,
    "falsepredicate": .falsePredicate, "sort": .sort, "distinct": .distinct, "limit": .limit, "bin": .binary,
    "binary": .binary, "obj": .object, "ascending": .ascending, "asc": .ascending, "descending": .descending,
    "desc": .descending, "subquery": .subquery, "geobox": .geoBox, "geopolygon": .geoPolygon,
    "geocircle": .geoCircle, "inf": .infinity, "infinity": .infinity, "nan": .nan, "null": .null, "nil": .null,
  ]
}
