import TestSupport

@testable import RealmStorage

/// Random values.
extension RandomEdits {
  static let scalars: [PropertyType] = [
    .int, .bool, .string, .data, .date, .float, .double, .decimal128, .objectID, .uuid, .mixed,
  ]

  /// The values that properties of a type have if nothing was set.
  static func defaultValue(of type: PropertyType) -> Value {
    switch type {
    case .int: .int(0)
    case .bool: .bool(false)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .data: .data([])
    case .date: .date(Timestamp(seconds: 0, nanoseconds: 0))
    case .decimal128: .decimal(Decimal128(coefficient: 0, exponent: 0, isNegative: false))
    case .objectID: .objectID(ObjectID(head: 0, tail: 0))
    case .uuid: .uuid(RealmUUID(head: 0, tail: 0))
    default: .null
    }
  }

  mutating func value(of property: Property) -> Value {
    let count = roll(10) == 0 ? roll(3000) : roll(6)
    switch property.collection {
    case nil: return element(of: property, depth: 0) ?? .null
    case .list: return .list((0..<count).compactMap { _ in element(of: property, depth: 1) })
    case .set:
      var elements: [Value] = []
      var seen: Set<Value> = []
      for _ in 0..<count {
        guard let element = element(of: property, depth: Self.inSet), seen.insert(element).inserted else { continue }
        elements.append(element)
      }
      return .set(elements)
    case .dictionary:
      var entries: [RealmString: Value] = [:]
      for _ in 0..<min(count, 40) { entries[RealmString("k\(roll(50))")] = element(of: property, depth: 1) }
      return .dictionary(entries)
    }
  }

  /// Nil if there is nothing to link to.
  private mutating func element(of property: Property, depth: Int) -> Value? {
    switch property.type {
    case .object:
      let isNullable = property.collection == nil || property.collection == .dictionary
      if isNullable, roll(5) == 0 { return .null }
      guard let target = property.target, let entry = model.classes[target], let key = pick(entry.keys) else {
        return isNullable ? .null : nil
      }
      return .link(entry.key, key)
    case .mixed: return mixed(depth: depth)
    default: return scalar(property.type, isOptional: property.isOptional, wide: roll(3) == 0)
    }
  }

  /// The depth at which there can be no more collections.
  private static let inSet = 9

  private mutating func mixed(depth: Int) -> Value {
    if depth < 3, roll(6) == 0 {
      if roll(2) == 0 { return .list((0..<roll(4)).map { _ in mixed(depth: depth + 1) }) }
      var entries: [RealmString: Value] = [:]
      for _ in 0..<roll(4) { entries[RealmString("m\(roll(9))")] = mixed(depth: depth + 1) }
      return .dictionary(entries)
    }
    // Embedded objects belong to the property that links to them.
    if roll(5) == 0, let name = pick(model.classes.keys.sorted()), let entry = model.classes[name],
      entry.kind != .embedded, let key = pick(entry.keys)
    {
      return .typedLink(entry.key, key)
    }
    // In a set, numbers of different types can be equal.
    let others: Set<PropertyType> = depth >= Self.inSet ? [.mixed, .float, .double, .decimal128] : [.mixed]
    let type = pick(Self.scalars.filter { !others.contains($0) }) ?? .int
    return scalar(type, isOptional: true, wide: roll(3) == 0)
  }

  mutating func scalar(_ type: PropertyType, isOptional: Bool, wide: Bool) -> Value {
    if isOptional, roll(6) == 0 { return .null }
    let number = wide ? Int64(bitPattern: dice.roll(1 << 31) << 33 | dice.roll(1 << 31)) : Int64(roll(20)) - 5
    switch type {
    case .bool: return .bool(number & 1 == 0)
    case .float: return .float(Float(number % 100_000) / 4)
    case .double: return .double(Double(number) / 8)
    case .string: return .string(text(number))
    case .data: return .data(text(number).utf8)
    case .date: return .date(Timestamp(seconds: number / 16, nanoseconds: number < 0 ? -5 : 7))
    case .decimal128:
      // Zeros of different exponents would be equal in a set.
      let exponent = number == 0 ? 0 : -2
      return .decimal(
        Decimal128(coefficient: Unsigned128(number.magnitude), exponent: exponent, isNegative: number < 0))
    default: return Self.identity(type, number) ?? .int(number)
    }
  }

  /// A value that no other number gives; nil for types that are not primary keys.
  static func identity(_ type: PropertyType, _ number: Int64) -> Value? {
    switch type {
    case .int: .int(number)
    case .string: .string(RealmString("number \(number)"))
    case .objectID: .objectID(ObjectID(head: UInt64(bitPattern: number), tail: 7))
    case .uuid: .uuid(RealmUUID(head: UInt64(bitPattern: number), tail: 9))
    default: nil
    }
  }

  private mutating func text(_ number: Int64) -> RealmString {
    switch roll(8) {
    case 0: ""
    // An index on a list takes strings of 200 bytes at most.
    case 1: RealmString(String(repeating: "long text ", count: 1 + roll(17)) + "\(number)")
    case 2: RealmString("Zoë and \(number & 7) others")
    default: RealmString("t\(number)")
    }
  }
}
