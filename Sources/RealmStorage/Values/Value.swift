/// One value of a realm, owned: it lives on when the snapshot it came from is gone. Collections are held with all they
/// contain. `ValueView` is the borrowed form.
public enum Value: Hashable, Sendable {
  case null
  case int(Int64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(RealmString)
  case data([UInt8])
  case date(Timestamp)
  case decimal(Decimal128)
  case objectID(ObjectID)
  case uuid(RealmUUID)
  /// A link through a link property.
  case link(TableKey, ObjectKey)
  /// A link inside a Mixed value, which names its table itself.
  case typedLink(TableKey, ObjectKey)
  case list([Value])
  /// Each element once, in any order.
  case set([Value])
  case dictionary([RealmString: Value])
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .string(RealmString(value)) }
  public init(integerLiteral value: Int64) { self = .int(value) }
}

extension Value {
  /// A copy of a value and of all that is in it.
  ///
  /// - Parameter walk: says how collections are read; see `CollectionWalk`.
  /// - Throws: `StorageError.corrupted` where a part of it is damaged, or collections are nested deeper than any engine
  ///   reads (Docs/Format/2-nodes-and-values.md §3.2).
  package init(_ view: ValueView, _ walk: CollectionWalk) throws { try self.init(view, walk, depth: 0) }

  private init(_ view: ValueView, _ walk: CollectionWalk, depth: Int) throws {
    switch view {
    case .null: self = .null
    case .int(let value): self = .int(value)
    case .bool(let value): self = .bool(value)
    case .float(let value): self = .float(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(RealmString(utf8: try value.copied()))
    case .data(let value): self = .data(try value.copied())
    case .date(let value): self = .date(value)
    case .decimal(let value): self = .decimal(value)
    case .objectID(let value): self = .objectID(value)
    case .uuid(let value): self = .uuid(value)
    case .link(let table, let key): self = .link(table, key)
    case .typedLink(let table, let key): self = .typedLink(table, key)
    case .list(let list): self = .list(try Self.elements(of: list, walk, depth: depth))
    case .set(let set): self = .set(try Self.elements(of: set, walk, depth: depth))
    case .dictionary(let dictionary):
      guard depth <= ColumnBuilder.mostLevels else { throw StorageError.corrupted(dictionary.root, .tooDeep) }
      var entries: [RealmString: Value] = [:]
      try dictionary.forEach(walk, damaged: { throw $0 }) { key, value in
        entries[RealmString(utf8: try key.copied())] = try Value(value, walk, depth: depth + 1)
      }
      self = .dictionary(entries)
    }
  }

  private static func elements(of list: ListView, _ walk: CollectionWalk, depth: Int) throws -> [Value] {
    guard depth <= ColumnBuilder.mostLevels else { throw StorageError.corrupted(list.root, .tooDeep) }
    var elements: [Value] = []
    try list.forEach(walk, damaged: { throw $0 }) { elements.append(try Value($0, walk, depth: depth + 1)) }
    return elements
  }

  /// Calls `visit` with each link in the value, at any depth.
  func forEachLink(_ visit: (TableKey, ObjectKey) throws -> Void) rethrows {
    switch self {
    case .link(let table, let key), .typedLink(let table, let key): try visit(table, key)
    case .list(let elements), .set(let elements): for element in elements { try element.forEachLink(visit) }
    case .dictionary(let entries): for entry in entries.values { try entry.forEachLink(visit) }
    default: return
    }
  }

  var hasLinks: Bool {
    switch self {
    case .link, .typedLink: true
    case .list(let elements), .set(let elements): elements.contains(where: \.hasLinks)
    case .dictionary(let entries): entries.values.contains(where: \.hasLinks)
    default: false
    }
  }

  /// The value without one link, as it is when the target disappears (Docs/Format/3-tables-and-objects.md §5.5): an
  /// entry of a list or set goes, anything else becomes null. Nil where there is no such link.
  func removingLink(to table: TableKey, _ key: ObjectKey) -> Value? {
    switch self {
    case .link(table, key), .typedLink(table, key): return .null
    case .list(let elements): return Self.removing(table, key, from: elements).map { .list($0) }
    case .set(let elements): return Self.removing(table, key, from: elements).map { .set($0) }
    case .dictionary(let entries):
      // In the order of the keys, so that the same changes always give the same file.
      for name in entries.keys.sorted() {
        guard let rest = entries[name]?.removingLink(to: table, key) else { continue }
        var entries = entries
        entries[name] = rest
        return .dictionary(entries)
      }
      return nil
    default: return nil
    }
  }

  private static func removing(_ table: TableKey, _ key: ObjectKey, from elements: [Value]) -> [Value]? {
    for (index, element) in elements.enumerated() {
      guard let rest = element.removingLink(to: table, key) else { continue }
      var elements = elements
      if rest == .null { elements.remove(at: index) } else { elements[index] = rest }
      return elements
    }
    return nil
  }
}
