import RealmStorage
import RealmText

/// What a file format cannot store, and what is therefore left out of a copy in it.
package struct FormatLoss: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// All objects of a class of a kind that the format does not have.
    case table(TableKind)
    /// Embedded objects that are left out with their properties.
    case embeddedObjects
    /// A property of a type or kind of collection that the format does not have.
    case property(Property, isPrimaryKey: Bool)
    /// A property that links to such a class.
    case link(to: RealmString)
    /// Lists and dictionaries inside Mixed values, which become null.
    case nestedCollections
    /// Data in sets of Mixed values with the same bytes as a string in the set: the format takes them for equal.
    case dataLikeTexts
    /// Links to missing objects, which only sync keeps; they become null, or are dropped from lists.
    case unresolvedLinks
    /// The index of a property.
    case index(IndexKind)
  }

  package let className: RealmString
  /// Nil for a class.
  package let property: RealmString?
  package let kind: Kind
  /// Objects, values that are not null and not empty, or links; 0 for an index.
  package let count: Int
}

extension FormatLoss: CustomStringConvertible {
  /// One line.
  package var description: String {
    let place = "'\(className)\(property.map { ".\($0)" } ?? "")'"
    switch kind {
    case .table(let kind):
      return "class \(place) is \(kind == .embedded ? "embedded" : "asymmetric") (\(count.counted("object")))"
    case .embeddedObjects: return "class \(place) has \(count.counted("object")) in properties that cannot be stored"
    case .property(let property, let isPrimaryKey):
      let key = isPrimaryKey ? ", the primary key," : ""
      return "property \(place)\(key) has type \(property.formatText) (\(count.counted("value")))"
    case .link(let target): return "property \(place) links to class '\(target)' (\(count.counted("value")))"
    case .nestedCollections:
      return "property \(place) has \(count.counted("list or dictionary", "lists or dictionaries")) inside mixed values"
    case .dataLikeTexts:
      return "property \(place) has \(count.counted("data value")) with the bytes of a string in the same set"
    case .unresolvedLinks: return "property \(place) has \(count.counted("link")) to objects that are not in the file"
    case .index(let index): return "property \(place) has \(index == .fullText ? "a full-text" : "an") index"
    }
  }

  /// The kind in a word, for programs.
  package var word: String {
    switch kind {
    case .table: "class"
    case .embeddedObjects: "embeddedObjects"
    case .property, .link: "property"
    case .nestedCollections: "nestedCollections"
    case .dataLikeTexts: "dataLikeStrings"
    case .unresolvedLinks: "unresolvedLinks"
    case .index: "index"
    }
  }
}

extension Property {
  /// `uuid`, `set of int`.
  var formatText: String {
    let name = type == .object ? "object" : type.schemaName
    return switch collection {
    case .list: "list of \(name)"
    case .set: "set of \(name)"
    case .dictionary: "dictionary of \(name)"
    case nil: name
    }
  }
}
