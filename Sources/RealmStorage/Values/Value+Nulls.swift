extension Value {
  /// Whether it is null, or an element of the collection is.
  package var holdsNull: Bool {
    switch self {
    case .null: true
    case .list(let elements), .set(let elements): elements.contains(.null)
    case .dictionary(let entries): entries.values.contains(.null)
    default: false
    }
  }

  /// The value, or the collection, with something else for null.
  ///
  /// - Parameter replacement: nil to leave out elements that are null.
  package func replacingNulls(by replacement: Value?) -> Value {
    switch self {
    case .null: return replacement ?? .null
    case .list(let elements): return .list(elements.compactMap { $0 == .null ? replacement : $0 })
    case .set(let elements):
      var seen: Set<Value> = []
      return .set(elements.compactMap { $0 == .null ? replacement : $0 }.filter { seen.insert($0).inserted })
    case .dictionary(let entries):
      return .dictionary(entries.compactMapValues { $0 == .null ? replacement : $0 })
    default: return self
    }
  }
}
