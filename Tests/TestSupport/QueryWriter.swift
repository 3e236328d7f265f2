import RealmStorage

/// Writes random queries that a realm's classes can answer, with values taken from it. Some make no sense on purpose: an
/// operator on the wrong type, a quantifier without a list.
///
/// They mean the same in both dialects of the query language.
package struct QueryWriter {
  var random: SeededGenerator
  let samples: QuerySamples
  /// The variables of the enclosing subqueries, with their classes.
  var variables: [(name: String, schema: RealmString)] = []

  package init(seed: UInt64, samples: QuerySamples) {
    random = SeededGenerator(seed: seed)
    self.samples = samples
  }

  /// The next query and the class that it is for; nil if the realm has no class.
  package mutating func next() -> (className: String, text: String)? {
    guard let target = pick(samples.classes.filter { !$0.objects.isEmpty }) ?? pick(samples.classes) else { return nil }
    variables = []
    return (target.name, predicate(target, depth: 0) + ordering(target))
  }

  // MARK: Chance

  mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<max(sides, 1), using: &random) }
  mutating func chance(_ percent: Int) -> Bool { roll(100) < percent }
  mutating func pick<Element>(_ items: [Element]) -> Element? { items.randomElement(using: &random) }
  mutating func word(_ items: String...) -> String { items[roll(items.count)] }

  // MARK: Predicates

  mutating func predicate(_ target: QuerySamples.Class, depth: Int) -> String {
    switch roll(depth < 3 ? 100 : 70) {
    case ..<66: return comparison(target, depth: depth)
    case ..<68: return word("TRUEPREDICATE", "FALSEPREDICATE")
    case ..<70: return "NOT " + comparison(target, depth: depth)
    case ..<80: return joined(target, depth, word(" AND ", " && ", " and "))
    case ..<90: return joined(target, depth, word(" OR ", " || "))
    case ..<95: return "(" + predicate(target, depth: depth + 1) + ")"
    default: return word("NOT ", "!", "not ") + "(" + predicate(target, depth: depth + 1) + ")"
    }
  }

  private mutating func joined(_ target: QuerySamples.Class, _ depth: Int, _ sign: String) -> String {
    (0...1 + roll(2)).map { _ in predicate(target, depth: depth + 1) }.joined(separator: sign)
  }

  private mutating func comparison(_ target: QuerySamples.Class, depth: Int) -> String {
    if depth < 3, chance(6), let subquery = subquery(target, depth: depth) { return subquery }
    guard let place = place(from: target) else { return "TRUEPREDICATE" }
    if chance(4), let other = self.place(from: target) {
      return "\(place.text) \(relation()) \(other.text)"
    }
    if place.isMultiple || place.property?.collection != nil { return collectionComparison(place) }
    return singleComparison(place)
  }

  mutating func relation() -> String { word("==", "!=", "<", "<=", ">", ">=", "=", "<>", "=<", "=>") }

  private mutating func subquery(_ target: QuerySamples.Class, depth: Int) -> String? {
    guard let (text, other) = links(from: target) else { return nil }
    let name = "$x\(variables.count)"
    variables.append((name, other.schema.name))
    let condition = predicate(other, depth: depth + 1)
    variables.removeLast()
    return "SUBQUERY(\(text), \(name), \(condition)).@\(word("count", "size")) \(relation()) \(roll(4))"
  }

  /// A path to many objects of a class.
  private mutating func links(from target: QuerySamples.Class) -> (String, QuerySamples.Class)? {
    var text = ""
    var target = target
    if chance(20), let property = pick(singleLinks(target)), let name = QueryLiterals.name(property.name),
      let next = samples.target(of: property)
    {
      text = name + "."
      target = next
    }
    if chance(30), let (backlinks, other) = backlinks(to: target) { return (text + backlinks, other) }
    let lists = target.schema.properties.filter {
      $0.type == .object && ($0.collection == .list || $0.collection == .set)
    }
    guard let property = pick(lists), let name = QueryLiterals.name(property.name),
      let other = samples.target(of: property)
    else { return nil }
    return (text + name, other)
  }

  func singleLinks(_ target: QuerySamples.Class) -> [Property] {
    target.schema.properties.filter { $0.type == .object && $0.collection == nil }
  }

  mutating func backlinks(to target: QuerySamples.Class) -> (String, QuerySamples.Class)? {
    guard let (name, property) = pick(target.incoming), let origin = samples.classes.first(where: { $0.name == name }),
      let className = QueryLiterals.name(RealmString(name)), let propertyName = QueryLiterals.name(property.name)
    else { return nil }
    return ("@links.\(className).\(propertyName)", origin)
  }

  // MARK: Ordering

  private mutating func ordering(_ target: QuerySamples.Class) -> String {
    guard chance(25) else { return "" }
    return (0...roll(3)).map { _ in " " + step(target) }.joined()
  }

  private mutating func step(_ target: QuerySamples.Class) -> String {
    switch roll(4) {
    case 0: return "LIMIT(\(chance(10) ? 0 : roll(target.objects.count + 2)))"
    case 1:
      let paths = (0...roll(2)).compactMap { _ in singlePath(target) }
      return paths.isEmpty ? "LIMIT(5)" : "DISTINCT(\(paths.joined(separator: ", ")))"
    default:
      let paths = (0...roll(2)).compactMap { _ in singlePath(target).map { "\($0) \(word("ASC", "DESC"))" } }
      return paths.isEmpty ? "LIMIT(3)" : "SORT(\(paths.joined(separator: ", ")))"
    }
  }

  /// A path that has a single value, with few exceptions.
  private mutating func singlePath(_ start: QuerySamples.Class) -> String? {
    var text = ""
    var target = start
    while chance(25), let property = pick(singleLinks(target)), let name = QueryLiterals.name(property.name),
      let next = samples.target(of: property)
    {
      text += name + "."
      target = next
    }
    let properties = target.schema.properties.enumerated().filter {
      $0.element.collection == nil || $0.element.collection == .dictionary
    }
    guard let (index, property) = chance(3) ? pick(Array(target.schema.properties.enumerated())) : pick(properties),
      let name = QueryLiterals.name(property.name)
    else { return nil }
    guard property.collection == .dictionary, property.type != .object else { return text + name }
    return text + name + key(of: target, index)
  }

  /// `.key` or `["key"]` of a dictionary, mostly one that exists.
  mutating func key(of target: QuerySamples.Class, _ index: Int) -> String {
    let key = chance(85) ? pick(target.dictionaryKeys[index]) ?? "k" : "nope"
    if let name = QueryLiterals.name(key), chance(50) { return "." + name }
    let isPlain = key.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c }
    return isPlain ? "[\"\(key)\"]" : "[\"nope\"]"
  }
}
