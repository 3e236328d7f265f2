import RealmQuery
import RealmStorage
import RealmText

/// One operation of a step.
package struct PlanOperation: Hashable, Sendable {
  package typealias Name = Located<RealmString>

  /// As plans write it: `add_property`.
  package var name: String
  package var location: PlanLocation
  package var action: Action
  /// Whether values may be lost (`lossy: ok`).
  package var allowsLoss: Bool

  package indirect enum Action: Hashable, Sendable {
    case addClass(AddClass)
    case removeClass(Name, clearsLinks: Bool)
    case renameClass(from: Name, to: Name)
    case addProperty(AddProperty)
    case removeProperty(PropertyName)
    case renameProperty(RenameProperty)
    case set(SetValues)
    case convert(Convert)
    /// Only mappings to file formats without dictionaries have it (`TypeChangeRun`).
    case pairDictionary(PairDictionary)
    case makeOptional(PropertyName)
    case makeRequired(MakeRequired)
    case setPrimaryKey(SetPrimaryKey)
    case setIndex(PropertyName, Located<IndexKind>)
    case removeIndex(PropertyName)
    case embedClass(EmbedClass)
    case unembedClass(Name, primaryKey: Name?)
    case deleteObjects(DeleteObjects)
    case createObjects(CreateObjects)
    case moveProperty(MoveProperty)
    case transform(Transform)
    case assert(Assertion)
  }
}

extension PlanOperation.Action {
  /// Whether it reads objects, apart from those that the transaction already has.
  var readsObjects: Bool {
    switch self {
    case .addClass, .renameClass, .renameProperty, .makeOptional, .setIndex, .removeIndex, .embedClass, .unembedClass:
      false
    case .addProperty(let action): action.value != nil || action.defaultValue != nil
    case .setPrimaryKey(let action): action.onDuplicate != .fail
    case .removeClass, .removeProperty, .set, .convert, .pairDictionary, .makeRequired, .deleteObjects, .createObjects,
      .moveProperty, .transform, .assert:
      true
    }
  }
}

extension PlanOperation {
  /// A property and its class.
  package struct PropertyName: Hashable, Sendable {
    package var className: Name
    package var property: Name

    package var path: PropertyPath { PropertyPath(className: className.value, property: property.value) }
  }

  package struct AddClass: Hashable, Sendable {
    package var name: Name
    package var isEmbedded: Bool
    package var primaryKey: Name?
    /// Targets of links are class names with `class_` before them.
    package var properties: [Located<Property>]
    package var skipsExisting: Bool
  }

  package struct AddProperty: Hashable, Sendable {
    package var className: Name
    package var property: Located<Property>
    package var defaultValue: PlanValue?
    package var value: PlanValue?
    package var takesTypeDefault: Bool
    package var policies: Policies
  }

  package struct RenameProperty: Hashable, Sendable {
    package var source: PropertyName
    package var newName: Name
    package var isOptional: Bool?
    package var index: Located<IndexKind>?
  }

  package struct SetValues: Hashable, Sendable {
    package var className: Name
    package var filter: QueryText?
    package var values: [Assignment]
    /// Elements to add to collections, elements to remove from them, and keys to remove from dictionaries.
    package var added: [Assignment] = []
    package var removed: [Assignment] = []
    package var unset: [Unset] = []
    package var defaultValue: PlanValue?
    package var policies: Policies
    /// How many objects get values; anything else stops the plan.
    package var expected: CountRange?
  }

  /// A dictionary and a key that leaves it.
  package struct Unset: Hashable, Sendable {
    package var property: Name
    package var key: RealmString

    package init(property: Name, key: RealmString) { (self.property, self.key) = (property, key) }
  }

  /// A property and what it gets.
  package struct Assignment: Hashable, Sendable {
    package var property: Name
    package var value: PlanValue
  }

  package struct Convert: Hashable, Sendable {
    package var source: PropertyName
    /// Its name is that of the source.
    package var target: Located<Property>
    package var expression: PlanValue?
    package var defaultValue: PlanValue?
    package var options: ConversionOptions
    /// For links from one class to another: the property that identifies equal objects; nil for the primary key.
    package var match: Name?
    package var policies: Policies
  }

  /// Makes a dictionary a list of links to objects with a `key` and a `value`.
  package struct PairDictionary: Hashable, Sendable {
    package var source: PropertyName
    /// The class of these objects, which is new.
    package var pairClass: RealmString
    package var value: Property
    package var options: ConversionOptions
  }

  package struct MakeRequired: Hashable, Sendable {
    package var source: PropertyName
    package var defaultValue: PlanValue?
    package var onNull: NullPolicy
  }

  package struct SetPrimaryKey: Hashable, Sendable {
    package enum Duplicates: String, CaseIterable, Sendable {
      case fail
      case keepFirst = "keep_first"
      case keepLast = "keep_last"
    }

    package var className: Name
    package var property: Name?
    package var onDuplicate: Duplicates
    package var repoints: Bool
  }

  package struct EmbedClass: Hashable, Sendable {
    package var className: Name
    package var policy: EmbeddingPolicy
    package var dropsPrimaryKey: Bool
  }

  package struct DeleteObjects: Hashable, Sendable {
    package var className: Name
    package var filter: QueryText
    package var expected: CountRange?
  }

  package struct CreateObjects: Hashable, Sendable {
    package var className: Name
    package var objects: [Located<[Assignment]>]
    package var reference: Name?
  }

  package struct MoveProperty: Hashable, Sendable {
    package var source: PropertyName
    package var target: PropertyName
    package var link: Name
  }

  package struct Transform: Hashable, Sendable {
    package var className: Name
    /// Program and arguments.
    package var command: [String]
    package var filter: QueryText?
    package var timeoutSeconds: Double
  }

  package struct Assertion: Hashable, Sendable {
    package var className: Name
    package var filter: QueryText?
    package var expected: CountRange
    package var message: String?
  }

  /// What happens if something is impossible; nil for the settings of the plan.
  package struct Policies: Hashable, Sendable {
    package var onNull: NullPolicy?
    package var onError: ErrorPolicy?

    /// What is wrong with `on_error: null` for a property that cannot be null.
    static func nullNeeds(_ property: Property) -> String {
      let optional = property.asElement.planType + "?" + (property.collection?.suffix ?? "")
      return "'on_error: null' needs the type '\(optional)', not '\(property.planType)'"
    }
  }
}

/// A condition in the query language.
package struct QueryText: Hashable, Sendable {
  package var text: String
  package var location: PlanLocation
}

/// A value that a plan gives to a property.
package indirect enum PlanValue: Hashable, Sendable {
  /// A scalar, or a map that JSON's typed forms take for one (`{"$oid": …}`).
  case literal(PlanNode)
  case list([PlanValue], PlanLocation)
  /// The entries of a dictionary, or the properties of an embedded object.
  case map([Entry], PlanLocation)
  /// One that the property takes as it is.
  case constant(Value, PlanLocation)
  case expression(Located<Formula>)
  case template(Located<Template>, NullPolicy?)
  case copy(Located<RealmString>)
  /// An object that `create_objects` named.
  case reference(Located<RealmString>)
  case primaryKey(className: Located<RealmString>, PlanNode)
  case objects(className: Located<RealmString>, QueryText)

  package struct Entry: Hashable, Sendable {
    package var key: Located<RealmString>
    package var value: PlanValue
  }

  package var location: PlanLocation {
    switch self {
    case .literal(let node): node.location
    case .list(_, let location), .map(_, let location), .constant(_, let location): location
    case .expression(let expression): expression.location
    case .template(let template, _): template.location
    case .copy(let name), .reference(let name): name.location
    case .primaryKey(let name, _), .objects(let name, _): name.location
    }
  }

  /// The value as it was written, or its kind if parts of it are computed.
  func shown(_ kind: String) -> String { node.map(PlanFields.shown) ?? kind }

  /// The value as it was written; nil for one that is computed or looked up.
  var node: PlanNode? {
    switch self {
    case .literal(let node): return node
    case .list(let elements, let location):
      let nodes = elements.compactMap(\.node)
      return nodes.count == elements.count ? PlanNode(.list(nodes), at: location) : nil
    case .map(let entries, let location):
      let nodes = entries.compactMap { entry in
        entry.value.node.map { PlanNode.Entry(key: entry.key.value, location: entry.key.location, value: $0) }
      }
      return nodes.count == entries.count ? PlanNode(.map(nodes), at: location) : nil
    case .constant, .expression, .template, .copy, .reference, .primaryKey, .objects: return nil
    }
  }
}

/// How values are converted if there is a choice.
package struct ConversionOptions: Hashable, Sendable {
  package enum Rounding: String, CaseIterable, Sendable { case floor, ceil, round, truncate }
  package enum Pick: String, CaseIterable, Sendable { case first, last }
  package enum Encoding: String, CaseIterable, Sendable { case utf8 = "utf-8", base64 }

  /// Of dates to whole seconds, and of numbers to integers; nil makes a fraction an error.
  package var rounding: Rounding?
  /// The element that a collection of several becomes; nil makes several an error.
  package var pick: Pick?
  package var encoding = Encoding.utf8
  /// Whether a decimal becomes only a double that reads as the same number; otherwise the nearest one.
  package var isExact = false
  /// Whether Mixed values with links, lists and dictionaries become the JSON text that `export` gives; otherwise they
  /// are errors, or links the primary keys of their targets.
  package var writesJSON = false

  package init() {}
}
