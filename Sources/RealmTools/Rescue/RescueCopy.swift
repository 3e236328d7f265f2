import RealmStorage

/// Hands owned values to a column.
enum RescueCopy {
  static func copy(_ value: Value, _ property: Property, into column: ColumnBuilder) throws {
    switch value {
    case .list(let elements):
      try column.begin(.list)
      for element in elements { try copy(element, property, into: column) }
      try column.end()
    case .set(let elements):
      let arena = ByteArena()
      try withExtendedLifetime(arena) {
        try column.begin(.set)
        for element in ValueOrder.sortedSet(elements.map { $0.view(in: arena) }, of: property.type) {
          try column.append(element)
        }
        try column.end()
      }
    case .dictionary(let entries):
      try column.begin(.dictionary)
      for key in entries.keys.sorted() {
        try key.utf8.withUnsafeBytes { try column.append(key: BlobView($0)) }
        try copy(entries[key] ?? .null, property, into: column)
      }
      try column.end()
    default: try value.withView { try column.append($0) }
    }
  }

  /// What stands in the place of a value that is lost: nothing, or the default of the type.
  static func copyDefault(of property: Property, into column: ColumnBuilder) throws {
    if let collection = property.collection {
      try column.begin(collection)
      try column.end()
      return
    }
    try column.appendDefault()
  }
}
