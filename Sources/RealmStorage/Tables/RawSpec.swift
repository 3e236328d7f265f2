/// The slots of the description of a table's columns (Docs/Format/3-tables-and-objects.md §3.1).
package enum SpecSlot: Int, StructureSlot {
  case types, names, attributes, vacant, enumerations, keys

  package var content: SlotContent {
    switch self {
    case .types, .names, .attributes, .keys: .ref
    case .enumerations: .refOrZero
    case .vacant: .zero
    }
  }
}

/// The description of a table's columns as it is.
package struct RawSpec: RawStructure {
  package typealias Slot = SpecSlot
  package let slots: RawSlots

  package static let slotCount = 6

  /// - Throws: `StorageError.corrupted` if there is no node of references.
  package init(_ ref: Ref, in store: ByteStore) throws {
    slots = try RawSlots(ref, in: store, "the description of a table's columns")
  }

  /// - Parameter node: one of references.
  package init(_ node: Node) { slots = RawSlots(node) }
}

/// A column as three lists of the spec have it: public ones first, then those of backlinks.
package struct RawColumn {
  /// The type in the low 16 bits, above it that of the keys of a dictionary.
  package let type: Int64
  package let attributes: Int64
  package let key: ColumnKey

  package var typeCode: Int { Self.typeCode(of: type) }
  package var isBacklink: Bool { typeCode == TypeCode.backlink.rawValue }

  package static func typeCode(of type: Int64) -> Int { Int(type & 0xffff) }

  /// The lists that have an element for each column.
  package struct Lists {
    let types: Node
    let attributes: Node
    let keys: Node

    package init(types: Node, attributes: Node, keys: Node) {
      (self.types, self.attributes, self.keys) = (types, attributes, keys)
    }

    /// Columns that all three lists have.
    package var count: Int { min(types.count, attributes.count, keys.count, ColumnKey.mostLeafIndexes) }

    package subscript(index: Int) -> RawColumn {
      RawColumn(
        type: types.uncheckedInt(index), attributes: attributes.uncheckedInt(index),
        key: ColumnKey(rawValue: keys.uncheckedInt(index)))
    }

    /// How many there are before the last ones that are of backlinks (§3.1).
    package func publicCount() -> Int {
      var count = count
      while count > 0, self[count - 1].isBacklink { count -= 1 }
      return count
    }
  }
}

extension ColumnKey {
  /// The type of a public column's values; nil for one that no public column has.
  ///
  /// The key tells it: after an upgrade the list of types still says 13 for link lists (§3.1).
  package var valueType: TypeCode? {
    switch TypeCode(rawValue: typeCode) {
    case .backlink, .typedLink, .list, .dictionary, nil: nil
    case .linkList: .link
    case let type?: type
    }
  }

  package var collection: CollectionKind? {
    let attributes = attributes
    return attributes.contains(.dictionary)
      ? .dictionary : attributes.contains(.set) ? .set : attributes.contains(.list) ? .list : nil
  }
}
