import RealmStorage

extension Schema {
  /// The schema with an inverse relationship in each class for each property that links to it, named after both:
  /// `linkedByPersonDogs` for `Person.dogs`. A realm stores links, but no names for their inverses.
  ///
  /// Links of asymmetric classes have none, because no object of such a class can be found. A link that has an inverse
  /// already gets no other.
  package func addingInverses() -> Schema {
    let outline = SchemaOutline(self)
    var schema = self
    for index in schema.tables.indices where schema.tables[index].isClass {
      let table = tables[index]
      var taken = Set(table.properties.map(\.name))
      let declared = Set(table.properties.filter(\.isComputed).map { Link($0.target, $0.originProperty) })
      for link in outline.links(to: table) {
        let origin = TableSchema.tableName(ofClass: link.className)
        guard !declared.contains(Link(origin, link.property.name)),
          outline.position(ofTable: origin).map({ outline.classes[$0].kind }) != .asymmetric
        else { continue }
        let name = Self.inverseName(of: link, excluding: taken)
        taken.insert(name)
        schema.tables[index].properties.append(
          Property(name: name, type: .linkingObjects, target: origin, originProperty: link.property.name))
      }
    }
    return schema
  }

  private struct Link: Hashable {
    let table: RealmString?
    let property: RealmString?
    init(_ table: RealmString?, _ property: RealmString?) { (self.table, self.property) = (table, property) }
  }

  private static func inverseName(of link: SchemaOutline.IncomingLink, excluding taken: Set<RealmString>) -> RealmString
  {
    let name = RealmString(
      utf8: Array("linkedBy".utf8) + capitalized(link.className).utf8 + capitalized(link.property.name).utf8)
    var (candidate, number) = (name, 2)
    while taken.contains(candidate) {
      candidate = RealmString(utf8: name.utf8 + Array("_\(number)".utf8))
      number += 1
    }
    return candidate
  }

  /// The text with its first letter in upper case, if that is an ASCII letter.
  private static func capitalized(_ name: RealmString) -> RealmString {
    guard let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return name }
    return RealmString(utf8: [first - 32] + name.utf8.dropFirst())
  }
}
