import RealmStorage

/// Where an object is, in a form that outlives a snapshot.
struct ObjectAddress: Hashable, Sendable {
  /// Full name of the table.
  var table: RealmString
  var key: ObjectKey
}

/// Where a value is, in a form that outlives a snapshot: an object, one of its properties, and the path inside
/// collections.
struct ValueAddress: Hashable, Sendable {
  var object: ObjectAddress
  var property: RealmString
  var steps: [Step] = []

  enum Step: Hashable, Sendable {
    /// Position in a list or set.
    case position(Int)
    /// Key in a dictionary.
    case key(RealmString)
  }

  func appending(_ step: Step) -> ValueAddress {
    var address = self
    address.steps.append(step)
    return address
  }
}

extension ObjectBatch {
  func address(at row: Int) -> ObjectAddress { ObjectAddress(table: table.schema.name, key: key(at: row)) }
}

extension BrowsedRealm {
  /// The object at an address; nil if it no longer exists.
  func object(at address: ObjectAddress) throws -> (batch: ObjectBatch, row: Int)? {
    try table(named: address.table)?.object(address.key)
  }

  /// The value at an address; nil if there is none.
  func value(at address: ValueAddress) throws -> ValueView? {
    guard let (batch, row) = try object(at: address.object),
      let index = batch.table.schema.properties.firstIndex(where: { $0.name == address.property })
    else { return nil }
    var value = try batch.values(ofProperty: index).value(at: row)
    for step in address.steps {
      guard let inner = try self.value(at: step, in: value) else { return nil }
      value = inner
    }
    return value
  }

  private func value(at step: ValueAddress.Step, in value: ValueView) throws -> ValueView? {
    switch (value, step) {
    case (.list(let list), .position(let position)), (.set(let list), .position(let position)):
      guard try position < list.count(in: snapshot) else { return nil }
      switch list.elements(at: position..<position + 1, in: snapshot).first {
      case .value(let element): return element
      case .damaged(let error): throw error
      case .unresolvedLink, nil: return nil
      }
    case (.dictionary(let dictionary), .key(let key)):
      let positions = try DictionaryPositions(of: dictionary, in: snapshot)
      guard let position = positions.position(of: key, in: snapshot),
        case .entry(_, let value)? = positions.entries(at: position..<position + 1, in: snapshot).first
      else { return nil }
      return value
    default: return nil
    }
  }
}
