import RealmStorage

/// Turns values of one property into values of another: scalars, collections, links.
struct PropertyConversion {
  let source: Property
  let target: Property
  let options: ConversionOptions
  /// The primary key of a link's target.
  var primaryKey: (Value) throws -> Value?
  /// The object of the target's class that a value names: by its primary key, or by the property that `match` says.
  var object: (Value) throws -> Value?
  /// The value of a link's target by which `object` finds an object.
  var matchingValue: (Value) throws -> Value?
  /// Whether `object` finds objects by the property that `match` says.
  var isMatched = false
  /// Whether links keep their targets.
  var keepsLinks = false

  /// Why no value could be converted; nil if some can.
  static func obstacle(from source: Property, to target: Property) -> String? {
    let words = "a property of type \(source.planType) cannot become \(target.planType)"
    switch (source.collection, target.collection) {
    case (.dictionary?, .dictionary?): break
    case (.dictionary?, _), (_, .dictionary?): return words
    default: break
    }
    switch (source.type, target.type) {
    case (.object, .object): return nil
    case (.object, .mixed), (.mixed, .object): return nil
    case (.object, let other): return other.canBePrimaryKey ? nil : words
    case (let other, .object): return other.canBePrimaryKey ? nil : words
    default: return ScalarConversion.isPossible(from: source.type, to: target.type) ? nil : words
    }
  }

  /// What happened to a value.
  struct Outcome {
    var value: Value
    /// Elements that were dropped because a set has each once, or a single value is one of them.
    var dropped = 0
  }

  /// - Parameters:
  ///   - onNull: what becomes of an element of a collection that is null.
  ///   - onError: what becomes of an element that cannot be converted; nil or an error to refuse the value.
  /// - Throws: `ValueError`; `StorageError`; what the closures throw.
  func convert(
    _ value: Value, null onNull: () throws -> Value, element onError: (ValueError) throws -> Value?
  ) throws -> Outcome {
    func one(_ value: Value) throws -> Value {
      // For a single value, null is converted to null; the policies of the property apply afterwards.
      guard value != .null else { return target.collection == nil ? .null : try onNull() }
      do { return try single(value) } catch let error as ValueError {
        guard let replacement = try onError(error) else { throw error }
        return replacement
      }
    }
    switch (value, target.collection) {
    case (.list(let elements), .list?), (.set(let elements), .list?):
      return Outcome(value: .list(try elements.map(one)))
    case (.list(let elements), .set?), (.set(let elements), .set?):
      let kept = try elements.map(one).distinct
      return Outcome(value: .set(kept), dropped: elements.count - kept.count)
    case (.dictionary(let entries), .dictionary?):
      var converted: [RealmString: Value] = [:]
      for key in entries.keys.sorted() { converted[key] = try one(entries[key] ?? .null) }
      return Outcome(value: .dictionary(converted))
    case (.null, .list?): return Outcome(value: .list([]))
    case (.null, .set?): return Outcome(value: .set([]))
    case (_, .list?): return Outcome(value: .list([try one(value)]))
    case (_, .set?): return Outcome(value: .set([try one(value)]))
    // A list inside a mixed value is not a list property.
    case (.list(let elements), nil) where source.collection != nil:
      return Outcome(value: try one(picked(from: elements)), dropped: max(0, elements.count - 1))
    case (.set(let elements), nil):
      return Outcome(value: try one(picked(from: elements)), dropped: max(0, elements.count - 1))
    case (_, nil): return Outcome(value: try one(value))
    case (_, .dictionary?): throw ValueError(value, target.type)
    }
  }

  /// The one element that represents a collection; null for an empty one.
  private func picked(from elements: [Value]) throws(ValueError) -> Value {
    guard elements.count > 1 else { return elements.first ?? .null }
    switch options.pick {
    case .first: return elements.first ?? .null
    case .last: return elements.last ?? .null
    case nil:
      throw ValueError(
        "\(elements.count) elements cannot become one", key: "'pick: first' or 'pick: last' takes one")
    }
  }

  /// A value that is not a collection, not null.
  private func single(_ value: Value) throws -> Value {
    let isLink = if case .link = value.asPlainLink { true } else { false }
    switch (isLink, target.type) {
    case (true, .object) where keepsLinks: return value
    case (true, .object):
      guard let named = try matchingValue(value) else {
        throw ValueError("\(value.shown) cannot be matched")
      }
      guard let found = try object(named) else {
        throw ValueError("no object of class '\(target.targetClass ?? "")' matches \(named.shown)")
      }
      return found
    case (true, .mixed): return value.inMixed
    case (true, _):
      guard let key = try primaryKey(value) else {
        throw ValueError("\(value.shown) links to a class without a primary key")
      }
      return try ScalarConversion(type: target.type, options: options).convert(key)
    case (false, .object):
      guard let found = try object(value) else {
        throw ValueError(
          "no object of class '\(target.targetClass ?? "")' \(isMatched ? "matches" : "has the primary key") \(value.shown)"
        )
      }
      return found
    case (false, _): return try ScalarConversion(type: target.type, options: options).convert(value)
    }
  }
}
