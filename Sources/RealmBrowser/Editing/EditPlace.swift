import RealmPresentation
import RealmStorage

/// What the keys for editing act on, in a row of a view.
struct EditPlace {
  /// The full name of the class, to which an object can be added.
  var table: RealmString
  /// The objects: those that are marked, or the one of the row.
  var keys: [ObjectKey] = []
  /// The object of the row, even if others are marked.
  var rowKey: ObjectKey?
  /// The objects whose values are set.
  var valueKeys: [ObjectKey] = []
  /// The value under the cursor, of the object of the row.
  var value: ValueAddress?
  /// The owner of the value; without `collection` for an element.
  var property: Property?
  /// The collection that the row is in, or shows, and the place in it.
  var element: Element?

  struct Element {
    var collection: ValueAddress
    /// The type of its elements.
    var property: Property
    var kind: CollectionKind
    /// Nil if the row is the collection itself.
    var step: ValueAddress.Step?
    var count: Int
  }
}

extension BrowsedRealm {
  /// What the keys for editing act on, at a value.
  func editPlace(at address: ValueAddress) -> EditPlace? {
    guard let table = table(named: address.object.table), var property = table.schema.property(named: address.property)
    else { return nil }
    let key = address.object.key
    var place = EditPlace(
      table: address.object.table, keys: [key], rowKey: key, valueKeys: [key], value: address)
    let value = (try? self.value(at: address)) ?? nil
    if let value, let kind = value.collectionKind, value.isEditable(as: property, at: address) {
      place.element = element(of: address, property, kind, value, step: nil)
    }
    if let last = address.steps.last {
      let outer = ValueAddress(
        object: address.object, property: address.property, steps: Array(address.steps.dropLast()))
      if let around = (try? self.value(at: outer)) ?? nil, let kind = around.collectionKind, place.element == nil {
        place.element = element(of: outer, property, kind, around, step: last)
      }
      property.collection = nil
    }
    place.property = property
    return place
  }

  private func element(
    of address: ValueAddress, _ property: Property, _ kind: CollectionKind, _ value: ValueView,
    step: ValueAddress.Step?
  ) -> EditPlace.Element {
    var inner = property
    inner.collection = nil
    let count: Int? =
      switch value {
      case .list(let list), .set(let list): try? list.count(in: snapshot)
      case .dictionary(let dictionary): try? dictionary.count(in: snapshot)
      default: nil
      }
    return EditPlace.Element(collection: address, property: inner, kind: kind, step: step, count: count ?? 0)
  }
}

extension ValueView {
  var collectionKind: CollectionKind? {
    switch self {
    case .list: .list
    case .set: .set
    case .dictionary: .dictionary
    default: nil
    }
  }

  /// Whether elements are added in it, and not next to it.
  fileprivate func isEditable(as property: Property, at address: ValueAddress) -> Bool {
    isCollection && (property.collection != nil && address.steps.isEmpty || property.type == .mixed)
  }
}
