/// One rule that a schema breaks, with the text the SDKs have for it.
///
/// Classes carry the name an SDK uses, without `class_`.
package enum SchemaViolation: Hashable, Sendable {
  case duplicateClass(RealmString)
  case duplicateProperty(className: RealmString, name: RealmString)
  /// Not in the SDKs' list: their languages have no property without a name.
  case emptyPropertyName(className: RealmString)
  case duplicateAlias(className: RealmString, alias: RealmString)
  case aliasIsProperty(className: RealmString, name: RealmString, alias: RealmString)
  case property(className: RealmString, Property, PropertyFault)
  case embeddedWithPrimaryKey(className: RealmString)
  /// The position given for the primary key is not that of a property.
  case noSuchPrimaryKey(className: RealmString, index: Int)
  case asymmetricInLocalRealm(className: RealmString)
  case asymmetricInPartitionSync(className: RealmString)
  case syncedWithoutPrimaryKey(className: RealmString)
  case syncedWithOtherPrimaryKey(className: RealmString, name: RealmString)
  /// `path` goes from an embedded class back to itself: `Node.left.child`.
  case embeddedCycle(path: RealmString)
  case unreachableEmbedded(className: RealmString)
}

/// What is wrong with a property.
package enum PropertyFault: Hashable, Sendable {
  /// A single link or a dictionary of links that is required.
  case linkNotOptional
  case mixedNotOptional
  /// A list or set of links, or an inverse, that is optional.
  case cannotBeOptional
  case cannotBePrimaryKey
  case cannotBeIndexed
  /// A link's class for a type that is not a link.
  case cannotHaveTarget
  /// The class that a link points to is not in the schema.
  case unknownTarget
  case embeddedInSet
  case linkToAsymmetric
  /// An inverse that is a set or a dictionary.
  case inverseIsNoList
  /// The link of an inverse for a type that is not an inverse.
  case cannotHaveOrigin
  case noOrigin
  case originMissing
  case originIsNoLink
  /// The link of an inverse points to another class than the one with the inverse.
  case originLinksElsewhere(target: RealmString)
}

extension SchemaViolation: CustomStringConvertible {
  /// The SDKs' text. Bytes of names that are not UTF-8 appear as U+FFFD.
  package var description: String {
    switch self {
    case .duplicateClass(let name): "Type '\(name)' appears more than once in the schema."
    case .duplicateProperty(let owner, let name):
      "Property '\(name)' appears more than once in the schema for type '\(owner)'."
    case .emptyPropertyName(let owner): "Property names of type '\(owner)' must not be empty."
    case .duplicateAlias(let owner, let alias):
      "Alias '\(alias)' appears more than once in the schema for type '\(owner)'."
    case .aliasIsProperty(let owner, let name, let alias):
      "Property '\(owner).\(name)' has an alias '\(alias)' that conflicts with a property of the same name."
    case .property(let owner, let property, let fault): fault.text(for: property, in: owner)
    case .embeddedWithPrimaryKey(let name): "Embedded object type '\(name)' cannot have a primary key."
    case .noSuchPrimaryKey(let owner, let index): "Specified primary key '\(owner).#\(index)' does not exist."
    case .asymmetricInLocalRealm(let name): "Asymmetric table '\(name)' not allowed in a local Realm"
    case .asymmetricInPartitionSync(let name): "Asymmetric table '\(name)' not allowed in partition based sync"
    case .syncedWithoutPrimaryKey(let name):
      "There must be a primary key property named '_id' on a synchronized Realm but none was found for type '\(name)'"
    case .syncedWithOtherPrimaryKey(let owner, let name):
      "The primary key property on a synchronized Realm must be named '_id' but found '\(name)' for type '\(owner)'"
    case .embeddedCycle(let path): "Cycles containing embedded objects are not currently supported: '\(path)'"
    case .unreachableEmbedded(let name):
      "Embedded object '\(name)' is unreachable by any link path from top level objects."
    }
  }
}

extension PropertyFault {
  fileprivate func text(for property: Property, in owner: RealmString) -> String {
    let path = "\(owner).\(property.name)"
    let typed = "Property '\(path)' of type '\(property.shortTypeText)'"
    let target = property.targetClass ?? ""
    let origin = "Property '\(target).\(property.originProperty ?? "")' declared as origin of linking objects property"
    switch self {
    case .linkNotOptional: return "Property '\(path)' of type 'object' must be nullable."
    case .mixedNotOptional: return "Property '\(path)' of type 'Mixed' must be nullable."
    case .cannotBeOptional: return "\(typed) cannot be nullable."
    case .cannotBePrimaryKey: return "\(typed) cannot be made the primary key."
    case .cannotBeIndexed: return "\(typed) cannot be indexed."
    case .cannotHaveTarget: return "Property '\(path)' of type '\(property.typeText)' cannot have an object type."
    case .unknownTarget: return "\(typed) has unknown object type '\(target)'"
    case .embeddedInSet:
      return "Set property '\(path)' cannot contain embedded object type '\(target)'."
        + " Set semantics are not applicable to embedded objects."
    case .linkToAsymmetric: return "\(typed) cannot be a link to an asymmetric object."
    case .inverseIsNoList: return "Linking Objects property '\(path)' must be an array."
    case .cannotHaveOrigin: return "\(typed) cannot have an origin property name."
    case .noOrigin: return "\(typed) must have an origin property name."
    case .originMissing: return "\(origin) '\(path)' does not exist"
    case .originIsNoLink: return "\(origin) '\(path)' is not a link"
    case .originLinksElsewhere(let other): return "\(origin) '\(path)' links to type '\(other)'"
    }
  }
}
