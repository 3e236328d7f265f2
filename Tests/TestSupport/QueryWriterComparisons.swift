import RealmStorage

extension QueryWriter {
  // MARK: Constants

  private static let scalarTypes: [PropertyType] = [
    .int, .bool, .string, .data, .date, .float, .double, .decimal128, .objectID, .uuid,
  ]

  /// A constant to compare with a place, mostly of its type and often one of its values.
  mutating func constant(_ place: Place) -> String {
    let type = place.property?.type ?? .int
    switch roll(100) {
    case ..<62: if let value = pick(place.values) { return text(value) }
    case ..<70: return "null"
    case ..<82 where Self.numeric.contains(type): return number(place)
    case ..<84: return value(pick(Self.scalarTypes) ?? .int)
    default: break
    }
    return value(type)
  }

  private static let numeric: Set<PropertyType> = [.int, .float, .double, .decimal128, .mixed]

  /// A number in another form than the place's.
  private mutating func number(_ place: Place) -> String {
    let integer: Int
    switch pick(place.values) {
    case .int(let value): integer = Int(clamping: value)
    case .double(let value) where value.magnitude < 1e9: integer = Int(clamping: value)
    case .float(let value) where value.magnitude < 1e9: integer = Int(clamping: Double(value))
    default: integer = roll(60) - 20
    }
    switch roll(9) {
    case 0: return "\(integer).5"
    case 1: return "\(integer).0"
    case 2: return "\(integer).0f"
    case 3: return "\"\(integer)\""
    case 4: return word("inf", "-inf", "nan", "0.0", "-0.0")
    case 5: return "\(integer)e1"
    default: return "\(integer)"
    }
  }

  private mutating func value(_ type: PropertyType) -> String {
    switch type {
    case .int: "\(roll(200) - 40)"
    case .bool: word("true", "false")
    case .string: word("\"\"", "\"a\"", "\"A\"", "\"é\"", "'Rex'", "\"x\"", "\"zzz\"")
    case .data: word("binary(\"\")", "bin(\"a\")", "binary(B64\"AQI=\")")
    case .date: "T\(roll(2_000_000_000)):\(roll(3))"
    case .float: "\(roll(100)).25f"
    case .double: "\(roll(100)).\(roll(100))"
    case .decimal128: "\(roll(1000) - 300).\(10 + roll(80))"
    case .objectID: "oid(507f1f77bcf86cd79943901\(roll(10)))"
    case .uuid: "uuid(3b241101-e2bb-4255-8caf-4136c566a96\(roll(10)))"
    case .mixed: value(pick(Self.scalarTypes) ?? .int)
    case .object, .linkingObjects: object(pick(samples.classes))
    }
  }

  private mutating func text(_ value: Value) -> String {
    switch value {
    case .link(let table, let key), .typedLink(let table, let key):
      let target = samples.classes.first { $0.tableKey == table }
      if let target, let index = target.objects.firstIndex(of: key) { return object(target, index) }
      return key.rawValue >= 0 ? "L\(table.rawValue):\(key.rawValue)" : "null"
    default: return QueryLiterals.text(value)
    }
  }

  private mutating func object(_ target: QuerySamples.Class?) -> String {
    guard let target, let index = target.objects.indices.randomElement(using: &random) else { return "O0" }
    return object(target, index)
  }

  private mutating func object(_ target: QuerySamples.Class, _ index: Int) -> String {
    let key = target.objects[index].rawValue
    if key < 0 { return "null" }
    switch target.primaryKeys[index] {
    case .int, .string, .objectID, .uuid:
      guard chance(70), !target.name.contains("\""), !target.name.contains("\\") else { break }
      let literal = QueryLiterals.text(target.primaryKeys[index])
      if literal.hasPrefix("B64") { break }
      return "obj(\"\(word("", "class_"))\(target.name)\", \(literal))"
    default: break
    }
    return chance(50) ? "O\(key)" : "L\(target.tableKey.rawValue):\(key)"
  }

  private mutating func list(_ place: Place, most: Int = 4) -> String {
    "{" + (0..<roll(most + 1)).map { _ in constant(place) }.joined(separator: ", ") + "}"
  }

  // MARK: Single values

  mutating func singleComparison(_ place: Place) -> String {
    let type = place.property?.type ?? .int
    switch roll(100) {
    // With several objects for a link, the reference finds only some.
    case ..<6 where type != .object:
      return "\(place.text) \(word("IN", "==", "IN", "!=")) \(word("", "", "ANY ", "ALL ", "NONE "))\(list(place))"
    case ..<9: return "\(constant(place)) \(relation()) \(place.text)"
    case ..<14 where type != .bool && type != .object:
      return "\(place.text) BETWEEN {\(constant(place)), \(constant(place))}"
    case ..<24 where Self.numeric.contains(type): return arithmetic(place)
    case ..<60 where type == .string || type == .data || type == .mixed: return stringComparison(place)
    case ..<62: return stringComparison(place)
    case ..<80 where type == .object: return "\(place.text) \(word("==", "!=")) \(constant(place))"
    case ..<64: return "\(word("ANY", "ALL", "NONE")) \(place.text) \(relation()) \(constant(place))"
    case ..<68 where type != .object:
      return "\(place.text) \(relation()) \(word("ANY", "ALL", "NONE")) \(list(place))"
    default: return "\(place.text) \(relation()) \(constant(place))"
    }
  }

  private mutating func arithmetic(_ place: Place) -> String {
    let sign = word("+", "-", "*", "/")
    switch roll(4) {
    case 0: return "\(place.text) \(sign) \(number(place)) \(relation()) \(constant(place))"
    case 1: return "\(number(place)) \(sign) \(place.text) \(relation()) \(number(place))"
    case 2:
      return "(\(place.text) \(sign) \(number(place))) \(word("+", "-", "*", "/")) 2 \(relation()) \(number(place))"
    default:
      let other = self.place(from: place.owner)?.text ?? "1"
      return "\(place.text) \(sign) \(number(place)) \(relation()) \(other)"
    }
  }

  private mutating func stringComparison(_ place: Place) -> String {
    let isFullText = place.property?.index == .fullText
    if isFullText ? chance(60) : chance(1), place.property?.type == .string {
      return "\(place.text) TEXT \(words(place))"
    }
    // How the reference compares data without regard to case is arbitrary if it is not UTF-8.
    let hasCase = !place.values.contains { $0.dataValue != nil }
    let ignoresCase = hasCase && chance(30) ? "[c]" : ""
    if hasCase, chance(15) { return "\(place.text) \(word("==", "!=", "IN"))[c] \(constant(place))" }
    let comparison = word("BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE")
    return "\(place.text) \(comparison)\(ignoresCase) \(part(place, isPattern: comparison == "LIKE"))"
  }

  /// A part of one of the place's strings.
  private mutating func part(_ place: Place, isPattern: Bool) -> String {
    switch pick(place.values) {
    case .string(let text) where chance(85):
      var characters = Array(text.description.unicodeScalars.prefix(200))
      if chance(60) { characters = Array(characters.dropFirst(roll(4)).prefix(1 + roll(6))) }
      var part = String(String.UnicodeScalarView(characters))
      if chance(20) { part = part.uppercased() } else if chance(20) { part = part.lowercased() }
      if isPattern { part = word("*", "", "?", "**") + part + word("*", "", "?", "*?") }
      return QueryLiterals.string(RealmString(part))
    case .data(let bytes) where chance(85):
      let start = roll(min(bytes.count, 4))
      return QueryLiterals.text(.data(Array(bytes.dropFirst(start).prefix(1 + roll(4)))))
    default:
      if place.property?.type == .data { return chance(85) ? value(.data) : constant(place) }
      return chance(88) ? value(.string) : constant(place)
    }
  }

  /// A text to search for.
  private mutating func words(_ place: Place) -> String {
    guard case .string(let text) = pick(place.values) else { return "\"a\"" }
    let all = text.description.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let some = (0...roll(3)).compactMap { _ in pick(all) }.map { text in
      let text = text.filter { $0.isASCII }
      return word("", "", "", "-") + (chance(25) ? text.prefix(2) + "*" : text)
    }
    return QueryLiterals.string(RealmString(some.joined(separator: " ")))
  }

  // MARK: Collections

  mutating func collectionComparison(_ place: Place) -> String {
    let quantifier = word("", "", "", "ANY ", "SOME ", "ALL ", "NONE ")
    let type = place.property?.type ?? .int
    switch roll(100) {
    case ..<8: return "\(constant(place)) IN\(chance(15) ? "[c]" : "") \(place.text)"
    case ..<16:
      return
        "\(quantifier)\(place.text) \(word("IN", "==", "!=")) \(word("", "", "ANY ", "ALL ", "NONE "))\(list(place))"
    // The reference reads a path to `.length` twice there, and finds nothing the second time.
    case ..<22 where type != .object && place.property != nil:
      return "\(word("ALL ", "ALL ", "")) \(place.text) BETWEEN {\(constant(place)), \(constant(place))}"
    case ..<26 where type != .object: return "\(constant(place)) \(relation()) \(quantifier)\(place.text)"
    case ..<45 where type == .string || type == .data:
      var single = place
      single.text = quantifier + place.text
      return stringComparison(single)
    case ..<50 where Self.numeric.contains(type): return arithmetic(place)
    case ..<90 where type == .object: return "\(quantifier)\(place.text) \(word("==", "!=")) \(constant(place))"
    default: return "\(quantifier)\(place.text) \(relation()) \(constant(place))"
    }
  }
}
