extension EditedColumn {
  /// Whether a value can be lost: it is neither null nor the default of a new object, or it is a collection with
  /// elements. A Mixed value can be lost unless it is null.
  func isSomething(_ value: Value) -> Bool {
    switch value {
    case .null: false
    case .list(let elements), .set(let elements): collection == nil || !elements.isEmpty
    case .dictionary(let entries): collection == nil || !entries.isEmpty
    case .decimal(let number) where !canBeNull: !number.isZero
    default: canBeNull || value != defaultValue
    }
  }

  fileprivate var canBeNull: Bool { element.isNullable || canHoldLinks }
}

extension ValueView {
  /// As `EditedColumn.isSomething`, of what the file has.
  func isSomething(in column: EditedColumn, _ snapshot: Snapshot) throws -> Bool {
    try isSomething(inCollection: column.collection != nil, canBeNull: column.canBeNull, snapshot)
  }

  /// As `EditedColumn.isSomething`, of what the file has.
  func isSomething(of property: Property, in snapshot: Snapshot) throws -> Bool {
    try isSomething(inCollection: property.collection != nil, canBeNull: property.isStoredNullable, snapshot)
  }

  private func isSomething(inCollection: Bool, canBeNull: Bool, _ snapshot: Snapshot) throws -> Bool {
    switch self {
    case .null: false
    case .list(let list), .set(let list): try !inCollection || list.count(in: snapshot) > 0
    case .dictionary(let dictionary): try !inCollection || dictionary.count(in: snapshot) > 0
    default: canBeNull || !isDefault
    }
  }

  /// Whether the value is that of a new required property: zero, empty, 1970-01-01T00:00:00Z.
  private var isDefault: Bool {
    switch self {
    case .int(let number): number == 0
    case .bool(let flag): !flag
    case .float(let number): number == 0
    case .double(let number): number == 0
    case .string(let blob), .data(let blob): blob.count == 0
    case .date(let date): date == Timestamp(seconds: 0, nanoseconds: 0)
    case .decimal(let number): number.isZero
    case .objectID(let id): id == ObjectID(head: 0, tail: 0)
    case .uuid(let id): id == RealmUUID(head: 0, tail: 0)
    case .null, .link, .typedLink, .list, .set, .dictionary: false
    }
  }
}

extension Decimal128 {
  fileprivate var isZero: Bool { if case .finite(_, 0, _) = classified { true } else { false } }
}

extension Value {
  /// Whether this value contains everything that was in another one, in any order.
  func keeps(_ old: Value) -> Bool {
    switch (old, self) {
    case (.null, _): return true
    case (.list(let elements), .list(let others)):
      guard !others.starts(with: elements, by: { $0.isSame(as: $1) }) else { return true }
      let counts = Self.counted(others)
      return Self.counted(elements.filter { $0 != .null }).allSatisfy { counts[$0] ?? 0 >= $1 }
    case (.set(let elements), .set(let others)):
      let counts = Self.counted(others)
      return Self.counted(elements).keys.allSatisfy { counts[$0] != nil }
    case (.dictionary(let entries), .dictionary(let others)):
      return entries.allSatisfy { name, value in others[name].map { $0.keeps(value) } ?? (value == .null) }
    default: return isSame(as: old)
    }
  }
}
