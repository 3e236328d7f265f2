/// Writes lists, sets and dictionaries, one after another, and the collections nested in their Mixed values.
///
/// Elements come in order: those of sets and the entries of dictionaries in that of the file format
/// (Docs/Format/2-nodes-and-values.md §7, Docs/Format/4-file-versions.md §3.8). The builder does not sort, because
/// elements are streamed.
final class CollectionBuilder {
  private let nodes: NodeEncoder
  private let kind: CollectionKind
  private let content: Content

  private enum Content {
    case elements(BPlusTreeBuilder)
    case entries(keys: BPlusTreeBuilder, values: BPlusTreeBuilder)
    case hashedEntries(HashedDictionaryBuilder)
  }

  init(_ kind: CollectionKind, of element: ElementType, _ nodes: NodeEncoder) {
    self.nodes = nodes
    self.kind = kind
    // Values of dictionaries are Mixed whatever their declared type (§5.3).
    content =
      kind != .dictionary
      ? .elements(BPlusTreeBuilder(element, nodes))
      : nodes.format.hasSortedDictionaries
        ? .entries(keys: BPlusTreeBuilder(.string, nodes), values: BPlusTreeBuilder(.mixed, nodes))
        : .hashedEntries(HashedDictionaryBuilder(nodes))
  }

  var isDictionary: Bool { kind == .dictionary }

  /// The key of the value that comes next.
  ///
  /// - Throws: `BuildError.dictionaryKey` for keys that the engine refuses.
  func append(key: BlobView) throws {
    switch content {
    case .elements: throw BuildError.wrongType
    case .entries(let keys, _): try keys.append(.string(key))
    case .hashedEntries(let entries): try entries.append(key: key)
    }
  }

  func append(_ value: ValueView) throws {
    switch content {
    case .elements(let tree), .entries(_, let tree): try tree.append(value)
    case .hashedEntries(let entries): try entries.append(value)
    }
  }

  func append(_ kind: CollectionKind, root: Ref) throws {
    switch content {
    case .elements(let tree), .entries(_, let tree): try tree.append(kind, root: root)
    case .hashedEntries: throw BuildError.wrongType
    }
  }

  /// Writes what is left; null for an empty collection, which has no nodes.
  func finish() throws -> Ref {
    switch content {
    case .elements(let tree): return try tree.finish()
    case .hashedEntries(let entries): return try entries.finish()
    case .entries(let keys, let values):
      guard keys.count == values.count else {
        throw BuildError.wrongValueCount(expected: keys.count, found: values.count)
      }
      guard keys.count > 0 else { return .null }
      return try nodes.refs([try keys.finishRoot(), try values.finishRoot()])
    }
  }
}
