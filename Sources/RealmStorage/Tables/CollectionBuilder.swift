/// Writes lists, sets and dictionaries, one after another, and the collections nested in their Mixed values.
///
/// Elements come in order: those of sets and the entries of dictionaries in the order of format 24
/// (Docs/Format/2-nodes-and-values.md §7). The builder does not sort, because what it is given streams by.
final class CollectionBuilder {
  private let nodes: NodeEncoder
  private let kind: CollectionKind
  private let elements: BPlusTreeBuilder
  private let keys: BPlusTreeBuilder?

  init(_ kind: CollectionKind, of element: ElementType, _ nodes: NodeEncoder) {
    self.nodes = nodes
    self.kind = kind
    // Values of dictionaries are Mixed whatever their declared type (§5.3).
    elements = BPlusTreeBuilder(kind == .dictionary ? .mixed : element, nodes)
    keys = kind == .dictionary ? BPlusTreeBuilder(.string, nodes) : nil
  }

  var isDictionary: Bool { keys != nil }

  /// The key of the value that comes next.
  ///
  /// - Throws: `BuildError.dictionaryKey` for keys that the engine refuses.
  func append(key: BlobView) throws {
    guard let keys else { throw BuildError.wrongType }
    try keys.append(.string(key))
  }

  func append(_ value: ValueView) throws { try elements.append(value) }
  func append(_ kind: CollectionKind, root: Ref) throws { try elements.append(kind, root: root) }

  /// Writes what is left; null for an empty collection, which has no nodes.
  func finish() throws -> Ref {
    guard let keys else { return try elements.finish() }
    guard keys.count == elements.count else {
      throw BuildError.wrongValueCount(expected: keys.count, found: elements.count)
    }
    guard keys.count > 0 else { return .null }
    return try nodes.refs([try keys.finishRoot(), try elements.finishRoot()])
  }
}
