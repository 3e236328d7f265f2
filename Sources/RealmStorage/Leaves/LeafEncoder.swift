/// Collects the values of one leaf and writes it: the counterpart of `Leaf`.
///
/// An encoder is used for leaf after leaf; `finish` leaves it empty and keeps its memory. There is one for each encoding
/// of Docs/Format/2-nodes-and-values.md §2; each writes the smallest form that the engine would.
protocol LeafEncoder: AnyObject {
  /// Values since the last `finish`.
  var count: Int { get }

  /// - Throws: `BuildError.wrongType` for a value that the leaf cannot store, `nullForRequired`, `valueTooLong`.
  func append(_ value: ValueView) throws

  /// The same as many calls of `append`; declared here so that each encoder has its own loop.
  func append(_ values: UnsafeBufferPointer<ValueView>) throws

  /// Writes the leaf.
  func finish() throws -> Ref
}

extension LeafEncoder {
  func append(_ values: UnsafeBufferPointer<ValueView>) throws { for value in values { try append(value) } }
}

extension ElementType {
  /// The encoder of a leaf of single values, or of a collection's elements.
  func leafEncoder(inCollection: Bool, _ nodes: NodeEncoder) -> any LeafEncoder {
    switch code {
    case .int where isNullable: NullableIntLeafEncoder(nodes)
    case .int: IntLeafEncoder(nodes, .ints)
    case .bool: IntLeafEncoder(nodes, .bools)
    case .float: RealLeafEncoder(nodes, .floats)
    case .double: RealLeafEncoder(nodes, .doubles)
    case .string: StringLeafEncoder(nodes, .text)
    case .binary: StringLeafEncoder(nodes, .data)
    case .timestamp: TimestampLeafEncoder(nodes)
    case .decimal: DecimalLeafEncoder(nodes)
    case .objectID: FixedBytesLeafEncoder(nodes, valueSize: 12)
    case .uuid: FixedBytesLeafEncoder(nodes, valueSize: 16)
    case .link, .linkList: LinkLeafEncoder(nodes, target: target, inCollection: inCollection)
    case .mixed, .typedLink, .list, .dictionary, .backlink: MixedLeafEncoder(nodes)
    }
  }
}

extension BuildError {
  /// The error for a value that does not fit where null does not fit either.
  init(refusing value: ValueView) {
    if case .null = value { self = .nullForRequired } else { self = .wrongType }
  }
}
