/// The type codes of columns and of values inside Mixed (Docs/Format/2-nodes-and-values.md §8.1).
package enum TypeCode: Int, Sendable {
  case int = 0
  case bool = 1
  case string = 2
  case binary = 4
  case mixed = 6
  case timestamp = 8
  case float = 9
  case double = 10
  case decimal = 11
  case link = 12
  /// Lists of links in the spec of formats 10–23; 24 uses `link`.
  case linkList = 13
  case backlink = 14
  case objectID = 15
  case typedLink = 16
  case uuid = 17
  /// Collections nested in Mixed.
  case list = 19
  case dictionary = 21
}

/// How values are laid out.
package enum ElementLayout: Sendable {
  case current
  /// As in formats 2–9 (Docs/Format/4-file-versions.md §2.7–2.14).
  case legacy
  /// Dates of formats 2–4: seconds, as integers (§2.8).
  case seconds
  /// Links of an interrupted upgrade to objects that have other keys than the numbers of their rows: see `RenumberedRows`.
  case rows
}

/// The type of one element of a leaf: enough to choose the encoding.
package struct ElementType: Sendable {
  package let code: TypeCode
  package let isNullable: Bool
  /// The targets of links.
  package let target: TableKey
  let layout: ElementLayout

  package init(
    _ code: TypeCode, isNullable: Bool = false, target: TableKey = .null, layout: ElementLayout = .current
  ) {
    self.code = code
    self.isNullable = isNullable
    self.target = target
    self.layout = layout
  }

  /// The type without null.
  var required: ElementType { ElementType(code, isNullable: false, target: target, layout: layout) }

  /// The same type as formats 2–9 lay it out.
  var legacy: ElementType { ElementType(code, isNullable: isNullable, target: target, layout: .legacy) }

  /// Whether each part of the elements has its own tree, below one common node (Docs/Format/4-file-versions.md §2.8,
  /// §2.13).
  package var isInSeveralTrees: Bool { layout == .legacy && (code == .timestamp || code == .mixed) }

  package static let mixed = ElementType(.mixed, isNullable: true)
  static let string = ElementType(.string)
  /// The keys of objects in lists of incoming links and of search indexes.
  package static let objectKey = ElementType(.int)
}

/// The distinct values of an enumerated string column, kept once in the spec
/// (Docs/Format/2-nodes-and-values.md §2.13).
package final class StringEnumeration: Sendable {
  private let source: Source

  private enum Source: Sendable {
    case leaf(StringLeaf)
    /// More values than fit in one leaf, which only formats 2–9 have.
    case tree(Ref)
  }

  package init(_ ref: Ref, in store: ByteStore) throws {
    source = .leaf(try StringLeaf(Node(ref, in: store), isString: true, in: store))
  }

  /// As formats 2–9 have it: a column of texts (Docs/Format/4-file-versions.md §2.11).
  package init(legacy ref: Ref, in store: ByteStore) throws {
    let node = try Node(ref, in: store)
    source = node.isInner ? .tree(ref) : .leaf(try StringLeaf(legacy: node, isString: true, in: store))
  }

  /// Value `index`; nil for null.
  ///
  /// - Throws: `indexOutOfRange` if there are fewer.
  func value(at index: Int, in store: ByteStore) throws -> BlobView? {
    switch source {
    case .leaf(let values): return try values.value(at: index, isString: true, in: store)
    case .tree(let root):
      let (node, position) = try InnerTreeNode.leaf(below: root, holding: index, in: store)
      return try StringLeaf(legacy: node, isString: true, in: store).value(at: position, isString: true, in: store)
    }
  }

  /// Makes what the enumeration keeps views of present again, after pages were released.
  package func makePresent(in store: ByteStore) throws {
    if case .leaf(let values) = source { try values.makePresent(in: store) }
  }
}
