import RealmStorage

extension QueryWriter {
  /// One side of a comparison that is not a constant.
  struct Place {
    var text: String
    /// Nil for what is always an int: counts.
    var property: Property?
    /// Whether collections or backlinks lie on the way.
    var isMultiple: Bool
    /// Values from which a constant may be chosen.
    var values: [Value]
    /// The class that the property is of.
    var owner: QuerySamples.Class
  }

  mutating func place(from start: QuerySamples.Class) -> Place? {
    var text = ""
    var target = start
    var isMultiple = false
    if let (name, schema) = variables.last, schema == start.schema.name, chance(70) { text = name + "." }
    for _ in 0..<3 where chance(28) {
      if chance(18), let (backlinks, origin) = backlinks(to: target) {
        text += backlinks
        isMultiple = true
        target = origin
        if chance(15) { return count(text, target) }
        if chance(8), let aggregate = linkAggregate(text, target) { return aggregate }
        text += "."
        continue
      }
      guard let property = pick(target.schema.properties.filter { $0.type == .object }),
        let name = QueryLiterals.name(property.name), let next = samples.target(of: property)
      else { continue }
      text += name
      if let collection = property.collection {
        isMultiple = true
        if chance(12) { return count(text, target) }
        if chance(12), let aggregate = linkAggregate(text, next) { return aggregate }
        switch collection {
        case .list where chance(25):
          text += word("[0]", "[1]", "[FIRST]", "[LAST]", "[*]", "[7]")
        case .dictionary:
          let index = target.schema.properties.firstIndex(of: property) ?? 0
          text += chance(50) ? word(".@values", "[*]", "") : key(of: target, index)
        default: break
        }
      }
      target = next
      text += "."
    }
    if chance(2) { return count(text + "@links", target) }
    guard let index = target.schema.properties.indices.randomElement(using: &random),
      let name = QueryLiterals.name(target.schema.properties[index].name)
    else { return nil }
    let property = target.schema.properties[index]
    let place = Place(
      text: text + name, property: property, isMultiple: isMultiple, values: target.values[index], owner: target)
    return decorated(place, index)
  }

  private mutating func count(_ text: String, _ target: QuerySamples.Class) -> Place {
    Place(
      text: text + word(".@count", ".@size"), property: nil, isMultiple: false, values: (0..<5).map { .int($0) },
      owner: target)
  }

  private mutating func linkAggregate(_ text: String, _ target: QuerySamples.Class) -> Place? {
    let wanted: Set<PropertyType> = [.int, .float, .double, .decimal128, .date, .mixed]
    let indices = target.schema.properties.indices.filter {
      target.schema.properties[$0].collection == nil
        && (wanted.contains(target.schema.properties[$0].type) || chance(2))
    }
    guard let index = pick(indices), let name = QueryLiterals.name(target.schema.properties[index].name) else {
      return nil
    }
    return Place(
      text: "\(text).@\(word("min", "max", "sum", "avg")).\(name)", property: target.schema.properties[index],
      isMultiple: false, values: target.values[index], owner: target)
  }

  /// A property followed by an index, a key, a count or an aggregate, or by nothing.
  private mutating func decorated(_ place: Place, _ index: Int) -> Place {
    guard let property = place.property else { return place }
    var place = place
    switch property.collection {
    // After the end of a list, the reference uses what it compared before, and an index of strings makes it forget the
    // place in the list.
    case .list where property.type != .object && property.index == .none && chance(15):
      place.text += word("[0]", "[FIRST]", "[LAST]", "[*]")
      place.property?.collection = nil
    case .list where property.type == .string && chance(6), .set where property.type == .string && chance(6):
      place.text += ".length"
      place.property = nil
      place.isMultiple = true
      place.values = (0..<9).map { .int($0) }
    case .dictionary where chance(60):
      switch roll(5) {
      case 0:
        place.text += ".@keys"
        place.values = place.owner.dictionaryKeys[index].map { .string($0) }
        place.property?.type = .string
      case 1: place.text += word(".@values", "[*]")
      default:
        place.text += key(of: place.owner, index)
        place.property?.collection = nil
      }
    case nil where property.type == .mixed && chance(25):
      place.text += word("[*]", "[0]", "[LAST]", ".k", "[\"k\"]", ".list", "[*][*]", ".name", "[0][1]", "[FIRST].a")
    default: break
    }
    switch roll(100) {
    case ..<7: return count(place.text, place.owner)
    case ..<13 where place.property?.collection != nil:
      place.text += word(".@min", ".@max", ".@sum", ".@avg")
      place.property?.collection = nil
      place.isMultiple = false
    case ..<15 where property.type == .mixed || chance(10):
      place.text += ".@type"
      place.values = [
        "int", "string", "link", "null", "numeric", "list", "dictionary", "Bool", "double", "date", "objectid", "uuid",
        "binary", "float", "decimal", "collection", "object",
      ]
      place.property?.type = .string
    default: break
    }
    return place
  }
}
