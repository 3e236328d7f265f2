/// The type element of a mixed value: its type, and the value itself or its place in a payload node
/// (Docs/Format/2-nodes-and-values.md §3.1).
package struct MixedElement {
  private let bits: Int64

  /// Levels of collections inside collections, where engines stop.
  package static let mostNesting = 100

  @inline(__always)
  package init(_ bits: Int64) { self.bits = bits }

  @inline(__always) package var isNull: Bool { bits == 0 }
  @inline(__always) package var typeCode: Int { Int(bits & 31) - 1 }
  @inline(__always) package var type: TypeCode? { TypeCode(rawValue: typeCode) }
  /// The slot of the leaf that has the payload: 1 numbers, 2 pairs, 3 texts, data and ids, 4 collections; 0 for a value
  /// that is in the element.
  @inline(__always) package var slot: Int { Int(bits >> 5 & 7) }
  /// The value, or the index of the payload.
  @inline(__always) package var payload: Int64 { bits >> 8 }

  /// The kind of a nested collection.
  @inline(__always) package var collection: CollectionKind? {
    switch type {
    case .list: .list
    case .dictionary: .dictionary
    default: nil
    }
  }
}
