/// A node of a realm in memory that can be changed in any way, even into what no engine writes
/// (Docs/Format/2-nodes-and-values.md §1).
package final class EditableNode {
  /// Byte 4 of the header; the width code in its low bits is set when the node is written.
  package var flags: UInt8
  /// The content of the node.
  package var content: Content
  /// Element width in bits (scheme 0) or bytes (scheme 1); a larger one is used if an element needs it.
  package var width: Int
  /// The first four bytes.
  package var signature: [UInt8] = Array("AAAA".utf8)
  /// Written into the header in place of the true number.
  package var claimedCount: Int?

  package enum Content {
    /// Elements of a node with references.
    case elements([Element])
    /// Elements of a node of integers.
    case numbers([Int64])
    /// The payload of any other node, padding left out; `count` is what the header says.
    case bytes([UInt8], count: Int)
  }

  /// An element of a node with references.
  package enum Element {
    case child(EditableNode)
    /// Anything else, as it is stored: 0, an odd number, or any ref.
    case raw(Int64)

    package static func tagged(_ value: Int64) -> Element { .raw(value &* 2 &+ 1) }
  }

  package init(flags: UInt8, width: Int = 0, content: Content) {
    self.flags = flags
    self.width = width
    self.content = content
  }

  /// A node of integers of the smallest width.
  package static func numbers(_ values: [Int64], width: Int = 0) -> EditableNode {
    EditableNode(flags: 0, width: width, content: .numbers(values))
  }

  /// A node with references.
  package static func refs(_ elements: [Element], flags: UInt8 = 0x40) -> EditableNode {
    EditableNode(flags: flags, content: .elements(elements))
  }

  /// A blob.
  package static func blob(_ bytes: [UInt8]) -> EditableNode {
    EditableNode(flags: 0x10, content: .bytes(bytes, count: bytes.count))
  }

  // MARK: Contents by kind

  package var elements: [Element] {
    get { if case .elements(let elements) = content { elements } else { [] } }
    set { content = .elements(newValue) }
  }

  package var values: [Int64] {
    get { if case .numbers(let values) = content { values } else { [] } }
    set { content = .numbers(newValue) }
  }

  package var bytes: [UInt8] {
    get { if case .bytes(let bytes, _) = content { bytes } else { [] } }
    set { content = .bytes(newValue, count: newValue.count) }
  }

  /// Elements of a node of scheme 1, each of the node's width.
  package func setFields(_ fields: [[UInt8]]) {
    width = fields.first?.count ?? 0
    content = .bytes(fields.flatMap { $0 }, count: fields.count)
  }

  package var count: Int {
    switch content {
    case .elements(let elements): elements.count
    case .numbers(let values): values.count
    case .bytes(_, let count): count
    }
  }

  package var isInner: Bool { flags & 0x80 != 0 }

  /// The child in a slot; nil if there is none.
  package func child(_ slot: Int) -> EditableNode? {
    guard slot < elements.count, case .child(let node) = elements[slot] else { return nil }
    return node
  }

  /// The child in a slot.
  ///
  /// - Throws: where there is none.
  package func require(_ slot: Int) throws -> EditableNode {
    guard let child = child(slot) else { throw NodeTree.Problem("no child in slot \(slot)") }
    return child
  }

  /// The number in a slot of a node with references; nil if there is none.
  package func tagged(_ slot: Int) -> Int64? {
    guard slot < elements.count, case .raw(let raw) = elements[slot], raw & 1 != 0 else { return nil }
    return Int64(bitPattern: UInt64(bitPattern: raw) >> 1)
  }

  /// A copy of the node and of everything below.
  package func copy() -> EditableNode {
    let copy = EditableNode(flags: flags, width: width, content: content)
    guard case .elements(let elements) = content else { return copy }
    copy.elements = elements.map { element in
      if case .child(let child) = element { .child(child.copy()) } else { element }
    }
    return copy
  }
}

extension EditableNode {
  /// The elements of a node of scheme 1.
  package var fields: [[UInt8]] {
    guard width > 0 else { return Array(repeating: [], count: count) }
    return (0..<count).map { Array(bytes[$0 * width..<($0 + 1) * width]) }
  }
}
