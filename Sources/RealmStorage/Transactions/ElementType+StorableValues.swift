extension ElementType {
  /// Whether a value can be stored in a column of this type.
  ///
  /// - Parameter collection: the kind of collection in the column; nil for single values.
  /// - Throws: `BuildError.wrongType`, `nullForRequired`, `dictionaryKey`, `tooDeep`.
  func require(_ value: Value, in collection: CollectionKind?) throws {
    switch (collection, value) {
    case (nil, _): try requireElement(value, depth: 0)
    case (.list, .list(let elements)), (.set, .set(let elements)):
      for element in elements {
        // Lists and sets of links have no nulls.
        if case .null = element, code == .link { throw BuildError.nullForRequired }
        if collection == .set, element.isCollection { throw BuildError.wrongType }
        try requireElement(element, depth: 1)
      }
    case (.dictionary, .dictionary(let entries)):
      for (key, element) in entries {
        try BuildError.requireDictionaryKey(key)
        try requireElement(element, depth: 1)
      }
    default: throw BuildError.wrongType
    }
  }

  private func requireElement(_ value: Value, depth: Int) throws {
    guard code != .mixed else { return try Self.requireMixed(value, depth: depth) }
    switch (code, value) {
    case (_, .null): guard isNullable else { throw BuildError.nullForRequired }
    case (.int, .int), (.bool, .bool), (.float, .float), (.double, .double), (.string, .string), (.binary, .data),
      (.timestamp, .date), (.decimal, .decimal), (.objectID, .objectID), (.uuid, .uuid):
      return
    case (.link, .link(let table, _)): guard table == target else { throw BuildError.wrongType }
    default: throw BuildError.wrongType
    }
  }

  private static func requireMixed(_ value: Value, depth: Int) throws {
    guard depth <= ColumnBuilder.mostLevels else { throw BuildError.tooDeep }
    switch value {
    case .link, .set: throw BuildError.wrongType
    case .list(let elements): for element in elements { try requireMixed(element, depth: depth + 1) }
    case .dictionary(let entries):
      for (key, element) in entries {
        try BuildError.requireDictionaryKey(key)
        try requireMixed(element, depth: depth + 1)
      }
    default: return
    }
  }
}
